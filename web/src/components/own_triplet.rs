//! A triplet of the reader's own, scored as one types.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::drawn::{drawn_of, part};
use crate::load::Loaded;
use crate::navigate::Navigator;
use crate::query::{Browse, Route};
use crate::state::triplets::Typed;
use crate::tables::Drawing;

/// What stands in the fields at first: a published shape, with words of our own.
const EXAMPLE: [&str; 3] = [
    "A heart valve is part of a heart.",
    "Hearts contain heart valves as parts.",
    "A heart is part of a heart valve.",
];

const FIELDS: [(&str, &str); 3] = [
    ("own-anchor", "Anchor"),
    ("own-positive", "Positive"),
    ("own-negative", "Negative"),
];

/// Three fields, and their scores below.
#[component]
pub fn OwnTriplet() -> impl IntoView {
    let navigator = Navigator::from_context();
    let browse = Memo::new(move |_| match navigator.route().get() {
        Route::Triplets(browse) => browse,
        _ => Browse::default(),
    });
    let texts = RwSignal::new(EXAMPLE.map(str::to_owned));
    // Kept apart from the address, in which a text that was emptied cannot be told from none.
    Effect::new(move |_| {
        let own = browse.with(|browse| browse.own.clone());
        if own.iter().any(Option::is_some) {
            let own = own.map(Option::unwrap_or_default);
            if texts.with_untracked(|texts| *texts != own) {
                texts.set(own);
            }
        }
    });
    let is_processed = RwSignal::new(false);
    let text = Signal::derive(move || {
        let typed = Typed {
            texts: texts.get(),
            is_processed: is_processed.get(),
        };
        Loaded::Ready(Arc::new(serde_json::to_string(&typed).unwrap_or_default()))
    });
    let scores = drawn_of(
        Drawing::Lexical,
        Signal::stored(None),
        text,
        Memo::new(|_| None),
    );
    let drawn = part(scores, 0);
    let fields: Vec<_> = FIELDS
        .into_iter()
        .enumerate()
        .map(|(at, (id, label))| {
            let value = move || texts.with(|texts| texts[at].clone());
            let typed = move |event| {
                let mut own = texts.get_untracked();
                own[at] = event_target_value(&event);
                texts.set(own.clone());
                navigator.replace(Route::Triplets(Browse {
                    own: own.map(|text| Some(text).filter(|text| !text.is_empty())),
                    ..browse.get_untracked()
                }));
            };
            view! {
                <div class="field">
                    <label for=id>{label}</label>
                    <textarea id=id rows="2" prop:value=value on:input=typed></textarea>
                </div>
            }
        })
        .collect();
    view! {
        <section class="section" aria-labelledby="typed-title">
            <h2 id="typed-title">"Scores as you type"</h2>
            <div class="panel own-triplet">
                <div class="own-fields">{fields}</div>
                <label class="tick">
                    <input
                        type="checkbox"
                        id="processed"
                        prop:checked=move || is_processed.get()
                        on:change=move |event| is_processed.set(event_target_checked(&event))
                    />
                    "Compare in lower case and without punctuation, as RapidFuzz’s default_process does; the published scores do not"
                </label>
                <div id="own-scores" inner_html=move || drawn.get()></div>
            </div>
        </section>
    }
}
