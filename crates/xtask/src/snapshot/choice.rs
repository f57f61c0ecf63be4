//! The one source of variety in what is made up: a fixed hash of names, so that every build chooses alike.

/// FNV-1a over the parts with a separator, then the finaliser of splitmix64, whose low bits are as good as its high ones.
pub(super) fn scatter(parts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// A number below `bound` that the parts decide; 0 where the bound is 0.
pub(super) fn below(bound: usize, parts: &[&str]) -> usize {
    let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
    usize::try_from(scatter(parts) % bound).unwrap_or(0)
}

/// The items in an order that has nothing to do with their names, told apart by `purpose`.
pub(super) fn shuffled<'a>(
    items: impl IntoIterator<Item = &'a str>,
    purpose: &str,
) -> Vec<&'a str> {
    let mut keyed: Vec<(u64, &str)> = items
        .into_iter()
        .map(|item| (scatter(&[purpose, item]), item))
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::{below, scatter, shuffled};

    #[test]
    fn the_choice_is_fixed_for_good() {
        assert_eq!(
            scatter(&[]),
            0xf52a_15e9_a9b5_e89b,
            "the snapshot would change whole"
        );
        assert_ne!(scatter(&["ab", "c"]), scatter(&["a", "bc"]));
        assert!(below(7, &["x"]) < 7);
        assert_eq!(below(0, &["x"]), 0);
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_ignores_the_order_given() {
        let one = shuffled(["a", "b", "c", "d"], "test");
        let other = shuffled(["d", "c", "b", "a"], "test");
        assert_eq!(one, other);
        let mut sorted = one;
        sorted.sort_unstable();
        assert_eq!(sorted, ["a", "b", "c", "d"]);
    }
}
