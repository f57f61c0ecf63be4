//! How long linting many records takes: `cargo run --release -p lint --example lint_speed -- DIR… [--copies N]`.
//!
//! Reads every `.rq` file in the folders, repeats them until there are N (10,000 if not said), and times reading and
//! linting apart, best of five. See `bench/lint/README.md` for figures.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads files and a clock, and prints"
)]

use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, fs};

use lint::{Labels, Target, lint};
use record::Record;

fn main() -> Result<(), Box<dyn Error>> {
    let mut copies = 10_000;
    let mut files = Vec::new();
    let mut labels = Labels::default();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--copies" => copies = arguments.next().unwrap_or_default().parse()?,
            "--labels" => {
                labels =
                    Labels::from_tsv(&fs::read_to_string(arguments.next().unwrap_or_default())?)?;
            }
            folder => {
                for entry in fs::read_dir(folder)? {
                    let path = entry?.path();
                    if path.extension().is_some_and(|extension| extension == "rq") {
                        files.push((path.display().to_string(), fs::read_to_string(&path)?));
                    }
                }
            }
        }
    }
    if files.is_empty() {
        return Err("no .rq file in the folders given".into());
    }
    let files: Vec<_> = files.iter().cycle().take(copies).collect();
    let (mut reading, mut linting) = (Duration::MAX, Duration::MAX);
    let mut findings = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let records: Vec<Record> = files
            .iter()
            .map(|(path, text)| Record::parse(path, text.as_bytes()))
            .collect();
        reading = reading.min(start.elapsed());
        let start = Instant::now();
        findings = records
            .iter()
            .zip(&files)
            .map(|(record, (_, text))| lint(&Target::new(record, text), &labels).findings.len())
            .sum();
        linting = linting.min(start.elapsed());
    }
    println!("{copies} records, {findings} findings");
    println!(
        "reading {:.3} s, linting {:.3} s",
        reading.as_secs_f64(),
        linting.as_secs_f64()
    );
    Ok(())
}
