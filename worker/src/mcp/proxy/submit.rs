//! `submit_csv`: the harness's own tool, which needs no server.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{RawTable, ReadError};

use crate::store::{self, ConfinedError, StoreError};

/// Its name, which no tool of the server may have.
pub const NAME: &str = "submit_csv";

/// The file that holds the last submission that is a table, or the last one where none is.
pub const ANSWER: &str = "answer.csv";

/// The largest file that is taken as an answer: far beyond any key, and far below what would stop the proxy.
const LARGEST: u64 = 64 << 20;

/// How many rows of a wrong width an agent is told of one by one.
const RAGGED_TOLD: usize = 20;

/// Where submissions go, and where the agent's files may come from.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    /// The folder of the attempt.
    pub(crate) out: PathBuf,
    /// The folder in which the agent can write files, where it can.
    pub(crate) work: Option<PathBuf>,
}

/// What a call to the tool came to.
#[derive(Debug)]
pub(crate) struct Submitted {
    /// The result, as JSON.
    pub(crate) result: String,
    /// Whether something was kept as the answer.
    pub(crate) kept: bool,
}

#[derive(Deserialize)]
struct Arguments {
    csv: Option<String>,
    path: Option<PathBuf>,
}

impl Desk {
    /// The entry in the list of tools, as JSON.
    pub(crate) fn tool(&self) -> String {
        let mut properties = json!({
            "csv": { "type": "string", "description": "The table as CSV text, with a header line." },
        });
        if let (Some(_), Some(properties)) = (&self.work, properties.as_object_mut()) {
            let path = json!({
                "type": "string",
                "description": "A CSV file in your working folder, instead of `csv`.",
            });
            properties.insert("path".to_owned(), path);
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if let (None, Some(schema)) = (&self.work, schema.as_object_mut()) {
            schema.insert("required".to_owned(), json!(["csv"]));
        }
        let schema = match schema {
            Value::Object(schema) => schema,
            _ => serde_json::Map::new(),
        };
        let tool = Tool::new(
            NAME,
            "Submit the final answer: one table as CSV, with a header line and the columns in the order asked for. \
             Submit a header line alone if the answer has no rows. You may submit again; the last submission counts.",
            Arc::new(schema),
        )
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).idempotent(true).open_world(false));
        // The model's own types always serialise.
        serde_json::to_string(&tool).unwrap_or_default()
    }

    /// Takes a submission; `arguments` is JSON, as the agent gave it.
    pub(crate) fn submit(&self, arguments: Option<&str>) -> Submitted {
        let bytes = match self.bytes_of(arguments.unwrap_or("{}")) {
            Ok(bytes) => bytes,
            Err(refusal) => return Submitted::refused(&refusal),
        };
        let read = table::read_answer(&bytes);
        if let Err(error) = &read {
            match self.earlier() {
                Ok(Some(earlier)) => return Submitted::unreadable(error, Some(&earlier)),
                Ok(None) => {}
                Err(error) => return Submitted::refused(&told(&error)),
            }
        }
        if let Err(error) = store::write_whole(&self.out.join(ANSWER), &bytes) {
            return Submitted::refused(&format!(
                "the submission could not be kept: {}",
                told(&error)
            ));
        }
        match read {
            Ok(table) => Submitted::read(&table),
            Err(error) => Submitted::unreadable(&error, None),
        }
    }

    /// The answer that counts so far, where it is a table.
    fn earlier(&self) -> Result<Option<RawTable>, StoreError> {
        let bytes = store::read_if_there(&self.out.join(ANSWER))?;
        Ok(bytes.and_then(|bytes| table::read_answer(&bytes).ok()))
    }

    fn bytes_of(&self, arguments: &str) -> Result<Vec<u8>, String> {
        let arguments: Arguments = serde_json::from_str(arguments)
            .map_err(|error| format!("the arguments cannot be read: {error}"))?;
        match (arguments.csv, arguments.path, &self.work) {
            (Some(csv), None, _) => Ok(csv.into_bytes()),
            (None, Some(path), Some(work)) => from_file(work, &path),
            (None, Some(_), None) => {
                Err("files cannot be submitted here: give the table as text in `csv`".to_owned())
            }
            (Some(_), Some(_), _) => Err(
                "give the table either as text in `csv` or as a file in `path`, not both"
                    .to_owned(),
            ),
            (None, None, Some(_)) => {
                Err("give the table as text in `csv`, or as a file in `path`".to_owned())
            }
            (None, None, None) => Err("give the table as text in `csv`".to_owned()),
        }
    }
}

fn from_file(work: &Path, path: &Path) -> Result<Vec<u8>, String> {
    store::read_confined(work, path, LARGEST).map_err(|error| match error {
        ConfinedError::Outside => format!("{} is not in your working folder", path.display()),
        ConfinedError::NoFile => format!("{} is no file", path.display()),
        ConfinedError::TooLarge => {
            format!("{} is larger than {} MiB", path.display(), LARGEST >> 20)
        }
        ConfinedError::Store(error) => told(&error),
    })
}

fn told(error: &StoreError) -> String {
    format!("{error}: {}", error.source)
}

impl Submitted {
    fn read(table: &RawTable) -> Self {
        let mut text = format!(
            "Received {} of {}: {}.",
            counted(table.len() + table.ragged.len(), "row"),
            counted(table.columns.len(), "column"),
            table.columns.join(", ")
        );
        for repair in &table.repairs {
            let line = repair
                .line
                .map(|line| format!(" (line {line})"))
                .unwrap_or_default();
            let _ = write!(text, "\nRepaired{line}: {}", repair.message);
        }
        for ragged in table.ragged.iter().take(RAGGED_TOLD) {
            let _ = write!(
                text,
                "\nLine {} has {} where the header has {}, and counts as a wrong row.",
                ragged.line,
                counted(ragged.cells.len(), "cell"),
                ragged.expected
            );
        }
        if let Some(more) = table.ragged.len().checked_sub(RAGGED_TOLD + 1) {
            let more = counted(more + 1, "row");
            let _ = write!(text, "\nAnother {more} are of a wrong width too.");
        }
        text.push_str("\nThis is now your answer. If it is not what you meant, submit again: the last submission counts.");
        Self {
            result: result(text, false),
            kept: true,
        }
    }

    /// An `earlier` answer goes on to count: these bytes are in the log of the calls alone. Where there is none they are kept
    /// as the answer all the same: what the agent left is what is judged, unless it submits again.
    fn unreadable(error: &ReadError, earlier: Option<&RawTable>) -> Self {
        let remedy = error
            .remedy
            .as_deref()
            .map(|remedy| format!(" ({remedy})"))
            .unwrap_or_default();
        let mut text =
            format!("What you submitted cannot be read as a table: {error}{remedy}. Submit again.");
        if let Some(earlier) = earlier {
            let _ = write!(
                text,
                "\nUntil then your earlier answer counts: {} of {}.",
                counted(earlier.len() + earlier.ragged.len(), "row"),
                counted(earlier.columns.len(), "column")
            );
        }
        Self {
            result: result(text, true),
            kept: earlier.is_none(),
        }
    }

    fn refused(why: &str) -> Self {
        let text = format!("Nothing was submitted: {why}.");
        Self {
            result: result(text, true),
            kept: false,
        }
    }
}

fn counted(count: usize, one: &str) -> String {
    if count == 1 {
        format!("1 {one}")
    } else {
        format!("{count} {one}s")
    }
}

/// The result of a tool call that is a text, as JSON.
pub(crate) fn result(text: String, is_error: bool) -> String {
    let content = vec![ContentBlock::text(text)];
    let mut result = if is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    // Agents of earlier versions of the protocol do not know this member.
    result.result_type = None;
    serde_json::to_string(&result).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> (tempfile::TempDir, Desk) {
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk {
            out: folder.path().join("out"),
            work: Some(folder.path().join("work")),
        };
        std::fs::create_dir_all(folder.path().join("work/deep")).unwrap();
        (folder, desk)
    }

    fn answer(desk: &Desk) -> Option<Vec<u8>> {
        std::fs::read(desk.out.join(ANSWER)).ok()
    }

    #[test]
    fn the_last_submission_counts_and_its_bytes_are_kept() {
        let (_folder, desk) = desk();
        let first = desk.submit(Some(r#"{"csv":"a,b\r\n1,2\n"}"#));
        assert!(
            first.result.contains("1 row of 2 columns: a, b"),
            "{}",
            first.result
        );
        assert!(!first.result.contains("resultType"), "{}", first.result);
        let second = desk.submit(Some(r#"{"csv":"\ufeffa\n\n"}"#));
        assert!(
            second.kept && !second.result.contains(r#""isError":true"#),
            "{second:?}"
        );
        assert_eq!(answer(&desk).unwrap(), "\u{feff}a\n\n".as_bytes());
    }

    #[test]
    fn repairs_and_ragged_rows_are_told() {
        let (_folder, desk) = desk();
        let told = desk.submit(Some(r#"{"csv":"a;b\n1;2\n3\n"}"#)).result;
        assert!(
            told.contains("Repaired") && told.contains("Line 3 has 1 cell where the header has 2"),
            "{told}"
        );
    }

    #[test]
    fn what_is_no_table_is_kept_and_called_an_error() {
        let (_folder, desk) = desk();
        let told = desk.submit(Some(r#"{"csv":""}"#));
        assert!(
            told.kept && told.result.contains(r#""isError":true"#),
            "{told:?}"
        );
        assert_eq!(answer(&desk).unwrap(), b"");
    }

    #[test]
    fn what_is_no_table_leaves_the_answer_that_was_there() {
        let (_folder, desk) = desk();
        assert!(desk.submit(Some(r#"{"csv":"a,b\n1,2\n"}"#)).kept);
        for arguments in [r#"{"csv":""}"#, r#"{"csv":"{\"a\": [1]}"}"#] {
            let told = desk.submit(Some(arguments));
            assert!(
                !told.kept
                    && told.result.contains(r#""isError":true"#)
                    && told
                        .result
                        .contains("your earlier answer counts: 1 row of 2 columns"),
                "{arguments}: {told:?}"
            );
            assert_eq!(answer(&desk).unwrap(), b"a,b\n1,2\n");
        }
        assert!(desk.submit(Some(r#"{"csv":"c\n3\n"}"#)).kept);
        assert_eq!(answer(&desk).unwrap(), b"c\n3\n");
    }

    #[test]
    fn of_several_that_are_no_table_the_last_is_kept() {
        let (_folder, desk) = desk();
        for csv in ["", "[1]"] {
            let told = desk.submit(Some(&json!({ "csv": csv }).to_string()));
            assert!(told.kept, "{csv}: {told:?}");
            assert_eq!(answer(&desk).unwrap(), csv.as_bytes());
        }
    }

    #[test]
    fn nothing_is_submitted_by_arguments_that_name_no_table() {
        let (_folder, desk) = desk();
        let long = format!(r#"{{"path":"{}"}}"#, "../".repeat(3));
        for arguments in [
            "{}",
            "[]",
            r#"{"csv":3}"#,
            r#"{"csv":"a","path":"b"}"#,
            r#"{"csv":"\ud800"}"#,
            &long,
        ] {
            let told = desk.submit(Some(arguments));
            assert!(
                !told.kept && told.result.contains(r#""isError":true"#),
                "{arguments}: {told:?}"
            );
        }
        assert!(!desk.submit(None).kept);
        assert_eq!(answer(&desk), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_comes_from_the_working_folder_and_from_nowhere_else() {
        use std::os::unix::fs::symlink;
        let (folder, desk) = desk();
        let work = folder.path().join("work");
        std::fs::write(work.join("deep/a.csv"), "a\n1\n").unwrap();
        std::fs::write(folder.path().join("secret.csv"), "s\n").unwrap();
        std::fs::create_dir_all(folder.path().join("work-not")).unwrap();
        std::fs::write(folder.path().join("work-not/b.csv"), "s\n").unwrap();
        symlink(folder.path().join("secret.csv"), work.join("link.csv")).unwrap();
        symlink(folder.path(), work.join("up")).unwrap();
        symlink("deep/a.csv", work.join("inside.csv")).unwrap();
        let submit = |path: &str| desk.submit(Some(&json!({ "path": path }).to_string()));
        let absolute = work.join("deep/a.csv").display().to_string();
        for path in [
            "deep/a.csv",
            "./deep/../deep/a.csv",
            "inside.csv",
            &absolute,
        ] {
            assert!(submit(path).kept, "{path}");
        }
        let outside = folder.path().join("secret.csv").display().to_string();
        for path in [
            "../secret.csv",
            "link.csv",
            "up/secret.csv",
            "../work-not/b.csv",
            "/dev/zero",
            "deep",
            "missing.csv",
            &outside,
        ] {
            let told = submit(path);
            assert!(!told.kept, "{path}: {told:?}");
        }
        assert_eq!(answer(&desk).unwrap(), b"a\n1\n");
    }

    #[test]
    fn files_are_offered_only_where_the_agent_can_write_them() {
        let (_folder, desk) = desk();
        assert!(desk.tool().contains(r#""path""#));
        let desk = Desk { work: None, ..desk };
        assert!(!desk.tool().contains(r#""path""#));
        let told = desk.submit(Some(r#"{"path":"a.csv"}"#));
        assert!(
            told.result.contains("give the table as text"),
            "{}",
            told.result
        );
    }
}
