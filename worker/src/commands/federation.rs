//! `federation serve`: the embedded federation, or RDF files, as a SPARQL endpoint.

use std::net::SocketAddr;
use std::num::NonZero;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use serde::Serialize;
use tokio::net::TcpListener;

use super::plural;
use crate::Failure;
use crate::cli::FederationServeArgs;
use crate::error::AddressBy;
use crate::output::Output;
use crate::serve::{Data, Limits, app};

/// What is served, and where.
#[derive(Serialize)]
struct Serving {
    address: String,
    server: String,
    kind: Option<String>,
    release: Option<String>,
    graphs: usize,
    /// In the named graphs.
    triples: usize,
    /// In no named graph.
    unnamed: usize,
}

pub(super) async fn run(args: &FederationServeArgs, output: Output) -> Result<(), Failure> {
    let data = if args.data.is_empty() {
        Data::snapshot(&args.snapshot)?
    } else {
        Data::files(&args.data)?
    };
    let wanted = SocketAddr::new(args.host, args.port);
    let failed = |source| Failure::Serve {
        address: wanted.to_string(),
        by: AddressBy::HostAndPort,
        source,
    };
    let listener = TcpListener::bind(wanted).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;

    let note = data.note();
    let graphs = data.graphs();
    let serving = Serving {
        address: format!("http://{address}/sparql"),
        server: note.server.clone(),
        kind: note.kind.clone(),
        release: note.release.clone(),
        graphs: graphs.len(),
        triples: graphs.iter().map(|graph| graph.triples).sum(),
        unnamed: data.unnamed(),
    };
    output.print(&serving, |serving| serving.address.clone())?;
    output.say(said(&serving));
    let limits = Limits {
        timeout: Duration::from_secs(args.timeout),
        at_once: std::thread::available_parallelism().map_or(1, NonZero::get),
    };
    let listener = listener.tap_io(|stream| {
        // A reply goes out when it is there; what cannot be set only makes it slower.
        let _ = stream.set_nodelay(true);
    });
    let served = axum::serve(listener, app(data, limits));
    // Nothing is lost by ending in the middle of a reply, and a query may have minutes to go.
    tokio::select! {
        served = served => served.map_err(failed),
        () = interrupted() => Ok(()),
    }
}

fn said(serving: &Serving) -> String {
    let kind = match (&serving.kind, &serving.release) {
        (Some(kind), Some(release)) => format!(" ({kind}, release {release})"),
        (Some(kind), None) => format!(" ({kind})"),
        _ => String::new(),
    };
    let named = format!(
        "{} with {}",
        plural(serving.graphs, "named graph"),
        plural(serving.triples, "triple")
    );
    let unnamed = plural(serving.unnamed, "triple");
    let held = match (serving.graphs, serving.unnamed) {
        (_, 0) => named,
        (0, _) => format!("{unnamed} in no named graph"),
        _ => format!("{named}, and {unnamed} in no named graph"),
    };
    format!("serving {}{kind}: {held}; Ctrl-C ends it", serving.server)
}

/// Without a signal to wait for there is nothing to end the server but the process.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
