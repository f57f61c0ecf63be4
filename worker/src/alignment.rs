//! Alignments of two ontologies in the RDF format of the Alignment API, in and out.

use std::fmt::Write as _;

use ava::{Pair, Reference};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::place::place_in;

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlignmentFile {
    /// Its cells, as sets.
    pub reference: Reference,
    /// Cells that repeat another.
    pub repeated: usize,
}

/// A reference alignment that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct AlignmentError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// A cell as far as it has been read.
#[derive(Default)]
struct Cell {
    entities: [Option<String>; 2],
    relation: String,
    start: u64,
}

impl AlignmentFile {
    /// Reads an alignment in RDF/XML as the Alignment API writes it: `Cell` with `entity1`, `entity2` and `relation`.
    pub fn read(text: &str) -> Result<Self, AlignmentError> {
        let mut reader = Reader::from_str(text);
        // `<relation/>` begins and ends like any other.
        reader.config_mut().expand_empty_elements = true;
        let mut file = Self::default();
        let mut cell: Option<Cell> = None;
        let mut in_relation = false;
        let mut seen = false;
        loop {
            let position = reader.buffer_position();
            let event = reader
                .read_event()
                .map_err(|error| at(text, reader.error_position(), error.to_string()))?;
            match event {
                Event::Eof => break,
                Event::Start(tag) => {
                    let name = tag.local_name();
                    match (name.as_ref(), &mut cell) {
                        ("Cell", None) => {
                            cell = Some(Cell {
                                start: position,
                                ..Cell::default()
                            });
                        }
                        ("entity1", Some(cell)) => cell.entities[0] = resource(&tag),
                        ("entity2", Some(cell)) => cell.entities[1] = resource(&tag),
                        ("relation", Some(_)) => in_relation = true,
                        _ => {}
                    }
                }
                Event::Text(found) => {
                    if let (true, Some(cell)) = (in_relation, &mut cell) {
                        cell.relation.push_str(&found.xml10_content());
                    }
                }
                Event::GeneralRef(found) => {
                    if let (true, Some(cell)) = (in_relation, &mut cell) {
                        let entity = resolve_predefined_entity(&found);
                        cell.relation.push_str(entity.unwrap_or("\u{FFFD}"));
                    }
                }
                Event::End(tag) => match tag.local_name().as_ref() {
                    // At its end: a text that breaks off between two cells is no smaller reference.
                    "Alignment" => seen = true,
                    "relation" => in_relation = false,
                    "Cell" => {
                        if let Some(cell) = cell.take() {
                            file.add(cell, text)?;
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        if cell.is_some() || !seen {
            return Err(at(
                text,
                text.len() as u64,
                "no alignment in RDF: it has no whole `Alignment` with its cells".to_owned(),
            ));
        }
        Ok(file)
    }

    fn add(&mut self, cell: Cell, text: &str) -> Result<(), AlignmentError> {
        let wrong = |message: String| at(text, cell.start, message);
        let [Some(first), Some(second)] = cell.entities else {
            return Err(wrong(
                "this cell lacks an entity1 or entity2 with rdf:resource".to_owned(),
            ));
        };
        let set = match cell.relation.trim() {
            "=" | "" | "http://www.w3.org/2002/07/owl#equivalentClass" => {
                &mut self.reference.equivalent
            }
            "<" | ">" | "<=" | ">=" => &mut self.reference.subsumed,
            "?" => &mut self.reference.unknown,
            other => {
                return Err(wrong(format!(
                    "the relation of this cell is `{other}`: =, <, > or ? was expected"
                )));
            }
        };
        if !set.insert((first, second)) {
            self.repeated += 1;
        }
        Ok(())
    }
}

fn resource(tag: &BytesStart<'_>) -> Option<String> {
    let attribute = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == "resource")?;
    let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
    Some(value.into_owned())
}

fn at(text: &str, position: u64, message: String) -> AlignmentError {
    let (line, column) = place_in(text, usize::try_from(position).unwrap_or(usize::MAX));
    AlignmentError {
        line,
        column,
        message,
    }
}

/// An alignment in RDF/XML. `cells` come with their measure, from 0 to 1.
pub fn write(cells: &[(Pair, f64)], onto1: &str, onto2: &str) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns=\"http://knowledgeweb.semanticweb.org/heterogeneity/alignment\"\n    xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n    xmlns:xsd=\"http://www.w3.org/2001/XMLSchema#\">\n<Alignment>\n  <xml>yes</xml>\n  <level>0</level>\n  <type>**</type>\n  <onto1>{}</onto1>\n  <onto2>{}</onto2>\n",
        quick_xml::escape::escape(onto1),
        quick_xml::escape::escape(onto2)
    );
    for ((first, second), measure) in cells {
        // Writing to a text never fails.
        let _ = write!(
            text,
            "  <map>\n    <Cell>\n      <entity1 rdf:resource=\"{}\"/>\n      <entity2 rdf:resource=\"{}\"/>\n      <measure rdf:datatype=\"xsd:float\">{measure:.6}</measure>\n      <relation>=</relation>\n    </Cell>\n  </map>\n",
            quick_xml::escape::escape(first.as_str()),
            quick_xml::escape::escape(second.as_str())
        );
    }
    text.push_str("</Alignment>\n</rdf:RDF>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: &str, second: &str) -> Pair {
        (first.to_owned(), second.to_owned())
    }

    fn cells(cells: &str) -> String {
        format!(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<Alignment>{cells}</Alignment></rdf:RDF>"
        )
    }

    fn cell(first: &str, second: &str, relation: &str) -> String {
        format!(
            "<map><Cell cid='1'><entity1 rdf:resource='{first}'/><entity2 rdf:resource=\"{second}\"></entity2><relation>{relation}</relation></Cell></map>"
        )
    }

    #[test]
    fn relations_that_are_no_equivalence_stand_apart() {
        let text = cells(
            &[
                cell("a", "b", "="),
                cell("a", "b", " = "),
                cell("c", "d", "&lt;"),
                cell("e", "f", "?"),
                cell("g&amp;h", "i", "="),
            ]
            .concat(),
        );
        let file = AlignmentFile::read(&text).unwrap();
        assert_eq!(
            file,
            AlignmentFile {
                reference: Reference {
                    equivalent: [pair("a", "b"), pair("g&h", "i")].into(),
                    subsumed: [pair("c", "d")].into(),
                    unknown: [pair("e", "f")].into(),
                },
                repeated: 1,
            }
        );
    }

    #[test]
    fn what_was_written_is_read_again() {
        let text = write(&[(pair("http://a#x&y", "http://b"), 0.5)], "a.owl", "b.owl");
        let reference = AlignmentFile::read(&text).unwrap().reference;
        assert_eq!(
            reference.equivalent,
            [pair("http://a#x&y", "http://b")].into()
        );
    }

    #[test]
    fn what_is_no_alignment_says_where() {
        for (text, place, words) in [
            (String::new(), (1, 1), "no whole `Alignment`"),
            ("<owl/>".to_owned(), (1, 7), "no whole `Alignment`"),
            (cells(&cell("a", "b", "~")), (2, 17), "`~`"),
            (
                cells("<Cell>\n<entity1/><relation>=</relation></Cell>"),
                (2, 12),
                "entity1",
            ),
        ] {
            let error = AlignmentFile::read(&text).unwrap_err();
            assert_eq!((error.line, error.column), place, "{error}");
            assert!(error.message.contains(words), "{error}");
        }
        assert!(AlignmentFile::read(&cells("<Cell></Alignment>")).is_err());
        assert!(AlignmentFile::read(&cells("<Cell/>")).is_err());
        let cut = format!("<Alignment>{}", cell("a", "b", "="));
        assert!(
            AlignmentFile::read(&cut).is_err(),
            "broken off between cells"
        );
    }

    #[test]
    fn a_relation_without_words_is_equivalence() {
        let text = cells(
            "<Cell><entity1 rdf:resource='a'/><entity2 rdf:resource='b'/><relation/><measure>1.0</measure></Cell>",
        );
        let reference = AlignmentFile::read(&text).unwrap().reference;
        assert_eq!(reference.equivalent, [pair("a", "b")].into());
    }
}
