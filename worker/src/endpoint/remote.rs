//! A SPARQL endpoint on the network, asked through the protocol rules of crate `federation`.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use federation::protocol::{self, ReplyError};
use reqwest::{Client, Method};
use sweep::{Provenance, ResultKind};
use table::Table;

use super::EndpointError;

/// A refusal that names a time is waited for this often, and no longer than [`LONGEST_WAIT`] each time.
const TRIES: u32 = 4;
const LONGEST_WAIT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Remote {
    url: String,
    client: Client,
}

impl Remote {
    pub(super) fn open(url: &str) -> Result<Self, EndpointError> {
        // Fails only where a provider is set already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("okn-benchmark/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(20))
            .build()
            .map_err(EndpointError::Client)?;
        Ok(Self {
            url: url.to_owned(),
            client,
        })
    }

    pub(super) fn provenance(&self) -> Provenance {
        let host = reqwest::Url::parse(&self.url)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned));
        Provenance {
            kind: ResultKind::Live,
            server: host.unwrap_or_else(|| self.url.clone()),
            endpoint: self.url.clone(),
            release: None,
        }
    }

    /// Asks until there is a table or an error; the table, and how long was waited between tries because the server said
    /// so. That is the infrastructure's time: neither the query's nor the agent's.
    pub(super) async fn query(
        &self,
        sparql: &str,
        timeout: Duration,
    ) -> Result<(Table, Duration), EndpointError> {
        let mut waited = Duration::ZERO;
        for tries_left in (0..TRIES).rev() {
            let reply = tokio::time::timeout(timeout, self.ask(sparql)).await;
            let error = match reply.unwrap_or(Err(EndpointError::TimedOut {
                seconds: timeout.as_secs(),
            }))? {
                Ok(table) => return Ok((table, waited)),
                Err(error) => error,
            };
            match error.retry_after {
                Some(seconds) if tries_left > 0 => {
                    let wait = Duration::from_secs(seconds).min(LONGEST_WAIT) + jitter();
                    tokio::time::sleep(wait).await;
                    waited += wait;
                }
                _ => {
                    return Err(EndpointError::Reply {
                        url: self.url.clone(),
                        error: Box::new(error),
                    });
                }
            }
        }
        Err(EndpointError::TimedOut {
            seconds: waited.as_secs(),
        })
    }

    async fn ask(&self, sparql: &str) -> Result<Result<Table, ReplyError>, EndpointError> {
        let broken = |source| EndpointError::Transport {
            url: self.url.clone(),
            source,
        };
        let request = protocol::request(&self.url, sparql);
        let method = Method::from_bytes(request.method.as_bytes()).unwrap_or(Method::POST);
        let mut builder = self.client.request(method, &request.url).body(request.body);
        for (name, value) in &request.headers {
            builder = builder.header(name.as_str(), value.as_str());
        }
        let reply = builder.send().await.map_err(broken)?;
        let status = reply.status().as_u16();
        let headers: Vec<(String, String)> = reply
            .headers()
            .iter()
            .map(|(name, value)| {
                (
                    name.to_string(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let body = reply.bytes().await.map_err(broken)?;
        Ok(protocol::parse_reply(status, &headers, &body))
    }
}

/// Up to half a second, so that many who were told the same time do not come back together.
fn jitter() -> Duration {
    // The one source of randomness in the standard library.
    let random = RandomState::new().build_hasher().finish();
    Duration::from_millis(random % 500)
}
