//! What the words and figures mean.

use leptos::prelude::*;

use crate::components::fragment::fragment;

/// Glossary: sources, outcomes, obedience, scores, controls.
#[component]
pub fn About() -> impl IntoView {
    view! {
        <h1 tabindex="-1">"What the words mean"</h1>
        {fragment(include_str!("about.html").to_owned())}
    }
}
