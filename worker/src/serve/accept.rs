//! Content negotiation: the form of a reply, from what the client accepts.

/// The first of `offers` that the client likes best; `None` where it accepts none of them.
///
/// An offer is known by any of its media types; each is worth the weight of the most specific range that covers it. A client
/// that says nothing accepts everything. Of equal weights the offer that stands first wins.
pub(super) fn choose<T: Copy>(accept: &str, offers: &[(T, &[&str])]) -> Option<T> {
    let ranges: Vec<Range> = accept.split(',').filter_map(Range::parse).collect();
    if ranges.is_empty() {
        return offers.first().map(|(offer, _)| *offer);
    }
    let mut best: Option<(T, f32)> = None;
    for (offer, types) in offers {
        let weight = types
            .iter()
            .map(|media| weight(&ranges, media))
            .fold(0.0, f32::max);
        if weight > best.map_or(0.0, |(_, weight)| weight) {
            best = Some((*offer, weight));
        }
    }
    best.map(|(offer, _)| offer)
}

/// One entry of an Accept header.
struct Range {
    main: String,
    sub: String,
    weight: f32,
}

impl Range {
    fn parse(entry: &str) -> Option<Self> {
        let mut parts = entry.split(';').map(str::trim);
        let media = parts.next()?.to_ascii_lowercase();
        let (main, sub) = media.split_once('/')?;
        let weight = parts
            .filter_map(|parameter| parameter.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
            .and_then(|(_, value)| value.trim().parse().ok())
            .filter(|weight| (0.0..=1.0).contains(weight));
        Some(Self {
            main: main.to_owned(),
            sub: sub.to_owned(),
            weight: weight.unwrap_or(1.0),
        })
    }

    /// How closely it covers a media type: 2 exactly, 1 by its main type, 0 as `*/*`.
    fn covers(&self, media: &str) -> Option<u8> {
        let (main, sub) = media.split_once('/')?;
        match (self.main.as_str(), self.sub.as_str()) {
            (m, s) if m == main && s == sub => Some(2),
            (m, "*") if m == main => Some(1),
            ("*", "*") => Some(0),
            _ => None,
        }
    }
}

fn weight(ranges: &[Range], media: &str) -> f32 {
    ranges
        .iter()
        .filter_map(|range| Some((range.covers(media)?, range.weight)))
        .max_by(|left, right| left.0.cmp(&right.0))
        .map_or(0.0, |(_, weight)| weight)
}

#[cfg(test)]
mod tests {
    use super::choose;

    const OFFERS: [(char, &[&str]); 3] = [
        (
            'j',
            &["application/sparql-results+json", "application/json"],
        ),
        ('x', &["application/sparql-results+xml", "application/xml"]),
        ('c', &["text/csv"]),
    ];

    #[test]
    fn the_client_gets_what_it_likes_best() {
        for (accept, chosen) in [
            ("", Some('j')),
            ("*/*", Some('j')),
            ("text/csv", Some('c')),
            ("TEXT/CSV; charset=utf-8", Some('c')),
            ("application/json", Some('j')),
            ("application/xml, application/json;q=0.9", Some('x')),
            // What a browser's address bar sends.
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                Some('x'),
            ),
            ("text/*, application/*;q=0.5", Some('c')),
            // The more specific range decides, wherever it stands and whatever it says.
            (
                "*/*, application/json;q=0.1, application/sparql-results+json;q=0",
                Some('x'),
            ),
            ("text/csv;q=0, text/*", None),
            ("application/json;q=7", Some('j')),
            ("text/html", None),
            ("nonsense", Some('j')),
            // Of equal weights the server's order decides.
            ("text/csv, application/sparql-results+json", Some('j')),
        ] {
            assert_eq!(choose(accept, &OFFERS), chosen, "{accept}");
        }
    }
}
