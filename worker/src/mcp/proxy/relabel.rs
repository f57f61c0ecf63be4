//! Soft errors called what they are, before the agent sees them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::frame::range_in;

/// The result of a tool call with `isError` true, and every other byte as it came.
pub(crate) fn relabelled(result: &str) -> Option<String> {
    let members: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_str(result).ok()?;
    let mut changed = result.to_owned();
    if let Some(raw) = members.get("isError") {
        changed.replace_range(range_in(result, raw.get()), "true");
    } else {
        let comma = if members.is_empty() { "" } else { "," };
        changed.insert_str(result.rfind('}')?, &format!(r#"{comma}"isError":true"#));
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::relabelled;

    #[test]
    fn only_the_label_changes() {
        for (result, expected) in [
            (
                r#"{"content":[ ], "isError": false ,"x":1.0}"#,
                r#"{"content":[ ], "isError": true ,"x":1.0}"#,
            ),
            (r#"{"isError":null}"#, r#"{"isError":true}"#),
            (
                r#"{"content":[{"isError":0}] }"#,
                r#"{"content":[{"isError":0}] ,"isError":true}"#,
            ),
            ("{}", r#"{"isError":true}"#),
        ] {
            assert_eq!(relabelled(result).as_deref(), Some(expected));
        }
        assert_eq!(relabelled("[]"), None);
    }
}
