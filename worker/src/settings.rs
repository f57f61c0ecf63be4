//! What was decided from what was typed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{Corpus, Record};

use crate::cli::{CorpusArgs, EndpointArgs};
use crate::mcp::proxy::{ToolSet, ToolSetError};
use crate::{Failure, store};

/// Where the records and their controls are.
#[derive(Clone, Debug)]
pub struct CorpusPlace {
    /// Folder of the records.
    pub records: PathBuf,
    /// Folder of the controls, a folder for each tier.
    pub controls: PathBuf,
    controls_named: bool,
}

impl From<&CorpusArgs> for CorpusPlace {
    fn from(args: &CorpusArgs) -> Self {
        let beside = || {
            args.corpus
                .parent()
                .unwrap_or(Path::new(""))
                .join("controls-ontology")
        };
        Self {
            records: args.corpus.clone(),
            controls: args.controls.clone().unwrap_or_else(beside),
            controls_named: args.controls.is_some(),
        }
    }
}

impl CorpusPlace {
    /// Reads every record and control.
    pub fn read(&self) -> Result<Corpus, Failure> {
        if !self.records.is_dir() {
            return Err(Failure::usage(
                format!("there is no corpus folder {}", self.records.display()),
                "give the folder of the `.rq` files with --corpus",
            ));
        }
        let records = queries_in(&self.records)?;
        if records.is_empty() {
            return Err(Failure::usage(
                format!("no `.rq` file lies in {}", self.records.display()),
                "give the folder of the `.rq` files with --corpus",
            ));
        }
        if self.controls_named && !self.controls.is_dir() {
            return Err(Failure::usage(
                format!("there is no folder of controls {}", self.controls.display()),
                "give the folder that holds a folder for each tier with --controls",
            ));
        }
        let mut controls = Vec::new();
        for tier in store::list_if_there(&self.controls)? {
            if tier.is_dir() {
                controls.extend(queries_in(&tier)?);
            }
        }
        Ok(Corpus::from_readings(records, controls))
    }
}

/// A file's bytes, or why they cannot be read.
type Reading = Result<Vec<u8>, String>;

/// The `.rq` files of a folder; for one that cannot be read, why not, so that it is listed with that beside the others.
fn queries_in(folder: &Path) -> Result<Vec<(String, Reading)>, Failure> {
    let mut files = Vec::new();
    for path in store::list(folder)? {
        if path.extension().is_some_and(|extension| extension == "rq") && !path.is_dir() {
            let bytes = store::read(&path).map_err(|error| error.source.to_string());
            files.push((path.display().to_string(), bytes));
        }
    }
    Ok(files)
}

/// Where queries are run.
#[derive(Clone, Debug)]
pub struct EndpointChoice {
    /// Inside the program, or a server.
    pub place: EndpointPlace,
    /// How long one query may take.
    pub timeout: Duration,
}

/// Inside the program, or a server.
#[derive(Clone, Debug)]
pub enum EndpointPlace {
    /// The embedded federation, with its files in this folder.
    Embedded(PathBuf),
    /// A SPARQL endpoint at this address.
    Remote(String),
}

impl EndpointChoice {
    /// Decides where queries are run; the embedded federation's files lie in the corpus unless said otherwise.
    pub fn new(args: &EndpointArgs, corpus: &CorpusPlace) -> Result<Self, Failure> {
        let address = args.endpoint.as_deref().unwrap_or("embedded");
        let shown = address_shown(address)?;
        let place = match address {
            "embedded" => EndpointPlace::Embedded(
                args.snapshot
                    .clone()
                    .unwrap_or_else(|| corpus.records.join("snapshot")),
            ),
            url if url.starts_with("http://") || url.starts_with("https://") => {
                EndpointPlace::Remote(url.to_owned())
            }
            _ => {
                return Err(Failure::usage(
                    format!("`{shown}` is no endpoint"),
                    "an endpoint is `embedded`, or an address that begins with http:// or https://",
                ));
            }
        };
        Ok(Self {
            place,
            timeout: Duration::from_secs(args.timeout),
        })
    }
}

/// An endpoint's address as it may be shown and stored: without the values of its query string, since a token may be one.
/// An address with a user or password in it is refused, unshown.
pub fn address_shown(address: &str) -> Result<String, Failure> {
    if has_user(address) {
        return Err(Failure::usage(
            "the endpoint's address holds a user or password",
            "give the address without what stands before the @; a token in its query string is sent, and never shown",
        ));
    }
    Ok(without_values(address))
}

/// Whether a user or password stands in an address.
pub(crate) fn has_user(address: &str) -> bool {
    match reqwest::Url::parse(address) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            !url.username().is_empty() || url.password().is_some()
        }
        // Where the parts of the address cannot be told, any `@` may end a password.
        _ => address.contains('@'),
    }
}

/// `https://e/sparql?token=***` for `https://e/sparql?token=secret`.
pub fn without_values(address: &str) -> String {
    // What follows a `#` is never sent.
    let sent = address.split('#').next().unwrap_or_default();
    let Some((place, query)) = sent.split_once('?') else {
        return sent.to_owned();
    };
    let names: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}=***"),
            None if pair.is_empty() => String::new(),
            None => "***".to_owned(),
        })
        .collect();
    format!("{place}?{}", names.join("&"))
}

/// The records asked for: all of them, or one tier's.
pub fn chosen<'a>(corpus: &'a Corpus, tier: Option<&str>) -> Result<Vec<&'a Record>, Failure> {
    Ok(match tier {
        Some(tier) => corpus.tier(tier)?,
        None => corpus.records.iter().collect(),
    })
}

/// The record of that id; the failure of naming one that is not there lists those that are.
pub fn named<'a>(corpus: &'a Corpus, id: &str) -> Result<&'a Record, Failure> {
    corpus.record(id).ok_or_else(|| {
        let ids: Vec<&str> = corpus.records.iter().map(Record::id).collect();
        Failure::usage(
            format!("no record `{id}`"),
            format!("the records are {}", ids.join(", ")),
        )
    })
}

/// The tools that agents are given.
pub fn tool_set(text: &str) -> Result<ToolSet, Failure> {
    text.parse().map_err(|error: ToolSetError| {
        Failure::usage(
            error.to_string(),
            "--tools takes all-tools, no:NAME,… or only:NAME,…",
        )
    })
}

/// One part of a sweep that several machines share: the records whose place, modulo `of`, is `index − 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// Reads `I/N`, with I from 1 to N.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let parts = text
            .split_once('/')
            .and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(Failure::usage(
                format!("`{text}` is no part of a sweep"),
                "--shard takes I/N with I from 1 to N, such as 2/4",
            )),
        }
    }

    /// Whether the record at `place` (from 0) belongs to this part.
    pub fn holds(self, place: usize) -> bool {
        place % self.of == self.index - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_part_the_records_without_rest_or_overlap() {
        for of in 1..5 {
            let shards: Vec<Shard> = (1..=of).map(|index| Shard { index, of }).collect();
            for place in 0..12 {
                assert_eq!(
                    shards.iter().filter(|shard| shard.holds(place)).count(),
                    1,
                    "{place} of {of}"
                );
            }
        }
    }

    #[test]
    fn a_shard_outside_its_sweep_is_refused() {
        for text in ["0/3", "4/3", "1", "1/0", "a/b", "/", "-1/2"] {
            assert!(Shard::parse(text).is_err(), "{text}");
        }
        assert_eq!(Shard::parse("2/3").ok(), Some(Shard { index: 2, of: 3 }));
    }
}
