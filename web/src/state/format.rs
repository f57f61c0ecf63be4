//! Numbers, durations and IRIs as people read them.

/// A count with its thousands apart: `10 324` (the gap is a narrow no-break space, so that it never wraps).
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A count and its noun: `1 row`, `15 rows`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A duration given in milliseconds: `82 ms`, `1.24 s`, `3 min 20 s`.
pub fn duration(ms: f64) -> String {
    if !ms.is_finite() || ms < 0.0 {
        return "unknown".to_owned();
    }
    if ms < 999.5 {
        format!("{ms:.0} ms")
    } else if ms < 99_500.0 {
        format!("{:.*} s", if ms < 9_995.0 { 2 } else { 1 }, ms / 1_000.0)
    } else {
        let seconds = (ms / 1_000.0).round();
        format!(
            "{:.0} min {:.0} s",
            (seconds / 60.0).floor(),
            seconds % 60.0
        )
    }
}

/// A score between 0 and 1 with two decimals, never rounded up to `1.00` unless it is one.
pub fn score(value: f64) -> String {
    if value < 1.0 && value > 0.994 {
        "0.99".to_owned()
    } else if value > 0.0 && value < 0.006 {
        "0.01".to_owned()
    } else {
        format!("{value:.2}")
    }
}

/// A size in bytes: `512 B`, `3.4 kB`, `1.2 MB`.
pub fn bytes(n: u64) -> String {
    if n < 1_000 {
        format!("{n} B")
    } else if n < 1_000_000 {
        format!("{:.1} kB", n as f64 / 1e3)
    } else {
        format!("{:.1} MB", n as f64 / 1e6)
    }
}

/// The day of an RFC 3339 time stamp.
pub fn day(timestamp: &str) -> String {
    timestamp
        .split(['T', ' '])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The first twelve characters of a hash, enough to compare by eye.
pub fn short_hash(hash: &str) -> String {
    hash.chars().take(12).collect()
}

/// The namespaces that the federation's graphs use, longest first where one contains another.
const PREFIXES: &[(&str, &str)] = &[
    ("http://purl.obolibrary.org/obo/MONDO_", "MONDO:"),
    ("http://purl.obolibrary.org/obo/HP_", "HP:"),
    ("http://purl.obolibrary.org/obo/GO_", "GO:"),
    ("http://purl.obolibrary.org/obo/", "obo:"),
    ("https://w3id.org/biolink/vocab/", "biolink:"),
    ("http://www.w3.org/2000/01/rdf-schema#", "rdfs:"),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"),
    ("http://www.w3.org/2001/XMLSchema#", "xsd:"),
    ("http://schema.org/", "schema:"),
    ("https://purl.org/okn/frink/kg/", "kg:"),
    ("http://identifiers.org/ensembl/", "ensembl:"),
    ("https://identifiers.org/ensembl:", "ensembl:"),
];

/// An IRI by its compact name where the namespace is one of the federation's, else as it is.
pub fn short_iri(iri: &str) -> String {
    PREFIXES
        .iter()
        .find_map(|(namespace, prefix)| {
            iri.strip_prefix(namespace)
                .filter(|local| !local.is_empty())
                .map(|local| format!("{prefix}{local}"))
        })
        .unwrap_or_else(|| iri.to_owned())
}

/// Whether a cell's text is an address worth a link.
pub fn is_iri(text: &str) -> bool {
    (text.starts_with("http://") || text.starts_with("https://"))
        && !text.contains(char::is_whitespace)
}

/// The first line of a text, or its first `limit` characters and an ellipsis.
pub fn first_line(text: &str, limit: usize) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    if line.chars().count() <= limit {
        return line.to_owned();
    }
    let cut: String = line.chars().take(limit).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        for (n, expected) in [
            (0, "0"),
            (999, "999"),
            (1_628, "1\u{202f}628"),
            (1_000_000, "1\u{202f}000\u{202f}000"),
        ] {
            assert_eq!(count(n), expected);
        }
        assert_eq!(counted(1, "row", "rows"), "1 row");
        assert_eq!(counted(0, "row", "rows"), "0 rows");
    }

    #[test]
    fn durations() {
        for (ms, expected) in [
            (0.4, "0 ms"),
            (82.4, "82 ms"),
            (999.7, "1.00 s"),
            (19_900.0, "19.9 s"),
            (200_000.0, "3 min 20 s"),
            (f64::NAN, "unknown"),
        ] {
            assert_eq!(duration(ms), expected);
        }
    }

    #[test]
    fn a_score_that_is_not_perfect_never_reads_as_perfect() {
        assert_eq!(score(1.0), "1.00");
        assert_eq!(score(0.9999), "0.99");
        assert_eq!(score(0.0001), "0.01");
        assert_eq!(score(0.0), "0.00");
        assert_eq!(score(0.2963), "0.30");
    }

    #[test]
    fn iris_by_their_usual_names() {
        assert_eq!(
            short_iri("http://purl.obolibrary.org/obo/MONDO_0004995"),
            "MONDO:0004995"
        );
        assert_eq!(short_iri("https://example.org/x"), "https://example.org/x");
        assert_eq!(short_iri("http://schema.org/"), "http://schema.org/");
    }

    #[test]
    fn days_and_hashes() {
        assert_eq!(day("2026-11-30T03:09:00Z"), "2026-11-30");
        assert_eq!(day("2026-11-30"), "2026-11-30");
        assert_eq!(short_hash("0123456789abcdef"), "0123456789ab");
    }

    #[test]
    fn first_lines() {
        assert_eq!(first_line("one\ntwo", 10), "one");
        assert_eq!(first_line("one two three", 8), "one two…");
    }
}
