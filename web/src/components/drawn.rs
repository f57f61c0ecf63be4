//! A file of the bundle that the tables worker draws: its types stay out of the page's module.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::load::{self, LoadError, Loaded};
use crate::tables::{Drawing, Drawn, Problem, Tables};

/// What is drawn of the file at `path`. Another choice keeps what is there until the new drawing is.
pub fn drawn(
    drawing: Drawing,
    path: Signal<Option<String>>,
    choice: Memo<Option<String>>,
) -> ReadSignal<Loaded<Drawn>> {
    drawn_of(drawing, path, load::watch_text(path), choice)
}

/// The same of a text that is loaded already.
pub fn drawn_of(
    drawing: Drawing,
    path: Signal<Option<String>>,
    text: ReadSignal<Loaded<String>>,
    choice: Memo<Option<String>>,
) -> ReadSignal<Loaded<Drawn>> {
    let tables = Tables::from_context();
    let (drawn, set_drawn) = signal(Loaded::Loading);
    let last = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let choice = choice.get();
        let text = match text.get() {
            Loaded::Loading => return,
            Loaded::Failed(error) => return set_drawn.set(Loaded::Failed(error)),
            Loaded::Ready(text) => text,
        };
        last.update_value(|last| *last += 1);
        let this = last.get_value();
        let path = path.get_untracked().unwrap_or_default();
        spawn_local(async move {
            let result = tables.draw(drawing, String::clone(&text), choice).await;
            // The view may be gone, or the reader may have chosen again meanwhile.
            if last.try_get_value() == Some(this) {
                set_drawn.try_set(match result {
                    Ok(drawn) => Loaded::Ready(Arc::new(drawn)),
                    Err(problem) => Loaded::Failed(Arc::new(of_problem(path, problem))),
                });
            }
        });
    });
    drawn
}

/// What the file itself is at fault for comes without a remedy; a worker that did not start brings its own.
fn of_problem(path: String, problem: Problem) -> LoadError {
    let message = problem.message;
    match problem.remedy {
        None => LoadError::Format { path, message },
        Some(_) => LoadError::NoReply { path, message },
    }
}
