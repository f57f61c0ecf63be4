//! `analyseControl`: what a control keeps of a key, misses and invents, and why.

use std::fmt;

use control::{Analysis, Case, Classes, Grounds, Lacking, Taxonomy, analyse};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::fault::Fault;
use crate::order::{By, places};
use crate::table_input::{TableInput, read};

/// What is known beside the two tables.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalysisOptions {
    /// The key without its LIMIT, so that a row below the cut is not taken for an invented one.
    pub uncut: Option<TableInput>,
    /// The column that tells rows apart; the first column of IRIs where absent.
    pub identity: Option<String>,
    /// The key's ORDER BY, for the agreement of the two rankings.
    pub order: Option<Vec<By>>,
    /// Whether the control walks the hierarchy too, as one does that varies another part of the key.
    pub walks_hierarchy: bool,
    /// What explains rows.
    pub grounds: Option<GroundsInput>,
}

/// What explains why a row is missed or invented.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroundsInput {
    /// The words that the control tests names for.
    pub keywords: Vec<String>,
    /// The terms at the top of the key's closure.
    pub roots: Vec<String>,
    /// Tables of `class`, `parent` and `label`, at and below the roots.
    pub hierarchy: Vec<TableInput>,
    /// The classes behind the key's rows.
    pub key_classes: ClassesInput,
    /// The classes behind the control's rows.
    pub control_classes: ClassesInput,
}

/// The classes behind a table's rows.
#[derive(Clone, Debug, Default)]
pub enum ClassesInput {
    /// `"rows"`: the rows' own identities.
    Rows,
    /// A table of a row's identity, a class, and perhaps the class's name, in this order.
    Table(TableInput),
    /// Not known: then the rows have no reasons.
    #[default]
    Unknown,
}

impl<'de> Deserialize<'de> for ClassesInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrTable;
        impl<'de> Visitor<'de> for WordOrTable {
            type Value = ClassesInput;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`rows`, or a table of identities and classes")
            }

            fn visit_unit<E: Error>(self) -> Result<ClassesInput, E> {
                Ok(ClassesInput::Unknown)
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<ClassesInput, E> {
                match word {
                    "rows" => Ok(ClassesInput::Rows),
                    other => Err(E::unknown_variant(other, &["rows"])),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ClassesInput, A::Error> {
                TableInput::deserialize(MapAccessDeserializer::new(map)).map(ClassesInput::Table)
            }
        }
        deserializer.deserialize_any(WordOrTable)
    }
}

/// Judges the rows of a control by the rows of its key.
///
/// Fails where a table cannot be read, or where `identity` or `order` is none of the key's columns.
pub fn analyse_control(
    key: &TableInput,
    control: &TableInput,
    options: &AnalysisOptions,
) -> Result<Analysis, Fault> {
    let key = key.read("key")?;
    let control = control.read("control")?;
    let uncut = read(options.uncut.as_ref(), "uncut")?;
    let case = Case {
        key: &key,
        key_all: uncut.as_ref(),
        control: &control,
        identity: options.identity.as_deref(),
        order: &match &options.order {
            Some(order) => places(order, &key)?,
            None => Vec::new(),
        },
        walks_hierarchy: options.walks_hierarchy,
    };
    let analysis = analyse(&case).map_err(|error| match error.of {
        Lacking::Key => Fault::argument(
            format!("options.identity: {error}"),
            "name one of the key's columns, or leave it out",
        ),
        Lacking::Control => Fault::argument(
            format!("control: {error}"),
            "select it there too, or give a column that both have as `identity`",
        ),
    })?;
    match &options.grounds {
        Some(grounds) => grounds.explain(analysis),
        None => Ok(analysis),
    }
}

impl GroundsInput {
    fn explain(&self, analysis: Analysis) -> Result<Analysis, Fault> {
        let mut taxonomy = Taxonomy::default();
        for table in &self.hierarchy {
            taxonomy.add(&table.read("hierarchy")?);
        }
        let grounds = Grounds {
            keywords: &self.keywords,
            roots: &self.roots,
            taxonomy: &taxonomy,
            key: &self.key_classes.read("key_classes")?,
            control: &self.control_classes.read("control_classes")?,
        };
        Ok(analysis.explained(&grounds))
    }
}

impl ClassesInput {
    fn read(&self, role: &str) -> Result<Classes, Fault> {
        Ok(match self {
            Self::Rows => Classes::Rows,
            Self::Table(table) => Classes::from_table(&table.read(role)?),
            Self::Unknown => Classes::Unknown,
        })
    }
}
