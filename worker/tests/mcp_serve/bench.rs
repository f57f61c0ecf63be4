//! The server over the embedded federation, and a plain client of `rmcp` beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use worker::endpoint::Endpoint;
use worker::mcp::serve::{Bench, Fault, Server, http};
use worker::output::Output;
use worker::settings::{EndpointChoice, EndpointPlace};

/// The embedded federation of the repository.
pub(crate) fn snapshot() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks-ontology/snapshot")
}

/// One for all tests, so that each file is loaded once.
pub(crate) async fn endpoint() -> Arc<Endpoint> {
    static ENDPOINT: OnceCell<Arc<Endpoint>> = OnceCell::const_new();
    let opened = ENDPOINT.get_or_init(|| async {
        let choice = EndpointChoice {
            place: EndpointPlace::Embedded(snapshot()),
            timeout: Duration::from_mins(2),
        };
        Arc::new(Endpoint::open(&choice).await.unwrap())
    });
    Arc::clone(opened.await)
}

/// A client and what it is connected to.
pub(crate) struct Client(pub(crate) RunningService<RoleClient, ()>);

impl Client {
    /// Of a server in memory, with this fault.
    pub(crate) async fn with(fault: Option<&str>, after: usize) -> Self {
        let fault = fault.map(|name| Fault::named(name, false).unwrap());
        let bench = Arc::new(Bench::new(fault, after, false));
        let server = Server::new(endpoint().await, bench, Output::new(false));
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await });
        Self(().serve(ours).await.unwrap())
    }

    pub(crate) async fn new() -> Self {
        Self::with(None, 0).await
    }

    /// Of a server at this address.
    pub(crate) async fn over_http(url: &str) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let transport = StreamableHttpClientTransport::from_uri(url.to_owned());
        Self(().serve(transport).await.unwrap())
    }

    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<CallToolResult, ServiceError> {
        let arguments = arguments.as_object().cloned().unwrap();
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.0.call_tool(params).await
    }

    /// The payload of a call that is no error by the protocol.
    pub(crate) async fn payload(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await.unwrap();
        assert_ne!(result.is_error, Some(true), "{result:?}");
        serde_json::from_str(&text(&result)).unwrap()
    }
}

/// A server of streamable HTTP with this fault; its address.
pub(crate) async fn serving(fault: &str, after: usize) -> String {
    let fault = Some(Fault::named(fault, true).unwrap());
    let bench = Arc::new(Bench::new(fault, after, true));
    let server = Server::new(endpoint().await, Arc::clone(&bench), Output::new(false));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(http(server, bench, listener));
    url
}

/// All text of a result.
pub(crate) fn text(result: &CallToolResult) -> String {
    let blocks = serde_json::to_value(&result.content).unwrap();
    let blocks = blocks.as_array().unwrap().iter();
    blocks
        .map(|block| block["text"].as_str().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}
