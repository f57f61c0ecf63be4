//! `import`: finished runs of another harness, for `compare`.
//!
//! A folder is an attempt when it holds `calls.json` or a metrics file. What no file says and nobody states on the
//! command line stays null.

use std::collections::BTreeMap;
use std::path::Path;

use record::Corpus;
use serde::Serialize;
use sweep::{
    ForeignCondition, ForeignFolder, ImportError, ImportedAttempt, Provenance, ResultKind,
    RunFacts, ServerBuild,
};

use super::plural;
use crate::cli::{CorpusArgs, ImportArgs};
use crate::evidence::{Seen, evidence_of, root_of};
use crate::imported::{self, Import};
use crate::output::Output;
use crate::settings::{CorpusPlace, address_shown, named};
use crate::{Failure, store};

/// Folders below the one that is given in which attempts are looked for.
const DEPTH: usize = 6;
/// Files about a whole sweep rather than an attempt.
const SWEEP_FILES: [&str; 4] = ["config.json", "condition.json", "manifest.json", "run.json"];
/// Names of the submitted table, the likeliest first.
const ANSWERS: [&str; 5] = [
    "answer.csv",
    "submission.csv",
    "submitted.csv",
    "submit.csv",
    "result.csv",
];

/// What `import --json` prints.
#[derive(Serialize)]
struct Imported {
    out: String,
    attempts: usize,
    records: usize,
    facts: RunFacts,
    /// How many attempts leave a field unknown that figures are made of.
    unknown: BTreeMap<&'static str, usize>,
}

pub(super) fn run(args: &ImportArgs, output: Output) -> Result<(), Failure> {
    let corpus = match &args.corpus {
        Some(records) => Some(
            CorpusPlace::from(&CorpusArgs {
                corpus: records.clone(),
                controls: args.controls.clone(),
            })
            .read()?,
        ),
        None => None,
    };
    if !args.dir.is_dir() {
        return Err(Failure::usage(
            format!("there is no folder {}", args.dir.display()),
            "give the folder with the runs of the other harness",
        ));
    }
    let mut found = Vec::new();
    walk(&args.dir, "", 0, &mut found)?;
    if found.is_empty() {
        return Err(Failure::usage(
            format!(
                "{} holds no attempt: no folder in it has a calls.json or a metrics.json",
                args.dir.display()
            ),
            "give the folder with the runs of the other harness",
        ));
    }

    let mut condition = sweep_condition(&args.dir)?;
    let mut imports: Vec<Import> = Vec::new();
    let mut places: BTreeMap<(String, u32), String> = BTreeMap::new();
    for files in found {
        let import = files.read(corpus.as_ref())?;
        let attempt = &import.attempt;
        let place = (attempt.record.clone(), attempt.attempt);
        if let Some(first) = places.insert(place, attempt.folder.clone()) {
            return Err(refused(&ImportError::Twice {
                record: attempt.record.clone(),
                attempt: attempt.attempt,
                first,
                second: attempt.folder.clone(),
            }));
        }
        condition
            .merge(&attempt.condition, &attempt.folder)
            .map_err(|error| refused(&error))?;
        imports.push(import);
    }
    let facts = facts(args, condition, corpus.as_ref(), &imports)?;
    imported::write(&args.out, facts.clone(), &imports)?;

    let mut records: Vec<&str> = imports
        .iter()
        .map(|import| import.attempt.record.as_str())
        .collect();
    records.sort_unstable();
    records.dedup();
    let imported = Imported {
        out: args.out.display().to_string(),
        attempts: imports.len(),
        records: records.len(),
        facts,
        unknown: unknown(&imports),
    };
    output.print(&imported, |imported| {
        let unknown = imported.unknown.iter().map(|(field, attempts)| {
            format!("{field}: not known of {}", plural(*attempts, "attempt"))
        });
        let done = format!(
            "{}: {} at {}",
            imported.out,
            plural(imported.attempts, "attempt"),
            plural(imported.records, "record")
        );
        std::iter::once(done)
            .chain(unknown)
            .collect::<Vec<_>>()
            .join("\n")
    })
}

/// What the files of the sweep say, with what was typed in place of what they leave open; the two may not disagree.
fn facts(
    args: &ImportArgs,
    mut condition: ForeignCondition,
    corpus: Option<&Corpus>,
    imports: &[Import],
) -> Result<RunFacts, Failure> {
    let typed = ForeignCondition {
        agent: args.agent.clone(),
        model: args.model.clone(),
        effort: args.effort.clone(),
        tools: args.tools.clone(),
        kg_hint: args.kg_hint.clone(),
    };
    condition
        .merge(&typed, "the command line")
        .map_err(|error| refused(&error))?;
    let mut strict = imports.iter().map(|import| import.attempt.strict);
    let first = strict.next().flatten();
    let endpoint = args.endpoint.as_deref().map(address_shown).transpose()?;
    Ok(RunFacts {
        agent: condition.agent,
        model: condition.model,
        effort: condition.effort,
        tools: condition.tools,
        kg_hint: condition.kg_hint,
        corpus_hash: corpus.map(Corpus::hash),
        provenance: endpoint.map(|endpoint| Provenance {
            kind: ResultKind::Live,
            server: String::new(),
            endpoint,
            release: None,
        }),
        server: args.build.as_ref().map(|build| ServerBuild {
            build: Some(build.clone()),
            ..ServerBuild::default()
        }),
        strict_upstream_errors: first.filter(|_| strict.all(|other| other == first)),
        timeout_s: None,
        agent_timeout_s: None,
        failed_canaries: Vec::new(),
        mended_since: None,
        imported: true,
    })
}

fn unknown(imports: &[Import]) -> BTreeMap<&'static str, usize> {
    type IsUnknown = fn(&ImportedAttempt) -> bool;
    let fields: [(&'static str, IsUnknown); 8] = [
        ("how it ended", |a| a.outcome.is_none()),
        ("whose failure it was", |a| {
            a.outcome.is_some() && a.infrastructure.is_none()
        }),
        ("exact", |a| a.exact.is_none()),
        ("f1", |a| a.f1.is_none()),
        ("seconds", |a| a.seconds.is_none()),
        ("calls", |a| a.calls.is_none()),
        ("cost", |a| a.cost_usd.is_none()),
        ("evidence", |a| a.evidence.is_none()),
    ];
    let count = |is_unknown: IsUnknown| {
        imports
            .iter()
            .filter(|import| is_unknown(&import.attempt))
            .count()
    };
    let counts = fields
        .into_iter()
        .map(|(name, is_unknown)| (name, count(is_unknown)));
    counts.filter(|(_, attempts)| *attempts > 0).collect()
}

/// The files of one attempt, whole.
struct Files {
    path: String,
    all: Vec<(String, Vec<u8>)>,
}

impl Files {
    fn read(self, corpus: Option<&Corpus>) -> Result<Import, Failure> {
        let metrics = self.named(&["metrics.json"]).or_else(|| {
            let is_metrics = |name: &str| name.contains("metrics") && has_extension(name, "json");
            self.only(is_metrics)
        });
        let answer = self
            .named(&ANSWERS)
            .or_else(|| self.only(|name| has_extension(name, "csv")));
        let below = |file: &str| format!("{}/{file}", self.path);
        let metrics = metrics.map(|(name, bytes)| (below(name), bytes));
        let calls = self
            .named(&["calls.json"])
            .map(|(name, bytes)| (below(name), bytes));
        let (mut attempt, calls) = ImportedAttempt::read(&ForeignFolder {
            path: &self.path,
            metrics: metrics
                .as_ref()
                .map(|(name, bytes)| (name.as_str(), *bytes)),
            calls: calls.as_ref().map(|(name, bytes)| (name.as_str(), *bytes)),
            answer,
        })
        .map_err(|error| refused(&error))?;
        let answer = answer.map(|(_, bytes)| bytes.to_vec());
        if let (Some(corpus), Some(calls)) = (corpus, &calls) {
            let root = root_of(named(corpus, &attempt.record)?, corpus);
            let evidence = evidence_of(root.as_deref(), &Seen::among_imported(calls));
            attempt = attempt.with_evidence(evidence.into_keys().collect());
        }
        Ok(Import {
            attempt,
            calls,
            answer,
            source: self.all,
        })
    }

    fn named(&self, names: &[&str]) -> Option<(&str, &[u8])> {
        names
            .iter()
            .find_map(|wanted| self.only(|name| name == *wanted))
    }

    /// The one file of that kind; of several nobody can say which is meant.
    fn only(&self, is_wanted: impl Fn(&str) -> bool) -> Option<(&str, &[u8])> {
        let mut wanted = self.all.iter().filter(|(name, _)| is_wanted(name));
        let (name, bytes) = wanted.next()?;
        wanted
            .next()
            .is_none()
            .then_some((name.as_str(), bytes.as_slice()))
    }
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Finds the folders that are attempts. What lies below one belongs to it.
fn walk(folder: &Path, path: &str, depth: usize, found: &mut Vec<Files>) -> Result<(), Failure> {
    let entries = store::list(folder)?;
    let name_of = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let mut names = entries
        .iter()
        .filter(|path| path.is_file())
        .filter_map(|path| name_of(path));
    if names.any(|name| {
        name == "calls.json" || (name.contains("metrics") && has_extension(&name, "json"))
    }) {
        let mut all = Vec::new();
        for file in entries.iter().filter(|path| path.is_file()) {
            all.extend(
                name_of(file)
                    .map(|name| store::read(file).map(|bytes| (name, bytes)))
                    .transpose()?,
            );
        }
        let path = if path.is_empty() { "." } else { path };
        found.push(Files {
            path: path.to_owned(),
            all,
        });
        return Ok(());
    }
    if depth == DEPTH {
        return Ok(());
    }
    // A link could lead back up.
    for inner in entries
        .iter()
        .filter(|path| path.is_dir() && !path.is_symlink())
    {
        let Some(name) = name_of(inner) else { continue };
        let path = if path.is_empty() {
            name
        } else {
            format!("{path}/{name}")
        };
        walk(inner, &path, depth + 1, found)?;
    }
    Ok(())
}

fn sweep_condition(dir: &Path) -> Result<ForeignCondition, Failure> {
    let mut condition = ForeignCondition::default();
    for name in SWEEP_FILES {
        if let Some(bytes) = store::read_if_there(&dir.join(name))? {
            let read = ForeignCondition::read(name, &bytes).map_err(|error| refused(&error))?;
            condition
                .merge(&read, name)
                .map_err(|error| refused(&error))?;
        }
    }
    Ok(condition)
}

fn refused(error: &ImportError) -> Failure {
    Failure::usage(error.to_string(), error.remedy())
}
