//! Which classes brought a query's rows into its table.

use crate::derive::name::named;
use crate::derive::pattern::{placed_triples, the_hierarchy};
use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, Variable};

/// Where the classes behind a query's rows are to be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ClassSource {
    /// In the rows: their identity column holds them.
    Rows,
    /// In the table of this query, for [`Classes::from_table`](crate::Classes::from_table).
    Query(String),
    /// Nowhere: the query neither walks a hierarchy nor tests a name, or hides what it does in a sub-select.
    Unknown,
}

/// Says how to find the classes behind a query's rows: those its hierarchy pattern ranges over, else those whose names
/// it tests.
///
/// `identity` is the column that tells its rows apart, without `?`.
///
/// ```
/// use control::{ClassSource, class_source};
///
/// let key = spargebra::SparqlParser::new().parse_query(
///     "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
///      SELECT ?gene (COUNT(DISTINCT ?experiment) AS ?n) {
///        ?process rdfs:subClassOf* <http://e/secretion> . ?gene <http://e/takesPartIn> ?process .
///        ?experiment <http://e/measures> ?gene
///      } GROUP BY ?gene ORDER BY DESC(?n) LIMIT 15",
/// ).unwrap();
/// assert_eq!(class_source(&key, "process"), ClassSource::Rows);
/// let ClassSource::Query(query) = class_source(&key, "gene") else { panic!() };
/// assert!(query.starts_with("SELECT DISTINCT ?gene ?process WHERE {"), "{query}");
/// ```
pub fn class_source(query: &Query, identity: &str) -> ClassSource {
    let (query, class, name) = match the_hierarchy(query) {
        Ok((query, hierarchy)) => (query, hierarchy.variable, None),
        Err(_) => match tested(query) {
            Some((class, name)) => (query.clone(), class, Some(name)),
            None => return ClassSource::Unknown,
        },
    };
    if class.as_str() == identity {
        return ClassSource::Rows;
    }
    let Query::Select {
        dataset,
        pattern,
        base_iri,
    } = &query
    else {
        return ClassSource::Unknown;
    };
    let mut body = body_of(pattern).clone();
    let identity = Variable::new_unchecked(identity);
    if !(shows(&body, &identity) && shows(&body, &class)) {
        return ClassSource::Unknown;
    }
    let mut variables = vec![identity.clone(), class];
    if let Some(name) = name.filter(|name| shows(&body, name)) {
        if name == identity {
            // Rows are told apart by the very name that is tested, and no variable is selected twice.
            let again = Variable::new_unchecked(format!("{}_tested", name.as_str()));
            body = GraphPattern::Extend {
                inner: Box::new(body),
                variable: again.clone(),
                expression: Expression::Variable(name),
            };
            variables.push(again);
        } else {
            variables.push(name);
        }
    }
    let classes = Query::Select {
        dataset: dataset.clone(),
        pattern: GraphPattern::Distinct {
            inner: Box::new(GraphPattern::Project {
                inner: Box::new(body),
                variables,
            }),
        },
        base_iri: base_iri.clone(),
    };
    ClassSource::Query(classes.to_string())
}

/// The thing whose name a query tests, and the name.
fn tested(query: &Query) -> Option<(Variable, Variable)> {
    let mut names = Vec::new();
    walk(query, &mut |node, _| {
        if let Node::Expression(Expression::FunctionCall(
            Function::Contains | Function::Regex | Function::StrStarts | Function::StrEnds,
            arguments,
        )) = node
        {
            names.extend(arguments.first().and_then(variable_in));
        }
    });
    let triples = placed_triples(query);
    triples.iter().find_map(|(triple, _)| {
        let name = named(triple).filter(|name| names.contains(name))?;
        match &triple.subject {
            TermPattern::Variable(subject) => Some((subject.clone(), name.clone())),
            _ => None,
        }
    })
}

/// The variable that a string function is applied to, through `LCASE`, `STR` and their like.
fn variable_in(expression: &Expression) -> Option<&Variable> {
    match expression {
        Expression::Variable(variable) => Some(variable),
        Expression::FunctionCall(_, arguments) => arguments.first().and_then(variable_in),
        _ => None,
    }
}

/// What a SELECT's rows are made of, before grouping, ordering and cutting.
fn body_of(pattern: &GraphPattern) -> &GraphPattern {
    grouped(pattern).unwrap_or_else(|| projected(pattern))
}

fn grouped(pattern: &GraphPattern) -> Option<&GraphPattern> {
    match pattern {
        GraphPattern::Group { inner, .. } => Some(inner),
        GraphPattern::Slice { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. } => grouped(inner),
        _ => None,
    }
}

fn projected(pattern: &GraphPattern) -> &GraphPattern {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => projected(inner),
        other => other,
    }
}

/// Whether a pattern's solutions may bind a variable (SPARQL 1.1, section 18.2.1).
fn shows(pattern: &GraphPattern, variable: &Variable) -> bool {
    let is = |term: &TermPattern| matches!(term, TermPattern::Variable(found) if found == variable);
    let names = |name: &NamedNodePattern| matches!(name, NamedNodePattern::Variable(found) if found == variable);
    match pattern {
        GraphPattern::Bgp { patterns } => patterns
            .iter()
            .any(|triple| is(&triple.subject) || names(&triple.predicate) || is(&triple.object)),
        GraphPattern::Path {
            subject, object, ..
        } => is(subject) || is(object),
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::LeftJoin { left, right, .. } => {
            shows(left, variable) || shows(right, variable)
        }
        GraphPattern::Minus { left: inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => shows(inner, variable),
        GraphPattern::Graph { name, inner } | GraphPattern::Service { name, inner, .. } => {
            names(name) || shows(inner, variable)
        }
        GraphPattern::Extend {
            inner,
            variable: bound,
            ..
        } => bound == variable || shows(inner, variable),
        GraphPattern::Values { variables, .. } | GraphPattern::Project { variables, .. } => {
            variables.contains(variable)
        }
        GraphPattern::Group {
            variables,
            aggregates,
            ..
        } => variables.contains(variable) || aggregates.iter().any(|(bound, _)| bound == variable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    fn source(text: &str, identity: &str) -> String {
        let prefixes =
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX e: <http://e/> ";
        let query = SparqlParser::new()
            .parse_query(&format!("{prefixes}{text}"))
            .unwrap();
        match class_source(&query, identity) {
            ClassSource::Rows => "rows".to_owned(),
            ClassSource::Unknown => "unknown".to_owned(),
            ClassSource::Query(query) => {
                SparqlParser::new().parse_query(&query).unwrap();
                query.split(" WHERE").next().unwrap_or_default().to_owned()
            }
        }
    }

    #[test]
    fn by_hierarchy_by_name_or_not_at_all() {
        let cases = [
            ("SELECT ?c { ?c rdfs:subClassOf* e:r }", "c", "rows"),
            (
                "SELECT ?g { ?g e:in/rdfs:subClassOf* e:r FILTER(?g != e:x) } LIMIT 1",
                "g",
                "SELECT DISTINCT ?g ?step",
            ),
            (
                "SELECT ?g { ?g e:in ?p . ?p rdfs:label ?n FILTER(CONTAINS(LCASE(STR(?n)), \"x\")) }",
                "g",
                "SELECT DISTINCT ?g ?p ?n",
            ),
            (
                "SELECT ?n ?g { ?g e:in ?p . ?p rdfs:label ?n FILTER(CONTAINS(?n, \"x\")) }",
                "n",
                "SELECT DISTINCT ?n ?p (?n AS ?n_tested)",
            ),
            (
                "SELECT ?c { ?c rdfs:label ?n FILTER(REGEX(?n, \"x\", \"i\")) }",
                "c",
                "rows",
            ),
            (
                "SELECT ?g { ?g e:in ?p { SELECT ?p { ?p e:kind ?c . ?c rdfs:subClassOf* e:r } } }",
                "g",
                "unknown",
            ),
            (
                "SELECT ?c { VALUES ?c { e:r } ?d e:about ?c }",
                "c",
                "unknown",
            ),
        ];
        for (text, identity, expected) in cases {
            assert_eq!(source(text, identity), expected, "{text}");
        }
    }
}
