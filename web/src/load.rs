//! Reading the published bundle: the only place that fetches files of the site.

use std::sync::Arc;

use gloo_net::http::Request;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use thiserror::Error;
use web_sys::AbortController;

use crate::tables::Problem;

/// What has come of a request.
#[derive(Debug)]
pub enum Loaded<T> {
    /// No reply yet.
    Loading,
    /// The value; shared, because several parts of a page read it.
    Ready(Arc<T>),
    /// No value, and why.
    Failed(Arc<LoadError>),
}

// Derived, these would ask the same of `T`, which is never copied.
impl<T> Clone for Loaded<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Loading => Self::Loading,
            Self::Ready(value) => Self::Ready(Arc::clone(value)),
            Self::Failed(error) => Self::Failed(Arc::clone(error)),
        }
    }
}

impl<T> PartialEq for Loaded<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Loading, Self::Loading) => true,
            (Self::Ready(a), Self::Ready(b)) => Arc::ptr_eq(a, b),
            (Self::Failed(a), Self::Failed(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl<T> Loaded<T> {
    /// The value, once it is there.
    pub fn ready(self) -> Option<Arc<T>> {
        match self {
            Self::Ready(value) => Some(value),
            Self::Loading | Self::Failed(_) => None,
        }
    }
}

/// Why a file of the site could not be read.
#[derive(Clone, Debug, Error)]
pub enum LoadError {
    /// The request itself failed.
    #[error("no reply for `{path}` ({message})")]
    NoReply {
        /// The file, relative to the page.
        path: String,
        /// What the browser says.
        message: String,
    },
    /// The host answered, but not with the file.
    #[error("the host answered {status} for `{path}`")]
    Status {
        /// The file, relative to the page.
        path: String,
        /// The HTTP status.
        status: u16,
    },
    /// The file is not what this build reads.
    #[error("`{path}` is not what this page reads: {message}")]
    Format {
        /// The file, relative to the page.
        path: String,
        /// What is wrong, with its position.
        message: String,
    },
    /// A file, of the reader's or of the site's, is not what was asked for, and where.
    #[error("{path}:{message}")]
    Given {
        /// The file's name.
        path: String,
        /// Where and what is wrong, beginning with its position.
        message: String,
        /// What to do about it.
        remedy: String,
    },
}

impl LoadError {
    /// What is wrong with a file, with its place.
    pub fn of_given(path: String, problem: Problem) -> Self {
        Self::Given {
            path,
            message: problem.message,
            remedy: problem.remedy.unwrap_or_default(),
        }
    }

    /// What the reader can do about it.
    pub fn remedy(&self) -> &str {
        match self {
            Self::Given { remedy, .. } => remedy,
            Self::NoReply { .. } => {
                "check that the site is still being served, then reload the page"
            }
            Self::Status { status: 404, .. } => {
                "the site was published without this file, or the address names a record that it does not have"
            }
            Self::Status { .. } => "reload the page; if it stays, ask whoever hosts the site",
            Self::Format { .. } => {
                "reload the page; if it stays, publish the results again with the program that this page came with"
            }
        }
    }
}

/// Where the bundle's index is, relative to the page.
pub const INDEX: &str = "results/index.json";

/// Where a record's file is, relative to the page.
pub fn record_path(id: &str) -> String {
    format!("results/records/{}.json", crate::query::encode(id))
}

/// A file of the bundle, read anew whenever its path changes; the request is aborted when the view that made it goes.
pub fn watch_json<T: DeserializeOwned + Send + Sync + 'static>(
    path: Signal<Option<String>>,
) -> ReadSignal<Loaded<T>> {
    watch(path, |path, text| parse(path, &text))
}

/// The same as text.
pub fn watch_text(path: Signal<Option<String>>) -> ReadSignal<Loaded<String>> {
    watch(path, |_, text| Ok(text))
}

fn watch<T: Send + Sync + 'static>(
    path: Signal<Option<String>>,
    read: fn(&str, String) -> Result<T, LoadError>,
) -> ReadSignal<Loaded<T>> {
    let (loaded, set_loaded) = signal(Loaded::Loading);
    Effect::new(move |_| {
        set_loaded.set(Loaded::Loading);
        let Some(path) = path.get() else { return };
        let controller = AbortController::new().ok();
        let abort = controller.as_ref().map(AbortController::signal);
        spawn_local(async move {
            let result = text(&path, abort.as_ref())
                .await
                .and_then(|text| read(&path, text));
            // Nobody waits for an aborted reply, and the signal may be gone with the view.
            if !abort.is_some_and(|signal| signal.aborted()) {
                set_loaded.try_set(match result {
                    Ok(value) => Loaded::Ready(Arc::new(value)),
                    Err(error) => Loaded::Failed(Arc::new(error)),
                });
            }
        });
        let controller = StoredValue::new_local(controller);
        on_cleanup(move || {
            if let Some(Some(controller)) = controller.try_get_value() {
                controller.abort();
            }
        });
    });
    loaded
}

/// The text of a JSON file of the site, as a value. Never copied into its callers: for a record it is a good part of the
/// page's module.
#[inline(never)]
pub fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, LoadError> {
    serde_json::from_str(text).map_err(|error| LoadError::Format {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// A text file of the site.
pub async fn text(path: &str, abort: Option<&web_sys::AbortSignal>) -> Result<String, LoadError> {
    let reply = get(path, abort).await?;
    reply.text().await.map_err(|error| no_reply(path, &error))
}

/// A binary file of the site.
pub async fn bytes(path: &str) -> Result<Vec<u8>, LoadError> {
    let reply = get(path, None).await?;
    reply.binary().await.map_err(|error| no_reply(path, &error))
}

async fn get(
    path: &str,
    abort: Option<&web_sys::AbortSignal>,
) -> Result<gloo_net::http::Response, LoadError> {
    let reply = Request::get(path)
        .abort_signal(abort)
        .send()
        .await
        .map_err(|error| no_reply(path, &error))?;
    if reply.ok() {
        Ok(reply)
    } else {
        Err(LoadError::Status {
            path: path.to_owned(),
            status: reply.status(),
        })
    }
}

fn no_reply(path: &str, error: &gloo_net::Error) -> LoadError {
    LoadError::NoReply {
        path: path.to_owned(),
        message: error.to_string(),
    }
}
