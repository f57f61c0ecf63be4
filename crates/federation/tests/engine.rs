//! The engine as its users see it; the same cases natively and in WebAssembly.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what is wrong by failing"
)]

use federation::{
    Cancel, Federation, Limits, LoadErrorKind, MAX_DEPTH, MAX_NESTING, QueryError, parse_query,
};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Two graphs that share a triple, and one outside both.
const SMALL: &str = "PREFIX : <http://e/>
:g1 { :a :p :b . :a :q 1 }
:g2 { :a :p :b . :b :p :c . _:x :q 2 }
:c :p :d .
";

fn federation(files: &[(&str, &str)]) -> Federation {
    let mut federation = Federation::new();
    for (name, text) in files {
        federation.load(name, text.as_bytes()).unwrap();
    }
    federation
}

fn small() -> Federation {
    federation(&[("small.trig", SMALL)])
}

/// The answer as CSV, with `http://e/` left out.
fn ask(federation: &Federation, query: &str) -> String {
    let query = format!("PREFIX : <http://e/>\n{query}");
    let table = federation
        .query(&query, &Limits::default())
        .unwrap_or_else(|error| panic!("{query}\n{error}"));
    table::to_csv(&table).replace("http://e/", "")
}

fn check(federation: &Federation, query: &str, rows: &[&str]) {
    let answer = ask(federation, query);
    let (_, body) = answer.split_once('\n').unwrap();
    assert_eq!(body.lines().collect::<Vec<_>>(), rows, "{query}");
}

#[test]
fn the_default_graph_is_the_union() {
    let small = small();
    check(&small, "SELECT ?s ?o { ?s :p ?o }", &["a,b", "b,c", "c,d"]);
    check(&small, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", &["5"]);
    check(&small, "SELECT ?o { :a :p/:p ?o }", &["c"]);
}

#[test]
fn a_named_graph_is_asked_by_name_or_by_variable() {
    let small = small();
    check(&small, "SELECT ?s ?o { GRAPH :g1 { ?s :p ?o } }", &["a,b"]);
    check(
        &small,
        "SELECT ?g ?s { GRAPH ?g { ?s :p ?o } }",
        &["g1,a", "g2,a", "g2,b"],
    );
    check(&small, "SELECT ?g { GRAPH ?g {} }", &["g1", "g2"]);
    check(&small, "SELECT ?s { GRAPH :g3 { ?s ?p ?o } }", &[]);
    check(&small, "SELECT ?s { GRAPH <http://e/p> { ?s ?p ?o } }", &[]);
}

#[test]
fn from_replaces_the_dataset() {
    let small = small();
    check(
        &small,
        "SELECT ?s ?o FROM :g2 { ?s :p ?o }",
        &["a,b", "b,c"],
    );
    // A union is a set: the triple of both graphs comes once.
    check(
        &small,
        "SELECT ?s ?o FROM :g1 FROM :g2 FROM :g2 { ?s :p ?o }",
        &["a,b", "b,c"],
    );
    check(&small, "SELECT ?s FROM :nothing { ?s :p ?o }", &[]);
    // Where only FROM is given there is no named graph, where only FROM NAMED is there is no default graph.
    check(&small, "SELECT ?s FROM :g1 { GRAPH :g2 { ?s :p ?o } }", &[]);
    check(&small, "SELECT ?s FROM NAMED :g2 { ?s :p ?o }", &[]);
    check(
        &small,
        "SELECT ?g ?s FROM NAMED :g2 { GRAPH ?g { ?s :p ?o } }",
        &["g2,a", "g2,b"],
    );
    check(
        &small,
        "SELECT ?s FROM NAMED :g2 { GRAPH :g1 { ?s :p ?o } }",
        &[],
    );
    check(
        &small,
        "SELECT ?s ?t FROM :g1 FROM NAMED :g2 { ?s :q 1 GRAPH :g2 { ?t :p :c } }",
        &["a,b"],
    );
}

#[test]
fn every_form_gives_a_table() {
    let small = small();
    assert_eq!(ask(&small, "ASK { :a :p :b }"), "boolean\ntrue\n");
    assert_eq!(ask(&small, "ASK { :a :p :z }"), "boolean\nfalse\n");
    assert_eq!(
        ask(&small, "CONSTRUCT { ?o :r ?s } WHERE { ?s :p ?o }"),
        "subject,predicate,object\nb,r,a\nc,r,b\nd,r,c\n"
    );
    assert_eq!(
        ask(&small, "DESCRIBE :b"),
        "subject,predicate,object\nb,p,c\n"
    );
    assert_eq!(ask(&small, "SELECT ?x ?y {}"), "x,y\n,\n");
}

#[test]
fn a_closure_is_walked_both_ways() {
    let edges = (1..2_000)
        .map(|class| format!(":c{class} :sub :c{} .\n", class / 2))
        .collect::<Vec<_>>()
        .concat();
    // The last edge makes a cycle, which a closure must survive.
    let text = format!("PREFIX : <http://e/> :g {{ {edges} :c1 :sub :c1999 . }}");
    let tree = federation(&[("tree.trig", &text)]);
    for (query, count) in [
        ("GRAPH :g { ?c :sub* :c500 }", "3"),
        ("?c :sub* :c0", "2000"),
        ("?c :sub+ :c1999", "1999"),
        (":c1000 :sub* ?c", "16"),
        ("VALUES ?root { :c500 } ?c :sub* ?root", "3"),
        ("BIND(:c500 AS ?root) GRAPH :g { ?c :sub* ?root }", "3"),
        ("GRAPH ?g { :c1000 (:sub|^:sub)* :c7 }", "1"),
    ] {
        check(
            &tree,
            &format!("SELECT (COUNT(*) AS ?n) {{ {query} }}"),
            &[count],
        );
    }
}

#[test]
fn triples_that_find_little_are_looked_up_and_joined_with_the_rest() {
    let items = (0..700)
        .map(|number| format!(":i{number} :in :big ; :number {number} .\n"))
        .collect::<Vec<_>>()
        .concat();
    let text = format!(
        "PREFIX : <http://e/> :g {{ {items} :i1 :tag :x . :i2 :tag :x, :y . :x :of :x . :y :of :x . _:b :tag :z . :z :of :big }}
         :h {{ :i1 :tag :x ; :number 1 }}"
    );
    let graph = federation(&[("items.trig", &text)]);
    for (pattern, count) in [
        // More than is worth a table hangs on to a table.
        (
            "GRAPH :g { ?i :tag :x . ?i :in ?big . ?j :in ?big }",
            "1400",
        ),
        (
            "GRAPH :g { ?i :tag :x ; :in ?big } ?j :in ?big . FILTER(?j != ?i)",
            "1398",
        ),
        (
            "GRAPH :g { ?i :tag :x ; :in ?big . ?big ^:in/:number ?n }",
            "1400",
        ),
        // A triple of two graphs is one of their union, and one of each.
        ("?i :tag :x . ?i :number ?n", "2"),
        ("GRAPH :g { ?i :tag :x } GRAPH :h { ?i :number ?n }", "1"),
        ("GRAPH ?g { ?i :tag :x ; :number ?n }", "3"),
        ("GRAPH :none { ?i :tag :x ; :number ?n }", "0"),
        // A variable twice, as a predicate, and as what cannot be said in a query.
        ("?t :of ?t . ?i :tag ?t", "2"),
        ("?t :of :x . ?i ?p ?t . ?i :number ?n", "3"),
        ("?t :of :big . ?b :tag ?t", "1"),
        ("?i :number 1 ; :tag ?t . ?t :of ?t", "1"),
        ("?i :number 1.0 ; :tag ?t", "0"),
        // What a variable is said to be.
        ("VALUES ?t { :x } ?i :tag ?t ; :number ?n", "2"),
        (
            "VALUES (?t ?n) { (:x 1) (:x UNDEF) (:y 1) } ?i :tag ?t ; :number ?n",
            "3",
        ),
        (
            "?i :tag :x ; :number ?n OPTIONAL { ?i :tag :y ; :in ?b } FILTER(BOUND(?b))",
            "1",
        ),
        (
            "?i :tag :x ; :number ?n . MINUS { ?i :tag :y ; :in ?b }",
            "1",
        ),
        (
            "{ ?i :tag :x ; :number ?n } UNION { ?i :tag :y ; :number ?n }",
            "3",
        ),
        (
            "?i :tag :x ; :number ?n . FILTER EXISTS { ?i :tag ?o . ?o :of :x . FILTER(?n > 1) }",
            "1",
        ),
        ("?i :tag :absent ; :number ?n", "0"),
        (":i1 :tag :x . :i1 :number 1", "1"),
    ] {
        check(
            &graph,
            &format!("SELECT (COUNT(*) AS ?n_) {{ {pattern} }}"),
            &[count],
        );
    }
}

#[test]
fn blank_nodes_of_two_files_are_two() {
    let two = federation(&[
        ("a.nt", "_:x <http://e/p> \"1\" .\n"),
        ("b.nt", "_:x <http://e/p> \"2\" .\n"),
    ]);
    check(
        &two,
        "SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s :p ?o }",
        &["2"],
    );
    check(&two, "SELECT ?o { ?s :p '1', ?o }", &["1"]);
}

#[test]
fn every_syntax_is_read_compressed_or_not() {
    use std::io::Write;
    for (name, text) in [
        ("a.trig", "@prefix : <http://e/> . { :a :p :b }"),
        ("a.nq", "<http://e/a> <http://e/p> <http://e/b> .\n"),
        ("a.ttl", "@prefix : <http://e/> . :a :p :b ."),
        ("A.NT", "<http://e/a> <http://e/p> <http://e/b> .\n"),
    ] {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gz.write_all(text.as_bytes()).unwrap();
        let packed = gz.finish().unwrap();
        for bytes in [text.as_bytes(), &packed] {
            // A server may undo the compression that a name announces, so the bytes decide.
            for name in [name.to_owned(), format!("{name}.gz")] {
                let mut federation = Federation::new();
                assert_eq!(federation.load(&name, bytes).unwrap().quads, 1, "{name}");
                check(&federation, "SELECT ?s ?o { ?s :p ?o }", &["a,b"]);
            }
        }
        let cut = &packed[..packed.len() - 9];
        let error = Federation::new().load(name, cut).unwrap_err();
        assert!(matches!(error.kind, LoadErrorKind::Gzip { .. }), "{error}");
        assert!(error.remedy().is_some());
    }
}

#[test]
fn a_bad_file_changes_nothing() {
    let mut small = small();
    let before = ask(&small, "SELECT * { ?s ?p ?o }");
    let error = small
        .load(
            "bad.trig",
            b"PREFIX : <http://e/>\n:g9 { :new :p :b .\n  :a :p\xC3\xA9 'x' ; : }",
        )
        .unwrap_err();
    assert_eq!(error.position(), Some((3, 18)));
    assert!(error.to_string().starts_with("bad.trig:3:18: "), "{error}");
    assert!(!small.is_loaded("bad.trig"));
    assert_eq!(ask(&small, "SELECT * { ?s ?p ?o }"), before);
    check(&small, "SELECT ?g { GRAPH ?g {} }", &["g1", "g2"]);

    let error = small.load("table.csv", b"a,b\n").unwrap_err();
    assert_eq!(error.kind, LoadErrorKind::Format);
    assert_eq!(error.to_string(), "table.csv: unknown format");

    // The same name can come again, whole.
    assert_eq!(
        small
            .load(
                "bad.trig",
                b"<http://e/g9> { <http://e/new> <http://e/p> 1 }"
            )
            .unwrap()
            .quads,
        1
    );
    check(&small, "SELECT ?o { GRAPH :g9 { :new :p ?o } }", &["1"]);
    assert_eq!(
        small
            .load(
                "bad.trig",
                b"<http://e/g9> { <http://e/new> <http://e/p> 2 }"
            )
            .unwrap()
            .quads,
        0
    );
    assert_eq!(
        small.files().collect::<Vec<_>>(),
        ["bad.trig", "small.trig"]
    );
    let graphs: Vec<_> = small
        .graphs()
        .into_iter()
        .map(|g| (g.name, g.triples))
        .collect();
    assert_eq!(
        graphs,
        [
            ("http://e/g1".to_owned(), 2),
            ("http://e/g2".to_owned(), 3),
            ("http://e/g9".to_owned(), 1)
        ]
    );
}

#[test]
fn rows_come_in_a_sequence_that_only_the_data_decides() {
    let a = (
        "a.ttl",
        "PREFIX : <http://e/> :a :n 2 . :b :n 1 . :c :n 2 .",
    );
    let b = (
        "b.ttl",
        "PREFIX : <http://e/> :d :n 1 . :B :n 2 . :e :n 3 .",
    );
    for files in [[a, b], [b, a]] {
        let both = federation(&files);
        check(
            &both,
            "SELECT ?s ?n { ?s :n ?n }",
            &["B,2", "a,2", "b,1", "c,2", "d,1", "e,3"],
        );
        check(
            &both,
            "SELECT ?n ?s { ?s :n ?n }",
            &["1,b", "1,d", "2,B", "2,a", "2,c", "3,e"],
        );
        // Ties are broken by the columns.
        check(
            &both,
            "SELECT ?s ?n { ?s :n ?n } ORDER BY DESC(?n) LIMIT 4",
            &["e,3", "B,2", "a,2", "c,2"],
        );
        check(
            &both,
            "SELECT DISTINCT ?n { ?s :n ?n } ORDER BY DESC(?s)",
            &["3", "1", "2"],
        );
        // In a subquery too, where they decide which rows there are.
        check(
            &both,
            "SELECT ?s { { SELECT ?s { ?s :n ?n } ORDER BY ?n LIMIT 1 } }",
            &["b"],
        );
    }
}

#[test]
fn kinds_of_terms_sort_as_the_standard_says() {
    // Q8
    let none = Federation::new();
    check(
        &none,
        "SELECT ?x { VALUES ?x { 'a' 3 UNDEF <http://e/1> 'B' 10 } } ORDER BY ?x",
        &["", "1", "3", "10", "B", "a"],
    );
    check(
        &none,
        "SELECT ?x { VALUES ?x { 'a' 3 UNDEF <http://e/1> 'B' 10 } } ORDER BY DESC(?x)",
        &["a", "B", "10", "3", "1", ""],
    );
}

#[test]
fn values_that_do_not_compare_still_sort() {
    // Numbers and strings, NaN, dates with and without a zone: no order, and enough of them for a sort to notice.
    let values = (0..200_u32)
        .map(|i| (i * 7_919 % 100, i * 104_729 % 100))
        .map(|(a, b)| {
            format!(
                "{a} '{b}' {b}.5 {a}e0 'x'@en '{b}'^^<http://e/type> 'NaN'^^xsd:double
                 '2020-01-{:02}T00:00:00'^^xsd:dateTime '2020-01-{:02}T05:00:00Z'^^xsd:dateTime ",
                a % 28 + 1,
                b % 28 + 1
            )
        })
        .collect::<Vec<_>>()
        .concat();
    let query = format!(
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT (COUNT(*) AS ?n) {{ {{ SELECT ?x {{ VALUES ?x {{ {values} }} }} ORDER BY ?x LIMIT 5000 }} }}"
    );
    check(&Federation::new(), &query, &["1800"]);
}

#[test]
fn nothing_leaves_the_engine_and_nothing_changes_it() {
    let small = small();
    for query in [
        "SELECT * { SERVICE <http://e/sparql> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT ?s { ?s ?p ?o } }",
        "ASK { ?s ?p ?o FILTER NOT EXISTS { SERVICE <http://e/sparql> { ?s ?p ?o } } }",
    ] {
        let error = small.query(query, &Limits::default()).unwrap_err();
        assert!(
            matches!(error, QueryError::Service { .. }),
            "{query}: {error}"
        );
        assert!(error.remedy().is_some());
    }
    for update in [
        "CLEAR ALL",
        "INSERT DATA { <http://e/a> <http://e/p> 1 }",
        "LOAD <http://e/file>",
    ] {
        let error = small.query(update, &Limits::default()).unwrap_err();
        assert_eq!(error, QueryError::Update, "{update}");
    }
}

#[test]
fn a_mistake_is_shown_where_it_is() {
    for (query, expected) in [
        (
            "SELECT ?x\nWHERE { ?x ?y }",
            "2:15: `}` is not expected here",
        ),
        (
            "SELECT ?x { ?x undefined:p ?y }",
            "1:16: the prefix `undefined:` is not declared",
        ),
        ("SELEC ?x {}", "1:1: `SELEC` is not expected here"),
        (
            "SELECT ?x {\n  ?x a <b:c> .\n  FILTER(?x = ) }",
            "3:15: `)` is not expected here",
        ),
        (
            "SELECT ?x WHERE { ?x ?p ?o # }",
            "1:27: the query ends too early",
        ),
        ("SELECT ?x { ?x ?p 'é }", "1:19: this string is not closed"),
        (
            "SELECT ?x { 'é' ?p ?o . FILER(?s) }",
            "1:25: `FILER` is not expected here",
        ),
        (
            "PREFIX ex <http://x/> SELECT * {}",
            "1:8: `ex` is not expected here",
        ),
        ("SELECT * { ?s ?p ?o }}", "1:22: `}` is not expected here"),
        (
            "SELECT * { ?s ?p ?o } ORDER",
            "1:28: the query ends too early",
        ),
        ("", "1:1: the query ends too early"),
    ] {
        let error = parse_query(query).unwrap_err();
        assert_eq!(error.to_string(), expected, "{query}");
        let (line, column) = error.position().unwrap();
        assert!(expected.starts_with(&format!("{line}:{column}: ")));
    }
    // Rules beyond the grammar are told in the parser's words.
    for (query, rule) in [
        (
            "BASE <http://e/> SELECT ?x ?y { ?x ?p ?o } GROUP BY ?x",
            "1:18: the SELECT contains a variable that is unbound",
        ),
        (
            "SELECT ?x { BIND(1 AS ?x) BIND(2 AS ?x) }",
            "1:41: BIND is overriding an existing variable",
        ),
    ] {
        let error = parse_query(query).unwrap_err().to_string();
        assert!(error.contains(rule), "{query}: {error}");
    }
}

/// Queries that are about `n` brackets deep, and about `n` operators.
fn deep(n: usize) -> (Vec<String>, Vec<String>) {
    let brackets = vec![
        format!("ASK {{ FILTER({}1{}) }}", "(".repeat(n), ")".repeat(n)),
        format!("ASK {}{}", "{".repeat(n), "}".repeat(n)),
        format!("ASK {{ ?s ?p {}1{} }}", "[ ?p ".repeat(n), "]".repeat(n)),
        format!("ASK {}{}", "{ SELECT * {".repeat(n / 2), "}}".repeat(n / 2)),
    ];
    let operators = vec![
        format!(
            "ASK {{ ?s ?p ?o FILTER(false{}) }}",
            " || ?s = ?o".repeat(n)
        ),
        format!("ASK {{ ?s ?p ?o FILTER(0{}) }}", " + 1".repeat(n)),
        format!("ASK {{ {{ ?s ?p 1 }}{} }}", " UNION { ?s ?p ?o }".repeat(n)),
        format!("ASK {{ ?s <http://e/p>{} ?o }}", "/<http://e/p>*".repeat(n)),
        format!("ASK {{ {} }}", "OPTIONAL { ?s ?p ?o }".repeat(n)),
        format!("ASK {{ {} }}", "?s ?p ?o . ".repeat(n)),
    ];
    (brackets, operators)
}

#[test]
fn what_would_overflow_the_stack_is_refused() {
    let none = Federation::new();
    let ((brackets, _), (_, operators)) = (deep(MAX_NESTING + 2), deep(MAX_DEPTH + 2));
    for query in brackets.iter().chain(&operators) {
        let error = none.query(query, &Limits::default()).unwrap_err();
        assert!(
            matches!(error, QueryError::Nesting { .. }),
            "{query}: {error}"
        );
        assert!(error.remedy().is_some());
    }
    let ((brackets, _), (_, operators)) = (deep(MAX_NESTING - 2), deep(MAX_DEPTH - 10));
    for query in brackets.iter().chain(&operators) {
        assert!(none.query(query, &Limits::default()).is_ok(), "{query}");
    }
    // What is chained for ever is refused before it is parsed: taking it apart again would overflow the stack, too.
    let (_, operators) = deep(200_000);
    for query in &operators[..5] {
        let start: String = query.chars().take(60).collect();
        let error = parse_query(query).unwrap_err();
        assert!(
            matches!(error, QueryError::Nesting { .. }),
            "{start}: {error}"
        );
    }
    // As many terms as a closure has, each with an `||`, are read, and so are as many typed numbers.
    let closure =
        "SELECT * { ?s ?p ?o FILTER(?o = 1".to_owned() + &" || ?o = 1".repeat(1_600) + ") }";
    assert!(parse_query(&closure).is_ok());
    let others =
        "SELECT * { ?s ?p ?o FILTER(?o != 1".to_owned() + &" && ?o != 1".repeat(1_600) + ") }";
    assert!(parse_query(&others).is_ok());
    let typed = "'1'^^<http://www.w3.org/2001/XMLSchema#integer> ".repeat(5_000);
    assert!(parse_query(&format!("SELECT * {{ VALUES ?s {{ {typed} }} }}")).is_ok());
    // What is long is not deep, and brackets in strings, comments and IRIs are not nested.
    let list = (0..5_000)
        .map(|i| format!("<http://e/{i}> "))
        .collect::<Vec<_>>()
        .concat();
    let strings = format!(
        "'{}' # {}\n '''{}''' <http://e/#(> ",
        "(".repeat(200),
        "{".repeat(200),
        "['\\'".repeat(200)
    );
    check(
        &small(),
        &format!("SELECT ?s {{ VALUES ?s {{ {list} {strings} :a }} ?s :p ?o }}"),
        &["a"],
    );
    check(
        &small(),
        &format!(
            "SELECT ?s {{ ?s :p ?o FILTER(?s IN ({} :a)) }}",
            list.replace("> ", ">, ")
        ),
        &["a"],
    );
}

#[test]
fn limits_are_kept() {
    let small = small();
    let limits = |rows| Limits {
        rows: Some(rows),
        cancel: Cancel::new(),
    };
    assert_eq!(
        small
            .query("SELECT * { ?s ?p ?o }", &limits(5))
            .unwrap()
            .len(),
        5
    );
    assert_eq!(
        small.query("SELECT * { ?s ?p ?o }", &limits(4)),
        Err(QueryError::TooManyRows { limit: 4 })
    );
    let cancel = Cancel::new();
    let query = parse_query("SELECT * { ?s ?p ?o }").unwrap();
    assert_eq!(small.evaluate(&query, &cancel).unwrap().len(), 5);
    cancel.clone().cancel();
    assert!(cancel.is_cancelled());
    assert_eq!(small.evaluate(&query, &cancel), Err(QueryError::Cancelled));
}

#[test]
fn the_clock_and_chance_are_there() {
    // In a page both come from the browser, and without it the evaluator panics.
    let none = Federation::new();
    check(&none, "SELECT (YEAR(NOW()) > 2025 AS ?x) {}", &["true"]);
    check(&none, "SELECT (RAND() < 1.0 AS ?x) {}", &["true"]);
    check(&none, "SELECT (STRLEN(STRUUID()) AS ?x) {}", &["36"]);
}

#[test]
fn types_reach_the_table() {
    let typed = federation(&[(
        "t.ttl",
        "PREFIX : <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
         :a :v 1, 1.50, 2e0, true, 'x'@en, '01'^^xsd:integer, 'y'^^:t, _:b, :i .",
    )]);
    let table = typed
        .query("SELECT ?v { ?s ?p ?v }", &Limits::default())
        .unwrap();
    let json = table::to_sparql_json(&table);
    for part in [
        "#integer",
        "#decimal",
        "#double",
        "#boolean",
        "\"bnode\"",
        "\"uri\"",
        "\"1.50\"",
        "\"01\"",
    ] {
        assert!(json.contains(part), "{part} in {json}");
    }
    assert_eq!(table::read_sparql_json(json.as_bytes()).unwrap(), table);
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a second thread with a clock, where there are threads"
)]
fn a_join_without_end_stops_when_it_is_cancelled() {
    let small = small();
    let numbers: Vec<String> = (0..4000).map(|number| number.to_string()).collect();
    let numbers = numbers.join(" ");
    let list = |name: &str| format!("VALUES ?{name} {{ {numbers} }}");
    let triples: Vec<String> = (0..4000)
        .map(|number| format!(":s{number} :p {number} .\n"))
        .collect();
    let triples = federation(&[(
        "t.ttl",
        &format!("PREFIX : <http://e/> {}", triples.concat()),
    )]);
    let all = "CONCAT(STR(?a), STR(?b), STR(?c), STR(?d))";
    let lists = [list("a"), list("b"), list("c"), list("d")].join(" ");
    for (data, pattern) in [
        (&triples, "?a ?p ?w . ?b ?q ?x . ?c ?r ?y . ?d ?s ?z"),
        (&small, lists.as_str()),
    ] {
        for query in [
            format!("SELECT (COUNT(*) AS ?n) {{ {pattern} }}"),
            format!("SELECT DISTINCT ?a {{ {pattern} FILTER(STRLEN({all}) > 99) }}"),
            format!("ASK {{ {pattern} FILTER(STRLEN({all}) > 99) }}"),
            format!("SELECT ?a {{ {pattern} }} ORDER BY ?a"),
        ] {
            let limits = Limits::default();
            let cancel = limits.cancel.clone();
            let stopped = std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(200));
                cancel.cancel();
                std::time::Instant::now()
            });
            let answer = data.query(&query, &limits);
            let late = stopped.join().unwrap().elapsed();
            assert_eq!(answer, Err(QueryError::Cancelled));
            assert!(late.as_secs() < 2, "{late:?} late");
        }
    }
}
