//! The engine as the page drives it.

use explorer_engine::Engine;
use explorer_engine::message::{Answer, Failure, GraphSize, NeededFile, Op, Reply, Request};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const GRAPHS: [(&str, &str); 2] = [
    ("a.trig", "<http://e/a> { <http://e/s> <http://e/p> 1, 2 }"),
    ("b.trig", "<http://e/b> { <http://e/s> <http://e/q> 3 }"),
];

const QUERY: &str = "SELECT ?o { GRAPH <http://e/a> { ?s ?p ?o } }";

/// A catalogue of the graphs whose first checksum is given.
fn manifest(sha256: &str) -> String {
    let files: Vec<_> = GRAPHS
        .iter()
        .map(|(file, text)| {
            let graph = format!("http://e/{}", &file[..1]);
            serde_json::json!({"file": file, "graph": graph, "name": file, "quads": 1, "bytes": text.len(),
                "sha256": sha256, "licence": "CC0-1.0", "sources": []})
        })
        .collect();
    serde_json::json!({"version": 1, "server": "embedded-reconstruction", "kind": "reconstruction",
        "release": "2026-05-05", "files": files})
    .to_string()
}

fn ask(engine: &mut Engine, op: Op) -> Result<Answer, Failure> {
    let reply = engine.answer(Request { id: 42, op }, || 1.5);
    assert_eq!(reply.id, 42);
    reply.result
}

fn load(engine: &mut Engine, file: &str, bytes: &[u8]) -> Result<Answer, Failure> {
    let op = Op::Load {
        file: file.to_owned(),
        bytes: bytes.to_owned(),
    };
    ask(engine, op)
}

fn query(engine: &mut Engine, sparql: &str, rows: Option<u32>) -> Result<Answer, Failure> {
    let sparql = sparql.to_owned();
    ask(engine, Op::Query { sparql, rows })
}

fn files(engine: &mut Engine, sparql: &str, manifest: String) -> Result<Answer, Failure> {
    let sparql = sparql.to_owned();
    ask(engine, Op::Files { sparql, manifest })
}

#[test]
fn a_page_asks_what_to_load_loads_it_and_queries() {
    let mut engine = Engine::new();
    let needed = |loaded| NeededFile {
        file: "a.trig".to_owned(),
        bytes: GRAPHS[0].1.len() as u64,
        sha256: "00".to_owned(),
        loaded,
    };
    let answer = files(&mut engine, QUERY, manifest("00")).unwrap();
    assert_eq!(
        answer,
        Answer::Files {
            files: vec![needed(false)]
        }
    );
    let answer = load(&mut engine, "a.trig", GRAPHS[0].1.as_bytes()).unwrap();
    assert_eq!(
        answer,
        Answer::Load {
            file: "a.trig".to_owned(),
            quads: 2,
            ms: 0.0
        }
    );
    let answer = files(&mut engine, QUERY, manifest("00")).unwrap();
    assert_eq!(
        answer,
        Answer::Files {
            files: vec![needed(true)]
        }
    );

    let Ok(Answer::Query { json, rows: 2, ms }) = query(&mut engine, QUERY, None) else {
        panic!("no rows");
    };
    assert_eq!(ms.to_bits(), 0.0_f64.to_bits());
    assert_eq!(
        table::to_csv(&table::read_sparql_json(json.as_bytes()).unwrap()),
        "o\n1\n2\n"
    );

    let graph = GraphSize {
        iri: "http://e/a".to_owned(),
        triples: 2,
    };
    let answer = ask(&mut engine, Op::Graphs).unwrap();
    assert_eq!(
        answer,
        Answer::Graphs {
            graphs: vec![graph],
            files: vec!["a.trig".to_owned()]
        }
    );
    assert_eq!(ask(&mut engine, Op::Cancel), Ok(Answer::Cancel));
}

#[test]
fn a_query_is_checked_without_being_run() {
    let mut engine = Engine::new();
    let answer = ask(
        &mut engine,
        Op::Parse {
            sparql: QUERY.to_owned(),
        },
    )
    .unwrap();
    let columns = vec!["o".to_owned()];
    let graphs = vec!["http://e/a".to_owned()];
    assert_eq!(answer, Answer::Parse { columns, graphs });

    let failure = ask(
        &mut engine,
        Op::Parse {
            sparql: "SELECT *\n{ ?s ?p }".to_owned(),
        },
    )
    .unwrap_err();
    assert_eq!(failure.kind, "syntax");
    assert_eq!(failure.message, "`}` is not expected here");
    assert_eq!((failure.line, failure.column), (Some(2), Some(9)));
}

#[test]
fn what_fails_says_so_in_kind_and_place() {
    let mut engine = Engine::new();
    load(&mut engine, "a.trig", GRAPHS[0].1.as_bytes()).unwrap();
    for (sparql, kind) in [
        ("SELECT", "syntax"),
        ("CLEAR ALL", "update"),
        ("ASK { SERVICE <http://e/> {} }", "service"),
        (QUERY, "too-many-rows"),
    ] {
        let failure = query(&mut engine, sparql, Some(1)).unwrap_err();
        assert_eq!(failure.kind, kind);
        assert_eq!(failure.line.is_some(), kind == "syntax");
        assert_eq!(failure.remedy.is_some(), kind != "syntax");
    }
    let failure = load(&mut engine, "b.trig", b"<http://e/b> {\n <s> }").unwrap_err();
    assert_eq!(failure.kind, "load");
    assert_eq!(
        (failure.file.as_deref(), failure.line),
        (Some("b.trig"), Some(2))
    );
    let failure = files(&mut engine, QUERY, "{}".to_owned()).unwrap_err();
    assert_eq!(failure.kind, "manifest");
}

#[test]
fn a_file_that_is_not_the_listed_one_is_refused() {
    // "a" as gzip stores it uncompressed.
    const GZIP: [u8; 24] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 1, 0, 0xFE, 0xFF, 0x61, 0x43, 0xBE, 0xB7, 0xE8, 1,
        0, 0, 0,
    ];
    let mut engine = Engine::new();
    files(&mut engine, QUERY, manifest("00")).unwrap();
    let failure = load(&mut engine, "a.trig", &GZIP).unwrap_err();
    assert!(failure.message.contains("sha-256"), "{}", failure.message);
    // As listed, it is read, and found to be no TriG.
    let sha256 = federation::sha256_hex(&GZIP);
    files(&mut engine, QUERY, manifest(&sha256)).unwrap();
    let failure = load(&mut engine, "a.trig", &GZIP).unwrap_err();
    assert_eq!(failure.line, Some(1));
}

/// Requests and replies in the form that they have on the wire.
fn wire() -> Vec<(Request, serde_json::Value)> {
    let sparql = "ASK {}".to_owned();
    vec![
        (
            Request {
                id: 1,
                op: Op::Query {
                    sparql: sparql.clone(),
                    rows: None,
                },
            },
            serde_json::json!({"id": 1, "op": "query", "sparql": "ASK {}"}),
        ),
        (
            Request {
                id: 2,
                op: Op::Files {
                    sparql: sparql.clone(),
                    manifest: "{}".to_owned(),
                },
            },
            serde_json::json!({"id": 2, "op": "files", "sparql": "ASK {}", "manifest": "{}"}),
        ),
        (
            Request {
                id: 3,
                op: Op::Parse { sparql },
            },
            serde_json::json!({"id": 3, "op": "parse", "sparql": "ASK {}"}),
        ),
        (
            Request {
                id: 4,
                op: Op::Graphs,
            },
            serde_json::json!({"id": 4, "op": "graphs"}),
        ),
        (
            Request {
                id: 5,
                op: Op::Cancel,
            },
            serde_json::json!({"id": 5, "op": "cancel"}),
        ),
    ]
}

#[test]
fn messages_are_plain_objects() {
    for (request, json) in wire() {
        assert_eq!(serde_json::to_value(&request).unwrap(), json);
        assert_eq!(serde_json::from_value::<Request>(json).unwrap(), request);
    }
    let failure = query(&mut Engine::new(), "CLEAR ALL", None).unwrap_err();
    for (result, json) in [
        (
            Ok(Answer::Query {
                json: "{}".to_owned(),
                rows: 1,
                ms: 2.5,
            }),
            serde_json::json!({"id": 9, "ok": true, "op": "query", "json": "{}", "rows": 1, "ms": 2.5}),
        ),
        (
            Ok(Answer::Cancel),
            serde_json::json!({"id": 9, "ok": true, "op": "cancel"}),
        ),
        (
            Err(failure),
            serde_json::json!({"id": 9, "ok": false, "error": {
                "kind": "update", "message": "an update, and the federation is read-only",
                "remedy": "ask with SELECT, ASK, CONSTRUCT or DESCRIBE"}}),
        ),
    ] {
        let reply = Reply { id: 9, result };
        assert_eq!(serde_json::to_value(&reply).unwrap(), json);
        assert_eq!(serde_json::from_value::<Reply>(json).unwrap(), reply);
    }
}

#[cfg(target_arch = "wasm32")]
#[test]
fn a_page_sends_objects_with_bytes() {
    use wasm_bindgen::JsValue;

    let bytes = js_sys::Uint8Array::from(&b"abc"[..]);
    for bytes in [JsValue::from(bytes.buffer()), JsValue::from(bytes)] {
        let object = js_sys::Object::new();
        for (name, value) in [
            ("id", 8.into()),
            ("op", "load".into()),
            ("file", "a.nt".into()),
            ("bytes", bytes),
        ] {
            js_sys::Reflect::set(&object, &name.into(), &value).unwrap();
        }
        let request: Request = serde_wasm_bindgen::from_value(object.into()).unwrap();
        let op = Op::Load {
            file: "a.nt".to_owned(),
            bytes: b"abc".to_vec(),
        };
        assert_eq!(request, Request { id: 8, op });
    }
}
