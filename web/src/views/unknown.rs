//! An address that leads nowhere.

use leptos::prelude::*;

/// Says that there is no such view, and where to go on.
pub fn unknown(view: &str) -> AnyView {
    view! {
        <h1 tabindex="-1">"No such page"</h1>
        <p class="lede">
            {format!("This site has no view called {view:?}; the address may be from another version. ")}
            <a href=".">"Go to the overview"</a>
        </p>
    }
    .into_any()
}
