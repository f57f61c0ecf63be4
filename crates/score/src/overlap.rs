//! How many rows of the answer go to which group of the key's: a maximum matching with capacities.

use std::collections::{BTreeMap, VecDeque};

use crate::index::{GroupId, RowId, RowIndex};

/// Rows of the answer and the groups they can go to.
///
/// Nearly every row can go to one group only; those are counted off. The rest are a bipartite matching, by augmenting
/// paths over kinds of rows (rows with the same choice are interchangeable).
pub(crate) struct Overlap {
    /// How many rows each group still takes.
    free: Vec<u32>,
    /// Rows that have their place.
    settled: Vec<(RowId, GroupId)>,
    /// Rows with a choice, by their choice.
    choices: BTreeMap<Vec<GroupId>, Vec<RowId>>,
}

impl Overlap {
    pub(crate) fn new(index: &RowIndex<'_>) -> Self {
        Self {
            free: index.groups().map(|group| index.count(group)).collect(),
            settled: Vec::new(),
            choices: BTreeMap::new(),
        }
    }

    /// Adds a row that can go to one group.
    #[inline]
    pub(crate) fn add_certain(&mut self, row: RowId, group: GroupId) {
        let free = &mut self.free[group.0 as usize];
        if *free > 0 {
            *free -= 1;
            self.settled.push((row, group));
        }
    }

    /// Adds a row that can go to any of these groups.
    pub(crate) fn add(&mut self, row: RowId, groups: Vec<GroupId>) {
        match groups.as_slice() {
            [] => {}
            [group] => self.add_certain(row, *group),
            _ => self.choices.entry(groups).or_default().push(row),
        }
    }

    /// The rows that have a place, in the answer's sequence, each with its group.
    pub(crate) fn resolve(mut self) -> Vec<(RowId, GroupId)> {
        if self.choices.is_empty() {
            return self.settled;
        }
        let kinds: Vec<(Vec<GroupId>, Vec<RowId>)> =
            std::mem::take(&mut self.choices).into_iter().collect();
        let mut flow = Flow::new(self.free, &kinds);
        for (kind, (_, rows)) in kinds.iter().enumerate() {
            // One row without a place means that no other row of its kind has one either.
            while flow.placed_rows(kind) < rows.len() && flow.place(kind) {}
        }
        for (kind, (_, rows)) in kinds.iter().enumerate() {
            let groups = flow.placed[kind]
                .iter()
                .flat_map(|(&group, &count)| std::iter::repeat_n(group, count as usize));
            self.settled.extend(rows.iter().copied().zip(groups));
        }
        self.settled.sort_unstable_by_key(|&(row, _)| row.index());
        self.settled
    }
}

/// The augmenting paths: kinds of rows on one side, groups with capacities on the other.
struct Flow<'k> {
    free: Vec<u32>,
    kinds: &'k [(Vec<GroupId>, Vec<RowId>)],
    /// How many rows of each kind sit in which group.
    placed: Vec<BTreeMap<GroupId, u32>>,
    /// Which kinds sit in a group.
    sitting: BTreeMap<GroupId, Vec<usize>>,
}

impl<'k> Flow<'k> {
    fn new(free: Vec<u32>, kinds: &'k [(Vec<GroupId>, Vec<RowId>)]) -> Self {
        Self {
            free,
            kinds,
            placed: vec![BTreeMap::new(); kinds.len()],
            sitting: BTreeMap::new(),
        }
    }

    fn placed_rows(&self, kind: usize) -> usize {
        self.placed[kind]
            .values()
            .map(|&count| count as usize)
            .sum()
    }

    /// Finds a place for one more row of a kind, moving rows of other kinds where that makes room.
    fn place(&mut self, kind: usize) -> bool {
        // How each group was reached: the kind that would move into it, and the group which that kind would leave.
        let mut reached: BTreeMap<GroupId, (usize, Option<GroupId>)> = BTreeMap::new();
        let mut queue = VecDeque::new();
        for &group in &self.kinds[kind].0 {
            reached.insert(group, (kind, None));
            queue.push_back(group);
        }
        while let Some(group) = queue.pop_front() {
            if self.free[group.0 as usize] > 0 {
                self.shift(group, &reached);
                return true;
            }
            for &sitting in self.sitting.get(&group).into_iter().flatten() {
                if self.placed[sitting]
                    .get(&group)
                    .is_none_or(|&count| count == 0)
                {
                    continue;
                }
                for &other in &self.kinds[sitting].0 {
                    reached.entry(other).or_insert_with(|| {
                        queue.push_back(other);
                        (sitting, Some(group))
                    });
                }
            }
        }
        false
    }

    /// Moves a row along the path that ends in a group with room.
    fn shift(&mut self, end: GroupId, reached: &BTreeMap<GroupId, (usize, Option<GroupId>)>) {
        self.free[end.0 as usize] -= 1;
        let mut group = end;
        while let Some(&(kind, left)) = reached.get(&group) {
            *self.placed[kind].entry(group).or_default() += 1;
            let sitting = self.sitting.entry(group).or_default();
            if !sitting.contains(&kind) {
                sitting.push(kind);
            }
            let Some(left) = left else { return };
            if let Some(count) = self.placed[kind].get_mut(&left) {
                *count -= 1;
            }
            group = left;
        }
    }
}
