//! A folder with the fixture corpus in it, agents in the language of the shell, and the program run there.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Joins the agent to its tools: `tools COMMAND ARGUMENTS` runs them with the two as JSON has them.
const TOOLS: &str = r#"
tools() { eval "set -- $1 $(printf %s "$2" | tr -d '[]' | tr ',' ' ')"; "$@"; }
say() { printf '%s\n' "$1"; }
hello() {
    say '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}'
    say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}
call() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"$2\",\"arguments\":$3}}"; }
"#;

/// A query of the embedded server that uses the heart term as given.
pub(crate) const LOOK: &str = r#"{"graph_name":"nde","query_string":"SELECT ?d WHERE { ?d <http://schema.org/healthCondition> <http://purl.obolibrary.org/obo/MONDO_1> }","auto_expand_descendants":false}"#;

pub(crate) struct Bench {
    dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        copy(
            &fixtures.join("benchmarks"),
            &dir.path().join("benchmarks-ontology"),
        );
        copy(
            &fixtures.join("controls-ontology"),
            &dir.path().join("controls-ontology"),
        );
        Self { dir }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        let path = self.path(relative);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn json(&self, relative: &str) -> Value {
        serde_json::from_str(&self.read(relative)).unwrap()
    }

    pub(crate) fn lines(&self, relative: &str) -> Vec<Value> {
        let text = self.read(relative);
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    pub(crate) fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// An agent that is a script. It is given its tools' command and arguments, and whatever the file adds.
    pub(crate) fn agent(&self, script: &str, rest: &str) {
        self.write("agent.sh", format!("#!/bin/sh\n{TOOLS}\n{script}\n"));
        fs::set_permissions(self.path("agent.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        let words = r#"command = ["./agent.sh", "{mcp_command_json}", "{mcp_args_json}"]"#;
        self.write("sh.toml", format!("{words}\n{rest}\n"));
    }

    /// The program in the folder, with these words behind it, and nothing in its environment but what it needs.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"));
        command
            .current_dir(self.dir.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .args(words);
        command
    }

    /// One attempt of the agent `sh.toml` at a record, with these words behind it.
    pub(crate) fn attempt(&self, words: &[&str]) -> Output {
        let command = [
            "run",
            "--agent",
            "command",
            "--program",
            "sh.toml",
            "--tier",
            "heart",
            "--out",
            "runs",
        ];
        self.command(&[&command, words].concat()).output().unwrap()
    }

    /// What the attempt at a record came to.
    pub(crate) fn metrics(&self, record: &str) -> Value {
        self.json(&format!("runs/{record}/1/metrics.json"))
    }

    pub(crate) fn transcript(&self, record: &str) -> Vec<Value> {
        self.lines(&format!("runs/{record}/1/transcript.jsonl"))
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
