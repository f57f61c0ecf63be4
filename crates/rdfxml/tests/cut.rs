//! Half a file is no file: wherever a document is cut before its root element ends, it is refused, with its last line.

use rdfxml::{Fault, RdfXmlParser, read};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Documents in two parts: up to where the root element ends, and what may stand behind it.
const DOCUMENTS: [(&str, &str); 8] = [
    (
        "<?xml version='1.0'?>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>\n  \
         <e:C rdf:about='http://e/\u{e9}'>\n    <e:p>a &amp; b</e:p>\n    <e:q rdf:resource='http://e/b'/>\n  </e:C>\n</rdf:RDF>",
        "\n",
    ),
    // An end tag that is none: in a comment, in CDATA, in an instruction.
    (
        "<!-- </rdf:RDF> --><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>\
         <e:C><e:p><![CDATA[</e:p></e:C></rdf:RDF>]]></e:p></e:C><!-- </rdf:RDF> --><?e </rdf:RDF>?></rdf:RDF>",
        "<!-- <rdf:RDF> -->",
    ),
    (
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>",
        "<?e <f> ?>",
    ),
    // The root is a node, and an element of its name stands inside.
    (
        "<C xmlns='http://e/'><p><C><q>\n</q></C></p></C>",
        "\n<!-- -->",
    ),
    ("<e:C xmlns:e='http://e/' e:p='a > b'/>", ""),
    // Every namespace is written with an entity.
    (
        "<!DOCTYPE r [<!ENTITY r \"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"> <!ENTITY e \"http://e/\">]>\n\
         <r:RDF xmlns:r='&r;' xmlns:e='&e;'><e:C r:about='&e;a'><e:p>a</e:p></e:C></r:RDF>",
        "",
    ),
    ("<e:C xmlns:e='http://e/?a&amp;b#'><e:p>x</e:p></e:C>", "\n"),
    (
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>\
         <e:C><e:p rdf:parseType='Literal'><b><rdf:RDF></rdf:RDF></b></e:p></e:C></rdf:RDF>",
        "",
    ),
];

fn parsed(text: &[u8]) -> Result<usize, Fault> {
    let mut triples = 0;
    for parser in [RdfXmlParser::new().lenient(), RdfXmlParser::new()] {
        triples = 0;
        read(parser, text, |_| {
            triples += 1;
            Ok::<_, Fault>(())
        })?;
    }
    Ok(triples)
}

#[test]
fn a_document_that_is_cut_anywhere_is_refused() {
    for (root, behind) in DOCUMENTS {
        let whole = format!("{root}{behind}");
        assert!(parsed(whole.as_bytes()).is_ok(), "{whole}");
        assert!(parsed(root.as_bytes()).is_ok(), "{root}");
        for end in 0..root.len() {
            let cut = &root.as_bytes()[..end];
            assert!(parsed(cut).is_err(), "{}", String::from_utf8_lossy(cut));
        }
    }
}

#[test]
fn the_place_is_the_end_and_the_name_that_of_the_open_element() {
    let root =
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>";
    for (text, place, message) in [
        (
            String::new(),
            (1, 1),
            "the file ends before its first element",
        ),
        (
            "<?xml version='1.0'?>\n<!-- <a> -->".to_owned(),
            (2, 13),
            "the file ends before its first element",
        ),
        (
            root.to_owned(),
            (1, 86),
            "the file ends before `</rdf:RDF>`",
        ),
        (
            format!("{root}\n<e:C>\n  <e:p>\u{e9}\n\n"),
            (3, 9),
            "the file ends before `</e:p>`",
        ),
        (
            format!("{root}\n<e:C/>\n<e:D\n></e:D>\n"),
            (4, 8),
            "the file ends before `</rdf:RDF>`",
        ),
        (
            format!("{root}\n<e:C\n e:p='>'>"),
            (3, 10),
            "the file ends before `</e:C>`",
        ),
    ] {
        let fault = parsed(text.as_bytes()).err();
        let found = fault
            .as_ref()
            .map(|fault| ((fault.line, fault.column), &*fault.message));
        assert_eq!(found, Some((place, message)), "{text}");
        assert!(fault.is_some_and(|fault| fault.is_cut_short), "{text}");
    }
}
