//! Figures of models as tables, each said to be published, recomputed or ours.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::downstream::{AlignmentResult, TaxonomyResult};
use crate::metrics::{AvaResult, Interval, ResultFile, listed, ratio};
use crate::published::{PublishedTask, PublishedTest};

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

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableRow {
    /// The model.
    pub model: String,
    /// What it was fine-tuned with.
    pub tuning: Option<String>,
    /// Where the figures come from.
    pub standing: Standing,
    /// The set that was judged, where that is known.
    pub data: Option<String>,
    /// The SHA-256 of that set's file.
    pub data_sha256: Option<String>,
    /// The triplets that were judged, where that is known.
    pub triplets: Option<usize>,
    /// Of those, hard.
    pub hard: Option<usize>,
    /// The figures.
    #[serde(flatten)]
    pub figures: AvaResult,
    /// Of the triplet accuracy.
    pub triplet_accuracy_interval: Option<Interval>,
    /// Of the accuracy on hard negatives.
    pub hard_negative_acc_interval: Option<Interval>,
}

/// The set of the published figures.
const PUBLISHED_SET: &str = "AVA's test set";

impl From<&PublishedTest> for TableRow {
    fn from(published: &PublishedTest) -> Self {
        Self {
            model: published.model.clone(),
            tuning: published.tuning.clone(),
            standing: Standing::Published,
            data: Some(PUBLISHED_SET.to_owned()),
            data_sha256: None,
            triplets: None,
            hard: None,
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
    /// A model's row from a result file. The model has the name that the run gave it, else `name`. A file does not know whether
    /// its figures were published: AVA's evaluation writes the same for whoever runs it. One that was published is of the
    /// published set.
    pub fn new(name: &str, standing: Standing, file: &ResultFile) -> Self {
        let run = file.run.as_ref();
        let model = run.map_or_else(|| name.to_owned(), |run| run.model.clone());
        let overall = file.details.as_ref().map(|details| &details.overall);
        Self {
            model,
            tuning: run.and_then(|run| run.tuning.clone()),
            standing,
            data: match (run, standing) {
                (Some(run), _) => Some(run.data.clone()),
                (None, Standing::Published) => Some(PUBLISHED_SET.to_owned()),
                (None, _) => None,
            },
            data_sha256: run.and_then(|run| run.data_sha256.clone()),
            triplets: overall.map(|figures| figures.triplets),
            hard: overall.map(|figures| figures.hard),
            figures: file.test,
            triplet_accuracy_interval: overall.and_then(|all| all.triplet_accuracy_interval),
            hard_negative_acc_interval: overall.and_then(|all| all.hard_negative_accuracy_interval),
        }
    }

    /// The model with what it was fine-tuned with.
    pub fn listed(&self) -> String {
        listed(&self.model, self.tuning.as_deref())
    }

    /// What tells the row's set from another: its bytes where they are known, else its name.
    pub fn set(&self) -> Option<&str> {
        self.data_sha256.as_deref().or(self.data.as_deref())
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

/// A row of a downstream task's table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DownstreamRow {
    /// The ontology, or the two that are aligned.
    pub task: String,
    /// Pairs of the ground truth as OntoLearner lists them, or of the reference.
    pub reference: usize,
    /// The model.
    pub model: String,
    /// What it was fine-tuned with.
    pub tuning: Option<String>,
    /// Where the figures come from.
    pub standing: Standing,
    /// Nearest ones that each class was paired with; unknown where the pairs were found elsewhere.
    pub top_k: Option<u16>,
    /// In percent.
    pub precision: Option<f64>,
    /// In percent.
    pub recall: Option<f64>,
    /// In percent.
    pub f1: f64,
}

impl From<&PublishedTask> for DownstreamRow {
    fn from(published: &PublishedTask) -> Self {
        Self {
            task: published.task.clone(),
            reference: published.reference,
            model: published.model.clone(),
            tuning: published.tuning.clone(),
            standing: Standing::Published,
            top_k: Some(1),
            precision: published.correct.zip(published.predicted).map(percent),
            recall: published
                .correct
                .map(|correct| percent((correct, published.reference))),
            f1: published.f1,
        }
    }
}

impl DownstreamRow {
    /// A model's row from what `ava align` found.
    pub fn of_alignment(result: AlignmentResult, standing: Standing) -> Self {
        let figures = result.figures;
        Self {
            task: result.task,
            reference: figures.reference,
            model: result.model,
            tuning: result.tuning,
            standing,
            top_k: result.top_k,
            precision: Some(figures.precision),
            recall: Some(figures.recall),
            f1: figures.f1,
        }
    }

    /// A model's row from what `ava taxonomy` found, whose shares become percentages.
    pub fn of_taxonomy(result: TaxonomyResult, standing: Standing) -> Self {
        let figures = result.figures;
        Self {
            task: result.task,
            reference: figures.ground_truth,
            model: result.model,
            tuning: result.tuning,
            standing,
            top_k: result.top_k,
            precision: Some(100.0 * figures.precision),
            recall: Some(100.0 * figures.recall),
            f1: 100.0 * figures.f1,
        }
    }
}

fn percent((part, whole): (usize, usize)) -> f64 {
    100.0 * ratio(part, whole)
}

/// Puts rows of one task together, in the order in which tasks first come, and under the first one's spelling: a figure stands
/// beside the published one. `mouse-human` is the task `Mouse–Human`: case, spaces and the kind of dash make no other.
pub fn by_task(rows: &mut [DownstreamRow]) {
    spelled_alike(rows.iter_mut());
    let mut tasks: Vec<String> = Vec::new();
    for row in &*rows {
        if !tasks.contains(&row.task) {
            tasks.push(row.task.clone());
        }
    }
    rows.sort_by_key(|row| tasks.iter().position(|first| *first == row.task));
}

/// Gives tasks, and what models were fine-tuned with, the spelling in which they first come, as [`by_task`] tells them apart.
pub fn spelled_alike<'a>(rows: impl Iterator<Item = &'a mut DownstreamRow>) {
    let mut tasks: Vec<(String, String)> = Vec::new();
    let mut tunings: Vec<(String, String)> = Vec::new();
    for row in rows {
        let plain = plain_task(&row.task);
        as_first(&mut tasks, plain, &mut row.task);
        if let Some(tuning) = &mut row.tuning {
            as_first(&mut tunings, tuning.to_lowercase(), tuning);
        }
    }
}

/// Replaces a name by the first one that is compared as it is.
fn as_first(known: &mut Vec<(String, String)>, plain: String, name: &mut String) {
    match known.iter().find(|(of, _)| *of == plain) {
        Some((_, first)) => name.clone_from(first),
        None => known.push((plain, name.clone())),
    }
}

/// A task's name as names are compared.
pub(crate) fn plain_task(task: &str) -> String {
    let letters = task.chars().filter(|c| !c.is_whitespace());
    let plain = letters.map(|c| {
        if matches!(c, '–' | '—' | '_' | '‑') {
            '-'
        } else {
            c
        }
    });
    plain.collect::<String>().to_lowercase()
}

/// Cells, a row each under a header; as many columns as `words` hold words, the others figures.
struct Sheet {
    header: Vec<&'static str>,
    words: usize,
    rows: Vec<Vec<String>>,
}

/// Writes rows as a table, in their order. A figure that a row does not have is a dash, or nothing in CSV. For people the set
/// stands in a column of its own where there is more than one.
pub fn table(rows: &[TableRow], format: TableFormat) -> String {
    let sheet = match format {
        TableFormat::Csv => Sheet {
            header: EXACT_HEADER.to_vec(),
            words: 4,
            rows: rows.iter().map(exact_cells).collect(),
        },
        TableFormat::Markdown | TableFormat::Latex => {
            let sets = sets(rows);
            let mut sheet = Sheet {
                header: HEADER.to_vec(),
                words: 3,
                rows: rows.iter().map(cells).collect(),
            };
            if let Some(sets) = sets {
                sheet.header.insert(sheet.words, "set");
                for (row, set) in sheet.rows.iter_mut().zip(sets) {
                    row.insert(sheet.words, set);
                }
                sheet.words += 1;
            }
            sheet
        }
    };
    sheet.write(format)
}

/// The name of each row's set, unless all are known to be of one. Where two sets have one name, the beginnings of their
/// digests tell them apart.
fn sets(rows: &[TableRow]) -> Option<Vec<String>> {
    let known: BTreeSet<&str> = rows.iter().filter_map(TableRow::set).collect();
    let unknown = rows.iter().filter(|row| row.set().is_none()).count();
    if known.len() + unknown < 2 {
        return None;
    }
    let name = |row: &TableRow| {
        let Some(data) = &row.data else {
            return DASH.to_owned();
        };
        let has_namesake = rows
            .iter()
            .any(|other| other.data.as_ref() == Some(data) && other.set() != row.set());
        match row.data_sha256.as_ref().and_then(|digest| digest.get(..8)) {
            Some(digest) if has_namesake => format!("{data} ({digest})"),
            _ => data.clone(),
        }
    };
    Some(rows.iter().map(name).collect())
}

/// The same for a downstream task, figures in percent.
pub fn downstream_table(rows: &[DownstreamRow], format: TableFormat) -> String {
    let (header, none) = match format {
        TableFormat::Csv => (EXACT_TASK_HEADER, ""),
        TableFormat::Markdown | TableFormat::Latex => (TASK_HEADER, DASH),
    };
    let figure = |value: f64| match format {
        TableFormat::Csv => value.to_string(),
        TableFormat::Markdown | TableFormat::Latex => format!("{value:.2}"),
    };
    let cells = |row: &DownstreamRow| {
        let share = |value: Option<f64>| value.map_or_else(|| none.to_owned(), figure);
        vec![
            row.task.clone(),
            row.model.clone(),
            row.tuning.clone().unwrap_or_else(|| none.to_owned()),
            row.standing.word().to_owned(),
            row.reference.to_string(),
            row.top_k.map_or_else(|| none.to_owned(), |k| k.to_string()),
            share(row.precision),
            share(row.recall),
            figure(row.f1),
        ]
    };
    Sheet {
        header: header.to_vec(),
        words: 4,
        rows: rows.iter().map(cells).collect(),
    }
    .write(format)
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

const EXACT_HEADER: [&str; 19] = [
    "model",
    "fine_tuned",
    "standing",
    "data",
    "triplets",
    "triplet_accuracy",
    "triplet_accuracy_low",
    "triplet_accuracy_high",
    "hard_negative_acc",
    "hard_negative_acc_low",
    "hard_negative_acc_high",
    "MRR",
    "roc_auc",
    "avg_precision",
    "best_threshold",
    "accuracy",
    "precision",
    "recall",
    "f1",
];

const TASK_HEADER: [&str; 9] = [
    "task",
    "model",
    "fine-tuned",
    "figures",
    "true pairs",
    "k",
    "precision, %",
    "recall, %",
    "F1, %",
];

const EXACT_TASK_HEADER: [&str; 9] = [
    "task",
    "model",
    "fine_tuned",
    "standing",
    "reference",
    "top_k",
    "precision",
    "recall",
    "f1",
];

/// What stands for a figure that is not there.
const DASH: &str = "–";

/// A row's cells for people: figures with three digits, an interval behind.
fn cells(row: &TableRow) -> Vec<String> {
    let dash = || DASH.to_owned();
    let figure = |value: Option<f64>| value.map_or_else(dash, |value| format!("{value:.3}"));
    let with = |value: Option<f64>, interval: Option<Interval>| match (value, interval) {
        (Some(value), Some(Interval { low, high })) => format!("{value:.3} ({low:.3}–{high:.3})"),
        (value, _) => figure(value),
    };
    vec![
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

/// A row's cells for programs, not rounded.
fn exact_cells(row: &TableRow) -> Vec<String> {
    let (all, hard) = (
        row.triplet_accuracy_interval,
        row.hard_negative_acc_interval,
    );
    let figures = &row.figures;
    let mut cells = vec![
        row.model.clone(),
        row.tuning.clone().unwrap_or_default(),
        row.standing.word().to_owned(),
        row.data.clone().unwrap_or_default(),
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
    let figure = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    cells.extend(values.map(figure));
    cells
}

impl Sheet {
    fn write(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Markdown => self.markdown(),
            TableFormat::Latex => self.latex(),
            TableFormat::Csv => self.csv(),
        }
    }

    /// What each column is: `words` first, then figures.
    fn columns(&self, word: &str, figure: &str) -> String {
        word.repeat(self.words) + &figure.repeat(self.header.len() - self.words)
    }

    fn markdown(&self) -> String {
        let mut text = format!("| {} |\n", self.header.join(" | "));
        text.push_str(&["|", &self.columns("---|", "---:|"), "\n"].concat());
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| for_markdown(cell)).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }

    fn latex(&self) -> String {
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let header = self.header.iter().map(|name| for_latex(name)).collect();
        let mut text = format!(
            "\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n",
            self.columns("l", "r"),
            line(header)
        );
        for row in &self.rows {
            let mut row = line(row.iter().map(|cell| for_latex(cell)).collect());
            // Behind the end of a line, `*` and `[` would be its star and its option.
            if row.starts_with(['*', '[']) {
                row.insert_str(0, "{}");
            }
            text.push_str(&row);
        }
        text.push_str("\\bottomrule\n\\end{tabular}\n");
        text
    }

    fn csv(&self) -> String {
        let mut text = self.header.join(",");
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

/// What Markdown, or the HTML inside it, would take for its own.
fn for_markdown(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for c in cell.chars() {
        match c {
            '\\' | '|' | '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '&' | '$' => {
                text.extend(['\\', c]);
            }
            '\n' | '\r' => text.push(' '),
            c => text.push(c),
        }
    }
    text
}

/// For any of LaTeX's engines and font encodings: what is no letter of theirs is a command.
fn for_latex(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for c in cell.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => text.extend(['\\', c]),
            '\n' | '\r' | '\t' => text.push(' '),
            c => match LATEX.iter().find(|(sign, _)| *sign == c) {
                Some((_, command)) => text.push_str(command),
                None => text.push(c),
            },
        }
    }
    text
}

/// Signs that the default font has in other places or not at all, and Greek letters.
const LATEX: [(char, &str); 66] = [
    ('\\', "\\textbackslash{}"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('|', "\\textbar{}"),
    ('<', "\\textless{}"),
    ('>', "\\textgreater{}"),
    // A plain one is a shorthand in some languages of babel.
    ('"', "\\symbol{34}"),
    ('–', "--"),
    ('—', "---"),
    ('…', "\\dots{}"),
    ('“', "``"),
    ('”', "''"),
    ('‘', "`"),
    ('’', "'"),
    ('≥', "$\\geq$"),
    ('≤', "$\\leq$"),
    ('≠', "$\\neq$"),
    ('≈', "$\\approx$"),
    ('≡', "$\\equiv$"),
    ('±', "$\\pm$"),
    ('×', "$\\times$"),
    ('·', "$\\cdot$"),
    ('−', "$-$"),
    ('→', "$\\rightarrow$"),
    ('←', "$\\leftarrow$"),
    ('↔', "$\\leftrightarrow$"),
    ('∞', "$\\infty$"),
    ('°', "$^\\circ$"),
    ('²', "$^2$"),
    ('³', "$^3$"),
    ('µ', "$\\mu$"),
    ('α', "$\\alpha$"),
    ('β', "$\\beta$"),
    ('γ', "$\\gamma$"),
    ('δ', "$\\delta$"),
    ('ε', "$\\varepsilon$"),
    ('ζ', "$\\zeta$"),
    ('η', "$\\eta$"),
    ('θ', "$\\theta$"),
    ('ι', "$\\iota$"),
    ('κ', "$\\kappa$"),
    ('λ', "$\\lambda$"),
    ('μ', "$\\mu$"),
    ('ν', "$\\nu$"),
    ('ξ', "$\\xi$"),
    ('ο', "$o$"),
    ('π', "$\\pi$"),
    ('ρ', "$\\rho$"),
    ('ς', "$\\varsigma$"),
    ('σ', "$\\sigma$"),
    ('τ', "$\\tau$"),
    ('υ', "$\\upsilon$"),
    ('φ', "$\\varphi$"),
    ('χ', "$\\chi$"),
    ('ψ', "$\\psi$"),
    ('ω', "$\\omega$"),
    ('Γ', "$\\Gamma$"),
    ('Δ', "$\\Delta$"),
    ('Θ', "$\\Theta$"),
    ('Λ', "$\\Lambda$"),
    ('Ξ', "$\\Xi$"),
    ('Π', "$\\Pi$"),
    ('Σ', "$\\Sigma$"),
    ('Φ', "$\\Phi$"),
    ('Ψ', "$\\Psi$"),
    ('Ω', "$\\Omega$"),
];

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
    use crate::downstream::ModelResult;
    use crate::published::Published;

    fn rows() -> [TableRow; 2] {
        let file: ResultFile = serde_json::from_str(
            r#"{"test": {"triplet_accuracy": 0.5625, "MRR": 0.75, "hard_negative_acc": null, "roc_auc": 0.1234567}}"#,
        )
        .unwrap();
        let mut own = TableRow::new("a|b_c, \"d\"", Standing::Recomputed, &file);
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
                "| all-MiniLM-L6-v2 | – | published | AVA's test set | – | 0.657 | 0.467 | – | – |",
                "| a\\|b\\_c, \"d\" | – | recomputed | – | – | 0.562 (0.500–0.625) | – | 0.750 | 0.123 |"
            ]
        );
    }

    #[test]
    fn a_table_in_latex() {
        let text = table(&rows(), TableFormat::Latex);
        assert!(
            text.contains(
                "all-MiniLM-L6-v2 & -- & published & AVA's test set & -- & 0.657 & 0.467 & -- & -- \\\\\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("\na\\textbar{}b\\_c, \\symbol{34}d\\symbol{34} & -- & recomputed"),
            "{text}"
        );
    }

    #[test]
    fn what_a_format_takes_for_its_own_is_written_as_it_looks() {
        for (cell, markdown, latex) in [
            ("plain-1.5 (é)", "plain-1.5 (é)", "plain-1.5 (é)"),
            (
                "\\~^{1%}",
                "\\\\\\~^{1%}",
                "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\{1\\%\\}",
            ),
            (
                "a|<b>\"c\"",
                "a\\|\\<b\\>\"c\"",
                "a\\textbar{}\\textless{}b\\textgreater{}\\symbol{34}c\\symbol{34}",
            ),
            ("*x* _y_ `z`", "\\*x\\* \\_y\\_ \\`z\\`", "*x* \\_y\\_ `z`"),
            ("[a](b) &lt;", "\\[a\\](b) \\&lt;", "[a](b) \\&lt;"),
            ("k≥5, β–γ", "k≥5, β–γ", "k$\\geq$5, $\\beta$--$\\gamma$"),
            ("two\nlines", "two lines", "two lines"),
        ] {
            assert_eq!(for_markdown(cell), markdown, "{cell}");
            assert_eq!(for_latex(cell), latex, "{cell}");
        }
        let [mut row, _] = rows();
        for (model, expected) in [
            ("*best*", "\\midrule\n{}*best* & "),
            ("[mine]", "\\midrule\n{}[mine] & "),
            ("a*", "\\midrule\na* & "),
        ] {
            row.model = model.to_owned();
            let text = table(std::slice::from_ref(&row), TableFormat::Latex);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn sets_are_named_where_there_is_more_than_one() {
        let row = |data: Option<&str>, digest: Option<&str>| {
            let [_, mut row] = rows();
            row.model = "m".to_owned();
            row.data = data.map(str::to_owned);
            row.data_sha256 = digest.map(str::to_owned);
            row
        };
        let one = row(Some("a.json"), Some("0123456789"));
        let moved = row(Some("b/a.json"), Some("0123456789"));
        let other = row(Some("b.json"), Some("abcdefabcd"));
        let namesake = row(Some("a.json"), Some("abcdefabcd"));
        let older = row(Some("a.json"), None);
        let unknown = row(None, None);
        let cases: [(&[&TableRow], &[&str]); 8] = [
            (&[&one], &[]),
            (&[&one, &one], &[]),
            (&[&one, &moved], &[]),
            (&[&unknown], &[]),
            // Of one set or of two: nobody says.
            (&[&unknown, &unknown], &["–", "–"]),
            (&[&one, &other], &["a.json", "b.json"]),
            (
                &[&one, &namesake],
                &["a.json (01234567)", "a.json (abcdefab)"],
            ),
            (
                &[&one, &older, &unknown],
                &["a.json (01234567)", "a.json", "–"],
            ),
        ];
        for (rows, expected) in cases {
            let rows: Vec<TableRow> = rows.iter().map(|row| (*row).clone()).collect();
            let text = table(&rows, TableFormat::Markdown);
            let mut lines = text.lines();
            let has_column = lines.next().unwrap().contains("| set |");
            let column: Vec<&str> = lines
                .skip(1)
                .filter(|_| has_column)
                .map(|line| line.split(" | ").nth(3).unwrap())
                .collect();
            assert_eq!(column, expected, "{text}");
        }
        let csv = table(&[one], TableFormat::Csv);
        assert!(csv.contains("\nm,,recomputed,a.json,,"), "{csv}");
    }

    #[test]
    fn what_a_model_was_tuned_with_stands_beside_it() {
        let file: ResultFile = serde_json::from_str(
            r#"{"test": {"triplet_accuracy": 0.5}, "run": {"model": "m", "data": "t.json", "tuning": "triplet loss"}}"#,
        )
        .unwrap();
        let row = TableRow::new("file", Standing::Recomputed, &file);
        assert_eq!(
            (row.tuning.as_deref(), row.listed()),
            (Some("triplet loss"), "m, triplet loss".to_owned())
        );
        let text = table(&[row], TableFormat::Markdown);
        assert!(text.contains("| m | triplet loss | recomputed |"), "{text}");
    }

    #[test]
    fn a_table_in_csv_is_not_rounded() {
        let text = table(&rows(), TableFormat::Csv);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "all-MiniLM-L6-v2,,published,AVA's test set,,0.657,,,0.467,,,,,,,,,,"
        );
        assert_eq!(
            lines[2],
            "\"a|b_c, \"\"d\"\"\",,recomputed,,,0.5625,0.5,0.625,,,,0.75,0.1234567,,,,,,"
        );
        assert!(lines.iter().skip(1).all(|line| !line.contains("NaN")));
    }

    /// The published rows of two tasks, and between them what was found here.
    fn tasks() -> Vec<DownstreamRow> {
        let published = Published::read().unwrap();
        let found = r#"{"task": "Mouse–Human", "model": "all-MiniLM-L6-v2", "top_k": 1, "hits": 1291, "predictions": 2743, "reference": 1516,
            "precision": 47.065257, "recall": 85.158311, "f1": 60.624559, "ignored": 0, "subsumptions": 0, "threshold": null}"#;
        let Ok(ModelResult::Alignment(found)) = ModelResult::read(found.as_bytes()) else {
            panic!("no alignment")
        };
        let of_task = |task: &str| {
            let row = published.alignment.iter().find(|row| row.task == task);
            DownstreamRow::from(row.unwrap())
        };
        let mut rows = vec![of_task("Mouse–Human"), of_task("Yago–Wikidata")];
        rows.push(DownstreamRow::of_alignment(found, Standing::Recomputed));
        by_task(&mut rows);
        rows
    }

    #[test]
    fn downstream_figures_stand_beside_the_published_ones() {
        let markdown = downstream_table(&tasks(), TableFormat::Markdown);
        let lines: Vec<&str> = markdown.lines().collect();
        assert_eq!(
            lines,
            [
                "| task | model | fine-tuned | figures | true pairs | k | precision, % | recall, % | F1, % |",
                "|---|---|---|---|---:|---:|---:|---:|---:|",
                "| Mouse–Human | all-MiniLM-L6-v2 | – | published | 1516 | 1 | 47.07 | 85.16 | 60.62 |",
                "| Mouse–Human | all-MiniLM-L6-v2 | – | recomputed | 1516 | 1 | 47.07 | 85.16 | 60.62 |",
                "| Yago–Wikidata | all-MiniLM-L6-v2 | – | published | 304 | 1 | – | – | 90.46 |",
            ]
        );
        let latex = downstream_table(&tasks(), TableFormat::Latex);
        assert!(
            latex.starts_with("\\begin{tabular}{llllrrrrr}\n"),
            "{latex}"
        );
        assert!(latex.contains("& recall, \\% & F1, \\% \\\\\n"), "{latex}");
        let row = "Mouse--Human & all-MiniLM-L6-v2 & -- & published & 1516 & 1 & 47.07 & 85.16 & 60.62 \\\\\n";
        assert!(latex.contains(row), "{latex}");
        let csv = downstream_table(&tasks(), TableFormat::Csv);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(
            lines[..3],
            [
                "task,model,fine_tuned,standing,reference,top_k,precision,recall,f1",
                "Mouse–Human,all-MiniLM-L6-v2,,published,1516,1,47.06525701786365,85.15831134564644,60.62",
                "Mouse–Human,all-MiniLM-L6-v2,,recomputed,1516,1,47.065257,85.158311,60.624559"
            ]
        );
    }

    #[test]
    fn a_taxonomy_s_shares_become_percentages() {
        let found = r#"{"task": "SchemaOrg", "model": "m", "top_k": 1, "correct": 89, "predicted": 1384, "ground_truth": 1058,
            "precision": 0.0643, "recall": 0.0841, "f1": 0.0729, "distinct": {}}"#;
        let Ok(ModelResult::Taxonomy(found)) = ModelResult::read(found.as_bytes()) else {
            panic!("no taxonomy")
        };
        let row = DownstreamRow::of_taxonomy(found, Standing::Ours);
        assert_eq!((row.reference, row.standing), (1058, Standing::Ours));
        for (found, expected) in [
            (row.precision, 6.43),
            (row.recall, 8.41),
            (Some(row.f1), 7.29),
        ] {
            assert!((found.unwrap() - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn counts_that_were_published_give_the_published_shares() {
        let published = Published::read().unwrap();
        let of = |tasks: &[PublishedTask], name: &str| {
            let task = tasks.iter().find(|task| task.task == name).unwrap();
            let row = DownstreamRow::from(task);
            (row.precision.unwrap(), row.recall.unwrap(), row.f1)
        };
        let (precision, recall, f1) = of(&published.alignment, "Mouse–Human");
        // All but the model's first row have no counts.
        assert!(
            published
                .alignment
                .iter()
                .filter(|task| task.correct.is_some())
                .count()
                == 1
        );
        let close = |found: f64, stated: f64| assert!((found - stated).abs() < 0.005, "{found}");
        close(precision, 47.065);
        close(recall, 85.158);
        close(2.0 * precision * recall / (precision + recall), f1 + 0.005);
        let (precision, recall, f1) = of(&published.taxonomy, "SchemaOrg");
        close(2.0 * precision * recall / (precision + recall), f1);
        let [_, _, all, train, test] = &published.sets[..] else {
            panic!()
        };
        assert!(train.triplets + test.triplets == all.triplets);
        assert_eq!(train.ontologies.zip(test.ontologies), Some((103, 60)));
    }

    #[test]
    fn a_task_has_one_name_however_it_is_written() {
        let published = Published::read().unwrap();
        let mut rows: Vec<DownstreamRow> = published
            .alignment
            .iter()
            .map(DownstreamRow::from)
            .collect();
        let count = rows.len();
        let names = ["mouse-human", "Mouse — Human", "MOUSE_HUMAN", "mouse–rat"];
        for task in names {
            let mut own = rows[0].clone();
            own.task = task.to_owned();
            own.standing = Standing::Ours;
            rows.push(own);
        }
        by_task(&mut rows);
        let of_mouse: Vec<Standing> = rows
            .iter()
            .filter(|row| row.task == "Mouse–Human")
            .map(|row| row.standing)
            .collect();
        assert_eq!(of_mouse.len(), 8 + 3);
        assert_eq!(of_mouse[8..], [Standing::Ours; 3]);
        assert_eq!(rows[count + 3].task, "mouse–rat");
        let mut tuned = [rows[1].clone(), rows[1].clone()];
        assert_eq!(tuned[0].tuning.as_deref(), Some("triplet loss"));
        tuned[1].tuning = Some("Triplet Loss".to_owned());
        spelled_alike(tuned.iter_mut());
        assert_eq!(tuned[0], tuned[1]);
    }
}
