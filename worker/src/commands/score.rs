//! `score`: how well a submitted table answers a record or a key file.

use std::path::Path;

use score::{DiffKind, Key, Options, Score};
use serde::Serialize;
use sweep::Provenance;
use table::{RawTable, ReadError};

use super::{plural, source_line};
use crate::cli::ScoreArgs;
use crate::endpoint::Endpoint;
use crate::keys::{KeyRun, Uncut};
use crate::output::{Output, figure, figure_or_dash, grid};
use crate::settings::{CorpusPlace, EndpointChoice, named};
use crate::{Failure, store};

/// A score and what it was made against.
#[derive(Serialize)]
struct Scored {
    #[serde(flatten)]
    score: Score,
    /// Where the key's rows come from; absent for a key file, which does not say.
    #[serde(flatten)]
    provenance: Option<Provenance>,
}

pub(super) async fn run(args: &ScoreArgs, output: Output) -> Result<(), Failure> {
    let answer = answer(&args.answer)?;
    let scored = match (&args.record, &args.key) {
        (Some(id), _) => against_record(args, id, &answer).await?,
        (None, Some(file)) => against_file(args, file, &answer)?,
        (None, None) => {
            return Err(Failure::usage(
                "nothing to score against",
                "give --record ID or --key FILE",
            ));
        }
    };
    output.print(&scored, text)
}

fn answer(file: &Path) -> Result<RawTable, Failure> {
    table::read_answer(&store::read(file)?).map_err(|error| input(file, error))
}

fn options(args: &ScoreArgs) -> Options {
    Options {
        accept_ties: args.accept_ties,
        max_diff_rows: Some(args.max_diff_rows),
        ..Options::default()
    }
}

async fn against_record(args: &ScoreArgs, id: &str, answer: &RawTable) -> Result<Scored, Failure> {
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let record = named(&corpus, id)?;
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;
    let failed = |source| Failure::Key {
        record: id.to_owned(),
        source,
    };
    let key = KeyRun::of(record, &endpoint).await.map_err(failed)?;
    let pool = match record.limit() {
        Some(limit) if args.accept_ties => Uncut::of(record, &endpoint)
            .await
            .map_err(failed)?
            .and_then(|uncut| uncut.tie_pool(limit)),
        _ => None,
    };
    let score = score::score(&key.key(pool.as_ref()), answer, &options(args));
    Ok(Scored {
        score,
        provenance: Some(endpoint.provenance().clone()),
    })
}

fn against_file(args: &ScoreArgs, file: &Path, answer: &RawTable) -> Result<Scored, Failure> {
    let table = table::read_key(&file.to_string_lossy(), &store::read(file)?)
        .map_err(|error| input(file, error))?;
    // A file has no ORDER BY: asked to check the sequence, every row's place counts.
    let ranks = args
        .ordered
        .then(|| (0..u32::try_from(table.len()).unwrap_or(u32::MAX)).collect());
    let score = score::score(
        &Key {
            table: &table,
            ranks,
            tie_pool: None,
        },
        answer,
        &options(args),
    );
    Ok(Scored {
        score,
        provenance: None,
    })
}

fn input(file: &Path, error: ReadError) -> Failure {
    Failure::Input {
        file: file.to_owned(),
        line: error.line,
        column: error.column,
        message: error.message,
        remedy: error.remedy,
    }
}

fn text(scored: &Scored) -> String {
    let score = &scored.score;
    let yes = |value: bool| if value { "yes" } else { "no" }.to_owned();
    let figures = [
        ("exact", yes(score.exact)),
        (
            "ordered",
            score
                .ordered
                .map_or_else(|| "– (the key has no order to check)".to_owned(), yes),
        ),
        ("f1", figure(score.f1)),
        ("precision", figure(score.precision)),
        ("recall", figure(score.recall)),
        (
            "f1 mapped",
            format!(
                "{} (over the columns that were found)",
                figure_or_dash(score.f1_mapped)
            ),
        ),
        (
            "rows",
            format!(
                "{} submitted, {} in the key, {} missing, {} unexpected",
                score.rows, score.key_rows, score.missing_rows, score.unexpected_rows
            ),
        ),
    ];
    let mut lines: Vec<String> = figures
        .into_iter()
        .map(|(name, value)| format!("{name:<10} {value}"))
        .collect();
    for column in &score.columns {
        match &column.answer {
            Some(answer) if *answer == column.key => {}
            Some(answer) => lines.push(format!("column `{}` is read from `{answer}`", column.key)),
            None => lines.push(format!("column `{}` is missing", column.key)),
        }
    }
    lines.extend(
        score
            .extra_columns
            .iter()
            .map(|name| format!("column `{name}` is not in the key and costs nothing")),
    );
    lines.extend(
        score
            .repairs
            .iter()
            .map(|repair| format!("repaired: {}", repair.message)),
    );
    lines.extend(score.ragged.iter().map(|ragged| {
        let cells = plural(ragged.cells.len(), "cell");
        format!(
            "line {}: {cells} where the header has {}",
            ragged.line, ragged.expected
        )
    }));
    lines.extend(left_out(
        score.ragged_rows - score.ragged.len(),
        "of another width than the header",
    ));
    lines.extend(score.notes.iter().map(|note| format!("note: {note}")));
    let different: Vec<Vec<String>> = score
        .diff
        .iter()
        .filter(|line| line.kind != DiffKind::Equal)
        .map(|line| {
            vec![
                kind(line.kind).to_owned(),
                cells(line.key.as_deref()),
                cells(line.answer.as_deref()),
            ]
        })
        .collect();
    if !different.is_empty() {
        lines.push(grid(&["row", "key", "answer"], &[], different));
    }
    lines.extend(left_out(
        score.wrong_omitted,
        "that are missing, unexpected or differing",
    ));
    lines.extend(scored.provenance.as_ref().map(source_line));
    lines.join("\n")
}

/// That a list was cut; nothing where it was not.
fn left_out(rows: usize, what: &str) -> Option<String> {
    (rows > 0).then(|| {
        format!(
            "… and {} more {what}; a higher --max-diff-rows shows them",
            plural(rows, "row")
        )
    })
}

fn cells(row: Option<&[String]>) -> String {
    row.map(|row| row.join(", ")).unwrap_or_default()
}

fn kind(kind: DiffKind) -> &'static str {
    match kind {
        DiffKind::Equal => "equal",
        DiffKind::Missing => "missing",
        DiffKind::Unexpected => "unexpected",
        DiffKind::Differing => "differing",
    }
}
