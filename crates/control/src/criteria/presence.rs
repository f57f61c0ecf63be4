//! Whether an endpoint has what the criteria are asked about: counts of what is not there are all 0, and say nothing.

use std::fmt;

use crate::criteria::question::Question;
use crate::criteria::search::SearchArea;
use crate::taxonomy::within;

/// Something that has to be there before the criteria are probed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Presence {
    /// A named graph that holds anything.
    Graph {
        /// Its IRI.
        graph: String,
    },
    /// A class that the hierarchy has.
    Class {
        /// Its IRI.
        class: String,
        /// IRI of the named graph with the hierarchy; `None` for the default graph.
        graph: Option<String>,
    },
    /// Classes of an ontology that the hierarchy has.
    Ontology {
        /// What their IRIs begin with.
        prefix: String,
        /// IRI of the named graph with the hierarchy.
        graph: String,
    },
}

impl Presence {
    /// What a question is about.
    pub fn of_question(question: &Question) -> Vec<Self> {
        let hierarchy = question.hierarchy.position.graph_iri();
        let [first, second] = question.graphs();
        let mut needed = graphs([hierarchy, first, second].into_iter().flatten());
        needed.extend(question.hierarchy.roots.iter().map(|root| Self::Class {
            class: root.as_str().to_owned(),
            graph: hierarchy.map(str::to_owned),
        }));
        needed
    }

    /// What a search is about.
    pub fn of_search(area: &SearchArea) -> Vec<Self> {
        let named = [&area.hierarchy, &area.first, &area.second];
        let mut needed = graphs(named.into_iter().map(String::as_str));
        needed.push(Self::Ontology {
            prefix: area.prefix.clone(),
            graph: area.hierarchy.clone(),
        });
        needed
    }

    /// An ASK whose answer says whether it is there.
    ///
    /// ```
    /// use control::Presence;
    ///
    /// let graph = Presence::Graph { graph: "http://e/data".to_owned() };
    /// let query = spargebra::SparqlParser::new().parse_query(&graph.query()).unwrap();
    /// assert!(matches!(query, spargebra::Query::Ask { .. }));
    /// assert_eq!(graph.to_string(), "a triple in the graph <http://e/data>");
    /// ```
    pub fn query(&self) -> String {
        let body = match self {
            Self::Graph { graph } => within(Some(graph), "?s ?p ?o ."),
            Self::Class { class, graph } => within(
                graph.as_deref(),
                &format!("{{ <{class}> ?p ?o }} UNION {{ ?s ?p <{class}> }}"),
            ),
            Self::Ontology { prefix, graph } => within(
                Some(graph),
                &format!("?class ?p ?o . FILTER(STRSTARTS(STR(?class), \"{prefix}\"))"),
            ),
        };
        format!("ASK {{\n  {body}\n}}")
    }
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Graph { graph } => write!(f, "a triple in the graph <{graph}>"),
            Self::Class { class, graph } => {
                write!(f, "a triple about <{class}>")?;
                match graph {
                    Some(graph) => write!(f, " in the hierarchy <{graph}>"),
                    None => Ok(()),
                }
            }
            Self::Ontology { prefix, graph } => {
                write!(
                    f,
                    "a class that begins with {prefix} in the hierarchy <{graph}>"
                )
            }
        }
    }
}

fn graphs<'a>(named: impl Iterator<Item = &'a str>) -> Vec<Presence> {
    let mut graphs: Vec<Presence> = Vec::new();
    for graph in named {
        let graph = Presence::Graph {
            graph: graph.to_owned(),
        };
        if !graphs.contains(&graph) {
            graphs.push(graph);
        }
    }
    graphs
}
