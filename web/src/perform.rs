//! What the tables worker does: plain functions from a task to what comes of it.

use federation::protocol::{self, ReplyError};
use score::{Key, Options};
use sweep::{AnalysisPage, AttemptPage, SortColumn};
use table::ReadError;

use crate::fragments;
use crate::query::{Open, Route};
use crate::state::comparison::Comparison;
use crate::tables::{Drawing, Drawn, Outcome, Problem, Task};

/// Carries out a task; what goes wrong is part of the outcome.
pub fn perform(task: Task) -> Outcome {
    let outcome = match task {
        Task::Score { key, order, answer } => {
            score(&key, order.as_deref(), &answer).map_err(of_file)
        }
        Task::Reply {
            status,
            headers,
            body,
        } => reply(status, &headers, &body).map_err(of_reply),
        Task::Draw {
            drawing,
            text,
            choice,
        } => draw(drawing, &text, choice.as_deref()).map_err(|error| of_json(&error)),
    };
    outcome.unwrap_or_else(|problem| Outcome {
        problem: Some(problem),
        ..Outcome::default()
    })
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

fn draw(drawing: Drawing, text: &str, choice: Option<&str>) -> Result<Outcome, serde_json::Error> {
    let drawn = match drawing {
        Drawing::Analysis => {
            let page: AnalysisPage = serde_json::from_str(text)?;
            let open = match Route::parse(choice.unwrap_or_default()) {
                Route::Record { open, .. } => open,
                _ => Open::default(),
            };
            Drawn {
                parts: fragments::analysis::parts(&page, &open),
                choices: Vec::new(),
            }
        }
        Drawing::Attempt => {
            let page: AttemptPage = serde_json::from_str(text)?;
            Drawn {
                parts: fragments::attempt::parts(&page),
                choices: Vec::new(),
            }
        }
        Drawing::Comparison => {
            let comparison = Comparison::read(text)?;
            Drawn {
                parts: fragments::comparison::parts(&comparison, choice),
                choices: comparison.runs(),
            }
        }
        Drawing::Rules => Drawn {
            parts: vec![fragments::rules::rules(
                &serde_json::from_str(text)?,
                choice,
            )],
            choices: Vec::new(),
        },
    };
    Ok(Outcome {
        drawn: Some(drawn),
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
        let outcome = perform(Task::Score {
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
        let outcome = perform(Task::Reply {
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
            let outcome = perform(Task::Draw {
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
        let outcome = perform(Task::Reply {
            status: 200,
            headers: vec![("content-type".into(), "text/csv".into())],
            body: b"x\none\n".to_vec(),
        });
        assert!(outcome.rows.unwrap().contains("\"one\""));
    }
}
