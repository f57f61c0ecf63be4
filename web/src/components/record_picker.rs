//! A list of all records to choose one from.

use leptos::prelude::*;

use crate::context::Bundle;

/// All records of the bundle, and one choice for none of them.
#[component]
pub fn RecordPicker(
    /// The element's identifier, for its label.
    #[prop(optional, into)]
    id: Option<String>,
    /// A name for screen readers, where there is no label.
    #[prop(optional, into)]
    label: Option<String>,
    /// The choice that holds.
    #[prop(into)]
    chosen: Signal<Option<String>>,
    /// What the choice of no record is called.
    none: &'static str,
    /// Called with another choice.
    on_choose: Callback<Option<String>>,
) -> impl IntoView {
    let bundle = Bundle::from_context();
    let options = move || {
        bundle
            .record_ids()
            .into_iter()
            .map(|id| {
                let here = id.clone();
                let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&here));
                view! {
                    <option value=id.clone() prop:selected=is_chosen>
                        {id.clone()}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    let choose = move |event| {
        let id = event_target_value(&event);
        on_choose.run((!id.is_empty()).then_some(id));
    };
    view! {
        <select id=id aria-label=label on:change=choose>
            <option value="" prop:selected=move || chosen.with(Option::is_none)>
                {none}
            </option>
            {options}
        </select>
    }
}
