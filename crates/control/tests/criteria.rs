//! What questions can be probed, and what an inquiry says when tables are missing.
#![expect(
    clippy::panic,
    reason = "a function that a test calls fails with the test"
)]

use control::{Candidate, CriterionId, Inquiry, Question, QuestionError};
use proptest::prelude::*;
use spargebra::{Query, SparqlParser};
use table::{Cell, Number, NumberKind, Table};

fn parse(text: &str) -> Query {
    let prefixes = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX e: <http://e/> ";
    SparqlParser::new()
        .parse_query(&format!("{prefixes}{text}"))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

const KEY: &str = "SELECT ?c ?name (COUNT(DISTINCT ?d) AS ?n) {
    GRAPH e:hub { ?c rdfs:subClassOf* e:HP_1 }
    GRAPH e:data { ?d e:about ?c . ?c rdfs:label ?name }
    GRAPH e:clinic { ?a a e:Association ; e:subject ?c }
} GROUP BY ?c ?name ORDER BY DESC(?n) ?c LIMIT 15";

#[test]
fn a_question_needs_one_hierarchy_and_two_graphs() {
    assert!(Question::of_key(&parse(KEY)).is_ok());
    let error = |text: &str| Question::of_key(&parse(text)).err();
    assert!(matches!(
        error("SELECT * { GRAPH e:data { ?d e:about e:HP_1 } }"),
        Some(QuestionError::Hierarchy(_))
    ));
    assert_eq!(
        error(
            "SELECT * { GRAPH e:hub { ?c rdfs:subClassOf* e:HP_1 } GRAPH e:data { ?d e:about ?c } }"
        ),
        Some(QuestionError::NotTwoGraphs { found: 1 })
    );
    assert!(matches!(
        error(
            "SELECT * { GRAPH e:hub { ?c rdfs:subClassOf* e:HP_1 } GRAPH e:data { ?d e:about ?c } \
             GRAPH e:clinic { ?x e:is ?y } }"
        ),
        Some(QuestionError::NoLink { .. })
    ));
    let candidate = Candidate {
        root: "HP_1",
        hierarchy: "http://e/hub",
        first: "http://e/data",
        second: "http://e/clinic",
    };
    assert!(matches!(
        Question::of_candidate(&candidate),
        Err(QuestionError::NotAnIri { .. })
    ));
}

#[test]
fn the_graphs_come_in_the_order_of_the_key() {
    let graphs = Question::of_key(&parse(KEY))
        .map(|question| question.graphs().map(|graph| graph.map(str::to_owned)));
    assert_eq!(
        graphs.ok(),
        Some(["data", "clinic"].map(|name| Some(format!("http://e/{name}"))))
    );
}

#[test]
fn what_was_not_asked_is_not_told() {
    let question = Question::of_key(&parse(KEY)).unwrap();
    let report = Inquiry::new(question, &["heart"]).finish();
    assert_eq!(report.held(), 0);
    for criterion in &report.criteria {
        assert_eq!(criterion.holds, None, "{criterion:?}");
        assert!(!criterion.sentence.is_empty());
    }
}

/// A cell of whatever kind an endpoint might send.
fn cells() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Missing),
        (0..30_u32).prop_map(|n| Cell::Iri(format!("http://e/HP_{n}").into())),
        (0..30_u32).prop_map(|n| Cell::Iri(format!("http://e/thing{n}").into())),
        (0..9_u32).prop_map(|n| {
            Number::parse(&n.to_string(), NumberKind::Integer).map_or(Cell::Missing, Cell::Number)
        }),
        any::<bool>().prop_map(Cell::Boolean),
        "[a-z ]{0,8}".prop_map(|text| Cell::Text(text.into())),
    ]
}

fn tables() -> impl Strategy<Value = Table> {
    (0..6_usize).prop_flat_map(|width| {
        let columns = ["class", "parent", "label", "to", "partner", "n"];
        let columns = columns[..width]
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>();
        prop::collection::vec(prop::collection::vec(cells(), width), 0..12)
            .prop_map(move |rows| Table::new(columns.clone(), rows))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_an_endpoint_sends_the_inquiry_ends_with_finite_figures(
        answers in prop::collection::vec(tables(), 1..12),
    ) {
        let question = Question::of_key(&parse(KEY)).unwrap();
        let mut inquiry = Inquiry::new(question, &["heart"]);
        let mut asked = 0;
        while let Some(query) = inquiry.next_query() {
            prop_assert!(SparqlParser::new().parse_query(&query).is_ok(), "{query}");
            inquiry.answer(&answers[asked % answers.len()]);
            asked += 1;
            prop_assert!(asked < 50, "it asks without end");
        }
        let report = inquiry.finish();
        prop_assert_eq!(report.criteria.len(), CriterionId::ALL.len());
        for criterion in &report.criteria {
            prop_assert!(criterion.figure.is_none_or(f64::is_finite));
        }
        let json = serde_json::to_value(&report);
        prop_assert!(json.is_ok_and(|json| json["criteria"][6]["id"] == "one-path"));
    }
}
