//! The tools as an agent is shown them.

use std::sync::Arc;

use rmcp::handler::server::tool::schema_for_type;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use super::arguments;

/// Every tool, in the sequence of a first question.
pub(super) fn all() -> Vec<Tool> {
    vec![
        tool(
            "list_graphs",
            "List the knowledge graphs that can be queried, with their subject, the kinds of entities in them and their size. \
             Start here.",
            schema_for_type::<arguments::ListGraphs>(),
        ),
        tool(
            "get_description",
            "Describe a graph in prose: what it holds, how its statements are built, and which identifiers it uses.",
            schema_for_type::<arguments::GetDescription>(),
        ),
        tool(
            "get_schema",
            "List the classes, relations and properties that a graph uses.",
            schema_for_type::<arguments::GetSchema>(),
        ),
        tool(
            "query",
            "Run a SPARQL query on one graph. Patterns outside GRAPH look in that graph; GRAPH <https://purl.org/okn/frink/kg/NAME> \
             { … } looks in another one. By default each ontology term in the query (MONDO, UBERON, HP, GO, CL, CHEBI) stands for \
             itself and the terms below it, and the reply says so under ontology_expansion; set auto_expand_descendants to false \
             for the term alone.",
            schema_for_type::<arguments::Query>(),
        ),
        tool(
            "multi_graph_query",
            "Run a query on each of several graphs and get all rows in one table, each after the name of its graph.",
            schema_for_type::<arguments::MultiGraphQuery>(),
        ),
        tool(
            "lookup_uri",
            "Find the IRI of an ontology term by its name or an exact synonym, whatever the case.",
            schema_for_type::<arguments::LookupUri>(),
        ),
        tool(
            "get_descendants",
            "List the terms below an ontology term, nearest first.",
            schema_for_type::<arguments::GetDescendants>(),
        ),
        tool(
            "get_join_strategy",
            "Say which entities two graphs have in common, by which identifiers they join, and how such a query is written.",
            schema_for_type::<arguments::GetJoinStrategy>(),
        ),
    ]
}

fn tool(name: &'static str, description: &'static str, schema: Arc<JsonObject>) -> Tool {
    let mut schema = Arc::unwrap_or_clone(schema);
    // The names of our own types are nothing to an agent, nor is the dialect.
    schema.remove("title");
    schema.remove("description");
    schema.remove("$schema");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            // `uint` is a format of Rust's, which some models' APIs refuse.
            property.remove("format");
        }
    }
    Tool::new(name, description, schema)
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}
