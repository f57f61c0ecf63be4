//! `view`: a published site, or one made of sweeps, on 127.0.0.1.

use std::net::{Ipv4Addr, SocketAddr};

use std::path::{Path, PathBuf};

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use serde::Serialize;
use tokio::net::TcpListener;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use super::publish;
use crate::cli::{PublishArgs, ViewArgs};
use crate::error::AddressBy;
use crate::output::Output;
use crate::runs::RunFolder;
use crate::{Failure, imported, store};

#[derive(Serialize)]
struct Serving {
    address: String,
}

pub(super) async fn run(args: &ViewArgs, output: Output) -> Result<(), Failure> {
    let site = Site::of(args, output).await?;
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let failed = |source| Failure::Serve {
        address: wanted.to_string(),
        by: AddressBy::Port,
        source,
    };
    let listener = TcpListener::bind(wanted).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    // A site that was published again shows at the next reload.
    let fresh = set(header::CACHE_CONTROL, "no-cache");
    let typed = set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    let router = Router::new()
        .fallback_service(ServeDir::new(site.folder()))
        .layer(fresh)
        .layer(typed);

    output.print(
        &Serving {
            address: format!("http://{address}/"),
        },
        |serving| serving.address.clone(),
    )?;
    output.say("serving until Ctrl-C");
    axum::serve(listener, router)
        .with_graceful_shutdown(async {
            // Without a signal to wait for there is nothing to end the server but the process.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
        .await
        .map_err(failed)
}

/// The site that is shown.
enum Site {
    /// One that `publish` wrote.
    Published(PathBuf),
    /// One made of sweeps for as long as it is shown.
    Made(store::Scratch),
}

impl Site {
    async fn of(args: &ViewArgs, output: Output) -> Result<Self, Failure> {
        if let [folder] = args.folders.as_slice()
            && folder.join("index.html").is_file()
        {
            return Ok(Self::Published(folder.clone()));
        }
        for folder in &args.folders {
            if !holds_sweeps(folder)? {
                return Err(Failure::usage(
                    format!(
                        "{} is no site, for want of an index.html, and holds no sweep",
                        folder.display()
                    ),
                    "give one folder that `okn-benchmark publish --explorer … --out` wrote, or folders that `run` wrote",
                ));
            }
        }
        let made = store::scratch_folder(&std::env::temp_dir())?;
        let publish = PublishArgs {
            runs: args.folders.clone(),
            out: made.path().to_owned(),
            explorer: Some(args.explorer.clone()),
            allow_mixed: args.allow_mixed,
            ava: Vec::new(),
            ava_recomputed: Vec::new(),
            ava_triplets: Vec::new(),
            against: None,
            tolerance: 0.0,
            corpus: args.corpus.clone(),
            endpoint: args.endpoint.clone(),
        };
        publish::publish(&publish, output).await?;
        Ok(Self::Made(made))
    }

    fn folder(&self) -> &Path {
        match self {
            Self::Published(folder) => folder,
            Self::Made(folder) => folder.path(),
        }
    }
}

fn holds_sweeps(folder: &Path) -> Result<bool, Failure> {
    Ok(!imported::roots(folder)?.is_empty() || RunFolder::read_all(folder).is_ok())
}

fn set(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}
