//! What tools reply when they fail on purpose.

use oxrdf::Variable;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};
use serde_json::{Value, json};

use super::super::{arguments, expansion};
use super::Fault;

/// The reply of a tool that has the fault; none where the fault is not in this call.
pub(super) fn of(fault: Fault, tool: &str, arguments: &JsonObject) -> Option<CallToolResult> {
    Some(match (fault, tool) {
        (Fault::TooManyInBody, "get_descendants") => payload(&json!({
            "uri": arguments.get("uri"),
            "label": null,
            "max_depth": arguments.get("max_depth").cloned().unwrap_or(json!(5)),
            "descendant_count": 0,
            "descendants": [],
            "error": "Failed to fetch descendants: HTTP Error 429: Too Many Requests",
        })),
        (Fault::TooManyInBody | Fault::BrokenLookup, "lookup_uri") => payload(&json!({
            "query_label": arguments.get("label"),
            "match_count": 0,
            "matches": [],
            "error": "Lookup failed: HTTP Error 429: Too Many Requests",
        })),
        (Fault::ErrorText, "query") => {
            text("Error: HTTP 400 Bad Request: undefined prefix at line 1")
        }
        (Fault::OkWithError, "query") => payload(&json!({
            "ok": true,
            "data": [],
            "error": "the endpoint did not answer",
        })),
        (Fault::RichError, "query") => rich_error(),
        (Fault::CutJson, "query") => text(
            "{\"graph_name\":\"nde\",\"columns\":[\"condition\",\"n\"],\"data\":[[\"http://purl.obolibrary.org/obo/MONDO_0",
        ),
        (Fault::LargeReply, "query") => payload(&large()),
        (Fault::ValuesCollision | Fault::BindCollision, "query") => {
            return collision(fault, arguments);
        }
        _ => return None,
    })
}

fn text(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn payload(value: &Value) -> CallToolResult {
    text(&value.to_string())
}

fn rich_error() -> CallToolResult {
    let mut meta = MetaObject::new();
    meta.insert("org.example/trace".to_owned(), json!({"id": 7, "at": 1.50}));
    let mut result = CallToolResult::error(vec![
        ContentBlock::text("the endpoint refused the query"),
        ContentBlock::text("undefined prefix at line 1"),
    ]);
    result.structured_content = Some(json!({"error": {"line": 1, "prefix": null}}));
    result.with_meta(Some(meta))
}

/// Rows whose text is five megabytes long.
fn large() -> Value {
    const BYTES: usize = 5 << 20;
    let row = json!([
        "http://purl.obolibrary.org/obo/MONDO_0004995",
        "cardiovascular disorder",
        "447"
    ]);
    let count = BYTES / row.to_string().len() + 1;
    json!({
        "graph_name": "nde",
        "columns": ["condition", "name", "datasets"],
        "data": vec![row; count],
        "count": count,
    })
}

/// The published messages of the public server's rewriter, where a query is one that it breaks on.
fn collision(fault: Fault, arguments: &JsonObject) -> Option<CallToolResult> {
    let asked: arguments::Query = serde_json::from_value(Value::Object(arguments.clone())).ok()?;
    let query = federation::parse_query(&asked.query_string).ok()?;
    if !asked.auto_expand_descendants {
        return None;
    }
    let message = if fault == Fault::ValuesCollision {
        let name = asked.bind_expansion_to?.into_iter().next()?;
        let variable = Variable::new(name.trim_start_matches(['?', '$'])).ok()?;
        expansion::lists_terms(&query, &variable)
            .then(|| format!("Token \"{variable}\": extraneous input '{variable}'"))?
    } else {
        let variable = expansion::binds_term(&query)?;
        format!(
            "The target variable {variable} of an AS clause was already used before in the query body"
        )
    };
    Some(payload(
        &json!({ "error": format!("Query execution failed: {message}") }),
    ))
}
