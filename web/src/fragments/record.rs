//! The head of a record's page, its problems, and where its key's rows come from.

use sweep::{KeyEntry, RecordEntry, RecordPage};

use crate::fragments::facts::{facts, kind_badge};
use crate::fragments::html::Html;
use crate::query::Route;
use crate::state::controls::added;
use crate::state::format;
use crate::state::matrix::Half;

/// Badges, the pair, and the prompt as the agent reads it.
pub fn head(entry: &RecordEntry, twin: Option<&RecordEntry>) -> String {
    let mut html = Html::new();
    html.open("div", &[("class", "badges")]);
    if entry.arm.is_some() {
        let arm = match Half::of(entry) {
            Half::Questions => "question: expand",
            Half::Compliance => "control: exact",
        };
        html.leaf("span", &[("class", "badge arm")], arm);
    }
    for tag in &entry.tags {
        html.leaf("span", &[("class", "badge tag")], tag);
    }
    if let Some(twin) = twin {
        let route = Route::record(&twin.id);
        html.open("span", &[("class", "hint")])
            .text("its pair: ")
            .leaf("a", &[("href", &route.href())], &twin.id)
            .end();
    }
    html.end();
    match &entry.summary {
        Some(summary) => prompt(
            &mut html,
            summary,
            twin.and_then(|twin| twin.summary.as_deref()),
        ),
        None => {
            html.leaf("p", &[("class", "empty")], "This record has no prompt.");
        }
    }
    html.finish()
}

/// What the prompt says beyond its twin is marked: in the `exact` arm, the one sentence.
fn prompt(html: &mut Html, summary: &str, twin: Option<&str>) {
    let (before, extra, after) = added(summary, twin.unwrap_or(summary));
    html.open("blockquote", &[("class", "prompt")])
        .open("p", &[]);
    html.text(before);
    if !extra.is_empty() {
        html.leaf("mark", &[], extra);
    }
    html.text(after).end().end();
}

/// What keeps the record from being asked; nothing where nothing does. The lint says the rest.
pub fn problems(page: &RecordPage) -> String {
    let mut html = Html::new();
    if page.entry.errors > 0 {
        html.open("div", &[("class", "problem")])
            .leaf("h2", &[], "Problems of the record")
            .open("ul", &[]);
        for problem in &page.problems {
            let place = format!(
                "{}, line {}, column {}: {}",
                page.file, problem.line, problem.column, problem.message
            );
            html.leaf("li", &[], &place);
        }
    }
    html.finish()
}

/// Where, when and on what the key was run.
pub fn provenance(key: &KeyEntry) -> String {
    let mut html = Html::new();
    let provenance = &key.provenance;
    html.open("p", &[("class", "after-table")]);
    kind_badge(&mut html, provenance.kind);
    html.end();
    facts(
        &mut html,
        &[
            ("Server", &provenance.server),
            ("Endpoint", &provenance.endpoint),
            (
                "Release",
                provenance.release.as_deref().unwrap_or("not stated"),
            ),
            ("Run on", &format::day(&key.date)),
            ("Took", &format::duration(key.ms)),
            ("Content hash", &format::short_hash(&key.hash)),
        ],
    );
    html.finish()
}
