//! The record parser: give it bytes as they come, then say that they have ended.

use crate::decorators::{self, Line};
use crate::lines::{LineSplitter, count};
use crate::name::RecordName;
use crate::problem::Problem;
use crate::query;
use crate::record::Record;
use crate::schema::Schema;

/// Reads a record from pieces of its file, with no I/O of its own.
///
/// ```
/// use record::{Record, RecordParser};
///
/// let bytes = "#+ summary: Née\r\nASK {}\r\n".as_bytes();
/// let mut parser = RecordParser::new("nde-expand_x.rq");
/// for piece in bytes.chunks(3) {
///     parser.push(piece);
/// }
/// let record = parser.finish();
///
/// assert_eq!(record.summary(), Some("Née"));
/// assert_eq!(record.query_text, "ASK {}\r\n");
/// assert_eq!(record.query_text, Record::parse("nde-expand_x.rq", bytes).query_text);
/// ```
#[derive(Debug)]
pub struct RecordParser {
    file: String,
    lines: LineSplitter,
    content: Content,
    schema: Schema,
}

impl RecordParser {
    /// Starts a record that was found under the path `file`; the path names it and is not opened.
    pub fn new(file: impl Into<String>) -> Self {
        Self::with_schema(file, Schema::Record)
    }

    pub(crate) fn with_schema(file: impl Into<String>, schema: Schema) -> Self {
        Self {
            file: file.into(),
            lines: LineSplitter::default(),
            content: Content::default(),
            schema,
        }
    }

    /// Takes the next bytes of the file; where a piece ends makes no difference.
    pub fn push(&mut self, bytes: &[u8]) {
        self.lines.push(bytes, |line| self.content.take(line));
    }

    /// Ends the file and says what was in it.
    pub fn finish(mut self) -> Record {
        self.lines.finish(|line| self.content.take(line));
        let Content {
            header_lines,
            body,
            body_line,
            line,
            mut problems,
        } = self.content;
        let is_empty = header_lines.is_empty() && body.trim().is_empty();
        let header = decorators::read(header_lines, self.schema, &mut problems);
        // Where a query is missing, the line behind the last is where it should have begun.
        let query_line = body_line.unwrap_or(line + 1);
        let query = if is_empty {
            let problem = Problem::error("file-empty", (1, 1), "the file is empty")
                .with_remedy("add a summary, tags and a query, or delete the file");
            problems.push(problem);
            None
        } else {
            query::read(&body, query_line, &mut problems)
        };
        let mut record = Record {
            name: RecordName::from_file(&self.file),
            file: self.file,
            header,
            query_text: body,
            query_line,
            query,
            problems,
        };
        if self.schema == Schema::Record && !is_empty {
            record.check();
        }
        record
            .problems
            .sort_by_key(|problem| (problem.line, problem.column));
        record
    }
}

/// What has been read of a file so far.
#[derive(Debug, Default)]
struct Content {
    header_lines: Vec<Line>,
    body: String,
    /// The line on which the body began, once it has.
    body_line: Option<u32>,
    /// Lines so far.
    line: u32,
    problems: Vec<Problem>,
}

impl Content {
    fn take(&mut self, bytes: &[u8]) {
        self.line = self.line.saturating_add(1);
        let bytes = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if self.line == 1 => rest,
            _ => bytes,
        };
        self.check_utf8(bytes);
        let line = String::from_utf8_lossy(bytes);
        if self.body_line.is_some() {
            self.body.push_str(&line);
            return;
        }
        let text = line.trim();
        if let Some(content) = line.trim_start().strip_prefix("#+") {
            let indent = count(&line) - count(line.trim_start());
            if indent > 0 {
                let message =
                    "a decorator that does not begin its line is a comment to other readers";
                let problem = Problem::lint("indented-decorator", (self.line, indent + 1), message)
                    .with_remedy("delete the white space before `#+`");
                self.problems.push(problem);
            }
            self.header_lines.push(Line {
                number: self.line,
                column: indent + 3,
                content: content.trim_end().to_owned(),
            });
        } else if !text.is_empty() && !text.starts_with('#') {
            self.body_line = Some(self.line);
            self.body.push_str(&line);
        }
    }

    /// Reports the first byte of the file that is not UTF-8; one is enough to know what went wrong.
    fn check_utf8(&mut self, bytes: &[u8]) {
        const RULE: &str = "not-utf8";
        let Err(error) = std::str::from_utf8(bytes) else {
            return;
        };
        if self.problems.iter().any(|problem| problem.rule == RULE) {
            return;
        }
        let (good, bad) = bytes.split_at(error.valid_up_to());
        let column = count(&String::from_utf8_lossy(good)) + 1;
        let utf16 =
            self.line == 1 && (bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF"));
        let message = match bad.first() {
            _ if utf16 => "the file is UTF-16, and a record is UTF-8".to_owned(),
            Some(byte) => format!("the byte 0x{byte:02X} is not UTF-8"),
            None => "the file is not UTF-8".to_owned(),
        };
        let problem = Problem::error(RULE, (self.line, column), message)
            .with_remedy("save the file as UTF-8");
        self.problems.push(problem);
    }
}
