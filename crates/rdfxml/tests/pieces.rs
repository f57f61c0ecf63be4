//! Documents that one is cut into have its triples, and are refused where it is.

use rdfxml::{Fault, RdfXmlParser, pieces, read};
use std::collections::BTreeMap;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const RDF: &str = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'";

type Told = Result<Vec<String>, Fault>;

/// The triples of some documents, one after the other, with blank nodes named by their order.
fn triples<'t>(texts: impl IntoIterator<Item = std::borrow::Cow<'t, [u8]>>) -> Told {
    let mut triples = Vec::new();
    let mut blank: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts {
        read(RdfXmlParser::new().lenient(), &text, |triple| {
            let mut words = Vec::new();
            for word in triple.to_string().split(' ') {
                if word.starts_with("_:") {
                    let next = blank.len();
                    let number = blank.entry(word.to_owned()).or_insert(next);
                    words.push(format!("_:{number}"));
                } else {
                    words.push(word.to_owned());
                }
            }
            triples.push(words.join(" "));
            Ok::<_, Fault>(())
        })?;
    }
    Ok(triples)
}

/// What is told of a text whole, and cut into `count` pieces at most; and how many there are.
fn both(text: &str, count: usize) -> (Told, Told, usize) {
    let pieces = pieces(text.as_bytes(), count);
    let cut = triples(pieces.iter().map(rdfxml::Piece::text));
    (triples([text.as_bytes().into()]), cut, pieces.len())
}

#[test]
fn pieces_have_the_triples_of_the_whole() {
    let doctype = "<!DOCTYPE r [<!ENTITY a 'x > y'> <!ENTITY n \"http://e/n\">]>";
    for (name, text, most) in [
        ("nodes", format!("<rdf:RDF {RDF}><e:A/><e:B><e:p>x</e:p></e:B>\n<e:C rdf:about='http://e/c'/></rdf:RDF>"), 4),
        ("an entity", format!("{}<rdf:RDF {RDF}><e:A rdf:about='&n;'/><e:B rdf:about='&n;'/></rdf:RDF>", doctype.replace("'x > y'", "\"x\"")), 3),
        ("comments, CDATA, instructions", format!("<rdf:RDF {RDF}><!-- <e:A> --><e:A><e:p><![CDATA[</e:A>]]></e:p></e:A><? </e:A> ?><e:B/></rdf:RDF><!-- </e:A> -->"), 3),
        ("quotes", format!("<rdf:RDF {RDF}><e:A e:p='a > \"b'/><e:B e:p=\"</e:B> '\"/></rdf:RDF>"), 3),
        ("literals", format!("<rdf:RDF {RDF}><e:A><e:p rdf:parseType='Literal'><rdf:RDF><e:A/></rdf:RDF></e:p></e:A><e:B/></rdf:RDF>"), 3),
        ("a base and a language", format!("<rdf:RDF {RDF} xml:base='http://b/' xml:lang='en'><e:A rdf:about='a'/><e:B rdf:ID='b'><e:p>x</e:p></e:B></rdf:RDF>"), 3),
        ("blank nodes", format!("<rdf:RDF {RDF}><e:A rdf:nodeID='a'/><e:B><e:p rdf:nodeID='a'/></e:B></rdf:RDF>"), 3),
        ("a byte order mark", "\u{FEFF}<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Bag/><r:Bag/></r:RDF>".to_owned(), 3),
        ("another prefix", "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Bag/><r:Bag/></r:RDF>".to_owned(), 3),
        ("no prefix", "<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><Bag/><Bag/></RDF>".to_owned(), 3),
        ("no child", format!("<rdf:RDF {RDF}></rdf:RDF>"), 1),
        ("an empty element", format!("<rdf:RDF {RDF}/>"), 1),
        ("a node as the root", "<e:A xmlns:e='http://e/'><e:p>x</e:p><e:q>y</e:q></e:A>".to_owned(), 1),
        ("another RDF", "<e:RDF xmlns:e='http://e/'><e:p>x</e:p><e:q>y</e:q></e:RDF>".to_owned(), 1),
        ("a namespace by an entity", "<!DOCTYPE r [<!ENTITY r \"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">]><r:RDF xmlns:r='&r;'><r:Bag/><r:Bag/></r:RDF>".to_owned(), 1),
        ("a declaration inside", format!("<rdf:RDF {RDF}><e:A/><!DOCTYPE r [<!ENTITY n \"http://e/n\">]><e:A rdf:about='&n;'/></rdf:RDF>"), 2),
    ] {
        let mut seen = 0;
        for count in 1..200 {
            let (whole, cut, pieces) = both(&text, count);
            assert!(whole.is_ok(), "{name}: {whole:?}");
            assert_eq!(cut, whole, "{name} in {pieces} pieces");
            assert!(pieces <= count, "{name}");
            seen = seen.max(pieces);
        }
        assert_eq!(seen, most, "{name}");
    }
}

#[test]
fn a_fault_of_the_whole_is_one_of_a_piece() {
    for text in [
        format!("<rdf:RDF {RDF}><e:A/><e:B/>"),
        format!("<rdf:RDF {RDF}><e:A/><e:B></rdf:RDF>"),
        format!("<rdf:RDF {RDF}><e:A/></e:A><e:B/></rdf:RDF>"),
        format!("<rdf:RDF {RDF}><e:A/><!-- <e:B/></rdf:RDF>"),
        format!("<rdf:RDF {RDF}><e:A/><e:B e:p='a></rdf:RDF>"),
        format!("<rdf:RDF {RDF}><e:A/><e:B rdf:ID=' '/></rdf:RDF>"),
        format!("<rdf:RDF {RDF}><e:A/><e:B>&no;</e:B></rdf:RDF>"),
        format!("<rdf:RDF {RDF}><e:A/>text<e:B/></rdf:RDF>"),
        String::new(),
    ] {
        for count in 1..200 {
            let (whole, cut, pieces) = both(&text, count);
            assert_eq!(whole.is_err(), cut.is_err(), "{text} in {pieces} pieces");
            assert!(whole.is_err(), "{text}");
        }
    }
}
