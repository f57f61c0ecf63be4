//! `score`.

use serde_json::json;

use crate::harness::{Bench, assert_told};

const RIGHT: &str = "condition,name,datasets\n\
    http://purl.obolibrary.org/obo/MONDO_3,myocarditis,4\n\
    http://purl.obolibrary.org/obo/MONDO_4,vasculitis,2\n\
    http://purl.obolibrary.org/obo/MONDO_2,cardiac arrhythmia,1\n";

#[test]
fn columns_in_another_order_are_right() {
    let bench = Bench::new();
    bench.write("answer.csv", RIGHT);
    assert_told!(bench.told("score --record nde-expand_heart --answer answer.csv"));
}

#[test]
fn the_json_that_others_rely_on() {
    let bench = Bench::new();
    bench.write("answer.csv", RIGHT);
    assert_told!(bench.told("score --record nde-expand_heart --answer answer.csv --json"));
}

#[test]
fn a_wrong_row_shows_in_the_diff() {
    let bench = Bench::new();
    bench.write("answer.csv", RIGHT.replace("vasculitis,2", "vasculitis,20"));
    assert_told!(bench.told("score --record nde-expand_heart --answer answer.csv"));
}

#[test]
fn reversed_rows_are_exact_and_not_ordered() {
    let bench = Bench::new();
    let mut lines: Vec<&str> = RIGHT.lines().collect();
    lines[1..].reverse();
    bench.write("answer.csv", lines.join("\n"));
    let score = bench.json("score --record nde-expand_heart --answer answer.csv");
    assert_eq!(
        (&score["exact"], &score["ordered"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(score["kind"], "reconstruction");
}

#[test]
fn an_empty_key_takes_a_header_line_and_no_row() {
    let bench = Bench::new();
    bench.write("header.csv", "name,condition,datasets\n");
    bench.write("row.csv", "name,condition,datasets\na,b,1\n");
    assert_eq!(
        bench.json("score --record nde-exact_heart --answer header.csv")["f1"],
        1.0
    );
    assert_eq!(
        bench.json("score --record nde-exact_heart --answer row.csv")["f1"],
        0.0
    );
}

#[test]
fn a_key_file_has_no_order_unless_asked() {
    let bench = Bench::new();
    bench.write("key.csv", RIGHT);
    bench.write("answer.csv", RIGHT);
    assert_eq!(
        bench.json("score --key key.csv --answer answer.csv")["ordered"],
        json!(null)
    );
    assert_eq!(
        bench.json("score --key key.csv --answer answer.csv --ordered")["ordered"],
        true
    );
}

#[test]
fn any_of_the_rows_tied_at_the_cut_is_accepted_when_asked() {
    let bench = Bench::new();
    bench.write(
        "broken/nde-expand_cut.rq",
        bench
            .read("benchmarks-ontology/nde-expand_heart.rq")
            .replace(") ?condition\n", ")\n"),
    );
    // Both have one dataset, and the key has room for one of them.
    let arrhythmia = RIGHT.to_owned();
    let angina = RIGHT.replace("MONDO_2,cardiac arrhythmia", "MONDO_6,angina");
    bench.write("arrhythmia.csv", arrhythmia);
    bench.write("angina.csv", angina);
    let line = "score --corpus broken --snapshot benchmarks-ontology/snapshot --record nde-expand_cut --answer";
    let exact = |file: &str, ties: &str| {
        bench.json(&format!("{line} {file} {ties}"))["exact"] == json!(true)
    };
    assert_ne!(
        exact("arrhythmia.csv", ""),
        exact("angina.csv", ""),
        "one of them is the key's"
    );
    assert!(exact("arrhythmia.csv", "--accept-ties") && exact("angina.csv", "--accept-ties"));
}

#[test]
fn bad_input_has_file_line_and_remedy() {
    let bench = Bench::new();
    bench.write("answer.csv", RIGHT);
    bench.write(
        "cut.srj",
        "{\"head\": {\"vars\": [\"x\"]},\n\"results\": {\"bindings\": [{\"x\":",
    );
    assert_told!(bench.told("score --key cut.srj --answer answer.csv"));
    bench.write("key.dat", RIGHT);
    assert_told!(bench.told("score --key key.dat --answer answer.csv"));
    assert_told!(bench.told("score --record nde-expand_heart --answer nowhere.csv"));
    bench.write("empty.csv", "");
    assert_told!(bench.told("score --record nde-expand_heart --answer empty.csv"));
}

#[test]
fn one_key_and_one_only() {
    let bench = Bench::new();
    assert_told!(bench.told("score --answer answer.csv"));
    for line in [
        "score --record a --key b.csv --answer answer.csv",
        "score --key b.csv --answer answer.csv --accept-ties",
        "score --record nde-expand_heart",
    ] {
        assert_eq!(bench.run(line).status.code(), Some(2), "{line}");
    }
}

/// An empty key takes a header line and no row; a text that says so in words is no table, and no right answer.
#[test]
fn a_text_that_is_no_table_is_an_error_and_never_an_empty_answer() {
    let bench = Bench::new();
    for (text, what) in [
        (
            "No conditions were found for the term as given.\n",
            "1:1: this is prose, not a table",
        ),
        ("[]\n", "1:1: this is JSON, not a table"),
        (
            "Here it is:\n```json\n{\"rows\": []}\n```\n",
            "3:1: this is JSON, not a table",
        ),
        ("<html>502</html>\n", "1:1: this is markup, not a table"),
    ] {
        bench.write("answer.csv", text);
        let output = bench.run("score --record nde-exact_heart --answer answer.csv --json");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}: {said}");
        assert!(
            said.contains(what) && said.contains("hint: submit CSV"),
            "{text}: {said}"
        );
        assert!(output.stdout.is_empty(), "{text}");
    }
    // Other columns are a table without rows all the same, and what is missing is said.
    bench.write("answer.csv", "disease\n");
    let score = bench.json("score --record nde-exact_heart --answer answer.csv");
    assert_eq!(score["exact"], true);
    let text = bench.told("score --record nde-exact_heart --answer answer.csv");
    assert!(text.contains("column `condition` is missing"), "{text}");
}

#[test]
fn what_a_cut_list_leaves_out_is_counted_and_said() {
    let bench = Bench::new();
    let wrong = (0..50).fold(String::new(), |text, n| {
        text + &format!("http://e/{n},a,{n}\n")
    });
    let ragged = (0..30).fold(String::new(), |text, n| text + &format!("{n}\n"));
    bench.write(
        "answer.csv",
        format!("condition,name,datasets\n{wrong}{ragged}"),
    );
    let line = "score --record nde-expand_heart --answer answer.csv --max-diff-rows 4";
    let score = bench.json(line);
    let list = |name: &str| score[name].as_array().unwrap().len();
    assert_eq!((&score["missing_rows"], list("missing")), (&json!(3), 3));
    assert_eq!(
        (&score["unexpected_rows"], list("unexpected")),
        (&json!(80), 4)
    );
    assert_eq!((&score["ragged_rows"], list("ragged")), (&json!(30), 4));
    assert_eq!((&score["wrong_omitted"], list("diff")), (&json!(79), 4));
    let text = bench.told(line);
    for said in [
        "80 submitted, 3 in the key, 3 missing, 80 unexpected",
        "… and 26 rows more of another width than the header",
        "… and 79 rows more that are missing, unexpected or differing",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}
