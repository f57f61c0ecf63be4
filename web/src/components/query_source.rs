//! Where the query in the editor comes from.

use leptos::prelude::*;
use sweep::RecordPage;

use crate::components::record_picker::RecordPicker;
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
    let record = Memo::new(move |_| match source.get() {
        Source::Key { id } | Source::Control { id, .. } => Some(id),
        Source::Own { .. } => None,
    });
    let control = Memo::new(move |_| match source.get() {
        Source::Control { name, .. } => Some(name),
        _ => None,
    });
    let choose_record = Callback::new(move |id: Option<String>| {
        on_choose.run(match id {
            Some(id) => Source::Key { id },
            None => Source::Own {
                sparql: String::new(),
            },
        });
    });
    let choose_query = move |event| {
        let Some(id) = record.get_untracked() else {
            return;
        };
        let name = event_target_value(&event);
        on_choose.run(if name.is_empty() {
            Source::Key { id }
        } else {
            Source::Control { id, name }
        });
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
                <RecordPicker
                    id="query-record"
                    chosen=record
                    none="nowhere: write my own"
                    on_choose=choose_record
                />
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
