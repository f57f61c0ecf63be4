//! Parsed results as the package's `plain.mjs` hands them over: the texts of all cells in one, and beside them what each is.
//!
//! An endpoint's reply as an object for each cell would cross into Wasm cell by cell, or be written as JSON again, which is
//! three times as long as what it says.

use serde::Deserialize;
use table::{Cell, Table};

use crate::source::Source;

/// Where the cells of a table are in its text: row by row, a line break between each and the next.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Packed {
    /// The names of the columns.
    columns: Vec<String>,
    /// What each cell is: 0 missing, 1 an IRI, 2 a blank node, 3 a literal without a datatype, from 4 one with the first,
    /// second, … of `datatypes`.
    kinds: Source,
    /// How long each cell's text is, in UTF-16's units, as JavaScript counts: four bytes each, the low one first.
    lengths: Source,
    /// The IRIs of datatypes.
    datatypes: Vec<String>,
}

impl Packed {
    /// The table; `None` where the parts do not fit together.
    pub(crate) fn unpack(&self, text: &[u8]) -> Option<Table> {
        let kinds = self.kinds.bytes();
        let (lengths, rest) = self.lengths.bytes().as_chunks();
        let width = self.columns.len();
        if width == 0
            || !kinds.len().is_multiple_of(width)
            || lengths.len() != kinds.len()
            || !rest.is_empty()
        {
            return None;
        }
        let mut texts = Texts::new(std::str::from_utf8(text).ok()?);
        let mut table = Table::with_capacity(self.columns.clone(), kinds.len() / width);
        let mut cells = Vec::with_capacity(width);
        for (kinds, lengths) in kinds.chunks_exact(width).zip(lengths.chunks_exact(width)) {
            for (kind, length) in kinds.iter().zip(lengths) {
                let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                cells.push(self.cell(*kind, texts.take(length)?)?);
            }
            table.push_row(cells.drain(..));
        }
        texts.rest.is_empty().then_some(table)
    }

    fn cell(&self, kind: u8, text: &str) -> Option<Cell> {
        Some(match kind {
            0 => Cell::Missing,
            1 => Cell::Iri(text.into()),
            2 => Cell::blank(text),
            3 => Cell::literal(text, None),
            more => Cell::literal(text, Some(self.datatypes.get(usize::from(more) - 4)?)),
        })
    }
}

/// What is left of the cells' texts.
struct Texts<'t> {
    rest: &'t str,
    /// Whether bytes are units; of most tables they are.
    is_ascii: bool,
}

impl<'t> Texts<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            rest: text,
            is_ascii: text.is_ascii(),
        }
    }

    /// The next text, of so many units.
    fn take(&mut self, units: usize) -> Option<&'t str> {
        let length = if self.is_ascii {
            units
        } else {
            let mut left = units;
            let chars = self.rest.chars().take_while(|char| {
                let fits = left > 0;
                left = left.saturating_sub(char.len_utf16());
                fits
            });
            chars.map(char::len_utf8).sum()
        };
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest
            .strip_prefix('\n')
            .or_else(|| rest.is_empty().then_some(rest))?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(columns: &[&str], kinds: &[u8], lengths: &[u32], datatypes: &[&str]) -> Packed {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Packed {
            columns: owned(columns),
            kinds: kinds.to_vec().into(),
            lengths: lengths
                .iter()
                .flat_map(|n| n.to_le_bytes())
                .collect::<Vec<_>>()
                .into(),
            datatypes: owned(datatypes),
        }
    }

    #[test]
    fn cells_are_what_they_were() {
        let integer = "http://www.w3.org/2001/XMLSchema#integer";
        for name in ["plain", "née 😀\nb", ""] {
            let units = u32::try_from(name.encode_utf16().count()).unwrap();
            let packed = packed(
                &["c", "d"],
                &[1, 3, 0, 4, 2, 5],
                &[10, units, 0, 2, 3, 1],
                &[integer, "http://e/d"],
            );
            let text = format!("http://e/1\n{name}\n\n42\n_:b\nx");
            let rows = vec![
                vec![Cell::Iri("http://e/1".into()), Cell::Text(name.into())],
                vec![Cell::Missing, Cell::literal("42", Some(integer))],
                vec![Cell::blank("b"), Cell::Text("x".into())],
            ];
            let expected = Table::new(vec!["c".to_owned(), "d".to_owned()], rows);
            assert_eq!(packed.unpack(text.as_bytes()), Some(expected));
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_no_table() {
        let whole = packed(&["c"], &[1, 1], &[1, 1], &[]);
        assert!(whole.unpack(b"a\nb").is_some());
        for text in ["", "a", "a\n", "ab\nc", "a\nbc", "a\nb\nc"] {
            assert_eq!(whole.unpack(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(whole.unpack(b"\xff\nb"), None);
        for wrong in [
            packed(&[], &[], &[], &[]),
            packed(&["c", "d", "e"], &[1, 1], &[1, 1], &[]),
            packed(&["c"], &[1, 1], &[1], &[]),
            packed(&["c"], &[1, 4], &[1, 1], &[]),
            packed(&["c"], &[1, 1], &[1, u32::MAX], &[]),
        ] {
            assert_eq!(wrong.unpack(b"a\nb"), None, "{wrong:?}");
        }
    }
}
