//! Figures of models as one table, each said to be published, recomputed or ours.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::metrics::{AvaResult, Interval, ResultFile};

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Taken over from the paper or from its result files.
    Published,
    /// Computed here, for a model and a set of which there is a published figure.
    Recomputed,
    /// Computed here, for what nobody published.
    Ours,
}

impl Standing {
    /// The word that stands in a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Recomputed => "recomputed",
            Self::Ours => "ours",
        }
    }
}

/// The published figures, with their source.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Published {
    /// Where they were published.
    pub source: String,
    /// Triplet and hard-negative accuracy on the published test set.
    pub test: Vec<PublishedTest>,
    /// F1 of taxonomy discovery at k = 1, in percent.
    pub taxonomy: Vec<PublishedTask>,
    /// F of ontology alignment at k = 1, in percent.
    pub alignment: Vec<PublishedTask>,
}

/// A model's published figures on the test set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PublishedTest {
    /// The model.
    pub model: String,
    /// What it was fine-tuned with; `None` for a pre-trained one.
    pub tuning: Option<String>,
    /// From 0 to 1.
    pub triplet_accuracy: f64,
    /// From 0 to 1.
    pub hard_negative_acc: f64,
}

/// A model's published figure on a downstream task.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PublishedTask {
    /// The ontology, or the two that are aligned.
    pub task: String,
    /// Pairs of the ground truth, or cells of the reference.
    pub reference: usize,
    /// The model.
    pub model: String,
    /// What it was fine-tuned with.
    pub tuning: Option<String>,
    /// In percent.
    pub f1: f64,
}

impl Published {
    /// Reads the figures that come with the crate, in `data/published.json`.
    ///
    /// ```
    /// let published = ava::Published::read()?;
    /// assert_eq!(published.test[0].model, "all-MiniLM-L6-v2");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("../data/published.json"))
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableRow {
    /// The model.
    pub model: String,
    /// What it was fine-tuned with.
    pub tuning: Option<String>,
    /// Where the figures come from.
    pub standing: Standing,
    /// The triplets that were judged, where that is known.
    pub triplets: Option<usize>,
    /// The figures.
    #[serde(flatten)]
    pub figures: AvaResult,
    /// Of the triplet accuracy.
    pub triplet_accuracy_interval: Option<Interval>,
    /// Of the accuracy on hard negatives.
    pub hard_negative_acc_interval: Option<Interval>,
}

impl From<&PublishedTest> for TableRow {
    fn from(published: &PublishedTest) -> Self {
        Self {
            model: published.model.clone(),
            tuning: published.tuning.clone(),
            standing: Standing::Published,
            triplets: None,
            figures: AvaResult {
                triplet_accuracy: Some(published.triplet_accuracy),
                hard_negative_acc: Some(published.hard_negative_acc),
                ..AvaResult::default()
            },
            triplet_accuracy_interval: None,
            hard_negative_acc_interval: None,
        }
    }
}

impl TableRow {
    /// A model's row from a result file.
    pub fn new(model: String, standing: Standing, file: &ResultFile) -> Self {
        let overall = file.details.as_ref().map(|details| &details.overall);
        Self {
            model,
            tuning: None,
            standing,
            triplets: overall.map(|figures| figures.triplets),
            figures: file.test,
            triplet_accuracy_interval: overall.and_then(|all| all.triplet_accuracy_interval),
            hard_negative_acc_interval: overall.and_then(|all| all.hard_negative_accuracy_interval),
        }
    }
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// A pipe table.
    Markdown,
    /// A `tabular` of the booktabs package.
    Latex,
    /// RFC 4180, with unrounded figures.
    Csv,
}

const HEADER: [&str; 8] = [
    "model",
    "fine-tuned",
    "figures",
    "triplets",
    "triplet accuracy",
    "hard-negative accuracy",
    "MRR",
    "ROC-AUC",
];

/// Writes rows as a table, in their order. A figure that a row does not have is a dash, or nothing in CSV.
pub fn table(rows: &[TableRow], format: TableFormat) -> String {
    match format {
        TableFormat::Markdown => markdown(rows),
        TableFormat::Latex => latex(rows),
        TableFormat::Csv => csv(rows),
    }
}

/// A row's cells for people: figures with three digits, an interval behind.
fn cells(row: &TableRow) -> [String; 8] {
    let dash = || "–".to_owned();
    let figure = |value: Option<f64>| value.map_or_else(dash, |value| format!("{value:.3}"));
    let with = |value: Option<f64>, interval: Option<Interval>| match (value, interval) {
        (Some(value), Some(Interval { low, high })) => format!("{value:.3} ({low:.3}–{high:.3})"),
        (value, _) => figure(value),
    };
    [
        row.model.clone(),
        row.tuning.clone().unwrap_or_else(dash),
        row.standing.word().to_owned(),
        row.triplets.map_or_else(dash, |count| count.to_string()),
        with(row.figures.triplet_accuracy, row.triplet_accuracy_interval),
        with(
            row.figures.hard_negative_acc,
            row.hard_negative_acc_interval,
        ),
        figure(row.figures.mrr),
        figure(row.figures.roc_auc),
    ]
}

fn markdown(rows: &[TableRow]) -> String {
    let mut text = format!("| {} |\n", HEADER.join(" | "));
    text.push_str("|---|---|---|---:|---:|---:|---:|---:|\n");
    for row in rows {
        let cells = cells(row).map(|cell| {
            cell.replace('\\', "\\\\")
                .replace('|', "\\|")
                .replace('\n', " ")
        });
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn latex(rows: &[TableRow]) -> String {
    let line = |cells: &[String]| format!("{} \\\\\n", cells.join(" & "));
    let header = HEADER.map(str::to_owned);
    let mut text = format!(
        "\\begin{{tabular}}{{lllrrrrr}}\n\\toprule\n{}\\midrule\n",
        line(&header)
    );
    for row in rows {
        text.push_str(&line(&cells(row).map(|cell| for_latex(&cell))));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

fn for_latex(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for c in cell.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => text.extend(['\\', c]),
            '\\' => text.push_str("\\textbackslash{}"),
            '~' => text.push_str("\\textasciitilde{}"),
            '^' => text.push_str("\\textasciicircum{}"),
            '–' => text.push_str("--"),
            '\n' | '\r' => text.push(' '),
            c => text.push(c),
        }
    }
    text
}

fn csv(rows: &[TableRow]) -> String {
    let mut text = String::from(
        "model,fine_tuned,standing,triplets,triplet_accuracy,triplet_accuracy_low,triplet_accuracy_high,hard_negative_acc,hard_negative_acc_low,hard_negative_acc_high,MRR,roc_auc,avg_precision,best_threshold,accuracy,precision,recall,f1\n",
    );
    for row in rows {
        let figure = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let (all, hard) = (
            row.triplet_accuracy_interval,
            row.hard_negative_acc_interval,
        );
        let figures = &row.figures;
        let mut cells = vec![
            quoted(&row.model),
            quoted(row.tuning.as_deref().unwrap_or_default()),
            row.standing.word().to_owned(),
            row.triplets
                .map_or_else(String::new, |count| count.to_string()),
        ];
        let values = [
            figures.triplet_accuracy,
            all.map(|interval| interval.low),
            all.map(|interval| interval.high),
            figures.hard_negative_acc,
            hard.map(|interval| interval.low),
            hard.map(|interval| interval.high),
            figures.mrr,
            figures.roc_auc,
            figures.avg_precision,
            figures.best_threshold,
            figures.accuracy,
            figures.precision,
            figures.recall,
            figures.f1,
        ];
        cells.extend(values.map(figure));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> [TableRow; 2] {
        let file: ResultFile = serde_json::from_str(
            r#"{"test": {"triplet_accuracy": 0.5625, "MRR": 0.75, "hard_negative_acc": null, "roc_auc": 0.1234567}}"#,
        )
        .unwrap();
        let mut own = TableRow::new("a|b_c, \"d\"".to_owned(), Standing::Ours, &file);
        own.triplet_accuracy_interval = Some(Interval {
            low: 0.5,
            high: 0.625,
        });
        let published = Published::read().unwrap();
        [TableRow::from(&published.test[0]), own]
    }

    #[test]
    fn a_table_in_markdown() {
        let text = table(&rows(), TableFormat::Markdown);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| all-MiniLM-L6-v2 | – | published | – | 0.657 | 0.467 | – | – |",
                "| a\\|b_c, \"d\" | – | ours | – | 0.562 (0.500–0.625) | – | 0.750 | 0.123 |"
            ]
        );
    }

    #[test]
    fn a_table_in_latex() {
        let text = table(&rows(), TableFormat::Latex);
        assert!(
            text.contains(
                "all-MiniLM-L6-v2 & -- & published & -- & 0.657 & 0.467 & -- & -- \\\\\n"
            ),
            "{text}"
        );
        assert!(text.contains("a|b\\_c, \"d\" & -- & ours"), "{text}");
        assert_eq!(
            for_latex("\\~^{1%}"),
            "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\{1\\%\\}"
        );
    }

    #[test]
    fn a_table_in_csv_is_not_rounded() {
        let text = table(&rows(), TableFormat::Csv);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "all-MiniLM-L6-v2,,published,,0.657,,,0.467,,,,,,,,,,"
        );
        assert_eq!(
            lines[2],
            "\"a|b_c, \"\"d\"\"\",,ours,,0.5625,0.5,0.625,,,,0.75,0.1234567,,,,,,"
        );
        assert!(lines.iter().skip(1).all(|line| !line.contains("NaN")));
    }

    #[test]
    fn published_figures_are_shares_and_percentages_with_a_source() {
        let published = Published::read().unwrap();
        assert!(published.source.contains("10.1145/3799682.3840036"));
        assert_eq!(
            (
                published.test.len(),
                published.taxonomy.len(),
                published.alignment.len()
            ),
            (41, 40, 32)
        );
        for test in &published.test {
            for value in [test.triplet_accuracy, test.hard_negative_acc] {
                assert!((0.0..=1.0).contains(&value), "{}", test.model);
            }
            // What is hard is harder.
            assert!(
                test.hard_negative_acc <= test.triplet_accuracy,
                "{}",
                test.model
            );
        }
        let tasks = published.taxonomy.iter().chain(&published.alignment);
        assert!(
            tasks
                .into_iter()
                .all(|task| (0.0..=100.0).contains(&task.f1))
        );
    }
}
