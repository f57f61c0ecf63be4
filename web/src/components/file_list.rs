//! The files to be scored, and which of them is looked at.

use leptos::prelude::*;

use crate::components::record_picker::RecordPicker;
use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::rescoring::Rescoring;
use crate::state::format;
use crate::state::guess::Because;
use crate::state::submission::{Progress, Submission};

/// One line a file: its record, its score, and a way to look closer.
#[component]
pub fn FileList(
    /// The files and the work on them.
    rescoring: Rescoring,
) -> impl IntoView {
    let numbers = Memo::new(move |_| {
        let files = rescoring.files;
        files.with(|files| files.iter().map(|file| file.number).collect::<Vec<_>>())
    });
    // Drawn anew only when a file comes or goes; what becomes of a file changes within its line.
    let lines = move || {
        numbers
            .get()
            .into_iter()
            .map(|number| view! { <Line rescoring number /> })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Files">
            <table class="file-table">
                <caption>
                    <strong>"Files"</strong>
                    ", with the record that each answers"
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"file"</th>
                        <th scope="col">"record"</th>
                        <th scope="col">"score"</th>
                        <th scope="col">
                            <span class="visually-hidden">"actions"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>
                    {lines}
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn Line(rescoring: Rescoring, number: usize) -> impl IntoView {
    let read = move |read: fn(&Submission) -> String| {
        rescoring.files.with(|files| {
            let file = files.iter().find(|file| file.number == number);
            file.map(read).unwrap_or_default()
        })
    };
    let path = read(|file| file.path.clone());
    let size = read(|file| format::bytes(file.bytes.len() as u64));
    let because = move || read(|file| file.because.map_or("", Because::words).to_owned());
    let progress = move || read(|file| progress_html(&file.progress));
    let record = Memo::new(move |_| {
        let record = read(|file| file.record.clone().unwrap_or_default());
        (!record.is_empty()).then_some(record)
    });
    let on_record = Callback::new(move |record| rescoring.choose(number, record));
    let is_selected = move || rescoring.selected.get() == Some(number);
    view! {
        <tr>
            <th scope="row">
                {path.clone()}
                <div class="quiet">{size}</div>
            </th>
            <td>
                <RecordPicker label=format!("Record of {path}") chosen=record none="choose…" on_choose=on_record />
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
                        on:click=move |_| rescoring.selected.set(Some(number))
                    >
                        "Details"
                    </button>
                    <button
                        type="button"
                        class="small plain"
                        aria-label=format!("Remove {path}")
                        on:click=move |_| rescoring.remove(number)
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
        Progress::Failed { message, .. } => {
            fate(&mut html, "disobeyed", &format::first_line(message, 60));
        }
    }
    html.finish()
}
