//! A button that puts a text on the clipboard.

use leptos::prelude::*;

use crate::browser;
use crate::context::Announcer;

/// A button that puts a text on the clipboard and says so.
#[component]
pub fn CopyButton(
    /// What to copy.
    text: String,
    /// What is copied, to follow "Copy".
    what: &'static str,
) -> impl IntoView {
    let announcer = Announcer::from_context();
    let copied = RwSignal::new(false);
    let copy = move |_| {
        browser::copy(&text);
        copied.set(true);
        announcer.say(format!("{what} copied"));
        set_timeout(
            move || {
                copied.try_set(false);
            },
            std::time::Duration::from_secs(2),
        );
    };
    view! {
        <button type="button" class="small" on:click=copy>
            {move || if copied.get() { format!("Copied {what}") } else { format!("Copy {what}") }}
        </button>
    }
}
