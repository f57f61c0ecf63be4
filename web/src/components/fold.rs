//! A fold whose state is the address's, with a body that is built when it opens.

use leptos::prelude::*;

/// One line that opens into more. The body is built anew each time that the fold opens.
#[component]
pub fn Fold(
    /// The line, as a fragment.
    line: String,
    /// Whether it stands open.
    open: Signal<bool>,
    /// Called with what the reader wants.
    on_toggle: Callback<bool>,
    /// What is below the line.
    body: Callback<(), AnyView>,
) -> impl IntoView {
    // What opens or closes elsewhere leaves this body alone.
    let is_open = Memo::new(move |_| open.get());
    let toggle = move |event: leptos::ev::MouseEvent| {
        // The address decides what is open; the browser's own toggling would run against it.
        event.prevent_default();
        on_toggle.run(!is_open.get_untracked());
    };
    view! {
        <details class="fold" open=move || is_open.get()>
            <summary on:click=toggle inner_html=line></summary>
            <div class="fold-body">{move || is_open.get().then(|| body.run(()))}</div>
        </details>
    }
}
