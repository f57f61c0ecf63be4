//! `publish`: the results of sweeps as a site that any static host serves.
//!
//! ```text
//! <out>/                       the explorer's own files, with --explorer
//! <out>/results/index.json     see sweep::BundleIndex
//! <out>/results/records/…      see sweep::RecordPage
//! <out>/results/analyses/…     see sweep::AnalysisPage
//! <out>/results/attempts/…     see sweep::AttemptPage
//! <out>/results/rules.json     see sweep::RulesPage
//! <out>/results/comparison/…   what `compare` writes
//! <out>/results/ava/…          see sweep::AvaBoard, and files of triplets
//! <out>/snapshot/…             the embedded federation, where the sweeps ran on it
//! ```
//!
//! Keys and controls are run again, on the same endpoint as the sweeps, and every attempt is judged again, so that what
//! is published follows from the corpus, the endpoint and the attempts' own files alone.

use std::path::{Path, PathBuf};

use record::{Arm, Corpus, Record, Severity};
use serde::Serialize;
use sweep::{
    AgentEntry, AnalysisPage, AttemptEntry, AttemptPage, BundleIndex, CellEntry, Change,
    CompareOptions, Condition, ControlAnalysis, ControlEntry, Metrics, Observation, Provenance,
    RecordEntry, RecordPage, RuleEntry, RuleExample, RuleFamily, RulesPage, Run, RunFacts,
    SnapshotEntry, SweepComparison, Version, sweep_names,
};

use super::lint::Linted;
use super::publish_ava::Ava;
use super::{compare, controls, lint, plural};
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
/// Folder of the analyses, beside the index.
const ANALYSES: &str = "analyses";
/// Folder of the attempts, beside the index.
const ATTEMPTS: &str = "attempts";
/// File of the lint's rules, beside the index.
const RULES: &str = "rules.json";

/// What `publish --json` prints.
#[derive(Serialize)]
pub(super) struct Published {
    site: String,
    /// Records on the site, those that nobody was asked among them.
    records: usize,
    /// Records with attempts.
    asked: usize,
    agents: usize,
    attempts: usize,
    /// Results of models on AVA.
    ava_results: usize,
}

pub(super) async fn run(args: &PublishArgs, output: Output) -> Result<(), Failure> {
    let published = publish(args, output).await?;
    // Another time it may have been given, and the site has its pages from then.
    if !args.out.join("index.html").is_file() {
        output.say(
            "the results are written, and no pages that show them: --explorer DIR adds those of a built explorer, such as `cargo xtask site` leaves in target/explorer",
        );
    }
    output.print(&published, |published| {
        let attempts = plural(published.attempts, "attempt");
        let agents = plural(published.agents, "agent");
        let records = match published.records {
            all if all == published.asked => plural(all, "record"),
            all => format!("{} of {}", published.asked, plural(all, "record")),
        };
        let ava = match published.ava_results {
            0 => String::new(),
            some => format!(", {} of models on AVA", plural(some, "result")),
        };
        format!(
            "{}: {attempts} of {agents} at {records}{ava}",
            published.site
        )
    })
}

/// Writes the site.
pub(super) async fn publish(args: &PublishArgs, output: Output) -> Result<Published, Failure> {
    let site = place_of_site(args)?;
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;
    let runs = runs(&args.runs, &corpus, &endpoint)?;
    let ava = Ava::read(args, RESULTS)?;
    if let Some(explorer) = &args.explorer
        && !explorer.join("index.html").is_file()
    {
        return Err(Failure::usage(
            format!("{} holds no built explorer", explorer.display()),
            "give the folder of its index.html with --explorer; `cargo xtask site` builds one in target/explorer",
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
    let mut linted = lint::of_corpus(&corpus, &endpoint).await?;
    let mut pages = Vec::new();
    let mut analyses = Vec::new();
    let mut attempts = Vec::new();
    let mut cells = Vec::new();
    for record in &corpus.records {
        let (page, controls, own) = bundle.page(record).await?;
        let Linted { text, report } = linted.remove(&record.file).unwrap_or_default();
        analyses.push(AnalysisPage {
            format: Version,
            record: record.id().to_owned(),
            file: record.file.clone(),
            source: text,
            lint: report,
            controls,
        });
        cells.extend(cells_of(&page, &runs));
        pages.push(page);
        attempts.extend(own);
    }
    for NamedRun { folder, .. } in &runs {
        let condition = &folder.manifest.condition;
        comparable(folder.root(), condition, &corpus, endpoint.provenance())?;
    }
    let (comparison, changes) = side_by_side(&pages, &runs, args, output)?;
    let results = Results {
        index: bundle.index(&pages, cells, &ava),
        pages,
        analyses,
        attempts,
        comparison,
        changes,
        ava,
    };
    write(&site, explorer, &endpoint, &results)?;
    let pages = &results.pages;

    Ok(Published {
        site: args.out.display().to_string(),
        records: pages.len(),
        asked: pages
            .iter()
            .filter(|page| !page.attempts.is_empty())
            .count(),
        agents: runs.len(),
        attempts: pages.iter().map(|page| page.attempts.len()).sum(),
        ava_results: results.ava.results(),
    })
}

/// The sweeps side by side, from the figures that were judged just now, and what became of each record since an earlier
/// sweep where one is given. As in `compare`, the earlier sweeps stand beside the others.
fn side_by_side(
    pages: &[RecordPage],
    runs: &[NamedRun],
    args: &PublishArgs,
    output: Output,
) -> Result<(SweepComparison, Option<Vec<Change>>), Failure> {
    let judged = runs.iter().map(|run| {
        let attempts = pages.iter().flat_map(|page| &page.attempts);
        let own = attempts.filter(|attempt| attempt.agent == run.id);
        Run {
            folder: run.folder.root().display().to_string(),
            facts: RunFacts::from(&run.folder.manifest),
            observations: own
                .map(|attempt| Observation::from(&attempt.metrics))
                .collect(),
        }
    });
    let mut judged: Vec<Run> = judged.collect();
    let mut changes = None;
    if let Some(folder) = &args.against {
        let before = compare::read_all(std::slice::from_ref(folder))?;
        changes = Some(compare::against(
            folder,
            &before,
            &judged,
            args.tolerance,
            output,
        )?);
        judged.extend(before);
    }
    let options = CompareOptions {
        allow_mixed: args.allow_mixed,
        ..CompareOptions::default()
    };
    let comparison = sweep::compare(judged, &options).map_err(|error| compare::refused(&error))?;
    Ok((comparison, changes))
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
    let mut there = Vec::new();
    let mut seen = compare::Seen::default();
    for folder in folders {
        if let Some(imported) = imported::roots(folder)?.first() {
            return Err(Failure::usage(
                format!("{} was scored by another harness", imported.display()),
                "a site shows what this program has judged itself; `okn-benchmark compare` reads imported sweeps",
            ));
        }
        for folder in RunFolder::read_all(folder)? {
            let condition = &folder.manifest.condition;
            // An endpoint that has not answered yet may well be the one that the sweep was run on: the keys will tell.
            let here = endpoint.provenance().or_before(&condition.provenance);
            comparable(folder.root(), condition, corpus, &here)?;
            seen.note(folder.root())?;
            there.push(folder);
        }
    }
    let given: Vec<(String, String)> = there
        .iter()
        .map(|folder| {
            let label = RunFacts::from(&folder.manifest).label();
            (label, folder.root().display().to_string())
        })
        .collect();
    let names = sweep_names(&given).into_iter();
    Ok(names
        .zip(there)
        .map(|(id, folder)| NamedRun { id, folder })
        .collect())
}

/// Refuses a sweep over other records or another endpoint: figures of two of them do not belong on one page.
fn comparable(
    root: &Path,
    condition: &Condition,
    corpus: &Corpus,
    here: &Provenance,
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
    /// A record's page, the analyses of its controls, and the files of its attempts.
    async fn page(
        &self,
        record: &Record,
    ) -> Result<(RecordPage, Vec<ControlAnalysis>, Vec<AttemptPage>), Failure> {
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
        let (entries, attempts): (Vec<_>, Vec<_>) = attempts.into_iter().unzip();
        let (controls, analyses) = self.controls(record).await?.into_iter().unzip();
        let twin = self.corpus.twin(record.id());
        let page = RecordPage {
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
            controls,
            key: key.map(|key| key.entry(self.endpoint)),
            attempts: entries,
            analysis: format!("{RESULTS}/{ANALYSES}/{}.json", record.id()),
        };
        Ok((page, analyses, attempts))
    }

    async fn controls(
        &self,
        record: &Record,
    ) -> Result<Vec<(ControlEntry, ControlAnalysis)>, Failure> {
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
            .map(|compared| {
                let control = compared.control;
                let entry = ControlEntry {
                    name: control.name.clone(),
                    letter: control.letter,
                    query: control.query_text.clone(),
                    rows: table::to_sparql_json(&compared.table),
                    comparison: compared.analysis.comparison.clone(),
                };
                let analysis = ControlAnalysis {
                    name: control.name.clone(),
                    summary: control.header.text("summary").map(str::to_owned),
                    keywords: control.keywords.clone(),
                    query: control.query_text.clone(),
                    comparison: compared.analysis.comparison,
                    findings: compared.analysis.findings,
                };
                (entry, analysis)
            })
            .collect())
    }

    /// Every attempt at a record, as a line of its page and as a file of its own.
    fn attempts(
        &self,
        record: &Record,
        key: &KeyRun,
    ) -> Result<Vec<(AttemptEntry, AttemptPage)>, Failure> {
        let judge = Judge::new(record, self.corpus, key);
        let mut attempts = Vec::new();
        for (place, run) in self.runs.iter().enumerate() {
            for n in run.folder.attempts(record.id())? {
                let Some((episode, _)) = attempts::read(&run.folder.attempt(record.id(), n))?
                else {
                    continue;
                };
                let verdict = judge.verdict(&run.folder.manifest.condition.agent, n, &episode);
                let entry = AttemptEntry {
                    agent: run.id.clone(),
                    n,
                    metrics: verdict.metrics.clone(),
                    // By the agent's place in the index: its name may hold what no file name can.
                    file: format!("{RESULTS}/{ATTEMPTS}/{}/{place}-{n}.json", record.id()),
                };
                let page = AttemptPage {
                    format: Version,
                    record: record.id().to_owned(),
                    agent: run.id.clone(),
                    n,
                    metrics: verdict.metrics,
                    score: verdict.score,
                    answer: episode
                        .answer
                        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
                    calls: episode.calls,
                };
                attempts.push((entry, page));
            }
        }
        Ok(attempts)
    }

    fn index(&self, pages: &[RecordPage], cells: Vec<CellEntry>, ava: &Ava) -> BundleIndex {
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
            comparison: Some(format!("{RESULTS}/{COMPARISON}/{}", compare::JSON)),
            rules: Some(format!("{RESULTS}/{RULES}")),
            ava: Some(ava.entry.clone()),
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

/// The lint's rules as the explorer shows them.
fn rules() -> RulesPage {
    let examples = |examples: &[::lint::Example]| {
        let each = examples.iter().map(|example| RuleExample {
            note: example.note.to_owned(),
            text: example.text.to_owned(),
        });
        each.collect()
    };
    let mut families: Vec<RuleFamily> = ::lint::FAMILIES
        .iter()
        .map(|family| RuleFamily {
            title: family.title.to_owned(),
            rules: family
                .rules
                .iter()
                .map(|rule| RuleEntry {
                    id: rule.id.to_owned(),
                    severity: rule.severity,
                    what: rule.what.to_owned(),
                    why: rule.why.to_owned(),
                    remedy: rule.remedy.to_owned(),
                    bad: examples(rule.bad),
                    good: examples(rule.good),
                })
                .collect(),
        })
        .collect();
    let allow = ::lint::ALLOW_RULES
        .iter()
        .map(|(id, severity, what)| RuleEntry {
            id: (*id).to_owned(),
            severity: *severity,
            what: (*what).to_owned(),
            why: String::new(),
            remedy: String::new(),
            bad: Vec::new(),
            good: Vec::new(),
        });
    families.push(RuleFamily {
        title: "Allowing a finding".to_owned(),
        rules: allow.collect(),
    });
    RulesPage {
        format: Version,
        families,
    }
}

/// Refuses a place whose files are not this program's to replace; the place, its links followed.
fn place_of_site(args: &PublishArgs) -> Result<PathBuf, Failure> {
    let out = args.out.display();
    let site = store::resolved(&args.out)?;
    let others = args.runs.iter().chain(&args.explorer).chain(&args.against);
    for folder in others {
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

/// All files of the folder of results.
struct Results {
    index: BundleIndex,
    pages: Vec<RecordPage>,
    analyses: Vec<AnalysisPage>,
    attempts: Vec<AttemptPage>,
    comparison: SweepComparison,
    changes: Option<Vec<Change>>,
    ava: Ava,
}

/// Writes the site, all of it aside at first, so that what was there stays whole until the new one is.
fn write(
    site: &Path,
    explorer: Option<(&Path, Vec<PathBuf>)>,
    endpoint: &Endpoint,
    results: &Results,
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
    let folder = new.join(RESULTS);
    let Results {
        index,
        pages,
        analyses,
        attempts: own,
        comparison,
        changes,
        ava,
    } = results;
    for page in pages {
        let file = folder
            .join("records")
            .join(format!("{}.json", page.entry.id));
        store::write_whole(&file, &attempts::json(page))?;
    }
    for (page, analysis) in pages.iter().zip(analyses) {
        store::write_whole(&new.join(&page.analysis), &attempts::json(analysis))?;
    }
    let entries = pages.iter().flat_map(|page| &page.attempts);
    for (entry, attempt) in entries.zip(own) {
        store::write_whole(&new.join(&entry.file), &attempts::json(attempt))?;
    }
    compare::write(&folder.join(COMPARISON), comparison, changes.as_deref())?;
    ava.write(&new)?;
    store::write_whole(&folder.join(RULES), &attempts::json(&rules()))?;
    store::write_whole(&folder.join(INDEX), &attempts::json(index))?;
    Ok(store::replace_folder(
        scratch,
        &new,
        site,
        &[RESULTS, SNAPSHOT],
    )?)
}
