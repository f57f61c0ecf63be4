//! `selfcheck`: is every key fit to be scored against?

use record::Record;
use score::Options;
use serde::Serialize;
use sweep::Provenance;

use super::{plural, source_line};
use crate::Failure;
use crate::cli::SelfcheckArgs;
use crate::endpoint::Endpoint;
use crate::error::with_causes;
use crate::keys::{self, KeyError, KeyRun, Uncut};
use crate::output::{Output, grid};
use crate::settings::{CorpusPlace, EndpointChoice, chosen};

/// The checks, in the order of their columns:
///
/// - `reads`: the file has no error;
/// - `answers`: the key comes back with a table;
/// - `stable`: a second run gives the same table;
/// - `empty`: the key is empty exactly where the record expects it;
/// - `self`: the key scored against itself is exact and, where it has an order, ordered;
/// - `total`: a LIMIT cuts a total order.
const CHECKS: [&str; 6] = ["reads", "answers", "stable", "empty", "self", "total"];

/// The whole report.
#[derive(Serialize)]
struct Report {
    passed: bool,
    #[serde(flatten)]
    provenance: Provenance,
    records: Vec<Checked>,
}

/// One record's checks.
#[derive(Serialize)]
struct Checked {
    record: String,
    passed: bool,
    rows: Option<usize>,
    checks: Vec<Check>,
}

/// One check of one record; a check that needs the key's rows is left out where there are none to look at.
#[derive(Serialize)]
struct Check {
    #[serde(rename = "check")]
    name: &'static str,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

pub(super) async fn run(args: &SelfcheckArgs, output: Output) -> Result<(), Failure> {
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let chosen = chosen(&corpus, args.tier.as_deref())?;
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;
    let mut records = Vec::new();
    for record in chosen {
        records.push(check(record, &endpoint).await?);
    }
    let failed = records.iter().filter(|record| !record.passed).count();
    let report = Report {
        passed: failed == 0,
        provenance: endpoint.provenance().clone(),
        records,
    };
    output.print(&report, text)?;
    if failed == 0 {
        Ok(())
    } else {
        Err(Failure::Check(format!(
            "{} did not pass",
            plural(failed, "record")
        )))
    }
}

async fn check(record: &Record, endpoint: &Endpoint) -> Result<Checked, Failure> {
    let mut checks = Vec::new();
    let first_error = record
        .problems
        .iter()
        .find(|problem| problem.severity == record::Severity::Error);
    checks.push(Check::new(
        "reads",
        first_error.map(|problem| format!("{}:{problem}", record.file)),
    ));
    let rows = match keys::tried(record, endpoint).await? {
        Ok(key) => {
            checks.push(Check::new("answers", None));
            checks.push(Check::new("stable", stable(record, &key, endpoint).await));
            checks.push(Check::new("empty", empty(record, &key)));
            checks.push(Check::new("self", against_itself(record, &key)));
            checks.push(Check::new("total", total(record, &key, endpoint).await));
            Some(key.table.len())
        }
        Err(error) => {
            checks.push(Check::new("answers", Some(failure(&error))));
            None
        }
    };
    Ok(Checked {
        record: record.id().to_owned(),
        passed: checks.iter().all(|check| check.passed),
        rows,
        checks,
    })
}

impl Check {
    fn new(name: &'static str, trouble: Option<String>) -> Self {
        Self {
            name,
            passed: trouble.is_none(),
            detail: trouble,
        }
    }
}

async fn stable(record: &Record, first: &KeyRun, endpoint: &Endpoint) -> Option<String> {
    match KeyRun::of(record, endpoint).await {
        Ok(second) if second.hash == first.hash => None,
        Ok(second) => Some(format!(
            "the second run gave another table ({} after {})",
            second.hash, first.hash
        )),
        Err(error) => Some(format!("the second run gave no table: {}", failure(&error))),
    }
}

fn empty(record: &Record, key: &KeyRun) -> Option<String> {
    match (record.expect_empty(), key.table.len()) {
        (true, 0) => None,
        (true, rows) => Some(format!(
            "expect-empty is true and the key has {}",
            plural(rows, "row")
        )),
        (false, 0) => Some("the key has no row and expect-empty is not true".to_owned()),
        (false, _) => None,
    }
}

fn against_itself(record: &Record, key: &KeyRun) -> Option<String> {
    let score = score::score_tables(&key.key(None), &key.table, &Options::default());
    if !score.exact {
        Some("the key scored against itself is not exact".to_owned())
    } else if score.ordered == Some(false) {
        Some("the key scored against itself is not ordered".to_owned())
    } else if !record.order().is_empty() && key.order.is_none() {
        Some("the key sorts by what its columns do not show, so that no answer's order can be checked".to_owned())
    } else {
        None
    }
}

async fn total(record: &Record, key: &KeyRun, endpoint: &Endpoint) -> Option<String> {
    record.limit()?;
    if record.order().is_empty() {
        return Some(
            "LIMIT without ORDER BY: which rows it keeps is the engine's choice".to_owned(),
        );
    }
    if key.order.is_none() {
        return Some("LIMIT under an order by what the columns do not show: whether it is total cannot be seen".to_owned());
    }
    match Uncut::of(record, endpoint).await {
        Ok(uncut) => {
            let (first, second) = uncut?.first_tie()?;
            Some(format!(
                "LIMIT under an order that leaves rows {first} and {second} tied: sort by a unique column last"
            ))
        }
        Err(error) => Some(format!(
            "without its LIMIT the key gave no table: {}",
            failure(&error)
        )),
    }
}

/// A failure with the beginning of the reply behind it.
fn failure(error: &KeyError) -> String {
    let reply = match error {
        KeyError::Endpoint(error) => error.reply(),
        KeyError::NoQuery { .. } => None,
    };
    match reply.map(|reply| reply.body_start.trim()) {
        Some(start) if !start.is_empty() => {
            format!("{}; the reply began: {start}", with_causes(error))
        }
        _ => with_causes(error),
    }
}

fn text(report: &Report) -> String {
    let mut header = vec!["record", "rows"];
    header.extend(CHECKS);
    let rows = report.records.iter().map(|record| {
        let mut row = vec![
            record.record.clone(),
            record
                .rows
                .map_or_else(|| "–".to_owned(), |rows| rows.to_string()),
        ];
        row.extend(CHECKS.map(|name| {
            let check = record.checks.iter().find(|check| check.name == name);
            check
                .map_or("–", |check| if check.passed { "ok" } else { "FAILED" })
                .to_owned()
        }));
        row
    });
    let mut lines = vec![grid(&header, &[1], rows), source_line(&report.provenance)];
    for record in &report.records {
        for check in record.checks.iter().filter(|check| !check.passed) {
            let detail = check.detail.as_deref().unwrap_or_default();
            lines.push(format!("{}: {}: {detail}", record.record, check.name));
        }
    }
    lines.join("\n")
}
