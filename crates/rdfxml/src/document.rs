//! Which element of an XML document is open at its end. The text has been parsed; only its tags are looked at.

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
        Tag::End => None,
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
        }
    }
    open.pop().map_or(End::Whole, End::Open)
}

/// A tag; what stands between the brackets of a start tag, the slash of an empty element left out.
enum Tag<'a> {
    Start { inner: &'a [u8], is_empty: bool },
    End,
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
        let found = rest.windows(mark.len()).position(|bytes| bytes == mark)?;
        self.at += found + mark.len();
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
        let mut quote = None;
        for (at, byte) in rest.iter().enumerate() {
            match (quote, byte) {
                (None, b'>') => {
                    self.at += at + 1;
                    return rest.get(..at);
                }
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
        }
        None
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
