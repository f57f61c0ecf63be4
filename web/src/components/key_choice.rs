//! Which rows a submission is compared with.

use leptos::prelude::*;
use sweep::BundleIndex;

use crate::query::KeySource;
use crate::state::format;

/// The stored rows, or the same key run now.
#[component]
pub fn KeyChoice(
    /// The choice that holds.
    chosen: Signal<KeySource>,
    /// Called with another choice.
    on_choose: Callback<KeySource>,
    /// Where the stored rows come from.
    #[prop(into)]
    index: Signal<Option<std::sync::Arc<BundleIndex>>>,
) -> impl IntoView {
    let stored = move || {
        index.get().map_or_else(
            || "the rows published with this site".to_owned(),
            |index| {
                let provenance = &index.provenance;
                let release = provenance
                    .release
                    .as_ref()
                    .map(|release| format!(", release {release}"))
                    .unwrap_or_default();
                format!(
                    "{} at {}{release}, published {}; each score names its rows by date and hash",
                    provenance.server,
                    provenance.endpoint,
                    format::day(&index.created)
                )
            },
        )
    };
    let choice = move |this: KeySource, id: &'static str| {
        view! {
            <input
                type="radio"
                name="key-source"
                id=id
                aria-describedby=format!("{id}-hint")
                prop:checked=move || chosen.get() == this
                on:change=move |_| on_choose.run(this)
            />
        }
    };
    view! {
        <fieldset>
            <legend>"Compare with"</legend>
            <div class="choice">
                {choice(KeySource::Stored, "key-stored")}
                <label for="key-stored">"The stored rows"</label>
                <span class="hint" id="key-stored-hint">
                    {stored}
                </span>
            </div>
            <div class="choice">
                {choice(KeySource::Engine, "key-engine")}
                <label for="key-engine">"The same key, run now in this page"</label>
                <span class="hint" id="key-engine-hint">
                    "on the embedded federation (a reconstruction); loads the query engine"
                </span>
            </div>
        </fieldset>
    }
}
