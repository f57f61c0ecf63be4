//! Controls of the published kinds, in the small. Every case is data; what an analysis says of it is in
//! `test_data/analyses.jsonl`, bit for bit, and the same in WebAssembly.
//!
//! `UPDATE_EXPECT=1 cargo test -p control --test analyses` writes that file anew.
#![expect(
    clippy::unwrap_used,
    reason = "a function that a test calls fails with the test"
)]

use control::{Analysis, Case, Classes, Grounds, Taxonomy, analyse};
use serde::Deserialize;
use serde_json::{Map, Value};
use table::{Table, read_key_csv};

/// Tables are CSV.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    id: String,
    key: String,
    control: String,
    uncut: Option<String>,
    identity: Option<String>,
    #[serde(default)]
    order: Vec<(usize, bool)>,
    #[serde(default)]
    walks_hierarchy: bool,
    grounds: Option<Known>,
    /// The members of the analysis that the case is about.
    expect: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    keywords: Vec<String>,
    roots: Vec<String>,
    hierarchy: String,
    /// `rows`, a table, or nothing.
    key_classes: Option<String>,
    control_classes: Option<String>,
}

fn read(csv: &str) -> Table {
    read_key_csv(csv.as_bytes()).unwrap()
}

fn classes(given: Option<&str>) -> Classes {
    match given {
        None => Classes::Unknown,
        Some("rows") => Classes::Rows,
        Some(csv) => Classes::from_table(&read(csv)),
    }
}

impl Sample {
    fn analysis(&self) -> Analysis {
        let uncut = self.uncut.as_deref().map(read);
        let case = Case {
            key: &read(&self.key),
            key_all: uncut.as_ref(),
            control: &read(&self.control),
            identity: self.identity.as_deref(),
            order: &self.order,
            walks_hierarchy: self.walks_hierarchy,
        };
        let analysis = analyse(&case).unwrap();
        match &self.grounds {
            None => analysis,
            Some(known) => analysis.explained(&Grounds {
                keywords: &known.keywords,
                roots: &known.roots,
                taxonomy: &Taxonomy::from_table(&read(&known.hierarchy)),
                key: &classes(known.key_classes.as_deref()),
                control: &classes(known.control_classes.as_deref()),
            }),
        }
    }
}

fn samples() -> Vec<Sample> {
    serde_json::from_str(include_str!("../test_data/analyses.json")).unwrap()
}

#[test]
fn analyses_are_right() {
    for sample in samples() {
        let analysis = serde_json::to_value(sample.analysis()).unwrap();
        for (member, expected) in &sample.expect {
            assert_eq!(
                analysis[member], *expected,
                "{}: {member} of {analysis:#}",
                sample.id
            );
        }
    }
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a test writes its own expectations where it is asked to"
)]
fn analyses_are_the_same_bit_for_bit() {
    let mut found = String::new();
    for sample in samples() {
        let analysis = sample.analysis();
        let json = serde_json::to_string(&analysis).unwrap();
        let back: Analysis = serde_json::from_str(&json).unwrap();
        assert_eq!(back, analysis, "{}", sample.id);
        found.push_str(&json);
        found.push('\n');
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/test_data/analyses.jsonl");
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert_eq!(found.lines().count(), expected.lines().count());
    for ((found, expected), sample) in found.lines().zip(expected.lines()).zip(samples()) {
        assert_eq!(found, expected, "{}", sample.id);
    }
}
