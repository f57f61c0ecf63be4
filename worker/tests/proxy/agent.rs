//! An agent that says lines, and the folder in which the proxy records it.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use sweep::{Call, Recording};
use tempfile::TempDir;
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;
use worker::mcp::proxy::{ProxyError, Setup, StopHandle, serve};
use worker::profile::{Profile, ToolNames, UpstreamChoice};

/// Longer than anything here takes; a test that waits for it hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// A folder for a recording, and what the proxy is asked to do in it.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    pub(crate) setup: Setup,
}

impl Desk {
    pub(crate) fn new(upstream: UpstreamChoice) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup {
            profile: Profile {
                name: "test".into(),
                build: Some("build-7".into()),
                endpoint: None,
                upstream,
                tools: ToolNames::default(),
            },
            tools: "all-tools".parse().unwrap(),
            timeout: Duration::from_secs(10),
            strict_upstream_errors: false,
            out: folder.path().join("out"),
            work: None,
        };
        Self { folder, setup }
    }

    pub(crate) fn at(url: &str) -> Self {
        Self::new(UpstreamChoice::Url {
            url: url.to_owned(),
            headers: vec![("X-Key".into(), "secret".into())],
        })
    }

    pub(crate) fn command(words: &[&str]) -> Self {
        Self::new(UpstreamChoice::Command {
            command: words.iter().map(|&word| word.to_owned()).collect(),
            directory: PathBuf::from("."),
            env: vec![("PATH".into(), std::env::var("PATH").unwrap())],
        })
    }

    pub(crate) fn timeout(mut self, seconds: f64) -> Self {
        self.setup.timeout = Duration::from_secs_f64(seconds);
        self
    }

    pub(crate) fn tools(mut self, tools: &str) -> Self {
        self.setup.tools = tools.parse().unwrap();
        self
    }

    /// Starts the proxy, with nothing said yet.
    pub(crate) fn start(&self) -> Agent {
        // Smaller than many a message: what does not fit waits.
        let (ours, theirs) = tokio::io::duplex(4096);
        let (read, write) = tokio::io::split(theirs);
        let (stop, signal) = StopHandle::new();
        let proxy = tokio::spawn(serve(read, write, self.setup.clone(), signal));
        let (read, write) = tokio::io::split(ours);
        Agent {
            lines: BufReader::new(read),
            write,
            proxy,
            stop,
            next: 0,
        }
    }

    /// Starts the proxy and opens the session; the agent, and what it was answered.
    pub(crate) async fn open(&self) -> (Agent, Value) {
        let mut agent = self.start();
        let answer = agent.ask("initialize", hello()).await;
        agent.notify("notifications/initialized", json!({})).await;
        (agent, answer)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.setup.out.join(name)).unwrap()
    }

    pub(crate) fn recording(&self) -> Recording {
        serde_json::from_str(&self.read("recording.json")).unwrap()
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.read("calls.jsonl")
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

pub(crate) fn hello() -> Value {
    json!({ "protocolVersion": "2025-06-18", "capabilities": { "roots": {} }, "clientInfo": { "name": "agent", "version": "1" } })
}

/// The other end of the proxy.
pub(crate) struct Agent {
    pub(crate) lines: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
    proxy: JoinHandle<Result<Recording, ProxyError>>,
    pub(crate) stop: StopHandle,
    next: u64,
}

impl Agent {
    pub(crate) async fn say(&mut self, line: &str) {
        self.write
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
    }

    /// The next line that the proxy says.
    pub(crate) async fn hear(&mut self) -> String {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.lines.read_line(&mut line)).await;
        assert_ne!(
            read.expect("the proxy says nothing").unwrap(),
            0,
            "the proxy has ended"
        );
        line.trim_end_matches('\n').to_owned()
    }

    /// Sends a request; its id.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.say(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        )
        .await;
        id
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string())
            .await;
    }

    /// The message with this id; notifications before it are left out.
    pub(crate) async fn reply(&mut self, id: u64) -> Value {
        loop {
            let message: Value = serde_json::from_str(&self.hear().await).unwrap();
            if message["id"] == id {
                return message;
            }
            assert!(
                message.get("method").is_some(),
                "an answer to nothing: {message}"
            );
        }
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.reply(id).await
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
        .await
    }

    /// The names in a list of tools.
    pub(crate) async fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap();
        tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Says no more, and waits for the proxy to end.
    pub(crate) async fn leave(self) -> Result<Recording, ProxyError> {
        let Self {
            lines,
            mut write,
            proxy,
            stop,
            ..
        } = self;
        write.shutdown().await.unwrap();
        let ended = tokio::time::timeout(PATIENCE, proxy)
            .await
            .expect("the proxy does not end");
        drop((lines, stop));
        ended.unwrap()
    }
}

/// The text of a result.
pub(crate) fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {reply}"))
}
