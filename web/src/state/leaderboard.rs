//! Models on AVA, side by side: published figures, those of the bundle, and those that the reader gives.

use std::cmp::Ordering;

use ava::{AvaResult, Published, PublishedTask, ResultFile, Standing, TableRow};
use sweep::AvaBoard;

use crate::query::Board;

/// A result file that the reader gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The file's name.
    pub name: String,
    /// What it says.
    pub result: ResultFile,
}

/// Who shows a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It comes with the program.
    Program,
    /// It was published with the site.
    Site,
    /// The reader gave it to the page.
    Reader,
}

/// A model's figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its place in the list of all, by which it is pointed at.
    pub at: u32,
    /// The figures and where they come from.
    pub row: TableRow,
    /// What the model is built on.
    pub architecture: String,
    /// Who shows it.
    pub origin: Origin,
    /// Whether the site has its triplets with cosines.
    pub has_errors: bool,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The model's name.
    Model,
    /// What it was fine-tuned with.
    Tuning,
    /// What it is built on.
    Architecture,
    /// Where the figures come from.
    Figures,
    /// How many triplets it was judged on.
    Triplets,
    /// Triplet accuracy.
    Accuracy,
    /// Hard-negative accuracy.
    Hard,
    /// Mean reciprocal rank.
    Mrr,
    /// Area under the ROC curve.
    Auc,
}

/// All columns, in their order: identifier, heading, whether numbers stand in it.
pub const COLUMNS: [(Column, &str, &str, bool); 9] = [
    (Column::Model, "model", "model", false),
    (Column::Tuning, "tuning", "fine-tuned with", false),
    (Column::Accuracy, "triplet", "triplet accuracy", true),
    (Column::Hard, "hard", "hard-negative accuracy", true),
    (Column::Figures, "figures", "figures", false),
    (Column::Architecture, "architecture", "architecture", false),
    (Column::Mrr, "mrr", "MRR", true),
    (Column::Auc, "auc", "ROC-AUC", true),
    (Column::Triplets, "triplets", "triplets", true),
];

/// How a table is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorting {
    /// By which column.
    pub column: Column,
    /// From the greatest value down.
    pub descending: bool,
}

impl Sorting {
    /// As the address has it; by triplet accuracy where it says nothing that is a column.
    pub fn of(board: &Board) -> Self {
        let given = board.sort.as_deref().unwrap_or_default();
        let name = given.strip_prefix('-').unwrap_or(given);
        match COLUMNS.iter().find(|(_, id, ..)| *id == name) {
            Some((column, ..)) => Self {
                column: *column,
                descending: given.starts_with('-'),
            },
            None => Self {
                column: Column::Accuracy,
                descending: true,
            },
        }
    }

    /// What the address says once the reader has asked for a column: the other way round if it is this one already, else
    /// numbers from the greatest and words from the first.
    pub fn next(self, column: Column) -> String {
        let (_, id, _, is_number) = COLUMNS
            .into_iter()
            .find(|(one, ..)| *one == column)
            .unwrap_or(COLUMNS[0]);
        let descending = if self.column == column {
            !self.descending
        } else {
            is_number
        };
        format!("{}{id}", if descending { "-" } else { "" })
    }
}

/// A fine-tuned model beside the same model before.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned<'a> {
    /// Before.
    pub before: &'a Line,
    /// After.
    pub after: &'a Line,
}

/// A downstream task with the figures of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskLine<'a> {
    /// The task and how large its reference is.
    pub task: &'a PublishedTask,
    /// F1 in percent for each way of tuning, in their order.
    pub f1: Vec<Option<f64>>,
}

/// Downstream tasks of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Tasks<'a> {
    /// The ways of tuning; `None` for the pre-trained model.
    pub tunings: Vec<Option<&'a str>>,
    /// A line for each task and model.
    pub lines: Vec<TaskLine<'a>>,
}

/// All models that there are figures of.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaderboard {
    /// In the order of the sources: published, those of the site, those of the reader.
    pub lines: Vec<Line>,
    published: Published,
}

impl Leaderboard {
    /// Puts together what comes with the program, what the site has and what the reader gave.
    pub fn of(site: Option<AvaBoard>, given: &[Given]) -> Result<Self, serde_json::Error> {
        let mut this = Self {
            lines: Vec::new(),
            published: Published::read()?,
        };
        let published: Vec<TableRow> = this.published.test.iter().map(TableRow::from).collect();
        for row in published {
            this.add(row, Origin::Program, false);
        }
        for entry in site.map(|site| site.results).unwrap_or_default() {
            let result: ResultFile = serde_json::from_value(entry.result)?;
            let standing = if entry.recomputed {
                Standing::Recomputed
            } else {
                Standing::Ours
            };
            let has_errors = result
                .run
                .as_ref()
                .is_some_and(|run| run.triplets.is_some());
            this.add(
                TableRow::new(&entry.name, standing, &result),
                Origin::Site,
                has_errors,
            );
        }
        for Given { name, result } in given {
            let stem = name.strip_suffix(".json").unwrap_or(name);
            this.add(
                TableRow::new(stem, Standing::Ours, result),
                Origin::Reader,
                false,
            );
        }
        Ok(this)
    }

    fn add(&mut self, row: TableRow, origin: Origin, has_errors: bool) {
        let known = self.published.architectures.get(&row.model).cloned();
        let architecture = known.unwrap_or_else(|| {
            let is_none = row.model.starts_with("baseline:");
            let word = if is_none { "no model" } else { "not stated" };
            word.to_owned()
        });
        self.lines.push(Line {
            at: u32::try_from(self.lines.len()).unwrap_or(u32::MAX),
            row,
            architecture,
            origin,
            has_errors,
        });
    }

    /// Where the published figures come from.
    pub fn source(&self) -> &str {
        &self.published.source
    }

    /// Every architecture, once.
    pub fn architectures(&self) -> Vec<String> {
        let mut all: Vec<String> = self
            .lines
            .iter()
            .map(|line| line.architecture.clone())
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// The lines that are asked for, sorted; what has no value in the column stands last either way.
    pub fn shown(&self, board: &Board) -> Vec<&Line> {
        let mut lines: Vec<&Line> = self.lines.iter().filter(|line| fits(line, board)).collect();
        let Sorting { column, descending } = Sorting::of(board);
        lines.sort_by(|a, b| {
            let (a, b) = (Value::of(a, column), Value::of(b, column));
            match (a.is_missing(), b.is_missing()) {
                (false, false) if descending => b.compare(&a),
                (false, false) => a.compare(&b),
                (a, b) => a.cmp(&b),
            }
        });
        lines
    }

    /// Every fine-tuned model beside itself before, where both were judged on the same set. One that was computed here for a
    /// published set stands beside the published figures where there are no others.
    pub fn tuned(&self) -> Vec<Tuned<'_>> {
        let before = |after: &Line| {
            let of_set = |set: Option<&str>| {
                let same = |line: &&Line| {
                    line.row.model == after.row.model
                        && line.row.tuning.is_none()
                        && line.row.set() == set
                };
                self.lines.iter().find(same).filter(|_| set.is_some())
            };
            let published = || {
                let first = self
                    .lines
                    .iter()
                    .find(|line| line.origin == Origin::Program)?;
                of_set(first.row.set()).filter(|_| after.row.standing == Standing::Recomputed)
            };
            of_set(after.row.set()).or_else(published)
        };
        let tuned = self.lines.iter().filter(|line| line.row.tuning.is_some());
        tuned
            .filter_map(|after| {
                Some(Tuned {
                    before: before(after)?,
                    after,
                })
            })
            .collect()
    }

    /// The published figures of taxonomy discovery.
    pub fn taxonomy(&self) -> Tasks<'_> {
        Tasks::of(&self.published.taxonomy)
    }

    /// The published figures of ontology alignment.
    pub fn alignment(&self) -> Tasks<'_> {
        Tasks::of(&self.published.alignment)
    }
}

impl<'a> Tasks<'a> {
    fn of(published: &'a [PublishedTask]) -> Self {
        let mut tunings: Vec<Option<&str>> = Vec::new();
        let mut lines: Vec<TaskLine<'_>> = Vec::new();
        for task in published {
            let tuning = task.tuning.as_deref();
            let column = tunings.iter().position(|one| *one == tuning);
            let column = column.unwrap_or_else(|| {
                tunings.push(tuning);
                tunings.len() - 1
            });
            let line = lines
                .iter()
                .position(|line| line.task.task == task.task && line.task.model == task.model);
            let line = line.unwrap_or_else(|| {
                lines.push(TaskLine {
                    task,
                    f1: Vec::new(),
                });
                lines.len() - 1
            });
            let f1 = &mut lines[line].f1;
            f1.resize(f1.len().max(column + 1), None);
            f1[column] = Some(task.f1);
        }
        for line in &mut lines {
            line.f1.resize(tunings.len(), None);
        }
        Self { tunings, lines }
    }
}

fn fits(line: &Line, board: &Board) -> bool {
    let holds = |text: &str| {
        let tuning = line.row.tuning.as_deref().unwrap_or_default();
        let all = format!("{} {tuning}", line.row.model).to_lowercase();
        text.split_whitespace()
            .all(|word| all.contains(&word.to_lowercase()))
    };
    let is = |wanted: &Option<String>, value: &str| {
        wanted.as_deref().is_none_or(|wanted| wanted == value)
    };
    let tuning = match line.row.tuning {
        Some(_) => "fine-tuned",
        None => "pre-trained",
    };
    board.text.as_deref().is_none_or(holds)
        && is(&board.architecture, &line.architecture)
        && is(&board.figures, line.row.standing.word())
        && is(&board.tuning, tuning)
}

/// What a line has in a column.
enum Value {
    Words(Option<String>),
    Number(Option<f64>),
}

impl Value {
    fn of(line: &Line, column: Column) -> Self {
        let row = &line.row;
        let AvaResult {
            triplet_accuracy,
            hard_negative_acc,
            mrr,
            roc_auc,
            ..
        } = row.figures;
        match column {
            Column::Model => Self::Words(Some(row.model.to_lowercase())),
            Column::Tuning => Self::Words(row.tuning.clone()),
            Column::Architecture => Self::Words(Some(line.architecture.to_lowercase())),
            Column::Figures => Self::Words(Some(row.standing.word().to_owned())),
            Column::Triplets => Self::Number(row.triplets.map(|count| count as f64)),
            Column::Accuracy => Self::Number(triplet_accuracy),
            Column::Hard => Self::Number(hard_negative_acc),
            Column::Mrr => Self::Number(mrr),
            Column::Auc => Self::Number(roc_auc),
        }
    }

    fn is_missing(&self) -> bool {
        matches!(self, Self::Words(None) | Self::Number(None))
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Words(a), Self::Words(b)) => a.cmp(b),
            (Self::Number(Some(a)), Self::Number(Some(b))) => a.total_cmp(b),
            _ => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, text: &str) -> Given {
        Given {
            name: name.to_owned(),
            result: ResultFile::read(text.as_bytes()).unwrap(),
        }
    }

    fn board() -> Leaderboard {
        let site = serde_json::from_str(
            r#"{"format": 2, "results": [{"name": "trigrams", "recomputed": false, "result": {
                "test": {"triplet_accuracy": 0.125, "hard_negative_acc": 0.0625, "MRR": 0.5},
                "details": {"overall": {"triplets": 8, "right": 1, "ties": 0, "near_ties": 0, "triplet_accuracy": 0.125, "triplet_accuracy_interval": null, "hard": 0, "hard_right": 0, "hard_negative_accuracy": null, "hard_negative_accuracy_interval": null, "mrr": 0.5, "mrr_interval": null}, "classification": {"threshold": 0.5, "origin": "fixed", "confusion": {"true_positives": 3, "false_positives": 3, "false_negatives": 0, "true_negatives": 0}, "accuracy": 0.5, "precision": 0.5, "recall": 1.0, "f1": 0.66, "roc_auc": 0.5, "avg_precision": 0.5}, "by_perturbation": [], "by_ontology": [], "near_tie": 1e-6, "resamples": 200, "seed": 42},
                "run": {"model": "baseline:trigrams", "data": "kept.json", "triplets": {"file": "t.json", "sha256": "00"}}}}]}"#,
        )
        .unwrap();
        let theirs = given(
            "Their-Model.json",
            r#"{"test": {"triplet_accuracy": 0.75}}"#,
        );
        Leaderboard::of(Some(site), &[theirs]).unwrap()
    }

    #[test]
    fn every_figure_says_where_it_comes_from() {
        let board = board();
        let of = |model: &str| {
            let line = board.lines.iter().find(|line| line.row.model == model);
            let line = line.unwrap();
            (
                line.row.standing,
                line.origin,
                line.architecture.as_str(),
                line.has_errors,
            )
        };
        assert_eq!(
            of("all-MiniLM-L6-v2"),
            (Standing::Published, Origin::Program, "BERT", false)
        );
        assert_eq!(
            of("baseline:trigrams"),
            (Standing::Ours, Origin::Site, "no model", true)
        );
        // AVA's evaluation writes such a file for whoever runs it.
        assert_eq!(
            of("Their-Model"),
            (Standing::Ours, Origin::Reader, "not stated", false)
        );
    }

    #[test]
    fn columns_are_sorted_either_way_and_what_is_missing_stands_last() {
        let board = board();
        let models = |sort: &str| -> Vec<&str> {
            let asked = Board {
                sort: Some(sort.to_owned()),
                ..Board::default()
            };
            let lines = board.shown(&asked);
            lines.iter().map(|line| line.row.model.as_str()).collect()
        };
        assert_eq!(models("-triplet")[0], "all-mpnet-base-v2");
        assert_eq!(models("")[0], "all-mpnet-base-v2");
        assert_eq!(models("nonsense"), models("-triplet"));
        assert_eq!(models("triplet")[0], "Qwen3-Embedding-0.6B");
        // Only one model has it.
        for sort in ["mrr", "-mrr", "triplets", "-triplets"] {
            assert_eq!(models(sort)[0], "baseline:trigrams", "{sort}");
        }
        assert_eq!(models("-hard").last(), Some(&"Their-Model"));
        assert_eq!(models("hard").last(), Some(&"Their-Model"));
    }

    #[test]
    fn a_column_asked_for_again_is_turned_round() {
        let by = |sort: &str| {
            Sorting::of(&Board {
                sort: Some(sort.to_owned()),
                ..Board::default()
            })
        };
        assert_eq!(by("-hard").next(Column::Hard), "hard");
        assert_eq!(by("hard").next(Column::Hard), "-hard");
        assert_eq!(by("hard").next(Column::Model), "model");
        assert_eq!(by("hard").next(Column::Mrr), "-mrr");
    }

    #[test]
    fn lines_are_chosen_by_words_architecture_figures_and_tuning() {
        let board = board();
        let count = |search: &str| match crate::query::Route::parse(search) {
            crate::query::Route::Leaderboard(asked) => board.shown(&asked).len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(count("?view=ava"), 43);
        assert_eq!(count("?view=ava&text=MINILM+hyper"), 5);
        assert_eq!(count("?view=ava&architecture=Qwen3"), 6);
        assert_eq!(count("?view=ava&figures=ours"), 2);
        assert_eq!(count("?view=ava&figures=recomputed"), 0);
        assert_eq!(count("?view=ava&tuning=fine-tuned"), 17);
        assert_eq!(count("?view=ava&tuning=pre-trained&architecture=BERT"), 10);
    }

    #[test]
    fn a_tuned_model_stands_beside_itself_before() {
        let board = board();
        let tuned = board.tuned();
        assert_eq!(tuned.len(), 17);
        for Tuned { before, after } in tuned {
            assert_eq!(before.row.model, after.row.model);
            assert_eq!(
                (&before.row.tuning, after.row.tuning.is_some()),
                (&None, true)
            );
        }
    }

    #[test]
    fn a_result_that_says_what_it_was_tuned_with_stands_beside_the_one_before() {
        let one = |name: &str, run: &str, accuracy: f64| {
            given(
                name,
                &format!(
                    r#"{{"test": {{"triplet_accuracy": {accuracy}}}, "run": {{"model": "mine", {run}}}}}"#
                ),
            )
        };
        let tuned = r#""tuning": "triplet loss", "data": "b/t.json", "data_sha256": "00""#;
        let cases = [
            (r#""data": "t.json", "data_sha256": "00""#, true),
            (r#""data": "b/t.json", "data_sha256": "11""#, false),
            (r#""data": "b/t.json""#, false),
            (
                r#""tuning": "DPO", "data": "t.json", "data_sha256": "00""#,
                false,
            ),
        ];
        for (before, is_beside) in cases {
            let given = [one("a", before, 0.25), one("b", tuned, 0.75)];
            let board = Leaderboard::of(None, &given).unwrap();
            let found: Vec<_> = board
                .tuned()
                .into_iter()
                .filter(|pair| pair.after.row.model == "mine")
                .map(|pair| pair.before.row.figures.triplet_accuracy)
                .collect();
            let expected: &[_] = if is_beside { &[Some(0.25)] } else { &[] };
            assert_eq!(found, expected, "{before}");
        }
    }

    #[test]
    fn downstream_tasks_have_a_line_for_each_model() {
        let board = board();
        let tasks = board.taxonomy();
        assert_eq!(
            tasks.tunings,
            [
                None,
                Some("triplet loss"),
                Some("hyperbolic loss"),
                Some("DPO")
            ]
        );
        assert_eq!((tasks.lines.len(), board.alignment().lines.len()), (10, 8));
        let line = &tasks.lines[2];
        assert_eq!(
            (line.task.task.as_str(), line.task.model.as_str()),
            ("SchemaOrg", "all-MiniLM-L6-v2")
        );
        assert_eq!(line.f1, [Some(7.29), Some(6.69), Some(7.55), Some(2.2)]);
    }
}
