//! The first page: how the agents did, and what the expansion is worth.

use std::sync::Arc;

use leptos::prelude::*;
use sweep::{BundleIndex, RecordEntry, RecordPage};

use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::context::Bundle;
use crate::fragments;
use crate::fragments::html::Html;
use crate::load::{self, Loaded};
use crate::query::Route;
use crate::state::matrix::{Half, Matrix};
use crate::state::{controls, format};

/// The first page.
#[component]
pub fn Overview() -> impl IntoView {
    let bundle = Bundle::from_context();
    view! {
        <div class="page-head">
            <h1 tabindex="-1">"Does an agent expand a term unprompted, and obey when told not to?"</h1>
            <p class="lede">
                "A scientist asks about a category, such as cardiovascular disease; the data are tagged at specific conditions. The question is right only through the ontology. Its twin adds one sentence, use the term exactly as given, and is right only without."
            </p>
            <div inner_html=move || facts(bundle.ready().as_deref())></div>
        </div>
        {move || match bundle.ready() {
            Some(index) => results(&index),
            None => fragment("<span class=\"skeleton\" style=\"height:70rem\"></span>".to_owned()),
        }}
    }
}

/// The bundle in figures; dashes keep their places while it loads.
fn facts(index: Option<&BundleIndex>) -> String {
    let text = |text: fn(&BundleIndex) -> String| index.map_or_else(|| "–".to_owned(), text);
    let facts = [
        ("Records", text(|index| format::count(index.records.len()))),
        ("Agents", text(|index| format::count(index.agents.len()))),
        (
            "Attempts",
            text(|index| {
                format::count(
                    index
                        .cells
                        .iter()
                        .map(|cell| cell.tally.asked as usize)
                        .sum(),
                )
            }),
        ),
        ("Endpoint", text(|index| index.provenance.endpoint.clone())),
        (
            "Release",
            text(|index| {
                index
                    .provenance
                    .release
                    .clone()
                    .unwrap_or_else(|| "not stated".to_owned())
            }),
        ),
        ("Published", text(|index| format::day(&index.created))),
    ];
    let facts: Vec<(&str, &str)> = facts
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut html = Html::new();
    fragments::facts::facts(&mut html, &facts);
    html.finish()
}

fn results(index: &BundleIndex) -> AnyView {
    let half = |half| fragments::matrix::matrix(&Matrix::of(index, half), half);
    let head = |id: &str, title: &str, note: &str| {
        let mut html = Html::new();
        html.leaf("h2", &[("id", id)], title)
            .leaf("p", &[("class", "note")], note);
        html.finish()
    };
    let questions = head(
        "questions",
        "Questions",
        "Mean f1 over whole rows, from 0 to 1, and how the attempts ended. Attempts lost to the infrastructure stand in no mean.",
    ) + &half(Half::Questions);
    let compliance = head(
        "compliance",
        "Compliance",
        "Told to use the term exactly as given, did the agent? Most of these keys are empty, so silence would score 1.00: here it counts as unproven.",
    ) + &half(Half::Compliance);
    let worth = head(
        "worth",
        "What the expansion is worth",
        "One bar for each row of a key, in the key's order. Below it, the same query with the term used literally (A) or with a test on names in place of the hierarchy (B).",
    ) + &fragments::strip::legend();
    let cards: Vec<_> = index
        .records
        .iter()
        .filter(|record| record.arm.is_some() && Half::of(record) == Half::Questions)
        .cloned()
        .map(|entry| view! { <Worth entry /> })
        .collect();
    view! {
        <section class="section" aria-labelledby="questions" inner_html=questions></section>
        <section class="section" aria-labelledby="compliance" inner_html=compliance></section>
        <section class="section" aria-labelledby="worth">
            {fragment(worth)}
            <div class="worth-grid">{cards}</div>
        </section>
    }
    .into_any()
}

/// One question's key and controls, as strips.
#[component]
fn Worth(entry: RecordEntry) -> impl IntoView {
    let page = load::watch_json::<RecordPage>(Signal::stored(Some(load::record_path(&entry.id))));
    let mut head = Html::new();
    let route = Route::record(&entry.id);
    let title = entry.tier.as_deref().unwrap_or(&entry.id);
    head.open("h3", &[])
        .leaf("a", &[("href", &route.href())], title)
        .leaf("span", &[("class", "quiet after")], &entry.tags.join(" × "));
    view! {
        <article class="panel worth" class:pending=move || page.get() == Loaded::Loading>
            {fragment(head.finish())}
            {move || match page.get() {
                Loaded::Loading => ().into_any(),
                Loaded::Failed(error) => load_problem(&error),
                Loaded::Ready(page) => fragment(strips(&page)),
            }}
        </article>
    }
}

fn strips(page: &Arc<RecordPage>) -> String {
    fragments::strip::strips(&controls::strips(page))
}
