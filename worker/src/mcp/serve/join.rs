//! `get_join_strategy`: the entities that two graphs name alike, and how a query goes from one to the other.

use std::sync::Arc;

use serde::Serialize;

use super::graphs::{Graph, Graphs};
use super::known::{Key, PREFIXES, known};
use super::reply::Refused;
use crate::endpoint::Endpoint;

/// The reply of `get_join_strategy`.
#[derive(Debug, Serialize)]
pub(super) struct Reply {
    graph_a: String,
    graph_b: String,
    strategies: Vec<Strategy>,
    count: usize,
    note: String,
}

#[derive(Debug, Serialize)]
struct Strategy {
    entity: &'static str,
    join_on: &'static str,
    iri_pattern: String,
    pattern_a: &'static str,
    pattern_b: &'static str,
    /// Entities that both graphs have, where they could be counted.
    shared_entities: Option<u64>,
    example_query: String,
}

/// Finds the joins of two graphs, from what is known of both, and counts what they share.
pub(super) async fn strategy(
    endpoint: &Arc<Endpoint>,
    graphs: &Graphs,
    a: &str,
    b: &str,
) -> Result<Reply, Refused> {
    let (a, b) = (graphs.named(a).await?, graphs.named(b).await?);
    let (Some(known_a), Some(known_b)) = (known(a.name()), known(b.name())) else {
        return Err(Refused(format!(
            "nothing is known of how {} and {} name their entities; compare their schemas",
            a.name(),
            b.name()
        )));
    };
    let mut strategies = Vec::new();
    for key_a in known_a.keys {
        for key_b in known_b.keys.iter().filter(|key_b| key_b.iri == key_a.iri) {
            strategies.push(Strategy {
                entity: key_a.entity,
                join_on: "the same IRI, with no rewriting",
                iri_pattern: format!("{}{{id}}", key_a.iri),
                pattern_a: key_a.pattern,
                pattern_b: key_b.pattern,
                shared_entities: shared(endpoint, (&a, key_a), (&b, key_b)).await,
                example_query: both(
                    (&a, key_a),
                    (&b, key_b),
                    &format!("DISTINCT ?{}", key_a.entity),
                    " LIMIT 10",
                ),
            });
        }
    }
    let note = match strategies.as_slice() {
        [] => format!(
            "{} and {} have no kind of entity in common",
            a.name(),
            b.name()
        ),
        some => {
            let entities: Vec<&str> = some.iter().map(|strategy| strategy.entity).collect();
            format!(
                "both graphs name each {} by the same raw IRI: use one variable in both GRAPH blocks",
                entities.join(" and each ")
            )
        }
    };
    Ok(Reply {
        graph_a: a.name().to_owned(),
        graph_b: b.name().to_owned(),
        count: strategies.len(),
        strategies,
        note,
    })
}

async fn shared(endpoint: &Endpoint, a: (&Graph, &Key), b: (&Graph, &Key)) -> Option<u64> {
    let count = format!("(COUNT(DISTINCT ?{}) AS ?n)", a.1.entity);
    let answer = endpoint.query(&both(a, b, &count, "")).await.ok()?;
    let row = answer.table.rows().next()?;
    row.first()?.to_string().parse().ok()
}

/// A query over the entities of both. The subqueries keep one graph's rows from multiplying the other's.
fn both(
    (a, key_a): (&Graph, &Key),
    (b, key_b): (&Graph, &Key),
    select: &str,
    tail: &str,
) -> String {
    let entity = key_a.entity;
    let block = |graph: &Graph, pattern: &str| {
        format!(
            "  {{ SELECT DISTINCT ?{entity} WHERE {{ GRAPH <{}> {{ {pattern} }} }} }}\n",
            graph.iri
        )
    };
    format!(
        "{PREFIXES}SELECT {select} WHERE {{\n{}{}}}{tail}",
        block(a, key_a.pattern),
        block(b, key_b.pattern)
    )
}
