//! A file of the bundle that the tables worker draws: its types stay out of the page's module.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;
use crate::components::fragment::fragment;
use crate::components::load_problem::load_problem;
use crate::load::{self, LoadError, Loaded};
use crate::tables::{Drawing, Drawn, Problem, Tables};

/// What is drawn of the file at `path`. Another choice keeps what is there until the new drawing is; another file does not.
pub fn drawn(
    drawing: Drawing,
    path: Signal<Option<String>>,
    choice: Memo<Option<String>>,
) -> ReadSignal<Loaded<Drawn>> {
    drawn_of(drawing, path, load::watch_text(path).into(), choice)
}

/// The same of a text that is loaded already.
pub fn drawn_of(
    drawing: Drawing,
    path: Signal<Option<String>>,
    text: Signal<Loaded<String>>,
    choice: Memo<Option<String>>,
) -> ReadSignal<Loaded<Drawn>> {
    let tables = Tables::from_context();
    let (drawn, set_drawn) = signal(Loaded::Loading);
    let last = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let choice = choice.get();
        // Whatever is being drawn is of what was asked for before.
        last.update_value(|last| *last += 1);
        let this = last.get_value();
        let text = match text.get() {
            Loaded::Loading => return set_drawn.set(Loaded::Loading),
            Loaded::Failed(error) => return set_drawn.set(Loaded::Failed(error)),
            Loaded::Ready(text) => text,
        };
        let path = path.get_untracked().unwrap_or_default();
        spawn_local(async move {
            let result = tables.draw(drawing, String::clone(&text), choice).await;
            // The view may be gone, or the reader may have chosen again meanwhile.
            if last.try_get_value() == Some(this) {
                let focused = browser::focused_id();
                set_drawn.try_set(match result {
                    Ok(drawn) => Loaded::Ready(Arc::new(drawn)),
                    Err(problem) => Loaded::Failed(Arc::new(of_problem(path, problem))),
                });
                // What had the focus has been drawn anew, so it would have lost it.
                if let Some(id) = focused {
                    request_animation_frame(move || browser::focus_again(&id));
                }
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

/// How far a drawing is; what it holds may change without building the view around it again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Loading,
    Failed,
    Ready,
}

/// One part of a drawing; empty while it is not there.
pub fn part(drawn: ReadSignal<Loaded<Drawn>>, at: usize) -> Memo<String> {
    Memo::new(move |_| match drawn.get() {
        Loaded::Ready(drawn) => drawn.parts.get(at).cloned().unwrap_or_default(),
        _ => String::new(),
    })
}

/// What `view` makes once the drawing is there; a space of about its height before.
pub fn once_there(
    drawn: ReadSignal<Loaded<Drawn>>,
    height: &'static str,
    view: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let stage = Memo::new(move |_| match drawn.get() {
        Loaded::Loading => Stage::Loading,
        Loaded::Failed(_) => Stage::Failed,
        Loaded::Ready(_) => Stage::Ready,
    });
    (move || match stage.get() {
        Stage::Loading => fragment(format!(
            "<span class=\"skeleton\" style=\"height:{height}\"></span>"
        )),
        // Another failure, such as that of another file, says something else.
        Stage::Failed => match drawn.get() {
            Loaded::Failed(error) => load_problem(&error),
            _ => ().into_any(),
        },
        Stage::Ready => view(),
    })
    .into_any()
}
