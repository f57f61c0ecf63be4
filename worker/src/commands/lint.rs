//! `lint`: what is wrong between the prose and the key of records, and in plain queries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lint::{
    Fact, Facts, Finding, GraphRows, Labels, Probe, Report, Severity, Target, Unanswered,
    labels_query, labels_wanted, lint, probes, render, sarif,
};
use record::{Corpus, Record};
use table::{Cell, Table};

use super::plural;
use crate::Failure;
use crate::cli::{CorpusArgs, EndpointArgs, LintArgs};
use crate::endpoint::Endpoint;
use crate::error::with_causes;
use crate::keys::Uncut;
use crate::output::Output;
use crate::settings::{CorpusPlace, EndpointChoice};
use crate::store;

/// IRIs whose labels are asked for at once.
const LABELS_AT_ONCE: usize = 200;

/// A file that is linted.
struct Source {
    record: Record,
    text: String,
}

pub(super) async fn run(args: &LintArgs, output: Output) -> Result<(), Failure> {
    // `--json` may stand before the command, where clap sees no conflict.
    if args.sarif && output.is_json() {
        return Err(Failure::usage(
            "--json and --sarif are two forms of one report",
            "give one of them; SARIF is JSON too",
        ));
    }
    let mut sources = read_all(&args.paths)?;
    let mut labels = match &args.labels {
        Some(file) => read_labels(file)?,
        None => Labels::default(),
    };
    let endpoint = match &args.endpoint {
        Some(endpoint) => Some(open(endpoint, args).await?),
        None => None,
    };
    if let Some(endpoint) = &endpoint {
        fetch_labels(&sources, &mut labels, endpoint).await?;
    }
    let twins = twins(&sources);
    for Source { record, .. } in &mut sources {
        let is_there = twin_file(record).is_some_and(|twin| twin.exists());
        record.miss_twin(|_| is_there);
    }
    let mut reports = Vec::new();
    for source in &sources {
        let mut target =
            Target::new(&source.record, &source.text).with_twin(twins.get(&source.record.file));
        if let Some(endpoint) = &endpoint {
            let facts = facts(&target, endpoint).await?;
            target = target.with_facts(facts);
        }
        reports.push(lint(&target, &labels));
    }
    print(&reports, &sources, args.sarif, output)?;
    tell(&reports, output);
    let errors = reports.iter().flat_map(|report| &report.findings);
    match errors
        .filter(|finding| finding.severity == Severity::Error)
        .count()
    {
        0 => Ok(()),
        errors => Err(Failure::Check(format!(
            "the lint found {}",
            plural(errors, "error")
        ))),
    }
}

/// A record's file and what the lint finds in it.
#[derive(Default)]
pub(super) struct Linted {
    /// The whole text of the file.
    pub(super) text: String,
    pub(super) report: Report,
}

/// Lints every record of a corpus, with labels and figures from the endpoint; by file.
pub(super) async fn of_corpus(
    corpus: &Corpus,
    endpoint: &Endpoint,
) -> Result<BTreeMap<String, Linted>, Failure> {
    // A record whose file cannot be read is listed with that alone.
    let sources = corpus.records.iter().filter_map(|record| {
        let bytes = store::read(Path::new(&record.file)).ok()?;
        Some(Source {
            record: record.clone(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    });
    let sources: Vec<Source> = sources.collect();
    let mut labels = Labels::default();
    fetch_labels(&sources, &mut labels, endpoint).await?;
    let mut linted = BTreeMap::new();
    for Source { record, text } in sources {
        let target = Target::new(&record, &text).with_twin(corpus.twin(record.id()));
        let facts = facts(&target, endpoint).await?;
        let report = lint(&target.with_facts(facts), &labels);
        linted.insert(record.file, Linted { text, report });
    }
    Ok(linted)
}

fn print(
    reports: &[Report],
    sources: &[Source],
    as_sarif: bool,
    output: Output,
) -> Result<(), Failure> {
    if as_sarif {
        return Output::new(true).print(&sarif(reports), |_| String::new());
    }
    let findings: Vec<&Finding> = reports.iter().flat_map(|report| &report.findings).collect();
    output.print(&findings, |findings| {
        let mut text = String::new();
        for (report, source) in reports.iter().zip(sources) {
            text.push_str(&render(report, &source.text));
        }
        let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
        let counts = [
            plural(count(Severity::Error), "error"),
            plural(count(Severity::Warning), "warning"),
            plural(count(Severity::Note), "note"),
        ];
        text + &plural(reports.len(), "file") + ": " + &counts.join(", ")
    })
}

/// Says which rules could not judge, and why, a line for each reason.
fn tell(reports: &[Report], output: Output) {
    let mut silent: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<&str>)> = BTreeMap::new();
    for report in reports {
        for silence in &report.silent {
            let (rules, files) = silent.entry(&silence.why).or_default();
            rules.insert(&silence.rule);
            files.insert(&report.file);
        }
    }
    for (why, (rules, files)) in silent {
        let rules: Vec<&str> = rules.into_iter().collect();
        let files = plural(files.len(), "file");
        output.say(format!("silent on {files}, {why}: {}", rules.join(", ")));
    }
}

fn read_all(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut files = BTreeSet::new();
    let mut named = BTreeSet::new();
    for path in paths {
        let before = files.len();
        if path.is_dir() {
            collect(path, &mut files)?;
            if files.len() == before {
                return Err(Failure::usage(
                    format!("no `.rq` file lies in {}", path.display()),
                    "give `.rq` files, or folders that hold some",
                ));
            }
        } else {
            files.insert(path.clone());
            named.insert(path.clone());
        }
    }
    files
        .iter()
        .map(|path| match store::read(path) {
            Ok(bytes) => Ok(Source {
                record: Record::parse(path.display().to_string(), &bytes),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            }),
            // What was asked for by name is all that was asked for; one of a folder's files takes no other with it.
            Err(error) if named.contains(path) => Err(error.into()),
            Err(error) => Ok(Source {
                record: Record::unreadable(path.display().to_string(), &error.source.to_string()),
                text: String::new(),
            }),
        })
        .collect()
}

fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    for path in store::list(folder)? {
        // A link to a folder above would lead round for ever.
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files)?;
        } else if !path.is_dir() && path.extension().is_some_and(|extension| extension == "rq") {
            files.insert(path);
        }
    }
    Ok(())
}

/// The other half of each pair, from the same folder, whether or not it was given.
fn twins(sources: &[Source]) -> BTreeMap<String, Record> {
    let mut twins = BTreeMap::new();
    for source in sources {
        let Some(path) = twin_file(&source.record) else {
            continue;
        };
        if let Ok(Some(bytes)) = store::read_if_there(&path) {
            twins.insert(
                source.record.file.clone(),
                Record::parse(path.display().to_string(), &bytes),
            );
        }
    }
    twins
}

/// Where the other half of a record's pair has to lie.
fn twin_file(record: &Record) -> Option<PathBuf> {
    let id = record.name.twin_id()?;
    Some(Path::new(&record.file).with_file_name(format!("{id}.rq")))
}

fn read_labels(file: &Path) -> Result<Labels, Failure> {
    let bytes = store::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let input = |line: usize, column: usize, message: String, remedy: &str| Failure::Input {
        file: file.to_owned(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        message,
        remedy: Some(remedy.to_owned()),
    };
    if file
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        return serde_json::from_str(&text).map_err(|error| {
            input(
                error.line(),
                error.column().max(1),
                // The message ends in the place, which is already told.
                error
                    .to_string()
                    .split(" at line ")
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                "write {\"IRI\": {\"labels\": […], \"synonyms\": […]}}",
            )
        });
    }
    Labels::from_tsv(&text).map_err(|error| {
        input(
            error.line(),
            1,
            error.to_string(),
            "write lines of IRI, tab, text, and perhaps tab and `label` or `synonym`",
        )
    })
}

async fn open(endpoint: &str, args: &LintArgs) -> Result<Endpoint, Failure> {
    // The embedded federation lies in the corpus; there is none of its own to lint here.
    let place = CorpusPlace::from(&CorpusArgs {
        corpus: PathBuf::from("benchmarks-ontology"),
        controls: None,
    });
    let choice = EndpointChoice::new(
        &EndpointArgs {
            endpoint: Some(endpoint.to_owned()),
            snapshot: args.snapshot.clone(),
            timeout: args.timeout,
        },
        &place,
    )?;
    Ok(Endpoint::open(&choice).await?)
}

async fn fetch_labels(
    sources: &[Source],
    labels: &mut Labels,
    endpoint: &Endpoint,
) -> Result<(), Failure> {
    let wanted: BTreeSet<String> = sources
        .iter()
        .filter_map(|source| source.record.query.as_ref())
        .flat_map(labels_wanted)
        .filter(|iri| labels.get(iri).is_none())
        .collect();
    let wanted: Vec<String> = wanted.into_iter().collect();
    for some in wanted.chunks(LABELS_AT_ONCE) {
        let query = labels_query(&some.iter().cloned().collect());
        let answer = endpoint.query(&query).await?;
        for row in answer.table.rows() {
            if let [Cell::Iri(iri), text, kind] = row {
                labels.add(iri, &text.to_string(), kind.to_string() == "synonym");
            }
        }
    }
    Ok(())
}

/// What an endpoint tells about a key. What it does not answer is told too; one that is out of reach ends the report.
async fn facts(target: &Target<'_>, endpoint: &Endpoint) -> Result<Facts, Failure> {
    let mut facts = Facts::default();
    let record = target.record;
    let mut graphs = Vec::new();
    let mut unanswered = Vec::new();
    for Probe { fact, query } in probes(target) {
        // What did not answer the key would have to work at least as long without its LIMIT.
        if fact == Fact::WithoutLimit && facts.rows.is_none() {
            continue;
        }
        // As it is written, so that a place in the endpoint's complaint is one in the file.
        let query = if fact == Fact::Key {
            &record.query_text
        } else {
            &query
        };
        let table = match endpoint.query(query).await {
            Ok(answer) => answer.table,
            Err(error) if error.is_usage() || error.is_out_of_reach() => return Err(error.into()),
            Err(error) => {
                let (query, why) = (fact.to_string(), with_causes(&error));
                unanswered.push(Unanswered { query, why });
                continue;
            }
        };
        match fact {
            Fact::Key => {
                facts.rows = Some(table.len());
                if !table.is_empty() && !record.columns().is_empty() {
                    facts.unbound_columns = Some(unbound(&table));
                }
            }
            Fact::WithoutLimit => {
                facts.rows_without_limit = Some(table.len());
                let uncut = Uncut::ordered(record, table);
                let pool = record.limit().and_then(|limit| uncut.tie_pool(limit));
                facts.tied_at_cut = pool.map(|pool| pool.len());
            }
            Fact::Graph(graph) => graphs.push(GraphRows {
                graph,
                rows: table.len(),
            }),
        }
    }
    facts.graphs_with_term = (!graphs.is_empty()).then_some(graphs);
    facts.unanswered = (!unanswered.is_empty()).then_some(unanswered);
    Ok(facts)
}

/// The columns that have a value in no row.
fn unbound(table: &Table) -> Vec<String> {
    table
        .columns()
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            table
                .rows()
                .all(|row| matches!(row.get(*index), None | Some(Cell::Missing)))
        })
        .map(|(_, name)| name.clone())
        .collect()
}
