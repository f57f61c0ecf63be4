//! The files to be scored, and which of them is looked at.

use leptos::prelude::*;

use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::state::format;
use crate::state::submission::{Progress, Submission};

/// One line a file: its record, its score, and a way to look closer.
#[component]
pub fn FileList(
    /// The files.
    files: RwSignal<Vec<Submission>>,
    /// Identifiers of all records.
    ids: Signal<Vec<String>>,
    /// Number of the file that is looked at.
    selected: RwSignal<Option<usize>>,
    /// Called with a file's number and the record that the reader chose.
    on_record: Callback<(usize, Option<String>)>,
    /// Called with the number of a file to be taken off the list.
    on_remove: Callback<usize>,
) -> impl IntoView {
    let numbers = Memo::new(move |_| files.with(|files| files.iter().map(|file| file.number).collect::<Vec<_>>()));
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Files">
            <table class="file-table">
                <caption>
                    <strong>"Files"</strong>
                    ", with the record that each answers"
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"Record"</th>
                        <th scope="col">"Score"</th>
                        <th scope="col">
                            <span class="visually-hidden">"Actions"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>
                    <For each=move || numbers.get() key=|number| *number let:number>
                        <Line number files ids selected on_record on_remove />
                    </For>
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn Line(
    number: usize,
    files: RwSignal<Vec<Submission>>,
    ids: Signal<Vec<String>>,
    selected: RwSignal<Option<usize>>,
    on_record: Callback<(usize, Option<String>)>,
    on_remove: Callback<usize>,
) -> impl IntoView {
    let with = move |read: fn(&Submission) -> String| {
        files.with(|files| {
            files
                .iter()
                .find(|file| file.number == number)
                .map(read)
                .unwrap_or_default()
        })
    };
    let path = with(|file| file.path.clone());
    let size = with(|file| format::bytes(file.bytes.len()));
    let because = move || with(|file| file.because.map(|because| because.words().to_owned()).unwrap_or_default());
    let record = Memo::new(move |_| with(|file| file.record.clone().unwrap_or_default()));
    let options = move || {
        ids.get()
            .into_iter()
            .map(|id| {
                let here = id.clone();
                view! {
                    <option value=id.clone() prop:selected=move || record.get() == here>
                        {id.clone()}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    let choose = move |event| {
        let id = event_target_value(&event);
        on_record.run((number, (!id.is_empty()).then_some(id)));
    };
    let progress = move || {
        files.with(|files| {
            files
                .iter()
                .find(|file| file.number == number)
                .map(|file| progress_html(&file.progress))
                .unwrap_or_default()
        })
    };
    let is_selected = move || selected.get() == Some(number);
    view! {
        <tr>
            <th scope="row">
                {path.clone()}
                <div class="quiet" style="font-weight:400">
                    {size}
                </div>
            </th>
            <td>
                <select aria-label=format!("Record of {path}") on:change=choose>
                    <option value="" prop:selected=move || record.get().is_empty()>
                        "choose…"
                    </option>
                    {options}
                </select>
                <div class="hint">{because}</div>
            </td>
            <td inner_html=progress></td>
            <td>
                <div class="actions">
                    <button
                        type="button"
                        class="small"
                        aria-pressed=move || is_selected().to_string()
                        aria-label=format!("Details of {path}")
                        on:click=move |_| selected.set(Some(number))
                    >
                        "Details"
                    </button>
                    <button
                        type="button"
                        class="small plain"
                        aria-label=format!("Remove {path}")
                        on:click=move |_| on_remove.run(number)
                    >
                        "Remove"
                    </button>
                </div>
            </td>
        </tr>
    }
}

fn progress_html(progress: &Progress) -> String {
    let mut html = Html::new();
    match progress {
        Progress::NeedsRecord => {
            html.leaf("span", &[("class", "quiet")], "choose a record");
        }
        Progress::Waiting | Progress::Scoring => {
            html.open("span", &[("class", "status")])
                .leaf("span", &[("class", "spinner"), ("aria-hidden", "true")], "")
                .text("scoring");
        }
        Progress::Scored { score, .. } if score.exact => {
            let word = match score.ordered {
                Some(true) => "exact, ordered",
                Some(false) => "exact, another order",
                None => "exact",
            };
            fate(&mut html, "exact", word);
        }
        Progress::Scored { score, .. } => {
            let rows = format!("{} of {} rows", score.matched_rows, score.key_rows);
            html.leaf("strong", &[], &format!("f1 {}", format::score(score.f1)))
                .leaf("div", &[("class", "quiet")], &rows);
        }
        Progress::Failed { message, .. } => fate(&mut html, "disobeyed", &format::first_line(message, 60)),
    }
    html.finish()
}
