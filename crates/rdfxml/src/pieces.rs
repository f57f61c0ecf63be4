//! A document as several, which can be parsed side by side.

use crate::document;
use oxrdf::vocab::rdf;
use quick_xml::events::Event;
use quick_xml::name::{Namespace, ResolveResult};
use quick_xml::reader::NsReader;
use std::borrow::Cow;

/// One of the documents that a text is cut into by [`pieces`].
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// What stands before the first child of the root.
    head: &'a [u8],
    children: &'a [u8],
    /// Name of the root, where its end tag is left to be written.
    open: Option<&'a [u8]>,
}

impl<'a> Piece<'a> {
    /// The document; a copy, unless it is the whole text.
    pub fn text(&self) -> Cow<'a, [u8]> {
        if self.head.is_empty() && self.open.is_none() {
            return self.children.into();
        }
        let mut text = Vec::with_capacity(self.head.len() + self.children.len() + 64);
        text.extend_from_slice(self.head);
        text.extend_from_slice(self.children);
        if let Some(name) = self.open {
            text.extend_from_slice(b"</");
            text.extend_from_slice(name);
            text.push(b'>');
        }
        text.into()
    }
}

/// Cuts a text into at most `count` documents of about the same length. One after the other they have the triples of the
/// text, in its order, and each is parsed without a fault if and only if the text is: where one is not, the text itself
/// says what is wrong and where. Blank nodes with a name are the same in all of them.
///
/// That holds for parsers that are [lenient](oxrdfxml::RdfXmlParser::lenient): the others want each `rdf:ID` to be new. A
/// text whose root element is not plainly `rdf:RDF` stays whole.
///
/// ```
/// use rdfxml::{Fault, RdfXmlParser, pieces, read};
///
/// let text = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
///     <rdf:Bag rdf:about='http://e/a'/>
///     <rdf:Bag rdf:about='http://e/b'/>
/// </rdf:RDF>";
/// let mut subjects = Vec::new();
/// let pieces = pieces(text.as_bytes(), 2);
/// for piece in &pieces {
///     read(RdfXmlParser::new().lenient(), &piece.text(), |triple| {
///         subjects.push(triple.subject.to_string());
///         Ok::<_, Fault>(())
///     })?;
/// }
/// assert_eq!(pieces.len(), 2);
/// assert_eq!(subjects, ["<http://e/a>", "<http://e/b>"]);
/// # Ok::<(), Fault>(())
/// ```
pub fn pieces(text: &[u8], count: usize) -> Vec<Piece<'_>> {
    // The reader passes over the mark of the byte order without counting it: its places would be three bytes off.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let whole = Piece {
        head: &[],
        children: text,
        open: None,
    };
    let Some((name, start)) = (count > 1).then(|| root(text)).flatten() else {
        return vec![whole];
    };
    let length = text.len() - start;
    let wanted: Vec<usize> = (1..count).map(|at| start + length / count * at).collect();
    let mut cuts = document::between_children(text, start, &wanted);
    cuts.push(text.len());
    let (head, _) = text.split_at(start);
    let mut pieces = Vec::with_capacity(cuts.len());
    let mut from = 0;
    for to in cuts {
        pieces.push(Piece {
            head: if from == 0 { &[] } else { head },
            children: text.get(from..to).unwrap_or_default(),
            open: (to < text.len()).then_some(name),
        });
        from = to;
    }
    pieces
}

/// The name of the root element as it is written, and where its start tag ends; `None` where it is another than `rdf:RDF`.
fn root(text: &[u8]) -> Option<(&[u8], usize)> {
    let mut reader = NsReader::from_reader(text);
    let inner = loop {
        match reader.read_resolved_event().ok()? {
            (ResolveResult::Bound(Namespace(space)), Event::Start(tag)) => {
                let is_rdf = tag.local_name().as_ref() == "RDF";
                let known = rdf::TYPE.as_str().strip_suffix("type")?;
                break (is_rdf && space == known).then(|| tag.name().as_ref().len())?;
            }
            (_, Event::Start(_) | Event::Empty(_) | Event::Eof) => return None,
            _ => {}
        }
    };
    let end = usize::try_from(reader.buffer_position()).ok()?;
    let tag = document::root_tag(text)?;
    Some((tag.get(..inner)?, end))
}
