//! Times the analysis of a control natively: `control_bench ROWS REPEATS` prints the seconds of each as JSON.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for this machine, not for a page"
)]

mod common;

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |otherwise| arguments.next().map_or(Ok(otherwise), |text| text.parse());
    let (rows, repeats): (usize, usize) = (number(100_000)?, number(5)?);
    let sample = common::Sample::new(rows);
    let mut seconds = Vec::new();
    let mut explained = 0;
    for _ in 0..repeats {
        let start = Instant::now();
        explained = sample.analyse()?.findings.why.len();
        seconds.push(start.elapsed().as_secs_f64());
    }
    println!(
        "{}",
        serde_json::json!({ "seconds": seconds, "explained": explained })
    );
    Ok(())
}
