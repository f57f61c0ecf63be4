//! From what was found to the bytes of a reply.

use std::io;

use federation::Found;
use oxrdf::{Term, Triple, Variable};
use oxttl::{NTriplesSerializer, TurtleSerializer};
use sparesults::{QueryResultsFormat, QueryResultsSerializer};

use super::accept::choose;

/// A reply's body and its media type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    pub(super) media_type: &'static str,
    pub(super) bytes: Vec<u8>,
}

/// Tables first in the form whose cut-off shows and that keeps types.
const TABLES: [(QueryResultsFormat, &[&str]); 4] = [
    (
        QueryResultsFormat::Json,
        &["application/sparql-results+json", "application/json"],
    ),
    (
        QueryResultsFormat::Xml,
        &[
            "application/sparql-results+xml",
            "application/xml",
            "text/xml",
        ],
    ),
    (QueryResultsFormat::Csv, &["text/csv"]),
    (QueryResultsFormat::Tsv, &["text/tab-separated-values"]),
];

const GRAPHS: [(GraphFormat, &[&str]); 2] = [
    (
        GraphFormat::Turtle,
        &["text/turtle", "application/x-turtle"],
    ),
    (
        GraphFormat::NTriples,
        &["application/n-triples", "text/plain"],
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphFormat {
    Turtle,
    NTriples,
}

/// Names and namespaces that shorten a graph.
pub(super) type Prefixes = &'static [(&'static str, &'static str)];

/// Writes what was found in the form that the client likes best; `None` where it accepts no form of it.
pub(super) fn write(found: Found, accept: &str, prefixes: Prefixes) -> Option<io::Result<Body>> {
    Some(match found {
        Found::Boolean(value) => write_boolean(choose(accept, &TABLES)?, value),
        Found::Solutions { variables, rows } => {
            write_rows(choose(accept, &TABLES)?, &variables, &rows)
        }
        Found::Triples(triples) => write_triples(choose(accept, &GRAPHS)?, &triples, prefixes),
    })
}

/// The forms in which something found could be sent, for the message to a client that accepts none.
pub(super) fn forms(found: &Found) -> String {
    let types: Vec<&str> = match found {
        Found::Triples(_) => GRAPHS
            .iter()
            .filter_map(|(_, types)| types.first().copied())
            .collect(),
        _ => TABLES
            .iter()
            .filter_map(|(_, types)| types.first().copied())
            .collect(),
    };
    types.join(", ")
}

fn write_boolean(format: QueryResultsFormat, value: bool) -> io::Result<Body> {
    let serializer = QueryResultsSerializer::from_format(format);
    Ok(Body {
        media_type: format.media_type(),
        bytes: serializer.serialize_boolean_to_writer(Vec::new(), value)?,
    })
}

fn write_rows(
    format: QueryResultsFormat,
    variables: &[Variable],
    rows: &[Vec<Option<Term>>],
) -> io::Result<Body> {
    let serializer = QueryResultsSerializer::from_format(format);
    let mut writer = serializer.serialize_solutions_to_writer(Vec::new(), variables.to_vec())?;
    for row in rows {
        let bound = variables.iter().zip(row);
        writer.serialize(
            bound.filter_map(|(variable, term)| Some((variable.as_ref(), term.as_ref()?.as_ref()))),
        )?;
    }
    Ok(Body {
        media_type: format.media_type(),
        bytes: writer.finish()?,
    })
}

fn write_triples(format: GraphFormat, triples: &[Triple], prefixes: Prefixes) -> io::Result<Body> {
    match format {
        GraphFormat::Turtle => {
            let mut serializer = TurtleSerializer::new();
            for (name, namespace) in prefixes {
                serializer = serializer
                    .with_prefix(*name, *namespace)
                    .map_err(io::Error::other)?;
            }
            let mut writer = serializer.for_writer(Vec::new());
            for triple in triples {
                writer.serialize_triple(triple)?;
            }
            Ok(Body {
                media_type: "text/turtle; charset=utf-8",
                bytes: writer.finish()?,
            })
        }
        GraphFormat::NTriples => {
            let mut writer = NTriplesSerializer::new().for_writer(Vec::new());
            for triple in triples {
                writer.serialize_triple(triple)?;
            }
            Ok(Body {
                media_type: "application/n-triples",
                bytes: writer.finish(),
            })
        }
    }
}
