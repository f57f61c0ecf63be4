//! `controls --derive`: the controls that follow from a key alone, printed or run.

use std::fmt;
use std::path::Path;

use control::{
    DeriveError, Derived, NameChoice, NameSource, derive_keyword, derive_literal, keywords_of,
    names_in, names_query,
};
use record::{Record, Severity};
use serde::Serialize;

use super::controls::{self, Line};
use crate::analyst::Analyst;
use crate::cli::ControlsArgs;
use crate::endpoint::Endpoint;
use crate::output::Output;
use crate::settings::EndpointChoice;
use crate::{Failure, store};

/// Where a derived control comes from.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Origin {
    /// The control as SPARQL.
    query: String,
    /// The words of its name test; none for the literal control.
    keywords: Vec<String>,
    /// Where the name is that it tests.
    name: Option<NameSource>,
    /// What the words were taken from.
    #[serde(rename = "keywords_from")]
    words: Option<&'static str>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, self.words) {
            (Some(name), Some(words)) => write!(
                f,
                "tests ?{} for {} ({words})",
                name.variable,
                self.keywords.join(", ")
            ),
            _ => f.write_str("the term itself"),
        }
    }
}

/// A derived control as `--print --json` shows it.
#[derive(Serialize)]
struct Printed<'a> {
    control: &'a str,
    #[serde(flatten)]
    origin: &'a Origin,
}

struct Made {
    control: &'static str,
    derived: Derived,
    origin: Origin,
}

pub(super) async fn run(
    file: &Path,
    args: &ControlsArgs,
    choice: &EndpointChoice,
    output: Output,
) -> Result<(), Failure> {
    let record = read(file)?;
    let endpoint = Endpoint::open(choice).await?;
    let made = make(&record, file, &args.keyword, &endpoint).await?;
    if args.print {
        let printed: Vec<_> = made
            .iter()
            .map(|made| Printed {
                control: made.control,
                origin: &made.origin,
            })
            .collect();
        return output.print(&printed, |printed| {
            let queries = printed.iter().map(|printed| {
                format!(
                    "# {}: {}\n{}\n",
                    printed.control, printed.origin, printed.origin.query
                )
            });
            queries.collect::<Vec<_>>().join("\n")
        });
    }
    let failed = |source| controls::failed(record.id(), source);
    let analyst = Analyst::of(&record, args.identity.as_deref(), &endpoint)
        .await
        .map_err(failed)?;
    let mut lines = Vec::new();
    for made in made {
        let rows = endpoint.query(&made.derived.text).await?.table;
        let analysis = analyst
            .judge(&made.derived.query, &rows, &made.origin.keywords, &endpoint)
            .await
            .map_err(failed)?;
        let tier = record.name.tier.clone();
        let tier = tier.unwrap_or_else(|| record.id().to_owned());
        lines.push(Line::new(
            &tier,
            made.control,
            analysis,
            Some(made.origin),
            &endpoint,
        ));
    }
    controls::print(&lines, args.why, &endpoint, output)
}

/// Any `.rq` file; a decorated one is a record.
fn read(file: &Path) -> Result<Record, Failure> {
    let record = Record::parse(file.display().to_string(), &store::read(file)?);
    if record.query.is_some() {
        return Ok(record);
    }
    // A plain query lacks what a record's header has, and that is not what stops it.
    let errors = || {
        let problems = record.problems.iter();
        problems.filter(|problem| problem.severity == Severity::Error)
    };
    let error = errors()
        .find(|problem| problem.rule.starts_with("query"))
        .or_else(|| errors().next());
    match error {
        Some(problem) => Err(Failure::of_problem(file, problem)),
        None => Ok(record),
    }
}

async fn make(
    record: &Record,
    file: &Path,
    keywords: &[String],
    endpoint: &Endpoint,
) -> Result<Vec<Made>, Failure> {
    let refused =
        |error: DeriveError| Failure::usage(format!("{}: {error}", file.display()), error.remedy());
    let Some(key) = &record.query else {
        return Err(refused(DeriveError::NoHierarchy));
    };
    let literal = derive_literal(key).map_err(refused)?;
    let hub = control::closure_of(key)
        .into_iter()
        .find_map(|closure| closure.graph);
    let mut names = Vec::new();
    for root in &literal.roots {
        let query = names_query(hub.as_deref(), root);
        names.extend(names_in(&endpoint.query(&query).await?.table));
    }
    let own = keywords_of(&names);
    let mut made = vec![Made::new("derived-literal", literal, &[], None)];
    for (control, words, from) in [
        ("derived-keyword", keywords, "given"),
        (
            "derived-label",
            own.as_slice(),
            "the root's label and synonyms",
        ),
    ] {
        if !words.is_empty() {
            let derived = derive_keyword(key, words, NameChoice::ByKey).map_err(refused)?;
            made.push(Made::new(control, derived, words, Some(from)));
        }
    }
    Ok(made)
}

impl Made {
    fn new(
        control: &'static str,
        derived: Derived,
        keywords: &[String],
        words: Option<&'static str>,
    ) -> Self {
        Self {
            origin: Origin {
                query: derived.text.clone(),
                keywords: keywords.to_vec(),
                name: derived.name.clone(),
                words,
            },
            control,
            derived,
        }
    }
}
