//! `lint`: what is wrong between a record's prose and its key.

use std::fmt;

use lint::{Facts, Labels, Report, Target};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::fault::Fault;
use crate::parse_record::read;
use crate::source::Source;

/// What the rules may know beside the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LintOptions {
    /// The file's name.
    pub file: Option<String>,
    /// The other half of the record's pair.
    pub twin: Option<TwinInput>,
    /// What IRIs are called; without it the rules that need it are silent, and say so.
    pub labels: Option<LabelsInput>,
    /// What an endpoint told; the same.
    pub facts: Option<Facts>,
}

/// The other half of a pair.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwinInput {
    /// Its name.
    pub file: String,
    /// Its content.
    pub source: Source,
}

/// Labels and exact synonyms by IRI.
#[derive(Clone, Debug)]
pub enum LabelsInput {
    /// Lines of IRI, tab, text, and perhaps tab and `label` or `synonym`.
    Tsv(String),
    /// `{IRI: {labels: […], synonyms: […]}}`.
    Object(Labels),
}

impl<'de> Deserialize<'de> for LabelsInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TsvOrObject;
        impl<'de> Visitor<'de> for TsvOrObject {
            type Value = LabelsInput;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("labels as tab-separated text, or as an object by IRI")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<LabelsInput, E> {
                Ok(LabelsInput::Tsv(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LabelsInput, A::Error> {
                Labels::deserialize(MapAccessDeserializer::new(map)).map(LabelsInput::Object)
            }
        }
        deserializer.deserialize_any(TsvOrObject)
    }
}

/// Lints a record, or a plain query.
///
/// Fails on labels that cannot be read; whatever is wrong with the file itself is a finding.
pub fn lint(source: &Source, options: &LintOptions) -> Result<Report, Fault> {
    let record = read(source, options.file.as_deref());
    let twin = options
        .twin
        .as_ref()
        .map(|twin| read(&twin.source, Some(&twin.file)));
    let tsv;
    let labels = match &options.labels {
        None => &Labels::default(),
        Some(LabelsInput::Object(labels)) => labels,
        Some(LabelsInput::Tsv(text)) => {
            tsv = Labels::from_tsv(text).map_err(|error| Fault::of_labels(&error))?;
            &tsv
        }
    };
    let text = String::from_utf8_lossy(source.bytes());
    let target = Target::new(&record, &text)
        .with_twin(twin.as_ref())
        .with_facts(options.facts.clone().unwrap_or_default());
    Ok(lint::lint(&target, labels))
}
