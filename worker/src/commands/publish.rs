//! `publish`: the results of sweeps as a site that any static host serves.
//!
//! ```text
//! <out>/                       the explorer's own files, with --explorer
//! <out>/results/index.json     see sweep::BundleIndex
//! <out>/results/records/…      see sweep::RecordPage
//! <out>/results/comparison/…   what `compare` writes
//! <out>/snapshot/…             the embedded federation, where the sweeps ran on it
//! ```
//!
//! Keys and controls are run again, on the same endpoint as the sweeps, and every attempt is judged again, so that what
//! is published follows from the corpus, the endpoint and the attempts' own files alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{Arm, Corpus, Record, Severity};
use serde::Serialize;
use sweep::{
    AgentEntry, AttemptEntry, BundleIndex, CellEntry, CompareOptions, Condition, ControlEntry,
    Metrics, Observation, RecordEntry, RecordPage, Run, RunFacts, SnapshotEntry, SweepComparison,
    Version,
};

use super::{compare, controls, plural};
use crate::cli::PublishArgs;
use crate::endpoint::Endpoint;
use crate::evidence::root_of;
use crate::judge::Judge;
use crate::keys::{self, KeyError, KeyRun};
use crate::output::Output;
use crate::runner::cell;
use crate::runs::RunFolder;
use crate::settings::{CorpusPlace, EndpointChoice};
use crate::{Failure, attempts, imported, store};

/// Folder of the results.
const RESULTS: &str = "results";
/// The file in it by which a published site is known.
const INDEX: &str = "index.json";
/// Folder of the embedded federation.
const SNAPSHOT: &str = "snapshot";
/// Folder of the comparison, beside the index.
const COMPARISON: &str = "comparison";

/// What `publish --json` prints.
#[derive(Serialize)]
pub(super) struct Published {
    site: String,
    records: usize,
    agents: usize,
    attempts: usize,
}

pub(super) async fn run(args: &PublishArgs, output: Output) -> Result<(), Failure> {
    output.print(&publish(args).await?, |published| {
        let attempts = plural(published.attempts, "attempt");
        let agents = plural(published.agents, "agent");
        format!(
            "{}: {attempts} of {agents} at {}",
            published.site,
            plural(published.records, "record")
        )
    })
}

/// Writes the site.
pub(super) async fn publish(args: &PublishArgs) -> Result<Published, Failure> {
    let site = place_of_site(args)?;
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;
    let runs = runs(&args.runs, &corpus, &endpoint)?;
    if let Some(explorer) = &args.explorer
        && !explorer.join("index.html").is_file()
    {
        return Err(Failure::usage(
            format!("{} holds no built explorer", explorer.display()),
            "give the folder of its index.html with --explorer",
        ));
    }
    let explorer = match args.explorer.as_deref() {
        Some(folder) => Some((folder, store::plain_files(folder)?)),
        None => None,
    };

    let bundle = Publisher {
        corpus: &corpus,
        endpoint: &endpoint,
        runs: &runs,
    };
    let mut pages = Vec::new();
    let mut cells = Vec::new();
    for record in &corpus.records {
        let page = bundle.page(record).await?;
        cells.extend(cells_of(&page, &runs));
        pages.push(page);
    }
    let comparison = side_by_side(&pages, &runs, args.allow_mixed)?;
    let index = bundle.index(&pages, cells);
    write(&site, explorer, &endpoint, &index, &pages, &comparison)?;

    Ok(Published {
        site: args.out.display().to_string(),
        records: pages.len(),
        agents: runs.len(),
        attempts: pages.iter().map(|page| page.attempts.len()).sum(),
    })
}

/// The sweeps side by side, from the figures that were judged just now.
fn side_by_side(
    pages: &[RecordPage],
    runs: &[NamedRun],
    allow_mixed: bool,
) -> Result<SweepComparison, Failure> {
    let runs = runs.iter().map(|run| {
        let attempts = pages.iter().flat_map(|page| &page.attempts);
        let own = attempts.filter(|attempt| attempt.agent == run.id);
        Run {
            folder: run.folder.root().display().to_string(),
            facts: RunFacts::from(&run.folder.manifest.condition),
            observations: own
                .map(|attempt| Observation::from(&attempt.metrics))
                .collect(),
        }
    });
    let options = CompareOptions {
        allow_mixed,
        ..CompareOptions::default()
    };
    sweep::compare(runs.collect(), &options).map_err(|error| compare::refused(&error))
}

/// A sweep and the name that it has in the bundle.
struct NamedRun {
    id: String,
    folder: RunFolder,
}

fn runs(
    folders: &[PathBuf],
    corpus: &Corpus,
    endpoint: &Endpoint,
) -> Result<Vec<NamedRun>, Failure> {
    let mut runs = Vec::new();
    let mut seen = BTreeMap::new();
    for folder in folders {
        if let Some(imported) = imported::roots(folder)?.first() {
            return Err(Failure::usage(
                format!("{} was scored by another harness", imported.display()),
                "a site shows what this program has judged itself; `okn-benchmark compare` reads imported sweeps",
            ));
        }
        for folder in RunFolder::read_all(folder)? {
            let condition = &folder.manifest.condition;
            comparable(folder.root(), condition, corpus, endpoint)?;
            let id = RunFacts::from(condition).label();
            if let Some(other) = seen.insert(id.clone(), folder.root().to_owned()) {
                return Err(Failure::usage(
                    format!(
                        "{} and {} both hold a sweep of {id}",
                        other.display(),
                        folder.root().display()
                    ),
                    "publish one of the two",
                ));
            }
            runs.push(NamedRun { id, folder });
        }
    }
    Ok(runs)
}

/// Refuses a sweep over other records or another endpoint: figures of two of them do not belong on one page.
fn comparable(
    root: &Path,
    condition: &Condition,
    corpus: &Corpus,
    endpoint: &Endpoint,
) -> Result<(), Failure> {
    if condition.corpus_hash != corpus.hash() {
        return Err(Failure::usage(
            format!(
                "{} was run over another corpus, or over this one before it changed",
                root.display()
            ),
            "give its corpus with --corpus, or run it again",
        ));
    }
    let here = endpoint.provenance();
    if condition.provenance != *here {
        let there = &condition.provenance;
        return Err(Failure::usage(
            format!(
                "{} was run on {} ({}), not on {} ({})",
                root.display(),
                there.endpoint,
                there.kind.as_str(),
                here.endpoint,
                here.kind.as_str()
            ),
            "give the endpoint of the sweep with --endpoint; a bundle never mixes two",
        ));
    }
    Ok(())
}

struct Publisher<'a> {
    corpus: &'a Corpus,
    endpoint: &'a Endpoint,
    runs: &'a [NamedRun],
}

impl Publisher<'_> {
    async fn page(&self, record: &Record) -> Result<RecordPage, Failure> {
        let key = match KeyRun::of(record, self.endpoint).await {
            Ok(key) => Some(key),
            // The record is published with its problems; attempts at it there are none.
            Err(KeyError::NoQuery { .. }) => None,
            Err(source) => {
                return Err(Failure::Key {
                    record: record.id().to_owned(),
                    source,
                });
            }
        };
        let attempts = match &key {
            Some(key) => self.attempts(record, key)?,
            None => Vec::new(),
        };
        let twin = self.corpus.twin(record.id());
        Ok(RecordPage {
            format: Version,
            entry: entry(record, twin, key.as_ref().map(|key| key.table.len())),
            file: record.file.clone(),
            query: record.query_text.clone(),
            query_line: record.query_line,
            problems: record.problems.clone(),
            identity: key
                .as_ref()
                .and_then(|key| control::identity_column(&key.table)),
            root: root_of(record, self.corpus),
            order: key.as_ref().and_then(|key| key.order.clone()),
            controls: self.controls(record).await?,
            key: key.map(|key| key.entry(self.endpoint)),
            attempts,
        })
    }

    async fn controls(&self, record: &Record) -> Result<Vec<ControlEntry>, Failure> {
        let Some(tier) = record
            .name
            .tier
            .as_deref()
            .filter(|_| record.name.arm == Some(Arm::Expand))
        else {
            return Ok(Vec::new());
        };
        let compared = controls::of_tier(self.corpus, tier, None, self.endpoint).await?;
        Ok(compared
            .into_iter()
            .map(|compared| ControlEntry {
                name: compared.control.name.clone(),
                letter: compared.control.letter,
                summary: compared.control.header.text("summary").map(str::to_owned),
                keywords: compared.control.keywords.clone(),
                query: compared.control.query_text.clone(),
                rows: table::to_sparql_json(&compared.table),
                comparison: compared.analysis.comparison,
                findings: compared.analysis.findings,
            })
            .collect())
    }

    fn attempts(&self, record: &Record, key: &KeyRun) -> Result<Vec<AttemptEntry>, Failure> {
        let judge = Judge::new(record, self.corpus, key);
        let mut entries = Vec::new();
        for run in self.runs {
            for n in run.folder.attempts(record.id())? {
                let Some((episode, _)) = attempts::read(&run.folder.attempt(record.id(), n))?
                else {
                    continue;
                };
                let verdict = judge.verdict(&run.folder.manifest.condition.agent, n, &episode);
                entries.push(AttemptEntry {
                    agent: run.id.clone(),
                    n,
                    metrics: verdict.metrics,
                    score: verdict.score,
                    answer: episode
                        .answer
                        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
                    calls: episode.calls,
                });
            }
        }
        Ok(entries)
    }

    fn index(&self, pages: &[RecordPage], cells: Vec<CellEntry>) -> BundleIndex {
        let agents = self.runs.iter().map(|run| AgentEntry {
            id: run.id.clone(),
            condition: run.folder.manifest.condition.clone(),
        });
        BundleIndex {
            format: Version,
            provenance: self.endpoint.provenance().clone(),
            created: keys::now(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            corpus_hash: self.corpus.hash(),
            records: pages.iter().map(|page| page.entry.clone()).collect(),
            agents: agents.collect(),
            cells,
            comparison: Some(format!("results/{COMPARISON}/{}", compare::JSON)),
            snapshot: self.endpoint.snapshot().map(|_| SnapshotEntry {
                manifest: "snapshot/manifest.json".to_owned(),
            }),
        }
    }
}

fn cells_of(page: &RecordPage, runs: &[NamedRun]) -> Vec<CellEntry> {
    let mut cells = Vec::new();
    for run in runs {
        let own = page
            .attempts
            .iter()
            .filter(|attempt| attempt.agent == run.id);
        let metrics: Vec<Metrics> = own.map(|attempt| attempt.metrics.clone()).collect();
        if !metrics.is_empty() {
            cells.push(cell(&page.entry.id, &run.id, &metrics));
        }
    }
    cells
}

/// A record as the bundle's index lists it.
fn entry(record: &Record, twin: Option<&Record>, key_rows: Option<usize>) -> RecordEntry {
    let errors = record
        .problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .count();
    RecordEntry {
        id: record.id().to_owned(),
        summary: record.summary().map(str::to_owned),
        arm: record.name.arm,
        tier: record.name.tier.clone(),
        kg: record.name.kg.clone(),
        tags: record.tags().to_vec(),
        columns: record.columns(),
        expect_empty: record.expect_empty(),
        errors,
        lints: record.problems.len() - errors,
        key_rows,
        twin: twin.map(|twin| twin.id().to_owned()),
    }
}

/// Refuses a place whose files are not this program's to replace; the place, its links followed.
fn place_of_site(args: &PublishArgs) -> Result<PathBuf, Failure> {
    let out = args.out.display();
    let site = store::resolved(&args.out)?;
    for folder in args.runs.iter().chain(&args.explorer) {
        let other = store::resolved(folder)?;
        if site.starts_with(&other) || other.starts_with(&site) {
            return Err(Failure::usage(
                format!("{out} and {} lie in each other", folder.display()),
                "give a folder of its own with --out",
            ));
        }
    }
    if !store::is_vacant(&site)? && !site.join(RESULTS).join(INDEX).is_file() {
        return Err(Failure::usage(
            format!("{out} holds files, and no site that was published"),
            "give a new or empty folder with --out, or that of an earlier site",
        ));
    }
    Ok(site)
}

/// Writes the site, all of it aside at first, so that what was there stays whole until the new one is.
fn write(
    site: &Path,
    explorer: Option<(&Path, Vec<PathBuf>)>,
    endpoint: &Endpoint,
    index: &BundleIndex,
    pages: &[RecordPage],
    comparison: &SweepComparison,
) -> Result<(), Failure> {
    let scratch = store::scratch_folder(store::above(site))?;
    let new = scratch.path().join("new");
    let copied = |from: &Path, to: &Path| store::write_whole(to, &store::read(from)?);
    if let Some((folder, files)) = explorer {
        for file in files {
            copied(&folder.join(&file), &new.join(&file))?;
        }
    }
    if let Some((folder, files)) = endpoint.snapshot() {
        for file in files {
            copied(&folder.join(&file), &new.join(SNAPSHOT).join(&file))?;
        }
    }
    let results = new.join(RESULTS);
    for page in pages {
        let file = results
            .join("records")
            .join(format!("{}.json", page.entry.id));
        store::write_whole(&file, &attempts::json(page))?;
    }
    compare::write(&results.join(COMPARISON), comparison, None)?;
    store::write_whole(&results.join(INDEX), &attempts::json(index))?;
    Ok(store::replace_folder(
        scratch,
        &new,
        site,
        &[RESULTS, SNAPSHOT],
    )?)
}
