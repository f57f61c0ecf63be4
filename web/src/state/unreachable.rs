//! What it can be when a browser gives no reply at all.
//!
//! A page is not told why a request failed: the browser says only that it did. What can be said is which causes are
//! possible, from what the page knows about itself and the address.

/// A possible cause, in one sentence, the most likely first.
pub fn causes(page_protocol: &str, online: bool, endpoint: &str) -> Vec<&'static str> {
    let mut causes = Vec::new();
    if !online {
        causes.push("This machine says that it is offline.");
    }
    if page_protocol == "https:" && endpoint.starts_with("http://") && !is_loopback(endpoint) {
        causes.push("Mixed content: this page came over https, so the browser refuses to ask an http address.");
    }
    causes.push("Nothing answers there: the server is down, the address or port is wrong, or a firewall is in between.");
    if !is_loopback(endpoint) || page_protocol == "https:" {
        causes.push("The server's certificate is not valid, or the browser wants permission for addresses on this machine.");
    }
    causes.push("CORS: the server answered without allowing pages from elsewhere to read it (no Access-Control-Allow-Origin). The command line below is not bound by that.");
    causes
}

fn is_loopback(endpoint: &str) -> bool {
    let host = endpoint
        .split_once("://")
        .map_or("", |(_, rest)| rest)
        .split(['/', '?', '#'])
        .next()
        .unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name == "[::1]" || name.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(page: &str, online: bool, endpoint: &str) -> String {
        causes(page, online, endpoint).join(" ")
    }

    #[test]
    fn mixed_content_only_where_it_can_be() {
        assert!(names("https:", true, "http://example.org/sparql").contains("Mixed content"));
        assert!(!names("https:", true, "https://example.org/sparql").contains("Mixed content"));
        assert!(!names("https:", true, "http://127.0.0.1:1/").contains("Mixed content"));
        assert!(!names("http:", true, "http://example.org/").contains("Mixed content"));
    }

    #[test]
    fn cors_and_a_server_that_is_down_are_always_possible() {
        for endpoint in ["http://localhost:3030/ds", "https://example.org/"] {
            let causes = names("http:", true, endpoint);
            assert!(
                causes.contains("CORS") && causes.contains("down"),
                "{causes}"
            );
        }
        assert!(names("http:", false, "https://example.org/").starts_with("This machine says"));
    }

    #[test]
    fn loopback_addresses() {
        for here in [
            "http://localhost/",
            "http://127.0.0.1:8080/x",
            "http://[::1]:3/",
            "http://127.0.0.1",
        ] {
            assert!(is_loopback(here), "{here}");
        }
        assert!(!is_loopback("https://localhost.example.org/"));
    }
}
