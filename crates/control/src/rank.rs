//! How far two rankings of the same things agree.

/// Kendall's τ-b of two rankings, given as a rank (or tie class) for each of the same things; from −1 (reversed) to 1.
///
/// `(C − D) / √((n₀ − n₁)(n₀ − n₂))`, where of the `n₀ = n(n − 1)/2` pairs `C` stand in the same order in both
/// rankings, `D` in opposite orders, `n₁` tie in the first and `n₂` in the second (M. G. Kendall, "The treatment of
/// ties in ranking problems", Biometrika 33, 1945). Computed in O(n log n) by counting the exchanges of a merge sort
/// (W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped data", JASA 61, 1966).
///
/// `None` where it is not defined: for fewer than two things, where everything ties in one of the rankings, or where the
/// two are not of equal length.
///
/// ```
/// assert_eq!(control::tau_b(&[1, 2, 3], &[1, 2, 3]), Some(1.0));
/// assert_eq!(control::tau_b(&[1, 2, 3], &[3, 2, 1]), Some(-1.0));
/// assert_eq!(control::tau_b(&[1, 1], &[1, 2]), None);
/// ```
pub fn tau_b(first: &[u32], second: &[u32]) -> Option<f64> {
    if first.len() != second.len() {
        return None;
    }
    let mut pairs: Vec<(u32, u32)> = first.iter().copied().zip(second.iter().copied()).collect();
    pairs.sort_unstable();
    let all = pairs_of(pairs.len());
    let tied_first = tied(&pairs, |pair| pair.0);
    let tied_both = tied(&pairs, |pair| *pair);
    let mut seconds: Vec<u32> = pairs.into_iter().map(|pair| pair.1).collect();
    let discordant = exchanges(&mut seconds);
    let tied_second = tied(&seconds, |rank| *rank);

    let concordant = all + tied_both - tied_first - tied_second - discordant;
    let (loose_first, loose_second) = (all - tied_first, all - tied_second);
    if loose_first == 0 || loose_second == 0 {
        return None;
    }
    // The root of each factor alone: their product may pass 2^53. Equal ones need none, and then full agreement is exactly 1.
    let scale = if loose_first == loose_second {
        loose_first as f64
    } else {
        (loose_first as f64).sqrt() * (loose_second as f64).sqrt()
    };
    let tau = (concordant as f64 - discordant as f64) / scale;
    Some(tau.clamp(-1.0, 1.0))
}

fn pairs_of(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// The pairs that tie, in a sorted list.
fn tied<T, K: PartialEq>(sorted: &[T], key: impl Fn(&T) -> K) -> u64 {
    sorted
        .chunk_by(|a, b| key(a) == key(b))
        .map(|run| pairs_of(run.len()))
        .sum()
}

/// Sorts, and counts the pairs that stood in the wrong order.
fn exchanges(ranks: &mut [u32]) -> u64 {
    let mut spare = ranks.to_vec();
    let mut count = 0;
    let mut width = 1;
    while width < ranks.len() {
        for (block, sorted) in ranks.chunks(2 * width).zip(spare.chunks_mut(2 * width)) {
            let (mut left, mut right) = block.split_at(width.min(block.len()));
            for place in sorted {
                // An empty left half has nothing to be overtaken.
                if right
                    .first()
                    .is_some_and(|r| left.first().is_none_or(|l| r < l))
                {
                    count += left.len() as u64;
                    (*place, right) = (right[0], &right[1..]);
                } else {
                    (*place, left) = (left[0], &left[1..]);
                }
            }
        }
        ranks.copy_from_slice(&spare);
        width *= 2;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, pair by pair.
    fn by_definition(first: &[u32], second: &[u32]) -> Option<f64> {
        let (mut concordant, mut discordant, mut loose_first, mut loose_second) = (0, 0, 0, 0);
        for i in 0..first.len() {
            for j in 0..i {
                let a = first[i].cmp(&first[j]);
                let b = second[i].cmp(&second[j]);
                loose_first += i32::from(a.is_ne());
                loose_second += i32::from(b.is_ne());
                if a.is_ne() && b.is_ne() {
                    concordant += i32::from(a == b);
                    discordant += i32::from(a != b);
                }
            }
        }
        let scale = f64::from(loose_first).sqrt() * f64::from(loose_second).sqrt();
        (scale > 0.0).then(|| f64::from(concordant - discordant) / scale)
    }

    #[test]
    fn known_values() {
        // Kendall's own example of tied rankings, worked by hand: C = 3, D = 1, n₁ = 1, n₂ = 1 of 6 pairs.
        let tau = tau_b(&[1, 2, 2, 3], &[1, 3, 2, 2]).unwrap();
        assert!((tau - 2.0 / 5.0).abs() < 1e-12, "{tau}");
        assert_eq!(tau_b(&[], &[]), None);
        assert_eq!(tau_b(&[7], &[1]), None);
        assert_eq!(tau_b(&[1, 2], &[1]), None);
    }

    fn rankings() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
        prop::collection::vec((0u32..12, 0u32..12), 0..40)
            .prop_map(|pairs| pairs.into_iter().unzip())
    }

    proptest! {
        #[test]
        fn is_what_the_definition_says((a, b) in rankings()) {
            match (tau_b(&a, &b), by_definition(&a, &b)) {
                (Some(quick), Some(slow)) => prop_assert!((quick - slow).abs() < 1e-12),
                (quick, slow) => prop_assert_eq!(quick, slow),
            }
        }

        #[test]
        fn keeps_its_laws((a, b) in rankings()) {
            let tau = tau_b(&a, &b);
            prop_assert_eq!(tau, tau_b(&b, &a), "symmetric");
            let turned: Vec<u32> = b.iter().map(|rank| 100 - rank).collect();
            prop_assert_eq!(tau.map(|tau| -tau + 0.0), tau_b(&a, &turned).map(|tau| tau + 0.0), "reversed");
            let spread: Vec<u32> = b.iter().map(|rank| rank * rank + 7).collect();
            prop_assert_eq!(tau, tau_b(&a, &spread), "by order alone");
            if let Some(own) = tau_b(&a, &a) {
                prop_assert!((own - 1.0).abs() < 1e-12, "itself");
            }
        }
    }
}
