//! Blank nodes: one bijection between the two tables' labels, over the whole table.
//!
//! Which bijection matches most rows is found by branch and bound: colour refinement says where to look first, rows that
//! share a blank node with what is decided say where next, and a bound on what is left cuts the rest. Tables that are
//! equal are found equal on the first descent in all but contrived symmetries, in time linear in the rows.
//!
//! The problem is NP-hard, so the search ends after [`STEPS_PER_BLANK`] steps for every blank node (and no fewer than
//! [`MIN_STEPS`]). What it has found by then is a true matching, so scores are never too high, but possibly too low; the
//! caller is told. The same holds for rows with blank nodes in which a column that mixes types lets a text mean several
//! things: each such row is read in one of its ways.

use std::cmp::Reverse;

use table::{RawTable, Table};

use crate::blank_rows::{BlankRow, Side, Sides, narrow};
use crate::matching::ColumnPair;
use crate::value::Kinds;

/// A step is a row looked at.
const MIN_STEPS: usize = 400_000;
const STEPS_PER_BLANK: usize = 256;

/// A blank node's partner is looked for in so many of its rows, among so many rows of the key each.
const ROWS_ASKED: usize = 16;
const ROWS_OFFERED: usize = 128;
/// And among so many blank nodes with its surroundings, of which so many are tried.
const PEERS_ASKED: usize = 64;
const PEERS_OFFERED: usize = 4;

/// Rows of the answer and of the key that one bijection makes equal.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Whether the search ended before it had proved that no bijection does better.
    pub(crate) bounded: bool,
}

/// Pairs the given rows of the answer with the given rows of the key, all of which have blank nodes.
pub(crate) fn match_rows(
    key: &Table,
    key_rows: &[usize],
    answer: &RawTable,
    answer_rows: &[usize],
    pairs: &[ColumnPair],
    kinds: &[Kinds],
) -> Found {
    let sides = Sides::new(key, key_rows, answer, answer_rows, pairs, kinds);
    if sides.answer.rows.is_empty() {
        return Found::default();
    }
    let mut search = Search::new(&sides);
    search.run();
    let cut_short = search.cut && search.best_matched < search.most;
    let most = usize::min(key_rows.len(), answer_rows.len());
    let misread = sides.has_choice && search.best_matched < most;
    let bounded = cut_short || misread;
    let mut found = Found {
        pairs: Vec::new(),
        bounded,
    };
    for row in &sides.answer.rows {
        if let Some(partner) = partner(&sides.key, row.shape, &row.blanks, &search.best) {
            let rows = row.rows.iter().copied();
            found.pairs.extend(rows.zip(partner.rows.iter().copied()));
        }
    }
    found
}

type Partners = Vec<Option<u32>>;

/// The key's row that a row of the answer becomes.
fn partner<'k>(
    key: &'k Side,
    shape: u32,
    blanks: &[u32],
    partners: &Partners,
) -> Option<&'k BlankRow> {
    let blanks: Option<Vec<u32>> = blanks
        .iter()
        .map(|&blank| partners[blank as usize])
        .collect();
    key.find(shape, blanks?)
}

/// One decision: a blank node of the answer and the partners to try, the last of which is none.
struct Frame {
    blank: u32,
    candidates: Vec<Option<u32>>,
    next: usize,
}

struct Search<'s> {
    key: &'s Side,
    answer: &'s Side,
    /// The blank nodes of the answer in the order in which they are decided.
    order: Vec<u32>,
    /// The key's rows by shape.
    by_shape: Vec<Vec<u32>>,
    /// The key's blank nodes, sorted by colour.
    peers: Vec<u32>,
    /// Where each blank node of the answer stands among those of its colour.
    rank: Vec<u32>,
    partners: Partners,
    used: Vec<bool>,
    /// How many blank nodes of each row of the answer are undecided.
    undecided: Vec<usize>,
    matched: usize,
    /// Rows of the answer that may still be matched.
    hopeful: usize,
    best: Partners,
    best_matched: usize,
    /// No bijection matches more.
    most: usize,
    steps: usize,
    /// Whether a possibility was passed over.
    cut: bool,
}

impl<'s> Search<'s> {
    fn new(sides: &'s Sides) -> Self {
        let (key, answer) = (&sides.key, &sides.answer);
        let mut by_shape = vec![Vec::new(); sides.shapes];
        for (position, row) in key.rows.iter().enumerate() {
            by_shape[row.shape as usize].push(narrow(position));
        }
        let count_by_shape = |side: &Side| {
            let mut counts = vec![0; sides.shapes];
            for row in &side.rows {
                counts[row.shape as usize] += row.count();
            }
            counts
        };
        let most = count_by_shape(key)
            .into_iter()
            .zip(count_by_shape(answer))
            .map(|(key, answer)| usize::min(key, answer))
            .sum();
        let mut peers: Vec<u32> = (0..narrow(key.blanks())).collect();
        peers.sort_by_key(|&blank| key.colours[blank as usize]);
        Self {
            key,
            answer,
            order: decision_order(answer, key, &peers),
            by_shape,
            peers,
            rank: ranks_in_colour(answer),
            partners: vec![None; answer.blanks()],
            used: vec![false; key.blanks()],
            undecided: answer.rows.iter().map(|row| row.blanks.len()).collect(),
            matched: 0,
            hopeful: answer.rows.iter().map(BlankRow::count).sum(),
            best: vec![None; answer.blanks()],
            best_matched: 0,
            most,
            steps: usize::max(MIN_STEPS, answer.blanks() * STEPS_PER_BLANK),
            cut: false,
        }
    }

    /// Depth first, without recursion: a table may have a hundred thousand blank nodes.
    fn run(&mut self) {
        let mut stack: Vec<Frame> = Vec::new();
        self.descend(&mut stack);
        while let Some(frame) = stack.last_mut() {
            if self.best_matched == self.most {
                return;
            }
            let blank = frame.blank;
            if frame.next > 0 {
                self.retract(blank);
            }
            let candidate = frame.candidates.get(frame.next).copied();
            frame.next += 1;
            let Some(candidate) = candidate else {
                stack.pop();
                continue;
            };
            if self.steps == 0 {
                self.cut = true;
                return;
            }
            self.decide(blank, candidate);
            if self.matched + self.hopeful > self.best_matched {
                self.descend(&mut stack);
            }
        }
    }

    /// Opens the next decision, or keeps what has been decided if it was the last.
    fn descend(&mut self, stack: &mut Vec<Frame>) {
        if let Some(&blank) = self.order.get(stack.len()) {
            let candidates = self.candidates(blank);
            stack.push(Frame {
                blank,
                candidates,
                next: 0,
            });
        } else if self.matched > self.best_matched {
            self.best_matched = self.matched;
            self.best.clone_from(&self.partners);
        }
    }

    fn decide(&mut self, blank: u32, partner: Option<u32>) {
        self.partners[blank as usize] = partner;
        if let Some(partner) = partner {
            self.used[partner as usize] = true;
        }
        for &row in &self.answer.rows_of[blank as usize] {
            self.undecided[row as usize] -= 1;
            if self.undecided[row as usize] == 0 {
                self.hopeful -= self.answer.rows[row as usize].count();
                self.matched += self.gain(row);
            }
        }
        let looked_at = 1 + self.answer.rows_of[blank as usize].len();
        self.steps = self.steps.saturating_sub(looked_at);
    }

    fn retract(&mut self, blank: u32) {
        for &row in &self.answer.rows_of[blank as usize] {
            if self.undecided[row as usize] == 0 {
                self.matched -= self.gain(row);
                self.hopeful += self.answer.rows[row as usize].count();
            }
            self.undecided[row as usize] += 1;
        }
        if let Some(partner) = self.partners[blank as usize].take() {
            self.used[partner as usize] = false;
        }
    }

    /// How many rows a decided row of the answer matches.
    fn gain(&self, row: u32) -> usize {
        let row = &self.answer.rows[row as usize];
        partner(self.key, row.shape, &row.blanks, &self.partners)
            .map_or(0, |partner| usize::min(partner.count(), row.count()))
    }

    /// Whom a blank node may become, the likeliest first, and no one at last.
    fn candidates(&mut self, blank: u32) -> Vec<Option<u32>> {
        let peers = self.peers_of(blank);
        let has_peers = !peers.is_empty();
        let mut candidates: Vec<(u32, Offer)> = Vec::with_capacity(peers.len() + 1);
        candidates.extend(peers.into_iter().map(|peer| (peer, Offer::Alike)));
        let rows = &self.answer.rows_of[blank as usize];
        self.cut |= rows.len() > ROWS_ASKED;
        for &row in rows.iter().take(ROWS_ASKED) {
            let row = &self.answer.rows[row as usize];
            let Some(place) = row.blanks.iter().position(|&other| other == blank) else {
                continue;
            };
            // A decided neighbour narrows the search to its partner's rows.
            let mut decided = row.blanks.iter();
            let decided = decided.find_map(|&other| self.partners[other as usize]);
            let (offered, offer) = match decided {
                Some(partner) => (&self.key.rows_of[partner as usize], Offer::Neighbour),
                None => (&self.by_shape[row.shape as usize], Offer::Alike),
            };
            if offered.len() > ROWS_OFFERED {
                self.cut = true;
                if has_peers {
                    continue;
                }
            }
            self.steps = self
                .steps
                .saturating_sub(usize::min(offered.len(), ROWS_OFFERED));
            for &other in offered.iter().take(ROWS_OFFERED) {
                let other = &self.key.rows[other as usize];
                let agrees = other.shape == row.shape
                    && row
                        .blanks
                        .iter()
                        .zip(&other.blanks)
                        .all(|(&mine, &theirs)| {
                            self.partners[mine as usize].is_none_or(|partner| partner == theirs)
                        });
                if agrees && !self.used[other.blanks[place] as usize] {
                    candidates.push((other.blanks[place], offer));
                }
            }
        }
        self.ranked(blank, candidates)
    }

    /// Some of the key's unused blank nodes whose surroundings look the same.
    fn peers_of(&mut self, blank: u32) -> Vec<u32> {
        let colour = self.answer.colours[blank as usize];
        let start = self
            .peers
            .partition_point(|&peer| self.key.colours[peer as usize] < colour);
        let end = self
            .peers
            .partition_point(|&peer| self.key.colours[peer as usize] <= colour);
        let peers = &self.peers[start..end];
        if peers.is_empty() {
            return Vec::new();
        }
        // Starting where this one stands among its own finds an unused peer at once on the first descent; starting at
        // the first peer every time would take quadratic time in a large crowd.
        let (before, after) = peers.split_at(self.rank[blank as usize] as usize % peers.len());
        let found: Vec<u32> = after
            .iter()
            .chain(before)
            .take(PEERS_ASKED)
            .copied()
            .filter(|&peer| !self.used[peer as usize])
            .take(PEERS_OFFERED)
            .collect();
        self.cut |= peers.len() > PEERS_OFFERED;
        self.steps = self
            .steps
            .saturating_sub(usize::min(peers.len(), PEERS_ASKED));
        found
    }

    /// Candidates each once, the likeliest first: those that make a row match at once before others, those that look the
    /// same before others, those that were offered more often before others.
    fn ranked(&self, blank: u32, mut candidates: Vec<(u32, Offer)>) -> Vec<Option<u32>> {
        candidates.sort_unstable();
        let mut ranked: Vec<_> = candidates
            .chunk_by(|left, right| left.0 == right.0)
            .map(|offers| {
                let (candidate, best) = offers[0];
                let differs =
                    self.key.colours[candidate as usize] != self.answer.colours[blank as usize];
                (best, differs, Reverse(offers.len()), candidate)
            })
            .collect();
        ranked.sort_unstable();
        let ranked = ranked.into_iter().map(|(.., candidate)| Some(candidate));
        ranked.chain([None]).collect()
    }
}

/// Why a partner is offered, the better reason first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Offer {
    /// It stands in a row with the partner of a decided neighbour.
    Neighbour,
    /// It stands in rows of the same shape, or looks the same.
    Alike,
}

fn ranks_in_colour(side: &Side) -> Vec<u32> {
    let mut by_colour: Vec<u32> = (0..narrow(side.blanks())).collect();
    by_colour.sort_by_key(|&blank| side.colours[blank as usize]);
    let mut ranks = vec![0; side.blanks()];
    let same_colour =
        |left: &u32, right: &u32| side.colours[*left as usize] == side.colours[*right as usize];
    for peers in by_colour.chunk_by(same_colour) {
        for (rank, &blank) in peers.iter().enumerate() {
            ranks[blank as usize] = narrow(rank);
        }
    }
    ranks
}

/// Blank nodes with the fewest look-alikes first, then those that share a row with what is decided.
fn decision_order(answer: &Side, key: &Side, peers: &[u32]) -> Vec<u32> {
    let look_alikes = |blank: u32| {
        let colour = answer.colours[blank as usize];
        let start = peers.partition_point(|&peer| key.colours[peer as usize] < colour);
        let end = peers.partition_point(|&peer| key.colours[peer as usize] <= colour);
        // One that has none is in a row that differs somewhere; it waits until its neighbours are decided.
        match end - start {
            0 => usize::MAX,
            count => count,
        }
    };
    let mut by_rarity: Vec<u32> = (0..narrow(answer.blanks())).collect();
    by_rarity.sort_by_key(|&blank| look_alikes(blank));
    let mut order: Vec<u32> = Vec::with_capacity(by_rarity.len());
    let mut seen = vec![false; answer.blanks()];
    let mut asked = 0;
    for start in by_rarity {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        order.push(start);
        while let Some(&blank) = order.get(asked) {
            asked += 1;
            for &row in &answer.rows_of[blank as usize] {
                for &other in &answer.rows[row as usize].blanks {
                    if !std::mem::replace(&mut seen[other as usize], true) {
                        order.push(other);
                    }
                }
            }
        }
    }
    order
}
