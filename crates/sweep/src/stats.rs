//! The two tests that a comparison of models makes: a paired bootstrap and `McNemar`'s.

use serde::{Deserialize, Serialize};

/// The resamples of an interval unless the caller says otherwise.
pub const RESAMPLES: u32 = 10_000;

/// One record's sums on both sides: the unit that is resampled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// Sum of the figure over the first side's attempts.
    pub first: f64,
    /// How many attempts that sum has.
    pub first_of: u32,
    /// Sum of the figure over the second side's attempts.
    pub second: f64,
    /// How many attempts that sum has.
    pub second_of: u32,
}

/// A difference between two sides, first less second, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The first side's mean less the second's.
    pub difference: f64,
    /// Lower end of the 95 % interval; `None` for fewer than two records, which have nothing to resample.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// Records that both sides have: the clusters.
    pub records: u32,
}

/// The difference of two means over attempts, with a 95 % percentile interval from a paired bootstrap over records;
/// `None` where no record has attempts on both sides.
///
/// Records are drawn with replacement, each with all its attempts on both sides, because attempts at one record resemble
/// each other and both sides met the same records (Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapters
/// 8 and 13; Davison & Hinkley 1997, section 3.8). The ends are the order statistics that leave 2.5 % of the resamples
/// outside on either side. The same seed gives the same interval everywhere. With fewer than about ten records such an
/// interval is too narrow: [`Gap::records`] says how many there were.
pub fn paired_bootstrap(clusters: &[Cluster], resamples: u32, seed: u64) -> Option<Gap> {
    let clusters: Vec<Cluster> = clusters
        .iter()
        .copied()
        .filter(|cluster| cluster.first_of > 0 && cluster.second_of > 0)
        .collect();
    let difference = difference(clusters.iter())?;
    let records = crate::interval::size(clusters.len());
    if records < 2 || resamples == 0 {
        return Some(Gap {
            difference,
            low: None,
            high: None,
            records,
        });
    }
    let mut random = SplitMix64(seed);
    let mut differences: Vec<f64> = (0..resamples)
        .filter_map(|_| {
            let mut drawn = Cluster::default();
            for _ in 0..records {
                let cluster = &clusters[random.below(records) as usize];
                drawn.first += cluster.first;
                drawn.first_of += cluster.first_of;
                drawn.second += cluster.second;
                drawn.second_of += cluster.second_of;
            }
            self::difference([&drawn])
        })
        .collect();
    differences.sort_by(f64::total_cmp);
    let last = differences.len() - 1;
    let outside = differences.len() / 40;
    Some(Gap {
        difference,
        low: Some(differences[outside]),
        high: Some(differences[last - outside]),
        records,
    })
}

fn difference<'a>(clusters: impl IntoIterator<Item = &'a Cluster>) -> Option<f64> {
    let mut sum = Cluster::default();
    for cluster in clusters {
        sum.first += cluster.first;
        sum.first_of += cluster.first_of;
        sum.second += cluster.second;
        sum.second_of += cluster.second_of;
    }
    (sum.first_of > 0 && sum.second_of > 0)
        .then(|| sum.first / f64::from(sum.first_of) - sum.second / f64::from(sum.second_of))
}

/// The generator of Steele, Lea & Flood 2014 ("Fast splittable pseudorandom number generators"): written out here,
/// because a published interval has to come out the same with every release of every library.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each as likely as the next to within 2⁻³².
    fn below(&mut self, bound: u32) -> u32 {
        let high = self.next() >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }
}

/// Paired yes-or-no outcomes of two sides, and `McNemar`'s exact test on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// Pairs in which both sides had it.
    pub both: u32,
    /// Pairs in which only the first had it.
    pub first_only: u32,
    /// Pairs in which only the second had it.
    pub second_only: u32,
    /// Pairs in which neither had it.
    pub neither: u32,
    /// Two-sided exact probability of a split at least as uneven if neither side were better; `None` without a pair.
    pub p: Option<f64>,
}

impl McNemar {
    /// The test over pairs of (first, second).
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut test = Self::default();
        let mut any = false;
        for pair in pairs {
            any = true;
            match pair {
                (true, true) => test.both += 1,
                (true, false) => test.first_only += 1,
                (false, true) => test.second_only += 1,
                (false, false) => test.neither += 1,
            }
        }
        test.p = any.then(|| mcnemar(test.first_only, test.second_only));
        test
    }
}

/// The two-sided exact p of `McNemar`'s test for discordant pairs: `min(1, 2·P(X ≤ min(b, c)))` with `X` binomial over
/// `b + c` fair coins (`McNemar` 1947, Psychometrika 12; Agresti 2013, "Categorical Data Analysis", section 11.1.2). It is 1
/// where no pair is discordant.
///
/// ```
/// assert_eq!(sweep::mcnemar(6, 0), 0.03125);
/// ```
pub fn mcnemar(first_only: u32, second_only: u32) -> f64 {
    /// 2⁻⁵¹²: scaling by a power of two costs no digit.
    const SCALE: f64 = f64::from_bits((1023 - 512) << 52);
    let coins = first_only.saturating_add(second_only);
    let mut choose = 1.0;
    let mut tail = 0.0;
    let mut halvings = f64::from(coins) - 1.0;
    for k in 0..=first_only.min(second_only) {
        tail += choose;
        choose = choose * f64::from(coins - k) / f64::from(k + 1);
        // Binomial coefficients outgrow a double from about a thousand coins on.
        while choose > 1.0 / SCALE {
            choose *= SCALE;
            tail *= SCALE;
            halvings -= 512.0;
        }
    }
    // In two steps, because one factor alone may be below the smallest double though the product is not.
    (tail * (-halvings / 2.0).floor().exp2() * (-halvings / 2.0).ceil().exp2()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with statsmodels 0.15.0 (`mcnemar`, exact) and equal to scipy 1.17.1's `binomtest`. 86 against 150
    /// are the discordant pairs of Agresti's approval ratings (2013, table 11.1).
    const KNOWN: [(u32, u32, f64); 14] = [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (6, 0, 0.031_25),
        (9, 0, 0.003_906_25),
        (3, 1, 0.625),
        (4, 1, 0.375),
        (5, 5, 1.0),
        (10, 2, 0.038_574_218_75),
        (1, 9, 0.021_484_375),
        (7, 25, 0.002_102_401_573_210_954_7),
        (59, 6, 4.964_650_327_128_616e-12),
        (86, 150, 3.715_936_139_571_386_6e-5),
        (300, 250, 0.036_578_745_549_102_676),
        (1200, 1100, 0.038_966_852_683_820_23),
    ];

    #[test]
    fn probabilities_are_those_of_other_programs() {
        for (b, c, p) in KNOWN {
            let here = mcnemar(b, c);
            assert!((here - p).abs() <= p * 1e-9, "{b}, {c}: {here} for {p}");
        }
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs of the reference implementation (Vigna's splitmix64.c) from the state 1234567.
        let mut random = SplitMix64(1_234_567);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn pairs_are_counted_by_what_each_side_had() {
        let test = McNemar::of([(true, true), (true, false), (true, false), (false, false)]);
        assert_eq!(
            (
                test.both,
                test.first_only,
                test.second_only,
                test.neither,
                test.p
            ),
            (1, 2, 0, 1, Some(0.5))
        );
        assert_eq!(McNemar::of([]).p, None);
    }

    fn sums(first: f64, second: f64) -> Cluster {
        Cluster {
            first,
            first_of: 3,
            second,
            second_of: 3,
        }
    }

    #[test]
    fn one_record_has_a_difference_and_no_interval() {
        let gap = paired_bootstrap(&[sums(3.0, 1.0)], RESAMPLES, 1).unwrap();
        assert!((gap.difference - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((gap.low, gap.high, gap.records), (None, None, 1));
    }

    #[test]
    fn a_record_that_one_side_lacks_is_left_out() {
        let lacking = Cluster {
            second_of: 0,
            ..sums(3.0, 0.0)
        };
        assert_eq!(paired_bootstrap(&[lacking], RESAMPLES, 1), None);
        let both = [sums(3.0, 3.0), sums(1.0, 1.0), lacking];
        let gap = paired_bootstrap(&both, RESAMPLES, 1).unwrap();
        assert_eq!((gap.difference, gap.records), (0.0, 2));
    }

    /// For two records with differences 0 and 1 the resampled difference is 0, ½ or 1 with chances ¼, ½ and ¼; for four
    /// with one difference of 1 it is k/4 with k binomial(4, ¼), whose 97.5 % point is 3.
    #[test]
    fn an_interval_is_the_one_worked_out_by_hand() {
        let two = paired_bootstrap(&[sums(3.0, 0.0), sums(3.0, 3.0)], RESAMPLES, 7).unwrap();
        assert_eq!(
            (two.difference, two.low, two.high),
            (0.5, Some(0.0), Some(1.0))
        );
        let one = sums(3.0, 0.0);
        let rest = sums(3.0, 3.0);
        let four = paired_bootstrap(&[one, rest, rest, rest], RESAMPLES, 7).unwrap();
        assert_eq!(
            (four.difference, four.low, four.high),
            (0.25, Some(0.0), Some(0.75))
        );
    }

    proptest::proptest! {
        #[test]
        fn mcnemar_is_symmetric_and_a_probability(b in 0_u32..400, c in 0_u32..400) {
            let p = mcnemar(b, c);
            assert!(p > 0.0 && p <= 1.0);
            assert!((p - mcnemar(c, b)).abs() < 1e-15);
            // A more uneven split of as many pairs is never more probable.
            if b > 0 && b <= c {
                assert!(mcnemar(b - 1, c + 1) <= p * (1.0 + 1e-9));
            }
        }

        #[test]
        fn a_bootstrap_is_its_seed_and_turns_round(
            records in proptest::collection::vec((0.0_f64..=3.0, 0.0_f64..=3.0), 2..12),
            seed: u64,
        ) {
            let clusters: Vec<Cluster> = records.iter().map(|&(a, b)| sums(a, b)).collect();
            let gap = paired_bootstrap(&clusters, 500, seed).unwrap();
            assert_eq!(paired_bootstrap(&clusters, 500, seed).unwrap(), gap);
            let (low, high) = (gap.low.unwrap(), gap.high.unwrap());
            assert!(-1.0 - 1e-12 <= low && low <= high && high <= 1.0 + 1e-12);
            let turned: Vec<Cluster> = records.iter().map(|&(a, b)| sums(b, a)).collect();
            let turned = paired_bootstrap(&turned, 500, seed).unwrap();
            assert!((turned.difference + gap.difference).abs() < 1e-12);
            assert!((turned.low.unwrap() + high).abs() < 1e-12 && (turned.high.unwrap() + low).abs() < 1e-12);
        }
    }
}
