//! The tags of an XML document and nothing else of it: which element is open at its end, and where it can be cut.

use memchr::{memchr, memchr3, memmem};

/// How a document ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End<'a> {
    /// Every element is closed.
    Whole,
    /// The innermost element that is not, by its name as written.
    Open(&'a [u8]),
}

/// The start tag of the first element, without its brackets.
pub(crate) fn root_tag(text: &[u8]) -> Option<&[u8]> {
    let mut tags = Tags { text, at: 0 };
    tags.find_map(|tag| match tag {
        Tag::Start { inner, .. } => Some(inner),
        Tag::End | Tag::Declaration => None,
    })
}

/// How a document ends whose tags match.
pub(crate) fn end(text: &[u8]) -> End<'_> {
    let mut open = Vec::new();
    for tag in (Tags { text, at: 0 }) {
        match tag {
            Tag::Start { inner, is_empty } => {
                if !is_empty {
                    let name = inner.split(u8::is_ascii_whitespace).next();
                    open.push(name.unwrap_or(inner));
                }
            }
            Tag::End => {
                open.pop();
            }
            Tag::Declaration => {}
        }
    }
    open.pop().map_or(End::Whole, End::Open)
}

/// Places between the children of an element that begins before `start`: the first one behind each of `wanted`, which are
/// sorted. None where something is declared before the last of them, because what stands behind it may depend on that.
pub(crate) fn between_children(text: &[u8], start: usize, wanted: &[usize]) -> Vec<usize> {
    let mut places = Vec::with_capacity(wanted.len());
    let mut wanted = wanted.iter().peekable();
    let mut depth = 0_usize;
    let mut tags = Tags { text, at: start };
    while let (Some(next), Some(tag)) = (wanted.peek(), tags.next()) {
        match tag {
            Tag::Start { is_empty: true, .. } => {}
            Tag::Start { .. } => depth += 1,
            Tag::End => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => break,
            },
            Tag::Declaration => return Vec::new(),
        }
        if depth == 0 && tags.at >= **next {
            places.push(tags.at);
            while wanted.next_if(|next| **next <= tags.at).is_some() {}
        }
    }
    places
}

/// A tag; what stands between the brackets of a start tag, the slash of an empty element left out.
enum Tag<'a> {
    Start {
        inner: &'a [u8],
        is_empty: bool,
    },
    End,
    /// Of entities, say; no tag, but more than text.
    Declaration,
}

/// The tags of a text, in its order.
struct Tags<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tags<'a> {
    /// Goes behind the next of these.
    fn skip(&mut self, mark: &[u8]) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let found = match mark {
            [mark] => memchr(*mark, rest),
            mark => memmem::find(rest, mark),
        };
        self.at += found? + mark.len();
        Some(())
    }

    /// Goes behind a declaration, which may hold others.
    fn skip_declaration(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        for (at, byte) in self.text.get(self.at..)?.iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' if depth == 0 => {
                    self.at += at + 1;
                    return Some(());
                }
                b'>' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// What comes before the end of a start tag; a bracket inside quotes ends none.
    fn start_tag(&mut self) -> Option<&'a [u8]> {
        let rest = self.text.get(self.at..)?;
        let mut end = 0;
        loop {
            end += memchr3(b'>', b'"', b'\'', rest.get(end..)?)?;
            match rest.get(end) {
                Some(b'>') => {
                    self.at += end + 1;
                    return rest.get(..end);
                }
                quote => end += 2 + memchr(*quote?, rest.get(end + 1..)?)?,
            }
        }
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            self.skip(b"<")?;
            let rest = self.text.get(self.at..)?;
            if rest.starts_with(b"!--") {
                self.at += 3;
                self.skip(b"-->")?;
            } else if rest.starts_with(b"![CDATA[") {
                self.skip(b"]]>")?;
            } else if rest.starts_with(b"!") {
                self.skip_declaration()?;
                return Some(Tag::Declaration);
            } else if rest.starts_with(b"?") {
                self.skip(b"?>")?;
            } else if rest.starts_with(b"/") {
                self.skip(b">")?;
                return Some(Tag::End);
            } else {
                let inner = self.start_tag()?;
                return Some(match inner.strip_suffix(b"/") {
                    Some(inner) => Tag::Start {
                        inner,
                        is_empty: true,
                    },
                    None => Tag::Start {
                        inner,
                        is_empty: false,
                    },
                });
            }
        }
    }
}
