//! Counting tests from what their runners print, so that one closing line can sum them up.

use std::fmt;

/// How many tests ran, over all runners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
    /// Tests that said that they check nothing, and that their runner is still to count as passed.
    told: u64,
}

impl Tally {
    /// Reads one line of a runner's output; lines that count nothing change nothing. Why a test was skipped, where it says so.
    pub(crate) fn read<'line>(&mut self, line: &'line str) -> Option<&'line str> {
        let line = line.trim();
        // libtest's dots may stand before it, and it counts the test among those that passed.
        if let Some((_, why)) = line.split_once("SKIPPED: ") {
            self.told += 1;
            return Some(why);
        }
        if let Some(counts) = line.strip_prefix("test result: ") {
            // libtest and wasm-bindgen-test: `ok. 3 passed; 0 failed; 1 ignored; …`
            for part in counts.split(['.', ';']) {
                self.add(part.trim());
            }
            let told = std::mem::take(&mut self.told).min(self.passed);
            self.passed -= told;
            self.skipped += told;
        } else if let Some(rest) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")) {
            // node's runner: `# pass 3`, or `ℹ pass 3` on a terminal
            let (word, number) = rest.split_once(' ')?;
            let number = number.trim().parse::<u64>().ok()?;
            match word {
                "pass" => self.passed += number,
                "fail" | "cancelled" => self.failed += number,
                "skipped" | "todo" => self.skipped += number,
                _ => {}
            }
        }
        None
    }

    fn add(&mut self, part: &str) {
        let Some((number, word)) = part.split_once(' ') else {
            return;
        };
        let Ok(number) = number.parse::<u64>() else {
            return;
        };
        match word {
            "passed" => self.passed += number,
            "failed" => self.failed += number,
            "ignored" => self.skipped += number,
            _ => {}
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn runners_are_read() {
        let cases = [
            (
                "test result: ok. 12 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.10s",
                (12, 0, 2),
            ),
            (
                "test result: FAILED. 1 passed; 3 failed; 0 ignored",
                (1, 3, 0),
            ),
            ("# pass 7", (7, 0, 0)),
            ("ℹ fail 2", (0, 2, 0)),
            ("# cancelled 1", (0, 1, 0)),
            ("# skipped 4", (0, 0, 4)),
            ("# duration_ms 120", (0, 0, 0)),
            ("we passed 3 cars", (0, 0, 0)),
        ];
        for (line, (passed, failed, skipped)) in cases {
            let mut tally = Tally::default();
            tally.read(line);
            assert_eq!(
                tally,
                Tally {
                    passed,
                    failed,
                    skipped,
                    told: 0
                },
                "{line}"
            );
        }
    }

    #[test]
    fn a_test_that_says_that_it_checks_nothing_is_skipped() {
        let mut tally = Tally::default();
        let why = tally.read("..SKIPPED: set A to a folder");
        assert_eq!(why, Some("set A to a folder"));
        for line in [
            "test result: ok. 3 passed; 0 failed; 0 ignored",
            "test result: ok. 2 passed; 0 failed; 1 ignored",
        ] {
            assert_eq!(tally.read(line), None);
        }
        assert_eq!(tally.to_string(), "4 passed, 0 failed, 2 skipped");
    }
}
