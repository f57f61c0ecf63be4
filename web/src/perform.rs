//! What the tables worker does: from a task to what comes of it.

use federation::protocol::{self, ReplyError};
use score::{Key, Options};
use serde::de::DeserializeOwned;
use sweep::SortColumn;
use table::ReadError;

use crate::fragments;
use crate::query::{Board, Route};
use crate::state::comparison::Comparison;
use crate::state::leaderboard::{Given, Leaderboard};
use crate::state::triplets::{Own, TripletSet};
use crate::tables::{Drawing, Drawn, Kept, Outcome, Problem, Task};

/// The worker's desk: what lies on it from task to task.
#[derive(Debug, Default)]
pub struct Desk {
    /// Results of models that the reader gave.
    given: Vec<Given>,
    /// All models, as of the text of the site's own and the results given: whoever types draws them at every letter.
    board: Option<(String, Leaderboard)>,
    /// The triplets that are looked at.
    set: Option<TripletSet>,
}

impl Desk {
    /// Carries out a task; what goes wrong is part of the outcome.
    pub fn perform(&mut self, task: Task) -> Outcome {
        let outcome = match task {
            Task::Score { key, order, answer } => {
                score(&key, order.as_deref(), &answer).map_err(of_file)
            }
            Task::Reply {
                status,
                headers,
                body,
            } => reply(status, &headers, &body).map_err(of_reply),
            Task::Keep { kind, name, bytes } => self
                .keep(kind, name, &bytes)
                .map(shown)
                .map_err(of_triplets),
            Task::Draw {
                drawing,
                text,
                choice,
            } => self.draw(drawing, &text, choice.as_deref()).map(shown),
        };
        outcome.unwrap_or_else(|problem| Outcome {
            problem: Some(problem),
            ..Outcome::default()
        })
    }

    fn keep(&mut self, kind: Kept, name: String, bytes: &[u8]) -> Result<Drawn, ava::Problem> {
        if kind == Kept::Result {
            let result = ava::ModelResult::read(bytes)?;
            let new = Given { name, result };
            self.given.retain(|given| !new.replaces(given));
            self.given.push(new);
            self.board = None;
            return Ok(Drawn::default());
        }
        // Two large sets at once may be more memory than a page has.
        self.set = None;
        let set = TripletSet::read(name, bytes, kind == Kept::Judged)?;
        let drawn = Drawn {
            parts: vec![fragments::triplets::summary(&set)],
            choices: set.kinds().into_iter().map(|(kind, _)| kind).collect(),
        };
        self.set = Some(set);
        Ok(drawn)
    }

    fn models(&mut self, text: &str) -> Result<&Leaderboard, Problem> {
        let known = self.board.take().filter(|(of, _)| of == text);
        let board = if let Some(board) = known {
            board
        } else {
            let published = match text {
                "" => None,
                text => Some(json(text)?),
            };
            let of = Leaderboard::of(published, &self.given);
            let models = of.map_err(|message| Problem {
                message,
                ..Problem::default()
            })?;
            (text.to_owned(), models)
        };
        Ok(&self.board.insert(board).1)
    }

    fn draw(
        &mut self,
        drawing: Drawing,
        text: &str,
        choice: Option<&str>,
    ) -> Result<Drawn, Problem> {
        let (parts, choices) = match drawing {
            Drawing::Analysis => (fragments::analysis::parts(&json(text)?), Vec::new()),
            Drawing::Attempt => (fragments::attempt::parts(&json(text)?), Vec::new()),
            Drawing::Comparison => {
                let comparison = Comparison::read(text).map_err(|error| of_json(&error))?;
                let parts = fragments::comparison::parts(&comparison, choice);
                (parts, comparison.runs())
            }
            Drawing::Rules => (
                vec![fragments::rules::rules(&json(text)?, choice)],
                Vec::new(),
            ),
            Drawing::Leaderboard => {
                let models = self.models(text)?;
                let board = match Route::parse(choice.unwrap_or_default()) {
                    Route::Leaderboard(board) => board,
                    _ => Board::default(),
                };
                let parts = fragments::leaderboard::parts(models, &board);
                (parts, models.architectures())
            }
            Drawing::Triplets => {
                let set = self.set.as_ref().ok_or_else(gone)?;
                let route = Route::parse(choice.unwrap_or_default());
                (fragments::triplets::parts(set, &route), Vec::new())
            }
            Drawing::Lexical => {
                let own = Own::of(json(text)?);
                (vec![fragments::triplets::own(&own)], Vec::new())
            }
        };
        Ok(Drawn { parts, choices })
    }
}

/// Never copied into its callers, as in [`load`](crate::load::parse).
#[inline(never)]
fn json<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| of_json(&error))
}

/// The worker was started anew since, and has nothing on its desk.
fn gone() -> Problem {
    Problem {
        message: "the triplets are no longer there".to_owned(),
        remedy: Some("reload the page".to_owned()),
        ..Problem::default()
    }
}

fn shown(drawn: Drawn) -> Outcome {
    Outcome {
        drawn: Some(drawn),
        ..Outcome::default()
    }
}

fn of_triplets(problem: ava::Problem) -> Problem {
    Problem {
        message: problem.to_string(),
        remedy: problem.remedy,
        ..Problem::default()
    }
}

fn score(key: &str, order: Option<&[SortColumn]>, answer: &[u8]) -> Result<Outcome, ReadError> {
    let table = table::read_sparql_json(key.as_bytes())?;
    let answer = table::read_answer(answer)?;
    let ranks = order.map(|order| {
        let columns: Vec<(usize, bool)> =
            order.iter().map(|by| (by.column, by.descending)).collect();
        score::ranks_by(&table, &columns)
    });
    let key = Key {
        table: &table,
        ranks,
        tie_pool: None,
    };
    let score = score::score(&key, &answer, &Options::default());
    Ok(Outcome {
        // Its floats are finite and its keys are text, so there is nothing in it that JSON cannot say.
        score: serde_json::to_string(&score).ok(),
        hash: Some(table::content_hash(&table)),
        ..Outcome::default()
    })
}

fn reply(status: u16, headers: &[(String, String)], body: &[u8]) -> Result<Outcome, ReplyError> {
    let table = protocol::parse_reply(status, headers, body)?;
    Ok(Outcome {
        rows: Some(table::to_sparql_json(&table)),
        ..Outcome::default()
    })
}

fn of_json(error: &serde_json::Error) -> Problem {
    Problem {
        message: error.to_string(),
        ..Problem::default()
    }
}

fn of_file(error: ReadError) -> Problem {
    Problem {
        message: error.to_string(),
        remedy: error.remedy,
        ..Problem::default()
    }
}

fn of_reply(error: ReplyError) -> Problem {
    Problem {
        message: error.to_string(),
        remedy: None,
        retry_after: error
            .retry_after
            .map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX)),
        body_start: Some(error.body_start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use score::Score;

    const KEY: &str = r#"{"head":{"vars":["condition","n"]},"results":{"bindings":[
        {"condition":{"type":"uri","value":"http://e/1"},"n":{"type":"literal","value":"144","datatype":"http://www.w3.org/2001/XMLSchema#integer"}},
        {"condition":{"type":"uri","value":"http://e/2"},"n":{"type":"literal","value":"61","datatype":"http://www.w3.org/2001/XMLSchema#integer"}}]}}"#;

    fn scored(answer: &str) -> Result<Score, Problem> {
        let by_count = SortColumn {
            column: 1,
            descending: true,
        };
        let outcome = Desk::default().perform(Task::Score {
            key: KEY.to_owned(),
            order: Some(vec![by_count]),
            answer: answer.as_bytes().to_vec(),
        });
        match outcome.problem {
            Some(problem) => Err(problem),
            None => Ok(serde_json::from_str(&outcome.score.unwrap()).unwrap()),
        }
    }

    #[test]
    fn a_file_is_scored_with_its_order() {
        let right = scored("condition,n\nhttp://e/1,144.0\nhttp://e/2,61\n").unwrap();
        assert_eq!((right.exact, right.ordered), (true, Some(true)));
        let swapped = scored("condition,n\nhttp://e/2,61\nhttp://e/1,144\n").unwrap();
        assert_eq!((swapped.exact, swapped.ordered), (true, Some(false)));
    }

    #[test]
    fn what_is_no_table_says_where() {
        let problem = scored("").unwrap_err();
        assert!(problem.message.contains("line 1"), "{}", problem.message);
    }

    #[test]
    fn an_empty_reply_is_an_error_and_not_zero_rows() {
        let outcome = Desk::default().perform(Task::Reply {
            status: 200,
            headers: Vec::new(),
            body: Vec::new(),
        });
        assert_eq!(outcome.rows, None);
        assert!(outcome.problem.unwrap().message.contains("empty"));
    }

    #[test]
    fn a_file_of_another_version_is_not_drawn() {
        for drawing in [
            Drawing::Analysis,
            Drawing::Attempt,
            Drawing::Comparison,
            Drawing::Rules,
        ] {
            let outcome = Desk::default().perform(Task::Draw {
                drawing,
                text: r#"{"format":99}"#.into(),
                choice: None,
            });
            assert_eq!(outcome.drawn, None);
            let message = outcome.problem.unwrap().message;
            assert!(message.contains("format 99"), "{message}");
        }
    }

    #[test]
    fn a_reply_becomes_rows() {
        let outcome = Desk::default().perform(Task::Reply {
            status: 200,
            headers: vec![("content-type".into(), "text/csv".into())],
            body: b"x\none\n".to_vec(),
        });
        assert!(outcome.rows.unwrap().contains("\"one\""));
    }
}
