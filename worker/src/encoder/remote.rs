//! A model behind any service that speaks OpenAI's `/v1/embeddings`.

use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use super::{Encoder, EncoderError, Identity};
use crate::agent::api::{Key, ServiceError, below, patience};
use crate::error::with_causes;
use crate::settings::without_values;
use crate::{Failure, settings};

const HOME: &str = "https://api.openai.com/v1";
const KEY: &str = "OPENAI_API_KEY";
const BASE_URL: &str = "OPENAI_BASE_URL";

/// No reply is larger, in bytes.
const LARGEST_REPLY: usize = 256 << 20;
/// How much of a refusal is told, in characters.
const WORDS: usize = 400;

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
    /// Seconds that one request may take
    #[arg(long, value_name = "S", help_heading = "Models behind a service", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub model_timeout: u64,
}

/// A model behind a service. Its requests are made on the runtime in which it was made.
pub struct RemoteEncoder {
    identity: Identity,
    client: Client,
    url: String,
    headers: HeaderMap,
    key: Option<Key>,
    batch: usize,
    in_flight: usize,
    runtime: Handle,
}

/// Why a try gave no vectors.
struct Trouble {
    reason: String,
    /// Whether it may pass.
    passes: bool,
    /// How long the service asks to wait.
    wait: Option<Duration>,
}

impl Trouble {
    fn last(reason: String) -> Self {
        Self {
            reason,
            passes: false,
            wait: None,
        }
    }
}

impl RemoteEncoder {
    /// A model of a service, which has not been reached yet; `variable` looks a variable of the environment up.
    pub fn new(
        model: &str,
        args: &RemoteArgs,
        variable: &dyn Fn(&str) -> Option<String>,
        runtime: Handle,
    ) -> Result<Self, Failure> {
        let base = args.base_url.clone().or_else(|| variable(BASE_URL));
        let key = variable(KEY).as_deref().and_then(Key::new);
        if key.is_none() && base.as_deref().is_none_or(|base| base.starts_with(HOME)) {
            return Err(Failure::usage(
                "OpenAI's own service needs a key",
                format!("export {KEY}=…, or give another service's address with --base-url"),
            ));
        }
        let url = place(base.as_deref().unwrap_or(HOME));
        let shown = settings::address_shown(&url)?;
        let is_web = reqwest::Url::parse(&url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        if !is_web {
            return Err(Failure::usage(
                format!("`{shown}` is no address of a model's service"),
                "--base-url takes an address that begins with http:// or https://",
            ));
        }
        let mut headers = HeaderMap::new();
        if let Some(key) = &key {
            let value = key.header("Bearer ").ok_or_else(|| {
                Failure::usage(
                    format!("{KEY} holds characters that no key has"),
                    format!("export {KEY}=… again"),
                )
            })?;
            headers.insert(AUTHORIZATION, value);
        }
        // Fails only where a provider is set already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("okn-benchmark/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(20))
            .timeout(Duration::from_secs(args.model_timeout))
            // Whoever else is named there must not see the key.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| {
                Failure::usage(
                    format!("cannot set up the HTTP client: {}", with_causes(&error)),
                    "check the system's certificates",
                )
            })?;
        let fingerprint = Sha256::digest(format!("{url}\n{model}")).into();
        Ok(Self {
            identity: Identity {
                model: model.to_owned(),
                revision: without_values(&url),
                fingerprint,
            },
            client,
            url,
            headers,
            key,
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
        })
        .to_string();
        let mut tried = 1;
        loop {
            let trouble = match self.try_once(&body, texts.len()).await {
                Ok(vectors) => return Ok(vectors),
                Err(trouble) => trouble,
            };
            let failed = |reason| EncoderError::Service {
                model: self.identity.model.clone(),
                url: without_values(&self.url),
                reason,
            };
            if !trouble.passes {
                return Err(failed(trouble.reason));
            }
            if tried >= patience::MOST_TRIES {
                return Err(failed(format!(
                    "{}; given up after {tried} tries",
                    trouble.reason
                )));
            }
            tokio::time::sleep(patience::wait(trouble.wait, tried, patience::chance())).await;
            tried += 1;
        }
    }

    async fn try_once(&self, body: &str, texts: usize) -> Result<Vec<Vec<f32>>, Trouble> {
        let broken = |error: reqwest::Error| Trouble {
            reason: self.hidden(&with_causes(&error.without_url())),
            passes: true,
            wait: None,
        };
        let mut reply = self
            .client
            .post(&self.url)
            .headers(self.headers.clone())
            .header("content-type", "application/json")
            .body(body.to_owned())
            .send()
            .await
            .map_err(broken)?;
        let status = reply.status();
        let headers = reply.headers().clone();
        let mut bytes = Vec::new();
        while let Some(chunk) = reply.chunk().await.map_err(broken)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LARGEST_REPLY {
                return Err(Trouble::last(format!(
                    "the reply is larger than {} MiB",
                    LARGEST_REPLY >> 20
                )));
            }
        }
        let value: Option<Value> = serde_json::from_slice(&bytes).ok();
        if !status.is_success() {
            let error = value.as_ref().and_then(ServiceError::read);
            let text = match &error {
                Some(error) => error.to_string(),
                None => String::from_utf8_lossy(&bytes).into_owned(),
            };
            let is_used_up = error.is_some_and(|error| error.is_used_up());
            return Err(Trouble {
                reason: format!("HTTP {}, {}", status.as_u16(), self.words(&text)),
                passes: patience::may_pass(status.as_u16(), &headers) && !is_used_up,
                wait: patience::asked_for(&headers, Timestamp::now()),
            });
        }
        let value = value.ok_or_else(|| {
            let text = String::from_utf8_lossy(&bytes);
            Trouble::last(format!("the reply is no JSON: {}", self.words(&text)))
        })?;
        if let Some(error) = value.get("error").and(ServiceError::read(&value)) {
            return Err(Trouble::last(self.words(&error.to_string())));
        }
        read(&value, texts).map_err(Trouble::last)
    }

    fn hidden(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.redact(text).into_owned(),
            None => text.to_owned(),
        }
    }

    /// The beginning of what a service said, on one line.
    fn words(&self, text: &str) -> String {
        let text = self.hidden(text.trim());
        let line: Vec<&str> = text.split_whitespace().collect();
        line.join(" ").chars().take(WORDS).collect()
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
            component.as_f64().map(|component| component as f32)
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
    use super::*;

    #[test]
    fn a_reply_is_read_by_its_indices_or_refused() {
        let reply = json!({"data": [{"index": 1, "embedding": [3, 4.5]}, {"index": 0, "embedding": [1, 2]}]});
        assert_eq!(read(&reply, 2), Ok(vec![vec![1.0, 2.0], vec![3.0, 4.5]]));
        let reply = json!({"data": [{"embedding": [1]}, {"embedding": [2]}]});
        assert_eq!(read(&reply, 2), Ok(vec![vec![1.0], vec![2.0]]));
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
                json!({"data": [{"embedding": [1, null]}]}),
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
