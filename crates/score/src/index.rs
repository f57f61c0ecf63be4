//! The key's rows by value, in groups of equal ones.

use std::num::NonZeroU32;

use table::{Cell, Table};

use crate::value::{Kinds, RowHasher, Value};

/// No row, no group.
const NONE: u32 = u32::MAX;

/// Rows of the key in groups of equal ones: a hash table with open addressing, since a large key is read once and looked
/// up once per row of the answer.
pub(crate) struct RowIndex<'k> {
    key: &'k Table,
    columns: &'k [usize],
    /// What each of the columns holds.
    kinds: Vec<Kinds>,
    /// Rows that have a blank node in one of the columns are in no group: what they equal depends on the whole table.
    with_blanks: Vec<usize>,
    /// Its length is a power of two.
    slots: Vec<Slot>,
    groups: Vec<Group>,
    /// The next row of the same group, by row.
    next: Vec<u32>,
    /// Whether a hash may lead to the wrong one of two groups.
    has_lookalikes: bool,
}

/// A group, and enough of its hash that other groups are seldom looked at.
#[derive(Clone, Copy)]
struct Slot {
    tag: u32,
    group: u32,
}

struct Group {
    hash: u64,
    /// The first row that has not been handed out.
    head: u32,
    last: u32,
    /// Any row of the group, to compare with.
    example: u32,
    count: u32,
}

/// A row of a table by its index, in a quarter of an `Option<usize>`'s room: there are several lists of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowId(NonZeroU32);

impl RowId {
    /// Tables address their cells by `u32` offsets of text, so their rows are fewer.
    pub(crate) fn new(index: usize) -> Option<Self> {
        let number = u32::try_from(index).ok()?.checked_add(1)?;
        NonZeroU32::new(number).map(Self)
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A group of equal rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupId(pub(crate) u32);

impl<'k> RowIndex<'k> {
    /// Groups the key's rows by the given columns.
    pub(crate) fn new(key: &'k Table, columns: &'k [usize]) -> Self {
        let free = Slot {
            tag: 0,
            group: NONE,
        };
        let mut index = Self {
            key,
            columns,
            kinds: vec![Kinds::default(); columns.len()],
            with_blanks: Vec::new(),
            slots: vec![free; (key.len() * 2).next_power_of_two().max(4)],
            groups: Vec::with_capacity(key.len()),
            next: vec![NONE; key.len()],
            has_lookalikes: false,
        };
        // Two loops: the second, being nothing but look-ups, lets the processor wait for many of them at once.
        let mut rows = Vec::with_capacity(key.len());
        for (row, cells) in key.rows().enumerate() {
            let mut has_blank = false;
            let mut hasher = RowHasher::default();
            for (&column, kinds) in columns.iter().zip(&mut index.kinds) {
                let cell = &cells[column];
                kinds.add(cell);
                has_blank |= matches!(cell, Cell::Blank(_));
                Value::of_cell(cell).hash_into(&mut hasher);
            }
            if has_blank {
                index.with_blanks.push(row);
            } else {
                rows.push((row, hasher.finish()));
            }
        }
        for (row, hash) in rows {
            index.insert(row, hash);
        }
        index
    }

    fn insert(&mut self, row: usize, hash: u64) {
        let is_same = |example| {
            let (left, right) = (self.key.row(row), self.key.row(example));
            self.columns
                .iter()
                .all(|&column| Value::of_cell(&left[column]).is_of(&right[column]))
        };
        // Tables address their cells by `u32` offsets of text, so their rows are fewer.
        let narrow_row = u32::try_from(row).unwrap_or(NONE);
        match self.probe(hash, is_same) {
            Ok(GroupId(id)) => {
                let group = &mut self.groups[id as usize];
                self.next[group.last as usize] = narrow_row;
                group.last = narrow_row;
                group.count += 1;
            }
            Err(slot) => {
                self.has_lookalikes |= self.guess(hash).is_some();
                self.slots[slot] = Slot {
                    tag: tag(hash),
                    group: u32::try_from(self.groups.len()).unwrap_or(NONE),
                };
                self.groups.push(Group {
                    hash,
                    head: narrow_row,
                    last: narrow_row,
                    example: narrow_row,
                    count: 1,
                });
            }
        }
    }

    /// The group of rows that have these values, one per column of the index.
    pub(crate) fn find(&self, values: &[Value<'_>]) -> Option<GroupId> {
        let has_values = |example| {
            let cells = self.key.row(example);
            let mut cells = self.columns.iter().map(|&column| &cells[column]);
            values
                .iter()
                .all(|value| cells.next().is_some_and(|cell| value.is_of(cell)))
        };
        self.probe(hash(values), has_values).ok()
    }

    /// The group, or the free slot where it would be.
    #[inline]
    fn probe(&self, hash: u64, is_same: impl Fn(usize) -> bool) -> Result<GroupId, usize> {
        let mut slot = self.first_slot(hash);
        loop {
            let Slot { tag: found, group } = self.slots[slot];
            if group == NONE {
                return Err(slot);
            }
            if found == tag(hash) {
                let candidate = &self.groups[group as usize];
                if candidate.hash == hash && is_same(candidate.example as usize) {
                    return Ok(GroupId(group));
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The group that a hash leads to, without a look at its rows.
    ///
    /// If any group has this hash, and [`RowIndex::has_lookalikes`] does not hold, it is that one. Rows that are in no
    /// group may be led to one all the same, so the caller must compare what it pairs.
    #[inline]
    pub(crate) fn guess(&self, hash: u64) -> Option<GroupId> {
        let mut slot = self.first_slot(hash);
        loop {
            let Slot { tag: found, group } = self.slots[slot];
            if group == NONE {
                return None;
            }
            if found == tag(hash) {
                return Some(GroupId(group));
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Whether two groups are so alike in their hashes that a guess may find the wrong one.
    pub(crate) fn has_lookalikes(&self) -> bool {
        self.has_lookalikes
    }

    #[inline]
    fn first_slot(&self, hash: u64) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the mask keeps the low bits anyway"
        )]
        let slot = hash as usize & (self.slots.len() - 1);
        slot
    }

    /// The columns that rows are grouped by.
    pub(crate) fn columns(&self) -> &[usize] {
        self.columns
    }

    /// What each of those columns holds.
    pub(crate) fn kinds(&self) -> &[Kinds] {
        &self.kinds
    }

    /// Rows with blank nodes, which are in no group.
    pub(crate) fn with_blanks(&self) -> &[usize] {
        &self.with_blanks
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = GroupId> {
        (0..self.groups.len()).map(|id| GroupId(u32::try_from(id).unwrap_or(NONE)))
    }

    /// How many rows a group has.
    pub(crate) fn count(&self, GroupId(id): GroupId) -> u32 {
        self.groups[id as usize].count
    }

    /// The cells of a group's rows.
    pub(crate) fn cells(&self, GroupId(id): GroupId) -> &[Cell] {
        self.key.row(self.groups[id as usize].example as usize)
    }

    /// Hands out the next row of a group, in the key's sequence; `None` once all are out.
    pub(crate) fn take_row(&mut self, GroupId(id): GroupId) -> Option<RowId> {
        let group = &mut self.groups[id as usize];
        let row = group.head as usize;
        group.head = *self.next.get(row)?;
        RowId::new(row)
    }
}

/// The hash of a row by its values.
#[inline]
pub(crate) fn hash(values: &[Value<'_>]) -> u64 {
    let mut hasher = RowHasher::default();
    for value in values {
        value.hash_into(&mut hasher);
    }
    hasher.finish()
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
