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
        let mut numbers: HashMap<Cow<'t, str>, usize> = HashMap::with_capacity(key.len());
        let of_key: Vec<_> = (0..key.len())
            .map(|row| {
                let next = numbers.len();
                Some(*numbers.entry(key.identity(row)).or_insert(next))
            })
            .collect();
        // What the key never mentions has nothing to be joined with.
        let of_control: Vec<_> = (0..control.len())
            .map(|row| numbers.get(&control.identity(row)).copied())
            .collect();
        let (of_key, of_control) = (
            Buckets::new(&of_key, numbers.len()),
            Buckets::new(&of_control, numbers.len()),
        );
        for number in 0..numbers.len() {
            match (of_key.get(number), of_control.get(number)) {
                (_, []) => {}
                ([row], [other]) => matches.join(*row, *other),
                (rows, others) => matches.join_all(key, control, rows, others),
            }
        }
        matches
    }

    /// Joins the rows of one identity: equal ones first, so that none goes to a neighbour that is not equal, then in
    /// order.
    fn join_all(&mut self, key: &Side<'_>, control: &Side<'_>, rows: &[usize], others: &[usize]) {
        let mut equal: HashMap<String, VecDeque<usize>> = HashMap::new();
        for &other in others {
            equal
                .entry(control.whole(other))
                .or_default()
                .push_back(other);
        }
        let mut left = Vec::new();
        for &row in rows {
            match equal.get_mut(&key.whole(row)).and_then(VecDeque::pop_front) {
                Some(other) => self.join(row, other),
                None => left.push(row),
            }
        }
        let mut others: Vec<_> = equal.into_values().flatten().collect();
        others.sort_unstable();
        for (row, other) in left.into_iter().zip(others) {
            self.join(row, other);
        }
    }

    fn join(&mut self, key_row: usize, control_row: usize) {
        self.of_key[key_row] = Some(control_row);
        self.of_control[control_row] = Some(key_row);
    }
}

/// The rows of each identity in order, without a list of its own for each: there may be as many as rows.
struct Buckets {
    rows: Vec<usize>,
    /// Where each identity's rows begin, and an end.
    starts: Vec<usize>,
}

impl Buckets {
    fn new(numbers: &[Option<usize>], count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        for number in numbers.iter().flatten() {
            starts[number + 1] += 1;
        }
        for place in 0..count {
            starts[place + 1] += starts[place];
        }
        let mut free = starts.clone();
        let mut rows = vec![0; starts[count]];
        for (row, number) in numbers.iter().enumerate() {
            if let Some(number) = number {
                rows[free[*number]] = row;
                free[*number] += 1;
            }
        }
        Self { rows, starts }
    }

    fn get(&self, number: usize) -> &[usize] {
        &self.rows[self.starts[number]..self.starts[number + 1]]
    }
}

/// The rows of a side that nothing answers, in order.
pub(crate) fn unjoined(side: &[Option<usize>]) -> Vec<usize> {
    (0..side.len()).filter(|row| side[*row].is_none()).collect()
}
