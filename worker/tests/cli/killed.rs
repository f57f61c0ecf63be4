//! What a sweep leaves that is killed, at whatever moment: whole attempts, and at most those under way are lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::harness::Bench;

const CONCURRENCY: usize = 4;

/// Numbers that look random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// The attempts that lie in a sweep's folder, each with the time at which its answer was written. All of them are whole.
fn attempts(root: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    let listed = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder)
            .map(|entries| entries.map(|entry| entry.unwrap().path()).collect());
        entries.unwrap_or_default()
    };
    for record in listed(root).into_iter().filter(|path| path.is_dir()) {
        if record
            .file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with('.')
        {
            continue;
        }
        for place in listed(&record) {
            let mut names: Vec<String> = listed(&place)
                .iter()
                .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
                .collect();
            names.sort();
            assert_eq!(
                names,
                [
                    "answer.csv",
                    "calls.json",
                    "calls.jsonl",
                    "metrics.json",
                    "recording.json",
                    "replies.jsonl",
                    "transcript.jsonl"
                ],
                "{}",
                place.display()
            );
            let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
            let lines = |text: &str| -> Vec<Value> {
                text.lines()
                    .map(|line| serde_json::from_str(line).unwrap())
                    .collect()
            };
            let metrics: Value = serde_json::from_str(&read("metrics.json")).unwrap();
            assert_eq!(metrics["scores"]["exact"], true, "{}", place.display());
            let calls: Value = serde_json::from_str(&read("calls.json")).unwrap();
            assert_eq!(calls, Value::from(lines(&read("calls.jsonl"))));
            assert_eq!(lines(&read("replies.jsonl")).len(), 2);
            assert!(!lines(&read("transcript.jsonl")).is_empty());
            let recording: Value = serde_json::from_str(&read("recording.json")).unwrap();
            assert!(recording["ended"].is_string(), "{}", place.display());
            let written = fs::metadata(place.join("answer.csv"))
                .unwrap()
                .modified()
                .unwrap();
            found.insert(place, written);
        }
    }
    found
}

/// Counts folders only: an attempt may come into its place while they are looked at.
fn count(root: &Path) -> usize {
    let records = fs::read_dir(root).into_iter().flatten().flatten();
    let records = records.filter(|entry| entry.file_name().to_string_lossy().starts_with("nde-"));
    records
        .map(|record| fs::read_dir(record.path()).map_or(0, Iterator::count))
        .sum()
}

/// Waits until the sweep has made a few more attempts, or has ended; whether it has.
fn goes_on(child: &mut Child, root: &Path, until: usize) -> bool {
    while count(root) < until {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

fn killed_at_random(kills: usize, repeat: u32, seed: u64) {
    let bench = Bench::new();
    let root = bench.path("runs");
    let line = format!(
        "run --agent baseline:reference --repeat {repeat} --concurrency {CONCURRENCY} --out runs"
    );
    let mut dice = Dice(seed);
    let mut before: BTreeMap<PathBuf, SystemTime> = BTreeMap::new();
    for kill in 0..kills {
        let mut command = bench.command(&line);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Sometimes before the first attempt, mostly in the middle of some.
        let more = usize::try_from(dice.below(4)).unwrap();
        goes_on(&mut child, &root, before.len() + more);
        std::thread::sleep(Duration::from_micros(dice.below(60_000)));
        // The signal that cannot be caught.
        let _ = child.kill();
        child.wait().unwrap();

        let now = attempts(&root);
        for (place, written) in &before {
            assert_eq!(
                now.get(place),
                Some(written),
                "kill {kill}: {} was touched",
                place.display()
            );
        }
        let lost = fs::read_dir(root.join(".unfinished")).map_or(0, Iterator::count);
        assert!(
            lost <= CONCURRENCY,
            "kill {kill}: {lost} attempts were under way"
        );
        if root.join("manifest.json").exists() {
            bench.read_json("runs/manifest.json");
        } else {
            assert!(now.is_empty(), "kill {kill}: attempts without a condition");
        }
        before = now;
    }
    let report = bench.json(&line);
    let all = 4 * repeat as usize;
    assert_eq!(
        report["summary"]["kept"],
        before.len(),
        "what was there is kept"
    );
    assert_eq!(report["summary"]["made"], all - before.len());
    let after = attempts(&root);
    assert_eq!(after.len(), all);
    for (place, written) in &before {
        assert_eq!(
            after.get(place),
            Some(written),
            "{} was made twice",
            place.display()
        );
    }
    for cell in report["cells"].as_array().unwrap() {
        assert_eq!(cell["tally"]["right"], repeat, "{cell}");
    }
    let left = fs::read_dir(root.join(".unfinished")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing of what was lost is left");
}

#[test]
fn a_sweep_killed_at_random_moments_keeps_whole_attempts_and_loses_those_under_way() {
    killed_at_random(8, 10, 7);
}

/// `cargo xtask test --full` runs it.
#[test]
#[ignore = "takes minutes"]
fn a_sweep_killed_two_hundred_times_keeps_whole_attempts_and_loses_those_under_way() {
    for seed in [11, 23] {
        killed_at_random(100, 80, seed);
    }
}
