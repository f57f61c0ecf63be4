//! The assignment problem: which column goes with which, so that the sum is greatest.

/// How many best assignments are told at most.
const MAX_TOLD: usize = 64;
/// How many steps the search for all best assignments may take; every column of a narrow table is level with every other
/// long before.
const MAX_STEPS: usize = 50_000_000;

/// Finds the one-to-one assignments of rows to columns with the greatest sum of weights; a pair of weight 0 is no pair.
///
/// Every best assignment is told, up to a limit, those that keep the order of rows and columns first. Where wide tables
/// leave too many ways to try, the one best assignment that moves columns least comes first, and not every other is told:
/// the time is that of the Hungarian method. `weights` has one inner list per row, all of one length.
pub(crate) fn best_assignments(weights: &[Vec<u64>]) -> Vec<Vec<Option<usize>>> {
    let width = weights.first().map_or(0, Vec::len);
    if steps_of(weights.len(), width) > MAX_STEPS {
        return vec![least_moved(weights, width)];
    }
    let mut search = Search {
        weights,
        taken: vec![false; width],
        chosen: Vec::with_capacity(weights.len()),
        found: Vec::new(),
        steps: MAX_STEPS,
    };
    search.descend(greatest_sum(weights, width));
    let Search {
        mut found, steps, ..
    } = search;
    if steps == 0 {
        let least_moved = least_moved(weights, width);
        found.retain(|assignment| *assignment != least_moved);
        found.insert(0, least_moved);
        found.truncate(MAX_TOLD);
    }
    found
}

struct Search<'w> {
    weights: &'w [Vec<u64>],
    taken: Vec<bool>,
    chosen: Vec<Option<usize>>,
    found: Vec<Vec<Option<usize>>>,
    /// Steps that are left; at 0 the search ends with what it has found.
    steps: usize,
}

impl Search<'_> {
    /// Assigns the rows that are left, so that their weights sum to exactly `due`, which the free columns allow.
    fn descend(&mut self, due: u64) {
        let row = self.chosen.len();
        if self.found.len() == MAX_TOLD || self.steps == 0 {
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
            self.taken[column] = true;
            // The sum of the free columns has proved that this way ends in an assignment.
            if self.is_reached(due, row + 1) {
                self.chosen.push(Some(column));
                self.descend(due);
                self.chosen.pop();
            }
            self.taken[column] = false;
        }
        if self.is_reached(due, row + 1) {
            self.chosen.push(None);
            self.descend(due);
            self.chosen.pop();
        }
    }

    /// Whether the rows from `row` on reach that sum with the columns that are still free; no, once the steps are used up.
    fn is_reached(&mut self, due: u64, row: usize) -> bool {
        if self.found.len() == MAX_TOLD {
            return false;
        }
        let (rows, width) = (self.weights.len() - row, self.taken.len());
        self.steps = self.steps.saturating_sub(steps_of(rows, width));
        if self.steps == 0 {
            return false;
        }
        let weights: Vec<Vec<u64>> = self.weights[row..]
            .iter()
            .map(|weights| {
                let free = weights.iter().zip(&self.taken);
                free.map(|(&weight, &taken)| if taken { 0 } else { weight })
                    .collect()
            })
            .collect();
        due <= greatest_sum(&weights, width)
    }
}

/// What the Hungarian method takes at most.
fn steps_of(rows: usize, width: usize) -> usize {
    rows.saturating_mul(rows).saturating_mul(width + rows)
}

/// The best assignment whose columns lie nearest to their rows, by the sum of the squares: the squares keep the order.
fn least_moved(weights: &[Vec<u64>], width: usize) -> Vec<Option<usize>> {
    let rows = weights.len();
    let side = rows.max(width) as u64;
    let greatest = weights.iter().flatten().copied().max().unwrap_or(0);
    // One cell more outweighs every move; figures too large for that leave the moves out.
    let scale = (rows as u64 * side)
        .checked_mul(side)
        .map(|moves| moves + 1);
    let fits = |scale: &u64| {
        let total = greatest.checked_mul(*scale)?.checked_mul(side + 1)?;
        i64::try_from(total).ok()
    };
    let scale = scale.filter(|scale| fits(scale).is_some());
    let scaled: Vec<Vec<u64>> = weights
        .iter()
        .enumerate()
        .map(|(row, weights)| {
            let of_pair = |(column, &weight): (usize, &u64)| match scale {
                Some(scale) if weight > 0 => weight * scale - (column.abs_diff(row) as u64).pow(2),
                _ => weight,
            };
            weights.iter().enumerate().map(of_pair).collect()
        })
        .collect();
    let column_of = greatest_assignment(&scaled, width);
    (column_of.into_iter().zip(weights))
        .map(|(column, weights)| column.filter(|&column| weights[column] > 0))
        .collect()
}

/// The greatest sum of weights.
fn greatest_sum(weights: &[Vec<u64>], width: usize) -> u64 {
    greatest_assignment(weights, width)
        .into_iter()
        .zip(weights)
        .filter_map(|(column, weights)| column.map(|column| weights[column]))
        .sum()
}

/// The Hungarian method with potentials, O(rows² × columns).
///
/// The weights count cells, so their sums stay far below `i64::MAX`.
fn greatest_assignment(weights: &[Vec<u64>], width: usize) -> Vec<Option<usize>> {
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
                // Of equals a free column, which ends the way; tables of equal values have many.
                let is_free = row_of[other] == 0;
                if slack[other] < step || (slack[other] == step && is_free) {
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
    let mut column_of = vec![None; rows];
    for column in (1..=width).filter(|&column| row_of[column] != 0) {
        column_of[row_of[column] - 1] = Some(column - 1);
    }
    column_of
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

    /// Equal columns of wide tables, and wide tables with a pair that is no pair.
    #[test]
    fn wide_tables_keep_their_order() {
        for side in [64, 200, 500] {
            let weights = vec![vec![3; side]; side];
            let identity: Vec<Option<usize>> = (0..side).map(Some).collect();
            assert_eq!(best_assignments(&weights)[0], identity, "{side}");
        }
        let side = 200;
        let mut weights = vec![vec![3; side]; side];
        // Row 0 goes with the last column alone, and the others make room in order.
        weights[0][..side - 1].fill(0);
        let shifted = [side - 1].into_iter().chain(0..side - 1);
        let expected: Vec<Option<usize>> = shifted.map(Some).collect();
        assert_eq!(best_assignments(&weights)[0], expected);
        // A row that equals nothing stays alone.
        weights[0].fill(0);
        assert_eq!(best_assignments(&weights)[0][0], None);
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
