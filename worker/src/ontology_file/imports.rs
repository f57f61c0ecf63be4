//! What an ontology imports: from files that the user names, and over the network where that is asked for.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ontology::{MAX_TEXT, Ontology, OntologyReader};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use tokio::time::timeout;

use super::unreadable;
use crate::error::with_causes;
use crate::settings::{has_user, without_values};
use crate::{Failure, store, web_client};

/// Imports that are read for one ontology: no real one has so many, and a hostile one could name ever new ones.
const MOST: usize = 1000;
/// Where PURLs lead is a few steps away.
const REDIRECTS: usize = 10;
/// The syntaxes that are read, as servers call them.
const SYNTAXES: &str = "application/rdf+xml, text/turtle;q=0.9, application/n-triples;q=0.8, application/trig;q=0.8, application/n-quads;q=0.8, */*;q=0.5";

/// What becomes of what an ontology imports.
#[derive(Args, Clone, Debug)]
pub struct ImportArgs {
    /// List the ontologies that an ontology imports and read nothing of them, or fetch them over http or https and read them
    /// too, with what they import
    #[arg(long, value_enum, value_name = "list|fetch", hide_possible_values = true, default_value_t = ImportChoice::List, help_heading = "Imports")]
    pub imports: ImportChoice,
    /// Read the import of this IRI from a file, whatever --imports says; several times for several
    #[arg(long = "import", value_name = "IRI=FILE", help_heading = "Imports")]
    pub copies: Vec<ImportCopy>,
    /// Seconds that fetching one import may take
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Imports")]
    pub import_timeout: u64,
}

/// What is done about imports for which no file was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportChoice {
    /// They are listed, and nothing of them is read.
    List,
    /// They are fetched over http or https, and read as part of the ontology.
    Fetch,
}

/// A file with what stands behind an IRI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportCopy {
    iri: String,
    file: PathBuf,
}

impl FromStr for ImportCopy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // An address may hold a `=`; whoever has one in a file's name can give it another.
        match text.rsplit_once('=') {
            Some((iri, file)) if !iri.is_empty() && !file.is_empty() => Ok(Self {
                iri: iri.to_owned(),
                file: file.into(),
            }),
            _ => Err("expected IRI=FILE".to_owned()),
        }
    }
}

impl ImportArgs {
    /// Reads what is imported, each ontology once.
    pub(super) async fn read(&self, reader: &mut OntologyReader) -> Result<(), Failure> {
        let mut left = BTreeSet::new();
        let mut fetching = None;
        let mut read = 0;
        while let Some(iri) = reader.missing().into_iter().find(|iri| !left.contains(iri)) {
            let copy = self.copies.iter().find(|copy| copy.iri == iri);
            if copy.is_none() && self.imports == ImportChoice::List {
                left.insert(iri);
                continue;
            }
            if read == MOST {
                return Err(Failure::usage(
                    format!("more than {MOST} imports; the next one is {iri}"),
                    "give the ontology as one file, for example as `robot merge` writes it",
                ));
            }
            read += 1;
            let (place, bytes) = if let Some(copy) = copy {
                (copy.file.clone(), store::read(&copy.file)?)
            } else {
                let fetching = match &mut fetching {
                    Some(fetching) => fetching,
                    none => none.insert(Fetching::new(self.import_timeout)?),
                };
                (PathBuf::from(&iri), fetching.fetch(&iri).await?)
            };
            reader
                .import(&iri, &place.to_string_lossy(), &bytes)
                .map_err(|error| unreadable(&place, &error))?;
        }
        Ok(())
    }

    /// A file for something that none of the ontologies imports is a mistake.
    pub(super) fn check(&self, ontologies: &[&Ontology]) -> Result<(), Failure> {
        let all = || ontologies.iter().flat_map(|ontology| ontology.imports());
        let unused = self
            .copies
            .iter()
            .find(|copy| !all().any(|iri| *iri == copy.iri));
        let Some(ImportCopy { iri, .. }) = unused else {
            return Ok(());
        };
        let imports: BTreeSet<&str> = all().map(String::as_str).collect();
        let imports: Vec<&str> = imports.into_iter().collect();
        Err(Failure::usage(
            format!("nothing imports {iri}, for which --import gives a file"),
            if imports.is_empty() {
                "leave it out: there are no imports".to_owned()
            } else {
                format!("what is imported is {}", imports.join(", "))
            },
        ))
    }
}

/// Imports over the network.
struct Fetching {
    client: Client,
    limit: Duration,
    /// Bytes that all of them together may still have.
    left: usize,
}

impl Fetching {
    fn new(seconds: u64) -> Result<Self, Failure> {
        let builder = web_client::builder().redirect(Policy::limited(REDIRECTS));
        let client = web_client::built(builder)?;
        Ok(Self {
            client,
            limit: Duration::from_secs(seconds),
            left: MAX_TEXT,
        })
    }

    async fn fetch(&mut self, iri: &str) -> Result<Vec<u8>, Failure> {
        let is_web = Url::parse(iri)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let found = if !is_web || has_user(iri) {
            Err("only addresses that begin with http:// or https://, and hold no user or password, are fetched".to_owned())
        } else {
            let seconds = self.limit.as_secs();
            let reply = timeout(self.limit, self.bytes(iri)).await;
            reply.unwrap_or_else(|_| {
                Err(format!(
                    "it did not come within the {seconds} s of --import-timeout"
                ))
            })
        };
        found.map_err(|why| {
            Failure::usage(
                format!("cannot fetch the import {}: {why}", without_values(iri)),
                format!("give a copy of it with --import {iri}=FILE"),
            )
        })
    }

    async fn bytes(&mut self, iri: &str) -> Result<Vec<u8>, String> {
        let causes = |error: reqwest::Error| {
            let from = error.url().map(|url| without_values(url.as_str()));
            let from = from.filter(|url| url != iri);
            let from = from.map(|url| format!("{url}: ")).unwrap_or_default();
            format!("{from}{}", with_causes(&error.without_url()))
        };
        let request = self.client.get(iri).header(ACCEPT, SYNTAXES);
        let mut reply = request.send().await.map_err(causes)?;
        let place = without_values(reply.url().as_str());
        if !reply.status().is_success() {
            return Err(format!("{place} answers {}", reply.status()));
        }
        let media = reply.headers().get(CONTENT_TYPE);
        let media = media.and_then(|media| media.to_str().ok());
        let media = media.unwrap_or_default().trim().to_ascii_lowercase();
        if media.starts_with("text/html") || media.starts_with("application/xhtml") {
            return Err(format!("{place} answers with a page, which is no ontology"));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = reply.chunk().await.map_err(causes)? {
            let left = self.left.checked_sub(chunk.len());
            self.left = left.ok_or_else(|| {
                format!("{place}: what is fetched is longer than {MAX_TEXT} bytes in all")
            })?;
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}
