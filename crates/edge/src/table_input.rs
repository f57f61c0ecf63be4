//! A table as callers give it.

use serde::Deserialize;
use table::{ReadError, Table};

use crate::fault::Fault;
use crate::packed::Packed;
use crate::source::Source;

/// A table in one of the formats that endpoints and files have.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct TableInput {
    /// The table.
    pub text: Source,
    /// What the text is; the ending of `file` says so where this is absent.
    #[serde(default)]
    pub format: Option<TableFormat>,
    /// The name that errors give.
    #[serde(default)]
    pub file: Option<String>,
    /// Where the text is that of the cells, how to tell them apart.
    #[serde(default)]
    packed: Option<Packed>,
}

/// The formats that a table may have.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum TableFormat {
    /// SPARQL 1.1 Query Results JSON.
    SparqlJson,
    /// SPARQL Query Results XML.
    SparqlXml,
    /// CSV; a column whose cells are all numbers is one of numbers.
    Csv,
    /// TSV, with the terms' syntax where the header has `?`.
    Tsv,
}

impl TableInput {
    /// A table whose file name says what it is.
    pub fn named(file: &str, text: &str) -> Self {
        Self {
            text: text.into(),
            format: None,
            file: Some(file.to_owned()),
            packed: None,
        }
    }

    /// Reads the table; `role` names it in errors where it has no name of its own.
    pub(crate) fn read(&self, role: &str) -> Result<Table, Fault> {
        if let Some(packed) = &self.packed {
            return packed.unpack(self.text.bytes()).ok_or_else(|| {
                Fault::argument(
                    format!("{role}: the cells are not where they are said to be"),
                    "give the results as they were parsed, or as text with its format",
                )
            });
        }
        let file = self.file.as_deref().unwrap_or(role);
        self.table(file)
            .map_err(|error| Fault::of_table(file, error))
    }

    fn table(&self, file: &str) -> Result<Table, ReadError> {
        let bytes = self.text.bytes();
        match self.format {
            Some(TableFormat::SparqlJson) => table::read_sparql_json(bytes),
            Some(TableFormat::SparqlXml) => table::read_sparql_xml(bytes),
            Some(TableFormat::Csv) => table::read_key_csv(bytes),
            Some(TableFormat::Tsv) => table::read_key_tsv(bytes),
            None => table::read_key(file, bytes).map_err(|error| match error.kind {
                table::ReadErrorKind::UnknownFormat => ReadError {
                    message: "nothing says which format the table has".to_owned(),
                    remedy: Some(
                        "give `format` (sparql-json, sparql-xml, csv, tsv), or `file` with one of the endings .srj, \
                         .json, .srx, .xml, .csv, .tsv"
                            .to_owned(),
                    ),
                    ..error
                },
                _ => error,
            }),
        }
    }
}

/// Reads a table that may be absent.
pub(crate) fn read(table: Option<&TableInput>, role: &str) -> Result<Option<Table>, Fault> {
    table.map(|table| table.read(role)).transpose()
}
