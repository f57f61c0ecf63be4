//! `ava ontology` and `ava extract`.

use std::fs;

use ontology::{Manifest, Subgraph};

use crate::harness::{Bench, assert_told};

const ANATOMY: &str = "\
format-version: 1.4
ontology: anatomy

[Term]
id: X:0000001
name: organ
comment: The widest class here.

[Term]
id: X:0000002
name: heart
is_a: X:0000001 ! organ
relationship: part_of X:0000003

[Term]
id: X:0000003
name: chest
def: not a quotation

[Term]
id: X:0000004
name: lung
is_a: X:0000001
intersection_of: X:0000001
intersection_of: part_of X:0000003

[Typedef]
id: part_of
name: part of
xref: BFO:0000050
";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("anatomy.obo", ANATOMY);
    bench
}

/// Every file under a folder, relative to it.
fn files(bench: &Bench, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(bench.path(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn an_ontology_in_figures() {
    assert_told!(bench().told("ava ontology anatomy.obo"));
}

#[test]
fn an_ontology_in_figures_as_json() {
    assert_told!(bench().told("ava ontology anatomy.obo --json"));
}

#[test]
fn subgraphs_are_files_as_ava_names_them() {
    let bench = bench();
    assert_told!(bench.told("ava extract --ontology anatomy.obo --out subgraphs"));
    assert_eq!(files(&bench, "subgraphs"), ["anatomy"]);
    let manifest: Manifest =
        serde_json::from_value(bench.read_json("subgraphs/anatomy/bfs/manifest.json")).unwrap();
    assert_eq!(
        (&*manifest.ontology, &*manifest.strategy),
        ("anatomy", "bfs")
    );
    assert_eq!(manifest.total, manifest.subgraphs.len());
    let mut expected: Vec<String> = manifest
        .subgraphs
        .iter()
        .map(|entry| entry.file.clone())
        .collect();
    expected.push("manifest.json".to_owned());
    expected.sort();
    assert_eq!(files(&bench, "subgraphs/anatomy/bfs"), expected);
    for entry in &manifest.subgraphs {
        let file = format!("subgraphs/anatomy/bfs/{}", entry.file);
        let subgraph: Subgraph<'static> = serde_json::from_value(bench.read_json(&file)).unwrap();
        assert_eq!(subgraph.subgraph_id, entry.subgraph_id);
        assert_eq!(format!("{}.json", subgraph.subgraph_id), entry.file);
        assert_eq!(subgraph.triples.len(), entry.triple_count);
        assert_eq!(subgraph.triple_count, entry.triple_count);
        assert_eq!(subgraph.nodes.len(), entry.node_count);
        assert_eq!(subgraph.source_ontology, "anatomy");
    }
    let first = bench.read(&format!(
        "subgraphs/anatomy/bfs/{}",
        manifest.subgraphs[0].file
    ));
    assert_told!(first);
}

#[test]
fn the_full_graph_reads_intersections() {
    let json = bench()
        .json("ava extract --ontology anatomy.obo --out subgraphs --graph full --name whole");
    assert_eq!(json["folder"], "subgraphs/whole/bfs");
    assert_eq!(json["graph"], "full");
    assert_eq!(json["edges"], 4);
}

#[test]
fn a_second_extraction_takes_the_place_of_the_first() {
    let bench = bench();
    bench.json("ava extract --ontology anatomy.obo --out subgraphs");
    let before = files(&bench, "subgraphs/anatomy/bfs");
    bench.write("subgraphs/anatomy/note.txt", "kept");
    bench.write("anatomy.obo", ANATOMY.replace("X:0000002", "X:0000009"));
    bench.json("ava extract --ontology anatomy.obo --out subgraphs");
    let after = files(&bench, "subgraphs/anatomy/bfs");
    assert!(
        before
            .iter()
            .all(|file| file == "manifest.json" || !after.contains(file))
    );
    assert_eq!(files(&bench, "subgraphs/anatomy"), ["bfs", "note.txt"]);
    assert_eq!(files(&bench, "subgraphs"), ["anatomy"]);
}

#[test]
fn what_is_no_ontology_is_refused_and_nothing_is_written() {
    let bench = bench();
    bench.write("none.ttl", "<http://e/a> <http://e/b> <http://e/c> .\n");
    bench.write("broken.ttl", "@prefix e: <http://e/> .\ne:a e:b ;; .\n");
    bench.write("functional.owl", "Ontology(<http://e/>)");
    bench.write("table.csv", "a,b\n");
    for file in [
        "none.ttl",
        "broken.ttl",
        "functional.owl",
        "table.csv",
        "not-there.obo",
    ] {
        let line = format!("ava extract --ontology {file} --out subgraphs");
        assert_eq!(bench.run(&line).status.code(), Some(2), "{file}");
        assert!(!bench.path("subgraphs").exists(), "{file}");
        insta::allow_duplicates! {
            insta::with_settings!({ snapshot_suffix => file }, {
                assert_told!(bench.told(&line));
            });
        }
    }
}

#[test]
fn what_an_ontology_lacks_is_told_with_file_and_place_and_nothing_is_written() {
    const RDF: &str = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:owl=\"http://www.w3.org/2002/07/owl#\">\n";
    let bench = bench();
    bench.write(
        "cut.owl",
        format!("{RDF}<owl:Class rdf:about=\"http://e/a\">"),
    );
    bench.write(
        "thing.ttl",
        "<http://www.w3.org/2002/07/owl#Thing> a <http://www.w3.org/2002/07/owl#Class> .\n",
    );
    bench.write(
        "flat.obo",
        "format-version: 1.4\n\n[Term]\nid: X:1\nname: one\n",
    );
    bench.write(
        "reference.rdf",
        format!("{RDF}<Alignment xmlns=\"http://e/\"/></rdf:RDF>"),
    );
    let model = "--model baseline:trigrams";
    let extract = "ava extract --out subgraphs --ontology";
    let taxonomy = format!("ava taxonomy {model} --ontology");
    let source =
        format!("ava align {model} --reference reference.rdf --target anatomy.obo --source");
    let target =
        format!("ava align {model} --reference reference.rdf --source anatomy.obo --target");
    let cut = "cut.owl:2:35: the file ends before `</owl:Class>`";
    let thing = "thing.ttl:1:1: an ontology without a class: it declares none but owl:Thing";
    for (command, file, error) in [
        ("ava ontology", "cut.owl", cut),
        (extract, "cut.owl", cut),
        (&taxonomy, "cut.owl", cut),
        (&source, "cut.owl", cut),
        (&target, "cut.owl", cut),
        (extract, "thing.ttl", thing),
        (&taxonomy, "thing.ttl", thing),
        (&source, "thing.ttl", thing),
        (&target, "thing.ttl", thing),
        (
            &taxonomy,
            "flat.obo",
            "flat.obo:1:1: no class stands below another",
        ),
    ] {
        let line = format!("{command} {file}");
        let output = bench.run(&line);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {told}");
        assert!(
            told.contains(&format!("error: {error}\nhint: ")),
            "{line}: {told}"
        );
        assert!(!bench.path("subgraphs").exists(), "{line}");
    }
    // It has no class to make something of, and can be looked at all the same.
    assert_eq!(bench.json("ava ontology thing.ttl")["classes"], 1);
}

#[test]
fn a_folder_of_somebody_elses_is_left_alone() {
    let bench = bench();
    bench.write("subgraphs/anatomy/bfs/mine.txt", "mine");
    assert_told!(bench.told("ava extract --ontology anatomy.obo --out subgraphs"));
    assert_eq!(files(&bench, "subgraphs/anatomy/bfs"), ["mine.txt"]);
    assert_told!(bench.told("ava extract --ontology anatomy.obo --out elsewhere --name ../up"));
    assert!(!bench.path("elsewhere").exists());
}
