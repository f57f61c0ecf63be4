//! The figures that AVA published, and what counts as computing one of them again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::metrics::listed;
use crate::table::{DownstreamRow, TableRow, plain_task};

/// The published figures, with their source.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Published {
    /// Where they were published.
    pub source: String,
    /// What the published set is made of, and what it was made from.
    pub sets: Vec<PublishedSet>,
    /// Triplet and hard-negative accuracy on the published test set.
    pub test: Vec<PublishedTest>,
    /// F1 of taxonomy discovery at k = 1, in percent.
    pub taxonomy: Vec<PublishedTask>,
    /// F of ontology alignment at k = 1, in percent.
    pub alignment: Vec<PublishedTask>,
    /// What each model is built on, by its makers' own account.
    pub architectures: BTreeMap<String, String>,
}

/// What was published of a set of triplets.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PublishedSet {
    /// `raw`, `sane` (left by the sanity check), `all`, and the two sides of `all`.
    pub name: String,
    /// How many triplets.
    pub triplets: usize,
    /// Of those, hard.
    pub hard: Option<usize>,
    /// Different ontologies.
    pub ontologies: Option<usize>,
    /// Different subgraphs.
    pub subgraphs: Option<usize>,
    /// Means, from 0 to 100: anchor–positive, anchor–negative, positive–negative.
    pub token_set_ratios: Option<[f64; 3]>,
    /// Means of all-mpnet-base-v2's cosines, in the same order.
    pub mpnet_cosines: Option<[f64; 3]>,
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
    /// Pairs found that are true, where that was published.
    pub correct: Option<usize>,
    /// Pairs found.
    pub predicted: Option<usize>,
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

/// Why a figure is none that was published and computed again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPublished {
    /// No published row has this model, tuned like this.
    #[error("there is no published figure of {model}{}", of_task(.task.as_deref()))]
    Model {
        /// The model, and what it was fine-tuned with.
        model: String,
        /// The task, of a downstream figure.
        task: Option<String>,
        /// Models, or tunings of the model, that do have one.
        known: Vec<String>,
    },
    /// No published row has this task.
    #[error("there is no published figure of the task {task}")]
    Task {
        /// The task's name.
        task: String,
        /// Tasks that do have one.
        known: Vec<String>,
    },
    /// The counts are of another set or another ground truth.
    #[error("the published figure is of {published}, this one of {found}")]
    Other {
        /// What the published figure is of.
        published: String,
        /// What this one is of.
        found: String,
    },
}

fn of_task(task: Option<&str>) -> String {
    task.map_or_else(String::new, |task| format!(" on {task}"))
}

impl NotPublished {
    /// What to do about it.
    pub fn remedy(&self) -> String {
        let instead = "list it as your own";
        match self {
            Self::Model { known, .. } | Self::Task { known, .. } if !known.is_empty() => {
                format!("{instead}; published are {}", known.join(", "))
            }
            _ => instead.to_owned(),
        }
    }
}

/// Whether a name is a published model's: the model's own, in either case, with or without what a hub, a server or a cache puts
/// before it (`openai:intfloat/e5-base-v2`, `models--intfloat--e5-base-v2`).
///
/// ```
/// assert!(ava::is_model("sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"));
/// assert!(!ava::is_model("multilingual-e5-base", "e5-base"));
/// ```
pub fn is_model(name: &str, model: &str) -> bool {
    let Some(at) = name.len().checked_sub(model.len()) else {
        return false;
    };
    let (Some(before), Some(end)) = (name.get(..at), name.get(at..)) else {
        return false;
    };
    let is_apart = before.is_empty() || ["/", ":", "--"].iter().any(|c| before.ends_with(c));
    is_apart && end.eq_ignore_ascii_case(model)
}

impl Published {
    /// What a model is built on, where its makers' account came with the figures.
    pub fn architecture(&self, model: &str) -> Option<&str> {
        let mut known = self.architectures.iter();
        let (_, architecture) = known.find(|(known, _)| is_model(model, known))?;
        Some(architecture)
    }

    /// The name under which a model was published, if it was.
    pub fn model_of(&self, name: &str) -> Option<&str> {
        let mut models = self.test.iter().map(|test| test.model.as_str());
        models.find(|model| is_model(name, model))
    }

    /// Whether a row computes a published figure on AVA's test set again: the model, what it was tuned with, and, where they are
    /// known, the numbers of triplets and of hard ones are those of a published row.
    pub fn is_recomputed(&self, row: &TableRow) -> Result<(), NotPublished> {
        let published = self.test.iter();
        let models = published.map(|test| (test.model.as_str(), test.tuning.as_deref()));
        has_model(models, &row.model, row.tuning.as_deref(), None)?;
        let Some(test) = self.sets.iter().find(|set| set.name == "test") else {
            return Ok(());
        };
        let is_same = row.triplets.is_none_or(|found| found == test.triplets)
            && row.hard.zip(test.hard).is_none_or(|(a, b)| a == b);
        let told = |triplets: usize, hard: Option<usize>| {
            let hard = hard.map_or_else(String::new, |hard| format!(" ({hard} hard)"));
            format!("{triplets} triplets{hard}")
        };
        if is_same {
            return Ok(());
        }
        Err(NotPublished::Other {
            published: told(test.triplets, test.hard),
            found: told(row.triplets.unwrap_or_default(), row.hard),
        })
    }

    /// Whether a row computes a published figure of taxonomy discovery again: task, model, tuning, pairs of the ground truth and
    /// k are those of a published row.
    pub fn is_recomputed_taxonomy(&self, row: &DownstreamRow) -> Result<(), NotPublished> {
        is_recomputed_task(&self.taxonomy, row)
    }

    /// The same of an alignment.
    pub fn is_recomputed_alignment(&self, row: &DownstreamRow) -> Result<(), NotPublished> {
        is_recomputed_task(&self.alignment, row)
    }
}

fn is_recomputed_task(
    published: &[PublishedTask],
    row: &DownstreamRow,
) -> Result<(), NotPublished> {
    let task = plain_task(&row.task);
    let of_task = published.iter().filter(|of| plain_task(&of.task) == task);
    let Some(first) = of_task.clone().next() else {
        return Err(NotPublished::Task {
            task: row.task.clone(),
            known: each_once(published.iter().map(|of| of.task.clone())),
        });
    };
    let models = of_task.map(|of| (of.model.as_str(), of.tuning.as_deref()));
    let tuning = row.tuning.as_deref();
    has_model(models, &row.model, tuning, Some(&first.task))?;
    let told = |pairs: usize, k: Option<u16>| match k {
        Some(k) => format!("{pairs} true pairs at k = {k}"),
        None => format!("{pairs} true pairs"),
    };
    if row.reference == first.reference && row.top_k.is_none_or(|k| k == 1) {
        return Ok(());
    }
    Err(NotPublished::Other {
        published: told(first.reference, Some(1)),
        found: told(row.reference, row.top_k),
    })
}

fn each_once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Looks for a model, and what it was tuned with, among published ones.
fn has_model<'a>(
    published: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
    model: &str,
    tuning: Option<&str>,
    task: Option<&str>,
) -> Result<(), NotPublished> {
    let of_model = published
        .clone()
        .filter(|(known, _)| is_model(model, known));
    let is_tuned_so = |known: Option<&str>| match (known, tuning) {
        (Some(known), Some(tuning)) => known.eq_ignore_ascii_case(tuning),
        (known, tuning) => known.is_none() && tuning.is_none(),
    };
    if of_model.clone().any(|(_, known)| is_tuned_so(known)) {
        return Ok(());
    }
    let known = if of_model.clone().next().is_some() {
        each_once(of_model.map(|(known, tuning)| listed(known, tuning)))
    } else {
        each_once(published.map(|(known, _)| known.to_owned()))
    };
    Err(NotPublished::Model {
        model: listed(model, tuning),
        task: task.map(str::to_owned),
        known,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{AvaResult, ResultFile};
    use crate::table::Standing;

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
            assert!(
                published.architectures.contains_key(&test.model),
                "{}",
                test.model
            );
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

    #[test]
    fn a_model_has_its_name_whoever_serves_it() {
        for (name, model, expected) in [
            ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2", true),
            ("ALL-minilm-l6-v2", "all-MiniLM-L6-v2", true),
            ("openai:intfloat/e5-base-v2", "e5-base-v2", true),
            ("models--intfloat--e5-base-v2", "e5-base-v2", true),
            ("hyperbolic_gte-small", "gte-small", false),
            ("multilingual-e5-base-v2", "e5-base-v2", false),
            ("e5-base", "e5-base-v2", false),
            ("ée5", "e5", false),
            ("", "e5", false),
        ] {
            assert_eq!(is_model(name, model), expected, "{name}");
        }
        let published = Published::read().unwrap();
        assert_eq!(
            published.architecture("openai:intfloat/e5-base-v2"),
            Some("BERT")
        );
        assert_eq!(published.architecture("mine"), None);
        let model = published.model_of("intfloat/e5-base-v2");
        assert_eq!(
            (model, published.model_of("mine")),
            (Some("e5-base-v2"), None)
        );
    }

    #[test]
    fn what_nobody_published_is_not_computed_again() {
        let published = Published::read().unwrap();
        let row = |model: &str, tuning: Option<&str>, counts: Option<(usize, usize)>| {
            let file = ResultFile {
                test: AvaResult::default(),
                ..ResultFile::default()
            };
            TableRow {
                tuning: tuning.map(str::to_owned),
                triplets: counts.map(|(all, _)| all),
                hard: counts.map(|(_, hard)| hard),
                ..TableRow::new(model, Standing::Recomputed, &file)
            }
        };
        let tuned = published
            .test
            .iter()
            .find_map(|test| test.tuning.as_deref());
        let cases = [
            (row("all-MiniLM-L6-v2", None, None), "", ""),
            (
                row("x/all-MiniLM-L6-v2", None, Some((17_796, 7_229))),
                "",
                "",
            ),
            (row("all-MiniLM-L6-v2", tuned, None), "", ""),
            (
                row("mine", None, None),
                "there is no published figure of mine",
                "list it as your own; published are all-MiniLM-L6-v2, all-mpnet-base-v2, ",
            ),
            (
                row("gte-small", Some("my loss"), None),
                "there is no published figure of gte-small, my loss",
                "list it as your own; published are gte-small",
            ),
            (
                row("gte-small", None, Some((5, 2))),
                "the published figure is of 17796 triplets (7229 hard), this one of 5 triplets (2 hard)",
                "list it as your own",
            ),
            (
                row("gte-small", None, Some((17_796, 7_228))),
                "the published figure is of 17796 triplets (7229 hard), this one of 17796 triplets (7228 hard)",
                "list it as your own",
            ),
        ];
        for (row, said, remedy) in cases {
            let found = published.is_recomputed(&row);
            let told = found
                .as_ref()
                .map_or_else(ToString::to_string, |()| String::new());
            assert_eq!(told, said, "{row:?}");
            let told = found.map_or_else(|error| error.remedy(), |()| String::new());
            assert!(told.starts_with(remedy), "{told}");
            assert!(told.matches("all-mpnet-base-v2").count() <= 1, "{told}");
        }
    }

    #[test]
    fn a_task_is_computed_again_with_its_own_pairs_and_k() {
        let published = Published::read().unwrap();
        let row = |task: &str, model: &str, reference: usize, top_k: Option<u16>| DownstreamRow {
            task: task.to_owned(),
            reference,
            model: model.to_owned(),
            tuning: None,
            standing: Standing::Recomputed,
            top_k,
            precision: None,
            recall: None,
            f1: 1.0,
        };
        let mini = "all-MiniLM-L6-v2";
        for (row, said) in [
            (row("mouse-human", mini, 1516, Some(1)), ""),
            (row("Mouse–Human", "all-mpnet-base-v2", 1516, None), ""),
            (
                row("Mouse–Human", mini, 1516, Some(5)),
                "the published figure is of 1516 true pairs at k = 1, this one of 1516 true pairs at k = 5",
            ),
            (
                row("Mouse–Human", mini, 4, Some(1)),
                "the published figure is of 1516 true pairs at k = 1, this one of 4 true pairs at k = 1",
            ),
            (
                row("mouse-human", "gte-small", 1516, Some(1)),
                "there is no published figure of gte-small on Mouse–Human",
            ),
            (
                row("SchemaOrg", mini, 1058, Some(1)),
                "there is no published figure of the task SchemaOrg",
            ),
        ] {
            let found = published.is_recomputed_alignment(&row);
            let told = found.map_or_else(|error| error.to_string(), |()| String::new());
            assert_eq!(told, said, "{row:?}");
        }
        let schema = row("schemaorg", mini, 1058, Some(1));
        assert_eq!(published.is_recomputed_taxonomy(&schema), Ok(()));
    }
}
