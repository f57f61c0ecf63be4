//! Models on AVA, side by side: published figures, those of the bundle, and those that the reader gives.

use std::cmp::Ordering;

use ava::{
    AvaResult, DownstreamRow, ModelResult, Published, Standing, TableRow, listed, spelled_alike,
};
use sweep::{AvaBoard, path_ends};

use crate::query::Board;

/// A result file that the reader gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The file's name.
    pub name: String,
    /// What it says.
    pub result: ModelResult,
}

impl Given {
    /// Whether it is what another was before: a file of that name, of the same model, on the same set or task.
    pub fn replaces(&self, other: &Self) -> bool {
        let about = |result: &ModelResult| match result {
            ModelResult::Triplets(file) => {
                let run = file.run.as_ref();
                run.map(|run| (run.listed(), run.data.clone()))
            }
            ModelResult::Alignment(found) => {
                let model = listed(&found.model, found.tuning.as_deref());
                Some((model, found.task.clone()))
            }
            ModelResult::Taxonomy(found) => {
                let model = listed(&found.model, found.tuning.as_deref());
                Some((model, found.task.clone()))
            }
        };
        self.name == other.name && about(&self.result) == about(&other.result)
    }
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
    /// Place of the set that it was judged on, in [`Leaderboard::sets`].
    pub set: usize,
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

/// A model's figures on a downstream task, and who shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskRow {
    /// The figures.
    pub row: DownstreamRow,
    /// Who shows them.
    pub origin: Origin,
}

/// A downstream task with the figures of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskLine<'a> {
    /// The task, the model, and what all figures of the line share.
    pub first: &'a TaskRow,
    /// The figures for each way of tuning, in their order.
    pub tuned: Vec<Option<&'a DownstreamRow>>,
}

/// Downstream tasks of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Tasks<'a> {
    /// The ways of tuning; `None` for the pre-trained model.
    pub tunings: Vec<Option<&'a str>>,
    /// A line for each task, model and source of its figures; the tasks in the order in which they first come.
    pub lines: Vec<TaskLine<'a>>,
}

/// All models that there are figures of.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaderboard {
    /// In the order of the sources: published, those of the site, those of the reader.
    pub lines: Vec<Line>,
    /// What the sets are called that models were judged on, in the order in which they first come. Figures on two of them
    /// are not to be compared.
    pub sets: Vec<String>,
    taxonomy: Vec<TaskRow>,
    alignment: Vec<TaskRow>,
    published: Published,
}

/// What stands for the name of a set that a file does not tell.
const UNNAMED: &str = "a set that is not named";

impl Leaderboard {
    /// Puts together what comes with the program, what the site has and what the reader gave.
    pub fn of(site: Option<AvaBoard>, given: &[Given]) -> Result<Self, String> {
        let published = Published::read().map_err(|error| error.to_string())?;
        let tasks = |rows: &[ava::PublishedTask]| -> Vec<TaskRow> {
            let rows = rows.iter().map(DownstreamRow::from);
            rows.map(|row| TaskRow {
                row,
                origin: Origin::Program,
            })
            .collect()
        };
        let mut this = Self {
            lines: Vec::new(),
            sets: Vec::new(),
            taxonomy: tasks(&published.taxonomy),
            alignment: tasks(&published.alignment),
            published,
        };
        let published: Vec<TableRow> = this.published.test.iter().map(TableRow::from).collect();
        for row in published {
            this.add(row, Origin::Program, false);
        }
        for entry in site.map(|site| site.results).unwrap_or_default() {
            // Read when the site was published, so a file that is none now is of another version.
            let result =
                ModelResult::read(entry.result.to_string().as_bytes()).map_err(|problem| {
                    let name = &entry.name;
                    format!(
                        "{name}: {problem}; publish the site again with the version of this page"
                    )
                })?;
            let standing = if entry.recomputed {
                Standing::Recomputed
            } else {
                Standing::Ours
            };
            this.add_result(&entry.name, result, standing, Origin::Site);
        }
        for Given { name, result } in given {
            let stem = name.strip_suffix(".json").unwrap_or(name);
            this.add_result(stem, result.clone(), Standing::Ours, Origin::Reader);
        }
        this.name_sets();
        for tasks in [&mut this.taxonomy, &mut this.alignment] {
            spelled_alike(tasks.iter_mut().map(|task| &mut task.row));
        }
        Ok(this)
    }

    fn add_result(&mut self, name: &str, result: ModelResult, standing: Standing, origin: Origin) {
        match result {
            ModelResult::Triplets(result) => {
                let run = result.run.as_ref();
                let has_errors =
                    origin == Origin::Site && run.is_some_and(|run| run.triplets.is_some());
                self.add(TableRow::new(name, standing, &result), origin, has_errors);
            }
            ModelResult::Alignment(result) => {
                let row = DownstreamRow::of_alignment(result, standing);
                self.alignment.push(TaskRow { row, origin });
            }
            ModelResult::Taxonomy(result) => {
                let row = DownstreamRow::of_taxonomy(result, standing);
                self.taxonomy.push(TaskRow { row, origin });
            }
        }
    }

    fn add(&mut self, row: TableRow, origin: Origin, has_errors: bool) {
        let known = self.published.architecture(&row.model);
        let architecture = known.unwrap_or(if row.model.starts_with("baseline:") {
            "no model"
        } else {
            "not stated"
        });
        let architecture = architecture.to_owned();
        self.lines.push(Line {
            at: u32::try_from(self.lines.len()).unwrap_or(u32::MAX),
            row,
            set: 0,
            architecture,
            origin,
            has_errors,
        });
    }

    /// Tells the sets apart, by their bytes where these are known and by their names else, and gives each a name. What was
    /// recomputed was judged on the published set, which `publish` holds its numbers of triplets to. A set that a file does
    /// not name is nobody else's, for all that is known.
    fn name_sets(&mut self) {
        struct Set {
            /// What tells it from the others, if anything does.
            id: Option<String>,
            name: String,
            digest: Option<String>,
        }
        let published = self.lines.first().and_then(|line| line.row.data.clone());
        let mut sets: Vec<Set> = Vec::new();
        for line in &mut self.lines {
            let (id, name) = match line.row.standing {
                Standing::Recomputed => (published.clone(), published.clone()),
                _ => (line.row.set().map(str::to_owned), line.row.data.clone()),
            };
            let known = sets.iter().position(|set| id.is_some() && set.id == id);
            line.set = known.unwrap_or_else(|| {
                sets.push(Set {
                    id,
                    name: name.unwrap_or_default(),
                    digest: line.row.data_sha256.clone(),
                });
                sets.len() - 1
            });
        }
        let paths: Vec<String> = sets.iter().map(|set| set.name.clone()).collect();
        let names = path_ends(&paths, 2);
        let of_one = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let mut unnamed = 0;
        let shown = names.iter().zip(&sets).map(|(name, set)| {
            let digest = set.digest.as_ref().and_then(|digest| digest.get(..8));
            match digest {
                _ if set.id.is_none() => {
                    unnamed += 1;
                    match unnamed {
                        1 => UNNAMED.to_owned(),
                        _ => format!("{UNNAMED} ({unnamed})"),
                    }
                }
                Some(digest) if !of_one(name) => format!("{name} ({digest})"),
                _ => name.clone(),
            }
        });
        self.sets = shown.collect();
    }

    /// What the set is called that a line was judged on.
    pub fn set(&self, line: &Line) -> &str {
        self.sets.get(line.set).map_or(UNNAMED, String::as_str)
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

    /// The lines that are asked for, those of each set together and sorted among themselves; what has no value in the column
    /// stands last either way.
    pub fn shown(&self, board: &Board) -> Vec<&Line> {
        let is_of_set = |line: &&Line| {
            let wanted = board.set.as_deref();
            wanted.is_none_or(|wanted| wanted == self.set(line))
        };
        let lines = self.lines.iter().filter(is_of_set);
        let mut lines: Vec<&Line> = lines.filter(|line| fits(line, board)).collect();
        let Sorting { column, descending } = Sorting::of(board);
        lines.sort_by(|a, b| {
            let (left, right) = (Value::of(a, column), Value::of(b, column));
            let within = match (left.is_missing(), right.is_missing()) {
                (false, false) if descending => right.compare(&left),
                (false, false) => left.compare(&right),
                (left, right) => left.cmp(&right),
            };
            a.set.cmp(&b.set).then(within)
        });
        lines
    }

    /// Every fine-tuned model beside itself before, where both were judged on the same set; beside figures of the same source
    /// where there are such.
    pub fn tuned(&self) -> Vec<Tuned<'_>> {
        let model = |line: &Line| {
            let name = line.row.model.as_str();
            self.published.model_of(name).unwrap_or(name).to_owned()
        };
        let before = |after: &Line| {
            let is_before = |line: &&Line| {
                line.row.tuning.is_none() && line.set == after.set && model(line) == model(after)
            };
            let mut all = self.lines.iter().filter(is_before);
            let mut of_source = all.clone();
            let of_source = of_source.find(|line| line.row.standing == after.row.standing);
            of_source.or_else(|| all.next())
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

    /// Taxonomy discovery: the published figures, and beside them those of the site and of the reader.
    pub fn taxonomy(&self) -> Tasks<'_> {
        Tasks::of(&self.taxonomy)
    }

    /// The same of ontology alignment.
    pub fn alignment(&self) -> Tasks<'_> {
        Tasks::of(&self.alignment)
    }
}

impl<'a> Tasks<'a> {
    fn of(rows: &'a [TaskRow]) -> Self {
        let mut tunings: Vec<Option<&str>> = Vec::new();
        let mut lines: Vec<TaskLine<'_>> = Vec::new();
        for task in rows {
            let tuning = task.row.tuning.as_deref();
            let column = tunings.iter().position(|one| *one == tuning);
            let column = column.unwrap_or_else(|| {
                tunings.push(tuning);
                tunings.len() - 1
            });
            let shared = |task: &'a TaskRow| {
                let row = &task.row;
                let names = (&row.task, &row.model, row.reference);
                (names, row.standing, row.top_k, task.origin)
            };
            let line = lines.iter_mut().find(|line| {
                let is_free = line.tuned.get(column).is_none_or(Option::is_none);
                shared(line.first) == shared(task) && is_free
            });
            let tuned = if let Some(line) = line {
                &mut line.tuned
            } else {
                let tuned = Vec::new();
                lines.push(TaskLine { first: task, tuned });
                let last = lines.len() - 1;
                &mut lines[last].tuned
            };
            tuned.resize(tuned.len().max(column + 1), None);
            tuned[column] = Some(&task.row);
        }
        for line in &mut lines {
            line.tuned.resize(tunings.len(), None);
        }
        let place = |line: &TaskLine<'_>| {
            let task = &line.first.row.task;
            rows.iter().position(|other| other.row.task == *task)
        };
        lines.sort_by_key(place);
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
            result: ModelResult::read(text.as_bytes()).unwrap(),
        }
    }

    const DETAILS: &str = r#"{"overall": {"triplets": 8, "right": 1, "ties": 0, "near_ties": 0, "triplet_accuracy": 0.125, "triplet_accuracy_interval": null, "hard": 0, "hard_right": 0, "hard_negative_accuracy": null, "hard_negative_accuracy_interval": null, "mrr": 0.5, "mrr_interval": null}, "classification": {"threshold": 0.5, "origin": "fixed", "confusion": {"true_positives": 3, "false_positives": 3, "false_negatives": 0, "true_negatives": 0}, "accuracy": 0.5, "precision": 0.5, "recall": 1.0, "f1": 0.66, "roc_auc": 0.5, "avg_precision": 0.5}, "by_perturbation": [], "by_ontology": [], "near_tie": 1e-6, "resamples": 200, "seed": 42}"#;

    fn board() -> Leaderboard {
        let site = serde_json::from_str(&format!(
            r#"{{"format": 2, "results": [{{"name": "trigrams", "recomputed": false, "result": {{
                "test": {{"triplet_accuracy": 0.125, "hard_negative_acc": 0.0625, "MRR": 0.5}}, "details": {DETAILS},
                "run": {{"model": "baseline:trigrams", "data": "kept.json", "triplets": {{"file": "t.json", "sha256": "00"}}}}}}}}]}}"#
        ))
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
    }

    /// A result of ours on a set, for a list of lines.
    fn on(name: &str, accuracy: f64, set: &str) -> Given {
        given(
            name,
            &format!(
                r#"{{"test": {{"triplet_accuracy": {accuracy}, "hard_negative_acc": 0.5}}, "details": {DETAILS}, "run": {{"model": "{name}", {set}}}}}"#
            ),
        )
    }

    #[test]
    fn lines_of_another_set_are_never_among_those_of_one() {
        let a = r#""data": "/home/x/set/a.json", "data_sha256": "00112233""#;
        let moved = r#""data": "/tmp/a.json", "data_sha256": "00112233""#;
        let namesake = r#""data": "/home/x/set/a.json", "data_sha256": "445566778899""#;
        let given = [
            on("best", 0.999, a),
            on("other", 0.5, namesake),
            on("same", 0.25, moved),
            on("older", 0.75, r#""data": "b/c.json""#),
            given("theirs.json", r#"{"test": {"triplet_accuracy": 0.875}}"#),
            given("others.json", r#"{"test": {"triplet_accuracy": 0.9}}"#),
        ];
        let board = Leaderboard::of(None, &given).unwrap();
        assert_eq!(
            board.sets,
            [
                "AVA's test set",
                "set/a.json (00112233)",
                "set/a.json (44556677)",
                "b/c.json",
                "a set that is not named",
                "a set that is not named (2)"
            ]
        );
        let asked = |set: Option<&str>, sort: &str| Board {
            set: set.map(str::to_owned),
            sort: Some(sort.to_owned()),
            ..Board::default()
        };
        let models = |asked: &Board| -> Vec<String> {
            let lines = board.shown(asked);
            lines.iter().map(|line| line.row.model.clone()).collect()
        };
        let falling = models(&asked(None, "-triplet"));
        assert_eq!(
            falling[41..],
            ["best", "same", "other", "older", "theirs", "others"]
        );
        assert_eq!(
            models(&asked(None, "triplet"))[41..],
            ["same", "best", "other", "older", "theirs", "others"]
        );
        let of_a = Some("set/a.json (00112233)");
        assert_eq!(models(&asked(of_a, "-triplet")), ["best", "same"]);
        assert_eq!(models(&asked(Some("nowhere"), "")), [""; 0]);
    }

    #[test]
    fn what_was_recomputed_stands_among_the_published_figures() {
        let result = |set: &str| on("all-MiniLM-L6-v2", 0.656, set);
        let set = r#""data": "split/test.json", "data_sha256": "00112233""#;
        let ModelResult::Triplets(file) = result(set).result else {
            panic!("a result on triplets")
        };
        let mut board = Leaderboard::of(None, &[result(set)]).unwrap();
        assert_eq!(board.sets, ["AVA's test set", "split/test.json"]);
        board.lines.pop();
        board.add(
            TableRow::new("m", Standing::Recomputed, &file),
            Origin::Site,
            false,
        );
        board.name_sets();
        assert_eq!(board.sets, ["AVA's test set"]);
        assert_eq!(board.shown(&Board::default()).len(), 42);

        // Beside the published figures of the model before, until those were computed again too.
        let tuned = TableRow {
            model: "x/all-MiniLM-L6-v2".to_owned(),
            tuning: Some("triplet loss, margin 0.3".to_owned()),
            ..TableRow::new("m", Standing::Recomputed, &file)
        };
        board.add(tuned, Origin::Site, false);
        let before = |board: &Leaderboard| {
            let pairs = board.tuned();
            let own = pairs
                .iter()
                .find(|pair| pair.after.row.standing == Standing::Recomputed);
            own.map(|pair| pair.before.row.standing)
        };
        board.lines.remove(41);
        board.name_sets();
        assert_eq!(before(&board), Some(Standing::Published));
        let again = TableRow::new("all-MiniLM-L6-v2", Standing::Recomputed, &file);
        board.add(again, Origin::Site, false);
        board.name_sets();
        assert_eq!(before(&board), Some(Standing::Recomputed));
    }

    #[test]
    fn a_file_of_the_same_name_replaces_what_it_was_before_and_nothing_else() {
        let set = r#""data": "a.json""#;
        let first = on("m", 0.5, set);
        let named = |name: &str, given: Given| Given {
            name: name.to_owned(),
            ..given
        };
        for (other, replaces) in [
            (on("m", 0.75, set), true),
            (named("m", on("n", 0.5, set)), false),
            (named("m", on("m", 0.5, r#""data": "b.json""#)), false),
            (named("n", on("m", 0.5, set)), false),
            (given("m", r#"{"test": {"triplet_accuracy": 0.5}}"#), false),
        ] {
            assert_eq!(other.replaces(&first), replaces, "{other:?}");
        }
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
            (line.first.row.task.as_str(), line.first.row.model.as_str()),
            ("SchemaOrg", "all-MiniLM-L6-v2")
        );
        let f1: Vec<f64> = line.tuned.iter().flatten().map(|row| row.f1).collect();
        assert_eq!(f1, [7.29, 6.69, 7.55, 2.2]);
    }

    /// A line of a downstream table: its place, its label, its k and its figures.
    type Shown = (usize, Standing, Option<u16>, Vec<Option<f64>>);

    #[test]
    fn downstream_results_stand_below_the_published_ones_of_their_task() {
        let taxonomy = |name: &str, task: &str, more: &str| {
            let text = format!(
                r#"{{"task": "{task}", "model": "all-MiniLM-L6-v2", {more}, "correct": 89, "predicted": 1384, "ground_truth": 1058,
                    "precision": 0.0643, "recall": 0.0841, "f1": 0.0729}}"#
            );
            given(name, &text)
        };
        let site = |recomputed: bool, result: &str| {
            let text = format!(
                r#"{{"format": 2, "results": [{{"name": "x", "recomputed": {recomputed}, "result": {result}}}]}}"#
            );
            serde_json::from_str(&text).unwrap()
        };
        let alignment = r#"{"task": "Mouse–Human", "model": "all-MiniLM-L6-v2", "top_k": 1, "hits": 1291, "predictions": 2743, "reference": 1516,
            "precision": 47.065, "recall": 85.158, "f1": 60.625, "ignored": 0, "subsumptions": 0}"#;
        let given = [
            taxonomy("a", "SchemaOrg", r#""top_k": 1"#),
            taxonomy("b", "SchemaOrg", r#""top_k": 5"#),
            taxonomy("c", "SchemaOrg", r#""top_k": 1, "tuning": "DPO""#),
            taxonomy("d", "mine", r#""top_k": null, "tuning": "LoRA""#),
            // The same once more, under another name.
            taxonomy("e", "schema org", r#""top_k": 1"#),
        ];
        let board = Leaderboard::of(Some(site(true, alignment)), &given).unwrap();
        assert_eq!(board.lines.len(), 41, "they are no models on triplets");
        let own = |tasks: &Tasks<'_>| -> Vec<Shown> {
            let lines = tasks.lines.iter().enumerate();
            let own = lines.filter(|(_, line)| line.first.origin != Origin::Program);
            own.map(|(at, line)| {
                let row = &line.first.row;
                let f1 = line.tuned.iter().map(|row| row.map(|row| row.f1));
                (at, row.standing, row.top_k, f1.collect())
            })
            .collect()
        };
        let tasks = board.taxonomy();
        assert_eq!(tasks.tunings.len(), 5);
        let of_schema = tasks
            .lines
            .iter()
            .filter(|line| line.first.row.task == "SchemaOrg");
        let first = tasks
            .lines
            .iter()
            .position(|line| line.first.row.task == "SchemaOrg")
            .unwrap();
        let published = of_schema
            .filter(|line| line.first.origin == Origin::Program)
            .count();
        let below = first + published;
        let shown = Some(100.0 * 0.0729);
        assert_eq!(
            own(&tasks),
            [
                (
                    below,
                    Standing::Ours,
                    Some(1),
                    vec![shown, None, None, shown, None]
                ),
                (
                    below + 1,
                    Standing::Ours,
                    Some(5),
                    vec![shown, None, None, None, None]
                ),
                (
                    below + 2,
                    Standing::Ours,
                    Some(1),
                    vec![shown, None, None, None, None]
                ),
                (
                    tasks.lines.len() - 1,
                    Standing::Ours,
                    None,
                    vec![None, None, None, None, shown]
                ),
            ]
        );
        let found = own(&board.alignment());
        assert_eq!((found.len(), found[0].1), (1, Standing::Recomputed));
    }
}
