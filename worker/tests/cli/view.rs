//! `view`: a site on 127.0.0.1.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::harness::{Bench, assert_told};

/// The server, ended when the test is over.
struct Serving {
    child: Child,
    address: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Serving {
    fn of(bench: &Bench) -> Self {
        bench.write("secret.txt", "not for everybody");
        bench.write("site/index.html", "<!doctype html><title>site</title>");
        bench.write("site/engine.wasm", b"\0asm");
        bench.write("site/app.js", "export {};");
        bench.write("site/results/index.json", "{}");
        Self::start(bench, "view site --port 0")
    }

    fn start(bench: &Bench, line: &str) -> Self {
        let mut child = bench
            .command(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        Self { child, address }
    }

    /// The reply to a path that is sent as it stands, which no HTTP client would.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )
        .unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }
}

#[test]
fn files_have_the_types_that_a_browser_needs() {
    let bench = Bench::new();
    let serving = Serving::of(&bench);
    assert!(
        serving.address.starts_with("127.0.0.1:"),
        "{}",
        serving.address
    );
    for (path, kind) in [
        ("/", "text/html"),
        ("/?view=record&id=nde-expand_heart", "text/html"),
        ("/engine.wasm", "application/wasm"),
        ("/app.js", "text/javascript"),
        ("/results/index.json", "application/json"),
    ] {
        let reply = serving.get(path);
        assert!(reply.starts_with("HTTP/1.1 200"), "{path}: {reply}");
        assert!(
            reply.contains(&format!("content-type: {kind}")),
            "{path}: {reply}"
        );
    }
    assert!(serving.get("/nothing").starts_with("HTTP/1.1 404"));
}

#[test]
fn no_path_leads_out_of_the_site() {
    let bench = Bench::new();
    let serving = Serving::of(&bench);
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/results/../../secret.txt",
        "/results/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/..%5csecret.txt",
        "//secret.txt",
    ] {
        let reply = serving.get(path);
        assert!(!reply.contains("not for everybody"), "{path}: {reply}");
        assert!(!reply.starts_with("HTTP/1.1 200"), "{path}: {reply}");
    }
}

#[test]
fn a_folder_that_is_no_site_says_so() {
    assert_told!(Bench::new().told("view controls-ontology"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_in_peace() {
    let bench = Bench::new();
    let mut serving = Serving::of(&bench);
    assert!(serving.get("/").starts_with("HTTP/1.1 200"));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &serving.child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
}

#[test]
fn sweeps_are_shown_without_publishing_them_first() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --agent baseline:silent --out runs");
    bench.write(
        "explorer/index.html",
        "<!doctype html><title>explorer</title>",
    );
    let serving = Serving::start(&bench, "view runs --explorer explorer --port 0");
    assert!(serving.get("/").contains("<title>explorer</title>"));
    let index = serving.get("/results/index.json");
    assert!(index.contains("baseline:silent"), "{index}");
    assert!(
        serving
            .get("/snapshot/manifest.json")
            .starts_with("HTTP/1.1 200")
    );
    assert_told!(bench.told("view runs --explorer nowhere --port 0"));
}

/// Each server says by which option another address is given.
#[test]
fn a_port_in_use_names_the_option_that_chooses_it() {
    let bench = Bench::new();
    bench.write("site/index.html", "<!doctype html>");
    bench.write("profile.toml", "[upstream]\nurl = 'http://127.0.0.1:1/'\n");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (line, option) in [
        (format!("view site --port {port}"), "--port N"),
        (
            format!("federation serve --snapshot benchmarks-ontology/snapshot --port {port}"),
            "--port N",
        ),
        (
            format!("mcp serve --http 127.0.0.1:{port}"),
            "--http HOST:PORT",
        ),
        (
            format!("mcp proxy --profile profile.toml --out attempt --http 127.0.0.1:{port}"),
            "--http HOST:PORT",
        ),
    ] {
        let output = bench.run(&line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(
            said.contains(&format!(
                "something else is served there: give another port with {option}"
            )),
            "{line}: {said}"
        );
    }
    // An address of documentation's, which no machine has.
    for (line, option) in [
        (
            "federation serve --snapshot benchmarks-ontology/snapshot --port 0 --host 192.0.2.1",
            "--host ADDRESS",
        ),
        ("mcp serve --http 192.0.2.1:0", "--http HOST:PORT"),
    ] {
        let said = bench.told(line);
        assert!(
            said.contains("this machine has no such address") && said.contains(option),
            "{line}: {said}"
        );
    }
}
