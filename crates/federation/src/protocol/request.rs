//! What to send.

/// A request to a SPARQL endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The endpoint.
    pub url: String,
    /// The method.
    pub method: &'static str,
    /// Names, in lowercase, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// Asks for types first: CSV has none, and a JSON reply that was cut off shows it. Short and plain enough for a browser to
/// send it to another origin without asking first (at most 128 bytes, no quotes, brackets or colons).
const ACCEPT: &str = "application/sparql-results+json, application/sparql-results+xml;q=0.8, application/n-triples;q=0.5";

/// Asks a query by POST, form-encoded: no length of URL to exceed, and no preflight in a browser.
pub fn request(endpoint: &str, sparql: &str) -> Request {
    Request {
        url: endpoint.to_owned(),
        method: "POST",
        headers: vec![
            ("accept".to_owned(), ACCEPT.to_owned()),
            (
                "content-type".to_owned(),
                "application/x-www-form-urlencoded".to_owned(),
            ),
        ],
        body: format!("query={}", form_encoded(sparql)),
    }
}

/// `application/x-www-form-urlencoded`, as the URL standard serialises it.
fn form_encoded(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(text.len() + text.len() / 2);
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            b'*' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                encoded.push(char::from(byte));
            }
            _ => {
                encoded.push('%');
                for digit in [byte >> 4, byte & 15] {
                    encoded.push(HEX.get(usize::from(digit)).map_or('0', |c| char::from(*c)));
                }
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_sends_it_without_asking_first() {
        let request = request("https://e/", "ASK {}");
        assert_eq!(request.method, "POST");
        let accept = &request.headers[0].1;
        assert!(accept.len() <= 128, "{}", accept.len());
        assert!(!accept.contains(|c: char| "\"():<>?@[\\]{}".contains(c) || c < ' '));
        assert_eq!(request.headers[1].1, "application/x-www-form-urlencoded");
        assert_eq!(request.headers.len(), 2);
    }

    #[test]
    fn a_long_query_is_in_the_body_and_comes_back_whole() {
        // E8
        let query = format!(
            "SELECT * WHERE {{ # ü & + %\n{} }}",
            "?s <http://e/p#q?a=b> \"1\" .\n".repeat(350)
        );
        assert!(query.len() > 9_000);
        let request = request("https://e/sparql?key=1", &query);
        assert_eq!(request.url, "https://e/sparql?key=1");
        let encoded = request.body.strip_prefix("query=").unwrap();
        assert!(
            encoded
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+%*-._".contains(&b))
        );
        assert_eq!(decoded(encoded), query);
    }

    fn decoded(text: &str) -> String {
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'+' => b' ',
                b'%' => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                other => other,
            });
        }
        String::from_utf8(bytes).unwrap()
    }
}
