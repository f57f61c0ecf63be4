//! Controls made from a key alone.

use crate::derive::name::{NameSource, Naming};
use crate::derive::pattern::{Hierarchy, fresh, occurrences, the_hierarchy, variables_of};
use crate::derive::replace::{Replacing, join_plainly};
use crate::derive::rewrite::{Rewrite, rewritten};
use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::{GroundTerm, Literal, Variable};
use std::collections::BTreeMap;
use thiserror::Error;

/// A control that was made from a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The control.
    pub query: Query,
    /// The control as text.
    pub text: String,
    /// The variable that ranged over the closure, without `?`.
    pub variable: String,
    /// The terms at the top of the closure.
    pub roots: Vec<String>,
    /// Where a keyword control takes the name from; `None` for a literal one.
    pub name: Option<NameSource>,
}

/// Why a key has no derived control.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
pub enum DeriveError {
    /// Nothing to replace.
    #[error("the query has no hierarchy pattern, such as `?c rdfs:subClassOf* <term>`")]
    NoHierarchy,
    /// Replacing one of them would leave the others to do its work.
    #[error("the query has {} hierarchy patterns: {}", patterns.len(), patterns.join("; "))]
    SeveralHierarchies {
        /// The patterns, as SPARQL.
        patterns: Vec<String>,
    },
    /// Nothing says below which term.
    #[error("no term is at the top of `{pattern}`")]
    FreeRoot {
        /// The pattern, as SPARQL.
        pattern: String,
    },
    /// The repetition is an alternative or an option inside a longer path.
    #[error("the hierarchy is only a part of the path in `{pattern}`")]
    PartOfPath {
        /// The pattern, as SPARQL.
        pattern: String,
    },
    /// A name test cannot tell several roots apart.
    #[error("the query tells the roots of `?{variable}` apart, which a name cannot do")]
    SeveralRoots {
        /// The variable at the top, without `?`.
        variable: String,
    },
    /// The pattern sits inside OPTIONAL or the like in a graph or service that does not have the names.
    #[error(
        "the hierarchy pattern cannot be taken out of the block of {place}, which does not have the names"
    )]
    Enclosed {
        /// The name of the GRAPH or SERVICE, as SPARQL.
        place: String,
    },
    /// A name test without words.
    #[error("no keyword to test the name for")]
    NoKeyword,
}

impl DeriveError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NoHierarchy => "give the query of the expanded question, not its literal twin",
            Self::SeveralHierarchies { .. } => {
                "write the control by hand, or ask about one closure"
            }
            Self::FreeRoot { .. } => {
                "write the term into the pattern, or name it by VALUES or BIND"
            }
            Self::PartOfPath { .. } => {
                "write the hierarchy as a pattern with a variable of its own"
            }
            Self::SeveralRoots { .. } => "ask about one root, or do not use its variable elsewhere",
            Self::Enclosed { .. } => {
                "move OPTIONAL and the like out of the block, or say where the names are"
            }
            Self::NoKeyword => "give at least one word",
        }
    }
}

/// Where a keyword control is to take the name from.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum NameChoice<'a> {
    /// By the key: the name it asks for; else one from the graph that the data come from, where the key asks that
    /// graph for names; else the hierarchy's own label.
    #[default]
    ByKey,
    /// By this predicate.
    From {
        /// IRI of the named graph; `None` for the default graph.
        graph: Option<&'a str>,
        /// IRI of the predicate.
        predicate: &'a str,
    },
}

/// The *literal* control: the closure is replaced by the term at its top.
///
/// ```
/// let key = spargebra::SparqlParser::new().parse_query(
///     "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
///      SELECT ?d ?c { GRAPH <http://e/ontology> { ?c rdfs:subClassOf* <http://e/heart> } ?d <http://e/about> ?c } LIMIT 15",
/// ).unwrap();
/// let literal = control::derive_literal(&key)?;
/// assert_eq!(
///     literal.text,
///     "SELECT ?d ?c WHERE { VALUES ( ?c ) { ( <http://e/heart> )  } ?d <http://e/about> ?c . } LIMIT 15",
/// );
/// # Ok::<_, control::DeriveError>(())
/// ```
pub fn derive_literal(key: &Query) -> Result<Derived, DeriveError> {
    let (query, hierarchy) = the_hierarchy(key)?;
    let mut variables = vec![hierarchy.variable.clone()];
    // One root needs no second column where VALUES or BIND, perhaps further out, gives the variable its value.
    let upper = hierarchy
        .upper
        .clone()
        .filter(|_| hierarchy.roots.len() > 1 || hierarchy.is_tested);
    variables.extend(upper.iter().cloned());
    let row = |root| vec![Some(GroundTerm::NamedNode(root)); variables.len()];
    let values = GraphPattern::Values {
        bindings: hierarchy.roots.iter().cloned().map(row).collect(),
        variables,
    };
    let mut replacing = Replacing::new(&hierarchy, values, true);
    let query = rewritten(&query, &mut replacing);
    Ok(Derived::new(&query, &hierarchy, None))
}

/// The *keyword* control: the closure is replaced by a test whether the name contains one of the words, in any case.
///
/// The test stands where the hierarchy pattern stood; a name that the key itself asks for is tested under the key's own
/// variable, so that the name in a row is the name that passed.
///
/// ```
/// use control::{NameChoice, NameRule, derive_keyword};
///
/// let key = spargebra::SparqlParser::new().parse_query(
///     "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
///      SELECT ?c ?name { ?c rdfs:subClassOf* <http://e/heart> . ?d <http://e/about> ?c . ?c rdfs:label ?name }",
/// ).unwrap();
/// let control = derive_keyword(&key, &["Cardio", "vascular"], NameChoice::ByKey)?;
/// assert_eq!(control.name.map(|name| (name.rule, name.variable)), Some((NameRule::Key, "name".to_owned())));
/// assert!(control.text.contains(r#"CONTAINS(LCASE(?name), "cardio")"#), "{}", control.text);
/// assert!(!control.text.contains("subClassOf"));
/// # Ok::<_, control::DeriveError>(())
/// ```
pub fn derive_keyword<S: AsRef<str>>(
    key: &Query,
    keywords: &[S],
    name: NameChoice<'_>,
) -> Result<Derived, DeriveError> {
    let (query, hierarchy) = the_hierarchy(key)?;
    let naming = match name {
        NameChoice::ByKey => Naming::of(&query, &hierarchy),
        NameChoice::From { graph, predicate } => {
            Naming::given(&query, &hierarchy, graph, predicate)
        }
    };
    let words = keywords.iter().map(AsRef::as_ref);
    let test = name_test(&naming.variable, words).ok_or(DeriveError::NoKeyword)?;
    let query = without_roots(query, &hierarchy)?;
    let pattern = GraphPattern::Filter {
        expr: test,
        inner: Box::new(GraphPattern::Bgp {
            patterns: vec![naming.triple.clone()],
        }),
    };
    let leave = naming.position != hierarchy.position;
    let mut with = if leave {
        naming.position.around(pattern)
    } else {
        pattern
    };
    if let (Some(upper), true, [root]) =
        (&hierarchy.upper, hierarchy.is_tested, &hierarchy.roots[..])
    {
        // The tests on it stay, and they need a value.
        let values = GraphPattern::Values {
            variables: vec![upper.clone()],
            bindings: vec![vec![Some(GroundTerm::NamedNode(root.clone()))]],
        };
        with = GraphPattern::Join {
            left: Box::new(values),
            right: Box::new(with),
        };
    }
    let mut replacing = Replacing::new(&hierarchy, with, leave);
    let query = rewritten(&query, &mut replacing);
    if let Some(place) = replacing.stuck() {
        return Err(DeriveError::Enclosed { place });
    }
    Ok(Derived::new(&query, &hierarchy, Some(naming.source())))
}

/// The test that a name contains one of the words; `None` without words.
fn name_test<'w>(name: &Variable, words: impl Iterator<Item = &'w str>) -> Option<Expression> {
    words
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| {
            let name = Expression::Variable(name.clone());
            let name = Expression::FunctionCall(Function::LCase, vec![name]);
            let word = Literal::new_simple_literal(word.to_lowercase());
            Expression::FunctionCall(Function::Contains, vec![name, word.into()])
        })
        .reduce(|a, b| Expression::Or(Box::new(a), Box::new(b)))
}

/// Takes the list of several roots out: without the hierarchy it would only multiply the rows.
fn without_roots(query: Query, hierarchy: &Hierarchy) -> Result<Query, DeriveError> {
    struct Removing<'h>(&'h Variable);
    impl Rewrite for Removing<'_> {
        fn pattern(&mut self, pattern: &mut GraphPattern) {
            if matches!(pattern, GraphPattern::Values { variables, .. } if *variables == [self.0.clone()])
            {
                *pattern = GraphPattern::default();
            }
            join_plainly(pattern);
        }
    }
    let Some(upper) = hierarchy
        .upper
        .as_ref()
        .filter(|_| hierarchy.roots.len() > 1)
    else {
        return Ok(query);
    };
    let query = rewritten(&query, &mut Removing(upper));
    // Once in the hierarchy pattern itself.
    if occurrences(&query, upper) > 1 {
        return Err(DeriveError::SeveralRoots {
            variable: upper.as_str().to_owned(),
        });
    }
    Ok(query)
}

impl Derived {
    fn new(query: &Query, hierarchy: &Hierarchy, name: Option<NameSource>) -> Self {
        let query = with_plain_aggregates(query);
        Self {
            text: query.to_string(),
            query,
            variable: hierarchy.variable.as_str().to_owned(),
            roots: hierarchy
                .roots
                .iter()
                .map(|root| root.as_str().to_owned())
                .collect(),
            name,
        }
    }
}

/// The parser draws the names of aggregates' variables at random; numbered, the same key gives the same text.
pub(crate) fn with_plain_aggregates(query: &Query) -> Query {
    struct Renaming(BTreeMap<Variable, Variable>);
    impl Rewrite for Renaming {
        fn variable(&mut self, variable: &mut Variable) {
            if let Some(plain) = self.0.get(variable) {
                *variable = plain.clone();
            }
        }
    }
    let mut taken = variables_of(query);
    let mut names = BTreeMap::new();
    walk(query, &mut |node, _| {
        if let Node::Pattern(GraphPattern::Group { aggregates, .. }) = node {
            for (variable, _) in aggregates {
                let plain = fresh("aggregate", &taken);
                taken.insert(plain.as_str().to_owned());
                names.insert(variable.clone(), plain);
            }
        }
    });
    rewritten(query, &mut Renaming(names))
}
