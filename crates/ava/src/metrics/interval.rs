//! Intervals from resampling whole ontologies.

use serde::{Deserialize, Serialize};

use crate::random::PythonRandom;

/// The resamples of an interval unless the caller says otherwise.
pub const RESAMPLES: u32 = 10_000;

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What one ontology brings to a mean: the sum of its values, and how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ClusterSum {
    pub(super) sum: f64,
    pub(super) count: usize,
}

/// A 95 % percentile interval of Σ sums / Σ counts, from drawing clusters with replacement; `None` for fewer than two
/// clusters with a count, which have nothing to resample.
///
/// Triplets of one ontology resemble each other, so whole ontologies are drawn (Davison & Hinkley 1997, section 3.8). The
/// ends are the order statistics that leave 2.5 % of the resamples outside on either side. The same seed gives the same
/// interval everywhere.
pub(super) fn interval(clusters: &[ClusterSum], resamples: u32, seed: u64) -> Option<Interval> {
    let clusters: Vec<ClusterSum> = clusters
        .iter()
        .copied()
        .filter(|cluster| cluster.count > 0)
        .collect();
    let [interval] = resampled(clusters.len(), resamples, seed, |drawn| {
        let mut sum = ClusterSum::default();
        for at in drawn {
            sum.sum += clusters[*at].sum;
            sum.count += clusters[*at].count;
        }
        [sum.sum / sum.count as f64]
    })?;
    Some(interval)
}

/// The same of any figures of the clusters that were drawn, which are given by their places.
pub(super) fn resampled<const N: usize>(
    clusters: usize,
    resamples: u32,
    seed: u64,
    mut figures: impl FnMut(&[usize]) -> [f64; N],
) -> Option<[Interval; N]> {
    let bound = u32::try_from(clusters).ok()?;
    if bound < 2 || resamples == 0 {
        return None;
    }
    let mut random = PythonRandom::new(seed);
    let mut drawn = Vec::with_capacity(clusters);
    let found: Vec<[f64; N]> = (0..resamples)
        .map(|_| {
            drawn.clear();
            drawn.extend((0..bound).map(|_| random.below(bound) as usize));
            figures(&drawn)
        })
        .collect();
    Some(std::array::from_fn(|which| {
        let mut sorted: Vec<f64> = found.iter().map(|figures| figures[which]).collect();
        sorted.sort_by(f64::total_cmp);
        let outside = sorted.len() / 40;
        Interval {
            low: sorted[outside],
            high: sorted[sorted.len() - 1 - outside],
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sum: f64, count: usize) -> ClusterSum {
        ClusterSum { sum, count }
    }

    /// For two clusters with means 0 and 1 a resample's mean is 0, ½ or 1 with chances ¼, ½, ¼; for four clusters of which
    /// one has mean 1 it is k/4 with k binomial(4, ¼), whose 97.5 % point is 3.
    #[test]
    fn intervals_worked_out_by_hand() {
        let two = interval(&[of(0.0, 3), of(3.0, 3)], RESAMPLES, 7);
        assert_eq!(
            two,
            Some(Interval {
                low: 0.0,
                high: 1.0
            })
        );
        let four = [of(3.0, 3), of(0.0, 3), of(0.0, 3), of(0.0, 3)];
        assert_eq!(
            interval(&four, RESAMPLES, 7),
            Some(Interval {
                low: 0.0,
                high: 0.75
            })
        );
    }

    #[test]
    fn one_ontology_has_nothing_to_resample() {
        assert_eq!(interval(&[], RESAMPLES, 1), None);
        assert_eq!(interval(&[of(1.0, 2), of(0.0, 0)], RESAMPLES, 1), None);
    }

    #[test]
    fn a_seed_is_its_interval() {
        let clusters: Vec<_> = (0..9).map(|n| of(f64::from(n), 10)).collect();
        let first = interval(&clusters, 1000, 3);
        assert_eq!(first, interval(&clusters, 1000, 3));
        assert_ne!(first, interval(&clusters, 1000, 4));
        let wide = first.unwrap();
        assert!(wide.low < 0.4 && 0.4 < wide.high);
    }
}
