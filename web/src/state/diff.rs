//! The row diff of a score, as lines to show.

use score::{DiffEntry, DiffKind, Score};

/// A score's diff, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffView {
    /// The key's columns.
    pub columns: Vec<String>,
    /// Whether each column holds nothing but numbers.
    pub numeric: Vec<bool>,
    /// One a row of the key, of the answer, or of both.
    pub lines: Vec<DiffLine>,
    /// Lines of each kind: equal, differing, missing, unexpected.
    pub counts: [usize; 4],
    /// Lines that the score left out of its diff.
    pub omitted: usize,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffLine {
    /// What became of the row.
    pub kind: DiffKind,
    /// Place of the row in the key, from 1.
    pub key_place: Option<usize>,
    /// Place of the row in the answer, from 1.
    pub answer_place: Option<usize>,
    /// The cells, at least one a column; a ragged row keeps its own number.
    pub cells: Vec<DiffCell>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum DiffCell {
    /// One value to show: equal in both, or there is only one.
    Same(String),
    /// The two values, where they differ.
    Differs {
        /// What the key has.
        key: String,
        /// What the answer has.
        answer: String,
    },
}

/// Which lines to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// Every line.
    #[default]
    All,
    /// Those of one kind.
    Only(DiffKind),
    /// All but the equal ones.
    Differences,
}

impl Show {
    fn admits(self, kind: DiffKind) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => kind == only,
            Self::Differences => kind != DiffKind::Equal,
        }
    }
}

/// The name of a kind, which is its class in the style sheet too.
pub fn kind_name(kind: DiffKind) -> &'static str {
    match kind {
        DiffKind::Equal => "equal",
        DiffKind::Differing => "differing",
        DiffKind::Missing => "missing",
        DiffKind::Unexpected => "unexpected",
    }
}

/// The kinds in the order of [`DiffView::counts`].
pub const KINDS: [DiffKind; 4] = [
    DiffKind::Equal,
    DiffKind::Differing,
    DiffKind::Missing,
    DiffKind::Unexpected,
];

impl DiffView {
    /// The lines of a score.
    pub fn of(score: &Score) -> Self {
        let mut counts = [0; 4];
        for entry in &score.diff {
            if let Some(at) = KINDS.iter().position(|kind| *kind == entry.kind) {
                counts[at] += 1;
            }
        }
        let numeric = (0..score.columns.len())
            .map(|column| is_numeric(score, column))
            .collect();
        Self {
            columns: score
                .columns
                .iter()
                .map(|column| column.key.clone())
                .collect(),
            numeric,
            lines: score.diff.iter().map(DiffLine::of).collect(),
            counts,
            omitted: score.diff_omitted,
        }
    }

    /// The lines that a choice admits.
    pub fn shown(&self, show: Show) -> impl Iterator<Item = &DiffLine> {
        self.lines.iter().filter(move |line| show.admits(line.kind))
    }
}

/// By the key's cells, which a result set wrote: there a number is a number and nothing else.
fn is_numeric(score: &Score, column: usize) -> bool {
    let mut cells = score
        .diff
        .iter()
        .filter_map(|entry| entry.key.as_ref()?.get(column))
        .filter(|cell| !cell.is_empty())
        .peekable();
    cells.peek().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok())
}

impl DiffLine {
    fn of(entry: &DiffEntry) -> Self {
        let cells = match (&entry.key, &entry.answer) {
            (Some(key), Some(answer)) if entry.kind == DiffKind::Differing => key
                .iter()
                .zip(answer)
                .enumerate()
                .map(|(at, (key, answer))| {
                    if entry.cells.get(at).copied().unwrap_or(key == answer) {
                        DiffCell::Same(key.clone())
                    } else {
                        DiffCell::Differs {
                            key: key.clone(),
                            answer: answer.clone(),
                        }
                    }
                })
                .collect(),
            (Some(only), _) | (None, Some(only)) => {
                only.iter().cloned().map(DiffCell::Same).collect()
            }
            (None, None) => Vec::new(),
        };
        Self {
            kind: entry.kind,
            key_place: entry.key_row.map(|row| row + 1),
            answer_place: entry.answer_row.map(|row| row + 1),
            cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(
        kind: DiffKind,
        key: Option<&[&str]>,
        answer: Option<&[&str]>,
        cells: &[bool],
    ) -> DiffEntry {
        let own = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        DiffEntry {
            kind,
            key: key.map(own),
            answer: answer.map(own),
            cells: cells.to_vec(),
            key_row: key.map(|_| 0),
            answer_row: answer.map(|_| 4),
        }
    }

    #[test]
    fn a_differing_row_shows_both_values_where_they_differ() {
        let line = DiffLine::of(&entry(
            DiffKind::Differing,
            Some(&["x", "61"]),
            Some(&["x", "60"]),
            &[true, false],
        ));
        assert_eq!(
            line.cells,
            [
                DiffCell::Same("x".into()),
                DiffCell::Differs {
                    key: "61".into(),
                    answer: "60".into()
                }
            ]
        );
        assert_eq!((line.key_place, line.answer_place), (Some(1), Some(5)));
    }

    #[test]
    fn equal_rows_show_the_keys_spelling() {
        let line = DiffLine::of(&entry(
            DiffKind::Equal,
            Some(&["144"]),
            Some(&["144.0"]),
            &[true],
        ));
        assert_eq!(line.cells, [DiffCell::Same("144".into())]);
    }

    #[test]
    fn a_ragged_row_keeps_all_its_cells() {
        let line = DiffLine::of(&entry(
            DiffKind::Unexpected,
            None,
            Some(&["a", "b", "c"]),
            &[],
        ));
        assert_eq!(line.cells.len(), 3);
    }

    #[test]
    fn choices() {
        assert!(Show::All.admits(DiffKind::Equal));
        assert!(!Show::Differences.admits(DiffKind::Equal));
        assert!(Show::Differences.admits(DiffKind::Missing));
        assert!(Show::Only(DiffKind::Missing).admits(DiffKind::Missing));
        assert!(!Show::Only(DiffKind::Missing).admits(DiffKind::Differing));
    }
}
