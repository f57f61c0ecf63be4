//! Where the query in the editor comes from.

use leptos::prelude::*;
use sweep::RecordPage;

use crate::context::Bundle;
use crate::load::Loaded;
use crate::query::Source;

/// A record and which of its queries, or the reader's own.
#[component]
pub fn QuerySource(
    /// The choice that holds.
    source: Signal<Source>,
    /// The chosen record, which knows its controls.
    page: ReadSignal<Loaded<RecordPage>>,
    /// Called with another choice.
    on_choose: Callback<Source>,
) -> impl IntoView {
    let bundle = Bundle::from_context();
    let record = Memo::new(move |_| match source.get() {
        Source::Key { id } | Source::Control { id, .. } => Some(id),
        Source::Own { .. } => None,
    });
    let control = Memo::new(move |_| match source.get() {
        Source::Control { name, .. } => Some(name),
        _ => None,
    });
    let choose_record = move |event| {
        let id = event_target_value(&event);
        on_choose.run(if id.is_empty() {
            Source::Own {
                sparql: String::new(),
            }
        } else {
            Source::Key { id }
        });
    };
    let choose_query = move |event| {
        let Some(id) = record.get_untracked() else { return };
        let name = event_target_value(&event);
        on_choose.run(if name.is_empty() {
            Source::Key { id }
        } else {
            Source::Control { id, name }
        });
    };
    let records = move || {
        bundle
            .ready()
            .map(|index| {
                index
                    .records
                    .iter()
                    .map(|entry| {
                        let id = entry.id.clone();
                        let here = id.clone();
                        view! {
                            <option value=id.clone() prop:selected=move || record.get().as_ref() == Some(&here)>
                                {id.clone()}
                            </option>
                        }
                    })
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default()
    };
    let controls = move || {
        page.get()
            .ready()
            .filter(|page| record.get().as_ref() == Some(&page.entry.id))
            .map(|page| {
                page.controls
                    .iter()
                    .map(|entry| {
                        let name = entry.name.clone();
                        let here = name.clone();
                        view! {
                            <option value=name.clone() prop:selected=move || control.get().as_ref() == Some(&here)>
                                {format!("control {}", entry.name)}
                            </option>
                        }
                    })
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default()
    };
    view! {
        <div class="columns two" style="margin-bottom:1rem">
            <div class="field">
                <label for="query-record">"Take the query from"</label>
                <select id="query-record" on:change=choose_record>
                    <option value="" prop:selected=move || record.get().is_none()>
                        "nowhere: write my own"
                    </option>
                    {records}
                </select>
            </div>
            <div class="field">
                <label for="query-which">"Which of its queries"</label>
                <select id="query-which" disabled=move || record.get().is_none() on:change=choose_query>
                    <option value="" prop:selected=move || control.get().is_none()>
                        "the answer key"
                    </option>
                    {controls}
                </select>
            </div>
        </div>
    }
}
