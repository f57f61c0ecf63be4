//! Agent programs: Claude Code, Codex, Gemini CLI, or any other that speaks the Model Context Protocol on its standard
//! input and output.
//!
//! The program is run as it is, in an empty folder of the system's folder for temporary files: agents read the path of the
//! folder that they are in, and that of a sweep would tell them what they are asked. It is told to start its tools as a
//! command, which is this very program (`mcp attach`), a pipe to the recording proxy that runs here.
//!
//! ```text
//! okn-benchmark run ──starts──▶ agent program ──starts──▶ okn-benchmark mcp attach SOCKET
//!       │                                                      │
//!       └── recording proxy ◀───────────── socket ─────────────┘
//!                  └──▶ server under test
//! ```

mod process;
mod program;
mod reported;
mod template;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use sweep::Recording;
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::time::Instant;

use super::api::KeyNeed;
use super::transcript::TRANSCRIPT;
use super::{AskedOf, End, Limits, Prompt, Report, Task, Transcript};
use crate::mcp::proxy::{self, ProxyError, StopHandle};
use crate::profile::COMMON_VARIABLES;
use crate::{Failure, store};
use process::{Ran, Run, Secrets};
pub use program::{OptionName, Program};
use reported::Reported;
use template::{Slot, Template};

/// The agent's name, without that of its program.
pub const NAME: &str = "command";

/// The name under which the program knows its tools.
const SERVER: &str = "okn";

/// How long a program may take to say its version.
const VERSION: Duration = Duration::from_secs(30);

/// How much of what a program said last is told when it failed, in characters.
const LAST_WORDS: usize = 500;

/// Who speaks in the transcript.
const ROLE: &str = "program";

/// Over its options in the help.
const HEADING: &str = "Agent programs";

/// What names the program.
#[derive(Args, Clone, Debug, Default)]
pub struct CommandArgs {
    /// Agent program for --agent command, as a file such as profiles/agents/claude-code.toml
    #[arg(long, value_name = "FILE", help_heading = HEADING, conflicts_with = "command_line")]
    pub program: Option<PathBuf>,
    /// Agent program for --agent command, as one line with places such as `{mcp_config}`, `{prompt}` and `{model}`
    #[arg(long = "command", id = "command_line", value_name = "LINE", help_heading = HEADING)]
    pub command: Option<String>,
    /// Variable of the environment that the agent program is given, such as a key; repeat it for several
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub env: Vec<String>,
}

/// What the sweep asks of the program.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// A model.
    pub model: Option<&'a str>,
    /// How hard the model is to think.
    pub effort: Option<&'a str>,
    /// Whether an allowance of turns was named.
    pub turns: bool,
    /// Whether each attempt has an allowance of money.
    pub usd: bool,
    /// Whether each attempt has an allowance of tokens.
    pub tokens: bool,
    /// Whether the variables that the program needs have to be set.
    pub keys: KeyNeed,
}

/// An agent program, found on this machine.
#[derive(Clone, Debug)]
pub struct Agent {
    name: String,
    program: Program,
    executable: PathBuf,
    env: Vec<(String, String)>,
    secrets: Secrets,
    version: Option<String>,
    model: Option<String>,
    effort: Option<String>,
}

impl Agent {
    /// Finds the program and asks its version. `variable` looks a variable of the environment up.
    ///
    /// Whatever can be told to be wrong is told here, before anything runs.
    pub async fn decide(
        args: &CommandArgs,
        asked: Asked<'_>,
        variable: &(dyn Fn(&str) -> Option<String> + Sync),
    ) -> Result<Self, Failure> {
        let (program, beside) = match (&args.program, &args.command) {
            (Some(file), _) => (Program::read(file)?, store::above(file).to_owned()),
            (None, Some(line)) => (Program::of_line(line)?, PathBuf::from(".")),
            (None, None) => {
                return Err(Failure::usage(
                    "no agent program was given",
                    "give it with --program, such as profiles/agents/claude-code.toml, or with --command",
                ));
            }
        };
        fits(&program, asked, args.program.as_deref())?;
        let (env, secrets) = environment(&program, &args.env, asked.keys, variable)?;
        let executable = found(&program, program.executable(), &beside, variable)?;
        let mut agent = Self {
            name: format!("{NAME}:{}", program.name),
            executable,
            env,
            secrets,
            version: None,
            model: asked.model.map(str::to_owned),
            effort: asked.effort.map(str::to_owned),
            program,
        };
        agent.version = agent.ask_version(&beside, variable).await?;
        Ok(agent)
    }

    /// The name by which results call it, such as `command:claude-code`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the program said is its version.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// All that bears on what it does, beside the model's name and effort.
    pub fn condition(&self) -> Value {
        let texts = |templates: &[Template]| -> Vec<String> {
            templates
                .iter()
                .map(|template| template.as_str().to_owned())
                .collect()
        };
        let program = &self.program;
        let options: BTreeMap<&str, Vec<String>> = program
            .options
            .iter()
            .map(|(name, words)| (name.as_str(), texts(words)))
            .collect();
        let set: BTreeMap<&str, &str> = program
            .set
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let files: BTreeMap<String, &str> = program
            .files
            .iter()
            .map(|(path, content)| (path.display().to_string(), content.as_str()))
            .collect();
        json!({
            "version": self.version,
            "command": texts(&program.command),
            "stdin": program.stdin.as_str(),
            "options": options,
            "set": set,
            "files": files,
        })
    }

    /// Whose money its model costs.
    pub fn payer(&self) -> String {
        format!(
            "that of whatever account {} asks its model with",
            self.program.name
        )
    }

    /// Where to look when the service of its model refuses to serve.
    pub fn credentials(&self) -> String {
        format!("the key that {} is given, and --model", self.program.name)
    }

    /// Whether the program has a place for what a sweep may ask.
    pub fn takes(&self, asked: AskedOf) -> bool {
        let option = match asked {
            AskedOf::Model => OptionName::Model,
            AskedOf::Effort => OptionName::Effort,
            AskedOf::Turns => OptionName::Turns,
            AskedOf::Usd => OptionName::Usd,
            AskedOf::Program => return true,
            AskedOf::Tokens | AskedOf::Service | AskedOf::Answers => return false,
        };
        self.program.takes(option)
    }

    async fn ask_version(
        &self,
        beside: &Path,
        variable: &(dyn Fn(&str) -> Option<String> + Sync),
    ) -> Result<Option<String>, Failure> {
        let Some((first, arguments)) = self.program.version.as_deref().and_then(<[_]>::split_first)
        else {
            return Ok(None);
        };
        let place = Place::make()?;
        let run = Run {
            program: found(&self.program, first, beside, variable)?,
            arguments: arguments.to_vec(),
            directory: place.work(),
            env: self.environment(&|slot| place.value(slot)),
            stdin: String::new(),
        };
        let failed = |why: String| {
            Failure::usage(
                format!("`{first}` does not say its version: {why}"),
                self.program
                    .install
                    .clone()
                    .unwrap_or_else(|| "check that it runs on this machine".to_owned()),
            )
        };
        let ran = process::run(run, Instant::now() + VERSION)
            .await
            .map_err(|error| failed(error.to_string()))?;
        let said = ran.stdout.texts(&self.secrets).0.trim().to_owned();
        match ran.status {
            Some(status) if status.success() && !said.is_empty() => {
                Ok(said.lines().next().map(str::to_owned))
            }
            _ => Err(failed(how_it_ended(&ran, &self.secrets))),
        }
    }

    /// Makes one attempt.
    pub async fn attempt(&self, task: &mut Task) -> Result<Report, Failure> {
        let place = Place::make()?;
        let values = self.values(&place, &task.prompt, &task.limits)?;
        let value = |slot: Slot| values.get(&slot).cloned().or_else(|| place.value(slot));
        place.lay(&self.program, &value)?;
        let run = Run {
            program: self.executable.clone(),
            arguments: self.arguments(&value),
            directory: place.work(),
            env: self.environment(&value),
            stdin: self.program.stdin.fill(&value).unwrap_or_default(),
        };
        for secret in self.secrets.iter() {
            task.transcript.hide(secret);
        }
        task.transcript.push(ROLE, self.described(&run, &values));

        let socket = place.socket();
        let listener = UnixListener::bind(&socket).map_err(|source| {
            Failure::from(store::StoreError {
                action: "listen on",
                path: socket.clone(),
                source,
            })
        })?;
        let mut setup = task.proxy.clone();
        setup.work = Some(place.work());
        let (stop, signal) = StopHandle::new();
        let proxy = tokio::spawn(proxy::serve_socket(listener, setup, signal));
        let ran = process::run(run, task.limits.deadline).await;
        stop.stop();
        let recording = match proxy.await {
            Ok(recording) => recording?,
            Err(error) => {
                return Err(ProxyError::Startup {
                    reason: error.to_string(),
                }
                .into());
            }
        };
        self.hide_in(&task.proxy.out)?;
        let ran = match ran {
            Ok(ran) => ran,
            Err(error) => {
                let why = format!(
                    "`{}` could not be started: {error}",
                    self.program.executable()
                );
                return Ok(Report::without_model(End::Startup(why)));
            }
        };
        let reported = self.note(&ran, &mut task.transcript);
        Ok(Report {
            end: self.end(&ran, &reported, &recording),
            usage: Some(reported.usage()),
            waited: Duration::ZERO,
            model: reported.model,
        })
    }

    /// Hides secrets in the recording: what a program sends to its tools is recorded by the proxy, which knows none. The
    /// transcript hides them itself, and is still written to.
    fn hide_in(&self, recording: &Path) -> Result<(), Failure> {
        for file in store::list(recording)? {
            if file.ends_with(TRANSCRIPT) {
                continue;
            }
            let bytes = store::read(&file)?;
            let text = String::from_utf8_lossy(&bytes);
            let hidden = self.secrets.hidden_in(&text);
            if hidden != text {
                store::write_whole(&file, hidden.as_bytes())?;
            }
        }
        Ok(())
    }

    /// The values that differ from attempt to attempt.
    fn values(
        &self,
        place: &Place,
        prompt: &Prompt,
        limits: &Limits,
    ) -> Result<BTreeMap<Slot, String>, Failure> {
        let own = std::env::current_exe().map_err(crate::profile::ProfileError::OwnPath)?;
        let command = own.to_string_lossy().into_owned();
        let socket = place.socket().to_string_lossy().into_owned();
        let arguments = ["mcp", "attach", socket.as_str()];
        let config =
            json!({ "mcpServers": { (SERVER): { "command": command, "args": arguments } } });
        let whole = prompt.whole();
        store::write_whole(&place.file(MCP_CONFIG), config.to_string().as_bytes())?;
        store::write_whole(&place.file(PROMPT), whole.as_bytes())?;
        let mut values = BTreeMap::from([
            (Slot::McpConfigJson, config.to_string()),
            (Slot::McpCommandJson, Value::from(command).to_string()),
            (Slot::McpArgsJson, json!(arguments).to_string()),
            (Slot::Prompt, whole),
            (Slot::System, prompt.system.clone()),
            (Slot::User, prompt.user.clone()),
            (Slot::Turns, limits.turns.to_string()),
            (Slot::Seconds, limits.seconds.as_secs().to_string()),
        ]);
        let given = [
            (Slot::Model, self.model.clone()),
            (Slot::Effort, self.effort.clone()),
            (Slot::Usd, limits.usd.map(|usd| usd.to_string())),
        ];
        values.extend(
            given
                .into_iter()
                .filter_map(|(slot, value)| Some((slot, value?))),
        );
        Ok(values)
    }

    fn arguments(&self, value: &dyn Fn(Slot) -> Option<String>) -> Vec<String> {
        let words = self
            .program
            .command
            .iter()
            .skip(1)
            .filter_map(|word| word.fill(value));
        // An option without a value is left out with all its words.
        let options = self.program.options.values().filter_map(|words| {
            words
                .iter()
                .map(|word| word.fill(value))
                .collect::<Option<Vec<String>>>()
        });
        words.chain(options.flatten()).collect()
    }

    fn environment(&self, value: &dyn Fn(Slot) -> Option<String>) -> Vec<(String, String)> {
        let mut env: BTreeMap<String, String> = self.env.iter().cloned().collect();
        for (name, template) in &self.program.set {
            if let Some(value) = template.fill(value) {
                env.insert(name.clone(), value);
            }
        }
        env.into_iter().collect()
    }

    /// What is run, for the transcript: the prompt stands there already.
    fn described(&self, run: &Run, values: &BTreeMap<Slot, String>) -> Value {
        let mut shown = run.arguments.clone();
        for slot in [Slot::Prompt, Slot::User, Slot::System] {
            if let Some(text) = values.get(&slot).filter(|text| !text.is_empty()) {
                for word in &mut shown {
                    *word = word.replace(text.as_str(), &slot.to_string());
                }
            }
        }
        let names: Vec<&str> = run.env.iter().map(|(name, _)| name.as_str()).collect();
        json!({
            "name": self.program.name,
            "version": self.version,
            "command": run.program,
            "arguments": shown,
            "environment": names,
        })
    }

    /// Keeps what the program printed, and reads what it says of itself.
    fn note(&self, ran: &Ran, transcript: &mut Transcript) -> Reported {
        let (stdout, rest) = ran.stdout.texts(&self.secrets);
        let (stderr, stderr_rest) = ran.stderr.texts(&self.secrets);
        keep(transcript, "stdout", &stdout, rest.as_ref());
        keep(transcript, "stderr", &stderr, stderr_rest.as_ref());
        let ended = match ran.status {
            Some(status) => status.to_string(),
            None => "ended at the time limit".to_owned(),
        };
        transcript.push(ROLE, json!({ "ended": ended }));
        // The gap is in the middle of a line, which is none then.
        let joined = |head: String, rest: Option<(u64, String)>| match rest {
            None => head,
            Some((_, tail)) => format!("{head}\n{tail}"),
        };
        reported::read(&joined(stdout, rest), &joined(stderr, stderr_rest))
    }

    fn end(&self, ran: &Ran, reported: &Reported, recording: &Recording) -> End {
        let Some(status) = ran.status else {
            return End::OutOfTime;
        };
        if let Some(why) = &reported.api_failure {
            return if reported.is_denied {
                End::Denied(why.clone())
            } else {
                End::ApiFailed(why.clone())
            };
        }
        if let Some(kind) = reported.budget {
            return End::Budget(kind);
        }
        // A protocol was agreed on wherever a session began.
        if recording.protocol_version.is_none() {
            let why = match &recording.startup_error {
                Some(why) => why.clone(),
                None => format!(
                    "the program never started its tools, and {}",
                    how_it_ended(ran, &self.secrets)
                ),
            };
            return End::Startup(why);
        }
        if status.success() {
            End::Finished
        } else {
            End::Failed(how_it_ended(ran, &self.secrets))
        }
    }
}

/// Refuses what the program has no place for: results would name a model, or keep within an allowance, that the program
/// never heard of.
fn fits(program: &Program, asked: Asked<'_>, file: Option<&Path>) -> Result<(), Failure> {
    let wanted = [
        (OptionName::Model, asked.model.is_some(), "--model"),
        (OptionName::Effort, asked.effort.is_some(), "--effort"),
        (OptionName::Turns, asked.turns, "--turns"),
        (OptionName::Usd, asked.usd, "--max-usd"),
    ];
    for (option, is_asked, what) in wanted {
        let name = option.as_str();
        if is_asked && !program.takes(option) {
            let others = file.map(|file| takers(file, option)).unwrap_or_default();
            let others = if others.is_empty() {
                String::new()
            } else {
                format!("; of the files beside it, {} have one", others.join(", "))
            };
            return Err(Failure::usage(
                format!("{} has no place for {what}", program.name),
                format!(
                    "leave it out, or put the place into the program's [options], such as {name} = [\"--{name}\", \"{{{name}}}\"]{others}"
                ),
            ));
        }
        // How many turns there are is always known.
        if !is_asked && option != OptionName::Turns && program.requires(option) {
            return Err(Failure::usage(
                format!("{} needs {what}", program.name),
                "give it, or move its place from the command to the program's [options]",
            ));
        }
    }
    if asked.tokens {
        return Err(Failure::usage(
            format!("{} cannot be held to an allowance of tokens", program.name),
            "only agents whose model this program asks itself can; leave it out",
        ));
    }
    Ok(())
}

/// The agent programs beside a file that have a place for an option. What cannot be read there is none.
fn takers(file: &Path, option: OptionName) -> Vec<String> {
    let beside = store::list(store::above(file)).unwrap_or_default();
    let programs = beside
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .filter_map(|path| Program::read(path).ok());
    let takers = programs.filter(|program| program.takes(option));
    takers.map(|program| program.name).collect()
}

/// The variables that the program is given, and those among them that may hold secrets.
fn environment(
    program: &Program,
    named: &[String],
    need: KeyNeed,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(Vec<(String, String)>, Secrets), Failure> {
    let mut env = BTreeMap::new();
    let mut keys = Vec::new();
    for name in COMMON_VARIABLES {
        if let Some(value) = variable(name) {
            env.insert((*name).to_owned(), value);
        }
    }
    let needed = program.needs.iter().chain(named).map(|name| (name, true));
    for (name, is_needed) in needed.chain(program.env.iter().map(|name| (name, false))) {
        match variable(name) {
            Some(value) => {
                keys.push(value.clone());
                env.insert(name.clone(), value);
            }
            None if is_needed && need == KeyNeed::Now => {
                return Err(Failure::usage(
                    format!(
                        "{} needs the variable {name}, which is not set",
                        program.name
                    ),
                    format!("export {name}=…"),
                ));
            }
            None => {}
        }
    }
    let secrets = Secrets::new(keys.iter().map(String::as_str));
    Ok((env.into_iter().collect(), secrets))
}

/// Where a program lies: a path from the folder `beside`, or a name on the search path.
fn found(
    program: &Program,
    name: &str,
    beside: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<PathBuf, Failure> {
    let candidates: Vec<PathBuf> = if name.contains('/') {
        vec![beside.join(name)]
    } else {
        let path = variable("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|folder| folder.join(name))
            .collect()
    };
    let found = candidates.into_iter().find(|path| {
        path.metadata()
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    });
    // It runs in another folder than this program.
    found
        .and_then(|path| std::path::absolute(path).ok())
        .ok_or_else(|| {
            let install = program.install.as_deref();
            Failure::usage(
                format!("there is no program `{name}` on this machine"),
                install.map_or_else(
                    || "install it, put its folder on PATH, or give its path".to_owned(),
                    |install| format!("install it: {install}"),
                ),
            )
        })
}

/// Keeps what was printed on a stream: lines that are JSON as what they are, all others as text.
fn keep(transcript: &mut Transcript, stream: &str, text: &str, rest: Option<&(u64, String)>) {
    keep_lines(transcript, stream, text);
    if let Some((cut, tail)) = rest {
        transcript.push(ROLE, json!({ "stream": stream, "cut_bytes": cut }));
        keep_lines(transcript, stream, tail);
    }
}

fn keep_lines(transcript: &mut Transcript, stream: &str, text: &str) {
    let mut plain = String::new();
    let flush = |plain: &mut String, transcript: &mut Transcript| {
        let text = std::mem::take(plain);
        if !text.trim().is_empty() {
            transcript.push(ROLE, json!({ "stream": stream, "text": text.trim_end() }));
        }
    };
    for line in text.lines() {
        if let Ok(event @ Value::Object(_)) = serde_json::from_str::<Value>(line) {
            flush(&mut plain, transcript);
            transcript.push(ROLE, json!({ "stream": stream, "event": event }));
        } else {
            plain.push_str(line);
            plain.push('\n');
        }
    }
    flush(&mut plain, transcript);
}

fn how_it_ended(ran: &Ran, secrets: &Secrets) -> String {
    let ended = match ran.status {
        Some(status) => format!("it ended with {status}"),
        None => "it did not end in time".to_owned(),
    };
    let (head, rest) = ran.stderr.texts(secrets);
    let said = rest.map_or(head, |(_, tail)| tail);
    let said = said.trim();
    let start = said
        .char_indices()
        .rev()
        .nth(LAST_WORDS)
        .map_or(0, |(at, _)| at);
    match said.get(start..) {
        None | Some("") => ended,
        Some(words) => format!("{ended}; it said: {words}"),
    }
}

const MCP_CONFIG: &str = "mcp.json";
const PROMPT: &str = "prompt.txt";

/// The folders of one attempt, which go with it. Nobody else on this machine can look into them.
#[derive(Debug)]
struct Place(TempDir);

impl Place {
    fn make() -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|source| store::StoreError {
            action: "create folder in",
            path: std::env::temp_dir(),
            source,
        })?;
        let place = Self(folder);
        store::make_folder(&place.work())?;
        store::make_folder(&place.home())?;
        Ok(place)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn work(&self) -> PathBuf {
        self.file("work")
    }

    fn home(&self) -> PathBuf {
        self.file("home")
    }

    /// Short, since systems allow a socket's path about a hundred bytes.
    fn socket(&self) -> PathBuf {
        self.file("s")
    }

    /// The values that are paths.
    fn value(&self, slot: Slot) -> Option<String> {
        let path = match slot {
            Slot::McpConfigFile => self.file(MCP_CONFIG),
            Slot::PromptFile => self.file(PROMPT),
            Slot::Work => self.work(),
            Slot::Home => self.home(),
            _ => return None,
        };
        Some(path.to_string_lossy().into_owned())
    }

    /// Lays the program's files into its folder.
    fn lay(
        &self,
        program: &Program,
        value: &dyn Fn(Slot) -> Option<String>,
    ) -> Result<(), Failure> {
        for (path, content) in &program.files {
            let content = content.fill(value).unwrap_or_default();
            store::write_whole(&self.work().join(path), content.as_bytes())?;
        }
        Ok(())
    }
}
