//! x
use crate::{Header, Record, RecordName};
/// Reads a file piece by piece.
#[derive(Debug)]
pub struct RecordParser {
    file: String,
    bytes: Vec<u8>,
}
impl RecordParser {
    /// Starts a record.
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            bytes: Vec::new(),
        }
    }
    pub(crate) fn for_control(file: impl Into<String>) -> Self {
        Self::new(file)
    }
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
    /// Ends the file.
    pub fn finish(self) -> Record {
        let query_text = String::from_utf8_lossy(&self.bytes).into_owned();
        Record {
            name: RecordName::from_file(&self.file),
            file: self.file,
            header: Header::default(),
            query: spargebra::SparqlParser::new().parse_query(&query_text).ok(),
            query_text,
            query_line: 1,
            problems: Vec::new(),
        }
    }
}
