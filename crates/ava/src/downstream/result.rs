//! What the commands write of a downstream task, and a table reads again.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::{AlignmentFigures, TaxonomyFigures};
use crate::json::{Expected, read_json};
use crate::metrics::ResultFile;
use crate::problem::Problem;

/// What a result on any downstream task has.
#[derive(Deserialize)]
struct Shared {
    task: String,
    model: String,
    #[serde(default)]
    tuning: Option<String>,
    top_k: Option<u16>,
}

/// A model on a downstream task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DownstreamResult<Figures> {
    /// The task: what its ontologies are called.
    pub task: String,
    /// The model.
    pub model: String,
    /// What it was fine-tuned with, where that was said.
    pub tuning: Option<String>,
    /// Nearest ones that each class was paired with; unknown where the pairs were found elsewhere.
    pub top_k: Option<u16>,
    /// How the pairs compare with what is true.
    #[serde(flatten)]
    pub figures: Figures,
}

impl<Figures: DeserializeOwned> DownstreamResult<Figures> {
    /// Reads a result file; an error has the place of what is wrong in it.
    ///
    /// ```
    /// use ava::{AlignmentResult, Expected};
    ///
    /// let text = r#"{"task": "Mouse–Human", "model": "m", "top_k": 1, "hits": 1, "predictions": 2, "reference": 4,
    ///     "precision": 50, "recall": 25, "f1": 33.3, "ignored": 0, "subsumptions": 0}"#;
    /// let expected = Expected { what: "alignment", remedy: "give one", number: "write a figure there", texts: &[] };
    /// assert_eq!(AlignmentResult::read(text.as_bytes(), &expected)?.figures.reference, 4);
    /// let wrong = text.replace("50", "500");
    /// let problem = AlignmentResult::read(wrong.as_bytes(), &expected).unwrap_err();
    /// assert_eq!(problem.to_string(), "2:18: no alignment: expected a figure from 0 to 100, found 500");
    /// # Ok::<(), ava::Problem>(())
    /// ```
    pub fn read(bytes: &[u8], expected: &Expected<'_>) -> Result<Self, Problem> {
        // One after the other: what is flattened into another has no place of its own.
        let Shared {
            task,
            model,
            tuning,
            top_k,
        } = read_json(bytes, expected)?;
        Ok(Self {
            task,
            model,
            tuning,
            top_k,
            figures: read_json(bytes, expected)?,
        })
    }
}

/// A model on an alignment.
pub type AlignmentResult = DownstreamResult<AlignmentFigures>;

/// A model on a taxonomy.
pub type TaxonomyResult = DownstreamResult<TaxonomyFigures>;

/// A result file of any of the commands that judge a model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelResult {
    /// What `ava evaluate` wrote, or a file of AVA's own.
    Triplets(Box<ResultFile>),
    /// What `ava align --json` printed.
    Alignment(AlignmentResult),
    /// What `ava taxonomy --json` printed.
    Taxonomy(TaxonomyResult),
}

/// The members by which the forms are told apart: each command's own counts.
#[derive(Deserialize)]
#[serde(expecting = "an object of figures")]
struct Members {
    test: Option<IgnoredAny>,
    hits: Option<IgnoredAny>,
    predictions: Option<IgnoredAny>,
    correct: Option<IgnoredAny>,
    ground_truth: Option<IgnoredAny>,
}

const REMEDY: &str = "give a result file: what `ava evaluate` wrote, `ava align --json` or `ava taxonomy --json` printed, or one of AVA's own, {\"test\": {\"triplet_accuracy\": …}}";

fn expected(what: &str) -> Expected<'_> {
    Expected {
        what,
        remedy: REMEDY,
        number: "write a figure there, or null where there is none",
        texts: &["task", "model", "tuning"],
    }
}

impl ModelResult {
    /// Reads a result file of any form. A file of none is refused as a result on triplets, which most are.
    ///
    /// ```
    /// use ava::ModelResult;
    ///
    /// let found = br#"{"task": "SchemaOrg", "model": "m", "top_k": 1, "correct": 1, "predicted": 4, "ground_truth": 2,
    ///     "precision": 0.25, "recall": 0.5, "f1": 0.333}"#;
    /// assert!(matches!(ModelResult::read(found)?, ModelResult::Taxonomy(found) if found.task == "SchemaOrg"));
    /// let problem = ModelResult::read(b"{\"hits\": 1,\n \"predictions\": 2}").unwrap_err();
    /// assert_eq!(problem.to_string(), "2:18: no result of an alignment: missing field `task`");
    /// # Ok::<(), ava::Problem>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        match read_json::<Members>(bytes, &expected("result file"))? {
            Members {
                test: None,
                hits,
                predictions,
                ..
            } if hits.is_some() || predictions.is_some() => {
                let expected = expected("result of an alignment");
                DownstreamResult::read(bytes, &expected).map(Self::Alignment)
            }
            Members {
                test: None,
                correct,
                ground_truth,
                ..
            } if correct.is_some() || ground_truth.is_some() => {
                let expected = expected("result of a taxonomy");
                DownstreamResult::read(bytes, &expected).map(Self::Taxonomy)
            }
            _ => match ResultFile::read(bytes) {
                Ok(file) => Ok(Self::Triplets(Box::new(file))),
                Err(problem) => Err(Problem {
                    remedy: Some(REMEDY.to_owned()),
                    ..problem
                }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_no_form_says_where_and_names_every_form() {
        let cases = [
            ("", "1:1: no result file: the file is empty"),
            (
                "[]",
                "1:2: no result file: invalid length 0, expected an object of figures",
            ),
            ("{\"hits\": 1,\n}", "2:1: no result file: trailing comma"),
            (
                "{\"rows\": []}",
                "1:1: no result file: `test` has no `triplet_accuracy`",
            ),
            (
                "{\"test\":\n {\"triplet_accuracy\": 7}}",
                "2:23: no result file: expected a figure from 0 to 1, found 7",
            ),
            (
                "{\"task\": \"t\", \"model\": \"m\", \"correct\": 1,\n\"f1\": 2}",
                "2:7: no result of a taxonomy: expected a figure from 0 to 1, found 2",
            ),
            (
                "{\"task\": \"t\", \"model\": \"m\",\n\"recall\": 7, \"correct\": 1,\n\"f1\": 0}",
                "2:11: no result of a taxonomy: expected a figure from 0 to 1, found 7",
            ),
            (
                "\u{FEFF}{\"predictions\": \"many\"}",
                "1:23: no result of an alignment: missing field `task`",
            ),
        ];
        for (text, said) in cases {
            let problem = ModelResult::read(text.as_bytes()).unwrap_err();
            let told = problem.to_string();
            assert!(told.starts_with(said), "{text}: {told}");
            let remedy = problem.remedy.unwrap();
            for command in ["ava evaluate", "ava align --json", "ava taxonomy --json"] {
                assert!(remedy.contains(command), "{remedy}");
            }
        }
    }

    #[test]
    fn no_number_is_a_text() {
        let problem = ModelResult::read(b"{\"task\": NaN, \"correct\": 1}").unwrap_err();
        assert_eq!(
            problem.to_string(),
            "1:10: no result file: NaN stands where a text of `task` is due, and JSON has no such value"
        );
        let remedy = problem.remedy.unwrap();
        assert_eq!(remedy, "write a text there, in quotation marks");
    }

    #[test]
    fn each_form_is_known_by_its_own_counts() {
        let alignment = r#"{"task": "a–b", "model": "m", "top_k": 1, "hits": 1, "predictions": 2, "reference": 4, "precision": 50, "recall": 25, "f1": 33.3, "ignored": 0, "subsumptions": 0}"#;
        let triplets = r#"{"test": {"triplet_accuracy": 0.5}, "correct": 1, "hits": 2}"#;
        assert!(matches!(
            ModelResult::read(alignment.as_bytes()),
            Ok(ModelResult::Alignment(found)) if found.figures.reference == 4
        ));
        assert!(matches!(
            ModelResult::read(triplets.as_bytes()),
            Ok(ModelResult::Triplets(_))
        ));
    }
}
