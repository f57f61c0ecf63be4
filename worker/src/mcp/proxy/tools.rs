//! Which tools the agent is given, and the lists of them that it sees.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::frame::range_in;
use super::submit;

/// Which of the server's tools the agent is given.
///
/// ```
/// use worker::mcp::proxy::ToolSet;
///
/// let tools: ToolSet = "no:get_descendants,lookup_uri".parse().unwrap();
/// assert!(tools.gives("query") && !tools.gives("lookup_uri"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// Every tool: `all-tools`.
    #[default]
    All,
    /// Every tool but these: `no:…`.
    Without(BTreeSet<String>),
    /// These tools alone: `only:…`.
    Only(BTreeSet<String>),
}

/// Words that name no set of tools.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ToolSetError {
    /// Neither of the three forms.
    #[error("`{0}` is no set of tools")]
    Form(String),
    /// The harness's own tool cannot be withheld.
    #[error("`{}` is the harness's own tool, which is always there", submit::NAME)]
    Own,
}

impl ToolSet {
    /// Whether the agent is given the tool.
    pub fn gives(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Without(names) => !names.contains(tool),
            Self::Only(names) => names.contains(tool),
        }
    }

    /// The names in it that the server does not have.
    pub(crate) fn absent<'a>(&'a self, server: &[String]) -> Vec<&'a str> {
        let names = match self {
            Self::All => return Vec::new(),
            Self::Without(names) | Self::Only(names) => names,
        };
        let absent = names
            .iter()
            .filter(|&name| name != submit::NAME && !server.contains(name));
        absent.map(String::as_str).collect()
    }
}

impl FromStr for ToolSet {
    type Err = ToolSetError;

    fn from_str(text: &str) -> Result<Self, ToolSetError> {
        if text == "all-tools" {
            return Ok(Self::All);
        }
        let form = || ToolSetError::Form(text.to_owned());
        let (kind, names) = text.split_once(':').ok_or_else(form)?;
        let names: BTreeSet<String> = names
            .split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        if names.is_empty() {
            return Err(form());
        }
        let own = names.contains(submit::NAME);
        match kind {
            "no" if own => Err(ToolSetError::Own),
            "no" => Ok(Self::Without(names)),
            "only" => Ok(Self::Only(names)),
            _ => Err(form()),
        }
    }
}

impl fmt::Display for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, names) = match self {
            Self::All => return f.write_str("all-tools"),
            Self::Without(names) => ("no", names),
            Self::Only(names) => ("only", names),
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        write!(f, "{kind}:{}", names.join(","))
    }
}

/// What the proxy has to know of the server's tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownTools {
    /// In the server's order: name, and the entry as it came.
    listed: Vec<(String, String)>,
    /// Those that say of themselves that they change nothing.
    read_only: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow, default)]
    tools: Option<&'a RawValue>,
    #[serde(rename = "nextCursor")]
    next: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    annotations: Option<Annotations>,
}

#[derive(Deserialize)]
struct Annotations {
    #[serde(rename = "readOnlyHint")]
    read_only: Option<bool>,
}

impl KnownTools {
    /// Takes a page of the server's list; the cursor of the next one.
    pub(crate) fn add_page(&mut self, result: &str) -> Result<Option<String>, serde_json::Error> {
        let page: Page<'_> = serde_json::from_str(result)?;
        for raw in entries(&page)? {
            let entry: Entry = serde_json::from_str(raw.get())?;
            if entry
                .annotations
                .and_then(|annotations| annotations.read_only)
                == Some(true)
            {
                self.read_only.insert(entry.name.clone());
            }
            self.listed.push((entry.name, raw.get().to_owned()));
        }
        Ok(page.next.filter(|cursor| !cursor.is_empty()))
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.listed.iter().map(|(name, _)| name.clone()).collect()
    }

    pub(crate) fn is_read_only(&self, tool: &str) -> bool {
        self.read_only.contains(tool)
    }

    /// SHA-256, in hex, over the tools by name, each in a form in which neither white space nor the order of members nor
    /// that of the list counts.
    pub(crate) fn hash(&self) -> String {
        let canonical: BTreeMap<&str, Value> = self
            .listed
            .iter()
            .map(|(name, raw)| (name.as_str(), serde_json::from_str(raw).unwrap_or_default()))
            .collect();
        let mut hash = Sha256::new();
        // Values of text keys always serialise.
        hash.update(serde_json::to_vec(&canonical).unwrap_or_default());
        hex::encode(hash.finalize())
    }

    /// The list that the proxy answers once the server is gone.
    pub(crate) fn alone(&self, set: &ToolSet, own: &str) -> String {
        let given = self.listed.iter().filter(|(name, _)| set.gives(name));
        let entries: Vec<&str> = given.map(|(_, raw)| raw.as_str()).chain([own]).collect();
        format!(r#"{{"tools":[{}]}}"#, entries.join(","))
    }
}

/// A page of the server's list as the agent sees it: without the tools that are withheld and with the harness's `own`,
/// every other byte as it came. `None` where nothing changes.
pub(crate) fn shown(result: &str, set: &ToolSet, own: Option<&str>) -> Option<String> {
    let page: Page<'_> = serde_json::from_str(result).ok()?;
    let list = page.tools.map(|list| range_in(result, list.get()))?;
    let entries = entries(&page).ok()?;
    let is_given = |raw: &&RawValue| {
        serde_json::from_str::<Entry>(raw.get())
            .is_ok_and(|entry| set.gives(&entry.name) && entry.name != submit::NAME)
    };
    let given: Vec<&str> = entries
        .iter()
        .copied()
        .filter(|raw| is_given(raw))
        .map(RawValue::get)
        .collect();
    if given.len() == entries.len() {
        // Nothing is withheld: the list itself stays as it came, too.
        let own = own?;
        let end = list.end - 1;
        let comma = if entries.is_empty() { "" } else { "," };
        let (before, after) = result.split_at_checked(end)?;
        return Some(format!("{before}{comma}{own}{after}"));
    }
    let joined = given.into_iter().chain(own).collect::<Vec<_>>().join(",");
    let mut changed = result.to_owned();
    changed.replace_range(list, &format!("[{joined}]"));
    Some(changed)
}

fn entries<'a>(page: &Page<'a>) -> Result<Vec<&'a RawValue>, serde_json::Error> {
    page.tools
        .map_or(Ok(Vec::new()), |list| serde_json::from_str(list.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_tools_read_back_as_they_are_written() {
        for text in ["all-tools", "no:a,b", "only:query"] {
            assert_eq!(text.parse::<ToolSet>().unwrap().to_string(), text);
        }
        assert_eq!(
            "only: submit_csv".parse::<ToolSet>().unwrap().to_string(),
            "only:submit_csv"
        );
        for text in ["", "all", "no:", "without:a", "only: ,"] {
            assert!(text.parse::<ToolSet>().is_err(), "{text}");
        }
        assert_eq!("no:submit_csv".parse::<ToolSet>(), Err(ToolSetError::Own));
    }

    #[test]
    fn a_list_without_anything_withheld_is_byte_equal_but_for_the_tool_that_is_added() {
        let result = r#"{ "x" : 1.0, "tools": [ {"name":"a", "unknown": 1e3} ], "_meta":{} }"#;
        assert_eq!(
            shown(result, &ToolSet::All, Some("{S}")).unwrap(),
            r#"{ "x" : 1.0, "tools": [ {"name":"a", "unknown": 1e3} ,{S}], "_meta":{} }"#
        );
        assert_eq!(
            shown(r#"{"tools":[]}"#, &ToolSet::All, Some("{S}")).unwrap(),
            r#"{"tools":[{S}]}"#
        );
        assert_eq!(shown(result, &ToolSet::All, None), None);
    }

    #[test]
    fn withheld_tools_are_not_in_the_list() {
        let set = "no:b".parse().unwrap();
        let result = r#"{"tools":[{"name":"a"}, {"name":"b"},{"name":"c" }],"nextCursor":"2"}"#;
        assert_eq!(
            shown(result, &set, Some("{S}")).unwrap(),
            r#"{"tools":[{"name":"a"},{"name":"c" },{S}],"nextCursor":"2"}"#
        );
        assert_eq!(
            shown(r#"{"tools":[{"name":"b"}]}"#, &set, None).unwrap(),
            r#"{"tools":[]}"#
        );
    }

    #[test]
    fn a_tool_that_takes_the_harness_s_name_later_is_not_shown() {
        assert_eq!(
            shown(
                r#"{"tools":[{"name":"submit_csv"}]}"#,
                &ToolSet::All,
                Some("{S}")
            )
            .unwrap(),
            r#"{"tools":[{S}]}"#
        );
    }

    #[test]
    fn the_hash_is_of_what_the_tools_are() {
        let hash = |pages: &[&str]| {
            let mut known = KnownTools::default();
            for page in pages {
                known.add_page(page).unwrap();
            }
            known.hash()
        };
        let one = hash(&[r#"{"tools":[{"name":"a","x":1},{"name":"b"}]}"#]);
        assert_eq!(
            one,
            hash(&[
                r#"{"tools":[{"name":"b"}],"nextCursor":"2"}"#,
                r#"{"tools":[{ "x":1,"name":"a"}]}"#
            ])
        );
        assert_ne!(
            one,
            hash(&[r#"{"tools":[{"name":"a","x":2},{"name":"b"}]}"#])
        );
        assert_eq!(one.len(), 64);
    }

    #[test]
    fn read_only_tools_are_those_that_say_so() {
        let mut known = KnownTools::default();
        let next = known.add_page(r#"{"tools":[{"name":"a","annotations":{"readOnlyHint":true}},{"name":"b"}],"nextCursor":"n"}"#).unwrap();
        assert_eq!(next.as_deref(), Some("n"));
        assert!(known.is_read_only("a") && !known.is_read_only("b"));
    }
}
