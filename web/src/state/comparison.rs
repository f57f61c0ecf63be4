//! Sweeps side by side, as tables of text, marks and whiskers. Made in the tables worker.

use std::collections::BTreeSet;

use control::Evidence;
use serde::Deserialize;
use sweep::{
    ArmFigures, Change, Figures, Gap, Mean, Outcome, Pair, Rate, RunEntry, Sum, SweepComparison,
    gap_words, interval_words, mean_words, money, probability, share, signed,
};

use crate::query::Route;
use crate::state::format;
use crate::state::matrix::outcome_words;

/// A published comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The sweeps side by side.
    pub sweeps: SweepComparison,
    /// What became of each record since an earlier sweep, regressions first, where one was given.
    pub changes: Option<Vec<Change>>,
}

/// What stands beside the comparison in its file.
#[derive(Deserialize)]
struct Beside {
    #[serde(default)]
    changes: Option<Vec<Change>>,
}

impl Comparison {
    /// Reads the file that `compare` and `publish` write.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        let sweeps = serde_json::from_str(text)?;
        let Beside { changes } = serde_json::from_str(text)?;
        Ok(Self { sweeps, changes })
    }

    /// Ids of the sweeps.
    pub fn runs(&self) -> Vec<String> {
        self.sweeps.runs.iter().map(|run| run.id.clone()).collect()
    }

    /// The arms that anybody was asked, by the word that files use; empty for records outside the scheme.
    pub fn arms(&self) -> Vec<&'static str> {
        let mut arms = Vec::new();
        for arm in &self.sweeps.arms {
            let word = arm_word(arm);
            if !arms.contains(&word) {
                arms.push(word);
            }
        }
        arms
    }
}

fn arm_word(arm: &ArmFigures) -> &'static str {
    arm.arm.map_or("", |arm| arm.as_str())
}

/// What a reader calls an arm.
pub fn arm_title(arm: &str) -> &'static str {
    match arm {
        "expand" => "Questions",
        "exact" => "Compliance",
        _ => "Other records",
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// What it is.
    pub label: String,
    /// What has to be said about it.
    pub remark: String,
    /// Its columns.
    pub heads: Vec<Head>,
    /// Its rows; the first cell of each names the row.
    pub rows: Vec<Vec<Entry>>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Head {
    /// Of words.
    Words(String),
    /// Of numbers.
    Numbers(String),
    /// Of whiskers, with the ends and the middle of their axis.
    Axis(&'static str, [&'static str; 3]),
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Words.
    Words(String),
    /// A number with what belongs to it.
    Number(String),
    /// A fate, by its class and its word.
    Fate(&'static str),
    /// A link to a record.
    Record(String),
    /// A dot with its whiskers; none where nothing was counted.
    Dot(Option<Dot>),
}

/// A figure and its interval as shares of an axis, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Where the dot stands.
    pub at: f64,
    /// Where its whiskers end; `None` where there is no interval.
    pub whiskers: Option<(f64, f64)>,
}

impl Dot {
    fn share(rate: Rate) -> Option<Self> {
        Some(Self {
            at: rate.rate?,
            whiskers: rate.low.zip(rate.high),
        })
    }

    /// A difference, on an axis from −1 to 1.
    fn gap(gap: Option<Gap>) -> Option<Self> {
        let place = |difference: f64| f64::midpoint(difference, 1.0).clamp(0.0, 1.0);
        let gap = gap?;
        Some(Self {
            at: place(gap.difference),
            whiskers: gap.low.map(place).zip(gap.high.map(place)),
        })
    }
}

const SHARES: [&str; 3] = ["0", "0.5", "1"];
const DIFFERENCES: [&str; 3] = ["−1", "0", "+1"];

fn words(text: &str) -> Head {
    Head::Words(text.to_owned())
}

fn numbers(names: &[&str]) -> Vec<Head> {
    names
        .iter()
        .map(|name| Head::Numbers((*name).to_owned()))
        .collect()
}

fn count(value: u32) -> Entry {
    Entry::Number(value.to_string())
}

/// What is known of each sweep.
pub fn conditions(comparison: &SweepComparison) -> Sheet {
    let known = |text: Option<String>| Entry::Words(text.unwrap_or_else(|| "not known".to_owned()));
    let row = |run: &RunEntry| {
        let facts = &run.facts;
        let server = facts.server.as_ref().map(|server| {
            let parts = [
                Some(server.name.clone()),
                Some(server.version.clone()),
                server.build.as_ref().map(|build| format!("build {build}")),
            ];
            let parts: Vec<String> = parts
                .into_iter()
                .flatten()
                .filter(|part| !part.is_empty())
                .collect();
            if parts.is_empty() {
                "not stated".to_owned()
            } else {
                parts.join(" ")
            }
        });
        let limits = facts.timeout_s.zip(facts.agent_timeout_s);
        let mut name = run.id.clone();
        if facts.imported {
            name.push_str(" (scored by another harness)");
        }
        vec![
            Entry::Words(name),
            Entry::Words(facts.model.clone().unwrap_or_else(|| "none".to_owned())),
            Entry::Words(facts.effort.clone().unwrap_or_else(|| "–".to_owned())),
            known(facts.tools.clone()),
            Entry::Words(facts.kg_hint.clone().unwrap_or_else(|| "–".to_owned())),
            known(server),
            known(
                facts
                    .strict_upstream_errors
                    .map(|strict| if strict { "as errors" } else { "as they came" }.to_owned()),
            ),
            known(limits.map(|(call, attempt)| format!("{call} s a call, {attempt} s an attempt"))),
            count(run.records),
            count(run.attempts),
        ]
    };
    let mut heads: Vec<Head> = [
        "sweep",
        "model",
        "effort",
        "tools",
        "graphs named",
        "server",
        "soft errors",
        "time limits",
    ]
    .map(words)
    .into();
    heads.extend(numbers(&["records", "attempts"]));
    Sheet {
        label: "The sweeps".into(),
        remark: String::new(),
        heads,
        rows: comparison.runs.iter().map(row).collect(),
    }
}

/// What became of each record since an earlier sweep.
pub fn changes(changes: &[Change]) -> Sheet {
    let mut heads: Vec<Head> = ["what became of it", "record", "sweep"].map(words).into();
    heads.extend(numbers(&[
        "right before",
        "right now",
        "share of right answers",
        "mean f1",
    ]));
    Sheet {
        label: "Against the earlier sweep".into(),
        remark: ", what needs a look first".into(),
        heads,
        rows: changes
            .iter()
            .map(|change| {
                vec![
                    Entry::Fate(change.way.as_str()),
                    Entry::Record(change.record.clone()),
                    Entry::Words(change.run.clone()),
                    Entry::Number(share(change.before)),
                    Entry::Number(share(change.now)),
                    Entry::Number(signed(change.right)),
                    Entry::Number(signed(change.f1)),
                ]
            })
            .collect(),
    }
}

/// The tables of one arm.
pub fn of_arm(comparison: &SweepComparison, arm: &str) -> Vec<Sheet> {
    let own: Vec<&ArmFigures> = comparison
        .arms
        .iter()
        .filter(|figures| arm_word(figures) == arm)
        .collect();
    let title = arm_title(arm);
    let mut sheets = vec![right(&own, title)];
    if own.iter().any(|arm| arm.figures.obedience.is_some()) {
        sheets.push(obedience(&own));
    }
    sheets.push(ended(&own, title));
    sheets.extend(evidence(&own, title));
    sheets.push(spent(&own, title));
    sheets
}

fn name(arm: &ArmFigures) -> Entry {
    Entry::Words(arm.run.clone())
}

fn right(own: &[&ArmFigures], title: &str) -> Sheet {
    let mut heads = vec![words("sweep"), Head::Axis("share of right answers", SHARES)];
    heads.extend(numbers(&[
        "right",
        "95 %",
        "exact",
        "in sequence",
        "mean f1",
    ]));
    Sheet {
        label: format!("Right answers, {title}"),
        remark: ". Of the attempts that count, with 95 % Wilson intervals over records: those lost to the infrastructure stand in no share.".into(),
        heads,
        rows: own
            .iter()
            .map(|arm| {
                let figures = &arm.figures;
                vec![
                    name(arm),
                    Entry::Dot(Dot::share(figures.right)),
                    Entry::Number(share(figures.right)),
                    Entry::Number(interval_words(figures.right.low, figures.right.high)),
                    Entry::Number(share(figures.exact)),
                    Entry::Number(share(figures.ordered)),
                    Entry::Number(mean_words(figures.f1)),
                ]
            })
            .collect(),
    }
}

fn obedience(own: &[&ArmFigures]) -> Sheet {
    let mut heads = vec![words("sweep"), Head::Axis("share that obeyed", SHARES)];
    heads.extend(numbers(&[
        "obeyed",
        "95 %",
        "disobeyed",
        "unproven",
        "lost",
        "as published elsewhere",
    ]));
    Sheet {
        label: "Obedience, apart from breakage".into(),
        remark: ". As published elsewhere, nothing submitted counts as an empty table, so that a crash scores like obedience.".into(),
        heads,
        rows: own
            .iter()
            .map(|arm| {
                let told = arm.figures.obedience.unwrap_or_default();
                vec![
                    name(arm),
                    Entry::Dot(Dot::share(told.obeyed)),
                    Entry::Number(share(told.obeyed)),
                    Entry::Number(interval_words(told.obeyed.low, told.obeyed.high)),
                    count(told.disobeyed),
                    count(told.unproven),
                    count(arm.figures.infrastructure),
                    Entry::Number(share(arm.figures.raw_exact)),
                ]
            })
            .collect(),
    }
}

fn ended(own: &[&ArmFigures], title: &str) -> Sheet {
    let there: BTreeSet<Outcome> = own
        .iter()
        .flat_map(|arm| arm.figures.outcomes.keys().copied())
        .collect();
    let unknown = own.iter().any(|arm| arm.figures.unknown > 0);
    let mut heads = vec![words("sweep")];
    heads.extend(numbers(&["attempts"]));
    heads.extend(
        there
            .iter()
            .map(|outcome| Head::Numbers(outcome_words(*outcome).to_owned())),
    );
    if unknown {
        heads.extend(numbers(&["not known"]));
    }
    heads.extend(numbers(&["of these lost to the infrastructure"]));
    Sheet {
        label: format!("How attempts ended, {title}"),
        remark: String::new(),
        heads,
        rows: own
            .iter()
            .map(|arm| {
                let figures = &arm.figures;
                let mut row = vec![name(arm), count(figures.asked)];
                row.extend(
                    there
                        .iter()
                        .map(|outcome| count(figures.outcomes.get(outcome).copied().unwrap_or(0))),
                );
                if unknown {
                    row.push(count(figures.unknown));
                }
                row.push(count(figures.infrastructure));
                row
            })
            .collect(),
    }
}

fn evidence(own: &[&ArmFigures], title: &str) -> Option<Sheet> {
    let there: BTreeSet<Evidence> = own
        .iter()
        .flat_map(|arm| arm.figures.evidence.attempts.keys().copied())
        .collect();
    if there.is_empty() {
        return None;
    }
    let mut heads = vec![words("sweep")];
    heads.extend(numbers(&["attempts with known calls"]));
    heads.extend(
        there
            .iter()
            .map(|means| Head::Numbers(crate::fragments::attempt::means(*means).to_owned())),
    );
    Some(Sheet {
        label: format!("How terms were chosen, {title}"),
        remark: ". By the calls that succeeded; an attempt may use several means, and what the server expanded by itself stands apart."
            .into(),
        heads,
        rows: own
            .iter()
            .map(|arm| {
                let found = &arm.figures.evidence;
                let mut row = vec![name(arm), count(found.of)];
                row.extend(
                    there
                        .iter()
                        .map(|means| count(found.attempts.get(means).copied().unwrap_or(0))),
                );
                row
            })
            .collect(),
    })
}

fn spent(own: &[&ArmFigures], title: &str) -> Sheet {
    let mut heads = vec![words("sweep")];
    heads.extend(numbers(&[
        "seconds",
        "of the agent",
        "of the server",
        "waited on top",
        "calls",
        "soft errors",
        "calls after a loss",
        "tokens read",
        "tokens written",
        "cost",
    ]));
    let mean = |mean: Mean| Entry::Number(mean_words(mean));
    let sum = |sum: Sum| {
        Entry::Number(sum.sum.map_or_else(
            || "–".to_owned(),
            |sum| format::count(usize::try_from(sum).unwrap_or(usize::MAX)),
        ))
    };
    Sheet {
        label: format!("What it took, {title}"),
        remark: ". Seconds and calls are means of an attempt that counts; the rest are sums over all attempts.".into(),
        heads,
        rows: own
            .iter()
            .map(|arm| {
                let figures: &Figures = &arm.figures;
                vec![
                    name(arm),
                    mean(figures.seconds),
                    mean(figures.agent_seconds),
                    mean(figures.server_seconds),
                    mean(figures.waiting_seconds),
                    mean(figures.calls),
                    sum(figures.soft_errors),
                    sum(figures.calls_after_loss),
                    sum(figures.input_tokens),
                    sum(figures.output_tokens),
                    Entry::Number(money(figures.cost)),
                ]
            })
            .collect(),
    }
}

/// Every two sweeps on an arm, or those with one sweep, which then comes first.
pub fn pairs(comparison: &SweepComparison, arm: &str, with: Option<&str>) -> Sheet {
    let mut heads = vec![
        words("first, less second"),
        Head::Axis("difference of the shares of right answers", DIFFERENCES),
    ];
    heads.extend(numbers(&[
        "right",
        "mean f1",
        "records",
        "both right",
        "first only",
        "second only",
        "neither",
        "McNemar p",
        "left out",
    ]));
    let rows = comparison
        .pairs
        .iter()
        .filter(|pair| pair.arm.map_or("", |arm| arm.as_str()) == arm)
        .filter_map(|pair| match with {
            None => Some(pair.clone()),
            Some(run) if pair.first == run => Some(pair.clone()),
            Some(run) if pair.second == run => Some(turned(pair)),
            Some(_) => None,
        })
        .map(|pair| {
            vec![
                Entry::Words(format!("{} − {}", pair.first, pair.second)),
                Entry::Dot(Dot::gap(pair.right)),
                Entry::Number(gap_words(pair.right)),
                Entry::Number(gap_words(pair.f1)),
                count(pair.records),
                count(pair.mcnemar.both),
                count(pair.mcnemar.first_only),
                count(pair.mcnemar.second_only),
                count(pair.mcnemar.neither),
                Entry::Number(probability(pair.mcnemar.p)),
                count(pair.left_out),
            ]
        })
        .collect();
    Sheet {
        label: format!("Differences, {}", arm_title(arm)),
        remark: format!(
            ". On the records that both were asked; 95 % intervals by a bootstrap over records ({} resamples, seed {}), McNemar's exact test record by record: a sweep is right at one where more than half of its attempts that count are.",
            comparison.resamples, comparison.seed
        ),
        heads,
        rows,
    }
}

/// The same pair with its sides exchanged.
fn turned(pair: &Pair) -> Pair {
    // Without the sign that a zero would otherwise get.
    let less = |value: f64| 0.0 - value;
    let gap = |gap: Option<Gap>| {
        gap.map(|gap| Gap {
            difference: less(gap.difference),
            low: gap.high.map(less),
            high: gap.low.map(less),
            records: gap.records,
        })
    };
    let mut turned = pair.clone();
    std::mem::swap(&mut turned.first, &mut turned.second);
    std::mem::swap(
        &mut turned.mcnemar.first_only,
        &mut turned.mcnemar.second_only,
    );
    turned.right = gap(pair.right);
    turned.exact = gap(pair.exact);
    turned.f1 = gap(pair.f1);
    turned
}

/// Every record of an arm by every sweep.
pub fn by_record(comparison: &SweepComparison, arm: &str) -> Sheet {
    let cells = || {
        comparison
            .cells
            .iter()
            .filter(|cell| cell.arm.map_or("", |arm| arm.as_str()) == arm)
    };
    let mut records: Vec<&str> = Vec::new();
    for cell in cells() {
        if !records.contains(&cell.record.as_str()) {
            records.push(&cell.record);
        }
    }
    let runs: Vec<&str> = comparison.runs.iter().map(|run| run.id.as_str()).collect();
    let mut heads = vec![words("record")];
    heads.extend(numbers(&runs));
    Sheet {
        label: format!("By record, {}", arm_title(arm)),
        remark: ". Right answers of those that count, their 95 % interval over attempts, and the mean f1.".into(),
        heads,
        rows: records
            .into_iter()
            .map(|record| {
                let mut row = vec![Entry::Record(record.to_owned())];
                row.extend(runs.iter().map(|run| {
                    let cell = cells().find(|cell| cell.record == record && cell.run == *run);
                    Entry::Number(
                        cell.map_or_else(
                            || "not asked".to_owned(),
                            |cell| at_record(&cell.figures),
                        ),
                    )
                }));
                row
            })
            .collect(),
    }
}

fn at_record(figures: &Figures) -> String {
    if figures.right.of == 0 {
        return "nothing counts".to_owned();
    }
    format!(
        "{} ({}), f1 {}",
        share(figures.right),
        interval_words(figures.right.low, figures.right.high),
        mean_words(figures.f1)
    )
}

/// The address of a record's page.
pub fn record_href(id: &str) -> String {
    Route::record(id).href()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweep::{CompareOptions, Observation, Run, RunFacts, compare};

    fn observation(record: &str, attempt: u32, exact: bool) -> Observation {
        Observation {
            record: record.into(),
            attempt,
            outcome: Some(Outcome::Answered),
            exact: Some(exact),
            f1: Some(if exact { 1.0 } else { 0.5 }),
            ..Observation::default()
        }
    }

    fn run(agent: &str, observations: Vec<Observation>) -> Run {
        Run {
            folder: agent.into(),
            facts: RunFacts {
                agent: Some(agent.into()),
                ..RunFacts::default()
            },
            observations,
        }
    }

    fn comparison() -> Comparison {
        let both = |first, second| {
            vec![
                observation("nde-expand_x", 1, first),
                observation("nde-expand_y", 1, second),
            ]
        };
        let sweeps = compare(
            vec![run("a", both(true, true)), run("b", both(false, false))],
            &CompareOptions::default(),
        )
        .unwrap();
        Comparison {
            sweeps,
            changes: None,
        }
    }

    fn texts(row: &[Entry]) -> Vec<String> {
        row.iter()
            .map(|entry| match entry {
                Entry::Words(text) | Entry::Number(text) | Entry::Record(text) => text.clone(),
                Entry::Fate(word) => (*word).to_owned(),
                Entry::Dot(dot) => format!("{dot:?}"),
            })
            .collect()
    }

    #[test]
    fn a_dot_stands_at_its_share_between_its_ends() {
        let comparison = comparison();
        let sheet = &of_arm(&comparison.sweeps, "expand")[0];
        assert_eq!(sheet.rows.len(), 2);
        let Entry::Dot(Some(dot)) = sheet.rows[0][1] else {
            panic!("{:?}", sheet.rows[0]);
        };
        let (low, high) = dot.whiskers.unwrap();
        assert!(
            low > 0.3 && low < 0.4 && (dot.at, high) == (1.0, 1.0),
            "{dot:?}"
        );
        assert_eq!(texts(&sheet.rows[0])[2], "2/2");
        assert_eq!(texts(&sheet.rows[1])[2], "0/2");
        assert!(sheet.rows.iter().all(|row| row.len() == sheet.heads.len()));
    }

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        let comparison = comparison().sweeps;
        let mut sheets = of_arm(&comparison, "expand");
        sheets.extend([
            conditions(&comparison),
            pairs(&comparison, "expand", None),
            by_record(&comparison, "expand"),
        ]);
        for sheet in sheets {
            assert!(!sheet.rows.is_empty(), "{}", sheet.label);
            for row in &sheet.rows {
                assert_eq!(row.len(), sheet.heads.len(), "{}", sheet.label);
            }
        }
    }

    #[test]
    fn the_chosen_sweep_comes_first_and_the_sign_goes_with_it() {
        let comparison = comparison().sweeps;
        let all = pairs(&comparison, "expand", None);
        let turned = pairs(&comparison, "expand", Some("b"));
        let (all, turned) = (texts(&all.rows[0]), texts(&turned.rows[0]));
        assert_eq!((&*all[0], &*all[2]), ("a − b", "+1 (+1 to +1)"));
        assert_eq!((&*turned[0], &*turned[2]), ("b − a", "-1 (-1 to -1)"));
        assert_eq!((&*all[6], &*all[7]), ("2", "0"));
        assert_eq!((&*turned[6], &*turned[7]), ("0", "2"));
        assert!(pairs(&comparison, "expand", Some("nobody")).rows.is_empty());
    }

    #[test]
    fn a_record_that_one_was_not_asked_says_so() {
        let sweeps = compare(
            vec![
                run("a", vec![observation("nde-expand_x", 1, true)]),
                run("b", vec![observation("nde-expand_y", 1, true)]),
            ],
            &CompareOptions::default(),
        )
        .unwrap();
        let sheet = by_record(&sweeps, "expand");
        assert_eq!(texts(&sheet.rows[0])[2], "not asked");
        assert!(texts(&sheet.rows[0])[1].starts_with("1/1 ("));
    }

    #[test]
    fn a_file_is_read_with_the_changes_beside_it() {
        let comparison = comparison();
        let mut json = serde_json::to_value(&comparison.sweeps).unwrap();
        let text = |json: &serde_json::Value| json.to_string();
        // A number's last digit may change on its way through the text.
        let known = |comparison: &Comparison| {
            (
                comparison.runs(),
                comparison.arms(),
                comparison.changes.clone(),
            )
        };
        let read = |json: &serde_json::Value| known(&Comparison::read(&text(json)).unwrap());
        assert_eq!(read(&json), known(&comparison));
        json["changes"] = serde_json::Value::Null;
        assert_eq!(read(&json), known(&comparison));
        let before = run("a", vec![observation("nde-expand_x", 1, true)]);
        let now = run("a", vec![observation("nde-expand_x", 1, false)]);
        let changed = sweep::changes(before, now, 0.0).unwrap();
        json["changes"] = serde_json::to_value(&changed).unwrap();
        let read = Comparison::read(&text(&json)).unwrap();
        let sheet = changes(&read.changes.unwrap());
        assert_eq!(texts(&sheet.rows[0])[..2], ["regressed", "nde-expand_x"]);
        json["format"] = 9.into();
        assert!(Comparison::read(&text(&json)).is_err());
        assert!(Comparison::read("{").is_err());
    }

    #[test]
    fn arms_by_their_titles() {
        assert_eq!(comparison().arms(), ["expand"]);
        assert_eq!(arm_title("exact"), "Compliance");
        assert_eq!(arm_title(""), "Other records");
    }
}
