//! SPARQL Query Results XML, read strictly.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use crate::cell::Cell;
use crate::decode::decode;
use crate::error::{Position, ReadError, ReadErrorKind, check_distinct};
use crate::table::Table;

/// Reads SPARQL results in XML, of a SELECT or an ASK query.
///
/// Text between the elements (a server's stack trace in the middle of its reply), a document that is cut off, and a
/// binding of a variable that the head does not list are errors.
pub fn read_sparql_xml(bytes: &[u8]) -> Result<Table, ReadError> {
    let (text, _) = decode(bytes)?;
    if text.trim().is_empty() {
        return Err(ReadError::new(
            ReadErrorKind::Empty,
            Position::START,
            "the file is empty where SPARQL results in XML were expected",
        ));
    }
    ResultsReader {
        text: &text,
        reader: Reader::from_str(&text),
        path: Vec::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        row: Vec::new(),
        column: None,
        term: String::new(),
        datatype: None,
        boolean: None,
        has_results: false,
    }
    .run()
}

/// The elements of the format. Each knows where it may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Sparql,
    Head,
    Variable,
    Link,
    Boolean,
    Results,
    Result,
    Binding,
    Uri,
    Bnode,
    Literal,
}

impl Element {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sparql" => Self::Sparql,
            "head" => Self::Head,
            "variable" => Self::Variable,
            "link" => Self::Link,
            "boolean" => Self::Boolean,
            "results" => Self::Results,
            "result" => Self::Result,
            "binding" => Self::Binding,
            "uri" => Self::Uri,
            "bnode" => Self::Bnode,
            "literal" => Self::Literal,
            _ => return None,
        })
    }

    fn parent(self) -> Option<Self> {
        Some(match self {
            Self::Sparql => return None,
            Self::Head | Self::Boolean | Self::Results => Self::Sparql,
            Self::Variable | Self::Link => Self::Head,
            Self::Result => Self::Results,
            Self::Binding => Self::Result,
            Self::Uri | Self::Bnode | Self::Literal => Self::Binding,
        })
    }

    fn holds_text(self) -> bool {
        matches!(
            self,
            Self::Uri | Self::Bnode | Self::Literal | Self::Boolean
        )
    }
}

struct ResultsReader<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    path: Vec<Element>,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    row: Vec<Cell>,
    /// The column of the binding that is being read.
    column: Option<usize>,
    /// The text of the term that is being read.
    term: String,
    datatype: Option<String>,
    boolean: Option<bool>,
    has_results: bool,
}

impl ResultsReader<'_> {
    fn run(mut self) -> Result<Table, ReadError> {
        loop {
            let start = self.reader.buffer_position();
            let event = self.reader.read_event().map_err(|error| {
                let at = self.position(self.reader.error_position());
                ReadError::new(ReadErrorKind::Syntax, at, error.to_string()).with_remedy(REMEDY)
            })?;
            match event {
                Event::Start(tag) => self.open(&tag, start)?,
                Event::Empty(tag) => {
                    self.open(&tag, start)?;
                    self.close(start)?;
                }
                Event::End(_) => self.close(start)?,
                Event::Text(text) => self.text(&text.xml10_content(), start)?,
                Event::CData(text) => self.text(&text.xml10_content(), start)?,
                Event::GeneralRef(reference) => {
                    let character = reference
                        .resolve_char_ref()
                        .ok()
                        .flatten()
                        .map(String::from);
                    let text = character
                        .or_else(|| resolve_predefined_entity(&reference).map(str::to_owned))
                        .ok_or_else(|| {
                            self.error(start, format!("the entity &{}; is not known", &*reference))
                        })?;
                    self.text(&text, start)?;
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        self.finish()
    }

    fn open(&mut self, tag: &BytesStart<'_>, at: u64) -> Result<(), ReadError> {
        let name = tag.local_name();
        let name = name.as_ref();
        let element = Element::named(name)
            .filter(|element| element.parent() == self.path.last().copied())
            .filter(|element| *element != Element::Sparql || !self.has_ended())
            .ok_or_else(|| self.error(at, format!("<{name}> does not belong here")))?;
        match element {
            Element::Variable => {
                let name = self.attribute(tag, "name", at)?;
                self.columns.push(name);
            }
            Element::Results => self.has_results = true,
            Element::Result => self.row = vec![Cell::Missing; self.columns.len()],
            Element::Binding => {
                let name = self.attribute(tag, "name", at)?;
                let column = self.columns.iter().position(|column| *column == name);
                let column = column.ok_or_else(|| {
                    self.error(
                        at,
                        format!("a row binds `{name}`, which the head does not list"),
                    )
                })?;
                if !self.row[column].is_missing() {
                    return Err(self.error(at, format!("a row binds `{name}` twice")));
                }
                self.column = Some(column);
            }
            Element::Literal => {
                self.datatype = match tag.try_get_attribute("datatype") {
                    Ok(Some(_)) => Some(self.attribute(tag, "datatype", at)?),
                    _ => None,
                };
            }
            _ => {}
        }
        self.term.clear();
        self.path.push(element);
        Ok(())
    }

    fn close(&mut self, at: u64) -> Result<(), ReadError> {
        let cell = match self.path.pop() {
            Some(Element::Uri) => Cell::Iri(self.term.as_str().into()),
            Some(Element::Bnode) => Cell::blank(&self.term),
            Some(Element::Literal) => Cell::literal(&self.term, self.datatype.as_deref()),
            Some(Element::Result) => {
                self.rows.push(std::mem::take(&mut self.row));
                return Ok(());
            }
            Some(Element::Boolean) => {
                self.boolean = Some(match self.term.trim() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    other => {
                        let message = format!("{other:?} is neither true nor false");
                        return Err(self.error(at, message));
                    }
                });
                return Ok(());
            }
            _ => return Ok(()),
        };
        // A binding holds one term; a second would replace the first in silence.
        let Some(column) = self.column.take() else {
            return Err(self.error(at, "a binding holds two terms".to_owned()));
        };
        self.row[column] = cell;
        Ok(())
    }

    fn text(&mut self, text: &str, at: u64) -> Result<(), ReadError> {
        if self.path.last().is_some_and(|element| element.holds_text()) {
            self.term.push_str(text);
            return Ok(());
        }
        if text.trim().is_empty() {
            return Ok(());
        }
        let offset = text.len() - text.trim_start().len();
        let found: String = text.trim().chars().take(60).collect();
        Err(self.error(
            at + offset as u64,
            format!("text between the elements: {found:?}"),
        ))
    }

    fn attribute(&self, tag: &BytesStart<'_>, name: &str, at: u64) -> Result<String, ReadError> {
        tag.try_get_attribute(name)
            .ok()
            .flatten()
            .and_then(|attribute| {
                attribute
                    .normalized_value(XmlVersion::Implicit1_0)
                    .ok()
                    .map(std::borrow::Cow::into_owned)
            })
            .ok_or_else(|| self.error(at, format!("the element lacks its attribute `{name}`")))
    }

    fn has_ended(&self) -> bool {
        self.has_results || self.boolean.is_some()
    }

    fn finish(self) -> Result<Table, ReadError> {
        if !self.path.is_empty() {
            let at = self.position(self.text.len() as u64);
            return Err(ReadError::new(
                ReadErrorKind::Truncated,
                at,
                "the document ends before its last element does",
            )
            .with_remedy("the reply was cut off: ask the endpoint again"));
        }
        match self.boolean {
            Some(value) if !self.has_results => Ok(Table::boolean(value)),
            _ if self.has_results => {
                check_distinct(&self.columns)?;
                Ok(Table::new(self.columns, self.rows))
            }
            _ => Err(ReadError::new(
                ReadErrorKind::NotATable,
                Position::START,
                "the XML has neither <results> nor <boolean>",
            )
            .with_remedy(REMEDY)),
        }
    }

    fn error(&self, offset: u64, message: String) -> ReadError {
        ReadError::new(ReadErrorKind::Syntax, self.position(offset), message).with_remedy(REMEDY)
    }

    fn position(&self, offset: u64) -> Position {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        Position::of_offset(self.text.as_bytes(), offset)
    }
}

const REMEDY: &str = "give SPARQL Query Results XML, as an endpoint returns it";
