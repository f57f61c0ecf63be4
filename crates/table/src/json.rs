//! SPARQL 1.1 Query Results JSON, read strictly.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use crate::cell::Cell;
use crate::decode::decode;
use crate::error::{Position, ReadError, ReadErrorKind, check_distinct};
use crate::table::Table;

/// Reads SPARQL results in JSON, of a SELECT or an ASK query.
///
/// A document that is cut off, goes on after its end, or binds a variable that its head does not list, is an error: a
/// key that may lack rows is worse than none.
pub fn read_sparql_json(bytes: &[u8]) -> Result<Table, ReadError> {
    let (text, _) = decode(bytes)?;
    if text.trim().is_empty() {
        return Err(ReadError::new(
            ReadErrorKind::Empty,
            Position::START,
            "the file is empty where SPARQL results in JSON were expected",
        ));
    }
    at_once(&text).map_or_else(|| twice(&text), Ok)
}

/// Reads any document. The head may come after the results, and rows are placed by its variables: two readings, but no copy of
/// the rows.
fn twice(text: &str) -> Result<Table, ReadError> {
    let outline: Outline = serde_json::from_str(text).map_err(|error| explain(text, &error))?;
    let Some(results) = outline.results else {
        return outline.boolean.map(Table::boolean).ok_or_else(|| {
            ReadError::new(
                ReadErrorKind::NotATable,
                Position::START,
                "the JSON has neither `results` nor `boolean`",
            )
            .with_remedy("give SPARQL 1.1 Query Results JSON, as an endpoint returns it")
        });
    };
    let Some(variables) = outline.head.and_then(|head| head.vars) else {
        return Err(ReadError::new(
            ReadErrorKind::NotATable,
            Position::START,
            "the JSON has no `head.vars`, so its columns are not known",
        ));
    };
    check_distinct(&variables)?;
    let mut table = Table::with_capacity(variables, results.bindings.0);
    let mut reader = serde_json::Deserializer::from_str(text);
    Document(&mut table)
        .deserialize(&mut reader)
        .map_err(|error| explain(text, &error))?;
    Ok(table)
}

/// Reads a document whose head comes first, as endpoints write it; `None` for any other, and for whatever is not as it should be.
fn at_once(text: &str) -> Option<Table> {
    let mut table = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_map(HeadFirst(&mut table)).ok()?;
    reader.end().ok()?;
    table
}

struct HeadFirst<'t>(&'t mut Option<Table>);

impl<'de> Visitor<'de> for HeadFirst<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of SPARQL results")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut results = 0;
        while let Some(member) = map.next_key::<Str<'_>>()? {
            match (&*member.0, &mut *self.0) {
                ("head", head @ None) => {
                    let variables = map.next_value::<Head>()?.vars;
                    let variables = variables.ok_or_else(|| de::Error::missing_field("vars"))?;
                    check_distinct(&variables).map_err(de::Error::custom)?;
                    *head = Some(Table::with_capacity(variables, 0));
                }
                ("results", Some(table)) => results += map.next_value_seed(ResultsMember(table))?,
                ("head" | "results" | "boolean", _) => {
                    return Err(de::Error::custom("another form"));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if results == 1 {
            Ok(())
        } else {
            Err(de::Error::custom("another form"))
        }
    }
}

#[derive(Deserialize)]
struct Outline {
    head: Option<Head>,
    results: Option<Results>,
    boolean: Option<bool>,
}

#[derive(Deserialize)]
struct Head {
    vars: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Results {
    bindings: Count,
}

/// The length of an array whose elements are not looked at yet.
struct Count(usize);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements;
        impl<'de> Visitor<'de> for Elements {
            type Value = Count;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of bindings")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Count, A::Error> {
                let mut count = 0;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Count(count))
            }
        }
        deserializer.deserialize_seq(Elements)
    }
}

/// The second reading, and the only one where the head comes first: every row of `results.bindings` goes into the table.
struct Document<'t>(&'t mut Table);
struct ResultsMember<'t>(&'t mut Table);
struct Rows<'t>(&'t mut Table);
struct Row<'t> {
    columns: &'t [String],
    cells: &'t mut [Cell],
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of SPARQL results")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key::<Str<'_>>()? {
            if member.0 == "results" {
                map.next_value_seed(ResultsMember(&mut *self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ResultsMember<'_> {
    /// How often the rows came.
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ResultsMember<'_> {
    type Value = usize;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `bindings`")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<usize, A::Error> {
        let mut times = 0;
        while let Some(member) = map.next_key::<Str<'_>>()? {
            if member.0 == "bindings" {
                map.next_value_seed(Rows(&mut *self.0))?;
                times += 1;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(times)
    }
}

impl<'de> DeserializeSeed<'de> for Rows<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of bindings")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut cells = vec![Cell::Missing; self.0.columns().len()];
        while seq
            .next_element_seed(Row {
                columns: self.0.columns(),
                cells: &mut cells,
            })?
            .is_some()
        {
            self.0.push_row(
                cells
                    .iter_mut()
                    .map(|cell| std::mem::replace(cell, Cell::Missing)),
            );
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of variables and their terms")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Str(variable)) = map.next_key()? {
            let index = self
                .columns
                .iter()
                .position(|column| *column == variable)
                .ok_or_else(|| {
                    de::Error::custom(format_args!(
                        "a row binds `{variable}`, which `head.vars` does not list"
                    ))
                })?;
            if !self.cells[index].is_missing() {
                return Err(de::Error::custom(format_args!(
                    "a row binds `{variable}` twice"
                )));
            }
            let term: Term<'_> = map.next_value()?;
            self.cells[index] = term.into_cell().map_err(de::Error::custom)?;
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Term<'a> {
    #[serde(borrow)]
    r#type: Str<'a>,
    #[serde(borrow)]
    value: Str<'a>,
    #[serde(borrow)]
    datatype: Option<Str<'a>>,
}

impl Term<'_> {
    fn into_cell(self) -> Result<Cell, String> {
        let value = self.value.0;
        match &*self.r#type.0 {
            "uri" => Ok(Cell::Iri(value.into())),
            "bnode" => Ok(Cell::blank(&value)),
            "literal" | "typed-literal" => Ok(Cell::literal(
                &value,
                self.datatype.as_ref().map(|datatype| &*datatype.0),
            )),
            other => Err(format!(
                "a term of type `{other}`: only uri, literal and bnode are cells of a table"
            )),
        }
    }
}

/// A string that is borrowed from the document where it holds no escape, in keys as well as values.
struct Str<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Cow<'de, str>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Text).map(Str)
    }
}

fn explain(text: &str, error: &serde_json::Error) -> ReadError {
    let kind = match error.classify() {
        Category::Eof => ReadErrorKind::Truncated,
        Category::Data => ReadErrorKind::NotATable,
        Category::Syntax | Category::Io => ReadErrorKind::Syntax,
    };
    let message = error.to_string();
    let message = message
        .rfind(" at line ")
        .map_or(message.as_str(), |end| &message[..end]);
    let offset = if kind == ReadErrorKind::Truncated {
        text.len()
    } else {
        let lines = text.split_inclusive('\n');
        let before: usize = lines
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum();
        before + error.column().saturating_sub(1)
    };
    let remedy = match kind {
        ReadErrorKind::Truncated => "the reply was cut off: ask the endpoint again",
        _ => "give SPARQL 1.1 Query Results JSON, as an endpoint returns it",
    };
    ReadError::new(kind, Position::of_offset(text.as_bytes(), offset), message).with_remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reading_sees_what_two_see() {
        const ROW: &str = r#"{"x": {"type": "literal", "value": "a"}}"#;
        let rows = format!(r#""results": {{"bindings": [{ROW}, {{}}]}}"#);
        let head = r#""head": {"vars": ["x"]}"#;
        for (document, at_once_too) in [
            (format!("{{{head}, {rows}}}"), true),
            (format!(r#"{{"x": [1], {head}, {rows}, "y": {{}}}}"#), true),
            (
                format!(r#"{{{head}, "results": {{"ordered": true, "bindings": []}}}}"#),
                true,
            ),
            (format!("{{{rows}, {head}}}"), false),
            (format!("{{{head}, {rows}, {rows}}}"), false),
            (format!("{{{head}, {head}, {rows}}}"), false),
            (format!("{{{head}, {rows}}} more"), false),
            (format!("{{{head}, {rows}"), false),
            (format!(r#"{{{head}, {rows}, "boolean": true}}"#), false),
            (format!(r#"{{{head}, {rows}, "boolean": 1}}"#), false),
            (format!(r#"{{{head}, "results": {{}}}}"#), false),
            (format!(r#"{{{head}, "results": null}}"#), false),
            (format!(r#"{{"head": {{}}, {rows}}}"#), false),
            (
                r#"{"head": {}, "results": {"bindings": []}}"#.to_owned(),
                false,
            ),
            (
                format!(r#"{{"head": {{"vars": ["x", "x"]}}, {rows}}}"#),
                false,
            ),
            (format!(r#"{{"head": {{"vars": ["y"]}}, {rows}}}"#), false),
            (r#"{"head": {}, "boolean": true}"#.to_owned(), false),
            ("[]".to_owned(), false),
        ] {
            let found = at_once(&document);
            assert_eq!(found.is_some(), at_once_too, "{document}");
            if let Some(found) = found {
                assert_eq!(twice(&document), Ok(found), "{document}");
            }
        }
    }
}
