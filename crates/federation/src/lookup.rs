//! Joining triples by looking them up.
//!
//! The evaluator joins two triples of a pattern by reading all that either of them finds. Where one of them finds little,
//! since two of its terms are written, what the others have to do with it is a handful of look-ups. So triples that hang
//! together with such a one become the table of what they find together, as long as it is short; to the evaluator it is a
//! `VALUES`. Other triples, and all that is no triple, stay as they are and are joined with it.

use crate::graph::Pattern;
use crate::terms::TermId;
use crate::view::View;
use oxrdf::{NamedNode, Term, Variable};
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

/// A longer table takes longer to be handed to the evaluator than a join of its own would.
const MOST_ROWS: usize = 512;

/// So many rows say how much a triple will find for all of them.
const SAMPLE: usize = 8;

/// Rewrites the triples of a pattern.
pub(crate) fn tabulate(pattern: &mut GraphPattern, view: &View<'_>) {
    walk(pattern, &Place::Default, view);
}

/// The graph in which a triple is looked up.
#[derive(Clone)]
enum Place {
    Default,
    Named(NamedNode, TermId),
    /// Whichever graph a variable names, or one that is not there.
    Unknown,
}

impl Place {
    /// The number of its name; none for the default graph.
    fn id(&self) -> Option<TermId> {
        match self {
            Self::Named(_, id) => Some(*id),
            Self::Default | Self::Unknown => None,
        }
    }
}

fn walk(pattern: &mut GraphPattern, place: &Place, view: &View<'_>) {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Join { .. } | GraphPattern::Graph { .. } => {
            let mut parts = Parts::default();
            parts.collect(pattern, place, view);
            match parts.joined(view) {
                Some(joined) => *pattern = joined,
                None => walk_parts(pattern, place, view),
            }
        }
        GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right }
        | GraphPattern::LeftJoin { left, right, .. } => {
            walk(left, place, view);
            walk(right, place, view);
        }
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Group { inner, .. } => walk(inner, place, view),
        GraphPattern::Path { .. } | GraphPattern::Values { .. } | GraphPattern::Service { .. } => {}
    }
}

/// Rewrites what a join that stays as it is consists of.
fn walk_parts(pattern: &mut GraphPattern, place: &Place, view: &View<'_>) {
    match pattern {
        GraphPattern::Join { left, right } => {
            walk_parts(left, place, view);
            walk_parts(right, place, view);
        }
        GraphPattern::Graph { name, inner } => walk_parts(inner, &place_of(name, view), view),
        GraphPattern::Bgp { .. } => {}
        other => walk(other, place, view),
    }
}

fn place_of(name: &NamedNodePattern, view: &View<'_>) -> Place {
    match name {
        NamedNodePattern::NamedNode(iri) => view
            .graph(iri)
            .map_or(Place::Unknown, |id| Place::Named(iri.clone(), id)),
        NamedNodePattern::Variable(_) => Place::Unknown,
    }
}

/// What a join joins.
#[derive(Default)]
struct Parts {
    triples: Vec<Triple>,
    /// Variables that are one IRI each.
    fixed: Vec<(Variable, NamedNode)>,
    others: Vec<(GraphPattern, Place)>,
}

fn placed(pattern: GraphPattern, place: &Place) -> GraphPattern {
    match place {
        Place::Named(name, _) => GraphPattern::Graph {
            name: name.clone().into(),
            inner: Box::new(pattern),
        },
        Place::Default | Place::Unknown => pattern,
    }
}

/// Whether a triple has nothing in it but variables and terms with a name of their own.
fn is_plain(triple: &TriplePattern) -> bool {
    [&triple.subject, &triple.object].into_iter().all(|term| {
        matches!(
            term,
            TermPattern::Variable(_) | TermPattern::NamedNode(_) | TermPattern::Literal(_)
        )
    })
}

/// Whether a pattern is triples, and variables that are an IRI.
fn is_fixed(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { .. } => true,
        GraphPattern::Extend {
            inner,
            expression: Expression::NamedNode(_),
            ..
        } => is_fixed(inner),
        _ => false,
    }
}

/// The cells of a row, where each of them is an IRI.
fn iris(row: &[Option<GroundTerm>]) -> Option<Vec<NamedNode>> {
    let cells = row.iter().map(|cell| match cell {
        Some(GroundTerm::NamedNode(iri)) => Some(iri.clone()),
        _ => None,
    });
    cells.collect()
}

/// A triple and where to look for it.
struct Triple {
    pattern: TriplePattern,
    place: Place,
}

/// What a term of a triple is while the table grows.
#[derive(Clone, Copy)]
enum Slot {
    Is(TermId),
    /// Of that column.
    Column(usize),
}

impl Parts {
    fn collect(&mut self, pattern: &GraphPattern, place: &Place, view: &View<'_>) {
        match pattern {
            GraphPattern::Join { left, right } => {
                self.collect(left, place, view);
                self.collect(right, place, view);
            }
            GraphPattern::Bgp { patterns }
                if !matches!(place, Place::Unknown) && patterns.iter().all(is_plain) =>
            {
                self.triples.extend(patterns.iter().map(|pattern| Triple {
                    pattern: pattern.clone(),
                    place: place.clone(),
                }));
            }
            GraphPattern::Graph { name, inner }
                if !matches!(place_of(name, view), Place::Unknown) =>
            {
                self.collect(inner, &place_of(name, view), view);
            }
            // What a triple's variable was before it became an IRI.
            GraphPattern::Extend {
                inner,
                variable,
                expression: Expression::NamedNode(iri),
            } if !matches!(place, Place::Unknown) && is_fixed(inner) => {
                self.collect(inner, place, view);
                self.fixed.push((variable.clone(), iri.clone()));
            }
            // One row of IRIs, as a query names the term that it is about.
            GraphPattern::Values {
                variables,
                bindings,
            } if let [row] = bindings.as_slice()
                && let Some(iris) = iris(row) =>
            {
                self.fixed.extend(variables.iter().cloned().zip(iris));
            }
            other => self.others.push((other.clone(), place.clone())),
        }
    }

    /// The same join with a table in the place of triples; nothing where no two triples can be looked up together.
    fn joined(self, view: &View<'_>) -> Option<GraphPattern> {
        let mut table = Table::of(&self.triples)?;
        for (variable, iri) in &self.fixed {
            table.fix(variable, view.term(iri.as_ref().into())?)?;
        }
        let mut slots = Vec::new();
        for triple in &self.triples {
            slots.push(table.slots(&triple.pattern, view)?);
        }
        let mut left: Vec<usize> = (0..slots.len()).collect();
        while let Some(place) = table.cheapest(&left, &slots, &self.triples, view) {
            let next = left.swap_remove(place);
            if !table.extend(slots.get(next)?, &self.triples.get(next)?.place, view) {
                left.push(next);
                break;
            }
        }
        if self.triples.len() - left.len() < 2 {
            return None;
        }
        left.sort_unstable();
        let rest = left.into_iter().filter_map(|number| {
            let Triple { pattern, place } = self.triples.get(number)?;
            let patterns = vec![pattern.clone()];
            Some(placed(GraphPattern::Bgp { patterns }, place))
        });
        let others = self.others.into_iter().map(|(mut other, place)| {
            walk_parts(&mut other, &place, view);
            placed(other, &place)
        });
        let all = rest.chain(others);
        let table = table.values(view)?;
        Some(all.fold(table, |left, right| GraphPattern::Join {
            left: Box::new(left),
            right: Box::new(right),
        }))
    }
}

/// What triples find together: a row for each solution.
struct Table {
    columns: Vec<Variable>,
    /// Which columns the rows have a term for.
    is_known: Vec<bool>,
    rows: Vec<Vec<TermId>>,
}

impl Table {
    /// One empty row of all variables of the triples; nothing where there are too few of these.
    fn of(triples: &[Triple]) -> Option<Self> {
        let mut columns = Vec::new();
        for Triple { pattern, .. } in triples {
            for variable in variables(pattern) {
                if !columns.contains(variable) {
                    columns.push(variable.clone());
                }
            }
        }
        (triples.len() >= 2).then(|| Self {
            is_known: vec![false; columns.len()],
            rows: vec![vec![0; columns.len()]],
            columns,
        })
    }

    /// Gives a variable its one term; whether that can be.
    fn fix(&mut self, variable: &Variable, term: TermId) -> Option<()> {
        let there = self.columns.iter().position(|name| name == variable);
        let column = there.unwrap_or(self.columns.len());
        if there.is_none() {
            self.columns.push(variable.clone());
            self.is_known.push(false);
            self.rows.iter_mut().for_each(|row| row.push(0));
        }
        let is_known = self.is_known.get_mut(column)?;
        for row in &mut self.rows {
            let place = row.get_mut(column)?;
            if *is_known && *place != term {
                return None;
            }
            *place = term;
        }
        *is_known = true;
        Some(())
    }

    /// The triple over the table's columns; nothing where it has a term that no graph holds.
    fn slots(&self, triple: &TriplePattern, view: &View<'_>) -> Option<[Slot; 3]> {
        let column = |variable: &Variable| {
            let column = self.columns.iter().position(|name| name == variable)?;
            Some(Slot::Column(column))
        };
        let end = |term: &TermPattern| {
            if let TermPattern::Variable(variable) = term {
                column(variable)
            } else if let TermPattern::NamedNode(iri) = term {
                view.term(iri.as_ref().into()).map(Slot::Is)
            } else if let TermPattern::Literal(literal) = term {
                view.term(literal.as_ref().into()).map(Slot::Is)
            } else {
                None
            }
        };
        let predicate = match &triple.predicate {
            NamedNodePattern::Variable(variable) => column(variable),
            NamedNodePattern::NamedNode(iri) => view.term(iri.as_ref().into()).map(Slot::Is),
        };
        Some([end(&triple.subject)?, predicate?, end(&triple.object)?])
    }

    /// The place in `left` of the triple that makes the shortest table, if that is short enough. A triple that hangs
    /// together with nothing that is known is only looked up first.
    fn cheapest(
        &self,
        left: &[usize],
        slots: &[[Slot; 3]],
        triples: &[Triple],
        view: &View<'_>,
    ) -> Option<usize> {
        let cost = |number: usize| {
            let slots = slots.get(number)?;
            let is_joined = slots
                .iter()
                .any(|slot| matches!(slot, Slot::Column(column) if self.knows(*column)));
            if !is_joined && self.rows.len() > 1 {
                return None;
            }
            let place = &triples.get(number)?.place;
            let step = self.rows.len().div_ceil(SAMPLE).max(1);
            let sample = self.rows.iter().step_by(step);
            let found = sample.map(|row| view.count(place.id(), self.pattern(slots, row)));
            let rows = found.sum::<usize>().saturating_mul(step);
            (rows <= MOST_ROWS).then_some(rows)
        };
        let costs = left.iter().enumerate();
        costs
            .filter_map(|(place, number)| Some((cost(*number)?, place)))
            .min()
            .map(|(_, place)| place)
    }

    fn knows(&self, column: usize) -> bool {
        self.is_known.get(column) == Some(&true)
    }

    /// What a row asks of a triple.
    fn pattern(&self, slots: &[Slot; 3], row: &[TermId]) -> Pattern {
        let [subject, predicate, object] = slots.map(|slot| match slot {
            Slot::Is(term) => Some(term),
            Slot::Column(column) => row.get(column).copied().filter(|_| self.knows(column)),
        });
        Pattern {
            subject,
            predicate,
            object,
        }
    }

    /// Joins what a triple finds to every row; whether the table stayed short enough, and is left as it was if not.
    fn extend(&mut self, slots: &[Slot; 3], place: &Place, view: &View<'_>) -> bool {
        let mut rows = Vec::new();
        for row in &self.rows {
            for triple in view.matching(place.id(), self.pattern(slots, row)) {
                let mut joined = row.clone();
                let mut is_known = self.is_known.clone();
                let fits = slots.iter().zip(triple).all(|(slot, term)| {
                    let Slot::Column(column) = *slot else {
                        return true;
                    };
                    match (joined.get_mut(column), is_known.get_mut(column)) {
                        (Some(place), Some(is_known)) => {
                            // A variable that stands in the triple twice is one term.
                            let fits = !*is_known || *place == term;
                            *place = term;
                            *is_known = true;
                            fits
                        }
                        _ => false,
                    }
                });
                if fits {
                    rows.push(joined);
                }
                if rows.len() > MOST_ROWS {
                    return false;
                }
            }
        }
        self.rows = rows;
        for slot in slots {
            if let Slot::Column(column) = *slot
                && let Some(is_known) = self.is_known.get_mut(column)
            {
                *is_known = true;
            }
        }
        true
    }

    /// The table as the evaluator takes it; nothing where a term has no name that a query could say.
    fn values(self, view: &View<'_>) -> Option<GraphPattern> {
        let known: Vec<usize> = (0..self.columns.len())
            .filter(|column| self.knows(*column))
            .collect();
        let term = |term: TermId| {
            let term = view.named(term)?;
            if let Term::NamedNode(iri) = term {
                Some(GroundTerm::NamedNode(iri))
            } else if let Term::Literal(literal) = term {
                Some(GroundTerm::Literal(literal))
            } else {
                None
            }
        };
        let row = |row: &Vec<TermId>| {
            let cells = known
                .iter()
                .map(|column| Some(Some(term(*row.get(*column)?)?)));
            cells.collect::<Option<Vec<_>>>()
        };
        let bindings = self.rows.iter().map(row).collect::<Option<Vec<_>>>()?;
        let variables = known
            .iter()
            .filter_map(|column| self.columns.get(*column).cloned());
        (!known.is_empty()).then(|| GraphPattern::Values {
            variables: variables.collect(),
            bindings,
        })
    }
}

fn variables(triple: &TriplePattern) -> impl Iterator<Item = &Variable> {
    fn end(term: &TermPattern) -> Option<&Variable> {
        match term {
            TermPattern::Variable(variable) => Some(variable),
            _ => None,
        }
    }
    let predicate = match &triple.predicate {
        NamedNodePattern::Variable(variable) => Some(variable),
        NamedNodePattern::NamedNode(_) => None,
    };
    [end(&triple.subject), predicate, end(&triple.object)]
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::store::Store;
    use crate::syntax::parse_query;
    use spargebra::Query;

    /// A pattern as it is parsed, and as it is rewritten.
    fn tabulated(store: &Store, pattern: &str) -> [GraphPattern; 2] {
        let text = format!("PREFIX : <http://e/>\nSELECT * {{ {pattern} }}");
        let Query::Select {
            pattern: parsed, ..
        } = parse_query(&text).unwrap()
        else {
            panic!("{text}");
        };
        let GraphPattern::Project { inner: parsed, .. } = parsed else {
            panic!("{parsed}");
        };
        let mut rewritten = (*parsed).clone();
        tabulate(&mut rewritten, &View::new(store, None));
        [*parsed, rewritten]
    }

    fn items() -> Store {
        let items = (0..=MOST_ROWS)
            .map(|number| format!(":i{number} :in :big ; :number {number} .\n"))
            .collect::<Vec<_>>()
            .concat();
        let text = format!("PREFIX : <http://e/> :g {{ {items} :i1 :tag :x . :i2 :tag :x }}");
        let mut store = Store::default();
        load::load(&mut store, "items.trig", text.as_bytes()).unwrap();
        store
    }

    /// The rows of a table, in the order of their text.
    fn rows(pattern: &GraphPattern) -> Vec<String> {
        let GraphPattern::Values {
            variables,
            bindings,
        } = pattern
        else {
            panic!("no table: {pattern}");
        };
        let row = |row: &Vec<Option<GroundTerm>>| {
            let cells = variables.iter().zip(row).map(|(name, term)| {
                let term = term.as_ref().unwrap().to_string();
                let term = term.replace("http://e/", "");
                let (term, _) = term.split_once("^^").unwrap_or((&term, ""));
                format!("{name} {term}")
            });
            cells.collect::<Vec<_>>().join(", ")
        };
        let mut rows: Vec<String> = bindings.iter().map(row).collect();
        rows.sort();
        rows
    }

    #[test]
    fn triples_that_find_little_are_the_table_of_what_they_find() {
        let store = items();
        for (pattern, named) in [
            ("GRAPH :g { ?i :tag :x ; :number ?n }", ""),
            ("?i :number ?n . ?i :tag :x", ""),
            (
                "VALUES ?x { :x } GRAPH :g { ?i :tag ?x ; :number ?n }",
                ", ?x <x>",
            ),
            (
                "?i :number ?n ; :tag ?x . VALUES (?x ?y) { (:x :g) }",
                ", ?x <x>, ?y <g>",
            ),
        ] {
            let [_, rewritten] = tabulated(&store, pattern);
            let mut found = rows(&rewritten);
            for row in &mut found {
                let mut cells: Vec<&str> = row.split(", ").collect();
                cells.sort_unstable();
                *row = cells.join(", ");
            }
            let expected = [
                format!("?i <i1>, ?n \"1\"{named}"),
                format!("?i <i2>, ?n \"2\"{named}"),
            ];
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn rows_of_which_there_are_more_or_that_are_not_iris_are_joined_with_the_table() {
        let store = items();
        for values in [
            "VALUES ?x { :x :y }",
            "VALUES ?x { UNDEF }",
            "VALUES ?n { 1 }",
            "VALUES ?x {}",
        ] {
            let pattern = format!("{values} ?i :tag :x ; :number ?n ; :tag ?x");
            let [_, rewritten] = tabulated(&store, &pattern);
            let GraphPattern::Join { left, right } = &rewritten else {
                panic!("{values}: {rewritten}");
            };
            assert_eq!(rows(left).len(), 2, "{values}");
            assert!(matches!(**right, GraphPattern::Values { .. }), "{values}");
        }
    }

    #[test]
    fn what_finds_more_is_joined_with_the_table_as_it_is() {
        let store = items();
        let [_, rewritten] = tabulated(&store, "?i :tag :x ; :in ?big . ?j :in ?big");
        let GraphPattern::Join { left, right } = &rewritten else {
            panic!("{rewritten}");
        };
        assert_eq!(rows(left), ["?i <i1>, ?big <big>", "?i <i2>, ?big <big>"]);
        let GraphPattern::Bgp { patterns } = &**right else {
            panic!("{right}");
        };
        assert_eq!(
            patterns.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["?j <http://e/in> ?big"]
        );
    }

    #[test]
    fn one_triple_and_one_row_too_many_stay_as_they_are() {
        let store = items();
        for pattern in ["?i :tag :x", "GRAPH :g { ?i :in :big . ?i :number ?n }"] {
            let [parsed, rewritten] = tabulated(&store, pattern);
            assert_eq!(rewritten, parsed, "{pattern}");
        }
    }
}
