//! Rows of two tables joined by what they are about.

use crate::side::Side;
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
        // Where an identity is repeated, an equal row must not go to a neighbour that is not equal.
        matches.join_by(key, control, Side::whole);
        matches.join_by(key, control, Side::identity);
        matches
    }

    /// Joins the rows that are still free and have the same `text`, in order.
    fn join_by<'t>(
        &mut self,
        key: &Side<'t>,
        control: &Side<'t>,
        text: fn(&Side<'t>, usize) -> String,
    ) {
        let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
        for row in unjoined(&self.of_control) {
            free.entry(text(control, row)).or_default().push_back(row);
        }
        for row in unjoined(&self.of_key) {
            if let Some(other) = free.get_mut(&text(key, row)).and_then(VecDeque::pop_front) {
                self.join(row, other);
            }
        }
    }

    fn join(&mut self, key_row: usize, control_row: usize) {
        self.of_key[key_row] = Some(control_row);
        self.of_control[control_row] = Some(key_row);
    }
}

/// The rows of a side that nothing answers, in order.
pub(crate) fn unjoined(side: &[Option<usize>]) -> Vec<usize> {
    (0..side.len()).filter(|row| side[*row].is_none()).collect()
}
