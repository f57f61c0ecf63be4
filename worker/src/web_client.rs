//! The client of every request that the program sends over HTTP: what all of them have in common.

use std::time::Duration;

use reqwest::{Client, ClientBuilder};

use crate::Failure;
use crate::error::with_causes;

/// A client to be, which says who it is and does not wait for a connection for ever.
pub(crate) fn builder() -> ClientBuilder {
    // Fails only where a provider is set already, which serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("okn-benchmark/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(20))
}

/// The client itself.
pub(crate) fn built(builder: ClientBuilder) -> Result<Client, Failure> {
    builder.build().map_err(|error| {
        Failure::usage(
            format!("cannot set up the HTTP client: {}", with_causes(&error)),
            "check the system's certificates",
        )
    })
}
