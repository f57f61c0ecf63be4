//! The program itself as the proxy, the fault bench as the server behind it, and a client of `rmcp` as the agent.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject};
use rmcp::service::{RoleClient, RunningService, ServiceError, ServiceExt as _};
use rmcp::transport::TokioChildProcess;
use serde_json::Value;
use sweep::{Call, Recording};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// The program.
pub(crate) fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("okn-benchmark").to_owned()
}

/// The records and the small federation that the tests of the program share.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/benchmarks")
}

/// How the proxy reaches the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Command,
    Http,
}

/// A folder with a profile in it, and the server that the profile names.
pub(crate) struct Bench {
    folder: TempDir,
    _server: Option<Child>,
}

impl Bench {
    /// A server with these words behind `mcp serve`.
    pub(crate) async fn new(way: Way, words: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let corpus = fixtures().display().to_string();
        let words: Vec<&str> = ["mcp", "serve", "--corpus", &corpus]
            .iter()
            .chain(words)
            .copied()
            .collect();
        let (upstream, server) = match way {
            Way::Command => {
                let mut command = vec!["okn-benchmark"];
                command.extend(&words);
                (
                    format!("command = {}", serde_json::to_string(&command).unwrap()),
                    None,
                )
            }
            Way::Http => {
                let (address, server) = serving(&words, &["--http", "127.0.0.1:0"]).await;
                (format!("url = \"{address}\""), Some(server))
            }
        };
        std::fs::write(
            folder.path().join("bench.toml"),
            format!("build = \"b1\"\n[upstream]\n{upstream}\n"),
        )
        .unwrap();
        Self {
            folder,
            _server: server,
        }
    }

    pub(crate) fn profile(&self) -> PathBuf {
        self.folder.path().join("bench.toml")
    }

    pub(crate) fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    /// The proxy, with these words behind it.
    pub(crate) fn proxy(&self, words: &[&str]) -> Command {
        let mut command = self.proxy_to(&self.folder.path().join("out"));
        command.args(words);
        command
    }

    /// The proxy with its recording elsewhere.
    pub(crate) fn proxy_to(&self, out: &Path) -> Command {
        let mut command = Command::new(program());
        command
            .args(["mcp", "proxy", "--profile"])
            .arg(self.profile());
        command.arg("--out").arg(out).kill_on_drop(true);
        command
    }

    pub(crate) async fn open(&self, words: &[&str]) -> Client {
        let mut command = self.proxy(words);
        command.stderr(Stdio::inherit());
        Client(
            ().serve(TokioChildProcess::new(command).unwrap())
                .await
                .unwrap(),
        )
    }

    pub(crate) fn recording(&self) -> Recording {
        serde_json::from_slice(&std::fs::read(self.out("recording.json")).unwrap()).unwrap()
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        let lines = std::fs::read_to_string(self.out("calls.jsonl")).unwrap();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Starts the program with these words; the address that it prints, and the process.
pub(crate) async fn serving(words: &[&str], more: &[&str]) -> (String, Child) {
    let mut command = Command::new(program());
    command
        .args(words)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = tokio::time::timeout(Duration::from_secs(30), lines.next_line())
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    (address, child)
}

/// An agent that is a client of `rmcp`.
pub(crate) struct Client(pub(crate) RunningService<RoleClient, ()>);

impl Client {
    pub(crate) async fn tools(&self) -> Vec<String> {
        self.0
            .list_all_tools()
            .await
            .unwrap()
            .into_iter()
            .map(|tool| tool.name.into_owned())
            .collect()
    }

    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: &Value,
    ) -> Result<CallToolResult, ServiceError> {
        let arguments: JsonObject = arguments.as_object().unwrap().clone();
        self.0
            .call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments))
            .await
    }

    pub(crate) async fn leave(self) {
        self.0.cancel().await.unwrap();
    }
}

/// All text of a result.
pub(crate) fn words(result: &CallToolResult) -> String {
    let blocks = serde_json::to_value(&result.content).unwrap();
    let blocks = blocks.as_array().unwrap().iter();
    blocks
        .filter_map(|block| block["text"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
