//! The dates of HTTP headers.

/// Seconds since 1970-01-01 of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may send; `None` for anything else
/// and for years before 1970.
pub(super) fn seconds(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, rest) = date.trim().split_once(", ")?;
    let mut words = rest.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let name = words.next()?;
    let month = MONTHS.iter().position(|month| *month == name)? as u64 + 1;
    let year: u64 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':');
    let hour: u64 = clock.next()?.parse().ok()?;
    let minute: u64 = clock.next()?.parse().ok()?;
    let second: u64 = clock.next()?.parse().ok()?;
    let in_range = (1970..10_000).contains(&year)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    if words.next()? != "GMT" || words.next().is_some() || clock.next().is_some() || !in_range {
        return None;
    }
    // Days since 0000-03-01, counting years from March so that the leap day comes last, less those until 1970.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let days = days.checked_sub(719_468)?;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn dates_are_seconds_since_1970() {
        for (date, expected) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Fri, 01 Mar 2024 00:00:00 GMT", Some(1_709_251_200)),
            ("Mon, 30 Nov 2026 00:00:00 GMT", Some(1_795_996_800)),
            ("Sun Nov  6 08:49:37 1994", None),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 06 Nov 1994 28:49:37 GMT", None),
            ("Wed, 31 Dec 1969 23:59:59 GMT", None),
            ("7", None),
            ("", None),
        ] {
            assert_eq!(seconds(date), expected, "{date}");
        }
    }
}
