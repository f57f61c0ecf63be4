//! What a server's tools are for.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a tool does with terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolRole {
    /// It runs SPARQL.
    Query,
    /// It lists the terms below a term.
    Descendants,
    /// It finds a term by its label.
    Lookup,
    /// None of these.
    Other,
}

/// What a server calls its tools: the table `[tools]` of a profile.
///
/// ```
/// use sweep::{ToolNames, ToolRole};
///
/// let names = ToolNames::default();
/// assert_eq!(names.role_of("get_descendants"), ToolRole::Descendants);
/// // As an agent program names the tools of a server that it calls `okn`.
/// assert_eq!(names.role_of("mcp__okn__query"), ToolRole::Query);
/// assert_eq!(names.role_of("count_descendants_of_a_mouse"), ToolRole::Other);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ToolNames {
    /// Tools that take SPARQL.
    pub query: Vec<String>,
    /// Tools that list the descendants of a term.
    pub descendants: Vec<String>,
    /// Tools that look a term up by its label.
    pub lookup: Vec<String>,
    /// Arguments of a query tool by which an agent asks the server itself to expand terms.
    pub expand: Vec<String>,
}

impl Default for ToolNames {
    /// As the federation's own server calls them.
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            query: names(&["query", "multi_graph_query"]),
            descendants: names(&["get_descendants"]),
            lookup: names(&["lookup_uri"]),
            expand: names(&["auto_expand_descendants", "bind_expansion_to"]),
        }
    }
}

impl ToolNames {
    /// What the tool of that name is for.
    pub fn role_of(&self, tool: &str) -> ToolRole {
        // Agent programs put the server's name before the tool's, as `mcp__okn__query`.
        let bare = tool.strip_prefix("mcp__").and_then(|rest| {
            let (_, bare) = rest.split_once("__")?;
            Some(bare)
        });
        let is_in = |names: &[String]| {
            names
                .iter()
                .any(|name| name == tool || Some(name.as_str()) == bare)
        };
        if is_in(&self.descendants) {
            ToolRole::Descendants
        } else if is_in(&self.query) {
            ToolRole::Query
        } else if is_in(&self.lookup) {
            ToolRole::Lookup
        } else {
            ToolRole::Other
        }
    }

    /// Whether the arguments of a call ask for an expansion by name: a default of the server's is nobody's request.
    pub fn asks_for_expansion(&self, arguments: &Value) -> bool {
        self.expand
            .iter()
            .filter_map(|name| arguments.get(name))
            .any(|value| match value {
                Value::Bool(flag) => *flag,
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                Value::Null | Value::Number(_) | Value::Object(_) => false,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_table_decides_and_not_what_a_name_looks_like() {
        let names = ToolNames {
            descendants: vec!["subtypes".into()],
            ..ToolNames::default()
        };
        assert_eq!(names.role_of("subtypes"), ToolRole::Descendants);
        assert_eq!(names.role_of("mcp__x__subtypes"), ToolRole::Descendants);
        assert_eq!(names.role_of("get_descendants"), ToolRole::Other);
        assert_eq!(names.role_of("lookup_uri"), ToolRole::Lookup);
        assert_eq!(names.role_of("mcp__x"), ToolRole::Other);
    }

    #[test]
    fn only_an_argument_that_says_yes_asks_for_an_expansion() {
        for (arguments, expected) in [
            (json!({ "auto_expand_descendants": true }), true),
            (json!({ "bind_expansion_to": ["pheno"] }), true),
            (json!({ "auto_expand_descendants": false }), false),
            (json!({ "bind_expansion_to": null }), false),
            (json!({ "bind_expansion_to": [] }), false),
            (json!({ "query_string": "ASK {}" }), false),
            (json!(null), false),
        ] {
            assert_eq!(
                ToolNames::default().asks_for_expansion(&arguments),
                expected,
                "{arguments}"
            );
        }
    }
}
