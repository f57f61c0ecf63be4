//! A folder with one record in it, and the program run there against a scripted service.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::service::{Api, Reply, Say, Service};

/// The record that is asked, and its right answer.
pub(crate) const RECORD: &str = "nde-expand_heart";
pub(crate) const RIGHT: &str = "name,condition,datasets\n\
    myocarditis,http://purl.obolibrary.org/obo/MONDO_3,4\n\
    vasculitis,http://purl.obolibrary.org/obo/MONDO_4,2\n\
    cardiac arrhythmia,http://purl.obolibrary.org/obo/MONDO_2,1\n";

/// The key in the environment, which must be found nowhere.
pub(crate) const KEY: &str = "sk-scripted-0123456789-never-shown";

/// A folder of its own, with one record and the federation of the fixtures.
pub(crate) struct Bench {
    dir: TempDir,
}

/// What became of one attempt.
pub(crate) struct Attempt {
    pub(crate) metrics: Value,
    pub(crate) calls: Vec<Value>,
    pub(crate) transcript: Vec<Value>,
    pub(crate) output: Output,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/benchmarks");
        let corpus = dir.path().join("benchmarks-ontology");
        fs::create_dir_all(corpus.join("snapshot")).unwrap();
        let record = format!("{RECORD}.rq");
        fs::copy(fixtures.join(&record), corpus.join(&record)).unwrap();
        for entry in fs::read_dir(fixtures.join("snapshot")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(
                entry.path(),
                corpus.join("snapshot").join(entry.file_name()),
            )
            .unwrap();
        }
        Self { dir }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        fs::write(self.path(relative), text).unwrap();
    }

    /// The program, with nothing of the tester's own environment that bears on models.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"));
        command.current_dir(self.dir.path()).args(words);
        for name in [
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "ANTHROPIC_BASE_URL",
            "OPENAI_BASE_URL",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the record with an agent of this API, with more words behind it; the folder is `runs`.
    pub(crate) fn run(&self, api: Api, service: &Service, more: &[&str]) -> Output {
        let (agent, key, base) = match api {
            Api::Anthropic => ("anthropic", "ANTHROPIC_API_KEY", service.base_url()),
            Api::OpenAi => (
                "openai",
                "OPENAI_API_KEY",
                format!("{}/v1", service.base_url()),
            ),
        };
        let mut words = vec![
            "run",
            "--out",
            "runs",
            "--agent",
            agent,
            "--model",
            "a-model",
            "--base-url",
            &base,
        ];
        words.extend_from_slice(more);
        self.command(&words).env(key, KEY).output().unwrap()
    }

    /// One attempt against a script.
    pub(crate) fn attempt(
        &self,
        api: Api,
        replies: Vec<Reply>,
        more: &[&str],
    ) -> (Attempt, Service) {
        let service = Service::new(api, replies);
        let output = self.run(api, &service, more);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let folder = self.path("runs").join(RECORD).join("1");
        let read = |name: &str| {
            fs::read_to_string(folder.join(name))
                .unwrap_or_else(|error| panic!("{name}: {error}: {said}"))
        };
        let lines = |name: &str| {
            let text = read(name);
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        };
        let metrics: Value = serde_json::from_str(&read("metrics.json")).unwrap();
        // Where the one attempt was lost nothing is known, which is no success.
        let is_lost = metrics["infrastructure"].as_bool().unwrap();
        assert_eq!(
            output.status.code(),
            Some(i32::from(is_lost)),
            "{api:?}: {said}"
        );
        let attempt = Attempt {
            metrics,
            calls: lines("calls.jsonl"),
            transcript: lines("transcript.jsonl"),
            output,
        };
        (attempt, service)
    }

    /// Every file under the folder, hidden ones among them.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![self.dir.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(path);
                }
            }
        }
        files
    }

    /// Fails where the key stands in a file of the folder or in what was printed.
    pub(crate) fn hides_the_key(&self, output: &Output) {
        for (what, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            assert!(
                !String::from_utf8_lossy(bytes).contains(KEY),
                "{what} shows the key"
            );
        }
        let files = self.files();
        assert!(files.len() >= 5, "{files:?}");
        for file in files {
            let bytes = fs::read(&file).unwrap();
            assert!(
                !String::from_utf8_lossy(&bytes).contains(KEY),
                "{} shows the key",
                file.display()
            );
        }
    }
}

/// A model that looks at the hierarchy, and then submits a table.
pub(crate) fn looks_and_submits(csv: &str) -> Vec<Say> {
    let sparql = "SELECT ?c WHERE { GRAPH <https://purl.org/okn/frink/kg/ubergraph> { \
        ?c <http://www.w3.org/2000/01/rdf-schema#subClassOf>* <http://purl.obolibrary.org/obo/MONDO_1> } }";
    vec![
        Say {
            text: "I look at the graphs — all of them.",
            ..Say::calls(&[
                ("list_graphs", json!({})),
                (
                    "query",
                    json!({ "graph_name": "ubergraph", "query_string": sparql, "auto_expand_descendants": false }),
                ),
            ])
        },
        Say::calls(&[("submit_csv", json!({ "csv": csv }))]),
        Say::text("Done."),
    ]
}

pub(crate) fn streams(api: Api, says: &[Say]) -> Vec<Reply> {
    says.iter().map(|say| say.stream(api)).collect()
}
