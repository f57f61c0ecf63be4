//! `controls`: what each control keeps of its question's key, misses and invents, and why.

use std::path::Path;

use control::{Analysis, Fate, Lacking, NoSuchColumn};
use record::{Control, Corpus};
use serde::Serialize;
use sweep::Provenance;

use super::{derived, source_line};
use crate::Failure;
use crate::analyst::{Analyst, AnalystError};
use crate::cli::ControlsArgs;
use crate::endpoint::Endpoint;
use crate::output::{Output, figure_or_dash, grid};
use crate::settings::{CorpusPlace, EndpointChoice};

/// A control as `controls --json` prints it.
#[derive(Serialize)]
pub(super) struct Line {
    tier: String,
    control: String,
    #[serde(flatten)]
    analysis: Analysis,
    #[serde(flatten)]
    derived: Option<derived::Origin>,
    #[serde(flatten)]
    provenance: Provenance,
}

/// A control's rows and what they are worth.
pub(super) struct Compared<'a> {
    pub(super) control: &'a Control,
    pub(super) table: table::Table,
    pub(super) analysis: Analysis,
}

pub(super) async fn run(args: &ControlsArgs, output: Output) -> Result<(), Failure> {
    let place = CorpusPlace::from(&args.corpus);
    let choice = EndpointChoice::new(&args.endpoint, &place)?;
    if let Some(file) = &args.derive {
        return derived::run(file, args, &choice, output).await;
    }
    let corpus = place.read()?;
    let tiers = match &args.tier {
        Some(tier) => {
            corpus.tier(tier)?;
            vec![tier.clone()]
        }
        None => corpus.tiers(),
    };
    let endpoint = Endpoint::open(&choice).await?;
    let mut lines = Vec::new();
    for tier in tiers {
        let identity = args.identity.as_deref();
        for compared in of_tier(&corpus, &tier, identity, &endpoint).await? {
            let name = compared.control.name.clone();
            lines.push(Line::new(&tier, &name, compared.analysis, None, &endpoint));
        }
    }
    print(&lines, args.why, &endpoint, output)
}

impl Line {
    pub(super) fn new(
        tier: &str,
        control: &str,
        analysis: Analysis,
        derived: Option<derived::Origin>,
        endpoint: &Endpoint,
    ) -> Self {
        Self {
            tier: tier.to_owned(),
            control: control.to_owned(),
            analysis,
            derived,
            provenance: endpoint.provenance().clone(),
        }
    }
}

/// Prints the analyses, with a line for each wrong row where `why`.
pub(super) fn print(
    lines: &[Line],
    why: bool,
    endpoint: &Endpoint,
    output: Output,
) -> Result<(), Failure> {
    output.print(lines, |lines| {
        let header = [
            "tier",
            "control",
            "rows",
            "key",
            "kept",
            "missed",
            "invented",
            "changed",
            "below cut",
            "headline",
            "tau-b",
            "verdict",
        ];
        let rows = lines.iter().map(|line| {
            let compared = &line.analysis.comparison;
            vec![
                line.tier.clone(),
                line.control.clone(),
                compared.rows.to_string(),
                compared.key_rows.to_string(),
                compared.kept.to_string(),
                compared.missed.to_string(),
                compared.invented.to_string(),
                compared.changed.to_string(),
                compared.below_cut.to_string(),
                figure_or_dash(compared.headline_ratio),
                figure_or_dash(line.analysis.findings.tau_b),
                compared.verdict.to_string(),
            ]
        });
        let mut text = vec![grid(&header, &[2, 3, 4, 5, 6, 7, 8, 9, 10], rows)];
        for line in lines {
            let origin = line.derived.as_ref();
            text.extend(origin.map(|origin| format!("{}: {origin}", line.control)));
            text.extend(columns(line));
            if why {
                text.extend(reasons(line));
            }
        }
        text.push(source_line(endpoint.provenance()));
        text.join("\n")
    })
}

/// What has to be known about the control's columns before its counts are believed.
fn columns(line: &Line) -> Vec<String> {
    let findings = &line.analysis.findings;
    let (tier, control) = (&line.tier, &line.control);
    let missing = findings.missing_columns.iter().map(|column| {
        format!("{tier} {control} has no column `{column}`: it is missing in every row, so that every kept row counts as changed")
    });
    let position = findings.by_position.then(|| {
        format!("{tier} {control} has none of the key's column names: its columns were taken in the key's sequence")
    });
    missing.chain(position).collect()
}

/// For each wrong row a line that names it, and a line for each reason.
fn reasons(line: &Line) -> Vec<String> {
    let mut text = Vec::new();
    let explained = line.analysis.findings.why.iter();
    for row in explained.filter(|row| !row.reasons.is_empty()) {
        let fate = match row.fate {
            Fate::Missed => "misses",
            _ => "invents",
        };
        let (tier, control) = (&line.tier, &line.control);
        text.push(format!("{tier} {control} {fate} {}", row.identity));
        text.extend(row.reasons.iter().map(|reason| format!("  {reason}")));
    }
    text
}

/// Every control of a tier beside the question's key; none where the tier has no question with a key.
pub(super) async fn of_tier<'a>(
    corpus: &'a Corpus,
    tier: &str,
    identity: Option<&str>,
    endpoint: &Endpoint,
) -> Result<Vec<Compared<'a>>, Failure> {
    let controls = corpus.controls_of(tier);
    let Some(question) = corpus
        .question_of_tier(tier)
        .filter(|_| !controls.is_empty())
    else {
        return Ok(Vec::new());
    };
    let analyst = Analyst::of(question, identity, endpoint)
        .await
        .map_err(|source| failed(question.id(), source))?;
    let mut compared = Vec::new();
    for control in controls {
        let Some(query) = &control.query else {
            return Err(unreadable(control));
        };
        let answer = endpoint
            .query(&control.query_text)
            .await
            .map_err(|source| Failure::Control {
                file: control.file.clone(),
                source,
            })?;
        let analysis = analyst
            .judge(query, &answer.table, &control.keywords, endpoint)
            .await
            .map_err(|source| match source {
                AnalystError::Column(error) => lacking(&control.file, &error),
                AnalystError::Key(_) => failed(question.id(), source),
            })?;
        compared.push(Compared {
            control,
            table: answer.table,
            analysis,
        });
    }
    Ok(compared)
}

/// The failure of judging a record's controls.
pub(super) fn failed(record: &str, error: AnalystError) -> Failure {
    match error {
        AnalystError::Key(source) => Failure::Key {
            record: record.to_owned(),
            source,
        },
        AnalystError::Column(error) => lacking(record, &error),
    }
}

/// The failure of a table without a column that it takes to judge it.
fn lacking(place: &str, error: &NoSuchColumn) -> Failure {
    let hint = match error.of {
        Lacking::Key => "give one of its columns with --identity",
        Lacking::Control => {
            "select it there too, or tell rows apart by a column that both have, with --identity"
        }
    };
    Failure::usage(format!("{place}: {error}"), hint)
}

fn unreadable(control: &Control) -> Failure {
    let problem = control
        .problems
        .iter()
        .find(|problem| problem.severity == record::Severity::Error);
    match problem {
        Some(problem) => Failure::of_problem(Path::new(&control.file), problem),
        None => Failure::usage(
            format!("{} holds no query", control.file),
            "write the control's SPARQL into it",
        ),
    }
}
