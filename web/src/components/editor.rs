//! A text area for SPARQL, with its parts in colour.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::fragments::html::Html;
use crate::fragments::sparql::coloured;

/// Above this many bytes the colouring is left out: it is redone at every keystroke.
const COLOURED_UP_TO: usize = 40_000;

/// A text area over its own coloured copy.
#[component]
pub fn Editor(
    /// The text.
    text: Signal<String>,
    /// Called at every change.
    on_input: Callback<String>,
    /// Called for Ctrl+Enter.
    on_run: Callback<()>,
) -> impl IntoView {
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            on_run.run(());
        }
    };
    let copy = move || {
        text.with(|text| {
            // A last empty line has no height of its own.
            let shown = format!("{text}\n");
            let mut html = Html::new();
            if text.len() > COLOURED_UP_TO {
                html.text(&shown);
            } else {
                coloured(&mut html, &shown);
            }
            html.finish()
        })
    };
    view! {
        <div class="editor">
            <pre aria-hidden="true" inner_html=copy></pre>
            <textarea
                id="sparql"
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                aria-describedby="sparql-hint"
                prop:value=move || text.get()
                on:input=move |event| on_input.run(event_target_value(&event))
                on:keydown=keys
            ></textarea>
        </div>
    }
}
