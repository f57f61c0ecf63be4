//! Why a control invents a row, and why it misses one.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use table::{Cell, Table};

use crate::compare::{Fate, RowFate};
use crate::taxonomy::{Labelled, Taxonomy};
use crate::why::matched::Match;

/// Why one row is invented or missed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct RowWhy {
    /// What became of the row: [`Fate::Invented`] or [`Fate::Missed`].
    pub fate: Fate,
    /// The row's identity, as in [`RowFate::identity`].
    pub identity: String,
    /// A reason for each class that brought the row into its table; none where that is not known.
    pub reasons: Vec<Reason>,
}

/// What name and hierarchy say about one class behind a row.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Reason {
    /// IRI of the class.
    pub class: String,
    /// The name that it goes by.
    pub name: Option<String>,
    /// Whether the control tests names; otherwise `matched` says nothing.
    pub tested: bool,
    /// The keyword that occurs in the name; `None` where none does.
    pub matched: Option<Match>,
    /// Whether the hierarchy has the class at or below a root.
    pub in_closure: bool,
    /// The way from the class up to a root, both included; empty for a class outside the closure.
    pub path: Vec<Labelled>,
}

impl fmt::Display for Reason {
    /// One sentence without its full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().unwrap_or(&self.class);
        match (&self.matched, self.tested) {
            (Some(found), _) => {
                let (word, keyword) = (found.word(), &found.keyword);
                write!(
                    f,
                    "“{word}” in “{name}” contains “{keyword}”, and the class is "
                )?;
            }
            (None, true) => write!(f, "no keyword occurs in “{name}”, and the class is ")?,
            (None, false) => write!(f, "“{name}” is ")?,
        }
        if !self.in_closure {
            return f.write_str("not in the closure");
        }
        f.write_str("in the closure: ")?;
        for (place, step) in self.path.iter().enumerate() {
            let arrow = if place == 0 { "" } else { " → " };
            write!(f, "{arrow}{}", step.text())?;
        }
        Ok(())
    }
}

/// Which classes brought each row into a table.
#[derive(Clone, Debug, Default)]
pub enum Classes {
    /// The rows' own identities are the classes.
    Rows,
    /// Listed by row.
    Listed(HashMap<String, Vec<Named>>),
    /// Not known.
    #[default]
    Unknown,
}

/// A class and the name it goes by where the row comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Named {
    /// IRI of the class.
    pub class: String,
    /// Its name, where the table has one.
    pub name: Option<String>,
}

impl Classes {
    /// Reads the table of [`ClassSource::Query`](crate::ClassSource::Query): a row's identity, a class, and perhaps the
    /// class's name, in this order.
    pub fn from_table(table: &Table) -> Self {
        let mut listed: HashMap<String, Vec<Named>> = HashMap::new();
        for row in table.rows() {
            if let [identity, Cell::Iri(class), name @ ..] = row {
                listed.entry(identity.to_string()).or_default().push(Named {
                    class: class.to_string(),
                    name: match name {
                        [Cell::Text(name)] => Some(name.to_string()),
                        _ => None,
                    },
                });
            }
        }
        Self::Listed(listed)
    }

    fn of(&self, row: &RowFate) -> Vec<Named> {
        match self {
            Self::Rows => vec![Named {
                class: row.identity.clone(),
                name: row.name.clone(),
            }],
            Self::Listed(listed) => listed.get(&row.identity).cloned().unwrap_or_default(),
            Self::Unknown => Vec::new(),
        }
    }
}

/// What is known about a key and its control beside their rows.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// The words that the control tests names for; none for a control that tests no name.
    pub keywords: &'a [String],
    /// The terms at the top of the key's closure.
    pub roots: &'a [String],
    /// The hierarchy, at least at and below the roots.
    pub taxonomy: &'a Taxonomy,
    /// The classes behind the key's rows.
    pub key: &'a Classes,
    /// The classes behind the control's rows.
    pub control: &'a Classes,
}

impl Grounds<'_> {
    /// Explains each invented and each missed row; the others have nothing to explain.
    pub fn explain(&self, rows: &[RowFate]) -> Vec<RowWhy> {
        let explained = rows.iter().filter_map(|row| {
            let classes = match row.fate {
                Fate::Missed => self.key.of(row),
                Fate::Invented => self.control.of(row),
                Fate::Kept | Fate::Changed | Fate::BelowCut => return None,
            };
            Some(RowWhy {
                fate: row.fate,
                identity: row.identity.clone(),
                reasons: classes
                    .into_iter()
                    .map(|named| self.reason(named))
                    .collect(),
            })
        });
        explained.collect()
    }

    fn reason(&self, named: Named) -> Reason {
        let label = || self.taxonomy.label(&named.class).map(str::to_owned);
        let name = named.name.clone().or_else(label);
        let path = self
            .roots
            .iter()
            .filter_map(|root| self.taxonomy.path(&named.class, root))
            .min_by_key(Vec::len)
            .unwrap_or_default();
        Reason {
            matched: name
                .as_deref()
                .and_then(|name| Match::find(name, self.keywords)),
            name,
            tested: !self.keywords.is_empty(),
            in_closure: !path.is_empty(),
            path,
            class: named.class,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fate: Fate, identity: &str, name: &str) -> RowFate {
        RowFate {
            fate,
            identity: identity.to_owned(),
            name: Some(name.to_owned()),
            key_rank: None,
            control_rank: None,
            differs: Vec::new(),
        }
    }

    fn taxonomy() -> Taxonomy {
        let columns = ["class", "parent", "label"].map(str::to_owned).to_vec();
        let text = |text: &str| Cell::Text(text.into());
        let iri = |iri: &str| Cell::Iri(iri.into());
        let rows = vec![
            vec![iri("root"), Cell::Missing, text("cardiovascular disorder")],
            vec![iri("htn"), iri("root"), text("hypertensive disorder")],
            vec![iri("pre"), iri("htn"), text("preeclampsia, label")],
        ];
        Taxonomy::from_table(&Table::new(columns, rows))
    }

    fn explained(key: &Classes, control: &Classes, rows: &[RowFate]) -> Vec<String> {
        let grounds = Grounds {
            keywords: &["cardio".to_owned(), "vascular".to_owned()],
            roots: &["root".to_owned()],
            taxonomy: &taxonomy(),
            key,
            control,
        };
        let rows = grounds.explain(rows);
        rows.iter()
            .map(|row| {
                let reasons: Vec<_> = row.reasons.iter().map(ToString::to_string).collect();
                reasons.join("; ")
            })
            .collect()
    }

    #[test]
    fn a_row_that_is_a_class_itself() {
        let rows = [
            row(Fate::Kept, "pre", "preeclampsia"),
            row(Fate::Missed, "pre", "preeclampsia"),
            row(Fate::Invented, "afn", "familial avascular necrosis"),
        ];
        assert_eq!(
            explained(&Classes::Rows, &Classes::Rows, &rows),
            [
                "no keyword occurs in “preeclampsia”, and the class is in the closure: preeclampsia, label → \
                 hypertensive disorder → cardiovascular disorder",
                "“avascular” in “familial avascular necrosis” contains “vascular”, and the class is not in the closure",
            ]
        );
    }

    #[test]
    fn a_row_that_classes_brought_in() {
        let columns = ["gene", "process", "name"].map(str::to_owned).to_vec();
        let table = Table::new(
            columns,
            vec![
                vec![
                    Cell::Iri("ins".into()),
                    Cell::Iri("htn".into()),
                    Cell::Missing,
                ],
                vec![
                    Cell::Iri("ins".into()),
                    Cell::Iri("x".into()),
                    Cell::Text("vascular tone".into()),
                ],
            ],
        );
        let rows = [
            row(Fate::Missed, "ins", "INS"),
            row(Fate::Missed, "gcg", "GCG"),
        ];
        assert_eq!(
            explained(&Classes::from_table(&table), &Classes::Unknown, &rows),
            [
                "no keyword occurs in “hypertensive disorder”, and the class is in the closure: hypertensive disorder → \
                 cardiovascular disorder; “vascular” in “vascular tone” contains “vascular”, and the class is not in \
                 the closure",
                "",
            ]
        );
    }
}
