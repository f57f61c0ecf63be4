//! `controls` and `criteria`: what a question's controls and its category are worth.

use std::fs;
use std::path::Path;

use federation::{Federation, Limits};
use serde_json::json;

use crate::harness::{Bench, Reply, assert_told, server};

#[test]
fn every_wrong_row_has_a_reason() {
    assert_told!(Bench::new().told("controls --tier heart --why"));
}

#[test]
fn an_analysis_as_json() {
    let lines = Bench::new().json("controls --tier heart");
    let keyword = &lines[1];
    assert_eq!(
        keyword["uncut"],
        json!({ "key_rows": 4, "kept": 2, "missed": 2, "invented": 1, "changed": 0 })
    );
    assert_eq!(keyword["identity"], "condition");
    assert_eq!(keyword["tau_b"], 1.0);
    let why = keyword["why"].as_array().unwrap();
    assert_eq!(why.len(), 2);
    assert_eq!(why[0]["fate"], "missed");
    assert_eq!(why[0]["reasons"][0]["in_closure"], true);
    assert_eq!(why[1]["reasons"][0]["matched"]["keyword"], "card");
    assert_eq!(why[1]["reasons"][0]["matched"]["after"], "iogenic");
    assert_eq!(why[1]["reasons"][0]["in_closure"], false);
}

#[test]
fn controls_are_derived_from_any_query() {
    let bench = Bench::new();
    let key = "benchmarks-ontology/nde-expand_heart.rq";
    bench.write("own/query.rq", bench.read(key));
    let lines = bench.json("controls --derive own/query.rq --keyword card --keyword heart");
    let written = bench.json("controls --tier heart");
    for (derived, written, name) in [
        (&lines[0], &written[0], "derived-literal"),
        (&lines[1], &written[1], "derived-keyword"),
    ] {
        assert_eq!(derived["control"], name);
        for field in ["rows", "kept", "missed", "invented", "fates", "why"] {
            assert_eq!(derived[field], written[field], "{name}: {field}");
        }
    }
    assert_eq!(lines[1]["name"]["rule"], "key");
    assert_eq!(lines[1]["keywords_from"], "given");
}

#[test]
fn a_derived_control_is_printed() {
    let line = "controls --derive benchmarks-ontology/nde-expand_heart.rq --keyword heart --print";
    assert_told!(Bench::new().told(line));
}

#[test]
fn what_has_no_derived_control_says_why() {
    let bench = Bench::new();
    assert_told!(bench.told("controls --derive benchmarks-ontology/nde-exact_heart.rq"));
    bench.write("own/broken.rq", "SELECT ?c WHERE {\n  ?c a\n}\n");
    assert_told!(bench.told("controls --derive own/broken.rq"));
    assert_told!(bench.told("controls --tier heart --identity colour"));
}

#[test]
fn criteria_of_a_record() {
    assert_told!(Bench::new().told("criteria nde-expand_heart"));
}

#[test]
fn the_retired_question_shows_what_each_term_has_by_each_route() {
    let bench = Bench::new();
    let fixture = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/criteria");
        fs::read(folder.join(name)).unwrap()
    };
    bench.write(
        "benchmarks-ontology/oard-kg-expand_respiratory.rq",
        fixture("respiratory.rq"),
    );
    let mut federation = Federation::new();
    federation
        .load("respiratory.trig", &fixture("respiratory.trig"))
        .unwrap();
    let url = server(move |request| {
        let table = federation
            .query(&request.query(), &Limits::default())
            .unwrap();
        Reply::json(&table::to_sparql_json(&table))
    });
    let line = format!("criteria oard-kg-expand_respiratory --keyword respirat --endpoint {url}");
    assert_told!(bench.told(&line));
}

#[test]
fn criteria_as_json_with_the_queries_behind_them() {
    let report = Bench::new().json("criteria nde-expand_heart");
    assert_eq!(report["kind"], "reconstruction");
    assert_eq!(report["keywords"], json!(["card", "heart"]));
    let criteria = report["criteria"].as_array().unwrap();
    assert_eq!(criteria.len(), 7);
    let published = |wanted: bool| {
        let of = criteria.iter().filter(|c| c["published"] == wanted);
        of.map(|c| c["number"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (published(true), published(false)),
        (vec![1, 2, 3, 4, 7], vec![5, 6])
    );
    assert_eq!(criteria[0]["figure"], 3.0);
    assert!(
        criteria[0]["queries"][0]
            .as_str()
            .unwrap()
            .contains("MONDO_1>")
    );
    // Nothing in the fixture's second graph has a type.
    assert_eq!(criteria[6]["holds"], json!(null));
}

#[test]
fn criteria_of_a_candidate_are_those_of_its_record() {
    let bench = Bench::new();
    let record = bench.json("criteria nde-expand_heart");
    let line = "criteria --root http://purl.obolibrary.org/obo/MONDO_1 --graph nde --graph oard-kg";
    let candidate = bench.json(&format!("{line} --keyword card --keyword heart"));
    // The fixture's hierarchy has no labels, so no candidate has a name: only what needs none can be compared.
    for place in [0, 1] {
        assert_eq!(
            record["criteria"][place]["figure"], candidate["criteria"][place]["figure"],
            "{place}"
        );
    }
}

#[test]
fn bad_criteria_are_usage_errors() {
    let bench = Bench::new();
    for line in [
        "criteria",
        "criteria nde-expand_heart --root MONDO_1 --graph nde",
        "criteria nowhere",
        "criteria nde-exact_heart",
        "criteria --root MONDO_1 --graph nde",
        "criteria search --ontology MONDO --graph nde",
        "criteria search --graph nde --graph oard-kg",
    ] {
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
    }
    assert_told!(bench.told("criteria nde-exact_heart"));
    assert_told!(bench.told("criteria --root MONDO_1 --graph nde"));
}

/// Counts in a graph that is not there are 0, and would look like findings.
#[test]
fn criteria_of_what_is_not_there_are_an_error() {
    let bench = Bench::new();
    for (line, what, hint) in [
        (
            "criteria --root MONDO_1 --graph nde --graph nowhere",
            "does not have a triple in the graph <https://purl.org/okn/frink/kg/nowhere>",
            "the graphs are nde, oard-kg, ubergraph",
        ),
        (
            "criteria --root MONDO_1 --graph nde --graph oard-kg --hierarchy ubergaph",
            "a triple in the graph <https://purl.org/okn/frink/kg/ubergaph>",
            "the graphs are nde, oard-kg, ubergraph",
        ),
        (
            "criteria --root MONDO_99 --graph nde --graph oard-kg",
            "a triple about <http://purl.obolibrary.org/obo/MONDO_99> in the hierarchy",
            "check the term",
        ),
        (
            "criteria search --ontology MONDO --graph nde --graph nowhere",
            "in the graph <https://purl.org/okn/frink/kg/nowhere>",
            "the graphs are nde, oard-kg, ubergraph",
        ),
        (
            "criteria search --ontology MONDDO --graph nde --graph oard-kg",
            "a class that begins with http://purl.obolibrary.org/obo/MONDDO_",
            "--ontology takes",
        ),
    ] {
        let output = bench.run(line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(what) && said.contains(hint), "{line}: {said}");
    }
    // A server has graphs of its own, and says by its answer that this is none of them.
    let url = server(|_| Reply::json(r#"{"head":{},"boolean":false}"#));
    let output = bench.run(&format!("criteria nde-expand_heart --endpoint {url}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains(
            "does not have a triple in the graph <https://purl.org/okn/frink/kg/ubergraph>"
        ),
        "{said}"
    );
}

/// Every column of a key tells its rows apart somehow; none leads to a query that no endpoint takes.
#[test]
fn rows_are_told_apart_by_any_column_of_the_key() {
    let bench = Bench::new();
    for column in ["name", "condition", "datasets", "?name", "$condition"] {
        for line in [
            format!("controls --tier heart --why --identity {column}"),
            format!(
                "controls --derive benchmarks-ontology/nde-expand_heart.rq --keyword card --identity {column}"
            ),
        ] {
            let lines = bench.json(&line);
            let keyword = &lines[1];
            assert_eq!(
                keyword["identity"],
                column.trim_start_matches(['?', '$']),
                "{line}"
            );
            let rows = |field: &str| keyword[field].as_u64().unwrap();
            assert_eq!(rows("kept") + rows("missed"), rows("key_rows"), "{line}");
        }
    }
    let named = bench.json("controls --tier heart --why --identity name");
    let invented = named[1]["why"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["fate"] == "invented")
        .unwrap();
    assert_eq!(invented["identity"], "cardiogenic headache");
    assert_eq!(invented["reasons"][0]["matched"]["keyword"], "card");
}

/// A control's rows are counted by the key's columns, so it is said where they are not there.
#[test]
fn a_control_without_a_column_of_the_key_says_so() {
    let bench = Bench::new();
    let file = "controls-ontology/heart/B-keyword.rq";
    let control = bench.read(file);
    let variant = |columns: &str, order: &str| {
        control
            .replace(
                "SELECT ?name ?condition (COUNT(DISTINCT ?dataset) AS ?datasets)",
                &format!("SELECT {columns}"),
            )
            .replace("ORDER BY DESC(?datasets) ?condition", order)
    };
    // Without the column that tells rows apart there is nothing to count.
    let count = "(COUNT(DISTINCT ?dataset) AS ?datasets)";
    bench.write(
        file,
        variant(&format!("?name {count}"), "ORDER BY DESC(?datasets)"),
    );
    let output = bench.run("controls --tier heart");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("B-keyword.rq: the control has no column `condition`, by which rows are told apart; it has name, datasets"),
        "{said}"
    );
    // By a column that both have it can be judged.
    assert!(
        bench
            .run("controls --tier heart --identity name")
            .status
            .success()
    );

    bench.write(file, variant("?name ?condition", "ORDER BY ?condition"));
    let keyword = &bench.json("controls --tier heart")[1];
    assert_eq!(keyword["missing_columns"], json!(["datasets"]));
    assert_eq!(keyword["changed"], keyword["kept"]);
    let text = bench.told("controls --tier heart");
    assert!(
        text.contains("heart B-keyword has no column `datasets`"),
        "{text}"
    );

    // Names of its own, in the key's sequence.
    let renamed = "(?name AS ?label) (?condition AS ?disease) (COUNT(DISTINCT ?dataset) AS ?n)";
    bench.write(file, variant(renamed, "ORDER BY DESC(?n) ?condition"));
    let lines = bench.json("controls --tier heart");
    assert_eq!(
        (&lines[0]["by_position"], &lines[1]["by_position"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&lines[1]["kept"], &lines[1]["changed"]),
        (&json!(2), &json!(0))
    );
}

/// A reply of other columns than a control selects is no table of its.
#[test]
fn a_controls_reply_of_other_columns_is_no_result() {
    let bench = Bench::new();
    let url = server(|request| {
        Reply::json(if request.body.contains("CONTAINS") {
            r#"{"head":{"vars":["name","condition"]},"results":{"bindings":[]}}"#
        } else if request.body.contains("parent") {
            r#"{"head":{"vars":["class","parent","label"]},"results":{"bindings":[]}}"#
        } else {
            // In another sequence, which is the same table.
            r#"{"head":{"vars":["datasets","name","condition"]},"results":{"bindings":[]}}"#
        })
    });
    let output = bench.run(&format!("controls --tier heart --endpoint {url}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("B-keyword.rq: the control gave no table")
            && said.contains("the reply's columns (name, condition) are not the query's (name, condition, datasets)"),
        "{said}"
    );
}

#[test]
fn a_search_through_an_ontology_without_labels_finds_nothing_and_says_so() {
    let bench = Bench::new();
    let line = "criteria search --ontology MONDO --graph nde --graph oard-kg --rows 2";
    let report = bench.json(line);
    // Without labels there are no classes, and a class without a hierarchy is its own category.
    assert!(report["categories"].as_array().is_some());
    assert_eq!(report["density"]["holds"], true);
}
