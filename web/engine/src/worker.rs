//! The engine in its worker: messages in, messages out.

use crate::engine::Engine;
use crate::message::{Failure, Reply, Request};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Answers every message from now on; the first message to the page is `{ready: true}`, since what is sent to a worker before
/// it listens is lost.
pub fn listen() -> Result<(), JsValue> {
    console_error_panic_hook::set_once();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let clock = scope.performance();
    let now = move || clock.as_ref().map_or(0.0, web_sys::Performance::now);
    let mut engine = Engine::new();
    let page = scope.clone();
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        let reply = match serde_wasm_bindgen::from_value::<Request>(data.clone()) {
            Ok(request) => engine.answer(request, &now),
            Err(error) => Reply {
                id: id_of(&data),
                result: Err(Failure::of_message(error.to_string())),
            },
        };
        // A page that is gone cannot be told so.
        if let Ok(reply) = to_js(&reply) {
            page.post_message(&reply).ok();
        }
    });
    scope.set_onmessage(Some(receive.as_ref().unchecked_ref()));
    // The worker lives as long as the page lets it, and so does what it calls.
    receive.forget();
    let ready = js_sys::Object::new();
    js_sys::Reflect::set(&ready, &"ready".into(), &JsValue::TRUE)?;
    scope.post_message(&ready)
}

/// A reply as a plain object.
fn to_js(reply: &Reply) -> Result<JsValue, serde_wasm_bindgen::Error> {
    reply.serialize(&Serializer::new().serialize_maps_as_objects(true))
}

/// The `id` of a message that is otherwise not understood, 0 where it has none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a conversion of f64 to u32 saturates, and an id that is no u32 is no one's"
)]
fn id_of(message: &JsValue) -> u32 {
    js_sys::Reflect::get(message, &"id".into())
        .ok()
        .and_then(|id| id.as_f64())
        .unwrap_or_default() as u32
}
