//! Scores ANSWER against KEY, both CSV files, so many times, and prints the seconds of each, and the peak memory, as JSON.
//!
//! Run by `bench/score/run.py`; the time goes from the files' bytes in memory to the finished score.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program that times the crate from outside needs files, a clock and an output"
)]

use std::error::Error;
use std::time::Instant;

use score::{Key, Options, score};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, key, answer, repeats] = arguments.as_slice() else {
        return Err("usage: score_bench KEY ANSWER REPEATS".into());
    };
    let key = std::fs::read(key)?;
    let answer = std::fs::read(answer)?;
    let mut seconds = Vec::new();
    let mut matched_rows = 0;
    for _ in 0..repeats.parse::<usize>()? {
        let start = Instant::now();
        let key = table::read_key_csv(&key)?;
        let answer = table::read_answer(&answer)?;
        let score = score(&Key::unordered(&key), &answer, &Options::default());
        seconds.push(start.elapsed().as_secs_f64());
        matched_rows = score.matched_rows;
    }
    let peak = peak_kilobytes().unwrap_or_default();
    println!(
        "{{\"seconds\": {seconds:?}, \"matched\": {matched_rows}, \"peak_kilobytes\": {peak}}}"
    );
    Ok(())
}

/// The peak resident set of this program, where the system tells.
fn peak_kilobytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
