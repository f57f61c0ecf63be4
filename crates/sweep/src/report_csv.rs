//! A comparison as CSV: one row each for machines, every figure with its denominator, an empty cell for what is not known.

use table::{Cell, Table, to_csv};

use crate::report_words::{arm_word, evidence_words, outcome_words};
use crate::{Change, Figures, Gap, Mean, Rate, SweepComparison};

/// The figures of each sweep over an arm.
pub fn arms_csv(comparison: &SweepComparison) -> String {
    let rows = comparison.arms.iter().map(|arm| {
        let mut row = Row::default();
        row.text("arm", &arm_word(arm.arm))
            .text("sweep", &arm.run)
            .count("records", arm.records);
        row.figures(&arm.figures);
        row
    });
    csv(rows)
}

/// The figures of each sweep at each record.
pub fn cells_csv(comparison: &SweepComparison) -> String {
    let rows = comparison.cells.iter().map(|cell| {
        let mut row = Row::default();
        row.text("record", &cell.record)
            .text("arm", &arm_word(cell.arm))
            .text("sweep", &cell.run);
        row.figures(&cell.figures);
        row
    });
    csv(rows)
}

/// Every two sweeps side by side.
pub fn pairs_csv(comparison: &SweepComparison) -> String {
    let rows = comparison.pairs.iter().map(|pair| {
        let mut row = Row::default();
        row.text("arm", &arm_word(pair.arm))
            .text("first", &pair.first)
            .text("second", &pair.second);
        row.count("records", pair.records);
        row.gap("right", pair.right)
            .gap("exact", pair.exact)
            .gap("f1", pair.f1);
        let test = pair.mcnemar;
        row.count("both_right", test.both)
            .count("only_first_right", test.first_only);
        row.count("only_second_right", test.second_only)
            .count("neither_right", test.neither);
        row.count("left_out", pair.left_out)
            .number("mcnemar_p", test.p);
        row.count("resamples", comparison.resamples)
            .text("seed", &comparison.seed.to_string());
        row
    });
    csv(rows)
}

/// What became of each record, regressions first.
pub fn changes_csv(changes: &[Change]) -> String {
    let rows = changes.iter().map(|change| {
        let mut row = Row::default();
        row.text("way", change.way.as_str())
            .text("sweep", &change.run)
            .text("record", &change.record);
        row.text("arm", &arm_word(change.arm))
            .rate("before", change.before)
            .rate("now", change.now);
        row.number("right_difference", change.right)
            .number("f1_difference", change.f1);
        row
    });
    csv(rows)
}

fn csv(rows: impl Iterator<Item = Row>) -> String {
    let rows: Vec<Row> = rows.collect();
    let columns = rows
        .first()
        .map(|row| row.names.clone())
        .unwrap_or_default();
    to_csv(&Table::new(
        columns,
        rows.into_iter().map(|row| row.cells).collect(),
    ))
}

/// A row that names its columns as it goes, so that no name stands beside another's figure.
#[derive(Default)]
struct Row {
    names: Vec<String>,
    cells: Vec<Cell>,
}

impl Row {
    fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.names.push(name.to_owned());
        self.cells.push(Cell::Text(text.into()));
        self
    }

    fn maybe(&mut self, name: &str, text: Option<String>) -> &mut Self {
        self.names.push(name.to_owned());
        self.cells
            .push(text.map_or(Cell::Missing, |text| Cell::Text(text.into())));
        self
    }

    fn count(&mut self, name: &str, count: u32) -> &mut Self {
        self.text(name, &count.to_string())
    }

    fn number(&mut self, name: &str, value: Option<f64>) -> &mut Self {
        self.maybe(name, value.map(|value| value.to_string()))
    }

    fn rate(&mut self, name: &str, rate: Rate) -> &mut Self {
        self.count(&format!("{name}_hits"), rate.hits)
            .count(&format!("{name}_of"), rate.of);
        self.number(&format!("{name}_rate"), rate.rate);
        self.number(&format!("{name}_low"), rate.low)
            .number(&format!("{name}_high"), rate.high)
            .number(&format!("{name}_independent"), rate.independent)
    }

    fn mean(&mut self, name: &str, mean: Mean) -> &mut Self {
        self.number(name, mean.mean)
            .count(&format!("{name}_of"), mean.of)
    }

    fn gap(&mut self, name: &str, gap: Option<Gap>) -> &mut Self {
        self.number(&format!("{name}_difference"), gap.map(|gap| gap.difference));
        self.number(&format!("{name}_low"), gap.and_then(|gap| gap.low));
        self.number(&format!("{name}_high"), gap.and_then(|gap| gap.high))
    }

    fn figures(&mut self, figures: &Figures) {
        self.count("asked", figures.asked)
            .count("answered", figures.answered);
        self.count("unanswered", figures.unanswered)
            .count("infrastructure", figures.infrastructure);
        self.count("unknown", figures.unknown);
        self.rate("right", figures.right)
            .rate("exact", figures.exact)
            .rate("ordered", figures.ordered);
        self.rate("raw_exact", figures.raw_exact)
            .mean("f1", figures.f1);
        self.number("pass_at_asked", figures.pass_at_asked);
        let told = figures.obedience;
        self.rate(
            "obeyed",
            told.map_or_else(Rate::default, |told| told.obeyed),
        );
        self.maybe("disobeyed", told.map(|told| told.disobeyed.to_string()));
        self.maybe("unproven", told.map(|told| told.unproven.to_string()));
        self.mean("seconds", figures.seconds)
            .mean("agent_seconds", figures.agent_seconds);
        self.mean("server_seconds", figures.server_seconds)
            .mean("waiting_seconds", figures.waiting_seconds);
        self.mean("calls", figures.calls);
        for (name, sum) in [
            ("soft_errors", figures.soft_errors),
            ("calls_after_loss", figures.calls_after_loss),
            ("input_tokens", figures.input_tokens),
            ("output_tokens", figures.output_tokens),
        ] {
            self.maybe(name, sum.sum.map(|sum| sum.to_string()));
            self.count(&format!("{name}_of"), sum.of);
        }
        let cost = figures.cost;
        self.number("cost_usd", cost.usd).count("cost_of", cost.of);
        self.text("cost_incomplete", &cost.incomplete.to_string());
        self.text("outcomes", &outcome_words(figures))
            .text("evidence", &evidence_words(figures));
    }
}
