use serde_json::{Value, json};

use super::reply::Reply;
use super::*;
use crate::agent::ToolInfo;
use crate::agent::api::mutate::{assembled, mutations};
use crate::agent::api::{KeyNeed, ModelAgent, Stop, Tokens, Turn};

fn args(base_url: Option<&str>) -> ModelArgs {
    ModelArgs {
        base_url: base_url.map(str::to_owned),
        max_output_tokens: Some(500),
        thinking: None,
        model_params: None,
        prices: None,
        no_stream: false,
        tool_reply_chars: None,
        model_timeout: None,
    }
}

fn agent(base_url: Option<&str>, key: Option<&str>) -> Result<ModelAgent, Failure> {
    let variable = |name: &str| {
        (name == FACTS.key_variable)
            .then(|| key.map(str::to_owned))
            .flatten()
    };
    ModelAgent::new(
        &Chat,
        Some("m"),
        Some("low"),
        &args(base_url),
        KeyNeed::Now,
        &variable,
    )
}

#[test]
fn a_request_has_the_members_that_the_service_knows() {
    let tools = [ToolInfo {
        name: "query".to_owned(),
        description: "asks".to_owned(),
        input_schema: Value::Null,
    }];
    let offered: Vec<Offered<'_>> = tools
        .iter()
        .map(|info| Offered {
            name: info.name.clone(),
            info,
        })
        .collect();
    for (base, key, most) in [
        (None, Some("sk-0123456789ab"), "max_completion_tokens"),
        (Some("http://127.0.0.1:8080/v1"), None, "max_tokens"),
    ] {
        let agent = agent(base, key).unwrap();
        let mut messages = vec![Chat.user("the question")];
        messages.extend(Chat.results(&[
            Answered {
                id: "a".to_owned(),
                text: "rows".to_owned(),
                is_error: false,
            },
            Answered {
                id: "b".to_owned(),
                text: "it failed".to_owned(),
                is_error: true,
            },
        ]));
        assert_eq!(
            agent.request("the rules", &offered, &messages),
            json!({
                "model": "m",
                "stream": true,
                "stream_options": { "include_usage": true },
                "reasoning_effort": "low",
                most: 500,
                "tools": [{ "type": "function", "function": {
                    "name": "query", "description": "asks", "parameters": { "type": "object", "properties": {} },
                } }],
                "messages": [
                    { "role": "system", "content": "the rules" },
                    { "role": "user", "content": "the question" },
                    { "role": "tool", "tool_call_id": "a", "content": "rows" },
                    { "role": "tool", "tool_call_id": "b", "content": "error: it failed" },
                ],
            })
        );
    }
}

#[test]
fn only_the_home_service_needs_a_key() {
    let error = agent(None, None).unwrap_err();
    assert!(error.to_string().contains("needs a key"), "{error}");
    assert!(agent(Some("http://127.0.0.1:8080/v1"), None).is_ok());
    let agent = agent(None, Some("sk-0123456789ab")).unwrap();
    assert!(!format!("{agent:?}").contains("sk-0123456789ab"));
}

#[test]
fn the_completions_lie_below_the_base() {
    for (base, expected) in [
        (
            "https://api.openai.com/v1",
            "https://api.openai.com/v1/chat/completions",
        ),
        ("http://h:1/v1/", "http://h:1/v1/chat/completions"),
        (
            "http://h:1/v1/chat/completions",
            "http://h:1/v1/chat/completions",
        ),
        (
            "http://h/d?api-version=1",
            "http://h/d/chat/completions?api-version=1",
        ),
    ] {
        assert_eq!(Chat.place(base), expected);
    }
}

fn chunk(delta: &Value) -> Value {
    json!({ "model": "m-1", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn finish(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

fn piece(call: &Value) -> Value {
    chunk(&json!({ "tool_calls": [call] }))
}

fn streamed(events: &[Value]) -> (Turn, Option<Tokens>, bool) {
    let mut reply = Reply::default();
    for event in events {
        reply.event(event).unwrap();
    }
    let (tokens, whole) = (reply.tokens(), reply.is_whole());
    (Box::new(reply).turn(), tokens, whole)
}

#[test]
fn a_stream_becomes_text_reasoning_and_calls() {
    let (turn, tokens, whole) = streamed(&[
        chunk(&json!({ "role": "assistant", "content": null, "reasoning_content": "let me " })),
        chunk(&json!({ "reasoning_content": "see" })),
        chunk(&json!({ "content": "I " })),
        chunk(&json!({ "content": "ask." })),
        piece(
            &json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "query", "arguments": "" } }),
        ),
        piece(&json!({ "index": 0, "function": { "arguments": "{\"q\":" } })),
        piece(
            &json!({ "index": 1, "id": "b", "type": "function", "function": { "name": "submit_csv", "arguments": "{}" } }),
        ),
        piece(&json!({ "index": 0, "function": { "arguments": "1}" } })),
        finish("tool_calls"),
        json!({ "choices": [], "usage": { "prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35,
            "prompt_tokens_details": { "cached_tokens": 20 } } }),
    ]);
    assert!(whole);
    assert_eq!(
        (turn.text.as_str(), turn.reasoning.as_str()),
        ("I ask.", "let me see")
    );
    assert_eq!(turn.model.as_deref(), Some("m-1"));
    let calls: Vec<(&str, &str, Value)> = turn
        .calls
        .iter()
        .map(|call| {
            (
                call.id.as_str(),
                call.name.as_str(),
                call.arguments.clone().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        calls,
        [
            ("a", "query", json!({ "q": 1 })),
            ("b", "submit_csv", json!({}))
        ]
    );
    assert_eq!(
        turn.message.unwrap(),
        json!({ "role": "assistant", "content": "I ask.", "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "query", "arguments": "{\"q\":1}" } },
            { "id": "b", "type": "function", "function": { "name": "submit_csv", "arguments": "{}" } },
        ] })
    );
    assert_eq!(
        tokens,
        Some(Tokens {
            input: 30,
            output: 5,
            cache_read: 20,
            cache_write: 0
        })
    );
}

#[test]
fn calls_are_told_apart_whatever_a_service_leaves_out() {
    let function = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    for (kind, pieces) in [
        (
            "one index for all",
            vec![
                json!({ "index": 0, "id": "a", "function": function("query", json!("{\"q\":1}")) }),
                json!({ "index": 0, "id": "b", "function": function("query", json!("{\"q\":2}")) }),
            ],
        ),
        (
            "no index",
            vec![
                json!({ "id": "a", "function": function("query", json!("{\"q\":")) }),
                json!({ "id": "a", "function": { "arguments": "1}" } }),
                json!({ "id": "b", "function": function("query", json!("{\"q\":2}")) }),
            ],
        ),
        (
            "no ids",
            vec![
                json!({ "index": 0, "function": function("query", json!("{\"q\":1}")) }),
                json!({ "index": 1, "id": "", "function": function("query", json!("{\"q\":")) }),
                json!({ "index": 1, "function": function("query", json!("2}")) }),
            ],
        ),
        (
            "neither, and arguments that are an object",
            vec![
                json!({ "function": function("query", json!({"q": 1})) }),
                json!({ "function": function("query", json!({"q": 2})) }),
            ],
        ),
    ] {
        let mut events: Vec<Value> = pieces.iter().map(piece).collect();
        events.push(finish("tool_calls"));
        let (turn, _, _) = streamed(&events);
        let arguments: Vec<Value> = turn
            .calls
            .iter()
            .map(|call| call.arguments.clone().unwrap())
            .collect();
        assert_eq!(arguments, [json!({ "q": 1 }), json!({ "q": 2 })], "{kind}");
        assert_ne!(turn.calls[0].id, turn.calls[1].id, "{kind}");
    }
}

#[test]
fn malformed_arguments_are_kept_for_the_model_and_not_sent_back_as_they_are() {
    let (turn, _, _) = streamed(&[
        piece(
            &json!({ "index": 0, "id": "a", "function": { "name": "query", "arguments": "{\"q\": 'x'}" } }),
        ),
        finish("tool_calls"),
    ]);
    let unusable = turn.calls[0].arguments.clone().unwrap_err();
    assert_eq!(unusable.text, "{\"q\": 'x'}");
    assert_eq!(
        turn.message.unwrap()["tool_calls"][0]["function"]["arguments"],
        "{}"
    );
}

#[test]
fn every_reason_to_stop_is_known_or_kept() {
    for (word, stop) in [
        ("stop", Stop::Done),
        ("tool_calls", Stop::Done),
        ("length", Stop::Cut),
        ("content_filter", Stop::Refused),
        ("a_reason_to_come", Stop::Other),
    ] {
        let (turn, _, whole) = streamed(&[chunk(&json!({ "content": "x" })), finish(word)]);
        assert!(whole);
        assert_eq!((turn.stop, turn.stop_word.as_deref()), (stop, Some(word)));
    }
    let (turn, _, _) = streamed(&[chunk(&json!({ "refusal": "I can't." })), finish("stop")]);
    assert_eq!(turn.stop, Stop::Refused);
    assert_eq!(turn.others, [json!({ "refusal": "I can't." })]);
}

#[test]
fn a_stream_is_whole_when_it_says_so_in_one_way_or_the_other() {
    let events = [chunk(&json!({ "content": "x" }))];
    let (_, tokens, whole) = streamed(&events);
    assert_eq!((tokens, whole), (None, false));
    let mut reply = Reply::default();
    reply.event(&events[0]).unwrap();
    reply.done();
    assert!(reply.is_whole());
    assert_eq!(Box::new(reply).turn().stop, Stop::Done);
}

#[test]
fn a_reply_in_one_piece_is_the_same_reply() {
    let mut reply = Reply::default();
    reply
        .whole(json!({
            "model": "m-1",
            "choices": [{ "finish_reason": "tool_calls", "message": {
                "role": "assistant", "content": [{ "type": "text", "text": "I ask." }], "reasoning": "so",
                "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "query", "arguments": "{\"q\":1}" } }],
            } }],
            "usage": { "prompt_tokens": 3, "completion_tokens": 2 },
        }))
        .unwrap();
    assert!(reply.is_whole());
    let turn = Box::new(reply).turn();
    assert_eq!(
        (turn.text.as_str(), turn.reasoning.as_str()),
        ("I ask.", "so")
    );
    assert_eq!(turn.calls[0].arguments, Ok(json!({ "q": 1 })));

    let mut failed = Reply::default();
    let error = failed
        .whole(json!({ "error": { "message": "down", "code": 502 } }))
        .unwrap_err();
    assert_eq!((error.message.as_str(), error.status), ("down", Some(502)));
    let mut odd = Reply::default();
    odd.whole(json!({ "id": "x" })).unwrap();
    assert!(!odd.is_whole());
}

/// Whatever a service sends, the program goes on; what it makes of it can be sent and written.
#[test]
fn a_reply_with_anything_odd_in_it_is_still_put_together() {
    let call = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "query", "arguments": "{\"q\":1}" } });
    let good = [
        chunk(&json!({ "role": "assistant", "content": "I ", "reasoning_content": "so" })),
        piece(&call),
        finish("tool_calls"),
        json!({ "choices": [], "usage": { "prompt_tokens": 3, "completion_tokens": 2, "prompt_tokens_details": { "cached_tokens": 1 } } }),
    ];
    let all = mutations(&good);
    assert!(all.len() > 300, "{}", all.len());
    for events in all {
        let turn = assembled(Box::new(Reply::default()), &events);
        assert!(
            turn.message
                .is_none_or(|message| message["content"].is_string()),
            "{events:?}"
        );
        assert!(
            turn.calls.iter().all(|call| call.arguments.is_err()
                || call.arguments.as_ref().is_ok_and(Value::is_object))
        );
    }
    let whole = json!({ "model": "m", "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": [{ "text": "x" }], "tool_calls": [call] } }] });
    for mut reply in mutations(&[whole]) {
        let mut assembly = Reply::default();
        if assembly.whole(reply.remove(0)).is_ok() {
            let _ = Box::new(assembly).turn();
        }
    }
}
