//! Who answers a query.

use leptos::prelude::*;

use crate::endpoint::FEDERATION;
use crate::query::Endpoint;
use crate::state::command::is_web_address;

/// The embedded engine, the live federation, or another endpoint by its address.
#[component]
pub fn EndpointChoice(
    /// The choice that holds.
    chosen: Signal<Endpoint>,
    /// Called with another choice.
    on_choose: Callback<Endpoint>,
) -> impl IntoView {
    // What stands in the field while another choice holds.
    let typed = RwSignal::new(match chosen.get_untracked() {
        Endpoint::Url(url) if url != FEDERATION => url,
        _ => String::new(),
    });
    let is_preset =
        move || chosen.with(|chosen| matches!(chosen, Endpoint::Url(url) if url == FEDERATION));
    let is_other =
        move || chosen.with(|chosen| matches!(chosen, Endpoint::Url(url) if url != FEDERATION));
    let bad = move || is_other() && !is_web_address(&typed.get());
    let input = move |event| {
        typed.set(event_target_value(&event).trim().to_owned());
        on_choose.run(Endpoint::Url(typed.get_untracked()));
    };
    view! {
        <fieldset>
            <legend>"Ask"</legend>
            <div class="choice">
                <input
                    type="radio"
                    name="endpoint"
                    id="ask-embedded"
                    aria-describedby="ask-embedded-hint"
                    prop:checked=move || chosen.get() == Endpoint::Embedded
                    on:change=move |_| on_choose.run(Endpoint::Embedded)
                />
                <label for="ask-embedded">"The engine in this page"</label>
                <span class="hint" id="ask-embedded-hint">
                    "the embedded federation, a reconstruction; loads on first use"
                </span>
            </div>
            <div class="choice">
                <input
                    type="radio"
                    name="endpoint"
                    id="ask-live"
                    aria-describedby="ask-live-hint"
                    prop:checked=is_preset
                    on:change=move |_| on_choose.run(Endpoint::Url(FEDERATION.to_owned()))
                />
                <label for="ask-live">"The live federation"</label>
                <span class="hint mono" id="ask-live-hint">
                    {FEDERATION}
                </span>
            </div>
            <div class="choice">
                <input
                    type="radio"
                    name="endpoint"
                    id="ask-other"
                    prop:checked=is_other
                    on:change=move |_| on_choose.run(Endpoint::Url(typed.get_untracked()))
                />
                <label for="ask-other">"Another SPARQL endpoint"</label>
                <div class="field">
                    <input
                        type="url"
                        aria-label="Address of the endpoint"
                        placeholder="https://example.org/sparql"
                        spellcheck="false"
                        autocomplete="off"
                        prop:value=move || typed.get()
                        aria-invalid=move || bad().to_string()
                        on:input=input
                    />
                    <span class="hint">
                        {move || if bad() { "an address begins with https:// or http://" } else { "" }}
                    </span>
                </div>
            </div>
            <p class="hint" style="margin:.5rem 0 0">
                "An endpoint is contacted only when you press Run, and is sent nothing but the query."
            </p>
        </fieldset>
    }
}
