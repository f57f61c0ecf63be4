//! In which syntax a file is.

use crate::error::ReadErrorKind;
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
        let start = text.get(..LOOK).unwrap_or(text);
        let start = String::from_utf8_lossy(start);
        let start = start.trim_start_matches('\u{feff}').trim_start();
        let other = |syntax| Err(ReadErrorKind::OtherSyntax { syntax });
        if start.starts_with("Prefix(") || start.starts_with("Ontology(") {
            other(FUNCTIONAL)
        } else if start.starts_with("Prefix:") || start.starts_with("Ontology:") {
            other(MANCHESTER)
        } else if start.starts_with(['{', '[']) {
            other(JSON)
        } else if start.starts_with("format-version:") {
            Ok(Self::Obo)
        } else if start.contains("<Ontology") && !start.contains("RDF") {
            other(OWL_XML)
        } else if start.starts_with("<?xml")
            || start.starts_with("<!")
            || start.contains("<rdf:RDF")
        {
            Ok(Self::RdfXml)
        } else if start.starts_with("@prefix") || start.starts_with("@base") {
            Ok(Self::Turtle)
        } else {
            match otherwise {
                // `<http://e/a>` is an IRI of Turtle; an element of XML has no `//` in its name.
                Some(_) if start.starts_with('<') && !first_word(start).contains("//") => {
                    Ok(Self::RdfXml)
                }
                Some(syntax) => Ok(syntax),
                None => Err(ReadErrorKind::UnknownSyntax),
            }
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
