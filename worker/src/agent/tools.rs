//! The tools of an agent that runs inside this program: the recording proxy, and a client in front of it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use sweep::Recording;
use thiserror::Error;
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::mcp::proxy::{self, ProxyError, Setup, StopHandle};

/// The version of the protocol that is asked for; the server may answer with an earlier one.
const PROTOCOL: &str = "2025-06-18";

/// How much may be under way between client and proxy.
const BUFFER: usize = 64 << 10;

/// Why an agent has no tools, or has them no more.
#[derive(Debug, Error)]
pub enum ToolsError {
    /// The recording proxy was of no use.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
    /// The session said something that is none of the protocol.
    #[error("the session with the tools cannot be used: {0}")]
    Session(String),
}

/// One tool, as the server describes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ToolInfo {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// JSON Schema of its arguments.
    #[serde(default, rename = "inputSchema")]
    pub input_schema: Value,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReply {
    /// Its text, blocks joined by a line end; a block that is no text stands as JSON.
    pub text: String,
    /// Whether the reply says of itself that it is an error.
    pub is_error: bool,
}

/// The recording proxy, connected inside this program. Dropping it ends the session; what the agent called is recorded.
#[derive(Debug)]
pub struct Tools {
    client: Client,
    list: Vec<ToolInfo>,
    proxy: JoinHandle<Result<Recording, ProxyError>>,
    _stop: StopHandle,
}

impl Tools {
    /// Starts the proxy and opens a session with the server behind it.
    pub async fn connect(setup: Setup) -> Result<Self, ToolsError> {
        let (ours, theirs) = tokio::io::duplex(BUFFER);
        let (read, write) = tokio::io::split(theirs);
        let (stop, signal) = StopHandle::new();
        let proxy = tokio::spawn(proxy::serve(read, write, setup, signal));
        let client = Client::over(ours);
        let opened = async {
            let hello = json!({
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": { "name": "okn-benchmark", "version": env!("CARGO_PKG_VERSION") },
            });
            client.ask("initialize", hello).await?;
            client.notify("notifications/initialized").await;
            client.list().await
        };
        match opened.await {
            Ok(list) => Ok(Self {
                client,
                list,
                proxy,
                _stop: stop,
            }),
            Err(why) => {
                drop((client, stop));
                match joined(proxy.await) {
                    // It says best itself what went wrong.
                    Err(error) => Err(error),
                    Ok(_) => Err(ToolsError::Session(why)),
                }
            }
        }
    }

    /// The tools that the agent is given, `submit_csv` among them.
    pub fn list(&self) -> &[ToolInfo] {
        &self.list
    }

    /// Calls a tool. The proxy answers in its own time limit whatever the server does, so that this never hangs; calls
    /// may be made at the same time.
    pub async fn call(&self, name: &str, arguments: Value) -> ToolReply {
        let asked = json!({ "name": name, "arguments": arguments });
        match self.client.ask("tools/call", asked).await {
            Ok(result) => ToolReply::read(&result),
            Err(why) => ToolReply {
                text: why,
                is_error: true,
            },
        }
    }

    /// Ends the session; what was recorded.
    pub async fn close(self) -> Result<Recording, ToolsError> {
        let Self {
            client,
            proxy,
            _stop: stop,
            ..
        } = self;
        client.leave().await;
        let ended = joined(proxy.await);
        drop((client, stop));
        ended
    }
}

fn joined(
    ended: Result<Result<Recording, ProxyError>, tokio::task::JoinError>,
) -> Result<Recording, ToolsError> {
    match ended {
        Ok(ended) => Ok(ended?),
        Err(error) => Err(ToolsError::Session(error.to_string())),
    }
}

impl ToolReply {
    fn read(result: &Value) -> Self {
        let blocks = result["content"].as_array().map(Vec::as_slice);
        let mut texts: Vec<String> = blocks.unwrap_or_default().iter().map(text_of).collect();
        if texts.is_empty() && !result["structuredContent"].is_null() {
            texts.push(result["structuredContent"].to_string());
        }
        Self {
            text: texts.join("\n"),
            is_error: result["isError"].as_bool().unwrap_or_default(),
        }
    }
}

fn text_of(block: &Value) -> String {
    let text = block["text"]
        .as_str()
        .or_else(|| block["resource"]["text"].as_str());
    text.map_or_else(|| block.to_string(), str::to_owned)
}

/// Requests that wait for their answers: a result, or an error in words. `None` once the proxy has gone.
type Waiting = Arc<Mutex<Option<HashMap<u64, oneshot::Sender<Result<Value, String>>>>>>;

/// A client of the protocol that speaks lines. The models of `rmcp` would refuse a reply that is new to them.
#[derive(Debug)]
struct Client {
    write: tokio::sync::Mutex<WriteHalf<DuplexStream>>,
    waiting: Waiting,
    next: AtomicU64,
    reader: JoinHandle<()>,
}

impl Client {
    fn over(stream: DuplexStream) -> Self {
        let (read, write) = tokio::io::split(stream);
        let waiting: Waiting = Arc::new(Mutex::new(Some(HashMap::new())));
        Self {
            write: tokio::sync::Mutex::new(write),
            reader: tokio::spawn(hear(read, Arc::clone(&waiting))),
            waiting,
            next: AtomicU64::new(1),
        }
    }

    async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        const GONE: &str = "the tools have gone";
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        match locked(&self.waiting).as_mut() {
            Some(waiting) => waiting.insert(id, sender),
            None => return Err(GONE.to_owned()),
        };
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.say(&request).await;
        answer.await.unwrap_or_else(|_| Err(GONE.to_owned()))
    }

    async fn notify(&self, method: &str) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method }))
            .await;
    }

    /// A proxy that has gone is noticed where its answer is waited for.
    async fn say(&self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        let _ = self.write.lock().await.write_all(line.as_bytes()).await;
    }

    async fn leave(&self) {
        let _ = self.write.lock().await.shutdown().await;
    }

    async fn list(&self) -> Result<Vec<ToolInfo>, String> {
        #[derive(Deserialize)]
        struct Page {
            tools: Vec<ToolInfo>,
            #[serde(rename = "nextCursor")]
            next: Option<String>,
        }
        let mut tools = Vec::new();
        let mut params = json!({});
        loop {
            let page = self.ask("tools/list", params).await?;
            let page: Page = serde_json::from_value(page)
                .map_err(|error| format!("the list of tools cannot be read: {error}"))?;
            tools.extend(page.tools);
            match page.next.filter(|cursor| !cursor.is_empty()) {
                // The proxy has read the list to its end before, so that it has one.
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(tools),
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

async fn hear(read: ReadHalf<DuplexStream>, waiting: Waiting) {
    let mut reader = BufReader::new(read);
    let mut line = Vec::new();
    while let Ok(1..) = reader.read_until(b'\n', &mut line).await {
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        line.clear();
        // Only answers have an id and no method; what a server asks or tells is nothing to these agents.
        let Some(id) = message["id"]
            .as_u64()
            .filter(|_| message["method"].is_null())
        else {
            continue;
        };
        let sender = locked(&waiting)
            .as_mut()
            .and_then(|waiting| waiting.remove(&id));
        if let Some(sender) = sender {
            let answer = match message.get("result") {
                Some(result) => Ok(result.clone()),
                None => Err(words_of(&message["error"])),
            };
            let _ = sender.send(answer);
        }
    }
    // Whoever still waits is told by what is dropped here.
    locked(&waiting).take();
}

fn words_of(error: &Value) -> String {
    error["message"]
        .as_str()
        .map_or_else(|| error.to_string(), str::to_owned)
}

/// Never held across an `await`.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
