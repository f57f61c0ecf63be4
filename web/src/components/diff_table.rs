//! The row diff of a score: the key beside the answer.

use leptos::prelude::*;
use score::Score;

use crate::components::fragment::fragment;
use crate::components::long_table::LongTable;
use crate::fragments;
use crate::state::diff::{DiffView, KINDS, Show as Choice, kind_name};
use crate::state::format;

/// A score's rows, with a choice of which to show.
#[component]
pub fn DiffTable(
    /// The score.
    score: StoredValue<Score>,
    /// What the table is, for its caption and its region.
    label: String,
) -> impl IntoView {
    let diff = StoredValue::new(score.with_value(DiffView::of));
    let choices = diff.with_value(|diff| choices(diff.counts));
    if choices.is_empty() {
        return fragment(
            "<p class=\"empty\">Neither table has a row, so there is nothing to compare.</p>"
                .to_owned(),
        );
    }
    let choice = RwSignal::new(Choice::All);
    let rows = Signal::derive(move || diff.with_value(|diff| diff.shown(choice.get()).count()));
    let caption = label.clone();
    let inside = Callback::new(move |shown| {
        diff.with_value(|diff| fragments::diff::diff(diff, &caption, choice.get(), shown))
    });
    let buttons: Vec<_> = choices
        .into_iter()
        .map(|(name, this)| {
            view! {
                <button
                    type="button"
                    aria-pressed=move || (choice.get() == this).to_string()
                    on:click=move |_| choice.set(this)
                >
                    {name}
                </button>
            }
        })
        .collect();
    view! {
        <div class="stack">
            <div class="segments" role="group" aria-label="Rows to show">
                {buttons}
            </div>
            <LongTable label rows inside />
        </div>
    }
    .into_any()
}

/// The choices that make a difference, with how many rows each shows.
fn choices(counts: [usize; 4]) -> Vec<(String, Choice)> {
    let all: usize = counts.iter().sum();
    let different = all - counts[0];
    let mut choices = vec![("All", all, Choice::All)];
    if different > 0 && different < all {
        choices.push(("Differences", different, Choice::Differences));
    }
    choices.extend(
        KINDS
            .into_iter()
            .zip(counts)
            .map(|(kind, count)| (kind_name(kind), count, Choice::Only(kind))),
    );
    choices
        .into_iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(name, count, choice)| (format!("{name} {}", format::count(count)), choice))
        .collect()
}
