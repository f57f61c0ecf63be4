//! RDF/XML to triples, with the place of what is wrong; a text that ends before its root element does is refused.
//!
//! The parser underneath takes the end of a text for the end of the document, so that half a file would pass for a small
//! one.

#![doc(test(attr(deny(warnings))))]

mod document;
mod pieces;

use document::End;
use oxrdf::Triple;
pub use oxrdfxml::RdfXmlParser;
pub use pieces::{Piece, pieces};
use thiserror::Error;

/// A text that is no RDF/XML, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
pub struct Fault {
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
    /// What is wrong.
    pub message: String,
    /// Whether all of it is right but for its end.
    pub is_cut_short: bool,
}

/// Gives each triple of a text to `each`, in the text's order.
///
/// ```
/// use rdfxml::{Fault, RdfXmlParser, read};
///
/// let text = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Bag rdf:about='http://e/a'/>";
/// let mut triples = 0;
/// let mut count = |_: &_| { triples += 1; Ok::<_, Fault>(()) };
/// assert!(read(RdfXmlParser::new(), format!("{text}</rdf:RDF>").as_bytes(), &mut count).is_ok());
/// let fault = read(RdfXmlParser::new(), text.as_bytes(), &mut count).unwrap_err();
/// assert_eq!((fault.line, fault.column), (1, 99));
/// assert_eq!(fault.message, "the file ends before `</rdf:RDF>`");
/// assert_eq!(triples, 2);
/// ```
pub fn read<E: From<Fault>>(
    parser: RdfXmlParser,
    text: &[u8],
    mut each: impl FnMut(&Triple) -> Result<(), E>,
) -> Result<(), E> {
    let mut parser = parser.for_slice(text);
    while let Some(triple) = parser.next() {
        let triple = triple.map_err(|error| {
            let offset = usize::try_from(parser.buffer_position()).unwrap_or(usize::MAX);
            fault(text, offset, error.to_string(), false)
        })?;
        each(&triple)?;
    }
    let end = text.trim_ascii_end().len();
    let Some(root) = document::root_tag(text) else {
        let message = "the file ends before its first element".to_owned();
        return Err(fault(text, end, message, true).into());
    };
    // An element that is open keeps the namespaces of the root in scope, which declares the one of its own name. The
    // parser does not show those that are written with entities; only then is the text gone through again.
    let may_be_open = parser.prefixes().next().is_some() || root.contains(&b'&');
    if may_be_open && let End::Open(name) = document::end(text) {
        let message = format!(
            "the file ends before `</{}>`",
            String::from_utf8_lossy(name)
        );
        return Err(fault(text, end, message, true).into());
    }
    Ok(())
}

fn fault(text: &[u8], offset: usize, message: String, is_cut_short: bool) -> Fault {
    let (line, column) = position(text, offset);
    Fault {
        line,
        column,
        message,
        is_cut_short,
    }
}

/// The 1-based line and column, in characters, of a byte.
fn position(bytes: &[u8], offset: usize) -> (u64, u64) {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let line = before.split(|byte| *byte == b'\n').count();
    let in_line = before.get(line_start..).unwrap_or_default();
    // Bytes that continue a character begin with the bits 10.
    let column = in_line.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    (line as u64, column as u64 + 1)
}
