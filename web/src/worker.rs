//! A web worker that is started on first use and answers requests in order.
//!
//! A worker that is busy reads no messages, so cancelling ends it; the next request starts another one. Its first message
//! has no `id` and says that its module is there and listens: what is sent before that would be lost.

use std::collections::HashMap;

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageEvent;

/// A worker's handle; copied freely.
#[derive(Clone, Copy)]
pub struct Worker {
    script: &'static str,
    running: StoredValue<Option<Running>, LocalStorage>,
}

/// Why a worker gave no reply.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WorkerError {
    /// Someone ended it.
    #[error("it was cancelled")]
    Cancelled,
    /// It could not be started, or ended on its own.
    #[error("the worker stopped ({0})")]
    Stopped(String),
}

/// A started worker.
struct Running {
    worker: web_sys::Worker,
    /// Resolves once the worker can read messages.
    ready: Promise,
    last_id: u32,
    waiting: HashMap<u32, Function>,
    /// Called by the worker for as long as it lives.
    _listeners: [Closure<dyn FnMut(MessageEvent)>; 2],
}

impl Worker {
    /// A worker that will run a script of the site.
    pub fn new(script: &'static str) -> Self {
        Self {
            script,
            running: StoredValue::new_local(None),
        }
    }

    /// Starts the worker, unless it runs already.
    pub async fn start(self) -> Result<(), WorkerError> {
        if self.running.with_value(Option::is_none) {
            let running =
                Running::start(self).map_err(|error| WorkerError::Stopped(describe(&error)))?;
            self.running.set_value(Some(running));
        }
        let ready = self
            .running
            .with_value(|running| running.as_ref().map(|running| running.ready.clone()))
            .ok_or(WorkerError::Cancelled)?;
        let started = JsFuture::from(ready).await;
        started.map(drop).map_err(|reason| ended(&reason))
    }

    /// Sends one request to a started worker, as an object with an `id` added, and waits for its reply.
    pub async fn ask<T: DeserializeOwned>(
        self,
        request: &impl Serialize,
    ) -> Result<T, WorkerError> {
        let promise = self
            .running
            .try_update_value(|running| running.as_mut().map(|running| running.send(request)))
            .flatten()
            .ok_or(WorkerError::Cancelled)?
            .map_err(|error| WorkerError::Stopped(describe(&error)))?;
        let reply = JsFuture::from(promise)
            .await
            .map_err(|reason| ended(&reason))?;
        // Only `end` resolves a request without its reply: what has no `id` says why the worker ended.
        if id_of(&reply).is_none() {
            return Err(ended(&reply));
        }
        serde_wasm_bindgen::from_value(reply)
            .map_err(|error| WorkerError::Stopped(format!("its reply cannot be read: {error}")))
    }

    /// Ends the worker. Everyone who waits is told that it was cancelled.
    pub fn cancel(self) {
        self.end(&JsValue::NULL);
    }

    /// Whether the worker has been started and not ended.
    pub fn is_running(self) -> bool {
        self.running.with_value(Option::is_some)
    }

    fn receive(self, message: &JsValue) {
        let resolve = id_of(message).and_then(|id| {
            self.running
                .try_update_value(|running| running.as_mut()?.waiting.remove(&id))
                .flatten()
        });
        if let Some(resolve) = resolve {
            resolve.call1(&JsValue::NULL, message).ok();
        }
    }

    /// `reason` is null for a wish of the reader's.
    fn end(self, reason: &JsValue) {
        let running = self.running.try_update_value(Option::take).flatten();
        if let Some(running) = running {
            running.worker.terminate();
            for resolve in running.waiting.values() {
                resolve.call1(&JsValue::NULL, reason).ok();
            }
        }
    }
}

impl Running {
    fn start(owner: Worker) -> Result<Self, JsValue> {
        let worker = web_sys::Worker::new(owner.script)?;
        let mut resolvers: Option<(Function, Function)> = None;
        let ready = Promise::new(&mut |resolve, reject| resolvers = Some((resolve, reject)));
        let (resolve, reject) = resolvers.ok_or_else(|| JsValue::from_str("no promise"))?;

        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            // A promise resolves once; later calls do nothing.
            resolve.call0(&JsValue::NULL).ok();
            owner.receive(&event.data());
        });
        // Declared for messages so that both closures are of one type; of an error only its text is read.
        let on_error = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let reason = Reflect::get(&event, &"message".into())
                .ok()
                .filter(JsValue::is_string)
                .unwrap_or_else(|| JsValue::from_str("its files could not be loaded"));
            reject.call1(&JsValue::NULL, &reason).ok();
            owner.end(&reason);
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self {
            worker,
            ready,
            last_id: 0,
            waiting: HashMap::new(),
            _listeners: [on_message, on_error],
        })
    }

    fn send(&mut self, request: &impl Serialize) -> Result<Promise, JsValue> {
        self.last_id += 1;
        let id = self.last_id;
        let message = serde_wasm_bindgen::to_value(request)?;
        Reflect::set(&message, &"id".into(), &id.into())?;
        // Bytes are handed over, not copied.
        let transfer = Array::new();
        for name in ["bytes", "answer", "body"] {
            if let Ok(bytes) = Reflect::get(&message, &name.into())
                && let Some(bytes) = bytes.dyn_ref::<Uint8Array>()
            {
                transfer.push(&bytes.buffer());
            }
        }
        let promise = Promise::new(&mut |resolve, _| {
            self.waiting.insert(id, resolve);
        });
        self.worker
            .post_message_with_transfer(&message, &transfer)?;
        Ok(promise)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a worker repeats an id that was a u32"
)]
fn id_of(message: &JsValue) -> Option<u32> {
    if !message.is_object() {
        return None;
    }
    let id = Reflect::get(message, &"id".into()).ok()?.as_f64()?;
    Some(id as u32)
}

/// Null stands for the reader's own wish; anything else is what went wrong.
fn ended(reason: &JsValue) -> WorkerError {
    if reason.is_null() {
        WorkerError::Cancelled
    } else {
        WorkerError::Stopped(describe(reason))
    }
}

fn describe(error: &JsValue) -> String {
    error
        .as_string()
        .or_else(|| {
            error
                .dyn_ref::<js_sys::Error>()
                .map(|error| String::from(error.message()))
        })
        .unwrap_or_else(|| "no reason given".to_owned())
}
