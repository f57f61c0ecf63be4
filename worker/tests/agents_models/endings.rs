//! The ways in which a reply ends, and what follows from each.

use serde_json::{Value, json};

use crate::bench::{Bench, RIGHT, streams};
use crate::service::{Api, Reply, Say};

#[test]
fn a_refusal_is_the_end_and_no_answer() {
    for (api, word) in [(Api::Anthropic, "refusal"), (Api::OpenAi, "content_filter")] {
        let bench = Bench::new();
        let refuses = Say::text("I can't help with that.").stop(word);
        let (attempt, service) = bench.attempt(api, vec![refuses.stream(api)], &[]);
        assert_eq!(attempt.metrics["outcome"], "no-answer", "{api:?}");
        assert_eq!(service.seen().len(), 1);
        let line = attempt
            .transcript
            .iter()
            .find(|line| line["role"] == "assistant")
            .unwrap();
        assert_eq!(line["stop"], word);
    }
}

#[test]
fn a_reason_to_stop_that_is_new_ends_a_reply_without_calls_and_no_other() {
    for api in [Api::Anthropic, Api::OpenAi] {
        let bench = Bench::new();
        let submits =
            Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]).stop("a_reason_to_come");
        let replies = streams(api, &[submits, Say::text("Done.").stop("a_reason_to_come")]);
        let (attempt, service) = bench.attempt(api, replies, &[]);
        assert_eq!(attempt.metrics["scores"]["exact"], true, "{api:?}");
        assert_eq!(service.seen().len(), 2);
    }
}

#[test]
fn a_long_turn_that_the_service_pauses_goes_on() {
    let api = Api::Anthropic;
    let bench = Bench::new();
    let replies = streams(
        api,
        &[
            Say::text("Let me think").stop("pause_turn"),
            Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]),
            Say::text("Done."),
        ],
    );
    let (attempt, service) = bench.attempt(api, replies, &[]);
    assert_eq!(attempt.metrics["scores"]["exact"], true);
    let messages = service.seen()[1].body["messages"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(messages.last().unwrap()["role"], "assistant");
}

#[test]
fn an_overlong_output_is_cut_and_the_model_told_so() {
    for (api, word) in [(Api::Anthropic, "max_tokens"), (Api::OpenAi, "length")] {
        let bench = Bench::new();
        let submits = Say::calls(&[("submit_csv", json!({ "csv": RIGHT }))]);
        // Half a call: what is there of it must not be made.
        let half = Say {
            calls: vec![("submit_csv", "{\"csv\": \"name,cond".to_owned())],
            ..Say::text("Here it comes").stop(word)
        };
        let replies = streams(
            api,
            &[
                Say::text("First, let me").stop(word),
                half,
                submits,
                Say::text("Done."),
            ],
        );
        let (attempt, service) = bench.attempt(api, replies, &[]);
        assert_eq!(
            attempt.metrics["scores"]["exact"], true,
            "{api:?}: {}",
            attempt.metrics
        );
        assert_eq!(attempt.calls.len(), 1, "{api:?}: {:?}", attempt.calls);
        assert_eq!(attempt.metrics["usage"]["malformed_calls"], 1);
        let seen = service.seen();
        let told = |place: usize| seen[place].body["messages"].to_string();
        assert!(
            told(1).contains("was cut at the limit of one message"),
            "{}",
            told(1)
        );
        assert!(
            told(2).contains("the call was cut at the limit of your output"),
            "{}",
            told(2)
        );
    }
}

#[test]
fn a_model_that_is_cut_again_and_again_has_failed() {
    for (api, word) in [(Api::Anthropic, "max_tokens"), (Api::OpenAi, "length")] {
        let bench = Bench::new();
        let replies = vec![Say::text("On and on").stop(word).stream(api); 5];
        let (attempt, service) = bench.attempt(api, replies, &[]);
        assert_eq!(attempt.metrics["outcome"], "agent-error", "{api:?}");
        assert_eq!(attempt.metrics["infrastructure"], false);
        assert_eq!(service.seen().len(), 3);
    }
}

#[test]
fn a_conversation_that_fills_the_context_is_the_agents_failure() {
    let full = |api: Api, message: &str| match api {
        Api::Anthropic => {
            json!({ "type": "error", "error": { "type": "invalid_request_error", "message": message } })
        }
        Api::OpenAi => {
            json!({ "error": { "message": message, "type": "invalid_request_error", "code": "context_length_exceeded" } })
        }
    };
    for (api, reply) in [
        (
            Api::Anthropic,
            Say::text("So far")
                .stop("model_context_window_exceeded")
                .stream(Api::Anthropic),
        ),
        (
            Api::Anthropic,
            Reply::refusal(
                400,
                full(
                    Api::Anthropic,
                    "prompt is too long: 210000 tokens > 200000 maximum",
                ),
            ),
        ),
        (
            Api::OpenAi,
            Reply::refusal(
                400,
                full(
                    Api::OpenAi,
                    "This model's maximum context length is 4096 tokens.",
                ),
            ),
        ),
    ] {
        let bench = Bench::new();
        let (attempt, _) = bench.attempt(api, vec![reply], &[]);
        let metrics = &attempt.metrics;
        assert_eq!(
            (&metrics["outcome"], &metrics["infrastructure"]),
            (&json!("agent-error"), &json!(false)),
            "{metrics}"
        );
        assert_eq!(metrics["flags"]["model_api_failed"], false);
    }
}

#[test]
fn reasoning_is_kept_in_the_transcript_and_sent_back_only_where_the_api_wants_it() {
    let bench = Bench::new();
    let mut events = Say::calls(&[("list_graphs", json!({}))]).events(Api::OpenAi);
    events.insert(
        1,
        json!({ "choices": [{ "index": 0, "delta": { "reasoning_content": "I wonder." } }] }),
    );
    let replies = vec![Reply::Stream(events), Say::text("So.").stream(Api::OpenAi)];
    let (attempt, service) = bench.attempt(Api::OpenAi, replies, &[]);
    let reasoning = |transcript: &[Value]| {
        let line = transcript
            .iter()
            .find(|line| line["role"] == "assistant")
            .unwrap();
        line["reasoning"].clone()
    };
    assert_eq!(reasoning(&attempt.transcript), "I wonder.");
    assert!(!service.seen()[1].body.to_string().contains("I wonder."));

    let bench = Bench::new();
    let mut events = Say::calls(&[("list_graphs", json!({}))]).events(Api::Anthropic);
    let thinking = [
        json!({ "type": "content_block_start", "index": 7, "content_block": { "type": "thinking", "thinking": "", "signature": "" } }),
        json!({ "type": "content_block_delta", "index": 7, "delta": { "type": "thinking_delta", "thinking": "I wonder." } }),
        json!({ "type": "content_block_delta", "index": 7, "delta": { "type": "signature_delta", "signature": "c2ln" } }),
        json!({ "type": "content_block_stop", "index": 7 }),
    ];
    for event in thinking.into_iter().rev() {
        events.insert(1, event);
    }
    let replies = vec![
        Reply::Stream(events),
        Say::text("So.").stream(Api::Anthropic),
    ];
    let (attempt, service) = bench.attempt(Api::Anthropic, replies, &["--thinking", "adaptive"]);
    assert_eq!(reasoning(&attempt.transcript), "I wonder.");
    let seen = service.seen();
    assert_eq!(seen[0].body["thinking"], json!({ "type": "adaptive" }));
    assert!(seen[1].body["messages"].to_string().contains("c2ln"));
}
