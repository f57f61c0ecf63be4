//! From the blank nodes of class expressions to restrictions between named classes.

use crate::names::{Names, Term};
use crate::statements::{Restriction, Statements, UnnamedRestriction};
use crate::vocabulary::{NIL, Part, Quantifier, Relation};
use std::collections::BTreeMap;

/// What the class expressions of an ontology come to, as far as they speak of named classes.
#[derive(Default)]
pub(crate) struct Expressions {
    /// Relations between two named terms.
    pub(crate) relations: Vec<(Term, Relation, Term)>,
    pub(crate) restrictions: Vec<Restriction>,
    /// Directly behind a relation, to a named filler, over no property or one without a name.
    pub(crate) unnamed_restrictions: Vec<UnnamedRestriction>,
    /// A class and a named class that an intersection in its definition puts it under.
    pub(crate) conjuncts: Vec<(Term, Term)>,
    /// Classes no two of which share a member.
    pub(crate) disjoint_groups: Vec<Vec<Term>>,
    /// A class and one that it is put apart from by a complement in its definition.
    pub(crate) complements: Vec<(Term, Term)>,
}

/// Reads the expressions behind named subjects. What is not understood is counted in the statements.
pub(crate) fn read(statements: &mut Statements) -> Expressions {
    let mut parts = std::mem::take(&mut statements.parts);
    parts.sort_unstable();
    parts.dedup();
    let mut reader = Reader {
        names: &statements.names,
        parts: &parts,
        nil: statements.names.find(NIL),
        found: Expressions {
            restrictions: std::mem::take(&mut statements.restrictions),
            conjuncts: std::mem::take(&mut statements.conjuncts),
            ..Expressions::default()
        },
        unread: BTreeMap::new(),
    };
    for (subject, relation, object) in std::mem::take(&mut statements.relations) {
        match (
            reader.names.is_blank(subject),
            reader.names.is_blank(object),
        ) {
            (true, _) => reader.miss("an axiom about a class expression or an unnamed property"),
            (false, false) => reader.found.relations.push((subject, relation, object)),
            (false, true) => reader.expression(subject, relation, object, 0),
        }
    }
    // Before `owl:equivalentClass` held an expression, a class could be the intersection itself.
    for (subject, part, object) in reader.parts {
        if reader.names.is_blank(*subject) {
            continue;
        }
        match part {
            Part::IntersectionOf => {
                reader.intersection(*subject, Relation::EquivalentClass, *object, 0);
            }
            Part::DisjointUnionOf => {
                let members = reader.list(*object);
                reader
                    .found
                    .conjuncts
                    .extend(members.iter().map(|member| (*member, *subject)));
                reader.found.disjoint_groups.push(members);
            }
            Part::ComplementOf if !reader.names.is_blank(*object) => {
                reader.found.complements.push((*subject, *object));
            }
            Part::UnionOf => reader.miss("a union"),
            Part::OneOf => reader.miss("an enumeration of individuals"),
            _ => {}
        }
    }
    for group in std::mem::take(&mut statements.all_disjoint) {
        for (_, list) in reader.of(group, Part::Members) {
            let members = reader.list(list);
            reader.found.disjoint_groups.push(members);
        }
    }
    let Reader {
        mut found, unread, ..
    } = reader;
    for (what, count) in unread {
        *statements.unread.entry(what.to_owned()).or_default() += count;
    }
    sort(&mut found.relations);
    sort(&mut found.restrictions);
    sort(&mut found.unnamed_restrictions);
    sort(&mut found.conjuncts);
    sort(&mut found.complements);
    found
}

fn sort<T: Ord>(values: &mut Vec<T>) {
    values.sort_unstable();
    values.dedup();
}

/// An expression nested deeper than this is counted, not read: nobody writes one, and a hostile file could.
const DEEPEST: usize = 32;

struct Reader<'a> {
    names: &'a Names,
    /// Sorted.
    parts: &'a [(Term, Part, Term)],
    nil: Option<Term>,
    found: Expressions,
    unread: BTreeMap<&'static str, usize>,
}

impl<'a> Reader<'a> {
    fn miss(&mut self, what: &'static str) {
        *self.unread.entry(what).or_default() += 1;
    }

    /// The objects of one predicate of a node.
    fn of(&self, node: Term, part: Part) -> impl Iterator<Item = (Part, Term)> + use<'a> {
        let parts = self.parts;
        let start = parts.partition_point(|(subject, at, _)| (*subject, *at) < (node, part));
        let rest = parts.get(start..).unwrap_or_default().iter();
        rest.take_while(move |(subject, at, _)| (*subject, *at) == (node, part))
            .map(|(_, part, object)| (*part, *object))
    }

    /// What stands behind a relation and has no name.
    fn expression(&mut self, subject: Term, relation: Relation, node: Term, depth: usize) {
        if depth > DEEPEST {
            return self.miss("an expression nested too deeply");
        }
        let start = self.parts.partition_point(|(at, _, _)| *at < node);
        let all = self.parts;
        let parts = all.get(start..).unwrap_or_default().iter();
        let mut understood = false;
        for (_, part, object) in parts.take_while(|(at, _, _)| *at == node) {
            match part {
                Part::SomeValuesFrom | Part::AllValuesFrom => {
                    let quantifier = match part {
                        Part::SomeValuesFrom => Quantifier::Some,
                        _ => Quantifier::Only,
                    };
                    self.restriction(subject, relation, node, quantifier, *object, depth > 0);
                }
                Part::IntersectionOf => self.intersection(subject, relation, *object, depth),
                Part::UnionOf => self.miss("a union"),
                Part::ComplementOf if relation.defines() && !self.names.is_blank(*object) => {
                    self.found.complements.push((subject, *object));
                }
                Part::ComplementOf => self.miss("a complement"),
                Part::OneOf => self.miss("an enumeration of individuals"),
                Part::Cardinality | Part::MinCardinality | Part::MaxCardinality => {
                    self.miss("a cardinality");
                }
                Part::Value | Part::HasSelf => self.miss("a value restriction"),
                Part::OnProperty
                | Part::DisjointUnionOf
                | Part::Members
                | Part::First
                | Part::Rest
                | Part::OnClass
                | Part::Chain
                | Part::Detail => continue,
            }
            understood = true;
        }
        if !understood {
            self.miss("a blank node that is no class expression");
        }
    }

    fn restriction(
        &mut self,
        subject: Term,
        relation: Relation,
        node: Term,
        quantifier: Quantifier,
        filler: Term,
        nested: bool,
    ) {
        if self.names.is_blank(filler) {
            return self.miss("a restriction whose filler is an expression");
        }
        let mut property = None;
        for (_, candidate) in self.of(node, Part::OnProperty) {
            if !self.names.is_blank(candidate) {
                // With several, the first by its IRI, whatever their order in the file.
                property = match property {
                    Some(known) if self.names.get(known) <= self.names.get(candidate) => {
                        Some(known)
                    }
                    _ => Some(candidate),
                };
            }
        }
        if let Some(property) = property {
            self.found.restrictions.push(Restriction {
                subject,
                property,
                quantifier,
                filler,
                relation,
                nested,
            });
            return;
        }
        self.miss("a restriction over no named property");
        if !nested {
            self.found.unnamed_restrictions.push(UnnamedRestriction {
                subject,
                quantifier,
                filler,
                relation,
            });
        }
    }

    fn intersection(&mut self, subject: Term, relation: Relation, list: Term, depth: usize) {
        for member in self.list(list) {
            if self.names.is_blank(member) {
                self.expression(subject, relation, member, depth + 1);
            } else if relation.defines() {
                self.found.conjuncts.push((subject, member));
            } else {
                self.miss("an intersection as domain, range or the like");
            }
        }
    }

    /// The members of an RDF list; a list that bites its own tail ends there.
    fn list(&mut self, start: Term) -> Vec<Term> {
        let mut members = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut at = start;
        while Some(at) != self.nil {
            if !seen.insert(at) {
                self.miss("a list that runs in a circle");
                break;
            }
            let first = self.of(at, Part::First).next();
            let rest = self.of(at, Part::Rest).next();
            let (Some((_, first)), Some((_, rest))) = (first, rest) else {
                self.miss("a list that breaks off");
                break;
            };
            members.push(first);
            at = rest;
        }
        members
    }
}
