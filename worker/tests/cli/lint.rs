//! `lint`.

use std::path::Path;

use serde_json::Value;

use crate::harness::{Bench, Reply, assert_told, server};

const GENES: &str = "\
#+ summary: Which genes are linked to a disease (e.g. asthma)?
#+ tags: [spoke]
SELECT ?gene { ?gene <http://e/linkedTo> <http://e/asthma> }
ORDER BY ?gene
LIMIT 10
";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("genes.rq", GENES);
    bench.write("names.tsv", "http://e/asthma\tasthma\n");
    bench
}

#[test]
fn findings_show_their_line_and_what_to_do() {
    assert_told!(bench().told("lint genes.rq --labels names.tsv"));
}

#[test]
fn help() {
    assert_told!(Bench::new().told("lint --help"));
}

#[test]
fn the_json_that_others_rely_on() {
    let bench = bench();
    let output = bench.run("lint genes.rq --labels names.tsv --json");
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["eg-is-filter", "limit-unstated"]);
    let first = &found[1];
    assert_eq!(
        (
            &first["file"],
            &first["line"],
            &first["column"],
            &first["severity"]
        ),
        (&"genes.rq".into(), &5.into(), &1.into(), &"error".into())
    );
}

#[test]
fn sarif_is_what_its_schema_says() {
    let bench = Bench::new();
    // Findings of rules and of the reader, allowed ones, a note, a file's end, and a name that no URI has.
    bench.write("all/genes é #1.rq", GENES);
    bench.write(
        "all/a-expand_genes.rq",
        GENES.replace(
            "#+ tags",
            "#+ allow:\n#+   twin-missing: it is being written\n#+   cross-product: once\n#+ tags",
        ),
    );
    bench.write(
        "all/broken.rq",
        "#+ summary: List them.\r\n#+ colour: blue\r\nSELECT ?x {",
    );
    bench.write("all/empty.rq", "");
    bench.write(
        "all/construct.rq",
        "#+ summary: s\nCONSTRUCT WHERE { ?s ?p ?o }\n",
    );
    let output = bench.run("lint all --sarif");
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures/sarif/sarif-schema-2.1.0.json");
    let mut schema: Value = serde_json::from_slice(&std::fs::read(fixture).unwrap()).unwrap();
    // The published pattern of a language, which nothing here has, is no regular expression.
    for of in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][of]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    let schema = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let wrong = |log: &Value| -> Vec<String> {
        let errors = schema.iter_errors(log);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    };
    assert_eq!(wrong(&log), Vec::<String>::new());
    // The schema says more than nothing.
    let mut other = log.clone();
    other["runs"][0]["results"][0]["level"] = "loud".into();
    other["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] =
        "genes é".into();
    assert_eq!(wrong(&other).len(), 2, "{:#?}", wrong(&other));

    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let found = bench.run("lint all --json").stdout;
    let found: Vec<Value> = serde_json::from_slice(&found).unwrap();
    let (suppressed, open): (Vec<_>, Vec<_>) = results
        .iter()
        .partition(|result| result.get("suppressions").is_some());
    assert_eq!(open.len(), found.len());
    assert_eq!(suppressed.len(), 1);
    assert_eq!(
        suppressed[0]["suppressions"][0]["justification"],
        "it is being written"
    );
    // What the schema cannot say: a result's rule is the one that its index names.
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
    }
}

#[test]
fn what_is_allowed_is_no_error() {
    let bench = bench();
    let allowed = GENES.replace(
        "#+ tags: [spoke]\n",
        "#+ tags: [spoke]\n#+ allow:\n#+   limit-unstated: the page shows ten\n",
    );
    bench.write("genes.rq", allowed);
    assert_eq!(bench.run("lint genes.rq").status.code(), Some(0));
}

#[test]
fn an_endpoint_tells_labels_and_rows() {
    let bench = bench();
    let url = server(|request| {
        let body = if request.body.contains("hasExactSynonym") {
            r#"{"head":{"vars":["iri","text","kind"]},"results":{"bindings":[{"iri":{"type":"uri","value":"http://e/asthma"},"text":{"type":"literal","value":"asthma"},"kind":{"type":"literal","value":"label"}}]}}"#
        } else {
            r#"{"head":{"vars":["gene"]},"results":{"bindings":[{"gene":{"type":"uri","value":"http://e/a"}}]}}"#
        };
        Reply::json(body)
    });
    let output = bench.run(&format!("lint genes.rq --endpoint {url} --json"));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert_eq!(
        rules,
        ["eg-is-filter", "limit-never-binds", "limit-unstated"]
    );
}

/// An answer of one row.
fn row(column: &str) -> Reply {
    Reply::json(&format!(
        r#"{{"head":{{"vars":["{column}"]}},"results":{{"bindings":[{{"{column}":{{"type":"uri","value":"http://e/a"}}}}]}}}}"#
    ))
}

#[test]
fn an_endpoint_out_of_reach_is_an_error() {
    let bench = bench();
    // A port on which nothing listens any more.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/sparql", listener.local_addr().unwrap());
    drop(listener);
    for labels in ["", "--labels names.tsv"] {
        let output = bench.run(&format!("lint genes.rq {labels} --endpoint {url}"));
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(
            told.contains(&url) && told.contains("check the address"),
            "{told}"
        );
        assert!(output.stdout.is_empty(), "no half of a report");
    }
}

#[test]
fn an_endpoint_that_fails_half_way_never_means_fewer_findings() {
    let bench = bench();
    bench.write(
        "later.rq",
        GENES
            .replace(" (e.g. asthma)", " asthma")
            .replace("?gene", "?g"),
    );
    // It answers the first file's key and no more.
    let url = server(|request| match request.place {
        0 => row("gene"),
        _ => Reply::new(
            "500 Internal Server Error",
            "Content-Type: text/plain\r\n",
            "out of memory",
        ),
    });
    assert_told!(bench.told(&format!(
        "lint genes.rq later.rq --labels names.tsv --endpoint {url}"
    )));
    // A connection that breaks ends the report.
    let url = server(|request| match request.place {
        0 => row("gene"),
        _ => Reply::Say(String::new()),
    });
    assert_told!(bench.told(&format!(
        "lint genes.rq later.rq --labels names.tsv --endpoint {url}"
    )));
}

#[test]
fn a_pair_that_is_incomplete_is_reported_as_the_corpus_reports_it() {
    let bench = Bench::new();
    let question =
        "#+ summary: List the genes.\n#+ tags: [a]\nSELECT ?gene { ?gene a <http://e/G> }\n";
    bench.write("half/a-expand_genes.rq", question);
    let listed = bench.json("corpus list --corpus half");
    let output = bench.run("lint half --json");
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 1, "{found:#}");
    assert_eq!(found[0]["rule"], "twin-missing");
    assert_eq!(found[0]["message"], listed[0]["problems"][0]["message"]);
    assert_eq!(bench.json("lint half/a-expand_genes.rq"), found);
    let allowed = question.replace(
        "#+ tags",
        "#+ allow:\n#+   twin-missing: its twin is being written\n#+ tags",
    );
    bench.write("half/a-expand_genes.rq", &allowed);
    assert_eq!(bench.json("lint half"), serde_json::json!([]));
    bench.write("half/a-exact_genes.rq", question);
    assert_eq!(
        bench.json("lint half/a-expand_genes.rq")[0]["rule"],
        "allow-unused"
    );
}

#[test]
fn a_key_that_is_no_table_is_an_error_with_its_place() {
    let bench = Bench::new();
    let pattern = "{ ?gene a <http://e/G> }";
    for (form, line) in [
        (format!("CONSTRUCT {pattern} WHERE {pattern}"), 3),
        (
            format!("PREFIX describe: <http://e/>\nDESCRIBE ?gene {pattern}"),
            4,
        ),
    ] {
        let text = format!("#+ summary: List the genes.\n#+ tags: [a]\n{form}\n");
        bench.write("form/key.rq", text);
        let output = bench.run("lint form/key.rq --json");
        assert_eq!(output.status.code(), Some(1), "{form}");
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let all = found.as_array().unwrap();
        let finding = all.iter().find(|found| found["rule"] == "query-form");
        let finding = finding.unwrap_or_else(|| panic!("{form}: {found:#}"));
        let place = (&finding["line"], &finding["column"]);
        assert_eq!(place, (&line.into(), &1.into()), "{form}");
        let listed = bench.json("corpus list --corpus form");
        assert_eq!(listed[0]["problems"][0]["rule"], "query-form", "{form}");
        // Without a header it is a query like any other.
        bench.write("plain.rq", &form);
        assert_eq!(bench.json("lint plain.rq"), serde_json::json!([]), "{form}");
    }
}

#[test]
fn one_form_of_report_at_a_time() {
    let bench = bench();
    for line in [
        "lint genes.rq --json --sarif",
        "--json lint genes.rq --sarif",
    ] {
        let output = bench.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("--json and --sarif"), "{told}");
    }
}

#[test]
fn the_twin_beside_a_record_is_found() {
    let bench = Bench::new();
    let question =
        "#+ summary: List the genes.\n#+ tags: [a]\nSELECT ?gene { ?gene a <http://e/G> }\n";
    bench.write("pair/a-expand_genes.rq", question);
    bench.write("pair/a-exact_genes.rq", question);
    let output = bench.run("lint pair/a-exact_genes.rq --json");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found[0]["rule"], "twin-differs");
}

#[test]
fn bad_input_says_where_and_what_to_do() {
    let bench = bench();
    bench.write("broken.tsv", "http://e/asthma\n");
    bench.write("broken.json", "{\"http://e/asthma\": 1}");
    assert_told!(bench.told("lint genes.rq --labels broken.tsv"));
    assert_told!(bench.told("lint genes.rq --labels broken.json"));
    assert_told!(bench.told("lint nowhere.rq"));
    assert_eq!(bench.run("lint").status.code(), Some(2));
    assert_eq!(
        bench.run("lint genes.rq --endpoint nonsense").status.code(),
        Some(2)
    );
}

#[test]
fn a_query_that_is_not_sparql_is_an_error_with_its_place() {
    let bench = Bench::new();
    bench.write("plain.rq", "SELECT ?x { ?x wdt:P31 }\n");
    assert_told!(bench.told("lint plain.rq"));
}

#[test]
fn a_reader_that_leaves_changes_no_verdict() {
    let bench = bench();
    bench.write(
        "fine.rq",
        GENES
            .replace(" (e.g. asthma)", " asthma")
            .replace("LIMIT 10\n", ""),
    );
    for (file, status) in [("genes.rq", 1), ("fine.rq", 0)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = bench.command(&format!("lint {file} --labels names.tsv"));
        let output = command.stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{file}: {output:?}");
    }
}
