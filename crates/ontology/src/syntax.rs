//! In which syntax a file is.

use crate::error::ReadErrorKind;
use oxrdf::GraphName;
use oxttl::NQuadsParser;
use serde::Serialize;
use std::fmt;

/// A syntax that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Syntax {
    /// RDF 1.1 XML Syntax: `.owl`, `.rdf`, `.xml`
    RdfXml,
    /// Turtle: `.ttl`
    Turtle,
    /// N-Triples: `.nt`
    NTriples,
    /// N-Quads: `.nq`
    NQuads,
    /// RDF 1.1 `TriG`: `.trig`
    TriG,
    /// OBO Flat File Format 1.4: `.obo`
    Obo,
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RdfXml => "RDF/XML",
            Self::Turtle => "Turtle",
            Self::NTriples => "N-Triples",
            Self::NQuads => "N-Quads",
            Self::TriG => "TriG",
            Self::Obo => "OBO",
        })
    }
}

impl Syntax {
    /// The syntax of a file by its name and, since `.owl`, `.rdf` and `.xml` are used for several, its first characters.
    ///
    /// ```
    /// use ontology::Syntax;
    ///
    /// assert_eq!(Syntax::of("hp.obo.gz", b""), Ok(Syntax::Obo));
    /// assert_eq!(Syntax::of("go.owl", b"<?xml version='1.0'?><rdf:RDF/>"), Ok(Syntax::RdfXml));
    /// assert_eq!(Syntax::of("go.owl", b"@prefix owl: <http://www.w3.org/2002/07/owl#> ."), Ok(Syntax::Turtle));
    /// assert!(Syntax::of("go.owl", b"Prefix(:=<http://e/>)").is_err());
    /// ```
    pub fn of(file: &str, text: &[u8]) -> Result<Self, ReadErrorKind> {
        let name = file.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending {
            "obo" => Ok(Self::Obo),
            "ttl" | "turtle" | "n3" => Ok(Self::Turtle),
            "nt" => Ok(Self::NTriples),
            "nq" => Ok(Self::NQuads),
            "trig" => Ok(Self::TriG),
            "owl" | "rdf" | "xml" | "rdfs" => Self::by_content(text, Some(Self::Turtle)),
            "ofn" | "omn" | "owx" | "jsonld" | "json" => Err(ReadErrorKind::OtherSyntax {
                syntax: match ending {
                    "ofn" => FUNCTIONAL,
                    "omn" => MANCHESTER,
                    "owx" => OWL_XML,
                    _ => JSON,
                },
            }),
            _ => Self::by_content(text, None),
        }
    }

    fn by_content(text: &[u8], otherwise: Option<Self>) -> Result<Self, ReadErrorKind> {
        const LOOK: usize = 4096;
        let start = without_comments(text);
        let start = start.get(..LOOK).unwrap_or(start);
        let start = String::from_utf8_lossy(start);
        let start = &*start;
        let other = |syntax| Err(ReadErrorKind::OtherSyntax { syntax });
        if start.starts_with("Prefix(") || start.starts_with("Ontology(") {
            other(FUNCTIONAL)
        } else if start.starts_with("Prefix:") || start.starts_with("Ontology:") {
            other(MANCHESTER)
        } else if is_obo(start) {
            Ok(Self::Obo)
        } else if is_json(start) {
            other(JSON)
        } else if let Some(inside) = start.strip_prefix('<') {
            if is_iri(inside) {
                Ok(otherwise.unwrap_or_else(|| Self::of_statement(start)))
            } else if start.contains("<Ontology") && !start.contains("RDF") {
                other(OWL_XML)
            } else if inside.starts_with(['?', '!']) || start.contains("<rdf:RDF") {
                Ok(Self::RdfXml)
            } else {
                // With such an ending, an element that is a node.
                let node = otherwise.map(|_| Self::RdfXml);
                node.ok_or(ReadErrorKind::UnknownSyntax)
            }
        } else if is_directive(start) || opens_node(start) {
            Ok(Self::Turtle)
        } else if start.starts_with('{') {
            Ok(Self::TriG)
        } else if start.starts_with("_:") {
            Ok(otherwise.unwrap_or_else(|| Self::of_statement(start)))
        } else {
            otherwise.ok_or(ReadErrorKind::UnknownSyntax)
        }
    }

    /// By the first line, where it is a statement: of N-Quads if it names a graph. All of N-Triples is Turtle too.
    fn of_statement(start: &str) -> Self {
        let line = start.lines().next().unwrap_or_default();
        let first = NQuadsParser::new().lenient().for_slice(line).next();
        match first {
            Some(Ok(quad)) if quad.graph_name != GraphName::DefaultGraph => Self::NQuads,
            _ => Self::Turtle,
        }
    }
}

const FUNCTIONAL: &str = "OWL functional syntax";
const MANCHESTER: &str = "OWL Manchester syntax";
const OWL_XML: &str = "OWL/XML";
const JSON: &str = "JSON";

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// What stands behind white space and comments: lines that begin with `#` in the syntaxes of RDF and OWL, with `!` in OBO.
fn without_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        text = text.trim_ascii_start();
        if !text.starts_with(b"#") && !text.starts_with(b"!") {
            return text;
        }
        let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        text = text.get(end.unwrap_or(text.len())..).unwrap_or_default();
    }
}

/// A header that gives the format's version, or a stanza first of all.
fn is_obo(start: &str) -> bool {
    let is_tag = |c: char| c.is_ascii_lowercase() || c == '-';
    let has_header = start
        .split_once(':')
        .is_some_and(|(tag, _)| tag.chars().all(is_tag));
    let mut lines = start.lines();
    let stanzas = ["[Term]", "[Typedef]", "[Instance]"];
    stanzas.iter().any(|stanza| start.starts_with(stanza))
        || has_header && lines.any(|line| line.starts_with("format-version:"))
}

/// What opens and then goes on as only JSON does: in Turtle a predicate follows on `[`, or `]` and then one.
fn is_json(start: &str) -> bool {
    if let Some(inside) = start.strip_prefix('[') {
        let inside = inside.trim_start();
        inside.is_empty()
            || inside.starts_with(['{', '[', '"', '-'])
            || inside.starts_with(|c: char| c.is_ascii_digit())
            || inside
                .strip_prefix(']')
                .is_some_and(|behind| behind.trim().is_empty())
    } else if let Some(inside) = start.strip_prefix('{') {
        let inside = inside.trim_start();
        inside.is_empty() || inside.starts_with(['"', '}'])
    } else {
        false
    }
}

/// Whether `<` begins an IRI and no tag: the name of an element begins with a letter, and has no `//` in it; one with a
/// prefix declares that in an attribute, so that no bracket is next to it.
fn is_iri(inside: &str) -> bool {
    let word = first_word(inside);
    inside.starts_with(['#', '/', '>'])
        || word.contains("//")
        || word.ends_with('>') && !word.ends_with("/>") && word.contains(':')
}

/// A node of Turtle without a name: a predicate follows, or `]` and then one.
fn opens_node(start: &str) -> bool {
    start.strip_prefix('[').is_some_and(|inside| {
        let word = first_word(inside);
        word == "a" || word.starts_with([']', '<']) || word.contains(':')
    })
}

/// `@prefix`, `@base`, or how SPARQL writes them, in whatever case.
fn is_directive(start: &str) -> bool {
    let word = first_word(start);
    let word = word.strip_prefix('@').unwrap_or(word);
    word.eq_ignore_ascii_case("prefix")
        || word.eq_ignore_ascii_case("base")
        || start.starts_with("@base<")
}
