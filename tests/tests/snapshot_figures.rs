//! Every published figure of the corpus, and every figure of our own, as the answer to a query over the embedded snapshot.
//!
//! The snapshot is rebuilt by `cargo xtask snapshot`; a change there that moves a figure stops here.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a function that a test calls fails with the test"
)]

mod support;

use std::collections::BTreeSet;

use record::Record;
use support::{CORPUS, ask, control, question};
use table::Cell;

fn record(id: &str) -> &'static Record {
    CORPUS
        .record(id)
        .unwrap_or_else(|| panic!("no record {id}"))
}

/// The rows of a query of the corpus: name, last part of the IRI, count.
fn rows(query: &str) -> Vec<Row> {
    ask(query).rows().map(Row::new).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    name: String,
    id: String,
    count: u64,
}

impl Row {
    fn new(cells: &[Cell]) -> Self {
        let [name, iri, count] = cells else {
            panic!("three columns: a name, an IRI, a count");
        };
        let iri = iri.to_string();
        let id = iri.rsplit('/').next().unwrap_or(&iri);
        Self {
            name: name.to_string(),
            id: id.to_owned(),
            count: count.to_string().parse().expect("a count"),
        }
    }
}

/// One number: the only cell of the only row.
fn number(pattern: &str) -> u64 {
    let query = format!(
        "PREFIX biolink: <https://w3id.org/biolink/vocab/>
         PREFIX kg: <https://purl.org/okn/frink/kg/>
         PREFIX obo: <http://purl.obolibrary.org/obo/>
         PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
         PREFIX schema: <http://schema.org/>
         {pattern}"
    );
    let table = ask(&query);
    assert_eq!((table.len(), table.columns().len()), (1, 1), "{pattern}");
    table.row(0)[0].to_string().parse().expect("a count")
}

/// Figure, query, number.
const NUMBERS: &[(&str, &str, u64)] = &[
    (
        "the cardiovascular closure in this MONDO release",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf* obo:MONDO_0004995 } }",
        1_628,
    ),
    (
        "the autoimmune closure",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf* obo:MONDO_0007179 } }",
        259,
    ),
    (
        "the metabolic closure",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf* obo:MONDO_0005066 } }",
        2_209,
    ),
    (
        "the musculoskeletal closure",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf* obo:MONDO_0002081 } }",
        3_191,
    ),
    (
        "datasets at the cardiovascular root",
        "SELECT (COUNT(DISTINCT ?d) AS ?n) { GRAPH kg:nde { ?d schema:healthCondition obo:MONDO_0004995 } }",
        447,
    ),
    (
        "datasets at the other three roots",
        "SELECT (COUNT(*) AS ?n) { VALUES ?c { obo:MONDO_0007179 obo:MONDO_0005066 obo:MONDO_0002081 }
            GRAPH kg:nde { ?d schema:healthCondition ?c } }",
        186 + 208 + 131,
    ),
    (
        "associations at any root",
        "SELECT (COUNT(*) AS ?n) {
            VALUES ?c { obo:MONDO_0004995 obo:MONDO_0007179 obo:MONDO_0005066 obo:MONDO_0002081 obo:HP_0000707 }
            GRAPH kg:oard-kg { ?a biolink:subject|biolink:object ?c } }",
        0,
    ),
    (
        "cardiovascular conditions that datasets are tagged with",
        "SELECT (COUNT(DISTINCT ?c) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf* obo:MONDO_0004995 }
            GRAPH kg:nde { ?d schema:healthCondition ?c } }",
        284,
    ),
    (
        "cardiovascular dataset-condition pairs",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf* obo:MONDO_0004995 }
            GRAPH kg:nde { ?d a schema:Dataset ; schema:healthCondition ?c } }",
        10_324,
    ),
    (
        "pairs that the root alone does not show",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:ubergraph { ?c rdfs:subClassOf+ obo:MONDO_0004995 }
            GRAPH kg:nde { ?d a schema:Dataset ; schema:healthCondition ?c } }",
        9_877,
    ),
    (
        "diseases that the rare disease graph annotates with the phenotype itself",
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:rdkg { ?d biolink:has_phenotype obo:HP_0000707 } }",
        0,
    ),
    (
        "phenotypes under it that the rare disease graph uses",
        "SELECT (COUNT(DISTINCT ?p) AS ?n) { GRAPH kg:ubergraph { ?p rdfs:subClassOf* obo:HP_0000707 }
            GRAPH kg:rdkg { ?d biolink:has_phenotype ?p } }",
        459,
    ),
    (
        "genes of hormone secretion with the closure",
        "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH kg:ubergraph { ?p rdfs:subClassOf* obo:GO_0046879 }
            GRAPH kg:pankgraph { ?g biolink:functional_association ?p } }",
        71,
    ),
    (
        "genes at hormone secretion itself",
        "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH kg:pankgraph { ?g biolink:functional_association obo:GO_0046879 } }",
        5,
    ),
    (
        "classes of the hub without exactly one label",
        "SELECT (COUNT(*) AS ?n) { { SELECT ?c { GRAPH kg:ubergraph { ?c rdfs:subClassOf|^rdfs:subClassOf ?other
            OPTIONAL { ?c rdfs:label ?label } } } GROUP BY ?c HAVING (COUNT(DISTINCT ?label) != 1) } }",
        0,
    ),
];

#[test]
fn numbers() {
    for (figure, query, expected) in NUMBERS {
        assert_eq!(number(query), *expected, "{figure}");
    }
}

/// Per tier, under its name on a line of its own, the rows of its key: count, last part of the IRI, name.
const KEYS: &str = include_str!("../fixtures/snapshot_keys.txt");

/// Tier, and the rows that qualify when the key's limit is taken away.
const QUALIFYING: [(&str, usize); 6] = [
    ("cardiovascular", 81),
    ("autoimmune", 31),
    ("metabolic", 56),
    ("musculoskeletal", 62),
    ("neurological", 170),
    ("hormonesecretion", 48),
];

fn written(row: &Row) -> String {
    format!("{} {} {}", row.count, row.id, row.name)
}

/// The key of a tier without its limit.
fn all_rows(tier: &str) -> Vec<Row> {
    let query = question(tier).query.as_ref().expect("the key parses");
    rows(&record::without_limit(query).to_string())
}

#[test]
fn keys() {
    for (tier, qualifying) in QUALIFYING {
        let key: Vec<String> = rows(&question(tier).query_text)
            .iter()
            .map(written)
            .collect();
        let expected: Vec<&str> = KEYS
            .lines()
            .skip_while(|line| *line != tier)
            .skip(1)
            .take(15)
            .collect();
        assert_eq!(key, expected, "{tier}");
        assert_eq!(all_rows(tier).len(), qualifying, "{tier}");
    }
}

#[test]
fn rows_15_and_16_tie_and_the_iri_decides() {
    let all = all_rows("cardiovascular");
    assert_eq!(
        written(&all[14]),
        "33 MONDO_0012727 mucocutaneous lymph node syndrome"
    );
    assert_eq!(written(&all[15]), "33 MONDO_0016982 angiosarcoma");
    assert!(all[16].count < 33);
}

#[test]
fn no_other_key_is_cut_through_a_tie() {
    for (tier, _) in QUALIFYING
        .into_iter()
        .filter(|(tier, _)| *tier != "cardiovascular")
    {
        let all = all_rows(tier);
        assert!(
            all[14].count > all[15].count,
            "{tier}: {:?} {:?}",
            all[14],
            all[15]
        );
    }
}

#[test]
fn an_exact_key_is_empty_but_for_hormone_secretion() {
    for record in CORPUS
        .records
        .iter()
        .filter(|record| record.id().contains("-exact_"))
    {
        let key: Vec<String> = rows(&record.query_text).iter().map(written).collect();
        let expected: &[&str] = match record.id() {
            "pankgraph-exact_hormonesecretion" => {
                &["22 ENSG00000118260 CREB1", "14 ENSG00000148926 ADM"]
            }
            _ => &[],
        };
        assert_eq!(key, expected, "{}", record.id());
        assert_eq!(
            record.expect_empty(),
            expected.is_empty(),
            "{}",
            record.id()
        );
    }
    assert!(record("nde-exact_cardiovascular").expect_empty());
}

/// What became of the key in a control.
#[derive(Debug, PartialEq, Eq)]
struct Fate {
    rows: usize,
    /// Rows of the key that are there, count and all.
    kept: usize,
    /// Rows of the key that are there with another count.
    changed: usize,
    missed: usize,
    /// Rows that the key without its limit would not have either.
    invented: usize,
    below_cut: usize,
}

fn fate(tier: &str, letter: char) -> Fate {
    let found = rows(&control(tier, letter).query_text);
    let key = rows(&question(tier).query_text);
    let ids = |rows: &[Row]| {
        rows.iter()
            .map(|row| row.id.clone())
            .collect::<BTreeSet<_>>()
    };
    let (in_key, in_all, in_found) = (ids(&key), ids(&all_rows(tier)), ids(&found));
    let kept = found.iter().filter(|row| key.contains(row)).count();
    Fate {
        rows: found.len(),
        kept,
        changed: in_found.intersection(&in_key).count() - kept,
        missed: in_key.difference(&in_found).count(),
        invented: in_found.difference(&in_all).count(),
        below_cut: in_found.intersection(&in_all).count() - in_found.intersection(&in_key).count(),
    }
}

/// Tier, control, then rows, kept, changed, missed, invented, below the cut.
const CONTROLS: &[(&str, char, [usize; 6])] = &[
    ("cardiovascular", 'A', [0, 0, 0, 15, 0, 0]),
    ("cardiovascular", 'B', [12, 4, 0, 11, 1, 7]),
    ("autoimmune", 'A', [0, 0, 0, 15, 0, 0]),
    ("autoimmune", 'B', [7, 2, 0, 13, 0, 5]),
    ("metabolic", 'A', [0, 0, 0, 15, 0, 0]),
    ("metabolic", 'B', [5, 1, 0, 14, 1, 3]),
    ("musculoskeletal", 'A', [0, 0, 0, 15, 0, 0]),
    ("musculoskeletal", 'B', [9, 3, 0, 12, 2, 4]),
    ("neurological", 'A', [0, 0, 0, 15, 0, 0]),
    ("neurological", 'B', [12, 0, 0, 15, 3, 9]),
    ("hormonesecretion", 'A', [2, 2, 0, 13, 0, 0]),
    ("hormonesecretion", 'B', [15, 6, 0, 9, 1, 8]),
    ("hormonesecretion", 'C', [15, 11, 3, 1, 1, 0]),
    ("hormonesecretion", 'D', [15, 15, 0, 0, 0, 0]),
];

#[test]
fn a_control_reads_without_a_problem_and_names_its_keywords() {
    for control in &CORPUS.controls {
        assert!(
            control.problems.is_empty(),
            "{}: {:?}",
            control.file,
            control.problems
        );
        assert_eq!(
            control.keywords.is_empty(),
            control.letter != 'B',
            "{}",
            control.file
        );
        for word in &control.keywords {
            assert!(
                control.query_text.contains(&format!("\"{word}\"")),
                "{}: {word}",
                control.file
            );
        }
    }
}

#[test]
fn controls() {
    for (tier, letter, [rows, kept, changed, missed, invented, below_cut]) in CONTROLS {
        let expected = Fate {
            rows: *rows,
            kept: *kept,
            changed: *changed,
            missed: *missed,
            invented: *invented,
            below_cut: *below_cut,
        };
        assert_eq!(fate(tier, *letter), expected, "{tier} {letter}");
    }
    assert_eq!(
        CONTROLS.len(),
        CORPUS.controls.len(),
        "a control without figures"
    );
}

#[test]
fn the_cardiovascular_keyword_control_is_wrong_as_published() {
    let found = rows(&control("cardiovascular", 'B').query_text);
    let key = rows(&question("cardiovascular").query_text);
    assert_eq!(found[0], key[0], "its own top row is right");
    let kept: Vec<&Row> = found.iter().filter(|row| key.contains(row)).collect();
    assert!(kept.iter().all(|row| row.name.contains("cardio")));
    let invented = found.last().map(written);
    assert_eq!(
        invented.as_deref(),
        Some("4 MONDO_0012126 familial avascular necrosis of femoral head")
    );
    let missed = |name: &str| found.iter().all(|row| row.name != name);
    for name in [
        "preeclampsia",
        "multifocal atrial tachycardia",
        "Kaposi's sarcoma",
        "pulmonary arterial hypertension",
        "myocarditis",
        "eclampsia",
        "vasculitis",
        "aortic valve stenosis",
        "angiosarcoma",
    ] {
        assert!(missed(name), "{name}");
    }
}

#[test]
fn the_autoimmune_keyword_control_misses_the_ten_largest() {
    let found = rows(&control("autoimmune", 'B').query_text);
    let key = rows(&question("autoimmune").query_text);
    assert!(key[..10].iter().all(|row| !found.contains(row)));
    assert_eq!((found[0].count, key[0].count), (20, 594));
}

/// NCBI Taxonomy's numbers.
const HUMAN: &str = "9606";
const COW: &str = "9913";
const PIG: &str = "9823";
const MACAQUE: &str = "9544";

#[test]
fn the_symbol_join_pools_three_species() {
    let found = rows(&control("hormonesecretion", 'C').query_text);
    let key = rows(&question("hormonesecretion").query_text);
    let inflated: Vec<(&str, u64)> = key
        .iter()
        .filter_map(|row| {
            let pooled = found.iter().find(|other| other.id == row.id)?;
            (pooled.count > row.count).then(|| (row.name.as_str(), pooled.count - row.count))
        })
        .collect();
    assert_eq!(inflated, [("IL6", 2), ("CREB1", 4), ("LEP", 3)]);
    assert!(key.iter().any(|row| row.name == "MAFA") && found.iter().all(|row| row.name != "MAFA"));

    let species = |symbol: &str, taxon: &str| {
        number(&format!(
            "SELECT (COUNT(DISTINCT ?study) AS ?n) {{ GRAPH kg:gene-expression-atlas-okn {{
                ?gene biolink:symbol \"{symbol}\" . ?result biolink:object ?gene ; biolink:subject ?assay .
                ?study biolink:has_output ?assay ; biolink:in_taxon obo:NCBITaxon_{taxon} }} }}"
        ))
    };
    assert_eq!(
        (
            species("CREB1", COW),
            species("LEP", PIG),
            species("IL6", MACAQUE)
        ),
        (4, 3, 2)
    );
    assert_eq!(
        (species("GAL", PIG), species("GAL", HUMAN)),
        (12, 0),
        "it qualifies on pig data alone"
    );
    assert_eq!(found.last().map(|row| row.name.as_str()), Some("GAL"));
}

#[test]
fn every_clinical_association_says_where_it_comes_from() {
    let unsaid = number(
        "SELECT (COUNT(*) AS ?n) { GRAPH kg:oard-kg { ?a a biolink:DiseaseToPhenotypicFeatureAssociation
            FILTER NOT EXISTS { ?a biolink:has_supporting_studies ?s . ?s rdfs:label ?label } } }",
    );
    assert_eq!(unsaid, 0);
}
