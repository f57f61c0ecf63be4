//! Rows with blank nodes as two labelled hypergraphs: the key's and the answer's.

use rustc_hash::{FxHashMap, FxHashSet};
use table::{RawTable, Table};

use crate::matching::ColumnPair;
use crate::value::{Kinds, RowHasher, Value};

/// Enough rounds to tell blank nodes apart by what is six rows away; colours are a guess at partners, not a proof.
const COLOUR_ROUNDS: usize = 6;

/// A row with blank nodes is read in so many ways at most, where columns mix types.
const MAX_READINGS: usize = 64;

/// Equal rows: the same shape with the same blank nodes.
pub(crate) struct BlankRow {
    /// Everything but which blank nodes they are: rows of one shape are equal under some renaming.
    pub(crate) shape: u32,
    /// The distinct blank nodes in order of appearance.
    pub(crate) blanks: Vec<u32>,
    /// The rows in their table.
    pub(crate) rows: Vec<usize>,
}

impl BlankRow {
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }
}

/// The rows with blank nodes of one table.
#[derive(Default)]
pub(crate) struct Side {
    pub(crate) rows: Vec<BlankRow>,
    /// The rows in which a blank node appears, by blank node.
    pub(crate) rows_of: Vec<Vec<u32>>,
    /// What the blank node's surroundings look like, by blank node: partners have equal colours in equal tables.
    pub(crate) colours: Vec<u64>,
    positions: FxHashMap<(u32, Vec<u32>), usize>,
}

impl Side {
    pub(crate) fn blanks(&self) -> usize {
        self.rows_of.len()
    }

    /// The row of this shape with these blank nodes.
    pub(crate) fn find(&self, shape: u32, blanks: Vec<u32>) -> Option<&BlankRow> {
        self.positions
            .get(&(shape, blanks))
            .map(|&position| &self.rows[position])
    }

    fn add(&mut self, row: usize, shape: u32, blanks: Vec<u32>) {
        let next = self.rows.len();
        let position = *self
            .positions
            .entry((shape, blanks.clone()))
            .or_insert(next);
        if let Some(known) = self.rows.get_mut(position) {
            known.rows.push(row);
            return;
        }
        for &blank in &blanks {
            let blank = blank as usize;
            if self.rows_of.len() <= blank {
                self.rows_of.resize_with(blank + 1, Vec::new);
            }
            self.rows_of[blank].push(narrow(next));
        }
        self.rows.push(BlankRow {
            shape,
            blanks,
            rows: vec![row],
        });
    }

    fn colour(&mut self) {
        self.colours = vec![0; self.blanks()];
        let mut distinct = 1;
        for _ in 0..COLOUR_ROUNDS {
            self.colours = (0..narrow(self.blanks()))
                .map(|blank| self.next_colour(blank))
                .collect();
            let now = self.colours.iter().collect::<FxHashSet<_>>().len();
            if now == distinct {
                return;
            }
            distinct = now;
        }
    }

    fn next_colour(&self, blank: u32) -> u64 {
        let mut surroundings: Vec<u64> = self.rows_of[blank as usize]
            .iter()
            .map(|&row| {
                let row = &self.rows[row as usize];
                let mut hasher = RowHasher::default();
                hasher.word(u64::from(row.shape));
                hasher.word(row.count() as u64);
                for &other in &row.blanks {
                    hasher.word(u64::from(other == blank));
                    hasher.word(self.colours[other as usize]);
                }
                hasher.finish()
            })
            .collect();
        surroundings.sort_unstable();
        let mut hasher = RowHasher::default();
        for word in surroundings {
            hasher.word(word);
        }
        hasher.finish()
    }
}

/// Both sides, with shapes that mean the same.
pub(crate) struct Sides {
    pub(crate) key: Side,
    pub(crate) answer: Side,
    /// How many shapes there are.
    pub(crate) shapes: usize,
    /// Whether some row of the answer could be read in another way, which was not followed up.
    pub(crate) has_choice: bool,
}

impl Sides {
    /// Reads the given rows; rows of the answer whose shape no row of the key has are left out, since nothing matches
    /// them.
    pub(crate) fn new(
        key: &Table,
        key_rows: &[usize],
        answer: &RawTable,
        answer_rows: &[usize],
        pairs: &[ColumnPair],
        kinds: &[Kinds],
    ) -> Self {
        let mut shapes = Shapes::default();
        let mut key_side = Side::default();
        let mut labels = FxHashMap::default();
        for &row in key_rows {
            let cells = key.row(row);
            let mut shape = Shape::default();
            for (position, pair) in pairs.iter().enumerate() {
                match Value::of_cell(&cells[pair.key]) {
                    Value::Blank(label) => shape.push_blank(label, &mut labels),
                    value => shape.push_ground(shapes.ground(position, value)),
                }
            }
            let id = shapes.insert(shape.slots);
            key_side.add(row, id, shape.blanks);
        }
        // How many rows of each shape the key still has for the answer's.
        let mut supply = vec![0_usize; shapes.ids.len()];
        for row in &key_side.rows {
            supply[row.shape as usize] += row.count();
        }
        let mut answer_side = Side::default();
        let mut labels = FxHashMap::default();
        let mut has_choice = false;
        for &row in answer_rows {
            let mut readings = vec![Shape::default()];
            for (position, (pair, kinds)) in pairs.iter().zip(kinds).enumerate() {
                let text = pair.answer.map_or("", |column| answer.cell(row, column));
                let mut longer = Vec::new();
                kinds.read(text, |value| {
                    for reading in &readings {
                        let mut reading = reading.clone();
                        match value {
                            Value::Blank(label) => reading.push_blank(label, &mut labels),
                            ref value => match shapes.known_ground(position, value.clone()) {
                                Some(ground) => reading.push_ground(ground),
                                None => continue,
                            },
                        }
                        longer.push(reading);
                    }
                });
                longer.truncate(MAX_READINGS);
                readings = longer;
            }
            let mut choices = readings
                .into_iter()
                .filter_map(|shape| Some((shapes.find(&shape.slots)?, shape.blanks)));
            let Some(first) = choices.next() else {
                continue;
            };
            let others: Vec<(u32, Vec<u32>)> = choices.collect();
            has_choice |= !others.is_empty();
            // A row that can be read in several ways is read as something the key still has.
            let (shape, blanks) = std::iter::once(first.clone())
                .chain(others)
                .find(|(shape, _)| supply[*shape as usize] > 0)
                .unwrap_or(first);
            supply[shape as usize] = supply[shape as usize].saturating_sub(1);
            answer_side.add(row, shape, blanks);
        }
        // A label that stands in no row that was kept still has its number.
        answer_side.rows_of.resize_with(labels.len(), Vec::new);
        key_side.colour();
        answer_side.colour();
        Self {
            key: key_side,
            answer: answer_side,
            shapes: shapes.ids.len(),
            has_choice,
        }
    }
}

/// A row while it is read: slots are ground values, or the how-manieth blank node of the row.
#[derive(Clone, Default)]
struct Shape {
    slots: Vec<Slot>,
    blanks: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Ground(u32),
    Blank(u32),
}

impl Shape {
    fn push_ground(&mut self, value: u32) {
        self.slots.push(Slot::Ground(value));
    }

    fn push_blank<'a>(&mut self, label: &'a str, labels: &mut FxHashMap<&'a str, u32>) {
        let next = narrow(labels.len());
        let blank = *labels.entry(label).or_insert(next);
        let ordinal = self
            .blanks
            .iter()
            .position(|&known| known == blank)
            .unwrap_or_else(|| {
                self.blanks.push(blank);
                self.blanks.len() - 1
            });
        self.slots.push(Slot::Blank(narrow(ordinal)));
    }
}

#[derive(Default)]
struct Shapes<'a> {
    ground: FxHashMap<(usize, Value<'a>), u32>,
    ids: FxHashMap<Vec<Slot>, u32>,
}

impl<'a> Shapes<'a> {
    fn ground(&mut self, position: usize, value: Value<'a>) -> u32 {
        let next = narrow(self.ground.len());
        *self.ground.entry((position, value)).or_insert(next)
    }

    fn known_ground(&self, position: usize, value: Value<'a>) -> Option<u32> {
        self.ground.get(&(position, value)).copied()
    }

    fn insert(&mut self, slots: Vec<Slot>) -> u32 {
        let next = narrow(self.ids.len());
        *self.ids.entry(slots).or_insert(next)
    }

    fn find(&self, slots: &[Slot]) -> Option<u32> {
        self.ids.get(slots).copied()
    }
}

/// Tables hold fewer than 2³² cells, since `u32` offsets address their text.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
