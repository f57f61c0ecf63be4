//! Asking a SPARQL endpoint on the reader's behalf: the only requests that leave the site, and only when told to.

use federation::protocol::{self, ServerNote};
use gloo_net::http::{Method, RequestBuilder};
use thiserror::Error;
use web_sys::AbortSignal;

use crate::tables::{Problem, Tables};

/// The live federation, offered as a preset. It is never asked before the reader runs a query on it.
pub const FEDERATION: &str = "https://apps.okn.us/federation/sparql";

/// Why an endpoint gave no table.
#[derive(Clone, Debug, Error)]
pub enum EndpointError {
    /// The browser reports no reply at all, and does not say why.
    #[error("no reply from `{endpoint}`")]
    Unreachable {
        /// The address that was asked.
        endpoint: String,
    },
    /// There is a reply, but it is no complete table.
    #[error("{}", .0.message)]
    Reply(Problem),
    /// The reader cancelled.
    #[error("the query was cancelled")]
    Cancelled,
}

/// An endpoint's rows, and what it says about its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The rows as SPARQL JSON.
    pub rows: String,
    /// Who it says it is; `None` where it says nothing, or does not let a page of another origin see it.
    pub note: Option<ServerNote>,
}

/// Sends a query by POST, so that its length does not matter, form-encoded, so that no preflight is needed.
pub async fn ask(
    endpoint: &str,
    sparql: &str,
    tables: Tables,
    abort: &AbortSignal,
) -> Result<Answer, EndpointError> {
    let failed = || {
        if abort.aborted() {
            EndpointError::Cancelled
        } else {
            EndpointError::Unreachable {
                endpoint: endpoint.to_owned(),
            }
        }
    };
    let request = protocol::request(endpoint, sparql);
    let mut builder = RequestBuilder::new(&request.url)
        .method(Method::POST)
        .abort_signal(Some(abort));
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let sendable = builder.body(request.body).map_err(|_| failed())?;
    let reply = sendable.send().await.map_err(|_| failed())?;
    let headers: Vec<(String, String)> = reply.headers().entries().collect();
    let body = reply.binary().await.map_err(|_| failed())?;
    let note = ServerNote::read(&headers);
    let rows = tables
        .reply(reply.status(), headers, body)
        .await
        .map_err(EndpointError::Reply)?;
    Ok(Answer { rows, note })
}
