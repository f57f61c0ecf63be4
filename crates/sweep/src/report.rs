//! A comparison as Markdown.

use std::fmt::Write as _;

use record::Arm;

use crate::report_words::{
    arm_word, dash, evidence_words, gap_words, interval_words, mean_words, money, outcome_words,
    probability, share, signed,
};
use crate::{Change, Figures, ResultKind, SweepComparison};

/// The comparison as a Markdown document; `changes` come first, because they are what one has to look at.
pub fn markdown(comparison: &SweepComparison, changes: Option<&[Change]>) -> String {
    let mut page = Page::default();
    page.line("# Comparison of sweeps");
    page.line("");
    if let Some(kind) = comparison.kind {
        page.line(&format!("Data: **{}**.", kind.as_str()));
    }
    for note in &comparison.notes {
        page.line(&format!("- {}", escaped(note)));
    }
    page.line("");
    if let Some(changes) = changes {
        changed(&mut page, changes);
    }
    overall(&mut page, comparison);
    obedience(&mut page, comparison);
    pairs(&mut page, comparison);
    effort(&mut page, comparison);
    records(&mut page, comparison);
    how(&mut page, comparison);
    page.text
}

fn changed(page: &mut Page, changes: &[Change]) {
    page.line("## Against the earlier sweep");
    page.line("");
    page.table(
        &["way", "sweep", "record", "before", "now", "right", "f1"],
        changes.iter().map(|change| {
            vec![
                change.way.as_str().to_owned(),
                change.run.clone(),
                change.record.clone(),
                share(change.before),
                share(change.now),
                signed(change.right),
                signed(change.f1),
            ]
        }),
    );
}

fn overall(page: &mut Page, comparison: &SweepComparison) {
    page.line("## By arm");
    page.line("");
    page.table(
        &[
            "arm",
            "sweep",
            "records",
            "asked",
            "answered",
            "unanswered",
            "lost",
            "right",
            "95 % interval",
            "exact",
            "ordered",
            "mean f1",
        ],
        comparison.arms.iter().map(|arm| {
            let mut row = vec![arm_word(arm.arm), arm.run.clone(), arm.records.to_string()];
            row.extend(counts(&arm.figures));
            row
        }),
    );
}

fn counts(figures: &Figures) -> Vec<String> {
    vec![
        figures.asked.to_string(),
        figures.answered.to_string(),
        figures.unanswered.to_string(),
        figures.infrastructure.to_string(),
        share(figures.right),
        interval_words(figures.right.low, figures.right.high),
        share(figures.exact),
        share(figures.ordered),
        mean_words(figures.f1),
    ]
}

fn obedience(page: &mut Page, comparison: &SweepComparison) {
    let told: Vec<_> = comparison
        .arms
        .iter()
        .filter(|arm| arm.arm == Some(Arm::Exact))
        .filter_map(|arm| Some((arm, arm.figures.obedience?)))
        .collect();
    if told.is_empty() {
        return;
    }
    page.line("## Told to use the term exactly as given");
    page.line("");
    page.line("*As published* counts nothing submitted as an empty table, so that a crash scores like obedience where the key is empty. The columns after it tell them apart: each attempt is in exactly one of the last four.");
    page.line("");
    page.table(
        &[
            "sweep",
            "as published",
            "obeyed, of those that count",
            "95 % interval",
            "obeyed",
            "disobeyed",
            "unproven",
            "lost",
        ],
        told.into_iter().map(|(arm, told)| {
            vec![
                arm.run.clone(),
                share(arm.figures.raw_exact),
                share(told.obeyed),
                interval_words(told.obeyed.low, told.obeyed.high),
                told.obeyed.hits.to_string(),
                told.disobeyed.to_string(),
                told.unproven.to_string(),
                arm.figures.infrastructure.to_string(),
            ]
        }),
    );
}

fn pairs(page: &mut Page, comparison: &SweepComparison) {
    if comparison.pairs.is_empty() {
        return;
    }
    page.line("## Side by side");
    page.line("");
    page.table(
        &[
            "arm",
            "first",
            "second",
            "records",
            "right: first − second",
            "exact: first − second",
            "f1: first − second",
            "only first right",
            "only second right",
            "records in pairs",
            "left out",
            "McNemar p",
        ],
        comparison.pairs.iter().map(|pair| {
            let test = pair.mcnemar;
            let paired = test.both + test.first_only + test.second_only + test.neither;
            vec![
                arm_word(pair.arm),
                pair.first.clone(),
                pair.second.clone(),
                pair.records.to_string(),
                gap_words(pair.right),
                gap_words(pair.exact),
                gap_words(pair.f1),
                test.first_only.to_string(),
                test.second_only.to_string(),
                paired.to_string(),
                pair.left_out.to_string(),
                probability(test.p),
            ]
        }),
    );
}

fn effort(page: &mut Page, comparison: &SweepComparison) {
    page.line("## What it took");
    page.line("");
    page.table(
        &[
            "arm",
            "sweep",
            "seconds",
            "agent",
            "server",
            "waiting",
            "calls",
            "soft errors",
            "calls after loss",
            "tokens in",
            "tokens out",
            "cost",
        ],
        comparison.arms.iter().map(|arm| {
            let figures = &arm.figures;
            vec![
                arm_word(arm.arm),
                arm.run.clone(),
                mean_words(figures.seconds),
                mean_words(figures.agent_seconds),
                mean_words(figures.server_seconds),
                mean_words(figures.waiting_seconds),
                mean_words(figures.calls),
                dash(figures.soft_errors.sum),
                dash(figures.calls_after_loss.sum),
                dash(figures.input_tokens.sum),
                dash(figures.output_tokens.sum),
                money(figures.cost),
            ]
        }),
    );
}

fn records(page: &mut Page, comparison: &SweepComparison) {
    page.line("## By record");
    page.line("");
    page.table(
        &[
            "record",
            "sweep",
            "asked",
            "answered",
            "unanswered",
            "lost",
            "right",
            "95 % interval",
            "exact",
            "ordered",
            "mean f1",
            "outcomes",
            "evidence",
        ],
        comparison.cells.iter().map(|cell| {
            let mut row = vec![cell.record.clone(), cell.run.clone()];
            row.extend(counts(&cell.figures));
            row.push(outcome_words(&cell.figures));
            row.push(evidence_words(&cell.figures));
            row
        }),
    );
}

fn how(page: &mut Page, comparison: &SweepComparison) {
    page.line("## How to read it");
    page.line("");
    for line in [
        "A share is written hits/denominator. Attempts lost to the infrastructure count for nobody and are in no denominator but *as published*'s; a figure over nothing is a dash, never 0.",
        "*Right* is exact and, where the agent was told not to expand, also obedient. Mean f1 takes no answer as 0.",
        "Intervals of shares are Wilson's at 95 % (z = 1.96; Wilson 1927). At one record they take its attempts as independent draws of what the agent does there. Over an arm they take the records as independent and attempts at the same record as if all had gone alike: as wide as over (Σm)²/Σm² observations, m attempts at each record, which is the number of records where all were asked equally often (Kish 1965), so that repeats do not narrow them.",
        &format!(
            "Intervals of differences are percentiles of a paired bootstrap over records with all their attempts ({} resamples, seed {}). With fewer than ten records they are too narrow.",
            comparison.resamples, comparison.seed
        ),
        "McNemar's test is the exact two-sided one, over one pair for each record: a side is right there if more than half of its attempts that count are. *Left out* are records without such an attempt on either side, or with half of them right. No p is corrected for how many there are.",
        "Seconds and calls are means over the attempts that count; soft errors, calls after a loss, tokens and cost are sums over all of them. *Seconds* leave out waiting that a service asked for. A cost with ≥ is a lower bound: some usage never came back.",
    ] {
        page.line(&format!("- {line}"));
    }
    if comparison.kind == Some(ResultKind::Reconstruction) {
        page.line(
            "- *Reconstruction*: nothing here says how an agent does on the live federation.",
        );
    }
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn table(&mut self, header: &[&str], rows: impl Iterator<Item = Vec<String>>) {
        self.line(&format!("| {} |", header.join(" | ")));
        self.line(&format!("|{}", "---|".repeat(header.len())));
        for row in rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
            let _ = writeln!(self.text, "| {} |", cells.join(" | "));
        }
        self.line("");
    }
}

/// Text that stays in its cell and is no markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '<' | '[' | ']' => {
                safe.push('\\');
                safe.push(c);
            }
            '\n' | '\r' => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_breaks_its_table_or_becomes_markup() {
        let mut page = Page::default();
        page.table(&["a"], std::iter::once(vec!["x|y\n<b>*".to_owned()]));
        assert_eq!(page.text, "| a |\n|---|\n| x\\|y \\<b>\\* |\n\n");
    }
}
