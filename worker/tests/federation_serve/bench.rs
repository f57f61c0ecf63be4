//! An endpoint over a few triples, and a client that says exactly what it sends.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use tempfile::TempDir;
use tokio::net::TcpListener;
use worker::serve::{Data, Limits, app};

/// Two named graphs and a triple in none; every kind of term.
const DATA: &str = r#"
PREFIX e: <http://e/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
GRAPH e:one { e:a e:p e:b ; e:name "lait"@fr , "a \"quoted\", <tagged> & long\nvalue" . }
GRAPH e:two { e:a e:q 7 , 1.50 , true ; e:on "2026-11-30"^^xsd:date ; e:of [] . }
e:a e:r e:c .
"#;

pub(crate) struct Endpoint {
    pub(crate) url: String,
    client: Client,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

impl Endpoint {
    pub(crate) async fn new() -> Self {
        Self::with(Duration::from_mins(1)).await
    }

    pub(crate) async fn with(timeout: Duration) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("data.trig");
        std::fs::write(&file, DATA).unwrap();
        let data = Data::files(&[file]).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/sparql", listener.local_addr().unwrap());
        let app = app(
            data,
            Limits {
                timeout,
                at_once: 2,
            },
        );
        tokio::spawn(async move { axum::serve(listener, app).await });
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().build().unwrap();
        Self { url, client }
    }

    /// Sends a request to the endpoint with this behind its address.
    pub(crate) async fn send(
        &self,
        method: &str,
        behind: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let url = format!("{}{behind}", self.url);
        let mut request = self.client.request(method, url).body(body.to_owned());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let reply = request.send().await.unwrap();
        Reply {
            status: reply.status().as_u16(),
            headers: reply.headers().clone(),
            body: reply.text().await.unwrap(),
        }
    }

    /// Posts a query as it is, with parameters in the address.
    pub(crate) async fn ask(
        &self,
        query: &str,
        parameters: &[(&str, &str)],
        accept: &str,
    ) -> Reply {
        let mut behind = form_urlencoded::Serializer::new(String::from("?"));
        for (name, value) in parameters {
            behind.append_pair(name, value);
        }
        let headers = [
            ("content-type", "application/sparql-query"),
            ("accept", accept),
        ];
        self.send("POST", &behind.finish(), &headers, query).await
    }
}
