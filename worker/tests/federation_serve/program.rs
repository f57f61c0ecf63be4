//! The program: what it serves, what it says of it, and what a client makes of that.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"))
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/benchmarks")
}

/// The program serving, ended when the test is over.
struct Serving {
    child: Child,
    told: Value,
}

impl Serving {
    fn new(words: &[&str]) -> Self {
        let mut child = program()
            .args(["federation", "serve", "--port", "0", "--json"])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut json = String::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            json.push_str(&line.unwrap());
            if json.ends_with('}') {
                break;
            }
        }
        Self {
            told: serde_json::from_str(&json).unwrap(),
            child,
        }
    }

    fn address(&self) -> &str {
        self.told["address"].as_str().unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn refused(words: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = program()
        .args(["federation", "serve", "--port", "0"])
        .args(words)
        .output()
        .unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn keys_asked_of_a_served_reconstruction_are_a_reconstruction_still() {
    let fixtures = fixtures();
    let snapshot = fixtures.join("snapshot").display().to_string();
    let corpus = fixtures.display().to_string();
    let serving = Serving::new(&["--snapshot", &snapshot]);
    assert_eq!(serving.told["kind"], "reconstruction");
    assert_eq!(serving.told["server"], "embedded-reconstruction");

    let out = TempDir::new().unwrap();
    let keys = |endpoint: &str| -> Value {
        let output = program()
            .args([
                "reference",
                "--json",
                "--corpus",
                &corpus,
                "--endpoint",
                endpoint,
            ])
            .arg("--out")
            .arg(out.path())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let served = keys(serving.address());
    let embedded = keys("embedded");
    for (served, embedded) in served
        .as_array()
        .unwrap()
        .iter()
        .zip(embedded.as_array().unwrap())
    {
        for field in ["record", "rows", "hash", "kind", "server", "release"] {
            assert_eq!(served[field], embedded[field], "{field}");
        }
        assert_eq!(served["endpoint"], serving.address());
        let id = served["record"].as_str().unwrap();
        assert!(
            out.path()
                .join(format!("{id}.reconstruction.csv"))
                .is_file()
        );
        assert!(!out.path().join(format!("{id}.csv")).exists());
    }
}

#[test]
fn data_of_ones_own_is_served_from_files_and_folders() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    write(
        "data/deep/er/a.trig",
        "<http://e/g> { <http://e/a> <http://e/p> 1 }",
    );
    write(
        "data/b.nq",
        "<http://e/a> <http://e/p> \"2\" <http://e/h> .",
    );
    write("data/notes.txt", "not RDF, and no matter");
    write("c.ttl", "<http://e/a> <http://e/p> 3 .");
    let (data, file) = (folder.path().join("data"), folder.path().join("c.ttl"));
    let serving = Serving::new(&[
        "--data",
        data.to_str().unwrap(),
        "--data",
        file.to_str().unwrap(),
    ]);
    assert_eq!(serving.told["kind"], Value::Null);
    assert_eq!(serving.told["graphs"], 2);
    assert_eq!(serving.told["triples"], 2);
    assert_eq!(serving.told["unnamed"], 1);
}

#[test]
fn a_file_that_is_cut_short_is_not_served() {
    let folder = TempDir::new().unwrap();
    let whole = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n\
         <e:C rdf:about=\"http://e/a\"><e:p>5</e:p></e:C>\n</rdf:RDF>\n";
    for (cut, place) in [
        ("", ":1:1: the file ends before its first element"),
        ("</e:C>", ":2:41: the file ends before `</e:C>`"),
        ("\n</rdf:RDF>", ":2:47: the file ends before `</rdf:RDF>`"),
    ] {
        let path = folder.path().join("cut.rdf");
        std::fs::write(&path, whole.split(cut).next().unwrap()).unwrap();
        let output = program()
            .args(["federation", "serve", "--port", "0", "--data"])
            .arg(&path)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains(&format!("{}{place}", path.display())),
            "{told}"
        );
        assert!(told.contains("hint: fetch the file again"), "{told}");
    }
}

#[test]
fn a_file_without_named_graphs_is_the_default_graph() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let turtle = write("c.ttl", "<http://e/a> <http://e/p> 3, 4 .");
    let trig = write("a.trig", "<http://e/g> { <http://e/a> <http://e/p> 1 }");
    let xml = |body: &str| {
        format!(
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n{body}</rdf:RDF>\n"
        )
    };
    let owl = write(
        "d.owl",
        &xml("<rdf:Description rdf:about=\"http://e/a\"><e:p>5</e:p></rdf:Description>\n"),
    );
    let snapshot = fixtures().join("snapshot").display().to_string();
    for (words, said) in [
        (
            vec!["--data", &turtle],
            "okn-benchmark: 2 triples in no named graph;",
        ),
        (
            vec!["--data", &trig],
            "okn-benchmark: 1 named graph with 1 triple;",
        ),
        (
            vec!["--data", &owl],
            "okn-benchmark: 1 triple in no named graph;",
        ),
        (
            vec!["--data", &turtle, "--data", &trig],
            "okn-benchmark: 1 named graph with 1 triple, and 2 triples in no named graph;",
        ),
        (vec!["--snapshot", &snapshot], "named graphs with "),
    ] {
        let mut child = program()
            .args(["federation", "serve", "--port", "0"])
            .args(&words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.contains(said), "{words:?}: {line}");
    }

    let serving = Serving::new(&["--data", &turtle]);
    assert_eq!(serving.told["graphs"], 0);
    assert_eq!(serving.told["unnamed"], 2);
    let record = write(
        "r.rq",
        "#+ summary: how many\nSELECT (COUNT(*) AS ?n) WHERE { <http://e/a> <http://e/p> ?o }\n",
    );
    let corpus = Path::new(&record).parent().unwrap();
    let output = program()
        .args(["reference", "--corpus"])
        .arg(corpus)
        .args(["--endpoint", serving.address(), "--out"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let rows = std::fs::read_to_string(folder.path().join("r.csv")).unwrap();
    assert_eq!(rows, "n\n2\n");
}

#[test]
fn a_reconstruction_stays_one_by_whichever_path_it_is_given() {
    let snapshot = fixtures().join("snapshot");
    let file = snapshot.join("nde.trig");
    let own = TempDir::new().unwrap();
    let other = own.path().join("other.ttl");
    std::fs::write(&other, "<http://e/a> <http://e/p> 3 .").unwrap();
    for words in [
        vec!["--data", snapshot.to_str().unwrap()],
        vec!["--data", file.to_str().unwrap()],
        vec![
            "--data",
            file.to_str().unwrap(),
            "--data",
            other.to_str().unwrap(),
        ],
        vec!["--data", fixtures().to_str().unwrap().to_owned().leak()],
    ] {
        let serving = Serving::new(&words);
        assert_eq!(serving.told["kind"], "reconstruction", "{words:?}");
    }
}

#[test]
fn what_cannot_be_served_is_told_with_file_line_and_remedy() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let broken = write("broken.ttl", "<http://e/a> <http://e/p>\n  \"unclosed .\n");
    let (status, said) = refused(&["--data", &broken]);
    assert_eq!(status, Some(2));
    assert!(said.contains("broken.ttl:2:3: "), "{said}");

    let broken = write(
        "broken.rdf",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n  <rdf:Description rdf:about=\"a b\"/>\n</rdf:RDF>\n",
    );
    let (status, said) = refused(&["--data", &broken]);
    assert_eq!(status, Some(2));
    assert!(said.contains("broken.rdf:2:"), "{said}");

    let unknown = write("table.xlsx", "?");
    let (status, said) = refused(&["--data", &unknown]);
    assert_eq!(status, Some(2));
    assert!(said.contains("hint: name it .trig"), "{said}");

    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let (status, said) = refused(&["--data", empty.to_str().unwrap()]);
    assert_eq!(status, Some(2));
    assert!(said.contains("no RDF file lies in"), "{said}");

    let (status, said) = refused(&["--snapshot", empty.to_str().unwrap()]);
    assert_eq!(status, Some(2));
    assert!(said.contains("no embedded federation lies in"), "{said}");

    let (status, said) = refused(&["--data", "/nowhere/at/all.ttl"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("cannot read /nowhere/at/all.ttl"), "{said}");
}
