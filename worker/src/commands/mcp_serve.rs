//! `mcp serve`: the federation's tools over stdio or streamable HTTP.

use std::sync::Arc;

use serde::Serialize;
use tokio::net::TcpListener;

use crate::Failure;
use crate::cli::{CorpusArgs, McpServeArgs};
use crate::endpoint::Endpoint;
use crate::error::AddressBy;
use crate::mcp::serve::{Bench, Fault, Server, http, stdio};
use crate::output::{Output, grid};
use crate::settings::{CorpusPlace, EndpointChoice};

#[derive(Serialize)]
struct Serving {
    address: String,
}

#[derive(Serialize)]
struct FaultLine {
    name: &'static str,
    http_only: bool,
    about: &'static str,
}

pub(super) async fn run(args: &McpServeArgs, output: Output) -> Result<(), Failure> {
    let fault = match args.fault.as_deref() {
        Some("list") => return list(output),
        Some(name) => Some(Fault::named(name, args.http.is_some())?),
        None => None,
    };
    let place = CorpusPlace::from(&CorpusArgs {
        corpus: args.corpus.clone(),
        controls: None,
    });
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?).await?;
    let bench = Arc::new(Bench::new(fault, args.fault_after, args.http.is_some()));
    let server = Server::new(Arc::new(endpoint), Arc::clone(&bench), output);

    let Some(wanted) = args.http else {
        return tokio::select! {
            ended = stdio(server, &bench) => ended.map_err(|source| Failure::Serve {
                address: "standard input and output".to_owned(),
                by: AddressBy::Nothing,
                source,
            }),
            () = interrupted() => Ok(()),
        };
    };
    let failed = |source| Failure::Serve {
        address: wanted.to_string(),
        by: AddressBy::Http,
        source,
    };
    let listener = TcpListener::bind(wanted).await.map_err(failed)?;
    let serving = Serving {
        address: format!("http://{}/mcp", listener.local_addr().map_err(failed)?),
    };
    output.print(&serving, |serving| serving.address.clone())?;
    output.say("serving until Ctrl-C");
    tokio::select! {
        ended = http(server, bench, listener) => ended.map_err(failed),
        () = interrupted() => Ok(()),
    }
}

fn list(output: Output) -> Result<(), Failure> {
    let lines: Vec<FaultLine> = Fault::list()
        .map(|(name, http_only, about)| FaultLine {
            name,
            http_only,
            about,
        })
        .collect();
    output.print(&lines, |lines| {
        let rows = lines.iter().map(|line| {
            let transport = if line.http_only { "http" } else { "any" };
            vec![
                line.name.to_owned(),
                transport.to_owned(),
                line.about.to_owned(),
            ]
        });
        grid(&["fault", "transport", "what happens"], &[], rows)
    })
}

/// Without a signal to wait for there is nothing to end the server but the process.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
