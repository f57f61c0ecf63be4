//! A control: a question's key with its hierarchy replaced by something weaker.

use crate::header::Header;
use crate::parser::RecordParser;
use crate::problem::Problem;
use crate::schema::Schema;
use spargebra::Query;

/// Plain SPARQL under `<tier>/<letter>-<what>.rq`, optionally with the decorators `summary` and `keywords`.
#[derive(Clone, Debug)]
pub struct Control {
    /// The tier whose question it controls: the folder's name.
    pub tier: String,
    /// The file's name without its suffix, such as `A-literal`.
    pub name: String,
    /// The letter before the first `-`, such as `A`; `?` where the name has none.
    pub letter: char,
    /// The path under which the file was given.
    pub file: String,
    /// The decorators.
    pub header: Header,
    /// The words of a name test, from `#+ keywords: [a, b]`.
    pub keywords: Vec<String>,
    /// The query as written.
    pub query_text: String,
    /// The query, parsed; `None` where it is not SPARQL.
    pub query: Option<Query>,
    /// Errors and lints by position.
    pub problems: Vec<Problem>,
}

impl Control {
    /// A control whose file could not be read, and `why`.
    pub fn unreadable(file: impl Into<String>, why: &str) -> Self {
        let mut control = Self::parse(file, b"");
        control.problems = vec![Problem::unreadable(why)];
        control
    }

    /// Reads a whole file; its folder is the tier.
    pub fn parse(file: impl Into<String>, bytes: &[u8]) -> Self {
        let mut parser = RecordParser::with_schema(file, Schema::Control);
        parser.push(bytes);
        let record = parser.finish();
        let mut parts = record.file.rsplit(['/', '\\']).skip(1);
        let tier = parts.next().unwrap_or_default().to_owned();
        let name = record.name.id;
        let letter = match name.split_once('-') {
            Some((letter, _)) if letter.chars().count() == 1 => letter.chars().next(),
            _ => None,
        };
        Self {
            tier,
            letter: letter.unwrap_or('?'),
            keywords: record.header.list("keywords").to_vec(),
            name,
            file: record.file,
            header: record.header,
            query_text: record.query_text,
            query: record.query,
            problems: record.problems,
        }
    }
}
