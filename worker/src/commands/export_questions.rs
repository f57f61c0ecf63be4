//! `export-questions`: what to answer, for whoever answers elsewhere.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::agent::prompt::{KgHint, Prompt};
use crate::cli::ExportQuestionsArgs;
use crate::output::Output;
use crate::settings::{CorpusPlace, chosen};
use crate::{Failure, store};

/// The questions in a folder.
const QUESTIONS: &str = "questions.jsonl";

/// How to answer, beside them.
const README: &str = "README.md";

/// One line of the file. The key's columns are not among its members: which to give is for the prose to say.
#[derive(Serialize)]
struct Question {
    id: String,
    prompt: String,
    answer: String,
}

#[derive(Serialize)]
struct Report {
    questions: usize,
    file: PathBuf,
}

pub(super) fn run(args: &ExportQuestionsArgs, output: Output) -> Result<(), Failure> {
    let corpus = CorpusPlace::from(&args.corpus).read()?;
    let mut lines = Vec::new();
    let mut questions = 0;
    for record in chosen(&corpus, args.tier.as_deref())? {
        let Some(prompt) = Prompt::for_others(record, args.kg_hint) else {
            output.say(format!("{} has no prose and is left out", record.id()));
            continue;
        };
        let question = Question {
            id: record.id().to_owned(),
            prompt,
            answer: format!("{}/1.csv", record.id()),
        };
        // Text members always serialise.
        lines.extend(serde_json::to_vec(&question).unwrap_or_default());
        lines.push(b'\n');
        questions += 1;
    }
    if questions == 0 {
        return Err(Failure::usage(
            "there is no question to write",
            "see what is wrong with the records with `okn-benchmark corpus list`",
        ));
    }
    // It is part of the condition, so that `run` has to be told.
    let hint = match args.kg_hint {
        KgHint::None => String::new(),
        KgHint::Tags => " --kg-hint tags".to_owned(),
    };
    let is_file = args
        .out
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    let file = if is_file {
        args.out.clone()
    } else {
        args.out.join(QUESTIONS)
    };
    refuse_if_there(&file)?;
    if !is_file {
        refuse_if_there(&args.out.join(README))?;
        store::write_whole(
            &args.out.join(README),
            HOW_TO_ANSWER.replace("{hint}", &hint).as_bytes(),
        )?;
    }
    store::write_whole(&file, &lines)?;
    output.say(format!(
        "name answers RECORD/N.csv, or RECORD.csv, and judge them with `okn-benchmark run --agent file --answers DIR{hint} --out RUNS`"
    ));
    output.print(&Report { questions, file }, |report| {
        format!(
            "{} questions in {}",
            report.questions,
            report.file.display()
        )
    })
}

fn refuse_if_there(file: &Path) -> Result<(), Failure> {
    if !file.exists() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{} is there already", file.display()),
        "give another --out, or take it away",
    ))
}

const HOW_TO_ANSWER: &str = "\
# Questions

`questions.jsonl` holds a question a line: `id`, `prompt`, and `answer`, the name under which the first answer goes.

Put the answers into a folder of their own:

```
answers/<id>/<n>.csv           the n-th answer, from 1; or
answers/<id>/<n>/answer.csv    the same, as `okn-benchmark mcp proxy --out answers/<id>/<n>` leaves it; or
answers/<id>.csv               the only answer
```

A question without a file counts as one that was not answered. A table without rows is a file with a header line alone.

What was looked up is evidence: the `calls.json` that `okn-benchmark mcp proxy` writes is read where it lies beside
`answer.csv`, and so is `<n>.calls.json` beside `<n>.csv`. Without it nobody can tell whether an empty table came of a look.

Judge them:

```
okn-benchmark run --agent file --answers answers{hint} --repeat 1 --out runs
```
";
