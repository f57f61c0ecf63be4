//! `corpus list` and `corpus show`.

use record::{Arm, HeaderEntry, Problem, Record};
use serde::Serialize;

use crate::Failure;
use crate::cli::{CorpusListArgs, CorpusShowArgs};
use crate::output::{Output, grid};
use crate::settings::{CorpusPlace, chosen, named};

/// A record as `corpus list --json` prints it.
#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    file: &'a str,
    summary: Option<&'a str>,
    arm: Option<Arm>,
    tier: Option<&'a str>,
    pair: Option<&'a str>,
    tags: &'a [String],
    columns: Vec<String>,
    expect_empty: bool,
    problems: &'a [Problem],
}

/// A record as `corpus show --json` prints it.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    listed: Listed<'a>,
    header: &'a [HeaderEntry],
    query_line: u32,
    query: &'a str,
}

pub(super) fn list(args: &CorpusListArgs, output: Output) -> Result<(), Failure> {
    let corpus = CorpusPlace::from(&args.corpus).read()?;
    let records = chosen(&corpus, args.tier.as_deref())?;
    let listed: Vec<Listed<'_>> = records
        .iter()
        .map(|record| Listed::new(record, corpus.twin(record.id())))
        .collect();
    output.print(&listed, |listed| {
        let header = [
            "record",
            "arm",
            "tier",
            "pair",
            "tags",
            "columns",
            "expect-empty",
            "problems",
        ];
        let mut lines = vec![grid(&header, &[7], listed.iter().map(Listed::row))];
        lines.extend(
            listed
                .iter()
                .flat_map(|record| problems(record.file, record.problems)),
        );
        lines.join("\n")
    })
}

pub(super) fn show(args: &CorpusShowArgs, output: Output) -> Result<(), Failure> {
    let corpus = CorpusPlace::from(&args.corpus).read()?;
    let record = named(&corpus, &args.id)?;
    let shown = Shown {
        listed: Listed::new(record, corpus.twin(record.id())),
        header: &record.header.entries,
        query_line: record.query_line,
        query: &record.query_text,
    };
    output.print(&shown, |shown| {
        let listed = &shown.listed;
        let summary = listed.summary.unwrap_or("(no summary)");
        let mut lines = vec![
            listed.id.to_owned(),
            String::new(),
            summary.to_owned(),
            String::new(),
        ];
        let facts = [
            ("file", listed.file.to_owned()),
            ("arm", or_dash(listed.arm.map(Arm::as_str))),
            ("tier", or_dash(listed.tier)),
            ("pair", or_dash(listed.pair)),
            ("tags", listed.tags.join(", ")),
            ("columns", listed.columns.join(", ")),
            ("expect-empty", listed.expect_empty.to_string()),
        ];
        lines.extend(facts.map(|(name, value)| format!("{name:<13} {value}")));
        lines.extend([String::new(), shown.query.trim_end().to_owned()]);
        lines.extend(problems(listed.file, listed.problems));
        lines.join("\n")
    })
}

impl<'a> Listed<'a> {
    fn new(record: &'a Record, twin: Option<&'a Record>) -> Self {
        Self {
            id: record.id(),
            file: &record.file,
            summary: record.summary(),
            arm: record.name.arm,
            tier: record.name.tier.as_deref(),
            pair: twin.map(Record::id),
            tags: record.tags(),
            columns: record.columns(),
            expect_empty: record.expect_empty(),
            problems: &record.problems,
        }
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.id.to_owned(),
            or_dash(self.arm.map(Arm::as_str)),
            or_dash(self.tier),
            or_dash(self.pair),
            self.tags.join(", "),
            self.columns.join(", "),
            if self.expect_empty { "yes" } else { "" }.to_owned(),
            self.problems.len().to_string(),
        ]
    }
}

fn or_dash(text: Option<&str>) -> String {
    text.unwrap_or("–").to_owned()
}

/// Every problem of a file, a line each with its remedy behind it.
fn problems(file: &str, problems: &[Problem]) -> Vec<String> {
    let line = |problem: &Problem| match &problem.remedy {
        Some(remedy) => format!("{file}:{problem}; {remedy}"),
        None => format!("{file}:{problem}"),
    };
    problems.iter().map(line).collect()
}
