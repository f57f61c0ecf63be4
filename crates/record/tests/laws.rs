//! What holds for every file, however it arrives and whatever is in it.

use proptest::prelude::*;
use record::{Record, RecordParser};

/// Everything that a record says, comparable; the query by its text, for its anonymous nodes are named at random.
fn whole(record: &Record) -> String {
    let Record {
        header,
        query_text,
        query_line,
        problems,
        query,
        ..
    } = record;
    format!(
        "{header:?} {query_text:?} {query_line} {problems:?} {}",
        query.is_some()
    )
}

/// Texts that look like records more often than random ones do.
fn record_like() -> impl Strategy<Value = String> {
    const PARTS: [&str; 40] = [
        "#+ ",
        "#+",
        "#+\t",
        "#+   ",
        "# ",
        "\n",
        "\n",
        "\n",
        "summary: ",
        "summary:",
        "tags: ",
        "tags:\n",
        "expect-empty: ",
        "defaults:\n",
        "transform: ",
        "other: ",
        "---",
        "- a",
        "[a, b",
        "]",
        "{a: 1",
        "}",
        "\"",
        "'",
        "''",
        "\\n",
        "\\",
        ">",
        "|-",
        "true",
        " #1",
        ": ",
        "é",
        "Find x",
        "ASK {}",
        "SELECT ?x { ?x ?p 'a' }",
        "?_x",
        "e:b",
        "\u{feff}",
        "   ",
    ];
    prop::collection::vec(prop::sample::select(&PARTS[..]), 0..40).prop_map(|parts| parts.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        record_like().prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..200),
        (
            record_like(),
            prop::collection::vec(any::<u8>(), 0..4),
            record_like()
        )
            .prop_map(|(a, b, c)| [a.as_bytes(), &b, c.as_bytes()].concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_make_the_whole(bytes in bytes(), cuts in prop::collection::vec(0usize..200, 0..6)) {
        let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut parser = RecordParser::new("nde-exact_x.rq");
        for pair in cuts.windows(2) {
            parser.push(&bytes[pair[0]..pair[1]]);
        }
        let pieces = parser.finish();
        prop_assert_eq!(whole(&pieces), whole(&Record::parse("nde-exact_x.rq", &bytes)));
    }

    #[test]
    fn a_record_always_comes_out(bytes in bytes()) {
        let record = Record::parse("x.rq", &bytes);
        let text = String::from_utf8_lossy(&bytes);
        let ends = text.ends_with(&record.query_text);
        prop_assert!(ends);
        let lines = u32::try_from(text.split(['\n', '\r']).count()).unwrap();
        for problem in &record.problems {
            prop_assert!(problem.line >= 1 && problem.line <= lines + 1, "{problem}");
            prop_assert!(problem.column >= 1, "{problem}");
            prop_assert!(!problem.message.is_empty() && !problem.message.ends_with('.'));
            let one_line = !problem.message.contains(['\n', '\r']);
            prop_assert!(one_line, "{problem}");
            prop_assert!(problem.remedy.is_some(), "{problem}");
        }
        prop_assert_eq!(record.query.is_none() || record.columns().is_empty(), record.columns().is_empty());
    }

    #[test]
    fn line_ends_change_nothing(text in record_like()) {
        let unix = Record::parse("x.rq", text.as_bytes());
        for end in ["\r\n", "\r"] {
            let other = Record::parse("x.rq", text.replace('\n', end).as_bytes());
            prop_assert_eq!(&other.header, &unix.header);
            prop_assert_eq!(&other.problems, &unix.problems);
            prop_assert_eq!(other.query_line, unix.query_line);
            prop_assert_eq!(other.query.is_some(), unix.query.is_some());
        }
    }

    #[test]
    fn a_folded_summary_survives_whatever_is_in_it(words in prop::collection::vec("[!-~]{1,9}", 1..20)) {
        let prose = words.join(" ");
        let text = format!("#+ summary: >-\n#+   {prose}\n#+ tags: [a]\nASK {{}}\n");
        let record = Record::parse("x.rq", text.as_bytes());
        prop_assert_eq!(record.summary(), Some(prose.as_str()));
        prop_assert_eq!(record.problems, []);
    }
}
