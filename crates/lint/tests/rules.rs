//! Every rule's examples, and the laws that hold for any file.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use std::collections::BTreeSet;

use lint::{EXAMPLE_LABELS, Example, Labels, Report, Severity, Target, lint, render, rules, sarif};
use proptest::prelude::*;
use record::Record;
use serde_json::{Value, json};

fn labels() -> Labels {
    Labels::from_tsv(EXAMPLE_LABELS).unwrap()
}

fn check(file: &str, text: &str, labels: &Labels) -> Report {
    let record = Record::parse(file, text.as_bytes());
    lint(&Target::new(&record, text), labels)
}

fn check_example(example: &Example) -> Report {
    let record = Record::parse(example.file, example.text.as_bytes());
    let twin = example
        .twin
        .map(|(file, text)| Record::parse(file, text.as_bytes()));
    let facts = example.facts.map(|facts| facts()).unwrap_or_default();
    let target = Target::new(&record, example.text)
        .with_twin(twin.as_ref())
        .with_facts(facts);
    lint(&target, &labels())
}

fn ids(report: &Report) -> BTreeSet<&str> {
    report.findings.iter().map(|f| &*f.rule).collect()
}

#[test]
fn bad_examples_are_found() {
    for rule in rules() {
        assert!(!rule.bad.is_empty(), "{} has no bad example", rule.id);
        for example in rule.bad {
            let report = check_example(example);
            assert!(
                ids(&report).contains(rule.id),
                "{}: {}\n{}",
                rule.id,
                example.note,
                render(&report, example.text)
            );
        }
    }
}

#[test]
fn good_examples_are_not() {
    for rule in rules() {
        assert!(!rule.good.is_empty(), "{} has no good example", rule.id);
        for example in rule.good {
            let report = check_example(example);
            assert!(
                !ids(&report).contains(rule.id),
                "{}: {}\n{}",
                rule.id,
                example.note,
                render(&report, example.text)
            );
        }
    }
}

/// What there is to know about an example but the report, and the report.
fn told(rule: &str, example: &Example) -> Value {
    let twin = example
        .twin
        .map(|(file, text)| json!({"file": file, "source": text}));
    json!({
        "rule": rule,
        "file": example.file,
        "text": example.text,
        "twin": twin,
        "facts": example.facts.map(|facts| facts()),
        "report": check_example(example),
    })
}

/// `UPDATE_EXPECT=1 cargo test -p lint --test rules` writes the reports anew. WebAssembly has to give the same.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a test writes its own expectations where it is asked to"
)]
fn examples_are_reported_as_they_were() {
    let mut lines = vec![json!({"labels": EXAMPLE_LABELS}).to_string()];
    for rule in rules() {
        let examples = rule.bad.iter().chain(rule.good);
        lines.extend(examples.map(|example| told(rule.id, example).to_string()));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/test_data/examples.jsonl");
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert_eq!(lines.len(), expected.lines().count());
    for (found, expected) in lines.iter().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
}

#[test]
fn examples_parse() {
    // Only the rules about other dialects and about headers show files that do not.
    for rule in rules() {
        for example in rule.bad.iter().chain(rule.good) {
            let record = Record::parse(example.file, example.text.as_bytes());
            let dialect = rule.id == "not-sparql-11" && example.text.contains("wdt:");
            assert!(
                record.query.is_some() || dialect,
                "{}: {}: {:?}",
                rule.id,
                example.note,
                record.problems
            );
        }
    }
}

#[test]
fn rules_are_told_apart_and_told_fully() {
    let mut seen = BTreeSet::new();
    for rule in rules() {
        assert!(seen.insert(rule.id), "{} twice", rule.id);
        for text in [rule.what, rule.why, rule.remedy] {
            assert!(
                !text.is_empty() && !text.ends_with('.'),
                "{}: {text}",
                rule.id
            );
        }
    }
}

#[test]
fn an_allow_needs_a_reason_and_a_rule_that_finds_something() {
    let key = "ASK { ?s ?p ?o }";
    let limited = "SELECT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 9";
    let cases = [
        (
            "#+ allow:\n#+   limit-unstated: the registry caps rows\n",
            limited,
            "",
            1,
        ),
        (
            "#+ allow: [limit-unstated: \"the registry caps rows\"]\n",
            limited,
            "",
            1,
        ),
        (
            "#+ allow: limit-unstated: the registry caps rows\n",
            limited,
            "",
            1,
        ),
        (
            "#+ allow: [limit-unstated]\n",
            limited,
            "allow-without-reason limit-unstated",
            0,
        ),
        (
            "#+ allow:\n#+   limit-unsaid: because\n",
            key,
            "allow-unknown-rule",
            0,
        ),
        (
            "#+ allow:\n#+   limit-unstated: because\n",
            key,
            "allow-unused",
            0,
        ),
    ];
    for (allow, key, expected, allowed) in cases {
        let text = format!(
            "#+ summary: \"Is there anything? List it: all.\"\n#+ tags: [a]\n{allow}{key}\n"
        );
        let report = check("a.rq", &text, &labels());
        let found: BTreeSet<&str> = ids(&report)
            .into_iter()
            .filter(|id| !id.starts_with("header"))
            .collect();
        assert_eq!(
            found,
            expected.split_whitespace().collect(),
            "{text}\n{}",
            render(&report, &text)
        );
        assert_eq!(report.allowed.len(), allowed, "{text}");
    }
}

#[test]
fn a_plain_query_has_no_prose_and_says_so() {
    let report = check("a.rq", "SELECT ?s { ?s ?p ?o } LIMIT 9", &labels());
    assert_eq!(ids(&report), BTreeSet::from(["order-missing"]));
    let silent: Vec<&str> = report.silent.iter().map(|s| &*s.rule).collect();
    assert!(silent.contains(&"limit-unstated"), "{silent:?}");
}

#[test]
fn without_labels_the_rules_that_need_them_say_so() {
    let text = "#+ summary: List the genes.\n#+ tags: [a]\nSELECT ?gene { ?gene <http://e/on> <http://e/asthma> }";
    let report = check("a.rq", text, &Labels::default());
    assert_eq!(ids(&report), BTreeSet::new());
    assert!(
        report
            .silent
            .iter()
            .any(|s| s.rule == "constant-not-in-prose" && s.why.contains("no labels")),
        "{:?}",
        report.silent
    );
    assert_eq!(
        ids(&check("a.rq", text, &labels())),
        BTreeSet::from(["constant-not-in-prose"])
    );
}

#[test]
fn a_closure_of_thirty_thousand_is_one_finding() {
    let terms: Vec<String> = (0..30_000).map(|i| format!("<http://e/t{i}>")).collect();
    let terms = terms.join(" ");
    let text = format!(
        "#+ summary: List the datasets.\n#+ tags: [a]\nSELECT ?d {{ VALUES ?c {{ {terms} }} ?d <http://e/on> ?c }}"
    );
    let mut labels = labels();
    for i in 0..30_000 {
        labels.add(&format!("http://e/t{i}"), &format!("disorder {i}"), false);
    }
    let report = check("a.rq", &text, &labels);
    assert_eq!(ids(&report), BTreeSet::from(["constant-not-in-prose"]));
    assert_eq!(report.findings.len(), 1);
    let message = &report.findings[0].message;
    assert!(message.contains("and 29996 more"), "{message}");
}

#[test]
fn sarif_has_what_code_hosts_need() {
    let text = "#+ summary: List the genes.\n#+ tags: [a]\n#+ allow:\n#+   order-missing: any will do\nSELECT ?gene { ?gene ?p ?o } LIMIT 9\n";
    let report = check("some folder/a.rq", text, &labels());
    let log = serde_json::to_value(sarif(&[report])).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let of = |id: &str| results.iter().find(|r| r["ruleId"] == id).unwrap();
    let limit = of("limit-unstated");
    assert_eq!(limit["level"], "error");
    let location = &limit["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "some%20folder/a.rq");
    assert_eq!(location["region"]["startLine"], 5);
    assert_eq!(location["region"]["startColumn"], 30);
    assert_eq!(
        of("order-missing")["suppressions"][0]["justification"],
        "any will do"
    );
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
    }
}

#[test]
fn json_has_the_fields_that_scripts_read() {
    let report = check("a.rq", "SELECT ?s { ?s ?p ?o } LIMIT 9", &labels());
    let json = serde_json::to_value(&report.findings).unwrap();
    let first = json[0].as_object().unwrap();
    for field in [
        "file", "line", "column", "rule", "severity", "message", "remedy",
    ] {
        assert!(first.contains_key(field), "{field}");
    }
    assert_eq!(first["severity"], "error");
}

/// Pieces from which files are made that look like records more often than not.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "#+ summary: ",
        "#+ tags: [nde, ",
        "#+ allow:\n",
        "#+   limit-unstated: x\n",
        ">\n",
        "#+   folded text\n",
        "\n",
        "\r\n",
        "\r",
        "SELECT ",
        "DISTINCT ",
        "?x ",
        "?name ",
        "(COUNT(DISTINCT ?y) AS ?n) ",
        "* ",
        "WHERE { ",
        "{ ",
        "} ",
        "?x a <http://e/C> . ",
        "?x <http://e/p> ?y . ",
        "OPTIONAL { ?x <http://e/q> ?z } ",
        "FILTER (?y > 5) ",
        "FILTER NOT EXISTS { ?y ?p ?x } ",
        "MINUS { ?a ?b ?c } ",
        "GRAPH <http://kg/a> { ?x ?p ?o } ",
        "VALUES ?x { <http://e/asthma> 1 } ",
        "UNION ",
        "SERVICE <http://s> { ?x ?p ?o } ",
        "BIND (1 AS ?k) ",
        "GROUP BY ?x ",
        "HAVING (COUNT(?y) > 2) ",
        "ORDER BY DESC(?n) ?x ",
        "LIMIT 10 ",
        "OFFSET 3 ",
        "PREFIX e: <http://e/> ",
        "e:a e:b 'it\\'s' ",
        "\"open ",
        "'''long\n",
        "@en ",
        "^^<http://e/t> ",
        "# comment\n",
        "top ten ",
        "at least five ",
        "(e.g. asthma) ",
        "since 2015 ",
        "in the 1990s ",
        "é",
        "\u{feff}",
        "\t",
        "twenty-",
        "nineteenth century ",
        "5e-8 ",
        "its name, ",
        "number of ",
        "<= ",
        ": ",
        " #",
    ];
    prop_oneof![
        8 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

fn file() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat()),
        // A query that parses, under a prompt of any words.
        (proptest::collection::vec(piece(), 0..12), proptest::collection::vec(piece(), 0..10)).prop_map(|(prose, body)| {
            let prose: String = prose.concat().replace(['\n', '\r'], " ");
            let body: String = body.into_iter().filter(|p| p.ends_with("} ") || p.ends_with(". ")).collect();
            format!("#+ summary: {prose}\n#+ tags: [a]\nSELECT ?x (COUNT(?y) AS ?n) {{ ?x ?p ?y . {body} }} GROUP BY ?x ORDER BY ?n LIMIT 5")
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_file_is_linted_and_every_finding_lies_in_it(text in file(), name in prop_oneof![Just("a.rq"), Just("nde-exact_x.rq"), Just("nde-expand_x.rq")]) {
        let record = Record::parse(name, text.as_bytes());
        let target = Target::new(&record, &text).with_twin(Some(&record));
        let report = lint(&target, &labels());
        let lines: Vec<usize> = lines(&text).iter().map(|line| line.chars().count()).collect();
        for finding in &report.findings {
            prop_assert!(finding.line >= 1 && finding.column >= 1 && finding.end_column >= finding.column);
            let length = lines.get(finding.line as usize - 1);
            prop_assert!(length.is_some(), "{finding} is below the last line");
            prop_assert!(finding.column as usize <= length.unwrap() + 1, "{finding} is right of its line");
        }
        let places: Vec<_> = report.findings.iter().map(|f| (f.line, f.column, f.rule.clone())).collect();
        let mut sorted = places.clone();
        sorted.sort();
        prop_assert_eq!(places, sorted);
        prop_assert_eq!(&report, &lint(&target, &labels()), "the same again");
        // Rendering reads the same positions.
        prop_assert_eq!(render(&report, &text).is_empty(), report.findings.is_empty() && report.allowed.is_empty());
        let has_errors = report.findings.iter().any(|f| f.severity == Severity::Error);
        prop_assert_eq!(report.has_errors(), has_errors);
    }
}

fn lines(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .split('\n')
        .map(str::to_owned)
        .collect()
}
