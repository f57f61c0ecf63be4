//! What a record's file name says: graph, arm and tier.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Which half of a pair a record is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// The question as a scientist would ask it; answering it takes the closure of its term.
    Expand,
    /// The same prompt with one sentence added: use the term exactly as given.
    Exact,
}

impl Arm {
    /// The arm's name as file names spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Exact => "exact",
        }
    }

    /// The other half of the pair.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Expand => Self::Exact,
            Self::Exact => Self::Expand,
        }
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A record's identifier, and its parts where it follows the scheme `<kg>-<arm>_<tier>`.
///
/// The tier is the text after the last `_`. A name outside the scheme, such as a registry's, is an identifier and
/// nothing else.
///
/// ```
/// use record::{Arm, RecordName};
///
/// let name = RecordName::from_file("corpus/oard-kg-exact_blood.rq");
/// assert_eq!(name.id, "oard-kg-exact_blood");
/// assert_eq!(name.kg.as_deref(), Some("oard-kg"));
/// assert_eq!(name.arm, Some(Arm::Exact));
/// assert_eq!(name.tier.as_deref(), Some("blood"));
/// assert_eq!(name.twin_id().as_deref(), Some("oard-kg-expand_blood"));
///
/// assert_eq!(RecordName::from_file("036_drug_targets.rq").tier, None);
/// ```
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct RecordName {
    /// The file's name without folders and without `.rq`.
    pub id: String,
    /// The graph in which the question starts.
    pub kg: Option<String>,
    /// Which half of the pair this is.
    pub arm: Option<Arm>,
    /// The category that the question is about.
    pub tier: Option<String>,
}

impl RecordName {
    /// Reads a path with `/` or `\` between folders; only its last part counts.
    pub fn from_file(path: &str) -> Self {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let id = file.strip_suffix(".rq").unwrap_or(file);
        let parts = Self::split(id);
        Self {
            id: id.to_owned(),
            kg: parts.map(|(kg, _, _)| kg.to_owned()),
            arm: parts.map(|(_, arm, _)| arm),
            tier: parts.map(|(_, _, tier)| tier.to_owned()),
        }
    }

    /// What the two records of a pair have in common, `<kg>_<tier>`; `None` outside the naming scheme.
    pub fn pair(&self) -> Option<String> {
        Some(format!("{}_{}", self.kg.as_ref()?, self.tier.as_ref()?))
    }

    /// The identifier that this record's twin has, whether or not there is such a record.
    pub fn twin_id(&self) -> Option<String> {
        Some(format!(
            "{}-{}_{}",
            self.kg.as_ref()?,
            self.arm?.other(),
            self.tier.as_ref()?
        ))
    }

    fn split(id: &str) -> Option<(&str, Arm, &str)> {
        let (front, tier) = id.rsplit_once('_')?;
        let (kg, arm) = front.rsplit_once('-')?;
        let arm = match arm {
            "expand" => Arm::Expand,
            "exact" => Arm::Exact,
            _ => return None,
        };
        (!kg.is_empty() && !tier.is_empty()).then_some((kg, arm, tier))
    }
}

impl fmt::Display for RecordName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_inside_and_outside_the_scheme() {
        let cases = [
            (
                "a/nde-expand_autoimmune.rq",
                Some(("nde", Arm::Expand, "autoimmune")),
            ),
            (r"a\oard-kg-exact_x.rq", Some(("oard-kg", Arm::Exact, "x"))),
            (
                "gene-atlas_v2-expand_y.rq",
                Some(("gene-atlas_v2", Arm::Expand, "y")),
            ),
            ("nde-expand_two_words.rq", None),
            ("nde-Expand_x.rq", None),
            ("-expand_x.rq", None),
            ("nde-expand_.rq", None),
            ("001_drugs.rq", None),
            ("plain", None),
            ("", None),
        ];
        for (path, expected) in cases {
            let name = RecordName::from_file(path);
            let found = name
                .kg
                .as_deref()
                .zip(name.arm)
                .zip(name.tier.as_deref())
                .map(|((kg, arm), tier)| (kg, arm, tier));
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn twins_point_at_each_other() {
        let name = RecordName::from_file("nde-expand_x.rq");
        let twin = RecordName::from_file(&name.twin_id().unwrap());
        assert_eq!(twin.twin_id().as_deref(), Some("nde-expand_x"));
        assert_eq!(twin.pair(), name.pair());
    }
}
