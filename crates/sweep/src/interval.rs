//! A share with its denominator and its interval.

use serde::{Deserialize, Serialize};

/// The 97.5 % point of the standard normal distribution: the `z` of a two-sided 95 % interval.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// `hits` out of `of`, with the 95 % Wilson interval; nothing is stated where nothing was counted.
///
/// ```
/// use sweep::Rate;
///
/// let all = Rate::new(12, 12);
/// assert_eq!(all.rate, Some(1.0));
/// assert!((all.low.unwrap() - 0.7575).abs() < 1e-4);
/// assert_eq!(Rate::new(0, 0).rate, None);
///
/// // The same twelve as three attempts at each of four records: asking thrice as often tells no more about other records.
/// let clustered = Rate::clustered(12, &[3, 3, 3, 3]);
/// assert_eq!((clustered.of, clustered.independent), (12, Some(4.0)));
/// assert_eq!(clustered.low, Rate::new(4, 4).low);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// How many had it.
    pub hits: u32,
    /// Out of how many: the denominator.
    pub of: u32,
    /// `hits / of`, from 0 to 1; `None` where `of` is 0.
    pub rate: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// How many independent observations the interval takes them for: `of` at one record, as many as there are records (or
    /// fewer) over several.
    #[serde(default)]
    pub independent: Option<f64>,
}

impl Rate {
    /// The share among attempts at one record, and its interval: what the agent does there, had it been asked for ever. More
    /// hits than attempts cannot be; they are taken as all of them.
    pub fn new(hits: u32, of: u32) -> Self {
        Self::taken_for(hits, of, f64::from(of))
    }

    /// The share among attempts at several records, `sizes` of them at each, and its interval: what the agent does at
    /// records like these.
    ///
    /// Attempts at one record resemble each other, nobody knows how much, so the interval is one that holds however much: no
    /// share of right attempts at a record varies more than `p(1−p)` (Bhatia & Davis 2000, "A better bound on the variance",
    /// Am. Math. Monthly 107), as if all attempts there had gone alike. The mean over `m₁ … mₖ` attempts then varies no more
    /// than over `(Σm)² / Σm²` independent ones (Kish 1965, "Survey Sampling"), which is `k` where all records were asked
    /// equally often, and that is the `n` of the Wilson interval (as Korn & Graubard 1998, Survey Methodology 24, put an
    /// effective sample size in the place of `n`). However often each is asked, it is never more than there are records.
    pub fn clustered(hits: u32, sizes: &[u32]) -> Self {
        let of = sizes.iter().sum();
        let sum = f64::from(of);
        let squares: f64 = sizes.iter().map(|&size| f64::from(size).powi(2)).sum();
        let independent = if of == 0 { 0.0 } else { sum * sum / squares };
        Self::taken_for(hits, of, independent)
    }

    fn taken_for(hits: u32, of: u32, independent: f64) -> Self {
        let hits = hits.min(of);
        let rate = (of > 0).then(|| f64::from(hits) / f64::from(of));
        let interval = rate.and_then(|rate| wilson(rate, independent, Z_95));
        Self {
            hits,
            of,
            rate,
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            independent: rate.map(|_| independent),
        }
    }
}

/// The Wilson score interval for a share `p` of `n` independent observations; `None` where `n` is 0.
///
/// `(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)` (Wilson 1927, "Probable inference, the law of succession, and
/// statistical inference", J. Am. Stat. Assoc. 22; Newcombe 1998, Stat. Med. 17, method 3). It stays within 0 and 1 and keeps
/// a width at shares of 0 and 1, where the textbook interval shrinks to a point.
pub fn wilson(p: f64, n: f64, z: f64) -> Option<(f64, f64)> {
    // Not a number is not above 0 either.
    if !(n > 0.0 && (0.0..=1.0).contains(&p)) {
        return None;
    }
    let z2 = z * z;
    let centre = p + z2 / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // Rounding may put an end a last digit beyond the share itself, or beyond 0 and 1.
    let low = ((centre - spread) / scale).clamp(0.0, p);
    let high = ((centre + spread) / scale).clamp(p, 1.0);
    Some((low, high))
}

/// A count of things in memory, of which there are never four thousand million.
pub(crate) fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with statsmodels 0.15.0 (`proportion_confint`, method `wilson`) and equal to scipy 1.17.1's. The four
    /// fractions with odd denominators are the examples of Newcombe 1998, table I.
    const KNOWN: [(u32, u32, f64, f64); 16] = [
        (12, 12, 0.757_505_993_344_758_9, 1.0),
        (6, 12, 0.253_781_597_633_706, 0.746_218_402_366_294),
        (3, 12, 0.088_941_668_394_054_76, 0.532_305_334_933_565_8),
        (0, 12, 0.0, 0.242_494_006_655_240_96),
        (0, 3, 0.0, 0.561_497_031_755_045_5),
        (1, 3, 0.061_491_944_720_396_26, 0.792_340_399_197_952_3),
        (2, 3, 0.207_659_600_802_047_7, 0.938_508_055_279_603_7),
        (3, 3, 0.438_502_968_244_954_44, 1.0),
        (1, 1, 0.206_549_314_377_237_4, 1.0),
        (1, 2, 0.094_531_205_734_230_68, 0.905_468_794_265_769_3),
        (81, 263, 0.255_288_519_878_274_2, 0.366_209_576_982_800_04),
        (15, 148, 0.062_386_399_530_736_26, 0.160_487_241_723_308_03),
        (0, 20, 0.0, 0.161_125_158_052_819_4),
        (1, 29, 0.006_113_214_292_762_667, 0.171_755_218_793_202_94),
        (500, 1000, 0.469_069_600_368_104_2, 0.530_930_399_631_895_8),
        (
            999_999,
            1_000_000,
            0.999_994_335_088_195_7,
            0.999_999_823_475_423_3,
        ),
    ];

    #[test]
    fn intervals_are_those_of_the_literature() {
        for (hits, of, low, high) in KNOWN {
            let rate = Rate::new(hits, of);
            let (a, b) = (rate.low.unwrap(), rate.high.unwrap());
            assert!((a - low).abs() < 1e-12, "{hits}/{of}: {a} for {low}");
            assert!((b - high).abs() < 1e-12, "{hits}/{of}: {b} for {high}");
        }
    }

    #[test]
    fn nothing_counted_states_nothing() {
        let none = Rate::new(0, 0);
        assert_eq!((none.rate, none.low, none.high), (None, None, None));
        assert_eq!(Rate::clustered(0, &[]), none);
        for (p, n) in [(0.5, 0.0), (f64::NAN, 3.0), (0.5, f64::NAN), (1.5, 3.0)] {
            assert_eq!(wilson(p, n, Z_95), None, "{p} of {n}");
        }
        assert_eq!(
            serde_json::to_string(&none).unwrap(),
            r#"{"hits":0,"of":0,"rate":null,"low":null,"high":null,"independent":null}"#
        );
    }

    #[test]
    fn an_interval_over_records_is_as_wide_as_over_so_many_independent_ones() {
        for (sizes, independent) in [
            (&[1_u32, 1, 1, 1] as &[u32], 4.0),
            (&[3, 3, 3, 3], 4.0),
            (&[100, 100, 100, 100], 4.0),
            (&[5], 1.0),
            // By hand: 6²/(16 + 1 + 1).
            (&[4, 1, 1], 2.0),
        ] {
            let of: u32 = sizes.iter().sum();
            let half = Rate::clustered(of / 2, sizes);
            assert_eq!(half.independent, Some(independent), "{sizes:?}");
            let share = f64::from(of / 2) / f64::from(of);
            assert_eq!(
                half.low.zip(half.high),
                wilson(share, independent, Z_95),
                "{sizes:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn an_interval_holds_its_share_and_stays_within_0_and_1(of in 1_u32..100_000, share in 0.0_f64..=1.0) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and `of`")]
            let hits = (f64::from(of) * share) as u32;
            let Rate { rate, low, high, .. } = Rate::new(hits, of);
            let (rate, low, high) = (rate.unwrap(), low.unwrap(), high.unwrap());
            assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{low} {rate} {high}");
            assert!(low < high);
            // Misses are the hits of the opposite question.
            let (flipped_low, flipped_high) = wilson(1.0 - rate, f64::from(of), Z_95).unwrap();
            assert!((1.0 - flipped_high - low).abs() < 1e-12 && (1.0 - flipped_low - high).abs() < 1e-12);
        }

        #[test]
        fn more_attempts_at_the_same_share_narrow_the_interval(hits in 0_u32..50, more in 0_u32..50, times in 2_u32..10) {
            let of = hits + more + 1;
            let width = |rate: Rate| rate.high.unwrap() - rate.low.unwrap();
            assert!(width(Rate::new(hits * times, of * times)) < width(Rate::new(hits, of)));
        }

        #[test]
        fn asking_every_record_more_often_leaves_its_width(
            records in proptest::collection::vec((0_u32..5, 0_u32..5), 1..10),
            times in 2_u32..10,
        ) {
            let rate = |times: u32| {
                let sizes: Vec<u32> = records.iter().map(|(right, wrong)| (right + wrong + 1) * times).collect();
                let hits: u32 = records.iter().map(|(right, _)| right * times).sum();
                Rate::clustered(hits, &sizes)
            };
            let (once, often) = (rate(1), rate(times));
            assert!((once.low.unwrap() - often.low.unwrap()).abs() < 1e-12);
            assert!((once.high.unwrap() - often.high.unwrap()).abs() < 1e-12);
            assert!(once.independent.unwrap() <= records.len() as f64 + 1e-9);
            // Never narrower than if all of them were independent.
            let naive = Rate::new(once.hits, once.of);
            assert!(once.low.unwrap() <= naive.low.unwrap() + 1e-12 && once.high.unwrap() + 1e-12 >= naive.high.unwrap());
        }
    }
}
