//! Bytes into lines, whatever pieces they come in.

/// Collects bytes until a line is whole; CRLF, CR and LF each end one.
///
/// Splitting bytes before decoding them is sound: neither CR nor LF occurs inside a multi-byte UTF-8 sequence.
#[derive(Debug, Default)]
pub(crate) struct LineSplitter {
    line: Vec<u8>,
    /// The line ends in CR, and a LF may still follow.
    after_cr: bool,
}

impl LineSplitter {
    /// Takes the next bytes and hands out every line that they complete, its end included.
    pub(crate) fn push(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) {
        for &byte in bytes {
            if self.after_cr && byte != b'\n' {
                self.end(&mut take);
            }
            self.line.push(byte);
            match byte {
                b'\n' => self.end(&mut take),
                b'\r' => self.after_cr = true,
                _ => {}
            }
        }
    }

    /// Hands out what is left: a line without an end, or one whose CR was the file's last byte.
    pub(crate) fn finish(&mut self, mut take: impl FnMut(&[u8])) {
        if !self.line.is_empty() {
            self.end(&mut take);
        }
    }

    fn end(&mut self, take: &mut impl FnMut(&[u8])) {
        take(&self.line);
        self.line.clear();
        self.after_cr = false;
    }
}

/// The position of a byte of `text` as `(line, column)`, columns counted in characters, `text` beginning at column 1 of
/// `first_line`.
pub(crate) fn position(text: &str, offset: usize, first_line: u32) -> (u32, u32) {
    let mut line = first_line;
    let mut line_start = 0;
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate().take(offset) {
        let ends = match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            line += 1;
            line_start = at + 1;
        }
    }
    let before = text.get(line_start..offset).unwrap_or_default();
    (line, count(before) + 1)
}

/// The number of characters in `text`.
pub(crate) fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_every_line_end() {
        let text = "a\r\nbé\rc\n\nd";
        let cases = [
            ('a', (7, 1)),
            ('b', (8, 1)),
            ('é', (8, 2)),
            ('c', (9, 1)),
            ('d', (11, 1)),
        ];
        for (character, expected) in cases {
            let offset = text.find(character).unwrap();
            assert_eq!(position(text, offset, 7), expected, "{character}");
        }
        assert_eq!(position(text, text.len(), 7), (11, 2));
    }

    #[test]
    fn a_cr_may_meet_its_lf_in_the_next_piece() {
        let mut lines = Vec::new();
        let mut splitter = LineSplitter::default();
        for piece in [&b"a\r"[..], b"\nb\r", b"c\r"] {
            splitter.push(piece, |line| lines.push(line.to_vec()));
        }
        splitter.finish(|line| lines.push(line.to_vec()));
        assert_eq!(lines, [&b"a\r\n"[..], b"b\r", b"c\r"]);
    }
}
