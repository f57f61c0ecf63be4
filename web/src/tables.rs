//! The tables worker, as the page sees it: submissions are read and scored there, endpoints' replies are read there, and
//! the views of figures that no first visit shows are drawn there.
//!
//! A large file then never holds up the page, and the readers of every format stay out of the module that a first visit
//! loads. The worker itself is `src/bin/tables.rs`; both sides share the types of this module.

use leptos::prelude::*;
use score::Score;
use serde::{Deserialize, Serialize};
use sweep::SortColumn;

use crate::worker::{Worker, WorkerError};

/// The script that Trunk writes beside the page.
const SCRIPT: &str = "explorer-tables_loader.js";

/// What the page asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Task {
    /// Score a submitted file.
    Score {
        /// The key's rows as SPARQL JSON.
        key: String,
        /// The columns that the key sorts by; `None` where it has no order that its columns show.
        order: Option<Vec<SortColumn>>,
        /// The file's bytes.
        #[serde(with = "serde_bytes")]
        answer: Vec<u8>,
    },
    /// Read an endpoint's reply.
    Reply {
        /// The HTTP status.
        status: u16,
        /// The headers that the browser shows.
        headers: Vec<(String, String)>,
        /// The body.
        #[serde(with = "serde_bytes")]
        body: Vec<u8>,
    },
    /// Read a file for the drawings to come, and keep it.
    Keep {
        /// What the file holds.
        kind: Kept,
        /// What it is called.
        name: String,
        /// Its bytes.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Draw a file of the bundle.
    Draw {
        /// What the file holds.
        drawing: Drawing,
        /// The file's text.
        text: String,
        /// Which part of it the reader chose.
        choice: Option<String>,
    },
}

/// What a file that is kept holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// A model's result on AVA; it stands beside those kept before.
    Result,
    /// Triplets, in the place of those kept before.
    Triplets,
    /// The same, each with a model's cosines.
    Judged,
}

/// What the worker draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drawing {
    /// What rules and analyses say about a record.
    Analysis,
    /// An attempt.
    Attempt,
    /// Sweeps side by side; the choice is the sweep whose differences are shown.
    Comparison,
    /// Models on AVA; the text is the bundle's board, or empty, and the choice the address of the page.
    Leaderboard,
    /// The triplets that are kept; the text is empty, and the choice the address of the page.
    Triplets,
    /// The lexical scores of one triplet, which is the text.
    Lexical,
    /// What the lint looks for; the choice is the rule that is pointed at.
    Rules,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// Fragments of HTML, in their order on the page.
    pub parts: Vec<String>,
    /// What the reader may choose from.
    pub choices: Vec<String>,
}

/// What came of a [`Task`]. One struct without variants keeps the page's module small.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Of a score: the [`Score`] as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Of a score: the content hash of the key's rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Of a reply: the rows as SPARQL JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
    /// Of a drawing: the drawing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Drawn>,
    /// Why there is nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// Why a file or a reply is no table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What was found and what was expected, with its position.
    pub message: String,
    /// What the reader can do, where that is known.
    pub remedy: Option<String>,
    /// Of a reply: how its body begins.
    pub body_start: Option<String>,
    /// Of a reply: the seconds that the endpoint asks to wait.
    pub retry_after: Option<u32>,
}

/// A scored file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The score.
    pub score: Score,
    /// The same as JSON, as the worker wrote it.
    pub json: String,
    /// The content hash of the key's rows.
    pub hash: String,
}

/// The worker's handle; copied freely and found in the context.
#[derive(Clone, Copy)]
pub struct Tables {
    worker: Worker,
}

impl Default for Tables {
    fn default() -> Self {
        Self::new()
    }
}

impl Tables {
    /// A handle without a worker yet.
    pub fn new() -> Self {
        Self {
            worker: Worker::new(SCRIPT),
        }
    }

    /// The tables worker of the page.
    pub fn from_context() -> Self {
        use_context().unwrap_or_default()
    }

    /// Scores a file against a key.
    pub async fn score(
        self,
        key: String,
        order: Option<Vec<SortColumn>>,
        answer: Vec<u8>,
    ) -> Result<Scored, Problem> {
        let outcome = self.run(Task::Score { key, order, answer }).await?;
        let json = outcome.score.unwrap_or_default();
        let score =
            serde_json::from_str(&json).map_err(|error| Problem::stopped(&error.to_string()))?;
        Ok(Scored {
            score,
            json,
            hash: outcome.hash.unwrap_or_default(),
        })
    }

    /// Reads an endpoint's reply; gives its rows as SPARQL JSON.
    pub async fn reply(
        self,
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    ) -> Result<String, Problem> {
        let task = Task::Reply {
            status,
            headers,
            body,
        };
        Ok(self.run(task).await?.rows.unwrap_or_default())
    }

    /// Has a file read and kept. What is drawn of it at once, and what the reader may choose from, is what comes back.
    pub async fn keep(self, kind: Kept, name: String, bytes: Vec<u8>) -> Result<Drawn, Problem> {
        let task = Task::Keep { kind, name, bytes };
        Ok(self.run(task).await?.drawn.unwrap_or_default())
    }

    /// Draws a file of the bundle.
    pub async fn draw(
        self,
        drawing: Drawing,
        text: String,
        choice: Option<String>,
    ) -> Result<Drawn, Problem> {
        let task = Task::Draw {
            drawing,
            text,
            choice,
        };
        Ok(self.run(task).await?.drawn.unwrap_or_default())
    }

    async fn run(self, task: Task) -> Result<Outcome, Problem> {
        let outcome = async {
            self.worker.start().await?;
            self.worker.ask::<Outcome>(&task).await
        };
        let outcome: Result<Outcome, WorkerError> = outcome.await;
        match outcome {
            Ok(Outcome {
                problem: Some(problem),
                ..
            }) => Err(problem),
            Ok(outcome) => Ok(outcome),
            Err(error) => Err(Problem::stopped(&error.to_string())),
        }
    }
}

impl Problem {
    fn stopped(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            remedy: Some("reload the page and try again".to_owned()),
            ..Self::default()
        }
    }
}
