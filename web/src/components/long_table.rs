//! A table that is drawn a piece at a time, in a region that scrolls by itself.

use leptos::prelude::*;

use crate::state::format;

/// Rows that are drawn at first, and added by each press of the button.
const STEP: usize = 100;

/// A table of which more can be shown.
#[component]
pub fn LongTable(
    /// What the region is called.
    label: String,
    /// How many rows there are.
    rows: Signal<usize>,
    /// The inside of the table element for so many rows.
    inside: Callback<usize, String>,
) -> impl IntoView {
    let shown = RwSignal::new(STEP);
    let rest = move || rows.get().saturating_sub(shown.get());
    view! {
        <div class="scroll tall" tabindex="0" role="region" aria-label=label>
            <table inner_html=move || inside.run(shown.get())></table>
            <div class="more" hidden=move || rest() == 0>
                <button type="button" class="small" on:click=move |_| shown.update(|shown| *shown += STEP)>
                    {move || format!("Show {} more of {}", STEP.min(rest()), format::count(rest()))}
                </button>
            </div>
        </div>
    }
}
