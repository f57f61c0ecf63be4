//! `lint`: what is wrong between the prose and the key of records, and in plain queries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lint::{
    Fact, Facts, Finding, GraphRows, Labels, Report, Severity, Target, labels_query, labels_wanted,
    lint, probes, render, sarif,
};
use record::{Corpus, Record};
use table::{Cell, Table};

use super::plural;
use crate::Failure;
use crate::cli::{CorpusArgs, EndpointArgs, LintArgs};
use crate::endpoint::Endpoint;
use crate::keys::{Uncut, tried};
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
    let sources = read_all(&args.paths)?;
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
    let mut reports = Vec::new();
    for source in &sources {
        let mut target =
            Target::new(&source.record, &source.text).with_twin(twins.get(&source.record.file));
        if let Some(endpoint) = &endpoint {
            let facts = facts(&target, endpoint, output).await?;
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
    output: Output,
) -> Result<BTreeMap<String, Linted>, Failure> {
    // A record whose file cannot be read is listed with that alone.
    let sources = corpus.records.iter().filter_map(|record| {
        let bytes = store::read(Path::new(&record.file)).ok()?;
        Some(Source {
            record: Record::parse(record.file.clone(), &bytes),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    });
    let sources: Vec<Source> = sources.collect();
    let mut labels = Labels::default();
    fetch_labels(&sources, &mut labels, endpoint).await?;
    let twins = twins(&sources);
    let mut linted = BTreeMap::new();
    for Source { record, text } in sources {
        let target = Target::new(&record, &text).with_twin(twins.get(&record.file));
        let facts = facts(&target, endpoint, output).await?;
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
        let Some(id) = source.record.name.twin_id() else {
            continue;
        };
        let path = Path::new(&source.record.file).with_file_name(format!("{id}.rq"));
        if let Ok(Some(bytes)) = store::read_if_there(&path) {
            twins.insert(
                source.record.file.clone(),
                Record::parse(path.display().to_string(), &bytes),
            );
        }
    }
    twins
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

/// What an endpoint tells about a key. A query that it does not answer leaves its facts open, which is said.
async fn facts(target: &Target<'_>, endpoint: &Endpoint, output: Output) -> Result<Facts, Failure> {
    let mut facts = Facts::default();
    let record = target.record;
    if record.query.is_none() {
        return Ok(facts);
    }
    match tried(record, endpoint).await? {
        Ok(key) => {
            facts.rows = Some(key.table.len());
            if !key.table.is_empty() && !record.columns().is_empty() {
                facts.unbound_columns = Some(unbound(&key.table));
            }
        }
        Err(error) => {
            output.say(format!(
                "{}: the key gave no table, and its rows are not judged: {error}",
                record.file
            ));
            return Ok(facts);
        }
    }
    if let Some(limit) = record.limit() {
        match Uncut::of(record, endpoint).await {
            Ok(Some(uncut)) => {
                facts.rows_without_limit = Some(uncut.table.len());
                facts.tied_at_cut = uncut.tie_pool(limit).map(|pool| pool.len());
            }
            Ok(None) => {}
            Err(error) => output.say(format!(
                "{}: the key without its LIMIT gave no table: {error}",
                record.file
            )),
        }
    }
    let mut graphs = Vec::new();
    for probe in probes(target) {
        let Fact::Graph(graph) = probe.fact else {
            continue;
        };
        let rows = endpoint.query(&probe.query).await?.table.len();
        graphs.push(GraphRows { graph, rows });
    }
    if !graphs.is_empty() {
        facts.graphs_with_term = Some(graphs);
    }
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
