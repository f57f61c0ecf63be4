//! Reads pairs of texts, one JSON array a line, and prints their token-set ratios on the raw and on the processed texts, as
//! the hexadecimal bits of the doubles; with `--seconds ROUNDS` the seconds of each round instead.
//!
//! Run by `bench/lexical/compare.py`, which holds them against the Python package's.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program that times the crate from outside needs a clock and an output"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::time::Instant;

use ava::{Processor, Scorer, TokenSet};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut pairs: Vec<(String, String)> = Vec::new();
    for line in input.lines() {
        pairs.push(serde_json::from_str(line)?);
    }
    match arguments.as_slice() {
        [] => print(&pairs),
        [option, rounds] if option == "--seconds" => {
            let mut seconds = Vec::new();
            let mut sum = 0.0;
            for _ in 0..rounds.parse::<usize>()? {
                let start = Instant::now();
                sum = total(&pairs);
                seconds.push(start.elapsed().as_secs_f64());
            }
            println!("{{\"seconds\": {seconds:?}, \"sum\": {sum:?}}}");
        }
        _ => return Err("usage: lexical_pairs [--seconds ROUNDS] < PAIRS".into()),
    }
    Ok(())
}

fn print(pairs: &[(String, String)]) {
    let mut scorer = Scorer::default();
    let mut lines = String::new();
    for (first, second) in pairs {
        for processor in [Processor::None, Processor::Default] {
            let (first, second) = (processor.apply(first), processor.apply(second));
            let ratio = scorer.ratio(&TokenSet::of(&first), &TokenSet::of(&second));
            let _ = write!(lines, "{:016x} ", ratio.to_bits());
        }
        lines.push('\n');
    }
    print!("{lines}");
}

/// Every pair from its two texts, nothing kept from one to the next but scratch space.
fn total(pairs: &[(String, String)]) -> f64 {
    let mut scorer = Scorer::default();
    pairs
        .iter()
        .map(|(first, second)| scorer.ratio(&TokenSet::of(first), &TokenSet::of(second)))
        .sum()
}
