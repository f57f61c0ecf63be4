//! How long a service that cannot answer now is waited for.
//!
//! | what was seen | then |
//! |---|---|
//! | no connection, or one that broke before the reply began | tried again after a wait that doubles |
//! | 408, 409, 425, 429, 5xx (529 among them) | the same; where the service says how long, that long |
//! | the same with `x-should-retry: false` | given up |
//! | a reply that broke off, or a service that fell silent | the whole turn once more |
//! | 401, 402, 403, 404; a quota that is used up, whatever the status | given up, in the service's words, and after a second attempt the sweep is |
//! | any other status | given up, in the service's words |
//!
//! A turn is tried [`MOST_TRIES`] times at most, [`MOST_CONNECTS`] times where there is no connection, and no single wait is longer than [`LONGEST_WAIT`]. All of it is the
//! service's time: none is counted as the agent's.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::HeaderMap;

/// How often a turn is tried.
pub(super) const MOST_TRIES: u32 = 8;

/// How often, where there is not even a connection: such a service is rather not there than busy.
pub(crate) const MOST_CONNECTS: u32 = 6;

/// How often, where nobody was ever there and someone waits at the screen: an address mistyped is told at once.
pub(crate) const FIRST_CONNECTS: u32 = 3;

/// No single wait is longer, whatever the service says.
pub(super) const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The first wait where the service says nothing; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// Whether a status may pass by waiting.
pub(super) fn may_pass(status: u16, headers: &HeaderMap) -> bool {
    match text(headers, "x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        _ => {
            matches!(status, 408 | 409 | 425 | 429)
                || (status >= 500 && !matches!(status, 501 | 505))
        }
    }
}

/// Whether a status says that the service does not serve this account, key or model at all: no other request fares better.
pub(crate) fn is_denied(status: u16) -> bool {
    matches!(status, 401..=404)
}

/// How long the service asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date, which is read against the
/// service's own clock where it shows it.
pub(super) fn asked_for(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let finite = |number: f64| Duration::try_from_secs_f64(number).ok();
    if let Some(wait) = text(headers, "retry-after-ms")
        .and_then(|ms| ms.parse::<f64>().ok())
        .and_then(|ms| finite(ms / 1e3))
    {
        return Some(wait);
    }
    let said = text(headers, "retry-after")?;
    if let Ok(seconds) = said.parse::<f64>() {
        return finite(seconds);
    }
    let date = |text: &str| DateTimeParser::new().parse_timestamp(text).ok();
    let until = date(said)?;
    let now = text(headers, "date").and_then(date).unwrap_or(now);
    Some(Duration::try_from(until.duration_since(now)).unwrap_or_default())
}

/// How long to wait after the try number `tried` (from 1), `share` from 0 to 1 being the chance in it: many who were sent
/// away together shall not come back together.
pub(super) fn wait(asked_for: Option<Duration>, tried: u32, share: f64) -> Duration {
    match asked_for {
        // Never sooner than asked for.
        Some(asked) => asked.min(LONGEST_WAIT).mul_f64(1.0 + share / 10.0),
        None => FIRST_WAIT
            .saturating_mul(1 << (tried.saturating_sub(1)).min(10))
            .min(LONGEST_WAIT)
            .mul_f64(1.0 - share / 4.0),
    }
}

/// A chance from 0 to 1.
pub(super) fn chance() -> f64 {
    // The one source of randomness in the standard library.
    let random = RandomState::new().build_hasher().finish();
    (random % 1000) as f64 / 1000.0
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    Some(headers.get(name)?.to_str().ok()?.trim())
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |&(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_service_says_in_several_ways_how_long_to_wait() {
        let now: Timestamp = "2026-11-30T09:00:00Z".parse().unwrap();
        let date = "Mon, 30 Nov 2026 09:00:07 GMT";
        for (pairs, ms) in [
            (&[("retry-after", "7")] as &[_], Some(7000)),
            (&[("retry-after", " 1.5 ")], Some(1500)),
            (
                &[("retry-after-ms", "250"), ("retry-after", "7")],
                Some(250),
            ),
            (
                &[("retry-after-ms", "soon"), ("retry-after", "7")],
                Some(7000),
            ),
            (&[("retry-after", date)], Some(7000)),
            (
                &[
                    ("retry-after", date),
                    ("date", "Mon, 30 Nov 2026 09:00:05 GMT"),
                ],
                Some(2000),
            ),
            (&[("retry-after", "Mon, 30 Nov 2026 08:00:00 GMT")], Some(0)),
            (&[("retry-after", "-1")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "later")], None),
            (&[], None),
        ] {
            assert_eq!(
                asked_for(&headers(pairs), now).map(|wait| wait.as_millis()),
                ms,
                "{pairs:?}"
            );
        }
    }

    #[test]
    fn waits_double_have_some_chance_in_them_and_are_bounded() {
        let seconds = |asked: Option<u64>, tried, share| {
            wait(asked.map(Duration::from_secs), tried, share).as_secs_f64()
        };
        for (asked, tried, share, expected) in [
            (None, 1, 0.0, 0.5),
            (None, 2, 0.0, 1.0),
            (None, 2, 1.0, 0.75),
            (None, 7, 0.0, 32.0),
            (None, 8, 0.0, 60.0),
            (None, u32::MAX, 0.0, 60.0),
            (Some(7), 1, 0.0, 7.0),
            (Some(10), 5, 1.0, 11.0),
            (Some(86_400), 1, 0.0, 60.0),
            (Some(0), 3, 0.5, 0.0),
        ] {
            assert!(
                (seconds(asked, tried, share) - expected).abs() < 1e-9,
                "{asked:?} {tried} {share}"
            );
        }
        assert!((0.0..1.0).contains(&chance()));
    }

    #[test]
    fn what_holds_for_every_request_is_told_from_what_holds_for_one() {
        let denied: Vec<u16> = (300..600).filter(|status| is_denied(*status)).collect();
        assert_eq!(denied, [401, 402, 403, 404]);
        assert!(
            !denied
                .iter()
                .any(|status| may_pass(*status, &HeaderMap::new()))
        );
    }

    #[test]
    fn only_what_may_pass_is_waited_for() {
        for (status, pairs, expected) in [
            (429, &[] as &[_], true),
            (529, &[], true),
            (500, &[], true),
            (503, &[], true),
            (501, &[], false),
            (400, &[], false),
            (401, &[], false),
            (404, &[], false),
            (302, &[], false),
            (500, &[("x-should-retry", "false")], false),
            (400, &[("x-should-retry", "true")], true),
        ] {
            assert_eq!(
                may_pass(status, &headers(pairs)),
                expected,
                "{status} {pairs:?}"
            );
        }
    }
}
