//! Texts that are an error message and nothing else, told by how their first line begins.

/// The phrases of HTTP that a server may send alone, in place of anything else.
const STATUS_PHRASES: &[&str] = &[
    "400 bad request",
    "401 unauthorized",
    "403 forbidden",
    "404 not found",
    "405 method not allowed",
    "408 request timeout",
    "413 payload too large",
    "414 uri too long",
    "429 too many requests",
    "500 internal server error",
    "502 bad gateway",
    "503 service unavailable",
    "504 gateway timeout",
];

/// What may stand between `Error` and its colon: "Error executing query:", "Error 500:", "Error in line 3:".
const AFTER_ERROR: &[&str] = &[
    "at", "code", "during", "from", "http", "in", "on", "when", "while",
];

/// How many words the name of an error has at most, before its colon.
const LONGEST_NAME: usize = 6;

/// The message, where the text is one: it begins with the name of an error and a colon, with an HTTP status, or as the
/// traces of common languages do.
pub(super) fn error(text: &str) -> Option<String> {
    let first = text.lines().next()?.trim();
    let lower = first.to_ascii_lowercase();
    let is_message = lower.starts_with("traceback (most recent call last)")
        || lower.starts_with("exception in thread ")
        || lower.starts_with("failed to ")
        || STATUS_PHRASES
            .iter()
            .any(|phrase| lower.starts_with(phrase))
        || begins_with_status(&lower)
        || names_an_error(first);
    is_message.then(|| text.to_owned())
}

/// The title of a page of HTML, or how it begins.
pub(super) fn page(text: &str) -> Option<String> {
    let start: String = text.chars().take(4096).collect();
    let lower = start.to_ascii_lowercase();
    if !lower.starts_with("<!doctype html") && !lower.starts_with("<html") {
        return None;
    }
    let title = lower.find("<title>").zip(lower.find("</title>"));
    let title = title.and_then(|(from, to)| start.get(from + "<title>".len()..to));
    Some(title.unwrap_or(&start).trim().to_owned())
}

/// `HTTP 400 …`, `HTTP Error 429: …`, `HTTP/1.1 503 …`.
fn begins_with_status(lower: &str) -> bool {
    let mut words = lower.split([' ', ':', ',']).filter(|word| !word.is_empty());
    let Some(protocol) = words.next() else {
        return false;
    };
    if protocol != "http" && !protocol.starts_with("http/") {
        return false;
    }
    let status = words.find(|word| !matches!(*word, "error" | "status" | "code"));
    status.is_some_and(|word| {
        word.len() == 3
            && word
                .parse::<u16>()
                .is_ok_and(|status| (400..600).contains(&status))
    })
}

/// `Error: …`, `Error executing query: …`, `Parse error: …`, `requests.exceptions.HTTPError: …`, `Query failed: …`.
fn names_an_error(first: &str) -> bool {
    let Some((name, rest)) = first.split_once(':') else {
        return false;
    };
    // A table's first line has its separators, a name in it may have a colon of its own, and no space behind that.
    if name.contains([',', ';', '|', '\t']) || rest.starts_with(|c: char| !c.is_whitespace()) {
        return false;
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let (Some(start), Some(end)) = (words.first(), words.last()) else {
        return false;
    };
    if words.len() > LONGEST_NAME {
        return false;
    }
    let ends_so = ["error", "exception", "failed", "failure"]
        .iter()
        .any(|word| end.eq_ignore_ascii_case(word));
    let is_type = words.len() == 1 && (end.ends_with("Error") || end.ends_with("Exception"));
    let begins_so = start.eq_ignore_ascii_case("error")
        && words.get(1).is_some_and(|word| {
            let word = word.to_ascii_lowercase();
            word.ends_with("ing")
                || AFTER_ERROR.contains(&word.as_str())
                || word.parse::<u16>().is_ok()
        });
    // "Standard error: 0.3" is a figure.
    let is_figure = rest.trim().parse::<f64>().is_ok();
    is_type || ((ends_so || begins_so) && !is_figure)
}
