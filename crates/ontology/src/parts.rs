//! A file in parts, which whoever has threads can read side by side.

use crate::statements::Statements;
use crate::syntax::Syntax;
use crate::{obo, rdf};

/// A part of a file: see [`OntologyReader::in_parts`](crate::OntologyReader::in_parts).
pub struct Part<'a>(Kind<'a>);

enum Kind<'a> {
    Rdf(rdf::Part<'a>),
    Obo(obo::Part<'a>),
}

/// What a part says, before it is joined with the others.
pub struct Draft(Option<Statements>);

impl Part<'_> {
    /// Reads the part. A fault is told when the whole file is read, with its place there.
    pub fn read(&self) -> Draft {
        Draft(match &self.0 {
            Kind::Rdf(part) => part.read().ok(),
            Kind::Obo(part) => Some(part.read()),
        })
    }
}

/// Cuts a text into at most `most` parts; none where its syntax cannot be read in parts.
pub(crate) fn parts<'a>(
    text: &'a [u8],
    syntax: Syntax,
    base: &'a str,
    most: usize,
) -> Vec<Part<'a>> {
    let of_rdf = rdf::parts(text, syntax, base, most).into_iter();
    let mut parts: Vec<Part<'a>> = of_rdf.map(|part| Part(Kind::Rdf(part))).collect();
    if syntax == Syntax::Obo {
        let of_obo = obo::parts(text, most).into_iter();
        parts.extend(of_obo.map(|part| Part(Kind::Obo(part))));
    }
    parts
}

/// All parts of a file as one; `None` where one of them could not be read.
pub(crate) fn joined(drafts: Vec<Draft>) -> Option<Statements> {
    let mut drafts = drafts.into_iter();
    let mut all = drafts.next()?.0?;
    for draft in drafts {
        all.append(draft.0?);
    }
    Some(all)
}

/// Cuts a text into at most `most` pieces of about the same length, each of which begins behind a place that is found in
/// what it is given.
pub(crate) fn cut(text: &[u8], most: usize, behind: impl Fn(&[u8]) -> Option<usize>) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let left = most.saturating_sub(pieces.len()).max(1);
        let least = if left == 1 {
            rest.len()
        } else {
            rest.len() / left
        };
        let found = rest.get(least..).and_then(&behind);
        let end = found.map_or(rest.len(), |found| least + found + 1);
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::reader::read_text;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::fmt::Write as _;

    const BASE: &str = "file:///o";

    /// What a text says, read in that many parts at most. Blank nodes without a name are named by their order.
    fn in_parts(text: &str, syntax: Syntax, most: usize) -> (usize, Option<String>) {
        let parts = parts(text.as_bytes(), syntax, BASE, most);
        let statements = joined(parts.iter().map(Part::read).collect());
        (parts.len(), statements.map(|statements| plain(&statements)))
    }

    fn whole(text: &str, syntax: Syntax) -> Option<String> {
        let read = read_text(text.as_bytes(), syntax, BASE, 0, Statements::default());
        read.ok().map(|statements| plain(&statements))
    }

    fn plain(statements: &Statements) -> String {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let told = format!("{statements:?}");
        let mut plain = String::new();
        for word in told.split_inclusive('"') {
            match word.strip_prefix("_:") {
                Some(blank) => {
                    let next = names.len();
                    let number = names.entry(blank.to_owned()).or_insert(next);
                    let _ = write!(plain, "_:{number}\"");
                }
                None => plain.push_str(word),
            }
        }
        plain
    }

    const OBO: &str = "format-version: 1.2
ontology: x
idspace: ZZ http://e/zz#
import: http://e/other.owl

[Term]
id: X:1
name: one \\
[Term]
def: \"a \\
definition\" []
union_of: X:2
union_of: ZZ:3

[Term]
id: X:2
is_a: X:1 {gci_relation=\"part_of\", gci_filler=\"X:1\"}
relationship: part_of X:1 {cardinality=\"2\"}
relationship: part_of X:1
synonym: \"zwei
intersection_of: X:1
intersection_of: part_of ZZ:3
[Term]
name: no identifier
[Unknown]
id: X:9
[Term]
id: ZZ:3
is_obsolete: true
intersection_of: X:1
intersection_of: part_of X:2
nonsense

[Broken
id: X:8

[Instance]
id: X:7
[Typedef]
id: part_of
xref: BFO:0000050
is_transitive: true
is_functional: true
holds_over_chain: part_of overlaps
disjoint_from: overlaps
[Typedef]
id: overlaps
is_metadata_tag: true
";

    const XML: &str = "<?xml version='1.0'?>
<!DOCTYPE rdf:RDF [<!ENTITY e \"http://e/\">]>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:rdfs='http://www.w3.org/2000/01/rdf-schema#'
    xmlns:owl='http://www.w3.org/2002/07/owl#' xml:base='http://e/base' xml:lang='de'>
<owl:Ontology rdf:about='&e;o'><owl:versionIRI rdf:resource='&e;v'/><owl:imports rdf:resource='&e;i'/></owl:Ontology>
<owl:Class rdf:about='&e;A'><rdfs:label>Ä</rdfs:label>
  <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource='#p'/><owl:someValuesFrom rdf:nodeID='b'/></owl:Restriction></rdfs:subClassOf>
</owl:Class><!-- </rdf:RDF> -->
<owl:Class rdf:nodeID='b'><owl:intersectionOf rdf:parseType='Collection'><owl:Class rdf:about='B'/><owl:Class rdf:about='C'/></owl:intersectionOf></owl:Class>
<owl:Class rdf:about='B'><rdfs:label xml:lang='en'><![CDATA[</owl:Class>]]></rdfs:label><owl:deprecated>true</owl:deprecated></owl:Class>
<owl:AllDisjointClasses><owl:members rdf:parseType='Collection'><owl:Class rdf:about='A'/><owl:Class rdf:about='B'/></owl:members></owl:AllDisjointClasses>
<owl:ObjectProperty rdf:ID='p'><rdfs:unheard-of/></owl:ObjectProperty>
<owl:Ontology rdf:about='&e;another'/>
</rdf:RDF>
";

    const LINES: &str = "_:a <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .
<http://e/A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> _:a .
<http://e/A> <http://www.w3.org/2000/01/rdf-schema#label> \"a\\nb\"@en .
# a comment
<http://e/A> <http://e/unheard-of> \"x\" .
";

    #[test]
    fn the_parts_of_a_file_say_what_it_says() {
        for (text, syntax, parts) in [
            (OBO, Syntax::Obo, 10),
            (XML, Syntax::RdfXml, 8),
            (LINES, Syntax::NTriples, 5),
            (LINES, Syntax::NQuads, 5),
            ("", Syntax::NQuads, 0),
        ] {
            let expected = whole(text, syntax);
            assert!(expected.is_some(), "{syntax}");
            let mut seen = 0;
            for most in 1..64 {
                let (count, said) = in_parts(text, syntax, most);
                assert!(count <= most, "{syntax}: {count} of at most {most}");
                if count > 0 {
                    assert_eq!(
                        said, expected,
                        "{syntax} in {count} parts of at most {most}"
                    );
                }
                seen = seen.max(count);
            }
            assert_eq!(seen, parts, "{syntax}");
        }
    }

    #[test]
    fn a_fault_is_one_of_a_part() {
        for (text, syntax) in [
            (XML.replace("</rdf:RDF>", ""), Syntax::RdfXml),
            (XML.replace("rdf:ID='p'", "rdf:ID='p q'"), Syntax::RdfXml),
            (format!("{LINES}<a"), Syntax::NTriples),
        ] {
            assert_eq!(whole(&text, syntax), None);
            for most in 2..9 {
                let (count, said) = in_parts(&text, syntax, most);
                assert!(count > 1);
                assert_eq!(said, None, "{syntax} in {count} parts");
            }
        }
    }

    proptest! {
        /// Lines in any order, ended in any way.
        #[test]
        fn any_obo_in_parts(
            lines in proptest::collection::vec((0..OBO.lines().count(), 0..5_usize), 0..60),
            most in 1..12_usize,
        ) {
            let known: Vec<&str> = OBO.lines().collect();
            let ends = ["\n", "\n", "\r\n", "\r", "\\\n"];
            let lines = lines.into_iter().flat_map(|(at, end)| [known[at], ends[end]]);
            let text: String = lines.collect();
            let (count, said) = in_parts(&text, Syntax::Obo, most);
            if count > 0 {
                prop_assert_eq!(said, whole(&text, Syntax::Obo));
            }
        }
    }
}
