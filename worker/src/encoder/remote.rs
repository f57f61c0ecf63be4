//! A model behind any service that speaks OpenAI's `/v1/embeddings`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use super::{Encoder, EncoderError, Identity};
use crate::Failure;
use crate::agent::api::{Interface as _, KeyNeed, NoReply, Service, below, credentials, patience};
use crate::agent::openai::Chat;

/// No reply is larger, in bytes: 2,048 vectors of 4,096 components are about 170 MiB.
const LARGEST: usize = 256 << 20;

const START: &str = "start the service, or give the address at which it listens with --base-url (or OPENAI_BASE_URL), such as http://127.0.0.1:8080/v1";
const FEWER: &str =
    "ask for fewer texts at once with --batch; the same command goes on from what the cache holds";
const CHECK: &str = "check --base-url (or OPENAI_BASE_URL), OPENAI_API_KEY and the model's name; the same command goes on from what the cache holds";

/// What can be typed about the service of a model.
#[derive(Args, Clone, Debug)]
pub struct RemoteArgs {
    /// Address of the service, such as `http://127.0.0.1:8080/v1` [default: `OPENAI_BASE_URL`, else OpenAI's own]
    #[arg(long, value_name = "URL", help_heading = "Models behind a service")]
    pub base_url: Option<String>,
    /// Texts of one request
    #[arg(long, value_name = "N", help_heading = "Models behind a service", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=2048))]
    pub batch: u16,
    /// Requests in flight
    #[arg(long, value_name = "N", help_heading = "Models behind a service", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub in_flight: u16,
    /// Seconds that the service may say nothing at all before it is asked again
    #[arg(long, value_name = "S", help_heading = "Models behind a service", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub model_timeout: u64,
}

/// A model behind a service. Its requests are made on the runtime in which it was made; how often and how patiently is
/// what the agents' own services are given.
pub struct RemoteEncoder {
    identity: Identity,
    service: Service,
    /// Whether it ever answered.
    has_answered: AtomicBool,
    batch: usize,
    in_flight: usize,
    runtime: Handle,
}

impl RemoteEncoder {
    /// A model of a service, which has not been reached yet; `variable` looks a variable of the environment up.
    pub fn new(
        model: &str,
        args: &RemoteArgs,
        variable: &dyn Fn(&str) -> Option<String>,
        runtime: Handle,
    ) -> Result<Self, Failure> {
        // Key, address and headers are those of the same service's chat.
        let address = Chat.facts().address(args.base_url.as_deref(), variable);
        let asker = "OpenAI's own service";
        let (key, headers) = credentials(&Chat, &address, asker, KeyNeed::Now, variable)?;
        let silence = Duration::from_secs(args.model_timeout);
        let service = Service::new(place(&address.base), headers, key, silence, LARGEST)?;
        // Neither the key nor what a query string says, which may be one: the vectors are the model's.
        let fingerprint = Sha256::digest(format!("{}\n{model}", service.identity())).into();
        Ok(Self {
            identity: Identity {
                model: model.to_owned(),
                revision: service.identity(),
                fingerprint,
            },
            service,
            has_answered: AtomicBool::new(false),
            batch: usize::from(args.batch),
            in_flight: usize::from(args.in_flight),
            runtime,
        })
    }

    async fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncoderError> {
        let body = json!({
            "model": self.identity.model,
            "input": texts,
            "encoding_format": "float",
        });
        let connects = if self.has_answered.load(Ordering::Relaxed) {
            patience::MOST_CONNECTS
        } else {
            patience::FIRST_CONNECTS
        };
        let read = |reply: &Value| read(reply, texts.len());
        let found = self.service.reply(&body, connects, read).await;
        if !matches!(found, Err(NoReply::NotThere(_))) {
            self.has_answered.store(true, Ordering::Relaxed);
        }
        found.map_err(|none| {
            let (remedy, reason) = match none {
                NoReply::NotThere(reason) => (START, reason),
                NoReply::TooLarge(reason) => (FEWER, reason),
                NoReply::Failed(reason) | NoReply::Denied(reason) | NoReply::Outgrown(reason) => {
                    (CHECK, reason)
                }
            };
            EncoderError::Service {
                model: self.identity.model.clone(),
                url: self.service.shown(),
                reason,
                remedy,
            }
        })
    }
}

impl Encoder for RemoteEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn batch_size(&self) -> usize {
        self.batch
    }

    fn lanes(&self) -> usize {
        self.in_flight
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncoderError> {
        self.runtime.block_on(self.ask(texts))
    }
}

/// The vectors of a reply, in the order of the texts whatever that of the reply is.
fn read(reply: &Value, texts: usize) -> Result<Vec<Vec<f32>>, String> {
    let data = reply
        .get("data")
        .and_then(Value::as_array)
        .ok_or("the reply has no list `data`")?;
    if data.len() != texts {
        return Err(format!(
            "the reply has {} vectors for {texts} texts",
            data.len()
        ));
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (place, item) in data.iter().enumerate() {
        let place = match item.get("index") {
            None => place,
            Some(index) => index
                .as_u64()
                .and_then(|index| usize::try_from(index).ok())
                .ok_or_else(|| format!("`{index}` is no index of a text"))?,
        };
        let vector = item
            .get("embedding")
            .and_then(Value::as_array)
            .filter(|vector| !vector.is_empty())
            .ok_or_else(|| format!("vector {place} of the reply has no list `embedding`"))?;
        let components = vector.iter().map(|component| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "vectors are in single precision"
            )]
            match component {
                // JSON has no NaN, so services write null for it; what takes the vector says whose it is.
                Value::Null => Some(f32::NAN),
                component => component.as_f64().map(|component| component as f32),
            }
        });
        let components: Option<Vec<f32>> = components.collect();
        let components = components.ok_or_else(|| {
            format!("vector {place} of the reply holds something that is no number")
        })?;
        let slot = vectors
            .get_mut(place)
            .ok_or_else(|| format!("the reply has a vector {place} for {texts} texts"))?;
        if slot.replace(components).is_some() {
            return Err(format!("the reply has vector {place} twice"));
        }
    }
    let size = vectors
        .first()
        .and_then(|first| first.as_ref().map(Vec::len));
    if vectors
        .iter()
        .any(|vector| vector.as_ref().map(Vec::len) != size)
    {
        return Err("the vectors of the reply are of different lengths".to_owned());
    }
    Ok(vectors.into_iter().flatten().collect())
}

/// The address of the embeddings below a base.
fn place(base: &str) -> String {
    below(base, "/embeddings")
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use reqwest::header::HeaderMap;

    use super::*;

    #[test]
    fn a_reply_that_is_too_large_is_asked_for_once_and_batch_is_the_remedy() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/embeddings", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{}",
                " ".repeat(100)
            );
            // Whoever asks again finds nobody.
        });
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let silence = Duration::from_secs(20);
        let encoder = RemoteEncoder {
            identity: Identity {
                model: "m".to_owned(),
                revision: url.clone(),
                fingerprint: [0; 32],
            },
            service: Service::new(url, HeaderMap::new(), None, silence, 99).unwrap(),
            has_answered: AtomicBool::new(false),
            batch: 1,
            in_flight: 1,
            runtime: runtime.handle().clone(),
        };
        let error = encoder.encode(&["a"]).unwrap_err();
        server.join().unwrap();
        assert!(error.to_string().contains("the reply is larger"), "{error}");
        assert!(error.hint().unwrap().contains("--batch"), "{error:?}");
    }

    #[test]
    fn a_reply_is_read_by_its_indices_or_refused() {
        let reply = json!({"data": [{"index": 1, "embedding": [3, 4.5]}, {"index": 0, "embedding": [1, 2]}]});
        assert_eq!(read(&reply, 2), Ok(vec![vec![1.0, 2.0], vec![3.0, 4.5]]));
        let reply = json!({"data": [{"embedding": [1]}, {"embedding": [2]}]});
        assert_eq!(read(&reply, 2), Ok(vec![vec![1.0], vec![2.0]]));
        let reply = json!({"data": [{"embedding": [1, null]}]});
        let found = read(&reply, 1).unwrap();
        assert!(found[0][1].is_nan(), "{found:?}");
        for (reply, expected) in [
            (json!({}), "the reply has no list `data`"),
            (json!({"data": []}), "the reply has 0 vectors for 1 texts"),
            (
                json!({"data": [{"index": 1, "embedding": [1]}]}),
                "the reply has a vector 1 for 1 texts",
            ),
            (
                json!({"data": [{"index": -1, "embedding": [1]}]}),
                "`-1` is no index of a text",
            ),
            (
                json!({"data": [{"embedding": []}]}),
                "vector 0 of the reply has no list `embedding`",
            ),
            (
                json!({"data": [{"embedding": [1, "1"]}]}),
                "vector 0 of the reply holds something that is no number",
            ),
        ] {
            assert_eq!(read(&reply, 1), Err(expected.to_owned()), "{reply}");
        }
        let twice =
            json!({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]});
        assert_eq!(
            read(&twice, 2),
            Err("the reply has vector 0 twice".to_owned())
        );
        let uneven = json!({"data": [{"embedding": [1]}, {"embedding": [1, 2]}]});
        assert!(read(&uneven, 2).is_err());
    }

    #[test]
    fn addresses() {
        for (base, expected) in [
            ("http://h/v1", "http://h/v1/embeddings"),
            ("http://h/v1/", "http://h/v1/embeddings"),
            ("http://h/v1/embeddings", "http://h/v1/embeddings"),
            ("http://h/v1?v=2", "http://h/v1/embeddings?v=2"),
        ] {
            assert_eq!(place(base), expected);
        }
    }
}
