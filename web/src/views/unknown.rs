//! An address that leads nowhere.

use leptos::prelude::*;

/// Says that there is no such view, and where to go on.
#[component]
pub fn Unknown(
    /// What the address asked for.
    view: String,
) -> impl IntoView {
    view! {
        <h1 tabindex="-1">"No such page"</h1>
        <p class="lede">
            {format!("This site has no view called {view:?}; the address may be from another version. ")}
            <a href=".">"Go to the overview"</a>
        </p>
    }
}
