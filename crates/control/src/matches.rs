//! Rows of two tables joined by what they are about.

use crate::side::Side;
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

/// Which row of the control answers which row of the key.
pub(crate) struct Matches {
    pub(crate) of_key: Vec<Option<usize>>,
    pub(crate) of_control: Vec<Option<usize>>,
}

impl Matches {
    pub(crate) fn find<'t>(key: &Side<'t>, control: &Side<'t>) -> Self {
        let mut matches = Self {
            of_key: vec![None; key.len()],
            of_control: vec![None; control.len()],
        };
        for group in groups(key, control).into_values() {
            matches.join_group(key, control, group);
        }
        matches
    }

    /// Joins the rows of one identity, in order.
    fn join_group(&mut self, key: &Side<'_>, control: &Side<'_>, mut group: Group) {
        if group.of_key.len() > 1 || group.of_control.len() > 1 {
            // An equal row must not go to a neighbour that is not equal.
            let mut equal: HashMap<String, VecDeque<usize>> = HashMap::new();
            for row in group.of_control.drain(..) {
                equal.entry(control.whole(row)).or_default().push_back(row);
            }
            group.of_key.retain(|row| {
                let other = equal
                    .get_mut(&key.whole(*row))
                    .and_then(VecDeque::pop_front);
                if let Some(other) = other {
                    self.join(*row, other);
                }
                other.is_none()
            });
            group.of_control = equal.into_values().flatten().collect();
            group.of_control.sort_unstable();
        }
        for (row, other) in group.of_key.into_iter().zip(group.of_control) {
            self.join(row, other);
        }
    }

    fn join(&mut self, key_row: usize, control_row: usize) {
        self.of_key[key_row] = Some(control_row);
        self.of_control[control_row] = Some(key_row);
    }
}

/// The rows of both sides that are about the same thing.
#[derive(Default)]
struct Group {
    of_key: Vec<usize>,
    of_control: Vec<usize>,
}

fn groups<'t>(key: &Side<'t>, control: &Side<'t>) -> HashMap<Cow<'t, str>, Group> {
    let mut groups: HashMap<_, Group> = HashMap::with_capacity(key.len());
    for row in 0..key.len() {
        groups
            .entry(key.identity(row))
            .or_default()
            .of_key
            .push(row);
    }
    for row in 0..control.len() {
        // What the key never mentions has nothing to be joined with.
        if let Some(group) = groups.get_mut(&control.identity(row)) {
            group.of_control.push(row);
        }
    }
    groups
}

/// The rows of a side that nothing answers, in order.
pub(crate) fn unjoined(side: &[Option<usize>]) -> Vec<usize> {
    (0..side.len()).filter(|row| side[*row].is_none()).collect()
}
