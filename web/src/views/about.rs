//! What the words and figures mean.

use leptos::prelude::*;

use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::load::{self, Loaded};

/// Where the site has the text, which no other page needs.
const TEXT: &str = "about.html";

/// Glossary: sources, outcomes, obedience, scores, controls.
#[component]
pub fn About() -> impl IntoView {
    let text = load::watch_text(Signal::stored(Some(TEXT.to_owned())));
    view! {
        <h1 tabindex="-1">"What the words mean"</h1>
        {move || match text.get() {
            Loaded::Ready(text) => fragment(text.to_string()),
            Loaded::Failed(error) => load_problem(&error),
            Loaded::Loading => {
                fragment("<span class=\"skeleton\" style=\"height:90rem\"></span>".to_owned())
            }
        }}
    }
}
