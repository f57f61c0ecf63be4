//! `lint`.

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
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
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
fn sarif() {
    let bench = bench();
    let output = bench.run("lint genes.rq --labels names.tsv --sarif");
    assert_eq!(output.status.code(), Some(1));
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 2);
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
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
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

#[test]
fn the_twin_beside_a_record_is_found() {
    let bench = Bench::new();
    let question =
        "#+ summary: List the genes.\n#+ tags: [a]\nSELECT ?gene { ?gene a <http://e/G> }\n";
    bench.write("pair/a-expand_genes.rq", question);
    bench.write("pair/a-exact_genes.rq", question);
    let output = bench.run("lint pair/a-exact_genes.rq --json");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
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
