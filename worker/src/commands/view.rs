//! `view`: a published site on 127.0.0.1.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use serde::Serialize;
use tokio::net::TcpListener;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::Failure;
use crate::cli::ViewArgs;
use crate::output::Output;

#[derive(Serialize)]
struct Serving {
    address: String,
}

pub(super) async fn run(args: &ViewArgs, output: Output) -> Result<(), Failure> {
    if !args.site.join("index.html").is_file() {
        return Err(Failure::usage(
            format!("{} is no site: it has no index.html", args.site.display()),
            "give the folder that `okn-benchmark publish --explorer … --out` wrote",
        ));
    }
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let failed = |source| Failure::Serve {
        address: wanted.to_string(),
        source,
    };
    let listener = TcpListener::bind(wanted).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    // A site that was published again shows at the next reload.
    let fresh = set(header::CACHE_CONTROL, "no-cache");
    let typed = set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    let site = Router::new()
        .fallback_service(ServeDir::new(&args.site))
        .layer(fresh)
        .layer(typed);

    output.print(
        &Serving {
            address: format!("http://{address}/"),
        },
        |serving| serving.address.clone(),
    )?;
    output.say("serving until Ctrl-C");
    axum::serve(listener, site)
        .with_graceful_shutdown(async {
            // Without a signal to wait for there is nothing to end the server but the process.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
        .await
        .map_err(failed)
}

fn set(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}
