//! The worker in which tables are read and scored; what it is asked and answers is in `explorer::tables`.

#[cfg(target_arch = "wasm32")]
fn main() {
    listen::start();
}

/// Only a browser has workers: natively there is nobody to listen to, and what the worker does is tested in the library.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod listen {
    use explorer::perform::Desk;
    use explorer::tables::{Outcome, Problem, Task};
    use js_sys::{Object, Reflect};
    use wasm_bindgen::closure::Closure;
    use wasm_bindgen::{JsCast as _, JsValue};
    use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

    /// Answers every message, and says once that it listens: what comes before that is lost.
    pub(crate) fn start() {
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let replies = scope.clone();
        let mut desk = Desk::default();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(reply) = answer(&mut desk, &event.data()) {
                replies.post_message(&reply).ok();
            }
        });
        scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        on_message.forget();
        scope.post_message(&Object::new()).ok();
    }

    fn answer(desk: &mut Desk, message: &JsValue) -> Option<JsValue> {
        let id = Reflect::get(message, &"id".into()).ok()?;
        let outcome = match serde_wasm_bindgen::from_value::<Task>(message.clone()) {
            Ok(task) => desk.perform(task),
            Err(error) => Outcome {
                problem: Some(Problem {
                    message: format!("not a task ({error})"),
                    ..Problem::default()
                }),
                ..Outcome::default()
            },
        };
        let reply = serde_wasm_bindgen::to_value(&outcome).ok()?;
        Reflect::set(&reply, &"id".into(), &id).ok()?;
        Some(reply)
    }
}
