//! Fixture sweeps: attempts made up for these tests, judged and written by the program's own code.
//!
//! The attempts of [`headline`] reproduce the published counts (12, 6 and 3 of 12 over the four `exact` records of the
//! MONDO questions, three attempts each); which attempt went how is made up.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use record::Corpus;
use serde_json::{Value, json};
use sweep::{Call, Condition, Flags, Outcome, Provenance, ResultKind, ServerBuild, Usage};
use table::Table;
use tempfile::TempDir;
use worker::attempts::{Draft, Episode};
use worker::cli::CorpusArgs;
use worker::evidence::root_of;
use worker::judge::Judge;
use worker::keys::KeyRun;
use worker::runs::RunFolder;
use worker::settings::CorpusPlace;

pub(crate) const MONDO: [&str; 4] = [
    "nde-exact_autoimmune",
    "nde-exact_cardiovascular",
    "nde-exact_metabolic",
    "nde-exact_musculoskeletal",
];

/// How an attempt at a record with an empty key went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Looked at the term as given, found nothing, said so.
    Obeyed,
    /// Submitted rows.
    Expanded,
    /// Submitted an empty table without a look: right, as published.
    Blind,
    /// Submitted nothing after the server was lost: right, as published.
    Lost,
}

pub(crate) struct Bench {
    dir: TempDir,
    corpus: Corpus,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            corpus: CorpusPlace::from(&CorpusArgs {
                corpus: root().join("benchmarks-ontology"),
                controls: None,
            })
            .read()
            .unwrap(),
        }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap()
    }

    pub(crate) fn write(&self, relative: &str, content: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"))
            .current_dir(self.dir.path())
            .args(line.split_whitespace())
            .output()
            .unwrap()
    }

    /// What a run that must succeed prints with `--json`.
    pub(crate) fn json(&self, line: &str) -> Value {
        let output = self.run(&format!("{line} --json"));
        assert!(output.status.success(), "{line}: {}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What a run that must be refused says.
    pub(crate) fn refusal(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", said(&output));
        said(&output)
    }

    pub(crate) fn condition(&self, model: &str) -> Condition {
        Condition {
            corpus_hash: self.corpus.hash(),
            agent: "anthropic".into(),
            model: Some(model.into()),
            effort: Some("high".into()),
            tools: "all-tools".into(),
            kg_hint: Some("tags".into()),
            profile: None,
            provenance: Provenance {
                kind: ResultKind::Reconstruction,
                server: "embedded-reconstruction".into(),
                endpoint: "embedded".into(),
                release: Some("fixture".into()),
            },
            server: ServerBuild {
                name: "fixture".into(),
                version: "1".into(),
                ..ServerBuild::default()
            },
            canaries: Vec::new(),
            agent_options: serde_json::Value::Null,
            strict_upstream_errors: false,
            timeout_s: 120,
            agent_timeout_s: 900,
        }
    }

    /// Writes a sweep of three attempts at each of the four records, which went as `how` says in turn.
    pub(crate) fn sweep(&self, folder: &str, condition: &Condition, how: [How; 12]) {
        let run = RunFolder::begin(&self.path(folder), condition).unwrap();
        let places = MONDO.iter().flat_map(|id| (1..=3).map(move |n| (*id, n)));
        for ((id, n), how) in places.zip(how) {
            let record = self.corpus.record(id).unwrap();
            let key = KeyRun {
                table: Table::new(record.columns(), Vec::new()),
                order: None,
                ranks: Some(Vec::new()),
                hash: "fixture".into(),
                ms: 1.0,
                date: "2026-11-30T00:00:00Z".into(),
            };
            let judge = Judge::new(record, &self.corpus, &key);
            let term = root_of(record, &self.corpus).unwrap();
            let episode = episode(&record.columns(), &term, how);
            let metrics = judge.verdict(&condition.agent, n, &episode).metrics;
            let draft = Draft::begin(&run.scratch()).unwrap();
            let lines = episode
                .calls
                .iter()
                .map(|call| format!("{}\n", json!(call)));
            let lines: String = lines.collect();
            fs::write(draft.folder().join("calls.jsonl"), lines).unwrap();
            assert_eq!(draft.calls().unwrap(), episode.calls);
            if let Some(answer) = &episode.answer {
                fs::write(draft.folder().join("answer.csv"), answer).unwrap();
            }
            draft.finish(&run.attempt(id, n), &metrics).unwrap();
        }
    }

    /// The three models of the published headline.
    pub(crate) fn headline(&self) {
        use How::{Blind, Expanded as No, Lost, Obeyed as Yes};
        let sonnet = [Yes, Yes, Yes, No, No, No, Yes, Blind, No, Lost, No, No];
        let haiku = [Yes, No, No, No, No, No, Blind, No, No, No, Lost, No];
        for (model, how) in [("opus", [Yes; 12]), ("sonnet", sonnet), ("haiku", haiku)] {
            self.sweep(&format!("runs-{model}"), &self.condition(model), how);
        }
    }
}

fn episode(columns: &[String], term: &str, how: How) -> Episode {
    let header = format!("{}\n", columns.join(","));
    let call = |soft: bool| -> Call {
        let query =
            format!("SELECT ?s WHERE {{ ?s <http://schema.org/healthCondition> <{term}> }}");
        let mut call = json!({
            "sequence": 1, "tool": "query", "arguments": { "query": query }, "start_ms": 0, "duration_ms": 2000,
            "is_error": false, "reply_bytes": 100,
        });
        if soft {
            call["soft_error"] =
                json!({ "kind": "error-member", "message": "429", "rule": "fixture" });
        }
        serde_json::from_value(call).unwrap()
    };
    let (answer, calls) = match how {
        How::Obeyed => (Some(header), vec![call(false)]),
        How::Expanded => {
            let row = columns.iter().map(|_| "1").collect::<Vec<_>>().join(",");
            (Some(format!("{header}{row}\n")), vec![call(false)])
        }
        How::Blind => (Some(header), Vec::new()),
        How::Lost => (None, vec![call(true)]),
    };
    Episode {
        outcome: if answer.is_some() {
            Outcome::Answered
        } else {
            Outcome::Timeout
        },
        flags: Flags {
            lost_upstream: how == How::Lost,
            ..Flags::default()
        },
        seconds: 10.0,
        waiting_seconds: None,
        usage: Some(Usage {
            input_tokens: Some(1000),
            output_tokens: Some(100),
            cost_usd: Some(0.25),
            // What a killed attempt used never came back whole.
            cost_incomplete: how == How::Lost,
            ..Usage::default()
        }),
        answer: answer.map(String::into_bytes),
        calls,
        model: None,
        reason: None,
        lost_before: 0,
    }
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}
