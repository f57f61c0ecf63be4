//! What the recording proxy knows about an attempt beside its calls: the file `recording.json`.

use serde::{Deserialize, Serialize};

use crate::{ServerBuild, Version};

/// What the recording proxy knows about an attempt beside its calls: the file `recording.json` of its folder.
///
/// It is written when the connection stands or has failed to, when it is lost, and at the end; a recording without an
/// end belongs to a proxy that was killed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Version of this file's format.
    pub format: Version<1>,
    /// Version of the program that recorded.
    pub program: String,
    /// Name of the profile.
    pub profile: String,
    /// Address or command of the server, without secrets.
    pub upstream: String,
    /// When the proxy started, RFC 3339: calls count their milliseconds from here.
    pub started: String,
    /// When it ended; `None` while it runs and after it was killed.
    pub ended: Option<String>,
    /// Which build of the server answered.
    pub server: ServerBuild,
    /// Version of the Model Context Protocol that server and agent agreed on.
    pub protocol_version: Option<String>,
    /// Names of the server's tools, in its own order, those withheld among them.
    pub server_tools: Vec<String>,
    /// Which of them the agent was given, as it was asked for: `all-tools`, `no:…`, `only:…`.
    pub tools: String,
    /// Seconds that one call may take.
    pub timeout_s: f64,
    /// Whether soft errors were shown to the agent as errors.
    pub strict_upstream_errors: bool,
    /// Why the agent never had its tools.
    pub startup_error: Option<String>,
    /// When and why the connection to the server was lost for good.
    pub lost_upstream: Option<Loss>,
    /// How often the connection was opened again.
    pub session_resets: u32,
    /// Whether a server of another name, version or list of tools answered later: its calls are no evidence about this build.
    pub server_changed: bool,
    /// Calls to tools.
    pub calls: u32,
    /// Calls made after the connection was lost, `submit_csv` left out.
    pub calls_after_loss: u32,
    /// Calls that failed softly.
    pub upstream_soft_errors: u32,
    /// Calls that the server did not answer within the time limit.
    pub timeouts: u32,
    /// Calls to tools that were withheld.
    pub withheld_calls: u32,
    /// How often something was submitted; the last one counts.
    pub submissions: u32,
}

impl Recording {
    /// Whether the agent has had its tools: a version of the protocol is agreed on wherever a session begins.
    pub fn has_begun(&self) -> bool {
        self.protocol_version.is_some()
    }
}

/// The loss of a connection that did not come back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Milliseconds after the start.
    pub at_ms: u64,
    /// What was seen.
    pub reason: String,
}
