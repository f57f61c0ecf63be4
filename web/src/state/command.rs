//! The same query outside the page: as a command line and as a link.

/// A `curl` command that sends the query the way the page does, ready to paste into a POSIX shell.
pub fn curl(endpoint: &str, sparql: &str) -> String {
    format!(
        "curl --fail-with-body --silent --show-error \\\n  --header 'Accept: application/sparql-results+json' \\\n  --data-urlencode {} \\\n  {}",
        quote(&format!("query={sparql}")),
        quote(endpoint)
    )
}

/// A link that asks the endpoint by GET, for the browser's address bar; `None` for an address that no browser opens or a
/// query too long for one.
pub fn link(endpoint: &str, sparql: &str) -> Option<String> {
    // Proxies in front of public endpoints commonly refuse request lines above 8 kB.
    const LONGEST: usize = 8_000;
    if !is_web_address(endpoint) {
        return None;
    }
    let separator = if endpoint.contains('?') { '&' } else { '?' };
    let link = format!(
        "{endpoint}{separator}query={}",
        crate::query::encode(sparql)
    );
    (link.len() <= LONGEST).then_some(link)
}

/// Whether the text is an address that the page can send a request to.
pub fn is_web_address(text: &str) -> bool {
    let after_scheme = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    after_scheme.is_some_and(|rest| {
        !rest.is_empty() && !rest.starts_with('/') && !rest.contains(char::is_whitespace)
    })
}

/// One shell word: single quotes keep everything but themselves.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_survive_the_shell() {
        let command = curl("https://example.org/sparql", "ASK { ?s ?p 'it''s' }");
        assert!(
            command.ends_with("'https://example.org/sparql'"),
            "{command}"
        );
        assert!(
            command.contains(r"'query=ASK { ?s ?p '\''it'\'''\''s'\'' }'"),
            "{command}"
        );
    }

    #[test]
    fn links_only_where_a_browser_can_follow() {
        assert_eq!(
            link("https://example.org/sparql", "ASK { }").as_deref(),
            Some("https://example.org/sparql?query=ASK%20%7B%20%7D")
        );
        assert_eq!(
            link("https://example.org/?db=x", "ASK{}").as_deref(),
            Some("https://example.org/?db=x&query=ASK%7B%7D")
        );
        assert_eq!(link("javascript:alert(1)", "ASK{}"), None);
        assert_eq!(link("https://example.org/", &"x".repeat(9_000)), None);
    }

    #[test]
    fn addresses() {
        for good in [
            "https://apps.okn.us/federation/sparql",
            "http://localhost:3030/ds",
        ] {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "",
            "https://",
            "http:///x",
            "ftp://x",
            "localhost:3030",
            "https://a b",
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }
}
