//! Triplets by rule: what they are made of, and that no negative follows from the ontology.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ava::{FilterOptions, Made, Perturbation, Rules, Triplet, Unmade, filter, read_reply};
use ontology::{Graph, GraphKind, Ontology, extract, subgraph};
use proptest::prelude::*;

const PREFIXES: &str = "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n";

fn read(file: &str) -> Ontology {
    Ontology::read("case.ttl", format!("{PREFIXES}{file}").as_bytes()).unwrap()
}

/// What is made of every subgraph, in order.
fn made(ontology: &Ontology, kind: GraphKind) -> Vec<Made> {
    let graph = Graph::new(ontology, kind);
    let mut rules = Rules::new(ontology);
    let found = extract(&graph).found;
    found
        .iter()
        .map(|found| rules.make(&subgraph(&graph, found, "case")))
        .collect()
}

fn triplets(ontology: &Ontology, kind: GraphKind) -> Vec<Triplet> {
    let made = made(ontology, kind).into_iter();
    made.flat_map(|made| made.triplets).collect()
}

const ANATOMY: &str = "
:organ a owl:Class . :tool a owl:Class ; owl:disjointWith :organ . :chest a owl:Class . :belly a owl:Class .
:heart a owl:Class ; rdfs:subClassOf :organ, [ a owl:Restriction ; owl:onProperty :within ; owl:someValuesFrom :chest ] .
:lung a owl:Class ; rdfs:subClassOf :organ . :liver a owl:Class ; rdfs:subClassOf :organ .
:within a owl:ObjectProperty . :beside a owl:ObjectProperty .";

#[test]
fn every_kind_of_perturbation_is_made_and_every_triplet_outlives_the_filter() {
    let ontology = read(ANATOMY);
    let set = triplets(&ontology, GraphKind::Ava);
    let kinds: BTreeSet<Perturbation> = set
        .iter()
        .map(|triplet| triplet.perturbation.clone().unwrap())
        .collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    for triplet in &set {
        assert_eq!(triplet.generator.as_deref(), Some("rules"));
        assert_eq!(triplet.source.as_deref(), Some("case"));
        assert!(triplet.subgraph_id.as_ref().unwrap().starts_with("bfs_"));
    }
    let count = set.len();
    assert!(count >= 10, "{count}");
    let filtered = filter(set, &FilterOptions::default());
    assert_eq!(filtered.counts.kept, count);
}

#[test]
fn five_triplets_a_subgraph_where_the_axioms_allow_it_and_reasons_where_not() {
    let ontology = read(ANATOMY);
    for made in made(&ontology, GraphKind::Ava) {
        assert!(made.triplets.len() <= 5);
        assert!(
            made.triplets.len() == 5 || !made.unmade.is_empty(),
            "{made:?}"
        );
    }
    // Every statement about a class that can have no member is true.
    let empty = read(
        ":a a owl:Class ; owl:disjointWith :b . :b a owl:Class .
         :c a owl:Class ; rdfs:subClassOf :a, :b .",
    );
    for made in made(&empty, GraphKind::Ava) {
        assert_eq!(made.unmade[&Unmade::MayBeEmpty], 2);
        let about_c = |text: &str| text.split([' ', '.']).any(|word| word == "c");
        assert!(
            !made
                .triplets
                .iter()
                .any(|triplet| about_c(&triplet.negative))
        );
    }
}

#[test]
fn a_second_run_makes_the_same_and_no_anchor_comes_twice() {
    let (first, second) = (read(ANATOMY), read(ANATOMY));
    let set = triplets(&first, GraphKind::Full);
    assert_eq!(set, triplets(&second, GraphKind::Full));
    let anchors: BTreeSet<&str> = set.iter().map(|triplet| triplet.anchor.as_str()).collect();
    assert_eq!(anchors.len(), set.len());
}

#[test]
fn a_negative_that_is_true_of_a_homonym_is_refused() {
    // What is said of one `bank` is no lie, since the other one has the name too.
    let ontology = read(
        ":bank1 a owl:Class ; rdfs:label \"bank\" ; rdfs:subClassOf :institution .
         :bank2 a owl:Class ; rdfs:label \"Bank\" ; rdfs:subClassOf :landform .
         :institution a owl:Class ; rdfs:subClassOf :thing . :landform a owl:Class ; rdfs:subClassOf :thing .
         :thing a owl:Class .",
    );
    let set = triplets(&ontology, GraphKind::Ava);
    assert!(!set.is_empty());
    let lie = [
        "Every bank is a kind of landform.",
        "Every Bank is a kind of institution.",
    ];
    assert!(
        !set.iter()
            .any(|triplet| lie.contains(&triplet.negative.as_str()))
    );
}

#[test]
fn a_class_that_a_bound_over_several_steps_leaves_empty_is_in_no_triplet() {
    // Whatever is within the box is within the crate, which holds nothing but tools, and a stone is none.
    let ontology = read(
        ":within a owl:ObjectProperty, owl:TransitiveProperty .
         :tool a owl:Class ; owl:disjointWith :stone . :stone a owl:Class . :thing a owl:Class .
         :lid a owl:Class ; rdfs:subClassOf :thing . :lock a owl:Class ; rdfs:subClassOf :thing, :tool .
         :box a owl:Class ; rdfs:subClassOf :thing, [ owl:onProperty :within ; owl:someValuesFrom :stone ] .
         :crate a owl:Class ; rdfs:subClassOf :thing, [ owl:onProperty :within ; owl:someValuesFrom :box ],
           [ owl:onProperty :within ; owl:allValuesFrom :tool ] .",
    );
    let set = triplets(&ontology, GraphKind::Ava);
    assert!(set.len() >= 5, "{set:?}");
    for triplet in set {
        let texts = [&triplet.anchor, &triplet.negative];
        assert!(
            !texts.iter().any(|text| text.contains("crate")),
            "{triplet:?}"
        );
    }
}

/// An axiom of a small world of classes and properties, by number.
#[derive(Clone, Debug)]
enum Said {
    Under(usize, usize),
    Same(usize, usize),
    Apart(usize, usize),
    Some(usize, usize, usize),
    Only(usize, usize, usize),
    /// A class that is whatever is in another and has some of a third.
    Defined(usize, usize, usize, usize),
    /// A class that is two others together.
    Union(usize, usize, usize),
    SubProperty(usize, usize),
    SameProperty(usize, usize),
    Inverse(usize, usize),
    Domain(usize, usize),
    Range(usize, usize),
    Transitive(usize),
}

const CLASSES: usize = 6;
const PROPERTIES: usize = 3;

fn said() -> impl Strategy<Value = Said> {
    let (c, p) = (0..CLASSES, 0..PROPERTIES);
    prop_oneof![
        8 => (c.clone(), c.clone()).prop_map(|(a, b)| Said::Under(a, b)),
        1 => (c.clone(), c.clone()).prop_map(|(a, b)| Said::Same(a, b)),
        1 => (c.clone(), c.clone()).prop_map(|(a, b)| Said::Apart(a, b)),
        5 => (c.clone(), p.clone(), c.clone()).prop_map(|(a, p, b)| Said::Some(a, p, b)),
        1 => (c.clone(), p.clone(), c.clone()).prop_map(|(a, p, b)| Said::Only(a, p, b)),
        2 => (c.clone(), c.clone(), p.clone(), c.clone()).prop_map(|(a, b, p, f)| Said::Defined(a, b, p, f)),
        1 => (c.clone(), c.clone(), c.clone()).prop_map(|(a, b, f)| Said::Union(a, b, f)),
        2 => (p.clone(), p.clone()).prop_map(|(p, q)| Said::SubProperty(p, q)),
        1 => (p.clone(), p.clone()).prop_map(|(p, q)| Said::SameProperty(p, q)),
        1 => (p.clone(), p.clone()).prop_map(|(p, q)| Said::Inverse(p, q)),
        1 => (p.clone(), c.clone()).prop_map(|(p, a)| Said::Domain(p, a)),
        1 => (p.clone(), c).prop_map(|(p, a)| Said::Range(p, a)),
        1 => p.prop_map(Said::Transitive),
    ]
}

fn turtle(world: &[Said]) -> String {
    let mut file = String::new();
    for class in 0..CLASSES {
        let _ = writeln!(
            file,
            ":c{class} a owl:Class ; rdfs:label \"class{class}\" ."
        );
    }
    for property in 0..PROPERTIES {
        let _ = writeln!(
            file,
            ":p{property} a owl:ObjectProperty ; rdfs:label \"property{property}\" ."
        );
    }
    for said in world {
        let _ = match said {
            Said::Under(a, b) => writeln!(file, ":c{a} rdfs:subClassOf :c{b} ."),
            Said::Same(a, b) => writeln!(file, ":c{a} owl:equivalentClass :c{b} ."),
            Said::Apart(a, b) => writeln!(file, ":c{a} owl:disjointWith :c{b} ."),
            Said::Some(a, p, b) => writeln!(
                file,
                ":c{a} rdfs:subClassOf [ owl:onProperty :p{p} ; owl:someValuesFrom :c{b} ] ."
            ),
            Said::Only(a, p, b) => writeln!(
                file,
                ":c{a} rdfs:subClassOf [ owl:onProperty :p{p} ; owl:allValuesFrom :c{b} ] ."
            ),
            Said::Defined(a, b, p, f) => writeln!(
                file,
                ":c{a} owl:equivalentClass [ owl:intersectionOf ( :c{b} [ owl:onProperty :p{p} ; owl:someValuesFrom :c{f} ] ) ] ."
            ),
            Said::Union(a, b, f) => writeln!(
                file,
                ":c{a} owl:equivalentClass [ owl:unionOf ( :c{b} :c{f} ) ] ."
            ),
            Said::SubProperty(p, q) => writeln!(file, ":p{p} rdfs:subPropertyOf :p{q} ."),
            Said::SameProperty(p, q) => writeln!(file, ":p{p} owl:equivalentProperty :p{q} ."),
            Said::Inverse(p, q) => writeln!(file, ":p{p} owl:inverseOf :p{q} ."),
            Said::Domain(p, a) => writeln!(file, ":p{p} rdfs:domain :c{a} ."),
            Said::Range(p, a) => writeln!(file, ":p{p} rdfs:range :c{a} ."),
            Said::Transitive(p) => writeln!(file, ":p{p} a owl:TransitiveProperty ."),
        };
    }
    file
}

/// Everything that naive rules derive, applied over and over to all there is. It shares nothing with the program.
#[derive(Clone, PartialEq)]
struct Facts {
    under: [[bool; CLASSES]; CLASSES],
    apart: [[bool; CLASSES]; CLASSES],
    some: [[[bool; CLASSES]; PROPERTIES]; CLASSES],
    only: [[[bool; CLASSES]; PROPERTIES]; CLASSES],
    /// Of a property read forwards, and of each read backwards behind them.
    implies: [[bool; 2 * PROPERTIES]; 2 * PROPERTIES],
    /// The class of what stands before a property; behind it, for those read backwards.
    domain: [[bool; CLASSES]; 2 * PROPERTIES],
    empty: [bool; CLASSES],
}

impl Facts {
    fn of(world: &[Said]) -> Self {
        let mut facts = Self {
            under: Default::default(),
            apart: Default::default(),
            some: Default::default(),
            only: Default::default(),
            implies: Default::default(),
            domain: Default::default(),
            empty: Default::default(),
        };
        for class in 0..CLASSES {
            facts.under[class][class] = true;
        }
        for way in 0..2 * PROPERTIES {
            facts.implies[way][way] = true;
        }
        loop {
            let before = facts.clone();
            facts.apply(world);
            facts.derive();
            if facts == before {
                return facts;
            }
        }
    }

    fn apply(&mut self, world: &[Said]) {
        let back = |way: usize| (way + PROPERTIES) % (2 * PROPERTIES);
        let imply = |facts: &mut Self, p: usize, q: usize| {
            facts.implies[p][q] = true;
            facts.implies[back(p)][back(q)] = true;
        };
        for said in world {
            match *said {
                Said::Under(a, b) => self.under[a][b] = true,
                Said::Same(a, b) => {
                    self.under[a][b] = true;
                    self.under[b][a] = true;
                }
                Said::Apart(a, b) => self.apart[a][b] = true,
                Said::Some(a, p, b) => self.some[a][p][b] = true,
                Said::Only(a, p, b) => self.only[a][p][b] = true,
                Said::Defined(a, b, p, f) => {
                    self.under[a][b] = true;
                    self.some[a][p][f] = true;
                    for x in 0..CLASSES {
                        self.under[x][a] |= self.under[x][b] && self.some[x][p][f];
                    }
                }
                Said::Union(a, b, f) => {
                    self.under[b][a] = true;
                    self.under[f][a] = true;
                    for x in 0..CLASSES {
                        self.under[a][x] |= self.under[b][x] && self.under[f][x];
                        self.apart[a][x] |= self.apart[b][x] && self.apart[f][x];
                        for p in 0..PROPERTIES {
                            self.some[a][p][x] |= self.some[b][p][x] && self.some[f][p][x];
                            self.only[a][p][x] |= self.only[b][p][x] && self.only[f][p][x];
                        }
                    }
                }
                Said::SubProperty(p, q) => imply(self, p, q),
                Said::SameProperty(p, q) => {
                    imply(self, p, q);
                    imply(self, q, p);
                }
                Said::Inverse(p, q) => {
                    imply(self, p, back(q));
                    imply(self, back(q), p);
                }
                Said::Domain(p, a) => self.domain[p][a] = true,
                Said::Range(p, a) => self.domain[back(p)][a] = true,
                Said::Transitive(p) => {
                    for x in 0..CLASSES {
                        for y in 0..CLASSES {
                            for z in 0..CLASSES {
                                self.some[x][p][z] |= self.some[x][p][y] && self.some[y][p][z];
                            }
                        }
                    }
                }
            }
        }
    }

    fn derive(&mut self) {
        for (p, q) in pairs(2 * PROPERTIES) {
            for r in 0..2 * PROPERTIES {
                self.implies[p][r] |= self.implies[p][q] && self.implies[q][r];
            }
            for a in 0..CLASSES {
                self.domain[p][a] |= self.implies[p][q] && self.domain[q][a];
            }
        }
        for (a, b) in pairs(CLASSES) {
            self.apart[a][b] |= self.apart[b][a] || self.empty[a];
            self.under[a][b] |= self.empty[a];
            self.empty[a] |= self.apart[a][a] || self.under[a][b] && self.empty[b];
            for c in 0..CLASSES {
                self.under[a][c] |= self.under[a][b] && self.under[b][c];
                self.apart[a][c] |= self.under[a][b] && self.apart[b][c];
            }
            for way in 0..2 * PROPERTIES {
                self.domain[way][b] |= self.domain[way][a] && self.under[a][b];
            }
            for p in 0..PROPERTIES {
                self.empty[a] |= self.some[a][p][b] && self.empty[b];
                self.some[a][p][b] |= self.empty[a];
                self.only[a][p][b] |= self.empty[a] || self.domain[p + PROPERTIES][b];
                self.under[a][b] |= self.domain[p][b] && self.some[a][p].contains(&true);
                for c in 0..CLASSES {
                    self.some[a][p][c] |= self.under[a][b] && self.some[b][p][c]
                        || self.some[a][p][b] && self.under[b][c]
                        || self.some[a][p][b] && self.only[a][p][c];
                    self.only[a][p][c] |= self.under[a][b] && self.only[b][p][c]
                        || self.only[a][p][b] && self.under[b][c];
                    self.empty[a] |= self.some[a][p][b] && self.only[a][p][c] && self.apart[b][c];
                }
                for q in 0..PROPERTIES {
                    self.some[a][q][b] |= self.implies[p][q] && self.some[a][p][b];
                    self.only[a][p][b] |= self.implies[p][q] && self.only[a][q][b];
                }
            }
        }
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)))
}

/// Whether a sentence states something that follows, read back from its words.
fn follows(facts: &Facts, sentence: &str) -> bool {
    let numbers = |name: &str| -> Vec<usize> {
        let words = sentence.split([' ', '.', ',']);
        words
            .filter_map(|word| word.strip_prefix(name)?.parse().ok())
            .collect()
    };
    let is = |words: &[&str]| words.iter().any(|words| sentence.contains(words));
    match (numbers("class").as_slice(), numbers("property").as_slice()) {
        (&[a, b], []) => of_classes(facts, sentence, &is, a, b),
        (&[first, second], &[by]) => {
            let backwards = is(&["only members", "At least one", "Without"]);
            let (a, b) = if backwards {
                (second, first)
            } else {
                (first, second)
            };
            if is(&["nothing but", "must be", "only members", "exclusively"]) {
                return facts.only[a][by][b];
            }
            let some = [
                "to some",
                "at least one",
                "At least one",
                "necessary",
                "Without",
            ];
            assert!(is(&some), "{sentence}");
            facts.some[a][by][b]
        }
        (&[class], &[by]) => {
            let domain = is(&[
                "The domain",
                "Whatever has",
                "the subject",
                "Statements made",
                "describes",
            ]);
            let range = is(&[
                "The range",
                "leads to",
                "the object",
                "Values that",
                "points at",
            ]);
            assert!(domain != range, "{sentence}");
            facts.domain[if domain { by } else { by + PROPERTIES }][class]
        }
        (classes, &[p, q]) => {
            assert!(classes.is_empty(), "{sentence}");
            if is(&[
                "special case",
                "holds between",
                "general property",
                "likewise joined",
            ]) {
                return facts.implies[p][q];
            }
            let inverse = ["inverse of", "from right", "other end", "leads back"];
            assert!(is(&inverse), "{sentence}");
            facts.implies[p][q + PROPERTIES] && facts.implies[q + PROPERTIES][p]
        }
        (_, properties) => {
            assert!(properties.len() == 2, "{sentence}");
            false
        }
    }
}

fn of_classes(
    facts: &Facts,
    sentence: &str,
    is: &dyn Fn(&[&str]) -> bool,
    a: usize,
    b: usize,
) -> bool {
    if is(&[
        "kind of",
        "classified as",
        "underneath",
        "count among",
        "general term",
    ]) {
        return facts.under[a][b];
    }
    if is(&["takes in"]) {
        return facts.under[b][a];
    }
    if is(&[
        "exactly the same",
        "reverse holds",
        "no difference",
        "Two names",
        "no others",
    ]) {
        return facts.under[a][b] && facts.under[b][a];
    }
    let apart = [
        "can be both",
        "share no",
        "excludes",
        "same time",
        "exclusive.",
    ];
    assert!(is(&apart), "{sentence}");
    facts.apart[a][b]
}

proptest! {
    /// The anchor and the positive follow, since they are asserted; the negative never does.
    #[test]
    fn anchors_follow_and_negatives_do_not(world in proptest::collection::vec(said(), 0..16)) {
        let ontology = read(&turtle(&world));
        let facts = Facts::of(&world);
        for kind in [GraphKind::Ava, GraphKind::Full] {
            for triplet in triplets(&ontology, kind) {
                prop_assert!(follows(&facts, &triplet.anchor), "{triplet:?}");
                prop_assert!(follows(&facts, &triplet.positive), "{triplet:?}");
                prop_assert!(!follows(&facts, &triplet.negative), "{triplet:?}\n{}", turtle(&world));
            }
        }
    }
}

/// The beginnings and ends of what models write, and the characters on which a reader of it turns.
fn written() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{\"anchor\": \"a\", \"positive\": \"b\", \"negative\": \"c\"}".to_owned()),
        Just("{\"triplets\": [".to_owned()),
        Just("\"anchor\": ".to_owned()),
        Just("<think>".to_owned()),
        Just("</think>".to_owned()),
        "[\\[\\]{}\",:\\\\n\n a]{1,3}",
        ".{0,4}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Whatever a model writes: triplets of three different texts, five at most, or why there are none.
    #[test]
    fn any_reply_is_read_or_refused(text in written()) {
        match read_reply(&text) {
            Ok(reply) => {
                prop_assert!((1..=5).contains(&reply.triplets.len()));
                for triplet in &reply.triplets {
                    let texts = [&triplet.anchor, &triplet.positive, &triplet.negative];
                    prop_assert!(texts.iter().all(|text| !text.trim().is_empty()));
                    prop_assert_eq!(texts.into_iter().collect::<BTreeSet<_>>().len(), 3);
                }
            }
            Err(why) => prop_assert!(!why.is_empty()),
        }
    }

    /// What stands around the array, as long as it holds no brace, changes nothing; nor does its being cut behind an entry.
    #[test]
    fn what_stands_around_the_array_changes_nothing(
        texts in proptest::collection::btree_set("[^\\p{C}\\p{Z}]([^\\p{C}]{0,20}[^\\p{C}\\p{Z}])?", 15),
        before in "[^{}<>\\p{C}]{0,20}",
        after in "[^{}<>\\p{C}]{0,20}",
        cut in 1_usize..=5,
    ) {
        let texts: Vec<String> = texts.into_iter().collect();
        let entries: Vec<String> = texts
            .chunks(3)
            .map(|texts| {
                let entry = Triplet {
                    anchor: texts[0].clone(),
                    positive: texts[1].clone(),
                    negative: texts[2].clone(),
                    ..Triplet::default()
                };
                serde_json::to_string(&entry).unwrap()
            })
            .collect();
        let plain = read_reply(&format!("[{}]", entries.join(", "))).unwrap();
        prop_assert!(!plain.mended && plain.flaws.is_empty());
        prop_assert_eq!(plain.triplets.len(), 5);
        let around = read_reply(&format!("{before}\n```json\n[{}]\n```{after}", entries.join(",\n"))).unwrap();
        prop_assert_eq!(&around.triplets, &plain.triplets);
        let broken = read_reply(&format!("[{}, {{\"anchor\": \"", entries[..cut].join(","))).unwrap();
        prop_assert_eq!(&broken.triplets[..], &plain.triplets[..cut]);
    }
}

/// The law above would hold of no triplets at all.
#[test]
fn small_worlds_give_triplets() {
    let world = [
        Said::Under(0, 1),
        Said::Under(2, 1),
        Said::Some(0, 0, 3),
        Said::Defined(4, 1, 0, 3),
        Said::SubProperty(0, 1),
        Said::Domain(2, 5),
        Said::Under(5, 1),
    ];
    let set = triplets(&read(&turtle(&world)), GraphKind::Full);
    assert!(set.len() >= 15, "{}", set.len());
}
