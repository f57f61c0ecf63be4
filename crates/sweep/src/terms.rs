//! Which terms a reply names.

use std::collections::HashSet;

use serde_json::Value;

/// Where the terms of the OBO ontologies have their IRIs.
const OBO: &str = "http://purl.obolibrary.org/obo/";

/// The IRIs that the result of a tool call (JSON text of a `CallToolResult`) names, each once, in its sequence: the terms that a
/// tool for descendants lists, whatever its JSON or text looks like. An identifier such as `MONDO:0007179` is given as its IRI.
///
/// ```
/// let reply = r#"{"content":[{"type":"text","text":"{\"descendants\": [{\"uri\": \"http://e/a\"}, {\"uri\": \"GO:0030072\"}]}"}]}"#;
/// assert_eq!(sweep::terms(reply), ["http://e/a", "http://purl.obolibrary.org/obo/GO_0030072"]);
/// ```
pub fn terms(result: &str) -> Vec<String> {
    let mut found = Found::default();
    if let Ok(value) = serde_json::from_str(result) {
        found.value(&value);
    }
    found.terms
}

#[derive(Default)]
struct Found {
    terms: Vec<String>,
    seen: HashSet<String>,
}

impl Found {
    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => match serde_json::from_str(text) {
                // A text block that is JSON again.
                Ok(inner @ (Value::Array(_) | Value::Object(_))) => self.value(&inner),
                _ => self.text(text),
            },
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            // A server may list terms as members: their names are terms then.
            Value::Object(members) => members.iter().for_each(|(name, item)| {
                self.text(name);
                self.value(item);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        let is_between = |c: char| c.is_whitespace() || "\"'<>(),;[]{}|`".contains(c);
        for word in text.split(is_between) {
            let Some(iri) = iri_of(word.trim_end_matches(['.', ':'])) else {
                continue;
            };
            if self.seen.insert(iri.clone()) {
                self.terms.push(iri);
            }
        }
    }
}

/// The IRI that a word is, in full or as an identifier of an OBO ontology.
fn iri_of(word: &str) -> Option<String> {
    if word.starts_with("http://") || word.starts_with("https://") {
        return Some(word.to_owned());
    }
    let (ontology, id) = word.split_once(':').or_else(|| word.split_once('_'))?;
    let is_id = id.len() > 3 && id.bytes().all(|byte| byte.is_ascii_digit());
    let is_ontology = (2..=10).contains(&ontology.len())
        && ontology.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_id && is_ontology).then(|| format!("{OBO}{ontology}_{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn terms_are_found_in_whatever_form_a_server_lists_them() {
        let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
        let mondo = |id: &str| format!("{OBO}MONDO_{id}");
        let both = vec![mondo("0004995"), mondo("0005068")];
        for (result, expected) in [
            (
                text(
                    "- <http://purl.obolibrary.org/obo/MONDO_0004995> heart\n- MONDO:0005068, myocardial infarction.",
                ),
                both.clone(),
            ),
            (
                json!({ "content": [], "structuredContent": { "MONDO_0004995": { "below": ["MONDO_0005068"] } } }),
                both.clone(),
            ),
            (
                // The same list as structured content and as text counts once.
                json!({
                    "content": [{ "type": "text", "text": "[\"MONDO:0004995\", \"MONDO:0005068\"]" }],
                    "structuredContent": { "descendants": [mondo("0004995"), mondo("0005068")] },
                }),
                both,
            ),
            (
                text("3:45 of 12 terms, ratio 1:3000, see note:4"),
                Vec::new(),
            ),
        ] {
            assert_eq!(terms(&result.to_string()), expected, "{result}");
        }
        assert_eq!(terms("no JSON"), Vec::<String>::new());
    }
}
