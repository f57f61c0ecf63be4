//! A folder with the fixture corpus in it, and the program run there.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tempfile::TempDir;

/// What differs from run to run, and what stands in a snapshot instead. The only such list.
const FILTERS: [(&str, &str); 5] = [
    (
        r#""(ms|seconds|server_seconds|waiting_seconds)": [0-9.e-]+"#,
        r#""$1": [TIME]"#,
    ),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "[DATE]"),
    (r"127\.0\.0\.1:\d+", "[ADDRESS]"),
    (r"(/[\w.-]+)*/\.tmp\w+", "[DIR]"),
    (r"okn-benchmark(\.exe)?", "okn-benchmark"),
];

/// A folder of its own, with the fixtures as `benchmarks-ontology`, `controls-ontology` and `broken`.
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
        copy(&fixtures.join("broken"), &dir.path().join("broken"));
        Self { dir }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap()
    }

    pub(crate) fn read_json(&self, relative: &str) -> Value {
        serde_json::from_str(&self.read(relative)).unwrap()
    }

    pub(crate) fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The program in the folder, with these words behind it.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"));
        command
            .current_dir(self.dir.path())
            .args(line.split_whitespace());
        // What a tester has there must not show in what the program says.
        for name in [
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
        ] {
            command.env_remove(name);
        }
        // Nor is anything left behind there.
        command.env("XDG_CACHE_HOME", self.dir.path().join("cache-home"));
        command
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Exit status, standard output and standard error, for a snapshot.
    pub(crate) fn told(&self, line: &str) -> String {
        let output = self.run(line);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        format!(
            "$ okn-benchmark {line}\nexit {}\n--- stdout\n{}--- stderr\n{}",
            output.status.code().unwrap(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// What a run that must succeed prints with `--json`.
    pub(crate) fn json(&self, line: &str) -> Value {
        let output = self.run(&format!("{line} --json"));
        assert!(
            output.status.success(),
            "{line}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// Compares with the stored snapshot, what differs from run to run left out.
macro_rules! assert_told {
    ($value:expr) => {
        insta::with_settings!({ filters => crate::harness::filters(), omit_expression => true }, {
            insta::assert_snapshot!($value)
        })
    };
}
pub(crate) use assert_told;

pub(crate) fn filters() -> Vec<(&'static str, &'static str)> {
    FILTERS.to_vec()
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

/// One request as a server sees it.
pub(crate) struct Request {
    /// How many came before it.
    pub(crate) place: usize,
    pub(crate) line: String,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Request {
    /// The query that it asks.
    pub(crate) fn query(&self) -> String {
        let form = form_urlencoded::parse(self.body.as_bytes());
        let mut fields = form.filter(|(name, _)| name == "query");
        fields.next().unwrap().1.into_owned()
    }

    /// Whether its query begins so.
    pub(crate) fn asks(&self, start: &str) -> bool {
        let encoded: String = form_urlencoded::byte_serialize(start.as_bytes()).collect();
        [&self.line, &self.body]
            .iter()
            .any(|text| text.contains(&format!("query={encoded}")) || text.starts_with(start))
    }
}

/// What a server says: everything after `HTTP/1.1 `, or nothing at all while the connection stays open.
pub(crate) enum Reply {
    Say(String),
    Hang,
}

impl Reply {
    pub(crate) fn new(status: &str, headers: &str, body: &str) -> Self {
        Self::Say(format!(
            "{status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ))
    }

    pub(crate) fn json(body: &str) -> Self {
        Self::new(
            "200 OK",
            "Content-Type: application/sparql-results+json\r\n",
            body,
        )
    }
}

/// A SPARQL endpoint that says what a test wants it to; its address. It ends with the test's process.
pub(crate) fn server(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> String {
    server_greeting(Reply::new("405 No", "", ""), answer)
}

/// The same, with what it says to the program's hello.
pub(crate) fn server_greeting(
    hello: Reply,
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> String {
    let hello = match hello {
        Reply::Say(hello) => format!("HTTP/1.1 {hello}"),
        Reply::Hang => String::new(),
    };
    let hello = Arc::new(hello);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    let places = Arc::new(AtomicUsize::new(0));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let (answer, places) = (Arc::clone(&answer), Arc::clone(&places));
            let hello = Arc::clone(&hello);
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let mut headers = String::new();
                loop {
                    let mut header = String::new();
                    if reader.read_line(&mut header).unwrap() == 0 || header == "\r\n" {
                        break;
                    }
                    headers.push_str(&header.to_lowercase());
                }
                // The program says hello before it asks anything; that is no request of a test's.
                if line.starts_with("HEAD ") {
                    let _ = stream.write_all(hello.as_bytes());
                    return;
                }
                let length = headers
                    .lines()
                    .find_map(|header| header.strip_prefix("content-length: "));
                let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
                reader.read_exact(&mut body).unwrap();
                let request = Request {
                    place: places.fetch_add(1, Ordering::SeqCst),
                    line,
                    headers,
                    body: String::from_utf8(body).unwrap(),
                };
                match answer(&request) {
                    Reply::Say(reply) => {
                        // The program may have been killed in the meantime; that is what some tests are about.
                        let _ = stream.write_all(format!("HTTP/1.1 {reply}").as_bytes());
                    }
                    Reply::Hang => loop {
                        std::thread::park();
                    },
                }
            });
        }
    });
    format!("http://{address}/sparql")
}
