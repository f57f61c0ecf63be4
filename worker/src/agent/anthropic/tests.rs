use std::collections::HashMap;

use serde_json::{Value, json};

use super::reply::Reply;
use super::*;
use crate::agent::ToolInfo;
use crate::agent::api::mutate::{assembled, mutations};
use crate::agent::api::{KeyNeed, ModelAgent, ModelArgs, Stop, Turn};

const SECRET: &str = "sk-ant-0123456789";

fn args() -> ModelArgs {
    ModelArgs {
        base_url: None,
        max_output_tokens: None,
        thinking: None,
        model_params: None,
        prices: None,
        no_stream: false,
        tool_reply_chars: None,
        model_timeout: None,
    }
}

fn agent(args: &ModelArgs, variables: &[(&str, &str)]) -> Result<ModelAgent, Failure> {
    needing(KeyNeed::Now, args, variables)
}

fn needing(
    need: KeyNeed,
    args: &ModelArgs,
    variables: &[(&str, &str)],
) -> Result<ModelAgent, Failure> {
    let variables: HashMap<&str, &str> = variables.iter().copied().collect();
    let variable = |name: &str| variables.get(name).map(|value| (*value).to_owned());
    ModelAgent::new(
        &Messages,
        Some("claude-x"),
        Some("high"),
        args,
        need,
        &variable,
    )
}

#[test]
fn a_request_carries_effort_tools_and_marks_for_the_cache() {
    let args = ModelArgs {
        thinking: Some("adaptive".to_owned()),
        model_params: Some("{\"temperature\": 1}".to_owned()),
        ..args()
    };
    let agent = agent(&args, &[(FACTS.key_variable, SECRET)]).unwrap();
    let tools = ["query", "submit_csv"].map(|name| ToolInfo {
        name: name.to_owned(),
        description: format!("what {name} does"),
        input_schema: json!({ "type": "object" }),
    });
    let offered: Vec<Offered<'_>> = tools
        .iter()
        .map(|info| Offered {
            name: info.name.clone(),
            info,
        })
        .collect();
    let answered = |id: &str, text: &str, is_error| Answered {
        id: id.to_owned(),
        text: text.to_owned(),
        is_error,
    };
    let mut messages = vec![
        Messages.user("the question"),
        json!({ "role": "assistant", "content": [] }),
    ];
    messages.extend(Messages.results(&[answered("a", "rows", false), answered("b", "", true)]));
    messages.push(json!({ "role": "assistant", "content": [] }));
    messages.extend(Messages.results(&[answered("c", "more", false)]));
    let body = agent.request("the rules", &offered, &messages);
    let cached = json!({ "type": "ephemeral" });
    assert_eq!(
        body,
        json!({
            "model": "claude-x",
            "max_tokens": 16384,
            "stream": true,
            "temperature": 1,
            "output_config": { "effort": "high" },
            "thinking": { "type": "adaptive" },
            "system": [{ "type": "text", "text": "the rules", "cache_control": cached }],
            "tools": [
                { "name": "query", "description": "what query does", "input_schema": { "type": "object" } },
                { "name": "submit_csv", "description": "what submit_csv does", "input_schema": { "type": "object" }, "cache_control": cached },
            ],
            "messages": [
                { "role": "user", "content": [{ "type": "text", "text": "the question" }] },
                { "role": "assistant", "content": [] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "a", "content": [{ "type": "text", "text": "rows" }] },
                    { "type": "tool_result", "tool_use_id": "b", "is_error": true, "cache_control": cached },
                ] },
                { "role": "assistant", "content": [] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "c", "content": [{ "type": "text", "text": "more" }], "cache_control": cached },
                ] },
            ],
        })
    );
}

#[test]
fn what_makes_no_agent_is_refused_and_the_key_is_never_shown() {
    let with = |change: fn(&mut ModelArgs)| {
        let mut args = args();
        change(&mut args);
        args
    };
    for (args, variables, says) in [
        (args(), &[] as &[(&str, &str)], "needs a key"),
        (args(), &[(FACTS.key_variable, " ")], "needs a key"),
        (
            args(),
            &[(FACTS.key_variable, "two\nlines")],
            "characters that no key has",
        ),
        (
            with(|args| args.thinking = Some("100".to_owned())),
            &[(FACTS.key_variable, SECRET)],
            "cannot think",
        ),
        (
            with(|args| args.thinking = Some("16384".to_owned())),
            &[(FACTS.key_variable, SECRET)],
            "cannot think",
        ),
        (
            with(|args| args.base_url = Some("nowhere".to_owned())),
            &[(FACTS.key_variable, SECRET)],
            "no address",
        ),
        (
            with(|args| args.model_params = Some("{\"tools\": []}".to_owned())),
            &[(FACTS.key_variable, SECRET)],
            "may not set `tools`",
        ),
    ] {
        let error = agent(&args, variables).unwrap_err();
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert!(error.hint().is_some(), "{says}");
    }
    let agent = agent(&args(), &[(FACTS.key_variable, SECRET)]).unwrap();
    assert!(!format!("{agent:?}").contains(SECRET));
    // Who only asks what would be done needs none.
    let dry = needing(KeyNeed::NotYet, &args(), &[]).unwrap();
    assert!(
        dry.payer().contains("ANTHROPIC_API_KEY, which is not set"),
        "{}",
        dry.payer()
    );
}

#[test]
fn the_messages_lie_below_the_base() {
    for (base, expected) in [
        (
            "https://api.anthropic.com",
            "https://api.anthropic.com/v1/messages",
        ),
        ("http://h:1/", "http://h:1/v1/messages"),
        ("http://h:1/v1/", "http://h:1/v1/messages"),
        ("http://h:1/x/messages", "http://h:1/x/messages"),
        ("http://h:1/x?v=2", "http://h:1/x/v1/messages?v=2"),
        ("http://h:1/v1?v=2", "http://h:1/v1/messages?v=2"),
    ] {
        assert_eq!(Messages.place(base), expected);
    }
}

fn streamed(events: &[Value]) -> (Turn, Option<crate::agent::api::Tokens>, bool) {
    let mut reply = Reply::default();
    for event in events {
        reply.event(event).unwrap();
    }
    let (tokens, whole) = (reply.tokens(), reply.is_whole());
    (Box::new(reply).turn(), tokens, whole)
}

fn start() -> Value {
    json!({ "type": "message_start", "message": {
        "model": "claude-x-1", "content": [],
        "usage": { "input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 1 },
    } })
}

fn block(index: u32, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u32, delta: &Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn input(index: u32, piece: &str) -> Value {
    delta(
        index,
        &json!({ "type": "input_json_delta", "partial_json": piece }),
    )
}

fn end_of(index: u32) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn stopped(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_details": null }, "usage": { "output_tokens": 50, "input_tokens": null } })
}

fn tool(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "query", "input": {} })
}

#[test]
fn a_stream_becomes_thinking_text_and_calls() {
    let thinking = json!({ "type": "thinking", "thinking": "", "signature": "" });
    let (turn, tokens, whole) = streamed(&[
        start(),
        json!({ "type": "ping" }),
        block(0, &thinking),
        delta(
            0,
            &json!({ "type": "thinking_delta", "thinking": "let me " }),
        ),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "see" })),
        delta(
            0,
            &json!({ "type": "signature_delta", "signature": "c2ln" }),
        ),
        end_of(0),
        block(1, &json!({ "type": "text", "text": "" })),
        delta(1, &json!({ "type": "text_delta", "text": "I ask." })),
        end_of(1),
        block(2, &tool("a")),
        input(2, "{\"query\": \"SEL"),
        input(2, "ECT\"}"),
        end_of(2),
        block(3, &tool("b")),
        input(3, ""),
        end_of(3),
        json!({ "type": "an_event_to_come" }),
        stopped("tool_use"),
        json!({ "type": "message_stop" }),
    ]);
    assert!(whole);
    assert_eq!(turn.text, "I ask.");
    assert_eq!(turn.reasoning, "let me see");
    assert_eq!(turn.stop, Stop::Done);
    assert_eq!(turn.model.as_deref(), Some("claude-x-1"));
    let arguments: Vec<Value> = turn
        .calls
        .iter()
        .map(|call| call.arguments.clone().unwrap())
        .collect();
    assert_eq!(arguments, [json!({ "query": "SELECT" }), json!({})]);
    assert_eq!(
        turn.message.unwrap()["content"],
        json!([
            { "type": "thinking", "thinking": "let me see", "signature": "c2ln" },
            { "type": "text", "text": "I ask." },
            { "type": "tool_use", "id": "a", "name": "query", "input": { "query": "SELECT" } },
            { "type": "tool_use", "id": "b", "name": "query", "input": {} },
        ])
    );
    let tokens = tokens.unwrap();
    assert_eq!(
        (
            tokens.input,
            tokens.output,
            tokens.cache_read,
            tokens.cache_write
        ),
        (130, 50, 100, 20)
    );
}

#[test]
fn a_call_that_was_cut_is_told_and_never_made() {
    for (pieces, made) in [
        (&["{\"query\": \"SEL"] as &[&str], false),
        (&[""], false),
        (&["{\"query\": \"SELECT\"}"], true),
    ] {
        let mut events = vec![
            start(),
            block(0, &tool("a")),
            input(0, "{\"query\": \"whole\"}"),
            end_of(0),
            block(1, &tool("b")),
        ];
        events.extend(pieces.iter().map(|piece| input(1, piece)));
        events.extend([end_of(1), stopped("max_tokens")]);
        let (turn, _, whole) = streamed(&events);
        assert!(whole);
        assert_eq!(turn.stop, Stop::Cut);
        let usable: Vec<bool> = turn
            .calls
            .iter()
            .map(|call| call.arguments.is_ok())
            .collect();
        assert_eq!(usable, [true, made], "{pieces:?}");
        // The API wants an object there, whatever came.
        assert!(turn.message.unwrap()["content"][1]["input"].is_object());
    }
}

#[test]
fn thinking_that_was_cut_is_not_sent_back() {
    let (turn, _, _) = streamed(&[
        start(),
        block(
            0,
            &json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "so" })),
        stopped("max_tokens"),
    ]);
    assert_eq!((turn.reasoning.as_str(), turn.message), ("so", None));
}

#[test]
fn every_reason_to_stop_is_known_or_kept() {
    for (word, stop) in [
        ("end_turn", Stop::Done),
        ("stop_sequence", Stop::Done),
        ("tool_use", Stop::Done),
        ("max_tokens", Stop::Cut),
        ("model_context_window_exceeded", Stop::Full),
        ("refusal", Stop::Refused),
        ("pause_turn", Stop::Paused),
        ("a_reason_to_come", Stop::Other),
    ] {
        let (turn, _, _) = streamed(&[start(), stopped(word)]);
        assert_eq!(turn.stop, stop, "{word}");
        assert_eq!(turn.stop_word.as_deref(), Some(word));
    }
}

#[test]
fn a_stream_without_its_end_is_not_whole_and_an_error_in_it_is_one() {
    let (_, tokens, whole) = streamed(&[start(), block(0, &tool("a")), input(0, "{}"), end_of(0)]);
    assert!(!whole);
    assert_eq!(tokens.unwrap().input, 130);
    let mut reply = Reply::default();
    let error = reply.event(&json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }));
    assert_eq!(
        error.unwrap_err().to_string(),
        "overloaded_error: Overloaded"
    );
}

#[test]
fn a_reply_in_one_piece_is_the_same_reply() {
    let mut reply = Reply::default();
    let message = json!({
        "type": "message", "model": "claude-x-1", "stop_reason": "refusal", "usage": { "input_tokens": 3, "output_tokens": 2 },
        "stop_details": { "type": "refusal", "category": "bio" },
        "content": [{ "type": "text", "text": " " }, { "type": "text", "text": "No." }, tool("a")],
    });
    reply.whole(message).unwrap();
    assert!(reply.is_whole());
    let turn = Box::new(reply).turn();
    assert_eq!((turn.text.as_str(), turn.stop), (" No.", Stop::Refused));
    assert_eq!(
        turn.others,
        [json!({ "type": "refusal", "category": "bio" })]
    );
    assert_eq!(
        turn.message.unwrap()["content"],
        json!([{ "type": "text", "text": "No." }, tool("a")])
    );

    let mut cut = Reply::default();
    cut.whole(json!({ "stop_reason": "max_tokens", "content": [{ "type": "tool_use", "id": "a", "name": "query", "input": { "query": "SEL" } }] })).unwrap();
    assert!(Box::new(cut).turn().calls[0].arguments.is_err());
}

/// Whatever a service sends, the program goes on; what it makes of it can be sent and written.
#[test]
fn a_reply_with_anything_odd_in_it_is_still_put_together() {
    let good = [
        start(),
        block(
            0,
            &json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "so" })),
        delta(
            0,
            &json!({ "type": "signature_delta", "signature": "c2ln" }),
        ),
        end_of(0),
        block(1, &json!({ "type": "text", "text": "" })),
        delta(1, &json!({ "type": "text_delta", "text": "I ask." })),
        delta(
            1,
            &json!({ "type": "citations_delta", "citation": { "x": 1 } }),
        ),
        block(2, &tool("a")),
        input(2, "{\"query\": 1}"),
        end_of(2),
        stopped("tool_use"),
    ];
    let all = mutations(&good);
    assert!(all.len() > 500, "{}", all.len());
    for events in all {
        let turn = assembled(Box::new(Reply::default()), &events);
        assert!(
            turn.message
                .is_none_or(|message| message["content"].is_array()),
            "{events:?}"
        );
        assert!(
            turn.calls.iter().all(|call| call.arguments.is_err()
                || call.arguments.as_ref().is_ok_and(Value::is_object))
        );
    }
    let whole = json!({ "type": "message", "model": "m", "stop_reason": "tool_use", "usage": { "input_tokens": 1 },
        "content": [{ "type": "text", "text": "x" }, tool("a")] });
    for mut reply in mutations(&[whole]) {
        let mut assembly = Reply::default();
        if assembly.whole(reply.remove(0)).is_ok() {
            let _ = Box::new(assembly).turn();
        }
    }
}
