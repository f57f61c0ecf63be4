//! Reading an answer key by its file name.

use crate::delimited_key::{read_key_csv, read_key_tsv};
use crate::error::{Position, ReadError, ReadErrorKind};
use crate::json::read_sparql_json;
use crate::table::Table;
use crate::xml::read_sparql_xml;

/// The formats in which a key can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFormat {
    /// SPARQL 1.1 Query Results JSON: `.srj`, `.json`.
    SparqlJson,
    /// SPARQL Query Results XML: `.srx`, `.xml`.
    SparqlXml,
    /// CSV, without types: `.csv`.
    Csv,
    /// TSV, with the terms' syntax where the header has `?`: `.tsv`.
    Tsv,
}

impl KeyFormat {
    /// The format that a file's extension names, in any case.
    pub fn of_file(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "srj" | "json" => Self::SparqlJson,
            "srx" | "xml" => Self::SparqlXml,
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            _ => return None,
        })
    }
}

/// Reads a key in the format that the file's extension names.
pub fn read_key(file_name: &str, bytes: &[u8]) -> Result<Table, ReadError> {
    match KeyFormat::of_file(file_name) {
        Some(KeyFormat::SparqlJson) => read_sparql_json(bytes),
        Some(KeyFormat::SparqlXml) => read_sparql_xml(bytes),
        Some(KeyFormat::Csv) => read_key_csv(bytes),
        Some(KeyFormat::Tsv) => read_key_tsv(bytes),
        None => Err(ReadError::new(
            ReadErrorKind::UnknownFormat,
            Position::START,
            format!("the name {file_name:?} does not say which format the key has"),
        )
        .with_remedy(
            "give it one of the extensions .srj, .json, .srx, .xml (SPARQL results), .csv, .tsv",
        )),
    }
}
