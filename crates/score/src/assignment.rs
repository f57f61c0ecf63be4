//! The assignment problem: which column goes with which, so that the sum is greatest.

/// How many best assignments are told at most.
const MAX_TOLD: usize = 64;

/// Finds the one-to-one assignments of rows to columns with the greatest sum of weights; a pair of weight 0 is no pair.
///
/// Every best assignment is told, up to a limit, those that keep the order of rows and columns first. `weights` has one
/// inner list per row, all of one length.
pub(crate) fn best_assignments(weights: &[Vec<u64>]) -> Vec<Vec<Option<usize>>> {
    let width = weights.first().map_or(0, Vec::len);
    let mut search = Search {
        weights,
        best_rest: (0..=weights.len())
            .map(|from| greatest_sum(&weights[from..], width))
            .collect(),
        taken: vec![false; width],
        chosen: Vec::with_capacity(weights.len()),
        found: Vec::new(),
    };
    let best = search.best_rest[0];
    search.descend(best);
    search.found
}

struct Search<'w> {
    weights: &'w [Vec<u64>],
    /// The greatest sum of the rows from an index on, with all columns free: what is left can reach no more.
    best_rest: Vec<u64>,
    taken: Vec<bool>,
    chosen: Vec<Option<usize>>,
    found: Vec<Vec<Option<usize>>>,
}

impl Search<'_> {
    /// Assigns the rows that are left, so that their weights sum to exactly `due`.
    fn descend(&mut self, due: u64) {
        let row = self.chosen.len();
        if self.found.len() == MAX_TOLD || due > self.best_rest[row] {
            return;
        }
        let Some(weights) = self.weights.get(row) else {
            if due == 0 {
                self.found.push(self.chosen.clone());
            }
            return;
        };
        let mut columns: Vec<usize> = (0..weights.len())
            .filter(|&column| !self.taken[column] && weights[column] > 0)
            .collect();
        columns.sort_by_key(|&column| column.abs_diff(row));
        for column in columns {
            let Some(due) = due.checked_sub(weights[column]) else {
                continue;
            };
            if due > self.sum_of_free(row + 1) {
                continue;
            }
            self.taken[column] = true;
            self.chosen.push(Some(column));
            // The sum of the free columns has proved that this way ends in an assignment.
            self.descend(due);
            self.chosen.pop();
            self.taken[column] = false;
        }
        if due <= self.sum_of_free(row + 1) {
            self.chosen.push(None);
            self.descend(due);
            self.chosen.pop();
        }
    }

    /// The greatest sum of the rows from `row` on with the columns that are still free.
    fn sum_of_free(&self, row: usize) -> u64 {
        let weights: Vec<Vec<u64>> = self.weights[row..]
            .iter()
            .map(|weights| {
                let free = weights.iter().zip(&self.taken);
                free.map(|(&weight, &taken)| if taken { 0 } else { weight })
                    .collect()
            })
            .collect();
        greatest_sum(&weights, self.taken.len())
    }
}

/// The Hungarian method with potentials, O(rows² × columns).
///
/// The weights count cells, so their sums stay far below `i64::MAX`.
fn greatest_sum(weights: &[Vec<u64>], width: usize) -> u64 {
    let rows = weights.len();
    // Room for every row to stay without a column.
    let columns = width + rows;
    let cost = |row: usize, column: usize| -> i64 {
        let weight = weights[row].get(column).copied().unwrap_or(0);
        -i64::try_from(weight).unwrap_or(i64::MAX)
    };
    // One-based, as in every account of the method: index 0 is "no row" and "no column".
    let mut row_potential = vec![0_i64; rows + 1];
    let mut column_potential = vec![0_i64; columns + 1];
    let mut row_of = vec![0_usize; columns + 1];
    for row in 1..=rows {
        let mut slack = vec![i64::MAX; columns + 1];
        let mut previous = vec![0_usize; columns + 1];
        let mut visited = vec![false; columns + 1];
        row_of[0] = row;
        let mut column = 0;
        while row_of[column] != 0 {
            visited[column] = true;
            let current = row_of[column];
            let mut step = i64::MAX;
            let mut next = 0;
            for other in (1..=columns).filter(|&other| !visited[other]) {
                let reduced =
                    cost(current - 1, other - 1) - row_potential[current] - column_potential[other];
                if reduced < slack[other] {
                    slack[other] = reduced;
                    previous[other] = column;
                }
                if slack[other] < step {
                    step = slack[other];
                    next = other;
                }
            }
            for other in 0..=columns {
                if visited[other] {
                    row_potential[row_of[other]] += step;
                    column_potential[other] -= step;
                } else if other > 0 {
                    slack[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[previous[column]];
            column = previous[column];
        }
    }
    (1..=columns)
        .filter(|&column| row_of[column] != 0)
        .map(|column| cost(row_of[column] - 1, column - 1).unsigned_abs())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::best_assignments;

    #[test]
    fn best_assignments_are_best() {
        type Case = (
            &'static [&'static [u64]],
            &'static [&'static [Option<usize>]],
        );
        let cases: &[Case] = &[
            (&[], &[&[]]),
            (&[&[]], &[&[None]]),
            (&[&[0, 0]], &[&[None]]),
            (&[&[0, 3]], &[&[Some(1)]]),
            // Greedy would take 9 and end at 10.
            (&[&[9, 8], &[7, 1]], &[&[Some(1), Some(0)]]),
            // Ties, the order-keeping one first.
            (
                &[&[2, 2], &[2, 2]],
                &[&[Some(0), Some(1)], &[Some(1), Some(0)]],
            ),
            // More rows than columns, more columns than rows.
            (&[&[1], &[5], &[4]], &[&[None, Some(0), None]]),
            (&[&[1, 7, 7]], &[&[Some(1)], &[Some(2)]]),
        ];
        for (weights, expected) in cases {
            let weights: Vec<Vec<u64>> = weights.iter().map(|row| row.to_vec()).collect();
            assert_eq!(best_assignments(&weights), *expected, "{weights:?}");
        }
    }

    /// Against every permutation, on matrices from a fixed sequence.
    #[test]
    fn best_assignments_reach_the_greatest_sum() {
        let mut state = 1_u64;
        let mut next = |bound: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % u64::from(bound)
        };
        for _ in 0..200 {
            let (rows, columns) = (next(5), next(5));
            let weights: Vec<Vec<u64>> = (0..rows)
                .map(|_| (0..columns).map(|_| next(6)).collect())
                .collect();
            let width = weights.first().map_or(0, Vec::len);
            let expected = brute_force(&weights, &mut vec![false; width]);
            let best = best_assignments(&weights);
            assert!(!best.is_empty());
            for assignment in best {
                let sum: u64 = assignment
                    .iter()
                    .enumerate()
                    .filter_map(|(row, column)| column.map(|column| weights[row][column]))
                    .sum();
                assert_eq!(sum, expected, "{weights:?}");
            }
        }
    }

    fn brute_force(weights: &[Vec<u64>], taken: &mut Vec<bool>) -> u64 {
        let Some((first, rest)) = weights.split_first() else {
            return 0;
        };
        let mut best = brute_force(rest, taken);
        for column in 0..first.len() {
            if !taken[column] {
                taken[column] = true;
                best = best.max(first[column] + brute_force(rest, taken));
                taken[column] = false;
            }
        }
        best
    }
}
