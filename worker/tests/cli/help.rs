//! What the program says about itself.

use crate::harness::{Bench, assert_told};

#[test]
fn help_of_every_command() {
    let bench = Bench::new();
    for command in [
        "",
        "corpus",
        "corpus list",
        "corpus show",
        "reference",
        "selfcheck",
        "score",
        "controls",
        "criteria",
        "criteria search",
        "run",
        "compare",
        "import",
        "publish",
        "view",
        "federation",
        "federation serve",
        "mcp serve",
        "mcp proxy",
        "ava",
        "ava ontology",
        "ava extract",
        "ava synthesize",
        "ava filter",
        "ava split",
        "ava stats",
        "ava evaluate",
        "ava align",
        "ava taxonomy",
        "ava table",
    ] {
        insta::allow_duplicates! {
            insta::with_settings!({ snapshot_suffix => command.replace(' ', "-") }, {
                assert_told!(bench.told(&format!("{command} --help")));
            });
        }
    }
}

#[test]
fn no_command_and_an_unknown_one_are_usage_errors() {
    let bench = Bench::new();
    assert_eq!(bench.run("").status.code(), Some(2));
    assert_told!(bench.told("corpse list"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let bench = Bench::new();
    let mut child = bench
        .command("corpus list --json")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
