//! Where a variable's values come from, and the words that this gives it.

use super::is_label_service;
use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern,
    PropertyPathExpression,
};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern};
use std::collections::{BTreeMap, BTreeSet};

/// What a key tells about one of its variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definition {
    /// Words of the predicates that lead to it and of the classes that it has.
    pub(crate) words: BTreeSet<String>,
    /// Whether it holds a name: the object of a naming property, or made from one.
    pub(crate) is_name: bool,
    /// Whether it stands where only IRIs and blank nodes can stand.
    pub(crate) is_node: bool,
    /// The variables that it is computed from.
    pub(crate) sources: BTreeSet<String>,
    /// Whether the computation gives a text where it is given texts.
    keeps_text: bool,
}

/// The last part of an IRI.
pub(crate) fn local_name(iri: &str) -> &str {
    iri.trim_end_matches(['/', '#'])
        .rsplit(['/', '#', ':'])
        .next()
        .unwrap_or(iri)
}

/// The lowercase words of `camelCase`, `snake_case`, `kebab-case` and `name2`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = '_';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|next| next.is_lowercase());
        let begins = c.is_alphabetic()
            && (!previous.is_alphabetic()
                || (c.is_uppercase() && (previous.is_lowercase() || next_is_lower)));
        if begins {
            words.push(String::new());
        }
        if c.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words
}

/// Whether a property gives a thing its one name, by the last word of its own.
pub(crate) fn is_naming(predicate: &str) -> bool {
    let words = name_words(local_name(predicate));
    let last = words.last().map_or("", String::as_str);
    let other = [
        "alt",
        "alternative",
        "alternate",
        "hidden",
        "other",
        "short",
        "file",
        "user",
    ];
    matches!(last, "name" | "label" | "title" | "symbol" | "mnemonic")
        && !words.iter().any(|word| other.contains(&word.as_str()))
}

pub(super) fn definitions(query: &Query) -> BTreeMap<String, Definition> {
    let mut definitions: BTreeMap<String, Definition> = BTreeMap::new();
    walk(query, &mut |node, place| {
        if is_label_service(place.service) {
            return;
        }
        if let Node::Pattern(pattern) = node {
            add(&mut definitions, pattern);
        }
    });
    spread_names(&mut definitions);
    definitions
}

fn add(definitions: &mut BTreeMap<String, Definition>, pattern: &GraphPattern) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                let mut predicates = Vec::new();
                if let NamedNodePattern::NamedNode(predicate) = &triple.predicate {
                    predicates.push(predicate.as_str());
                }
                if let NamedNodePattern::Variable(variable) = &triple.predicate {
                    definitions
                        .entry(variable.as_str().to_owned())
                        .or_default()
                        .is_node = true;
                }
                add_edge(definitions, &triple.subject, &predicates, &triple.object);
            }
        }
        GraphPattern::Path {
            subject,
            path,
            object,
        } => {
            let mut predicates = Vec::new();
            predicates_of(path, &mut predicates);
            add_edge(definitions, subject, &predicates, object);
        }
        GraphPattern::Graph {
            name: NamedNodePattern::Variable(variable),
            ..
        } => {
            definitions
                .entry(variable.as_str().to_owned())
                .or_default()
                .is_node = true;
        }
        GraphPattern::Extend {
            variable,
            expression,
            ..
        } => {
            let definition = definitions.entry(variable.as_str().to_owned()).or_default();
            let mut sources = super::variables_of(expression);
            definition
                .sources
                .extend(sources.drain(..).map(str::to_owned));
            definition.keeps_text = keeps_text(expression);
            definition.is_node |= matches!(
                expression,
                Expression::NamedNode(_) | Expression::FunctionCall(Function::Iri, _)
            );
        }
        GraphPattern::Group { aggregates, .. } => {
            for (variable, aggregate) in aggregates {
                let definition = definitions.entry(variable.as_str().to_owned()).or_default();
                if let AggregateExpression::FunctionCall { name, expr, .. } = aggregate {
                    definition.keeps_text = matches!(
                        name,
                        AggregateFunction::Sample
                            | AggregateFunction::Min
                            | AggregateFunction::Max
                            | AggregateFunction::GroupConcat { .. }
                    );
                    let sources = super::variables_of(expr);
                    definition
                        .sources
                        .extend(sources.into_iter().map(str::to_owned));
                }
            }
        }
        GraphPattern::Values {
            variables,
            bindings,
        } => {
            for (column, variable) in variables.iter().enumerate() {
                let definition = definitions.entry(variable.as_str().to_owned()).or_default();
                definition.is_node |= bindings
                    .iter()
                    .any(|row| matches!(row.get(column), Some(Some(GroundTerm::NamedNode(_)))));
            }
        }
        _ => {}
    }
}

fn add_edge(
    definitions: &mut BTreeMap<String, Definition>,
    subject: &TermPattern,
    predicates: &[&str],
    object: &TermPattern,
) {
    let words = |iri: &str| name_words(local_name(iri));
    if let TermPattern::Variable(variable) = subject {
        let definition = definitions.entry(variable.as_str().to_owned()).or_default();
        definition.is_node = true;
        if let TermPattern::NamedNode(class) = object
            && predicates
                .iter()
                .all(|predicate| local_name(predicate) == "type")
        {
            definition.words.extend(words(class.as_str()));
        }
    }
    if let TermPattern::Variable(variable) = object {
        let definition = definitions.entry(variable.as_str().to_owned()).or_default();
        for predicate in predicates {
            definition.words.extend(words(predicate));
            definition.is_name |= is_naming(predicate);
        }
    }
}

fn predicates_of<'p>(path: &'p PropertyPathExpression, predicates: &mut Vec<&'p str>) {
    use PropertyPathExpression as P;
    match path {
        P::NamedNode(node) => predicates.push(node.as_str()),
        P::Reverse(inner) | P::ZeroOrMore(inner) | P::OneOrMore(inner) | P::ZeroOrOne(inner) => {
            predicates_of(inner, predicates);
        }
        P::Sequence(a, b) | P::Alternative(a, b) => {
            predicates_of(a, predicates);
            predicates_of(b, predicates);
        }
        P::NegatedPropertySet(_) => {}
    }
}

fn keeps_text(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Variable(_)
            | Expression::If(..)
            | Expression::Coalesce(_)
            | Expression::FunctionCall(
                Function::Str
                    | Function::LCase
                    | Function::UCase
                    | Function::Concat
                    | Function::SubStr
                    | Function::Replace
                    | Function::StrBefore
                    | Function::StrAfter
                    | Function::StrLang,
                _
            )
    )
}

/// What is made from names is a name: `LCASE(?label)`, `SAMPLE(?label)`, `CONCAT(?first, ?last)`.
fn spread_names(definitions: &mut BTreeMap<String, Definition>) {
    // Bindings nest as deep as the query's author could bear; three rounds reach through an aggregate's own name.
    for _ in 0..3 {
        let names: BTreeSet<String> = definitions
            .iter()
            .filter(|(_, definition)| definition.is_name)
            .map(|(name, _)| name.clone())
            .collect();
        for definition in definitions.values_mut() {
            if definition.keeps_text
                && !definition.sources.is_empty()
                && definition.sources.is_subset(&names)
            {
                definition.is_name = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart() {
        assert_eq!(name_words("scientificName"), ["scientific", "name"]);
        assert_eq!(
            name_words("RDFSLabel_of-gene2"),
            ["rdfs", "label", "of", "gene"]
        );
        assert_eq!(name_words("P31"), ["p"]);
        assert_eq!(local_name("http://e/a#"), "a");
    }

    #[test]
    fn naming_properties() {
        for yes in [
            "http://s/name",
            "http://s/scientificName",
            "http://s#prefLabel",
            "http://s/title",
        ] {
            assert!(is_naming(yes), "{yes}");
        }
        for no in ["http://s#altLabel", "http://s/mass", "http://s/nameOf"] {
            assert!(!is_naming(no), "{no}");
        }
    }
}
