//! The axioms of an ontology with their class expressions whole, for whoever asks what follows.

use crate::names::{Names, Term};
use crate::statements::{Hidden, Restriction, Statements};
use crate::vocabulary::{Characteristic, Kinds, NIL, NOTHING, Part, Quantifier, Relation, THING};
use rustc_hash::{FxHashMap, FxHashSet};

/// A class, with or without a name: a place in [`Logic::expressions`].
pub(crate) type Node = u32;

/// A property, read forwards or backwards.
pub(crate) type Role = (Term, bool);

/// Everything is in it.
pub(crate) const EVERYTHING: Node = 0;
/// Nothing is in it.
pub(crate) const NONE: Node = 1;

/// What a class without a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// A name, of which the axioms say the rest
    Atom,
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Node),
    Some(Role, Node),
    Only(Role, Node),
    AtLeast(u32, Role, Node),
    AtMost(u32, Role, Node),
    /// What is joined to itself
    Itself(Role),
    /// Tied to individuals: an enumeration, or a value
    Tied,
    /// A datatype or a part of one
    Range,
    /// Not understood
    Unread,
}

/// The axioms of an ontology.
#[derive(Clone, Default)]
pub(crate) struct Logic {
    pub(crate) expressions: Vec<Expression>,
    /// The classes by their name.
    pub(crate) nodes: FxHashMap<Term, Node>,
    /// What is in the first is in the second.
    pub(crate) under: Vec<(Node, Node)>,
    pub(crate) apart: Vec<(Node, Node)>,
    /// No two of which share a member.
    pub(crate) groups: Vec<Vec<Node>>,
    /// Whatever stands before a role is in the class.
    pub(crate) domains: Vec<(Role, Node)>,
    pub(crate) sub_roles: Vec<(Role, Role)>,
    /// Roles one behind the other, and the one that follows.
    pub(crate) chains: Vec<(Vec<Role>, Role)>,
    pub(crate) functional: Vec<Role>,
    pub(crate) transitive: Vec<Term>,
    pub(crate) reflexive: Vec<Term>,
    pub(crate) irreflexive: Vec<Term>,
    pub(crate) asymmetric: Vec<Term>,
    pub(crate) disjoint_roles: Vec<(Role, Role)>,
    /// Something is said that nothing can be made of, such as that every property is under another one.
    pub(crate) is_beyond: bool,
}

const TOP: [&str; 2] = [
    "http://www.w3.org/2002/07/owl#topObjectProperty",
    "http://www.w3.org/2002/07/owl#topDataProperty",
];
const BOTTOM: [&str; 2] = [
    "http://www.w3.org/2002/07/owl#bottomObjectProperty",
    "http://www.w3.org/2002/07/owl#bottomDataProperty",
];
const LITERAL: &str = "http://www.w3.org/2000/01/rdf-schema#Literal";
const DATATYPES: [&str; 3] = [
    "http://www.w3.org/2001/XMLSchema#",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#PlainLiteral",
];

/// Whether every two things are joined by a property.
pub(crate) fn is_top(iri: &str) -> bool {
    TOP.contains(&iri)
}

/// Whether no two things are.
pub(crate) fn is_bottom(iri: &str) -> bool {
    BOTTOM.contains(&iri)
}

impl Logic {
    /// Must come before the expressions are read, which takes the statements apart.
    pub(crate) fn of(statements: &Statements) -> Self {
        let mut builder = Builder::new(statements);
        builder.read_relations();
        builder.read_restrictions();
        builder.read_properties();
        builder.read_hidden();
        builder.read_named();
        for group in &statements.all_disjoint {
            for list in builder.objects(*group, Part::Members) {
                let members = builder.nodes_of(list);
                builder.put_group(members);
            }
        }
        for (term, kinds) in &statements.kinds {
            if kinds.any_of(Kinds::CLASS) {
                builder.node(*term);
            }
        }
        builder.build_waiting();
        builder.logic
    }
}

struct Builder<'s> {
    statements: &'s Statements,
    names: &'s Names,
    parts: FxHashMap<Term, Vec<(Part, Term)>>,
    /// Properties without a name, and what they are the inverse of.
    inverses: FxHashMap<Term, Term>,
    nil: Option<Term>,
    /// Nodes whose expression is to be read yet.
    waiting: Vec<(Term, Node)>,
    logic: Logic,
}

impl<'s> Builder<'s> {
    fn new(statements: &'s Statements) -> Self {
        let names = &statements.names;
        let mut all = statements.parts.clone();
        // The order of a file's statements says nothing.
        all.sort_unstable();
        all.dedup();
        let mut parts: FxHashMap<Term, Vec<(Part, Term)>> = FxHashMap::default();
        for (subject, part, object) in all {
            parts.entry(subject).or_default().push((part, object));
        }
        let inverses = statements.relations.iter().filter_map(|(a, relation, b)| {
            let unnamed = names.is_blank(*a) && !names.is_blank(*b);
            (unnamed && *relation == Relation::InverseOf).then_some((*a, *b))
        });
        let mut builder = Self {
            statements,
            names,
            parts,
            inverses: inverses.collect(),
            nil: names.find(NIL),
            waiting: Vec::new(),
            logic: Logic {
                expressions: vec![Expression::Atom, Expression::Atom],
                ..Logic::default()
            },
        };
        for (iri, node) in [(THING, EVERYTHING), (LITERAL, EVERYTHING), (NOTHING, NONE)] {
            if let Some(term) = names.find(iri) {
                builder.logic.nodes.insert(term, node);
            }
        }
        builder
    }

    /// The objects of one predicate of a node.
    fn objects(&self, node: Term, wanted: Part) -> Vec<Term> {
        let parts = self.parts.get(&node).map(Vec::as_slice);
        let parts = parts.unwrap_or_default().iter();
        parts
            .filter(|(part, _)| *part == wanted)
            .map(|(_, object)| *object)
            .collect()
    }

    /// The members of a list; `None` where it is none.
    fn list(&self, start: Term) -> Option<Vec<Term>> {
        let mut members = Vec::new();
        let mut seen = FxHashSet::default();
        let mut at = start;
        while Some(at) != self.nil {
            let (first, rest) = (self.objects(at, Part::First), self.objects(at, Part::Rest));
            let ([first], [rest]) = (first.as_slice(), rest.as_slice()) else {
                return None;
            };
            if !seen.insert(at) {
                return None;
            }
            members.push(*first);
            at = *rest;
        }
        Some(members)
    }

    /// The classes of a list, one that is not understood among them where the list breaks off.
    fn nodes_of(&mut self, start: Term) -> Vec<Node> {
        match self.list(start) {
            Some(members) => members
                .into_iter()
                .map(|member| self.node(member))
                .collect(),
            None => vec![self.put(Expression::Unread)],
        }
    }

    fn put(&mut self, expression: Expression) -> Node {
        let node = Node::try_from(self.logic.expressions.len()).unwrap_or(Node::MAX);
        self.logic.expressions.push(expression);
        node
    }

    /// Several together; one stands for itself.
    fn all(&mut self, mut members: Vec<Node>) -> Node {
        match (members.pop(), members.is_empty()) {
            (None, _) => EVERYTHING,
            (Some(only), true) => only,
            (Some(last), false) => {
                members.push(last);
                self.put(Expression::All(members))
            }
        }
    }

    fn same(&mut self, a: Node, b: Node) {
        self.logic.under.extend([(a, b), (b, a)]);
    }

    /// Puts classes apart. One that is named twice shares nothing with itself.
    fn put_group(&mut self, members: Vec<Node>) {
        let mut seen = FxHashSet::default();
        let twice = members.iter().filter(|member| !seen.insert(**member));
        let twice: Vec<(Node, Node)> = twice.map(|member| (*member, *member)).collect();
        self.logic.apart.extend(twice);
        self.logic.groups.push(members);
    }

    fn node(&mut self, term: Term) -> Node {
        if let Some(known) = self.logic.nodes.get(&term) {
            return *known;
        }
        let iri = self.names.get(term);
        let is_datatype = DATATYPES.iter().any(|datatype| iri.starts_with(datatype));
        let node = self.put(if is_datatype {
            Expression::Range
        } else {
            Expression::Atom
        });
        self.logic.nodes.insert(term, node);
        if self.names.is_blank(term) {
            // Expressions may be nested deeply, or in a circle.
            self.waiting.push((term, node));
        }
        node
    }

    fn role(&self, term: Term) -> Option<Role> {
        match self.inverses.get(&term) {
            Some(named) => Some((*named, false)),
            None => (!self.names.is_blank(term)).then_some((term, true)),
        }
    }

    fn build_waiting(&mut self) {
        while let Some((term, node)) = self.waiting.pop() {
            let mut pieces = self.pieces(term);
            let expression = match (pieces.pop(), pieces.is_empty()) {
                (None, _) => Expression::Unread,
                (Some(one), true) => one,
                (Some(last), false) => {
                    pieces.push(last);
                    let members = pieces.into_iter().map(|piece| self.put(piece));
                    Expression::All(members.collect())
                }
            };
            if let Some(slot) = self.logic.expressions.get_mut(node as usize) {
                *slot = expression;
            }
        }
    }

    /// What a node is, each of its parts by itself.
    fn pieces(&mut self, term: Term) -> Vec<Expression> {
        let parts = self.parts.get(&term).cloned().unwrap_or_default();
        let properties = self.objects(term, Part::OnProperty);
        let role = match properties.as_slice() {
            [property] => self.role(*property),
            _ => None,
        };
        let role = role.filter(|(property, _)| !is_top(self.names.get(*property)));
        let counted = self.objects(term, Part::OnClass);
        let mut pieces = Vec::new();
        for (part, object) in parts {
            let over = |read: &dyn Fn(Role) -> Expression| role.map_or(Expression::Unread, read);
            let piece = match part {
                Part::SomeValuesFrom => {
                    let filler = self.node(object);
                    over(&|role| Expression::Some(role, filler))
                }
                Part::AllValuesFrom => {
                    let filler = self.node(object);
                    over(&|role| Expression::Only(role, filler))
                }
                Part::MinCardinality | Part::MaxCardinality | Part::Cardinality => {
                    let filler = match counted.as_slice() {
                        [] => EVERYTHING,
                        [filler] => self.node(*filler),
                        _ => self.put(Expression::Unread),
                    };
                    let number = self.names.get(object).strip_prefix('"');
                    let number = number.and_then(|number| number.trim().parse::<u32>().ok());
                    let (Some(number), Some(role)) = (number, role) else {
                        pieces.push(Expression::Unread);
                        continue;
                    };
                    if part != Part::MaxCardinality {
                        pieces.push(at_least(number, role, filler));
                    }
                    if part != Part::MinCardinality {
                        pieces.push(Expression::AtMost(number, role, filler));
                    }
                    continue;
                }
                Part::HasSelf => match self.names.get(object) {
                    "\"true" | "\"1" => over(&Expression::Itself),
                    _ => Expression::Unread,
                },
                Part::Value | Part::OneOf => Expression::Tied,
                Part::ComplementOf => Expression::Not(self.node(object)),
                Part::IntersectionOf => Expression::All(self.nodes_of(object)),
                Part::UnionOf => Expression::Any(self.nodes_of(object)),
                Part::Detail => Expression::Range,
                Part::OnProperty | Part::OnClass => continue,
                Part::DisjointUnionOf | Part::Members | Part::First | Part::Rest | Part::Chain => {
                    Expression::Unread
                }
            };
            if piece != Expression::Range || !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        pieces
    }

    fn read_relations(&mut self) {
        for (subject, relation, object) in &self.statements.relations {
            let roles = self.role(*subject).zip(self.role(*object));
            match relation {
                Relation::SubClassOf => {
                    let pair = (self.node(*subject), self.node(*object));
                    self.logic.under.push(pair);
                }
                Relation::EquivalentClass => {
                    let (a, b) = (self.node(*subject), self.node(*object));
                    self.same(a, b);
                }
                Relation::DisjointWith => {
                    let pair = (self.node(*subject), self.node(*object));
                    self.logic.apart.push(pair);
                }
                Relation::Domain | Relation::Range => {
                    let class = self.node(*object);
                    match self.role(*subject) {
                        Some((property, _)) if is_top(self.names.get(property)) => {
                            self.logic.under.push((EVERYTHING, class));
                        }
                        Some((property, forward)) => {
                            let role = (property, forward == (*relation == Relation::Domain));
                            self.logic.domains.push((role, class));
                        }
                        None => self.logic.is_beyond = true,
                    }
                }
                Relation::SubPropertyOf => match roles {
                    Some((below, above)) => self.put_sub_role(below, above),
                    None => self.logic.is_beyond = true,
                },
                Relation::InverseOf if self.names.is_blank(*subject) => {}
                Relation::InverseOf => match roles {
                    Some((a, (b, forward))) => {
                        self.put_sub_role(a, (b, !forward));
                        self.put_sub_role((b, !forward), a);
                    }
                    None => self.logic.is_beyond = true,
                },
            }
        }
    }

    fn put_sub_role(&mut self, below: Role, above: Role) {
        if is_top(self.names.get(below.0)) {
            self.logic.is_beyond = true;
        } else if !is_top(self.names.get(above.0)) {
            self.logic.sub_roles.push((below, above));
        }
    }

    /// Those of OBO; in RDF they are parts of expressions.
    fn read_restrictions(&mut self) {
        let statements = self.statements;
        for restriction in &statements.restrictions {
            if restriction.relation != Relation::EquivalentClass {
                let (class, node) = (
                    self.node(restriction.subject),
                    self.restriction(restriction),
                );
                self.logic.under.push((class, node));
            }
        }
    }

    fn restriction(&mut self, restriction: &Restriction) -> Node {
        let (role, filler) = ((restriction.property, true), self.node(restriction.filler));
        self.put(match restriction.quantifier {
            Quantifier::Some => Expression::Some(role, filler),
            Quantifier::Only => Expression::Only(role, filler),
        })
    }

    /// The conditions of one definition of a class.
    fn read_definition(&mut self, class: Term, conjuncts: [usize; 2], restrictions: [usize; 2]) {
        let statements = self.statements;
        let conjuncts = statements.conjuncts.get(conjuncts[0]..conjuncts[1]);
        let restrictions = statements
            .restrictions
            .get(restrictions[0]..restrictions[1]);
        let mut conditions = Vec::new();
        for (_, conjunct) in conjuncts.unwrap_or_default() {
            conditions.push(self.node(*conjunct));
        }
        for restriction in restrictions.unwrap_or_default() {
            conditions.push(self.restriction(restriction));
        }
        let whole = self.all(conditions);
        let class = self.node(class);
        self.same(class, whole);
    }

    fn read_properties(&mut self) {
        let statements = self.statements;
        self.logic.transitive.extend(&statements.transitive);
        for (a, b) in &statements.same_properties {
            match self.role(*a).zip(self.role(*b)) {
                Some((a, b)) => {
                    self.put_sub_role(a, b);
                    self.put_sub_role(b, a);
                }
                None => self.logic.is_beyond = true,
            }
        }
        for (property, characteristic) in &statements.characteristics {
            let property = *property;
            match characteristic {
                Characteristic::Functional => self.logic.functional.push((property, true)),
                Characteristic::InverseFunctional => self.logic.functional.push((property, false)),
                Characteristic::Symmetric => {
                    let ways = ((property, true), (property, false));
                    self.logic.sub_roles.push(ways);
                }
                Characteristic::Asymmetric => self.logic.asymmetric.push(property),
                Characteristic::Reflexive => self.logic.reflexive.push(property),
                Characteristic::Irreflexive => self.logic.irreflexive.push(property),
            }
        }
        for (a, b) in &statements.disjoint_properties {
            let pair = self.role(*a).zip(self.role(*b));
            self.logic.disjoint_roles.extend(pair);
        }
        for group in &statements.all_disjoint_properties {
            for list in self.objects(*group, Part::Members) {
                let members = self.list(list).unwrap_or_default();
                let roles: Vec<Role> = members
                    .into_iter()
                    .filter_map(|member| self.role(member))
                    .collect();
                for (place, a) in roles.iter().enumerate() {
                    let others = roles.iter().skip(place + 1);
                    self.logic
                        .disjoint_roles
                        .extend(others.map(|other| (*a, *other)));
                }
            }
        }
    }

    fn read_hidden(&mut self) {
        let mut unions: FxHashMap<(Term, u32), Vec<Node>> = FxHashMap::default();
        let mut order = Vec::new();
        for hidden in &self.statements.hidden {
            match *hidden {
                Hidden::Definition(class, conjuncts, restrictions) => {
                    self.read_definition(class, conjuncts, restrictions);
                }
                Hidden::Member(class, member, line) => {
                    let member = self.node(member);
                    let members = unions.entry((class, line)).or_default();
                    if members.is_empty() {
                        order.push((class, line));
                    }
                    members.push(member);
                }
                Hidden::Chain(above, steps) => {
                    let steps = steps.map(|step| (step, true));
                    self.logic.chains.push((steps.to_vec(), (above, true)));
                }
                Hidden::Count(class, count, property, filler) => {
                    let (class, filler) = (self.node(class), self.node(filler));
                    let role = (property, true);
                    let least = self.put(at_least(count.least, role, filler));
                    self.logic.under.push((class, least));
                    if let Some(most) = count.most {
                        let most = self.put(Expression::AtMost(most, role, filler));
                        self.logic.under.push((class, most));
                    }
                }
                Hidden::Within {
                    class,
                    context: (by, filler),
                    property,
                    object,
                } => {
                    let (class, filler) = (self.node(class), self.node(filler));
                    let object = self.node(object);
                    let context = self.put(Expression::Some((by, true), filler));
                    let within = self.put(Expression::All(vec![class, context]));
                    let above = match property {
                        Some(property) => self.put(Expression::Some((property, true), object)),
                        None => object,
                    };
                    self.logic.under.push((within, above));
                }
                Hidden::Unread(class) => {
                    let unread = self.put(Expression::Unread);
                    let class = self.node(class);
                    self.logic.under.push((class, unread));
                }
            }
        }
        for (class, line) in order {
            let members = unions.remove(&(class, line)).unwrap_or_default();
            let union = self.put(Expression::Any(members));
            let class = self.node(class);
            self.same(class, union);
        }
    }

    /// Named classes that are an expression themselves, and chains of properties.
    fn read_named(&mut self) {
        let mut named: Vec<Term> = self.parts.keys().copied().collect();
        named.retain(|term| !self.names.is_blank(*term));
        named.sort_unstable();
        for term in named {
            for (part, object) in self.parts.get(&term).cloned().unwrap_or_default() {
                let expression = match part {
                    Part::IntersectionOf => Expression::All(self.nodes_of(object)),
                    Part::UnionOf => Expression::Any(self.nodes_of(object)),
                    Part::DisjointUnionOf => {
                        let members = self.nodes_of(object);
                        self.put_group(members.clone());
                        Expression::Any(members)
                    }
                    Part::ComplementOf => Expression::Not(self.node(object)),
                    Part::OneOf => Expression::Tied,
                    Part::Chain => {
                        self.read_chain(term, object);
                        continue;
                    }
                    Part::SomeValuesFrom
                    | Part::AllValuesFrom
                    | Part::Cardinality
                    | Part::MinCardinality
                    | Part::MaxCardinality
                    | Part::Value
                    | Part::HasSelf => {
                        // A restriction that has a name.
                        let pieces = self.pieces(term);
                        let pieces: Vec<Node> =
                            pieces.into_iter().map(|piece| self.put(piece)).collect();
                        let (whole, class) = (self.all(pieces), self.node(term));
                        self.same(class, whole);
                        break;
                    }
                    Part::Detail => Expression::Range,
                    Part::OnProperty | Part::OnClass | Part::Members | Part::First | Part::Rest => {
                        continue;
                    }
                };
                let (whole, class) = (self.put(expression), self.node(term));
                self.same(class, whole);
            }
        }
    }

    fn read_chain(&mut self, above: Term, list: Term) {
        let steps = self.list(list).unwrap_or_default();
        let roles: Option<Vec<Role>> = steps.into_iter().map(|step| self.role(step)).collect();
        match (roles.as_deref(), self.role(above)) {
            (Some(&[only]), Some(above)) => self.put_sub_role(only, above),
            (Some(steps @ [_, ..]), Some(above)) => {
                self.logic.chains.push((steps.to_vec(), above));
            }
            _ => self.logic.is_beyond = true,
        }
    }
}

fn at_least(number: u32, role: Role, filler: Node) -> Expression {
    match number {
        0 => Expression::All(Vec::new()),
        1 => Expression::Some(role, filler),
        _ => Expression::AtLeast(number, role, filler),
    }
}
