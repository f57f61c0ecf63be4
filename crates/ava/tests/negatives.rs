//! No negative that is made by rule follows from the ontology: each is false in some small model of its axioms, which is looked
//! for here by other means than the program's.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use std::collections::HashMap;

use ava::{Rules, Triplet};
use ontology::{Graph, GraphKind, Ontology, extract, subgraph};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

const PREFIXES: &str = "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";

fn triplets(ontology: &Ontology, kind: GraphKind) -> Vec<Triplet> {
    let graph = Graph::new(ontology, kind);
    let mut rules = Rules::new(ontology);
    let found = extract(&graph).found;
    found
        .iter()
        .flat_map(|found| rules.make(&subgraph(&graph, found, "case")).triplets)
        .collect()
}

const CLASSES: usize = 5;
const PROPERTIES: usize = 3;
const INDIVIDUALS: usize = 2;
/// Things of the largest model that is looked for.
const LARGEST: usize = 8;

/// Choices of one search for it.
const STEPS: usize = 1_000;

/// A class of a small ontology.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Class {
    Thing,
    Named(usize),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Some(Property, Box<Self>),
    Only(Property, Box<Self>),
    Least(usize, Property, Box<Self>),
    Most(usize, Property, Box<Self>),
    Itself(Property),
    Value(Property, usize),
    OneOf(usize),
}

/// A property, read forwards or backwards.
type Property = (usize, bool);

#[derive(Clone, Debug)]
enum Said {
    Under(Class, Class),
    Same(usize, Class),
    Apart(Class, Class),
    /// A class that is two others, which share nothing.
    Either(usize, [usize; 2]),
    AllApart([usize; 3]),
    Domain(Property, Class),
    SubProperty(Property, Property),
    SameProperty(usize, usize),
    Inverse(usize, usize),
    ApartProperties(usize, usize),
    Chain([Property; 2], usize),
    Is(usize, &'static str),
    Key(usize, usize),
}

const CHARACTERISTICS: [&str; 7] = [
    "Transitive",
    "Symmetric",
    "Asymmetric",
    "Reflexive",
    "Irreflexive",
    "Functional",
    "InverseFunctional",
];

fn class() -> impl Strategy<Value = Class> {
    let named = (0..CLASSES).prop_map(Class::Named);
    let leaf = prop_oneof![12 => named, 1 => Just(Class::Thing), 1 => (0..INDIVIDUALS).prop_map(Class::OneOf)];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let several = proptest::collection::vec(inner.clone(), 2..=2);
        prop_oneof![
            5 => (property(), boxed.clone()).prop_map(|(p, class)| Class::Some(p, class)),
            2 => (property(), boxed.clone()).prop_map(|(p, class)| Class::Only(p, class)),
            3 => several.clone().prop_map(Class::And),
            1 => several.prop_map(Class::Or),
            1 => boxed.clone().prop_map(Class::Not),
            1 => (0..=2_usize, property(), boxed.clone()).prop_map(|(n, p, class)| Class::Least(n, p, class)),
            1 => (0..=2_usize, property(), boxed).prop_map(|(n, p, class)| Class::Most(n, p, class)),
            1 => property().prop_map(Class::Itself),
            1 => (property(), 0..INDIVIDUALS).prop_map(|(p, i)| Class::Value(p, i)),
        ]
    })
}

fn property() -> impl Strategy<Value = Property> {
    (
        0..PROPERTIES,
        prop_oneof![5 => Just(true), 1 => Just(false)],
    )
}

fn said() -> impl Strategy<Value = Said> {
    let (c, p) = (0..CLASSES, 0..PROPERTIES);
    let named = || (0..CLASSES).prop_map(Class::Named);
    let some = (property(), named()).prop_map(|(p, class)| Class::Some(p, Box::new(class)));
    let only = (property(), named()).prop_map(|(p, class)| Class::Only(p, Box::new(class)));
    prop_oneof![
        10 => (named(), named()).prop_map(|(a, b)| Said::Under(a, b)),
        4 => (named(), some).prop_map(|(a, b)| Said::Under(a, b)),
        2 => (named(), only).prop_map(|(a, b)| Said::Under(a, b)),
        6 => (named(), class()).prop_map(|(a, b)| Said::Under(a, b)),
        2 => (class(), class()).prop_map(|(a, b)| Said::Under(a, b)),
        4 => (c.clone(), class()).prop_map(|(a, b)| Said::Same(a, b)),
        2 => (named(), class()).prop_map(|(a, b)| Said::Apart(a, b)),
        1 => (c.clone(), c.clone(), c.clone()).prop_map(|(a, b, f)| Said::Either(a, [b, f])),
        1 => (c.clone(), c.clone(), c.clone()).prop_map(|(a, b, f)| Said::AllApart([a, b, f])),
        3 => (property(), class()).prop_map(|(p, a)| Said::Domain(p, a)),
        3 => (property(), property()).prop_map(|(p, q)| Said::SubProperty(p, q)),
        1 => (p.clone(), p.clone()).prop_map(|(p, q)| Said::SameProperty(p, q)),
        2 => (p.clone(), p.clone()).prop_map(|(p, q)| Said::Inverse(p, q)),
        1 => (p.clone(), p.clone()).prop_map(|(p, q)| Said::ApartProperties(p, q)),
        1 => (property(), property(), p.clone()).prop_map(|(p, q, r)| Said::Chain([p, q], r)),
        4 => (p.clone(), proptest::sample::select(&CHARACTERISTICS[..])).prop_map(|(p, is)| Said::Is(p, is)),
        1 => (c, p).prop_map(|(a, p)| Said::Key(a, p)),
    ]
}

fn property_text((property, forward): Property) -> String {
    if forward {
        format!(":p{property}")
    } else {
        format!("[ owl:inverseOf :p{property} ]")
    }
}

fn class_text(class: &Class) -> String {
    let list = |classes: &[Class]| {
        let all: Vec<String> = classes.iter().map(class_text).collect();
        all.join(" ")
    };
    let over = |p: &Property, rest: String| {
        let p = property_text(*p);
        format!("[ a owl:Restriction ; owl:onProperty {p} ; {rest} ]")
    };
    match class {
        Class::Thing => "owl:Thing".to_owned(),
        Class::Named(number) => format!(":c{number}"),
        Class::Not(inner) => format!("[ owl:complementOf {} ]", class_text(inner)),
        Class::And(classes) => format!("[ owl:intersectionOf ( {} ) ]", list(classes)),
        Class::Or(classes) => format!("[ owl:unionOf ( {} ) ]", list(classes)),
        Class::Some(p, inner) => over(p, format!("owl:someValuesFrom {}", class_text(inner))),
        Class::Only(p, inner) => over(p, format!("owl:allValuesFrom {}", class_text(inner))),
        // Where everything counts, no class is named.
        Class::Least(n, p, inner) if **inner == Class::Thing => {
            over(p, format!("owl:minCardinality {n}"))
        }
        Class::Least(n, p, inner) => over(
            p,
            format!(
                "owl:minQualifiedCardinality {n} ; owl:onClass {}",
                class_text(inner)
            ),
        ),
        Class::Most(n, p, inner) => over(
            p,
            format!(
                "owl:maxQualifiedCardinality {n} ; owl:onClass {}",
                class_text(inner)
            ),
        ),
        Class::Itself(p) => over(p, "owl:hasSelf true".to_owned()),
        Class::Value(p, i) => over(p, format!("owl:hasValue :i{i}")),
        Class::OneOf(i) => format!("[ owl:oneOf ( :i{i} ) ]"),
    }
}

fn turtle(world: &[Said]) -> String {
    let mut lines = vec![PREFIXES.to_owned()];
    lines.extend((0..CLASSES).map(|c| format!(":c{c} a owl:Class ; rdfs:label \"class{c}\" .")));
    lines.extend(
        (0..PROPERTIES)
            .map(|p| format!(":p{p} a owl:ObjectProperty ; rdfs:label \"property{p}\" .")),
    );
    lines.extend((0..INDIVIDUALS).map(|i| format!(":i{i} a owl:NamedIndividual .")));
    lines.extend(world.iter().map(|said| match said {
        Said::Under(a, b) => format!("{} rdfs:subClassOf {} .", class_text(a), class_text(b)),
        Said::Same(a, b) => format!(":c{a} owl:equivalentClass {} .", class_text(b)),
        Said::Apart(a, b) => format!("{} owl:disjointWith {} .", class_text(a), class_text(b)),
        Said::Either(a, [b, c]) => format!(":c{a} owl:disjointUnionOf ( :c{b} :c{c} ) ."),
        Said::AllApart([a, b, c]) => {
            format!("[] a owl:AllDisjointClasses ; owl:members ( :c{a} :c{b} :c{c} ) .")
        }
        Said::Domain((p, true), a) => format!(":p{p} rdfs:domain {} .", class_text(a)),
        Said::Domain((p, false), a) => format!(":p{p} rdfs:range {} .", class_text(a)),
        Said::SubProperty(p, q) => {
            format!(
                "{} rdfs:subPropertyOf {} .",
                property_text(*p),
                property_text(*q)
            )
        }
        Said::SameProperty(p, q) => format!(":p{p} owl:equivalentProperty :p{q} ."),
        Said::Inverse(p, q) => format!(":p{p} owl:inverseOf :p{q} ."),
        Said::ApartProperties(p, q) => format!(":p{p} owl:propertyDisjointWith :p{q} ."),
        Said::Chain([p, q], r) => {
            let (p, q) = (property_text(*p), property_text(*q));
            format!(":p{r} owl:propertyChainAxiom ( {p} {q} ) .")
        }
        Said::Is(p, is) => format!(":p{p} a owl:{is}Property ."),
        Said::Key(a, p) => format!(":c{a} owl:hasKey ( :p{p} ) ."),
    }));
    lines.join("\n")
}

/// A variable, or its negation where it is below zero.
type Literal = i32;

/// A model of some axioms among so many things, as clauses.
struct Clauses {
    things: usize,
    variables: i32,
    all: Vec<Vec<Literal>>,
    of_class: HashMap<(Class, usize), Literal>,
    of_property: HashMap<(usize, usize, usize), Literal>,
    of_individual: HashMap<(usize, usize), Literal>,
}

impl Clauses {
    fn of(world: &[Said], things: usize) -> Self {
        let mut clauses = Self {
            things,
            variables: 0,
            all: Vec::new(),
            of_class: HashMap::new(),
            of_property: HashMap::new(),
            of_individual: HashMap::new(),
        };
        for said in world {
            clauses.say(said);
        }
        clauses
    }

    fn fresh(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    fn joined(&mut self, (property, forward): Property, a: usize, b: usize) -> Literal {
        let (a, b) = if forward { (a, b) } else { (b, a) };
        if let Some(known) = self.of_property.get(&(property, a, b)) {
            return *known;
        }
        let literal = self.fresh();
        self.of_property.insert((property, a, b), literal);
        literal
    }

    /// Whether a thing is the individual; exactly one is.
    fn individual(&mut self, individual: usize, thing: usize) -> Literal {
        if !self.of_individual.contains_key(&(individual, 0)) {
            let all: Vec<Literal> = (0..self.things).map(|_| self.fresh()).collect();
            for (place, literal) in all.iter().enumerate() {
                self.of_individual.insert((individual, place), *literal);
                for other in &all[..place] {
                    self.all.push(vec![-literal, -other]);
                }
            }
            self.all.push(all);
        }
        self.of_individual[&(individual, thing)]
    }

    /// A literal that is true where all of these are, or any.
    fn together(&mut self, literals: Vec<Literal>, all: bool) -> Literal {
        let whole = self.fresh();
        let sign = if all { 1 } else { -1 };
        let mut other: Vec<Literal> = literals.iter().map(|literal| -sign * literal).collect();
        other.push(sign * whole);
        self.all.push(other);
        for literal in literals {
            self.all.push(vec![-sign * whole, sign * literal]);
        }
        whole
    }

    /// A literal that is true where a thing is in a class.
    fn is_in(&mut self, class: &Class, thing: usize) -> Literal {
        if let Some(known) = self.of_class.get(&(class.clone(), thing)) {
            return *known;
        }
        let literal = match class {
            Class::Thing => self.together(Vec::new(), true),
            Class::Named(_) => self.fresh(),
            Class::Not(inner) => -self.is_in(inner, thing),
            Class::And(classes) | Class::Or(classes) => {
                let literals = classes.iter().map(|class| self.is_in(class, thing));
                let literals = literals.collect();
                self.together(literals, matches!(class, Class::And(_)))
            }
            Class::Some(p, inner) => {
                let joints = self.joints(*p, inner, thing);
                self.together(joints, false)
            }
            Class::Only(p, inner) => {
                let outside = Class::Not(inner.clone());
                let joints = self.joints(*p, &outside, thing);
                -self.together(joints, false)
            }
            Class::Least(n, p, inner) => self.at_least(*n, *p, inner, thing),
            Class::Most(n, p, inner) => -self.at_least(n + 1, *p, inner, thing),
            Class::Itself(p) => self.joined(*p, thing, thing),
            Class::Value(p, individual) => {
                self.is_in(&Class::Some(*p, Box::new(Class::OneOf(*individual))), thing)
            }
            Class::OneOf(individual) => self.individual(*individual, thing),
        };
        self.of_class.insert((class.clone(), thing), literal);
        literal
    }

    /// For each thing, a literal that is true where it is in the class and joined.
    fn joints(&mut self, p: Property, class: &Class, thing: usize) -> Vec<Literal> {
        (0..self.things)
            .map(|other| {
                let both = vec![self.joined(p, thing, other), self.is_in(class, other)];
                self.together(both, true)
            })
            .collect()
    }

    fn at_least(&mut self, n: usize, p: Property, class: &Class, thing: usize) -> Literal {
        let joints = self.joints(p, class, thing);
        let mut ways = vec![Vec::new()];
        for (place, joint) in joints.iter().enumerate() {
            for way in ways.clone() {
                // A way is short where the rest cannot fill it.
                if way.len() < n && way.len() + joints.len() - place >= n {
                    ways.push([way, vec![*joint]].concat());
                }
            }
        }
        ways.retain(|way| way.len() == n);
        let ways = ways.into_iter().map(|way| self.together(way, true));
        let ways = ways.collect();
        self.together(ways, false)
    }

    fn say(&mut self, said: &Said) {
        let things = 0..self.things;
        match said {
            Said::Under(a, b) => {
                for x in things {
                    let clause = vec![-self.is_in(a, x), self.is_in(b, x)];
                    self.all.push(clause);
                }
            }
            Said::Same(a, b) => {
                self.say(&Said::Under(Class::Named(*a), b.clone()));
                self.say(&Said::Under(b.clone(), Class::Named(*a)));
            }
            Said::Apart(a, b) => self.say(&Said::Under(a.clone(), Class::Not(Box::new(b.clone())))),
            Said::Either(a, [b, c]) => {
                let (b, c) = (Class::Named(*b), Class::Named(*c));
                self.say(&Said::Same(*a, Class::Or(vec![b.clone(), c.clone()])));
                self.say(&Said::Apart(b, c));
            }
            Said::AllApart([a, b, c]) => {
                for (a, b) in [(a, b), (a, c), (b, c)] {
                    self.say(&Said::Apart(Class::Named(*a), Class::Named(*b)));
                }
            }
            Said::Domain(p, class) => {
                let has_any = Class::Some(*p, Box::new(Class::Thing));
                self.say(&Said::Under(has_any, class.clone()));
            }
            Said::SubProperty(p, q) => {
                for (x, y) in pairs(self.things) {
                    let clause = vec![-self.joined(*p, x, y), self.joined(*q, x, y)];
                    self.all.push(clause);
                }
            }
            Said::SameProperty(p, q) => {
                self.say(&Said::SubProperty((*p, true), (*q, true)));
                self.say(&Said::SubProperty((*q, true), (*p, true)));
            }
            Said::Inverse(p, q) => {
                self.say(&Said::SubProperty((*p, true), (*q, false)));
                self.say(&Said::SubProperty((*q, false), (*p, true)));
            }
            Said::ApartProperties(p, q) => {
                for (x, y) in pairs(self.things) {
                    let clause = vec![
                        -self.joined((*p, true), x, y),
                        -self.joined((*q, true), x, y),
                    ];
                    self.all.push(clause);
                }
            }
            Said::Chain([p, q], r) => {
                for (x, y) in pairs(self.things) {
                    for z in things.clone() {
                        let clause = vec![
                            -self.joined(*p, x, y),
                            -self.joined(*q, y, z),
                            self.joined((*r, true), x, z),
                        ];
                        self.all.push(clause);
                    }
                }
            }
            Said::Is(p, is) => self.say_characteristic((*p, true), is),
            // Speaks of individuals that have a name.
            Said::Key(..) => {}
        }
    }

    fn say_characteristic(&mut self, p: Property, is: &str) {
        let back = (p.0, !p.1);
        match is {
            "Transitive" => self.say(&Said::Chain([p, p], p.0)),
            "Symmetric" => self.say(&Said::SubProperty(p, back)),
            "InverseFunctional" => self.say_characteristic(back, "Functional"),
            "Functional" => {
                let most = Class::Most(1, p, Box::new(Class::Thing));
                self.say(&Said::Under(Class::Thing, most));
            }
            _ => {
                for (x, y) in pairs(self.things) {
                    let (there, back) = (self.joined(p, x, y), self.joined(p, y, x));
                    match is {
                        "Asymmetric" => self.all.push(vec![-there, -back]),
                        "Reflexive" if x == y => self.all.push(vec![there]),
                        "Irreflexive" if x == y => self.all.push(vec![-there]),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Whether all can be true at once; `None` where that takes too long to tell.
    fn hold(&self) -> Option<bool> {
        let variables = usize::try_from(self.variables).unwrap();
        let mut search = Search::of(&self.all, variables, STEPS);
        let holds = search.succeeds();
        (holds || search.left > 0).then_some(holds)
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)))
}

/// The search of Davis, Putnam, Logemann and Loveland for values that make all clauses true.
struct Search<'c> {
    clauses: &'c [Vec<Literal>],
    /// The clauses that a literal is in, by its place.
    found_in: Vec<Vec<usize>>,
    /// 1 for true, -1 for false, 0 for not known yet.
    values: Vec<i8>,
    set: Vec<Literal>,
    /// What may still be tried.
    left: usize,
}

/// What has to be set for a clause to be true.
enum Asked {
    Nothing,
    One(Literal),
    TooMuch,
}

fn place(literal: Literal) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

impl<'c> Search<'c> {
    fn of(clauses: &'c [Vec<Literal>], variables: usize, left: usize) -> Self {
        let mut found_in = vec![Vec::new(); 2 * variables + 2];
        for (number, clause) in clauses.iter().enumerate() {
            for literal in clause {
                found_in[place(*literal)].push(number);
            }
        }
        Self {
            clauses,
            found_in,
            values: vec![0; variables + 1],
            set: Vec::new(),
            left,
        }
    }

    fn value(&self, literal: Literal) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal < 0 { -value } else { value }
    }

    fn set(&mut self, literal: Literal) {
        self.values[literal.unsigned_abs() as usize] = if literal < 0 { -1 } else { 1 };
        self.set.push(literal);
    }

    fn take_back(&mut self, to: usize) {
        for literal in self.set.drain(to..) {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
    }

    /// What a clause asks of the literals that are not set.
    fn forced(&self, clause: usize) -> Asked {
        let mut unset = None;
        for literal in &self.clauses[clause] {
            match (self.value(*literal), unset) {
                (1, _) | (0, Some(_)) => return Asked::Nothing,
                (0, None) => unset = Some(*literal),
                _ => {}
            }
        }
        unset.map_or(Asked::TooMuch, Asked::One)
    }

    /// Whether nothing is contradicted by what follows from the literals that were set from a place on.
    fn spread(&mut self, mut from: usize) -> bool {
        while let Some(literal) = self.set.get(from).copied() {
            from += 1;
            for at in 0..self.found_in[place(-literal)].len() {
                match self.forced(self.found_in[place(-literal)][at]) {
                    Asked::TooMuch => return false,
                    Asked::One(only) => self.set(only),
                    Asked::Nothing => {}
                }
            }
        }
        true
    }

    fn succeeds(&mut self) -> bool {
        for clause in 0..self.clauses.len() {
            match self.forced(clause) {
                Asked::TooMuch => return false,
                Asked::One(only) => self.set(only),
                Asked::Nothing => {}
            }
        }
        self.spread(0) && self.goes_on()
    }

    /// The clause that leaves the fewest literals to choose from; none where all are true.
    fn tightest(&self) -> Option<&'c [Literal]> {
        let open = |clause: &&'c Vec<Literal>| {
            let mut unset = 0;
            for literal in *clause {
                match self.value(*literal) {
                    1 => return None,
                    0 => unset += 1,
                    _ => {}
                }
            }
            Some(unset)
        };
        let open = self
            .clauses
            .iter()
            .filter_map(|clause| Some((open(&clause)?, clause)));
        let tightest = open.min_by_key(|(unset, _)| *unset);
        tightest.map(|(_, clause)| clause.as_slice())
    }

    fn goes_on(&mut self) -> bool {
        let Some(clause) = self.tightest() else {
            return true;
        };
        let start = self.set.len();
        for literal in clause {
            match self.value(*literal) {
                0 => {}
                // That the others are false made it true.
                1 if self.goes_on() => return true,
                1 => break,
                _ => continue,
            }
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let at = self.set.len();
            self.set(*literal);
            if self.spread(at) && self.goes_on() {
                return true;
            }
            self.take_back(at);
            // It is false in what is tried next.
            let at = self.set.len();
            self.set(-literal);
            if !self.spread(at) {
                break;
            }
        }
        self.take_back(start);
        false
    }
}

/// What a sentence states.
#[derive(Debug)]
enum Statement {
    Under(Class, Class),
    Same(Class, Class),
    Implies(Property, Property),
}

impl Statement {
    /// Read back from the words.
    fn of(sentence: &str) -> Self {
        let numbers = |name: &str| -> Vec<usize> {
            let words = sentence.split([' ', '.', ',']);
            words
                .filter_map(|word| word.strip_prefix(name)?.parse().ok())
                .collect()
        };
        let is = |words: &[&str]| words.iter().any(|words| sentence.contains(words));
        let named = |class: usize| Class::Named(class);
        match (numbers("class").as_slice(), numbers("property").as_slice()) {
            (&[a, b], []) => Self::of_classes(sentence, &is, named(a), named(b)),
            (&[first, second], &[by]) => {
                let backwards = is(&["only members", "At least one", "Without"]);
                let (a, b) = if backwards {
                    (second, first)
                } else {
                    (first, second)
                };
                let (by, b) = ((by, true), Box::new(named(b)));
                if is(&["nothing but", "must be", "only members", "exclusively"]) {
                    return Self::Under(named(a), Class::Only(by, b));
                }
                assert!(
                    is(&[
                        "to some",
                        "at least one",
                        "At least one",
                        "necessary",
                        "Without"
                    ]),
                    "{sentence}"
                );
                Self::Under(named(a), Class::Some(by, b))
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
                let has_any = Class::Some((by, domain), Box::new(Class::Thing));
                Self::Under(has_any, named(class))
            }
            ([], &[p, q]) => {
                if is(&[
                    "special case",
                    "holds between",
                    "general property",
                    "likewise joined",
                ]) {
                    return Self::Implies((p, true), (q, true));
                }
                assert!(
                    is(&["inverse of", "from right", "other end", "leads back"]),
                    "{sentence}"
                );
                Self::Implies((p, true), (q, false))
            }
            _ => unreachable!("no sentence that is made: {sentence}"),
        }
    }

    fn of_classes(sentence: &str, is: &dyn Fn(&[&str]) -> bool, a: Class, b: Class) -> Self {
        if is(&[
            "kind of",
            "classified as",
            "underneath",
            "count among",
            "general term",
        ]) {
            return Self::Under(a, b);
        }
        if is(&["takes in"]) {
            return Self::Under(b, a);
        }
        if is(&[
            "exactly the same",
            "reverse holds",
            "no difference",
            "Two names",
            "no others",
        ]) {
            return Self::Same(a, b);
        }
        let apart = [
            "can be both",
            "share no",
            "excludes",
            "same time",
            "exclusive.",
        ];
        assert!(is(&apart), "{sentence}");
        Self::Under(a, Class::Not(Box::new(b)))
    }

    /// Whether it is false in some model of so many things; `None` where that takes too long to tell.
    fn is_false_among(&self, world: &[Said], things: usize) -> Option<bool> {
        let outside = |a: &Class, b: &Class| {
            let mut clauses = Clauses::of(world, things);
            let (a, b) = (clauses.is_in(a, 0), clauses.is_in(b, 0));
            clauses.all.extend([vec![a], vec![-b]]);
            clauses.hold()
        };
        let between = |p: Property, q: Property, y: usize| {
            let mut clauses = Clauses::of(world, things);
            let (p, q) = (clauses.joined(p, 0, y), clauses.joined(q, 0, y));
            clauses.all.extend([vec![p], vec![-q]]);
            clauses.hold()
        };
        let either = |first: Option<bool>, second: Option<bool>| match (first, second) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (first, second) => first.and(second),
        };
        match self {
            Self::Under(a, b) => outside(a, b),
            Self::Same(a, b) => either(outside(a, b), outside(b, a)),
            Self::Implies(p, q) if things == 1 => between(*p, *q, 0),
            Self::Implies(p, q) => either(between(*p, *q, 0), between(*p, *q, 1)),
        }
    }
}

/// Whether the axioms have a small model, or it takes too long to tell.
fn is_consistent(world: &[Said]) -> bool {
    (1..=LARGEST).any(|things| Clauses::of(world, things).hold() != Some(false))
}

/// What was enumerated is there, so a class that holds it cannot be empty; as one that shares nothing with itself is.
#[test]
fn axioms_may_contradict_one_another() {
    let world = [
        Said::AllApart([2, 0, 2]),
        Said::Same(2, Class::Or(vec![Class::Named(1), Class::OneOf(0)])),
    ];
    assert!(is_consistent(&world[..1]) && is_consistent(&world[1..]));
    assert!(!is_consistent(&world));
}

proptest! {
    /// Each negative is false in a model of the axioms; the anchor and the positive are false in none of the small ones.
    #[test]
    fn anchors_follow_and_negatives_do_not(world in proptest::collection::vec(said(), 0..14)) {
        let text = turtle(&world);
        let ontology = Ontology::read("case.ttl", text.as_bytes()).unwrap();
        for kind in [GraphKind::Ava, GraphKind::Full] {
            for triplet in triplets(&ontology, kind) {
                for sentence in [&triplet.anchor, &triplet.positive] {
                    let is_false = Statement::of(sentence).is_false_among(&world, 2);
                    prop_assert!(is_false != Some(true), "{sentence}\n{text}");
                }
                let negative = Statement::of(&triplet.negative);
                let mut gave_up = false;
                let is_false = (1..=LARGEST).any(|things| {
                    let is_false = negative.is_false_among(&world, things);
                    gave_up |= is_false.is_none();
                    is_false == Some(true)
                });
                // Everything follows from axioms that contradict one another, which an ontology is taken not to do.
                let is_unsettled = gave_up || !is_consistent(&world);
                prop_assert!(is_false || is_unsettled, "{}\n{text}", triplet.negative);
            }
        }
    }
}

/// The law above would hold of no triplets at all.
#[test]
fn most_small_worlds_give_triplets() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let worlds = proptest::collection::vec(said(), 6..14);
    let mut counts = [0; 2];
    for _ in 0..60 {
        let world = worlds.new_tree(&mut runner).unwrap().current();
        let ontology = Ontology::read("case.ttl", turtle(&world).as_bytes()).unwrap();
        let made = triplets(&ontology, GraphKind::Full).len();
        counts[0] += usize::from(made > 0);
        counts[1] += made;
    }
    assert!(counts[0] >= 20 && counts[1] >= 120, "{counts:?}");
}
