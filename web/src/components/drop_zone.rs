//! Choosing files, or dropping them.

use leptos::ev::{DragEvent, Event};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;

use crate::files::{self, Given};

/// File choosers in a field that takes drops as well.
#[component]
pub fn DropZone(
    /// What to drop.
    title: &'static str,
    /// Endings and types of files, as a file chooser takes them.
    accept: &'static str,
    /// Whether folders are of use as well.
    #[prop(optional)]
    folders: bool,
    /// Called with all files of one choice, once they are read.
    on_files: Callback<Vec<Given>>,
    /// What becomes of the files.
    children: Children,
) -> impl IntoView {
    let over = RwSignal::new(false);
    let hover = move |event: DragEvent| {
        event.prevent_default();
        over.set(true);
    };
    let drop = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        if let Some(transfer) = event.data_transfer() {
            let dropped = files::take_dropped(&transfer);
            spawn_local(async move { on_files.run(dropped.read().await) });
        }
    };
    let choose = move |event: Event| {
        let input = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(input) = input
            && let Some(list) = input.files()
        {
            spawn_local(async move {
                on_files.run(files::chosen(&list).await);
                // The same file, edited, can be chosen again.
                input.set_value("");
            });
        }
    };
    view! {
        <div
            class="drop"
            class:over=move || over.get()
            on:dragover=hover
            on:dragleave=move |_| over.set(false)
            on:drop=drop
        >
            <p>
                <strong>{title}</strong>
            </p>
            <div class="actions">
                <label class="button" for="files">
                    "Choose files"
                    <input type="file" id="files" multiple accept=accept on:change=choose />
                </label>
                {folders
                    .then(|| {
                        view! {
                            <label class="button" for="folder">
                                "Choose a folder"
                                <input type="file" id="folder" multiple prop:webkitdirectory=true on:change=choose />
                            </label>
                        }
                    })}
            </div>
            <p class="hint">{children()}</p>
        </div>
    }
}
