//! The token-set ratio against `RapidFuzz`'s own figures; natively and in WebAssembly alike, to the last bit.
//!
//! `test_data/make.py` made the figures.

use ava::{Processor, Scorer, TokenSet, token_set_ratio};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn ratios_are_rapidfuzz_s_to_the_last_bit() {
    let mut scorer = Scorer::default();
    let mut count = 0;
    for line in include_str!("../test_data/lexical.jsonl").lines() {
        let (first, second, raw, processed): (String, String, f64, f64) =
            serde_json::from_str(line).unwrap();
        for (processor, expected) in [(Processor::None, raw), (Processor::Default, processed)] {
            let (a, b) = (processor.apply(&first), processor.apply(&second));
            let (a, b) = (TokenSet::of(&a), TokenSet::of(&b));
            let found = scorer.ratio(&a, &b);
            assert_eq!(
                found.to_bits(),
                expected.to_bits(),
                "{processor:?} {first:?} {second:?}: {found} for {expected}"
            );
            assert_eq!(scorer.ratio(&b, &a).to_bits(), found.to_bits());
        }
        count += 1;
    }
    assert_eq!(count, 600);
}

/// Worked out by hand: the shared words, the rests, and what their lengths make.
#[test]
fn ratios_worked_out_by_hand() {
    let cases = [
        // No word on a side.
        ("", "", 0.0),
        ("", "a", 0.0),
        (" \t\u{3000}", "a", 0.0),
        // All words of one side are in the other.
        ("a b", "b a", 100.0),
        ("a a a", "a", 100.0),
        ("a", "a b c", 100.0),
        // Nothing shared: plain insertions and deletions, 2 of 4.
        ("ab", "bc", 50.0),
        ("a", "b", 0.0),
        ("A", "a", 0.0),
        // Shared "x" (1), rests "a" and "b": 1 - 2/6 against 1 - 2/4.
        ("x a", "b x", 100.0 - 100.0 * 2.0 / 6.0),
        // Shared "x", rests "abcd" and "e": with the shorter rest alone 1 - 2/4 and 1 - 7/8 for both.
        ("x abcd", "x e", 50.0),
        // A narrow text keeps its no-break space, a wide one does not.
        ("a\u{a0}b", "b a", 100.0 - 100.0 * 2.0 / 6.0),
        ("a\u{a0}b λ", "b a λ", 100.0),
        ("a\u{85}b λ", "λ a b", 100.0),
        ("a\u{200b}b λ", "λ b a", 80.0),
    ];
    for (first, second, expected) in cases {
        let found = token_set_ratio(first, second);
        assert!(
            (found - expected).abs() < 1e-12,
            "{first:?} {second:?}: {found} for {expected}"
        );
    }
}

#[test]
fn the_processor_keeps_letters_and_numbers_alone() {
    let cases = [
        ("", ""),
        (" -_- ", ""),
        ("IS_A", "is a"),
        ("  (R)-Lactate ", "r  lactate"),
        ("ÀÉ½Ⅷ", "àé½ⅷ"),
        ("İstanbul", "istanbul"),
        ("ΣΑΣ", "σασ"),
        ("K", "k"),
        ("a\u{301}b", "a b"),
        ("x\u{a0}", "x"),
        ("🧬漢字", "漢字"),
        // Letters of a Unicode that the table is older than.
        ("\u{870}a\u{2b739}", "a"),
    ];
    for (text, expected) in cases {
        assert_eq!(Processor::Default.apply(text), expected, "{text:?}");
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod laws {
    use super::{Processor, token_set_ratio};
    use proptest::prelude::{Strategy as _, proptest};

    fn texts() -> impl proptest::strategy::Strategy<Value = String> {
        proptest::prop_oneof![
            "[ab ]{0,12}",
            "[a-eé漢\u{a0}\u{85} ]{0,90}",
            "(an|acre|is|a|unit|unité|[xyz]{1,70}){0,8}".prop_map(|text| text.replace('i', " i")),
            ".{0,20}",
        ]
    }

    proptest! {
        #[test]
        fn a_ratio_is_symmetric_and_between_0_and_100(a in texts(), b in texts()) {
            let ratio = token_set_ratio(&a, &b);
            assert!((0.0..=100.0).contains(&ratio));
            assert_eq!(ratio.to_bits(), token_set_ratio(&b, &a).to_bits());
        }

        #[test]
        fn a_text_with_a_word_is_equal_to_itself(a in "[ab ]{0,9}[abé]") {
            assert!((token_set_ratio(&a, &a) - 100.0).abs() < 1e-12);
        }

        #[test]
        fn neither_order_nor_repetition_of_words_counts(
            mut words in proptest::collection::vec("[abcé漢]{1,9}", 1..8),
            other in texts(),
            turn in 0_usize..8,
        ) {
            let text = words.join(" ");
            words.push(words[0].clone());
            let places = words.len();
            words.rotate_left(turn % places);
            assert_eq!(
                token_set_ratio(&words.join("\t"), &other).to_bits(),
                token_set_ratio(&text, &other).to_bits()
            );
        }

        #[test]
        fn processing_twice_is_processing_once(a in ".{0,30}") {
            let once = Processor::Default.apply(&a);
            assert_eq!(Processor::Default.apply(&once), once);
        }
    }
}
