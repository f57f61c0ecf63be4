//! A choice of one value, or of all.

use leptos::prelude::*;

/// A labelled list of values and `all`.
#[component]
pub fn Choice(
    /// The element's identifier.
    id: &'static str,
    /// Its label.
    label: &'static str,
    /// The values.
    options: Signal<Vec<String>>,
    /// The one that holds.
    chosen: Signal<Option<String>>,
    /// What no value is called; without it there must be one.
    #[prop(default = Some("all"))]
    none: Option<&'static str>,
    /// Called with another choice.
    on_choose: Callback<Option<String>>,
) -> impl IntoView {
    let choose = move |event| {
        let value = event_target_value(&event);
        on_choose.run((!value.is_empty()).then_some(value));
    };
    // A drawing anew of the same values would close an open list.
    let options = Memo::new(move |_| options.get());
    let each = move || {
        options
            .get()
            .into_iter()
            .map(|value| {
                let this = value.clone();
                let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&this));
                view! {
                    <option value=value.clone() prop:selected=is_chosen>
                        {value.clone()}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <select id=id on:change=choose>
                {none
                    .map(|none| {
                        view! {
                            <option value="" prop:selected=move || chosen.with(Option::is_none)>
                                {none}
                            </option>
                        }
                    })}
                {each}
            </select>
        </div>
    }
}
