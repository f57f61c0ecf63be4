//! What every view may ask for, as newtypes so that contexts cannot be confused.

use std::sync::Arc;

use leptos::prelude::*;
use sweep::BundleIndex;

use crate::load::Loaded;

/// The bundle's index, shared by all views.
#[derive(Clone, Copy)]
pub struct Bundle(pub ReadSignal<Loaded<BundleIndex>>);

impl Bundle {
    /// The page's bundle.
    pub fn from_context() -> Self {
        use_context().unwrap_or_else(|| Self(signal(Loaded::Loading).0))
    }

    /// Where the embedded federation's manifest lies, if the site has one.
    pub fn manifest(self) -> Option<String> {
        let index = self.0.get_untracked().ready()?;
        index
            .snapshot
            .as_ref()
            .map(|snapshot| snapshot.manifest.clone())
    }

    /// Identifiers of all records; none while the index loads.
    pub fn record_ids(self) -> Vec<String> {
        let index = self.ready();
        let records = index.iter().flat_map(|index| &index.records);
        records.map(|record| record.id.clone()).collect()
    }

    /// The index once it is there.
    pub fn ready(self) -> Option<Arc<BundleIndex>> {
        self.0.get().ready()
    }
}

/// What a screen reader is told when something has happened.
#[derive(Clone, Copy)]
pub struct Announcer(pub RwSignal<String>);

impl Announcer {
    /// The page's announcer.
    pub fn from_context() -> Self {
        use_context().unwrap_or_else(|| Self(RwSignal::new(String::new())))
    }

    /// Says a sentence.
    pub fn say(self, sentence: impl Into<String>) {
        self.0.set(sentence.into());
    }
}
