//! A SPARQL endpoint on the network, asked through the protocol rules of crate `federation`.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::OnceLock;
use std::time::Duration;

use federation::protocol::{self, ReplyError, ServerNote};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use reqwest::{Client, Method};
use sweep::{Provenance, ResultKind};
use table::Table;

use super::EndpointError;
use crate::settings::without_values;

/// A refusal that may pass is waited for, and asked again, this often.
const TRIES: u32 = 4;
/// No single wait is longer, whatever the server says.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long a server may take to say whose data it serves.
const HELLO: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Remote {
    url: String,
    /// The address without what may be secret in it: the only form that leaves this module other than to the server.
    shown: String,
    client: Client,
    /// Whose data the server serves, once it has answered anything.
    reached: OnceLock<Provenance>,
    /// What is known until then.
    unreached: Provenance,
}

impl Remote {
    /// Reaches for the server, to learn whether its data are a reconstruction. One that cannot be reached or says nothing is
    /// no failure yet: the first query will tell.
    pub(super) async fn open(url: &str, timeout: Duration) -> Result<Self, EndpointError> {
        let client = crate::web_client::builder()
            .build()
            .map_err(EndpointError::Client)?;
        let shown = without_values(url);
        let host = reqwest::Url::parse(url)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned));
        let remote = Self {
            url: url.to_owned(),
            client,
            reached: OnceLock::new(),
            unreached: Provenance {
                kind: ResultKind::Unreached,
                server: host.unwrap_or_else(|| shown.clone()),
                endpoint: shown.clone(),
                release: None,
            },
            shown,
        };
        let hello = remote.client.head(url).send();
        if let Ok(Ok(reply)) = tokio::time::timeout(timeout.min(HELLO), hello).await {
            remote.same_data(&headers_of(&reply))?;
        }
        Ok(remote)
    }

    /// Where its results come from, as far as the server has said.
    pub(super) fn provenance(&self) -> &Provenance {
        self.reached.get().unwrap_or(&self.unreached)
    }

    /// What a reply's headers say of whose data they are.
    fn said(&self, headers: &[(String, String)]) -> Provenance {
        let unreached = self.unreached.clone();
        match ServerNote::read(headers) {
            Some(note) => Provenance {
                kind: if note.is_reconstruction() {
                    ResultKind::Reconstruction
                } else {
                    ResultKind::Live
                },
                server: note.server,
                release: note.release,
                ..unreached
            },
            None => Provenance {
                kind: ResultKind::Live,
                ..unreached
            },
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
        for tried in 1.. {
            let reply = tokio::time::timeout(timeout, self.ask(sparql)).await;
            let error = match reply.unwrap_or(Err(EndpointError::TimedOut {
                seconds: timeout.as_secs(),
            }))? {
                Ok(table) => return Ok((self.of_query(sparql, table)?, waited)),
                Err(error) => error,
            };
            match wait_after(&error, tried) {
                Some(wait) if tried < TRIES => {
                    let wait = wait.min(LONGEST_WAIT) + jitter();
                    tokio::time::sleep(wait).await;
                    waited += wait;
                }
                _ => {
                    return Err(EndpointError::Reply {
                        url: self.shown.clone(),
                        error: Box::new(error),
                        waited,
                    });
                }
            }
        }
        Err(EndpointError::TimedOut {
            seconds: waited.as_secs(),
        })
    }

    /// The table in the sequence of its query's columns, for which `SELECT *` lays none down; a table of other columns is the
    /// answer to something else, such as the rows of a cache or the word of an ASK.
    fn of_query(&self, sparql: &str, table: Table) -> Result<Table, EndpointError> {
        // What only this server understands it alone can judge.
        let Ok(query) = federation::parse_query(sparql) else {
            return Ok(table);
        };
        let expected = record::columns_of(&query);
        if table.columns() == expected {
            return Ok(table);
        }
        let place = |column: &String| table.columns().iter().position(|found| found == column);
        match expected.iter().map(place).collect::<Option<Vec<usize>>>() {
            Some(places) if places.len() == table.columns().len() => {
                let mut sorted = Table::with_capacity(expected, table.len());
                for row in table.rows() {
                    sorted.push_row(places.iter().map(|&place| row[place].clone()));
                }
                Ok(sorted)
            }
            _ => Err(EndpointError::Columns {
                url: self.shown.clone(),
                found: table.columns().to_vec(),
                expected,
            }),
        }
    }

    async fn ask(&self, sparql: &str) -> Result<Result<Table, ReplyError>, EndpointError> {
        let broken = |source: reqwest::Error| EndpointError::Transport {
            url: self.shown.clone(),
            source: source.without_url(),
        };
        let request = protocol::request(&self.url, sparql);
        let method = Method::from_bytes(request.method.as_bytes()).unwrap_or(Method::POST);
        let mut builder = self.client.request(method, &request.url).body(request.body);
        for (name, value) in &request.headers {
            builder = builder.header(name.as_str(), value.as_str());
        }
        let reply = builder.send().await.map_err(broken)?;
        let status = reply.status().as_u16();
        let headers = headers_of(&reply);
        let body = reply.bytes().await.map_err(broken)?;
        self.same_data(&headers)?;
        Ok(protocol::parse_reply(status, &headers, &body))
    }

    /// Learns from the first reply whose data they are, and refuses rows of a later one whose kind is not the one under
    /// which they would be stored.
    fn same_data(&self, headers: &[(String, String)]) -> Result<(), EndpointError> {
        let now = self.said(headers);
        let kind = now.kind;
        let first = self.reached.get_or_init(|| now);
        if kind == ResultKind::Reconstruction && first.kind != kind {
            return Err(EndpointError::Reconstruction {
                url: self.shown.clone(),
            });
        }
        Ok(())
    }
}

/// How long to wait before asking again: what the server says, else twice as long each time where it says only that it is
/// asked too much. `None` for what will not pass by waiting.
fn wait_after(error: &ReplyError, tried: u32) -> Option<Duration> {
    let said = error.retry_after.map(Duration::from_secs);
    let guessed = (error.status == 429).then(|| Duration::from_secs(1 << (tried - 1).min(5)));
    said.or(guessed)
}

/// A reply's headers; one that came without a date is dated now, as whoever reads `Retry-After` must.
fn headers_of(reply: &reqwest::Response) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = reply
        .headers()
        .iter()
        .map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect();
    if !reply.headers().contains_key(reqwest::header::DATE)
        && let Ok(now) = DateTimePrinter::new().timestamp_to_rfc9110_string(&Timestamp::now())
    {
        headers.push(("date".to_owned(), now));
    }
    headers
}

/// Up to half a second, so that many who were told the same time do not come back together.
fn jitter() -> Duration {
    // The one source of randomness in the standard library.
    let random = RandomState::new().build_hasher().finish();
    Duration::from_millis(random % 500)
}

#[cfg(test)]
mod tests {
    use super::*;
    use federation::protocol::ReplyErrorKind;

    #[test]
    fn a_wait_is_what_the_server_says_else_a_guess_and_only_where_waiting_helps() {
        let error = |status, retry_after| ReplyError {
            kind: ReplyErrorKind::HttpStatus,
            status,
            message: String::new(),
            body_start: String::new(),
            retry_after,
        };
        for (status, said, tried, seconds) in [
            (429, Some(7), 1, Some(7)),
            (503, Some(7), 3, Some(7)),
            (429, None, 1, Some(1)),
            (429, None, 2, Some(2)),
            (429, None, 3, Some(4)),
            (429, None, 90, Some(32)),
            (503, None, 1, None),
            (500, None, 1, None),
            (400, None, 1, None),
        ] {
            let wait = wait_after(&error(status, said), tried);
            assert_eq!(
                wait.map(|wait| wait.as_secs()),
                seconds,
                "{status} {said:?} {tried}"
            );
        }
        assert!(jitter() < Duration::from_millis(500));
    }
}
