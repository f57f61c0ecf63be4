//! A program of others, run in a group of its own and ended with all that it started.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// The variable by which everything that a program started is known, wherever it went.
const MARK: &str = "OKN_BENCHMARK_ATTEMPT";

/// How long what is asked to end may take before it is made to, and what a program leaves behind may go on.
const GRACE: Duration = Duration::from_secs(2);

/// How often it is looked whether somebody is still there.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes that are kept of the beginning of what a program prints, and as many of its end.
const KEPT: usize = 2 << 20;

/// How much is read at once.
const READ: usize = 64 << 10;

/// What is run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The program, and its arguments.
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// Where it runs.
    pub(super) directory: PathBuf,
    /// Its whole environment.
    pub(super) env: Vec<(String, String)>,
    /// What it reads on its standard input.
    pub(super) stdin: String,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Ran {
    /// How it ended; `None` where it had to be ended.
    pub(super) status: Option<ExitStatus>,
    /// What it printed.
    pub(super) stdout: Captured,
    /// What it said beside that.
    pub(super) stderr: Captured,
}

/// Runs a program until it ends or the time is up. Nothing of it is left then; nor where the future is dropped before.
pub(super) async fn run(run: Run, deadline: Instant) -> io::Result<Ran> {
    let (mut group, pipes) = Group::start(&run)?;
    let (stdin, stdout, stderr) = pipes;
    let writing = tokio::spawn(write_all(stdin, run.stdin));
    let (stdout, reading_stdout) = capture(stdout);
    let (stderr, reading_stderr) = capture(stderr);
    let status = tokio::select! {
        status = group.child.wait() => Some(status?),
        () = tokio::time::sleep_until(deadline) => None,
    };
    group.end(status.is_some()).await;
    writing.abort();
    // What is left of the output is on its way; a process that got away may hold the pipe open.
    for reading in [reading_stdout, reading_stderr] {
        let stop = reading.abort_handle();
        if timeout(GRACE, reading).await.is_err() {
            stop.abort();
        }
    }
    Ok(Ran {
        status,
        stdout: taken(&stdout),
        stderr: taken(&stderr),
    })
}

type Pipes = (
    Option<ChildStdin>,
    Option<tokio::process::ChildStdout>,
    Option<tokio::process::ChildStderr>,
);

/// A process and all that it started.
#[derive(Debug)]
struct Group {
    child: Box<dyn ChildWrapper>,
    id: Option<Pid>,
    mark: String,
}

impl Group {
    fn start(run: &Run) -> io::Result<(Self, Pipes)> {
        let mark = format!("{MARK}={}", random_name());
        let mut wrapped = CommandWrap::with_new(&run.program, |command| {
            command
                .args(&run.arguments)
                .current_dir(&run.directory)
                .env_clear()
                .envs(run.env.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some((name, value)) = mark.split_once('=') {
                command.env(name, value);
            }
        });
        wrapped.wrap(ProcessGroup::leader());
        let mut child = wrapped.spawn()?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let pipes = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let group = Self {
            child,
            id: id.map(Pid::from_raw),
            mark,
        };
        Ok((group, pipes))
    }

    /// Ends whatever of it is still there: politely first, so that it can end its own.
    async fn end(&mut self, ended: bool) {
        if ended {
            // Its tools end with it, by themselves.
            self.wait_for_the_last().await;
        }
        self.signal(Signal::SIGTERM);
        let _ = timeout(GRACE, self.child.wait()).await;
        self.wait_for_the_last().await;
        self.kill();
        let _ = timeout(GRACE, self.child.wait()).await;
    }

    async fn wait_for_the_last(&self) {
        let until = Instant::now() + GRACE;
        while self.is_there() && Instant::now() < until {
            sleep(LOOK).await;
        }
    }

    fn is_there(&self) -> bool {
        self.id.is_some_and(|id| killpg(id, None).is_ok())
    }

    /// Whoever has gone already is no failure.
    fn signal(&self, signal: Signal) {
        if let Some(id) = self.id {
            let _ = killpg(id, signal);
        }
    }

    /// Kills the group, and what has left it for one of its own.
    fn kill(&self) {
        self.signal(Signal::SIGKILL);
        strays::kill(&self.mark);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Processes that left their group, as daemons do: known by their environment, which they inherited.
#[cfg(target_os = "linux")]
mod strays {
    use nix::sys::signal::{Signal, kill as signal};
    use nix::unistd::Pid;

    /// One that is killed may have started another in the meantime.
    const ROUNDS: usize = 5;

    pub(super) fn kill(mark: &str) {
        for _ in 0..ROUNDS {
            let found = with(mark);
            if found.is_empty() {
                return;
            }
            for process in found {
                let _ = signal(process, Signal::SIGKILL);
            }
        }
    }

    fn with(mark: &str) -> Vec<Pid> {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        numbers
            .filter(|number| {
                // Those of others cannot be read, and are none of ours.
                let environment =
                    std::fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
                environment
                    .split(|byte| *byte == 0)
                    .any(|variable| variable == mark.as_bytes())
            })
            .map(Pid::from_raw)
            .collect()
    }
}

/// Elsewhere nothing tells them from others.
#[cfg(not(target_os = "linux"))]
mod strays {
    pub(super) fn kill(_: &str) {}
}

/// A program that reads nothing is no failure.
async fn write_all(stdin: Option<ChildStdin>, text: String) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(text.as_bytes()).await;
        let _ = stdin.shutdown().await;
    }
}

type Shared = Arc<Mutex<Captured>>;

fn capture<R>(stream: Option<R>) -> (Shared, JoinHandle<()>)
where
    R: AsyncRead + Send + Unpin + 'static,
{
    let shared = Shared::default();
    let kept = Arc::clone(&shared);
    let reading = tokio::spawn(async move {
        let Some(mut stream) = stream else { return };
        let mut buffer = vec![0; READ];
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            let bytes = buffer.get(..count).unwrap_or_default();
            kept.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .add(bytes);
        }
    });
    (shared, reading)
}

fn taken(shared: &Shared) -> Captured {
    std::mem::take(&mut *shared.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The beginning and the end of what was printed.
#[derive(Debug, Default)]
pub(super) struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    cut: u64,
}

impl Captured {
    fn add(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.head.len()).min(bytes.len());
        let (head, tail) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        self.tail.extend(tail);
        let over = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..over);
        self.cut += over as u64;
    }

    /// What was kept, without secrets; and where something is missing, how many bytes of it, and what came after them.
    pub(super) fn texts(&self, secrets: &Secrets) -> (String, Option<(u64, String)>) {
        let (front, back) = self.tail.as_slices();
        let tail = [front, back].concat();
        if self.cut == 0 {
            let whole = [self.head.as_slice(), &tail].concat();
            return (secrets.hidden_in(&String::from_utf8_lossy(&whole)), None);
        }
        let head = secrets.hidden_in(&String::from_utf8_lossy(&self.head));
        let tail = secrets.hidden_in(&String::from_utf8_lossy(&tail));
        let (head, tail) = (secrets.without_begun(&head), secrets.without_ended(&tail));
        (head.to_owned(), Some((self.cut, tail.to_owned())))
    }
}

/// Texts that may appear nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Shorter values, such as `1` or `true`, are no secrets, and hiding them would make a text unreadable.
    const SHORTEST: usize = 8;

    pub(super) fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut forms = Vec::new();
        for value in values {
            if value.len() < Self::SHORTEST {
                continue;
            }
            let json = serde_json::Value::from(value).to_string();
            forms.push(json.trim_matches('"').to_owned());
            forms.push(value.to_owned());
        }
        // A secret within another one would else leave the rest of it.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self(forms)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// A text that was cut off, without the beginning of a secret at its end.
    fn without_begun<'t>(&self, text: &'t str) -> &'t str {
        let text = text.trim_end_matches(char::REPLACEMENT_CHARACTER);
        let begun = self.iter().flat_map(|secret| {
            let ends = secret.char_indices().map(|(at, _)| at).skip(1);
            ends.filter_map(|end| text.strip_suffix(secret.get(..end)?))
        });
        begun.min_by_key(|rest| rest.len()).unwrap_or(text)
    }

    /// A text that begins after a cut, without the end of a secret at its beginning.
    fn without_ended<'t>(&self, text: &'t str) -> &'t str {
        let text = text.trim_start_matches(char::REPLACEMENT_CHARACTER);
        let ended = self.iter().flat_map(|secret| {
            let starts = secret.char_indices().map(|(at, _)| at).skip(1);
            starts.filter_map(|start| text.strip_prefix(secret.get(start..)?))
        });
        ended.min_by_key(|rest| rest.len()).unwrap_or(text)
    }

    pub(super) fn hidden_in(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            text = text.replace(secret.as_str(), "***");
        }
        text
    }
}

/// A name that nobody else has, from the one source of randomness in the standard library.
fn random_name() -> String {
    use std::hash::{BuildHasher as _, Hasher as _, RandomState};
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(parts: &[&[u8]]) -> Captured {
        let mut captured = Captured::default();
        for part in parts {
            captured.add(part);
        }
        captured
    }

    #[test]
    fn beginning_and_end_are_kept_and_the_gap_is_told() {
        let secrets = Secrets::default();
        assert_eq!(
            captured(&[b"a", b"b"]).texts(&secrets),
            ("ab".to_owned(), None)
        );
        let long = vec![b'x'; KEPT];
        let (head, tail) = captured(&[&long, b"-", &long]).texts(&secrets);
        assert_eq!((head.len(), tail), (KEPT, Some((1, "x".repeat(KEPT)))));
        let (head, tail) = captured(&[&long, b"end"]).texts(&secrets);
        assert_eq!((head.len(), tail), (KEPT + 3, None));
    }

    #[test]
    fn no_part_of_a_secret_is_left_at_the_edges_of_the_gap() {
        let secret = "sk-0123456789";
        let secrets = Secrets::new([secret]);
        for short in 0..20 {
            let parts: [&[u8]; 5] = [
                &vec![b'x'; KEPT - short],
                secret.as_bytes(),
                &[b'y'; 50],
                secret.as_bytes(),
                &vec![b'z'; KEPT - short],
            ];
            let (head, rest) = captured(&parts).texts(&secrets);
            let (_, tail) = rest.unwrap();
            for text in [head, tail] {
                assert!(!text.contains("sk") && !text.contains('9'), "{short}");
            }
        }
    }

    #[test]
    fn secrets_are_hidden_as_they_are_and_as_json_has_them() {
        let secrets = Secrets::new(["pass\"word\n1", "1", "pass\"word\n1 and more"]);
        assert_eq!(
            secrets.hidden_in("a pass\"word\n1 b \"pass\\\"word\\n1\" 1 pass\"word\n1 and more"),
            "a *** b \"***\" 1 ***"
        );
    }
}
