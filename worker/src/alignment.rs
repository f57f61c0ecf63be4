//! Alignments of two ontologies in the RDF format of the Alignment API, in and out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ava::{Pair, Reference};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use rustc_hash::FxHashMap;

use crate::place::place_in;

/// What a file holds: its cells, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlignmentFile {
    /// Two entities and what is said of them.
    pub cells: Vec<(Pair, Relation)>,
}

/// What a cell says of its two entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are the same.
    Equivalent,
    /// One is wider; the sign says which.
    Subsumed(&'static str),
    /// Nobody knows.
    Unknown,
    /// Another relation that is known, by its sign.
    Other(&'static str),
}

use Relation::{Equivalent, Other, Subsumed, Unknown};

/// Where the Alignment API has a class for each relation.
const CLASSES: &str = "fr.inrialpes.exmo.align.impl.rel.";

/// The relations of the Alignment API by sign, by name, as EDOAL has them, and by class; those that OWL, RDFS and SKOS have an
/// IRI for; and the signs of description logic. Names in small letters.
const RELATIONS: [(Relation, &[&str]); 8] = [
    (
        Equivalent,
        &[
            "=",
            "",
            "==",
            "≡",
            "equivalence",
            "equivalent",
            "equivrelation",
            "http://www.w3.org/2002/07/owl#equivalentclass",
            "http://www.w3.org/2002/07/owl#equivalentproperty",
            "http://www.w3.org/2002/07/owl#sameas",
            "http://www.w3.org/2004/02/skos/core#exactmatch",
        ],
    ),
    (
        Subsumed("<"),
        &[
            "<",
            "<=",
            "≤",
            "⊑",
            "⊏",
            "subsumedby",
            "subsumedrelation",
            "http://www.w3.org/2000/01/rdf-schema#subclassof",
            "http://www.w3.org/2000/01/rdf-schema#subpropertyof",
        ],
    ),
    (
        Subsumed(">"),
        &[">", ">=", "≥", "⊒", "⊐", "subsumes", "subsumerelation"],
    ),
    (Unknown, &["?"]),
    (
        Other("%"),
        &[
            "%",
            "disjoint",
            "incompatible",
            "incompatrelation",
            "http://www.w3.org/2002/07/owl#disjointwith",
        ],
    ),
    (
        Other("~>"),
        &[
            "~>",
            "nontransitiveimplication",
            "nontransitiveimplicationrelation",
        ],
    ),
    (
        Other("InstanceOf"),
        &[
            "instanceof",
            "instanceofrelation",
            "∈",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        ],
    ),
    (
        Other("HasInstance"),
        &["hasinstance", "hasinstancerelation", "∋"],
    ),
];

impl Relation {
    fn of(written: &str) -> Option<Self> {
        let name = written.strip_prefix(CLASSES).unwrap_or(written);
        let name = name.to_lowercase();
        let known = RELATIONS
            .iter()
            .find(|(_, names)| names.contains(&name.as_str()));
        known.map(|(relation, _)| *relation)
    }

    /// Its sign in the Alignment API, or its name there.
    pub fn sign(self) -> &'static str {
        match self {
            Equivalent => "=",
            Unknown => "?",
            Subsumed(sign) | Other(sign) => sign,
        }
    }
}

/// An alignment that cannot be read.
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

/// What a document type declares: entities by name; `None` for one that lies in another file.
#[derive(Default)]
struct Entities(FxHashMap<String, Option<String>>);

/// A text has no more references, those inside entities counted: ten of ten of another, and so on, would never end.
const MOST_REFERENCES: usize = 1000;
/// Nor is it longer, in bytes.
const LONGEST: usize = 1 << 20;

impl Entities {
    /// Takes over what a document type declares between its brackets.
    fn declare(&mut self, doctype: &str) -> Result<(), String> {
        let mut rest = doctype;
        while let Some((_, from)) = rest.split_once("<!") {
            if let Some(comment) = from.strip_prefix("--") {
                rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
                continue;
            }
            rest = from;
            let Some(declared) = from.strip_prefix("ENTITY") else {
                continue;
            };
            // One for the document type alone has a `%` for its name here, which no content refers to.
            let declared = declared.trim_start();
            let Some((name, value)) = declared.split_once(char::is_whitespace) else {
                continue;
            };
            let value = value.trim_start();
            let quoted = ['"', '\'']
                .into_iter()
                .find_map(|quote| value.strip_prefix(quote)?.split_once(quote));
            let value = match quoted {
                Some((value, behind)) => {
                    rest = behind;
                    Some(with_characters(value)?)
                }
                None => None,
            };
            // Of two declarations the first one counts.
            self.0.entry(name.to_owned()).or_insert(value);
        }
        Ok(())
    }

    /// Text with its references resolved.
    fn resolve(&self, text: &str) -> Result<String, String> {
        let mut resolved = String::with_capacity(text.len());
        let mut left = MOST_REFERENCES;
        self.add(text, &mut left, &mut resolved)?;
        Ok(resolved)
    }

    fn add(&self, text: &str, left: &mut usize, resolved: &mut String) -> Result<(), String> {
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('&') {
            resolved.push_str(before);
            let (name, behind) = behind
                .split_once(';')
                .ok_or("an `&` without a `;` behind it")?;
            rest = behind;
            *left = left.saturating_sub(1);
            if *left == 0 || resolved.len() > LONGEST {
                return Err(format!("`&{name};` leads to too many references"));
            }
            if let Some(number) = name.strip_prefix('#') {
                resolved.push(character(number)?);
            } else if let Some(sign) = resolve_predefined_entity(name) {
                resolved.push_str(sign);
            } else {
                match self.0.get(name) {
                    Some(Some(value)) => self.add(value, left, resolved)?,
                    Some(None) => {
                        return Err(format!(
                            "the entity `&{name};` is declared in another file, and only this one is read"
                        ));
                    }
                    None => {
                        return Err(format!(
                            "the entity `&{name};` is not declared in this file"
                        ));
                    }
                }
            }
        }
        resolved.push_str(rest);
        Ok(())
    }
}

/// The value of an entity as it is kept: characters that are given by number are put in when it is declared, other references
/// when it is used.
fn with_characters(value: &str) -> Result<String, String> {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, behind)) = rest.split_once("&#") {
        let (number, behind) = behind
            .split_once(';')
            .ok_or("an `&` without a `;` behind it")?;
        text.push_str(before);
        text.push(character(number)?);
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}

/// The character of a reference such as `&#60;` or `&#x3C;`, of which `number` is what stands behind `#`.
fn character(number: &str) -> Result<char, String> {
    let found = BytesRef::new(format!("#{number}")).resolve_char_ref();
    found
        .ok()
        .flatten()
        .ok_or_else(|| format!("`&#{number};` is no character"))
}

impl AlignmentFile {
    /// Reads an alignment in RDF/XML as the Alignment API writes it: `Cell` with `entity1`, `entity2` and `relation`.
    pub fn read(text: &str) -> Result<Self, AlignmentError> {
        let mut reader = Reader::from_str(text);
        // `<relation/>` begins and ends like any other.
        reader.config_mut().expand_empty_elements = true;
        let mut file = Self::default();
        let mut entities = Entities::default();
        let mut cell: Option<Cell> = None;
        let mut in_relation = false;
        let mut seen = false;
        loop {
            let position = reader.buffer_position();
            let event = reader
                .read_event()
                .map_err(|error| at(text, reader.error_position(), error.to_string()))?;
            let wrong = |message: String| at(text, position, message);
            match event {
                Event::Eof => break,
                Event::DocType(found) => {
                    entities.declare(&found.into_inner()).map_err(wrong)?;
                }
                Event::Start(tag) => {
                    let name = tag.local_name();
                    match (name.as_ref(), &mut cell) {
                        ("Cell", None) => {
                            cell = Some(Cell {
                                start: position,
                                ..Cell::default()
                            });
                        }
                        ("entity1", Some(cell)) => {
                            cell.entities[0] = resource(&tag, &entities).map_err(wrong)?;
                        }
                        ("entity2", Some(cell)) => {
                            cell.entities[1] = resource(&tag, &entities).map_err(wrong)?;
                        }
                        ("relation", Some(_)) => in_relation = true,
                        _ => {}
                    }
                }
                Event::Text(found) => {
                    if let (true, Some(cell)) = (in_relation, &mut cell) {
                        cell.relation.push_str(&found.xml10_content());
                    }
                }
                Event::CData(found) => {
                    if let (true, Some(cell)) = (in_relation, &mut cell) {
                        cell.relation.push_str(&found.xml10_content());
                    }
                }
                Event::GeneralRef(found) => {
                    if let (true, Some(cell)) = (in_relation, &mut cell) {
                        let reference = format!("&{};", found.into_inner());
                        let resolved = entities.resolve(&reference).map_err(wrong)?;
                        cell.relation.push_str(&resolved);
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
        let written = cell.relation.trim();
        let relation = Relation::of(written).ok_or_else(|| {
            let known: Vec<&str> = RELATIONS.iter().map(|(known, _)| known.sign()).collect();
            wrong(format!(
                "the relation of this cell is `{written}`: one of {}, or its name in the Alignment API, was expected",
                known.join(", ")
            ))
        })?;
        self.cells.push(((first, second), relation));
        Ok(())
    }

    /// The cells as what a prediction is measured against, and how many of them repeat another.
    pub fn reference(&self) -> (Reference, usize) {
        let mut reference = Reference::default();
        let mut repeated = 0;
        for (pair, relation) in &self.cells {
            let set = match relation {
                Equivalent => &mut reference.equivalent,
                Subsumed(_) => &mut reference.subsumed,
                Unknown => &mut reference.unknown,
                Other(_) => continue,
            };
            if !set.insert(pair.clone()) {
                repeated += 1;
            }
        }
        (reference, repeated)
    }

    /// Every pair that is said to be the same, as often as it is.
    pub fn equivalences(&self) -> Vec<Pair> {
        let equivalent = self.cells.iter().filter(|(_, said)| *said == Equivalent);
        equivalent.map(|(pair, _)| pair.clone()).collect()
    }

    /// How many cells have each relation that `counts` says yes to, by its sign.
    pub fn count(&self, counts: impl Fn(Relation) -> bool) -> BTreeMap<&'static str, usize> {
        let mut found = BTreeMap::new();
        for (_, relation) in self.cells.iter().filter(|(_, relation)| counts(*relation)) {
            *found.entry(relation.sign()).or_default() += 1;
        }
        found
    }
}

/// The IRI that a tag refers to, without white space around it, which is none of it.
fn resource(tag: &BytesStart<'_>, entities: &Entities) -> Result<Option<String>, String> {
    let attribute = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == "resource");
    let Some(attribute) = attribute else {
        return Ok(None);
    };
    let value = entities.resolve(&attribute.value)?;
    Ok(Some(value.trim().to_owned()))
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
                cell("j", "k", "%"),
                cell("j", "k", "%"),
            ]
            .concat(),
        );
        let file = AlignmentFile::read(&text).unwrap();
        assert_eq!(
            file.reference(),
            (
                Reference {
                    equivalent: [pair("a", "b"), pair("g&h", "i")].into(),
                    subsumed: [pair("c", "d")].into(),
                    unknown: [pair("e", "f")].into(),
                },
                1
            )
        );
        assert_eq!(
            file.equivalences(),
            [pair("a", "b"), pair("a", "b"), pair("g&h", "i")]
        );
        let others = file.count(|relation| matches!(relation, Other(_)));
        assert_eq!(others, [("%", 2)].into());
    }

    #[test]
    fn a_relation_is_known_by_its_sign_its_name_and_its_class() {
        for (written, expected) in [
            ("=", Equivalent),
            ("", Equivalent),
            ("\n  = ", Equivalent),
            ("<![CDATA[=]]>", Equivalent),
            ("&#61;", Equivalent),
            ("&#x3D;", Equivalent),
            ("equivalence", Equivalent),
            ("Equivalence", Equivalent),
            ("≡", Equivalent),
            ("fr.inrialpes.exmo.align.impl.rel.EquivRelation", Equivalent),
            ("http://www.w3.org/2002/07/owl#equivalentClass", Equivalent),
            ("<![CDATA[<]]>", Subsumed("<")),
            ("&lt;", Subsumed("<")),
            ("&#60;", Subsumed("<")),
            ("&#x3C;", Subsumed("<")),
            ("&lt;=", Subsumed("<")),
            ("⊑", Subsumed("<")),
            ("SubsumedBy", Subsumed("<")),
            (
                "fr.inrialpes.exmo.align.impl.rel.SubsumedRelation",
                Subsumed("<"),
            ),
            (
                "http://www.w3.org/2000/01/rdf-schema#subClassOf",
                Subsumed("<"),
            ),
            ("&gt;", Subsumed(">")),
            ("&#x3e;", Subsumed(">")),
            ("<![CDATA[>]]>", Subsumed(">")),
            ("⊒", Subsumed(">")),
            ("Subsumes", Subsumed(">")),
            (
                "fr.inrialpes.exmo.align.impl.rel.SubsumeRelation",
                Subsumed(">"),
            ),
            ("?", Unknown),
            ("%", Other("%")),
            ("Disjoint", Other("%")),
            (
                "fr.inrialpes.exmo.align.impl.rel.IncompatRelation",
                Other("%"),
            ),
            ("~&gt;", Other("~>")),
            ("<![CDATA[~>]]>", Other("~>")),
            ("InstanceOf", Other("InstanceOf")),
            ("HasInstance", Other("HasInstance")),
            ("&sub;", Subsumed("<")),
        ] {
            let text = format!(
                "<!DOCTYPE rdf:RDF [<!ENTITY sub \"&#38;#60;\">]>\n{}",
                cells(&cell("a", "b", written))
            );
            let file = AlignmentFile::read(&text).unwrap();
            assert_eq!(file.cells, [(pair("a", "b"), expected)], "{written}");
        }
        for written in [
            "~",
            "same",
            "= =",
            "fr.inrialpes.exmo.align.impl.rel.NoRelation",
        ] {
            let error = AlignmentFile::read(&cells(&cell("a", "b", written))).unwrap_err();
            assert!(error.message.contains(&format!("`{written}`")), "{error}");
            assert_eq!((error.line, error.column), (2, 17), "{error}");
        }
    }

    #[test]
    fn an_entity_of_the_document_is_resolved_and_another_one_told() {
        let doctype = r#"<!DOCTYPE rdf:RDF [
  <!-- <!ENTITY a "http://wrong/"> -->
  <!ENTITY a "http://a.org/onto#">
  <!ENTITY a "http://later/">
  <!ENTITY b 'http://b.org/&#63;x=1&amp;'>
  <!ENTITY c "&a;c-">
  <!ENTITY % parameter "&a;">
  <!ENTITY far SYSTEM "far.ent">
]>"#;
        for (written, expected) in [
            ("&a;heart", "http://a.org/onto#heart"),
            ("  &a;heart\n ", "http://a.org/onto#heart"),
            ("&c;1", "http://a.org/onto#c-1"),
            ("&b;y", "http://b.org/?x=1&y"),
            ("http://a.org/&#x68;eart", "http://a.org/heart"),
        ] {
            let text = format!("{doctype}{}", cells(&cell(written, "b", "=")));
            let file = AlignmentFile::read(&text).unwrap();
            assert_eq!(file.cells, [(pair(expected, "b"), Equivalent)], "{written}");
        }
        for (written, expected) in [
            ("&d;heart", "`&d;` is not declared in this file"),
            ("&far;heart", "`&far;` is declared in another file"),
            ("&parameter;heart", "`&parameter;` is not declared"),
            ("&#xZ;heart", "`&#xZ;` is no character"),
        ] {
            let text = format!("{doctype}\n{}", cells(&cell(written, "b", "=")));
            let error = AlignmentFile::read(&text).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
            assert_eq!((error.line, error.column), (11, 31), "{error}");
        }
        for (first, times) in [("lol", 10), ("", 10), ("&l9;", 1)] {
            let mut doctype = format!("<!DOCTYPE r [<!ENTITY l0 \"{first}\">");
            for n in 0..20 {
                let value = format!("&l{n};").repeat(times);
                let _ = write!(doctype, "<!ENTITY l{} \"{value}\">", n + 1);
            }
            let text = format!("{doctype}]>{}", cells(&cell("&l20;", "b", "=")));
            let error = AlignmentFile::read(&text).unwrap_err();
            assert!(error.message.contains("too many references"), "{error}");
        }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let text = write(&[(pair("http://a#x&y", "http://b"), 0.5)], "a.owl", "b.owl");
        let file = AlignmentFile::read(&text).unwrap();
        assert_eq!(file.equivalences(), [pair("http://a#x&y", "http://b")]);
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
        let file = AlignmentFile::read(&text).unwrap();
        assert_eq!(file.equivalences(), [pair("a", "b")]);
    }
}
