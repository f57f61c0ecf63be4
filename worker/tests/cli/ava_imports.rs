//! `--imports` and `--import`: what an ontology imports, fetched from a server or read from a file.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::harness::{Bench, Reply, server};

const PREFIXES: &str = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n";

/// A server of ontologies; its address, and how often it was asked.
fn ontologies() -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let address = server(move |request| {
        counted.fetch_add(1, Ordering::SeqCst);
        let turtle = |text: &str| {
            let host = request
                .headers
                .lines()
                .find_map(|line| line.strip_prefix("host: "));
            let text = text.replace("{at}", &format!("http://{}", host.unwrap()));
            Reply::new(
                "200 OK",
                "Content-Type: text/plain\r\n",
                &format!("{PREFIXES}{text}"),
            )
        };
        let redirect = |to: &str| Reply::new("302 Found", &format!("Location: {to}\r\n"), "");
        let path = request.line.split(' ').nth(1).unwrap();
        match path {
            "/one" => redirect("/files/one.ttl"),
            "/files/one.ttl" => turtle(
                "<{at}/one> a owl:Ontology ; owl:imports <{at}/two> , <{at}/main> .
                 <{at}#middle> a owl:Class ; rdfs:label \"middle\" ; rdfs:subClassOf <{at}#top> .",
            ),
            "/two" => turtle(
                "<{at}/two> owl:imports <{at}/one> . <{at}#top> a owl:Class ; rdfs:label \"top\" .",
            ),
            "/round" => redirect("/round"),
            "/page" => Reply::new(
                "200 OK",
                "Content-Type: text/html; charset=utf-8\r\n",
                "<html/>",
            ),
            "/json" => Reply::new("200 OK", "Content-Type: application/json\r\n", "{\"a\": 1}"),
            "/cut" => Reply::new(
                "200 OK",
                "Content-Type: application/rdf+xml\r\n",
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n",
            ),
            "/short" => {
                Reply::Say("200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n".to_owned())
            }
            "/silent" => Reply::Hang,
            _ => Reply::new("404 Not Found", "", ""),
        }
    });
    (address.strip_suffix("/sparql").unwrap().to_owned(), asked)
}

/// An ontology with one class of its own, whose parent is imported.
fn bench(at: &str, import: &str) -> Bench {
    let bench = Bench::new();
    bench.write(
        "main.ttl",
        format!(
            "{PREFIXES}<{at}/main> a owl:Ontology ; owl:imports <{import}> .
             <{at}#bottom> a owl:Class ; rdfs:label \"bottom\" ; rdfs:subClassOf <{at}#middle> .\n"
        ),
    );
    bench
}

#[test]
fn imports_are_fetched_where_that_is_asked_for_each_once_and_what_they_import_too() {
    let (at, asked) = ontologies();
    let bench = bench(&at, &format!("{at}/one"));
    let listed = bench.json("ava ontology main.ttl");
    assert_eq!(listed["imports"], serde_json::json!([format!("{at}/one")]));
    assert_eq!(listed["imports_read"], serde_json::json!([]));
    assert_eq!(listed["classes"], 1);
    assert_eq!(asked.load(Ordering::SeqCst), 0);

    let fetched = bench.json("ava ontology main.ttl --imports fetch");
    let all = ["main", "one", "two"].map(|name| format!("{at}/{name}"));
    assert_eq!(fetched["imports_read"], serde_json::json!(all));
    assert_eq!(
        (&fetched["classes"], &fetched["depth"]),
        (&3.into(), &2.into())
    );
    assert_eq!(fetched["ontology_iri"], format!("{at}/main"));
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    let told = bench.told("ava ontology main.ttl --imports fetch");
    assert!(
        told.contains(&format!("imports {at}/two, which was read\n")),
        "{told}"
    );
    assert!(
        told.contains(&format!("imports {at}/main, which was read\n")),
        "{told}"
    );
}

#[test]
fn every_command_that_reads_an_ontology_takes_its_imports() {
    let (at, _) = ontologies();
    let bench = bench(&at, &format!("{at}/one"));
    bench.write(
        "reference.rdf",
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><Alignment/></rdf:RDF>",
    );
    let model = "--model baseline:trigrams";
    for (line, figure, listed, fetched) in [
        (
            "ava extract --ontology main.ttl --out subgraphs",
            "seeds",
            1,
            3,
        ),
        (
            &format!(
                "ava align --source main.ttl --target main.ttl --reference reference.rdf {model}"
            ),
            "target_classes",
            1,
            3,
        ),
        (
            &format!("ava taxonomy --ontology main.ttl {model}"),
            "types",
            2,
            3,
        ),
    ] {
        assert_eq!(bench.json(line)[figure], listed, "{line}");
        assert_eq!(
            bench.json(&format!("{line} --imports fetch"))[figure],
            fetched,
            "{line}"
        );
    }
    // What is imported declares the class above; without it, the subgraph that was cut last holds no axiom of the file.
    let line = "ava synthesize --subgraphs subgraphs --ontology main.ttl --out triplets.json";
    let refused = bench.run(line);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("main.ttl asserts nothing of what"), "{told}");
    let made = bench.json(&format!("{line} --imports fetch"));
    assert_eq!(made["subgraphs_read"], 1, "{made}");
}

#[test]
fn an_import_that_cannot_be_fetched_is_told_with_its_address_and_what_to_do() {
    let (at, _) = ontologies();
    for (import, error, hint) in [
        (
            "{at}/none",
            "cannot fetch the import {at}/none: {at}/none answers 404 Not Found",
            "give a copy of it with --import {at}/none=FILE",
        ),
        (
            "{at}/round",
            "cannot fetch the import {at}/round: ",
            "give a copy of it with --import {at}/round=FILE",
        ),
        (
            "{at}/page",
            "cannot fetch the import {at}/page: {at}/page answers with a page",
            "give a copy of it",
        ),
        (
            "{at}/short",
            "cannot fetch the import {at}/short: ",
            "give a copy of it",
        ),
        (
            "{at}/silent",
            "cannot fetch the import {at}/silent: it did not come within the 1 s of --import-timeout",
            "give a copy of it",
        ),
        (
            "http://127.0.0.1:1/o",
            "cannot fetch the import http://127.0.0.1:1/o: ",
            "give a copy of it",
        ),
        (
            "file:///etc/hostname",
            "cannot fetch the import file:///etc/hostname: only addresses that begin with http",
            "give a copy of it with --import file:///etc/hostname=FILE",
        ),
        (
            "urn:o",
            "cannot fetch the import urn:o: only addresses",
            "give a copy of it",
        ),
        (
            "{at}/cut",
            "{at}/cut:1:66: the file ends before `</rdf:RDF>`",
            "fetch the file again",
        ),
        ("{at}/json", "{at}/json:1:1: this is JSON", "convert it"),
    ] {
        let [import, error, hint] = [import, error, hint].map(|text| text.replace("{at}", &at));
        let bench = bench(&at, &import);
        let line =
            "ava extract --ontology main.ttl --out subgraphs --imports fetch --import-timeout 1";
        let output = bench.run(line);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{import}: {told}");
        assert!(
            told.contains(&format!("error: {error}")),
            "{import}: {told}"
        );
        assert!(told.contains(&format!("hint: {hint}")), "{import}: {told}");
        assert!(!bench.path("subgraphs").exists(), "{import}");
    }
}

#[test]
fn a_copy_takes_the_place_of_what_would_be_fetched() {
    let (at, asked) = ontologies();
    let bench = bench(&at, &format!("{at}/one"));
    bench.write(
        "copy.obo",
        "format-version: 1.4\nimport: urn:other\n\n[Term]\nid: X:1\nname: copied\ncolour: red\n",
    );
    let line = format!("ava ontology main.ttl --import {at}/one=copy.obo");
    let described = bench.json(&line);
    assert_eq!(
        described["imports_read"],
        serde_json::json!([format!("{at}/one")])
    );
    assert_eq!(described["imports"].as_array().unwrap().len(), 2);
    assert_eq!(described["classes"], 2);
    assert!(
        bench
            .told(&line)
            .contains("copy.obo:7:9: an unknown tag: colour: red\n")
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    // What the copy imports is asked for, unless there is a copy of that too.
    bench.write("other.ttl", format!("{PREFIXES}<{at}#top> a owl:Class .\n"));
    let both = bench.json(&format!(
        "{line} --import urn:other=other.ttl --imports fetch"
    ));
    assert_eq!(both["classes"], 3);
    assert_eq!(asked.load(Ordering::SeqCst), 0);

    for (copy, error) in [
        (
            "urn:x=copy.obo",
            "error: nothing imports urn:x, for which --import gives a file\nhint: what is imported is ",
        ),
        ("copy.obo", "expected IRI=FILE"),
        ("=copy.obo", "expected IRI=FILE"),
        (&format!("{at}/one=nowhere.owl"), "nowhere.owl"),
    ] {
        let output = bench.run(&format!("ava ontology main.ttl --import {copy}"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{copy}: {told}");
        assert!(told.contains(error), "{copy}: {told}");
    }
}
