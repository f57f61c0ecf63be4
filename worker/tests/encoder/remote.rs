//! A service with `/v1/embeddings`, played by a few lines of this test.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use worker::encoder::{Cache, Encoder as _, EncoderError, RemoteArgs, RemoteEncoder, vectors};

/// Heads and bodies of requests.
type Asked = Arc<Mutex<Vec<(String, Value)>>>;

/// Serves what `answer` makes of each request, the number of requests before it told; what was asked.
fn serve(answer: impl Fn(usize, &Value) -> (u16, String) + Send + 'static) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (head, body) = request(&stream);
            let mut log = log.lock().unwrap();
            let (status, reply) = answer(log.len(), &body);
            log.push((head, body));
            let length = reply.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\nretry-after: 0\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{reply}"
            );
        }
    });
    (address, asked)
}

fn request(stream: &TcpStream) -> (String, Value) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).unwrap();
    }
    let length = head
        .lines()
        .find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length: ")?
                .parse()
                .ok()
        })
        .unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (head, serde_json::from_slice(&body).unwrap())
}

/// One component: how many characters a text has; and another that keeps it from being alone.
fn lengths(body: &Value) -> String {
    let texts = body["input"].as_array().unwrap();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .rev()
        .map(
            |(index, text)| json!({"index": index, "embedding": [text.as_str().unwrap().len(), 1]}),
        )
        .collect();
    json!({ "data": data }).to_string()
}

/// The model `name` of a service.
fn encoder(address: &str, name: &str, runtime: &Runtime) -> RemoteEncoder {
    let args = RemoteArgs {
        base_url: Some(address.to_owned()),
        batch: 2,
        in_flight: 2,
        model_timeout: 20,
    };
    let key = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-0123456789abcdef".to_owned());
    RemoteEncoder::new(name, &args, &key, runtime.handle().clone()).unwrap()
}

fn encode(address: &str, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncoderError> {
    let runtime = Runtime::new().unwrap();
    let encoder = encoder(address, "some-model", &runtime);
    let found = vectors(&encoder, "p: ", texts, &mut Cache::none(), &|_| {});
    found.map(|found| found.vectors)
}

#[test]
fn texts_go_in_batches_and_come_back_in_their_order() {
    let (address, asked) = serve(|_, body| (200, lengths(body)));
    let found = encode(&address, &["a", "bbb", "", "a", "cc"]).unwrap();
    assert_eq!(
        found,
        [[4.0, 1.0], [6.0, 1.0], [3.0, 1.0], [4.0, 1.0], [5.0, 1.0]]
    );
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 2, "four different texts, two a batch");
    for (head, body) in asked.iter() {
        assert!(head.starts_with("POST /v1/embeddings HTTP/1.1"), "{head}");
        assert!(head.contains("Bearer sk-0123456789abcdef"));
        assert_eq!(body["model"], "some-model");
    }
}

#[test]
fn a_service_that_is_busy_is_asked_again() {
    let (address, asked) = serve(|before, body| {
        if before == 0 {
            (503, r#"{"error": {"message": "loading"}}"#.to_owned())
        } else {
            (200, lengths(body))
        }
    });
    assert_eq!(encode(&address, &["a"]).unwrap(), [[4.0, 1.0]]);
    assert_eq!(asked.lock().unwrap().len(), 2);
}

#[test]
fn a_refusal_is_told_without_the_key() {
    for (status, reply, expected) in [
        (
            401,
            r#"{"error": {"message": "wrong key sk-0123456789abcdef", "type": "invalid_request_error"}}"#,
            "HTTP 401, ",
        ),
        (200, "{}", "the reply has no list `data`"),
        (200, "<html>", "): <html>; twice"),
        (
            200,
            r#"{"data": [{"embedding": ["1"]}]}"#,
            "vector 0 of the reply holds something that is no number",
        ),
        (
            200,
            r#"{"data": [{"embedding": [1, null]}]}"#,
            "the vector of `a` has NaN as component 2",
        ),
        (
            200,
            r#"{"data": [{"embedding": [NaN]}]}"#,
            "NaN stands where a number is due, and JSON has no such number",
        ),
    ] {
        let (address, _) = serve(move |_, _| (status, reply.to_owned()));
        let error = encode(&address, &["a"]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains("0123456789"), "{error}");
    }
}

#[test]
fn an_address_where_nobody_is_is_told_soon_with_what_to_do() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = encode(&address, &["a"]).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("cannot reach the service"), "{said}");
    assert!(said.ends_with("given up after 3 tries"), "{said}");
    let hint = error.hint().unwrap();
    assert!(hint.contains("start the service"), "{hint}");
}

#[test]
fn a_busy_service_is_given_up_after_as_many_tries_as_an_agents() {
    // It says itself that no wait is needed; without that the test would take two minutes.
    let (address, asked) = serve(|_, _| (429, r#"{"error": {"message": "busy"}}"#.to_owned()));
    let error = encode(&address, &["a"]).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("HTTP 429, busy; given up after 8 tries"),
        "{said}"
    );
    assert_eq!(asked.lock().unwrap().len(), 8);
    let hint = error.hint().unwrap();
    assert!(hint.contains("goes on from what the cache holds"), "{hint}");
}

#[test]
fn a_reply_that_is_no_reply_is_asked_for_once_more() {
    let (address, asked) = serve(|before, body| {
        let reply = if before == 0 {
            "{\"data\": ["
        } else {
            &lengths(body)
        };
        (200, reply.to_owned())
    });
    assert_eq!(encode(&address, &["a"]).unwrap(), [[4.0, 1.0]]);
    assert_eq!(asked.lock().unwrap().len(), 2);
}

#[test]
fn vectors_are_kept_by_service_and_model_and_by_no_secret() {
    let runtime = Runtime::new().unwrap();
    let of = |address: &str, model: &str| encoder(address, model, &runtime).identity().clone();
    let one = of("http://127.0.0.1:9/v1?key=secret-of-today", "m");
    assert_eq!(one.revision, "http://127.0.0.1:9/v1/embeddings");
    for same in [
        "http://127.0.0.1:9/v1",
        "http://127.0.0.1:9/v1/?key=secret-of-tomorrow",
        "http://127.0.0.1:9/v1/embeddings",
    ] {
        assert_eq!(of(same, "m"), one, "{same}");
    }
    for (other, model) in [
        ("http://127.0.0.1:9/v1", "n"),
        ("http://127.0.0.1:9/v2", "m"),
        ("http://127.0.0.1:8/v1", "m"),
        ("https://127.0.0.1:9/v1", "m"),
    ] {
        assert_ne!(of(other, model).fingerprint, one.fingerprint, "{other}");
    }
}
