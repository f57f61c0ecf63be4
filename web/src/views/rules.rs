//! What the lint looks for, rule by rule.

use leptos::prelude::*;

use crate::browser;
use crate::components::drawn::drawn;
use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::context::Bundle;
use crate::fragments;
use crate::load::Loaded;
use crate::navigate::Navigator;
use crate::query::Route;
use crate::tables::Drawing;

/// Every rule, with its examples; the one that the address names is shown and focused.
#[component]
pub fn Rules() -> impl IntoView {
    let bundle = Bundle::from_context();
    let route = Navigator::from_context().route();
    let rule = Memo::new(move |_| match route.get() {
        Route::Rules { rule } => rule,
        _ => None,
    });
    let path = Signal::derive(move || bundle.ready()?.rules.clone());
    let rules = drawn(Drawing::Rules, path, rule);
    Effect::new(move |_| {
        let is_there = matches!(rules.get(), Loaded::Ready(_));
        if let Some(rule) = rule.get().filter(|_| is_there) {
            let id = fragments::rule_id(&rule);
            request_animation_frame(move || browser::focus(&format!("#{id}")));
        }
    });
    let is_missing = move || bundle.ready().is_some_and(|index| index.rules.is_none());
    view! {
        <div class="page-head">
            <h1 tabindex="-1">"What the lint looks for"</h1>
            <p class="lede">
                "A record is fair if a right answer to its prose is a right answer to its key. These rules find where the two part, by the key’s algebra and the words of the prose."
            </p>
        </div>
        {move || match rules.get() {
            _ if is_missing() => fragment("<p class=\"empty\">This site was published without the rules.</p>".to_owned()),
            Loaded::Loading => fragment("<span class=\"skeleton\" style=\"height:70rem\"></span>".to_owned()),
            Loaded::Failed(error) => load_problem(&error),
            Loaded::Ready(drawn) => fragment(drawn.parts.concat()),
        }}
    }
}
