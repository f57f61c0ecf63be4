//! The key's rows by value, and how many of each are still to be found.

use table::{Cell, Table};

use crate::value::{RowHasher, Value};

/// No row, no group.
const NONE: u32 = u32::MAX;

/// Rows of the key in groups of equal ones: a hash table with open addressing, since a key of a million rows is read once
/// and looked up once per row of the answer.
pub(crate) struct RowIndex<'k> {
    key: &'k Table,
    columns: &'k [usize],
    /// Group by hash, `NONE` for a free slot; its length is a power of two.
    slots: Vec<u32>,
    groups: Vec<Group>,
    /// The next row of the same group, by row.
    next: Vec<u32>,
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

/// A group of equal rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupId(pub(crate) u32);

impl<'k> RowIndex<'k> {
    /// Groups the key's rows by the given columns. Rows with blank nodes in them are left out, and returned: what they
    /// equal depends on the whole table.
    pub(crate) fn new(key: &'k Table, columns: &'k [usize]) -> (Self, Vec<usize>) {
        let mut index = Self {
            key,
            columns,
            slots: vec![NONE; (key.len() * 2).next_power_of_two().max(4)],
            groups: Vec::with_capacity(key.len()),
            next: vec![NONE; key.len()],
        };
        let mut with_blanks = Vec::new();
        let mut values = Vec::with_capacity(columns.len());
        for (row, cells) in key.rows().enumerate() {
            let has_blank = |&column: &usize| matches!(cells[column], Cell::Blank(_));
            if columns.iter().any(has_blank) {
                with_blanks.push(row);
                continue;
            }
            values.clear();
            values.extend(columns.iter().map(|&column| Value::of_cell(&cells[column])));
            index.insert(row, &values);
        }
        (index, with_blanks)
    }

    fn insert(&mut self, row: usize, values: &[Value<'_>]) {
        let hash = hash(values);
        // Tables address their cells by `u32` offsets of text, so their rows are fewer.
        let row = u32::try_from(row).unwrap_or(NONE);
        match self.probe(hash, values) {
            Ok(GroupId(id)) => {
                let group = &mut self.groups[id as usize];
                self.next[group.last as usize] = row;
                group.last = row;
                group.count += 1;
            }
            Err(slot) => {
                self.slots[slot] = u32::try_from(self.groups.len()).unwrap_or(NONE);
                self.groups.push(Group {
                    hash,
                    head: row,
                    last: row,
                    example: row,
                    count: 1,
                });
            }
        }
    }

    /// The group of rows that have these values, one per column of the index.
    pub(crate) fn find(&self, values: &[Value<'_>]) -> Option<GroupId> {
        self.probe(hash(values), values).ok()
    }

    /// The group, or the free slot where it would be.
    fn probe(&self, hash: u64, values: &[Value<'_>]) -> Result<GroupId, usize> {
        let mask = self.slots.len() - 1;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the mask keeps the low bits anyway"
        )]
        let mut slot = hash as usize & mask;
        loop {
            let id = self.slots[slot];
            let Some(group) = self.groups.get(id as usize) else {
                return Err(slot);
            };
            if group.hash == hash && self.has_values(group.example, values) {
                return Ok(GroupId(id));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn has_values(&self, row: u32, values: &[Value<'_>]) -> bool {
        let cells = self.key.row(row as usize);
        self.columns
            .iter()
            .zip(values)
            .all(|(&column, value)| value.is_of(&cells[column]))
    }

    /// The columns that rows are grouped by.
    pub(crate) fn columns(&self) -> &[usize] {
        self.columns
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
    pub(crate) fn take_row(&mut self, GroupId(id): GroupId) -> Option<usize> {
        let group = &mut self.groups[id as usize];
        let row = group.head;
        group.head = *self.next.get(row as usize)?;
        Some(row as usize)
    }
}

#[inline]
fn hash(values: &[Value<'_>]) -> u64 {
    let mut hasher = RowHasher::default();
    for value in values {
        value.hash_into(&mut hasher);
    }
    hasher.finish()
}
