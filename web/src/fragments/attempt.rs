//! An attempt: its line in the list and, drawn in the tables worker, what it took, how its terms were chosen, and its calls.

use control::Evidence;
use sweep::{AnsweredBy, AttemptEntry, AttemptPage, Call, Cost, money};

use crate::fragments::facts;
use crate::fragments::fate::fate;
use crate::fragments::html::Html;
use crate::fragments::sparql::sparql;
use crate::fragments::table;
use crate::state::format;
use crate::state::matrix::outcome_words;

/// How the attempt ended, in one line.
pub fn line(entry: &AttemptEntry) -> String {
    let metrics = &entry.metrics;
    let mut html = Html::new();
    html.open("span", &[("class", "attempt-line")])
        .leaf("span", &[("class", "mono")], &entry.agent)
        .leaf(
            "span",
            &[("class", "quiet")],
            &format!("attempt {}", entry.n),
        )
        .leaf("span", &[], outcome_words(metrics.outcome));
    if let Some(obedience) = metrics.obedience {
        fate(&mut html, obedience.as_str(), obedience.as_str());
    }
    match &metrics.scores {
        Some(scores) if scores.exact => fate(&mut html, "exact", "exact"),
        Some(scores) => {
            html.leaf("span", &[], &format!("f1 {}", format::score(scores.f1)));
        }
        None => {}
    }
    let mut remarks = vec![
        format::counted(metrics.rows, "row", "rows"),
        format::counted(metrics.calls as usize, "call", "calls"),
        format::duration(metrics.seconds * 1_000.0),
    ];
    for (holds, remark) in [
        (metrics.infrastructure, "lost to the infrastructure"),
        (metrics.flags.lost_upstream, "connection lost"),
        (metrics.flags.timed_out, "ran out of time after submitting"),
    ] {
        if holds {
            remarks.push(remark.to_owned());
        }
    }
    html.leaf("span", &[("class", "quiet")], &remarks.join(" · "));
    html.finish()
}

/// What is drawn of an attempt's file, in the tables worker: what it took and how its terms were chosen; the text that it
/// submitted; its calls.
pub fn parts(own: &AttemptPage) -> Vec<String> {
    let title = format!("{}, attempt {}", own.agent, own.n);
    vec![facts(own), answer(own, &title), calls(own, &title)]
}

/// The submitted text, byte for byte.
fn answer(own: &AttemptPage, title: &str) -> String {
    let mut html = Html::new();
    let Some(text) = &own.answer else {
        html.leaf(
            "p",
            &[("class", "empty")],
            "Nothing was submitted, so there is nothing to compare.",
        );
        return html.finish();
    };
    html.leaf(
        "h3",
        &[],
        &format!("Answer as submitted, {}", format::bytes(text.len() as u64)),
    );
    let region = [
        ("class", "answer-text"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", &format!("Answer as submitted, {title}")),
    ];
    html.leaf(
        "pre",
        &region,
        if text.is_empty() {
            "(an empty file)"
        } else {
            text
        },
    );
    html.finish()
}

/// What the attempt took, how its calls chose their terms, and why its text is no table.
fn facts(own: &AttemptPage) -> String {
    let metrics = &own.metrics;
    let seconds = |seconds: f64| format::duration(seconds * 1_000.0);
    let mut named = vec![
        ("Took", seconds(metrics.seconds)),
        ("In calls to the server", seconds(metrics.server_seconds)),
    ];
    named.extend(
        metrics
            .waiting_seconds
            .map(|waited| ("Waited, on top", seconds(waited))),
    );
    named.extend(metrics.model.clone().map(|model| ("Model", model)));
    if let Some(usage) = metrics.usage {
        let tokens = |tokens: u64| format::count(usize::try_from(tokens).unwrap_or(usize::MAX));
        let cost = |usd| {
            money(Cost {
                usd: Some(usd),
                incomplete: usage.cost_incomplete,
                ..Cost::default()
            })
        };
        let known = [
            (
                "Replies of the model",
                usage.turns.map(|turns| turns.to_string()),
            ),
            ("Tokens read", usage.input_tokens.map(tokens)),
            ("Tokens written", usage.output_tokens.map(tokens)),
            ("Cost", usage.cost_usd.map(cost)),
        ];
        let known = known.into_iter();
        named.extend(known.filter_map(|(name, figure)| Some((name, figure?))));
    }
    if metrics.lost_before > 0 {
        named.push((
            "Lost before and made again",
            metrics.lost_before.to_string(),
        ));
    }
    if metrics.upstream_soft_errors > 0 {
        named.push(("Soft errors", metrics.upstream_soft_errors.to_string()));
    }
    if metrics.calls_after_loss > 0 {
        named.push((
            "Calls after the connection was lost",
            metrics.calls_after_loss.to_string(),
        ));
    }
    let named: Vec<(&str, &str)> = named
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut html = Html::new();
    facts::facts(&mut html, &named);
    if let Some(reason) = &metrics.reason {
        html.open("p", &[("class", "after-table")])
            .leaf("strong", &[], "What ended it: ")
            .text(reason)
            .end();
    }
    evidence(&mut html, own);
    if let Some(why) = &metrics.answer_error {
        html.leaf(
            "p",
            &[("class", "problem")],
            &format!("The submitted text is no table: {why}"),
        );
    }
    html.finish()
}

/// By which means terms were chosen, with the calls behind each.
fn evidence(html: &mut Html, own: &AttemptPage) {
    html.leaf(
        "h3",
        &[("class", "after-table")],
        "How its terms were chosen",
    );
    if shown(own).next().is_none() {
        html.leaf(
            "p",
            &[("class", "quiet")],
            "No call that succeeded shows by which means.",
        );
        return;
    }
    html.open("ul", &[("class", "remarks")]);
    for (evidence, calls) in shown(own) {
        let word = if calls.len() == 1 { "call" } else { "calls" };
        let calls: Vec<String> = calls.iter().map(u32::to_string).collect();
        html.open("li", &[])
            .leaf("strong", &[], means(*evidence))
            .text(&format!(", {word} {}", calls.join(", ")))
            .end();
    }
    html.end();
}

/// Each means with the calls that show it.
fn shown(own: &AttemptPage) -> impl Iterator<Item = (&Evidence, &Vec<u32>)> {
    let all = own.metrics.evidence_calls.iter();
    all.filter(|(_, calls)| !calls.is_empty())
}

/// A means of choosing terms in words.
pub fn means(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::PropertyPath => "a property path down the hierarchy",
        Evidence::DescendantsTool => "a tool call for the term's descendants",
        Evidence::ServerRewrite => "the server's own expansion, which is not the agent's",
        Evidence::ListedDescendants => "a list of descendants that a tool had brought back",
        Evidence::EnumeratedTerms => "a list of terms of its own",
        Evidence::NameTest => "a test on names",
        Evidence::LiteralTerm => "the term itself",
        Evidence::None => "nothing that shows",
    }
}

/// Everything that the agent called, along the time of the attempt.
fn calls(own: &AttemptPage, title: &str) -> String {
    let mut html = Html::new();
    html.leaf("h3", &[], "Calls");
    if own.calls.is_empty() {
        html.leaf("p", &[("class", "empty")], "The agent called nothing.");
        return html.finish();
    }
    let whole = own
        .calls
        .iter()
        .map(|call| call.start_ms + call.duration_ms)
        .fold(own.metrics.seconds * 1_000.0, |whole, end| {
            whole.max(end as f64)
        })
        .max(1.0);
    table::open_region(
        &mut html,
        &format!("Calls, {title}"),
        false,
        &[("class", "calls")],
        "",
    );
    table::heads(
        &mut html,
        &[
            "#call",
            "tool",
            "when",
            "#begun at",
            "#took",
            "#reply",
            "came back",
            "arguments",
        ],
    );
    html.open("tbody", &[]);
    for call in &own.calls {
        self::call(&mut html, call, own, whole);
    }
    html.finish()
}

fn call(html: &mut Html, call: &Call, own: &AttemptPage, whole: f64) {
    html.open("tr", &[]);
    html.leaf(
        "th",
        &[("scope", "row"), ("class", "num")],
        &call.sequence.to_string(),
    );
    html.leaf("td", &[("class", "mono nowrap")], &call.tool)
        .open("td", &[]);
    timeline(html, call, whole);
    html.end();
    for text in [
        format::duration(call.start_ms as f64),
        format::duration(call.duration_ms as f64),
        format::bytes(call.reply_bytes),
    ] {
        html.leaf("td", &[("class", "num")], &text);
    }
    html.open("td", &[("class", "wrap wide")]);
    came_back(html, call);
    let shows: Vec<&str> = shown(own)
        .filter(|(_, calls)| calls.contains(&call.sequence))
        .map(|(evidence, _)| means(*evidence))
        .collect();
    if !shows.is_empty() {
        let remark = format!("chose by {}", shows.join(", "));
        html.leaf("div", &[("class", "quiet")], &remark);
    }
    html.end().open("td", &[]);
    arguments(html, call);
    html.end().end();
}

/// When in the attempt the call was under way; the figures beside it say the same.
fn timeline(html: &mut Html, call: &Call, whole: f64) {
    let begin = call.start_ms as f64 / whole * 100.0;
    let width = (call.duration_ms as f64 / whole * 100.0).max(1.5);
    let begin = begin.min(100.0 - width.min(100.0));
    html.open("svg", &[("class", "timeline"), ("aria-hidden", "true")])
        .leaf(
            "rect",
            &[
                ("class", "timeline-bar"),
                ("x", &format!("{begin:.1}%")),
                ("width", &format!("{width:.1}%")),
                ("height", "100%"),
            ],
            "",
        )
        .end();
}

fn came_back(html: &mut Html, call: &Call) {
    match &call.soft_error {
        _ if call.is_error => {
            fate(html, "disobeyed", "error");
            if let Some(error) = &call.error {
                html.leaf("div", &[], error);
            }
        }
        Some(soft) => {
            fate(html, "missed", "soft error");
            html.leaf("div", &[], &soft.message).leaf(
                "div",
                &[("class", "quiet")],
                &format!("{}, by the rule {}", soft.kind, soft.rule),
            );
        }
        None => fate(html, "kept", "data"),
    }
    if let Some(who) = answered_by(call.answered_by) {
        html.leaf("div", &[("class", "quiet")], who);
    }
    if let Some(expansion) = &call.expansion {
        let first = (expansion.term.clone(), expansion.terms);
        for (term, terms) in std::iter::once(&first).chain(&expansion.further) {
            let into = terms.map_or_else(String::new, |terms| {
                format!(
                    " into {}",
                    format::counted(
                        usize::try_from(terms).unwrap_or(usize::MAX),
                        "term",
                        "terms"
                    )
                )
            });
            let whose = if expansion.asked {
                "as it was asked to"
            } else {
                "on its own"
            };
            let remark = format!(
                "the server expanded {}{into} {whose}",
                format::short_iri(term)
            );
            html.leaf("div", &[("class", "quiet")], &remark);
        }
    }
    if !call.terms.is_empty() {
        let brought = format::counted(call.terms.len(), "term", "terms");
        html.leaf(
            "div",
            &[("class", "quiet")],
            &format!("brought back {brought}"),
        );
    }
    if call.session_reset {
        html.leaf("div", &[("class", "quiet")], "the session was opened anew");
    }
}

/// Who answered where it was not the server under test.
fn answered_by(who: AnsweredBy) -> Option<&'static str> {
    Some(match who {
        AnsweredBy::Upstream => return None,
        AnsweredBy::Harness => "answered by the harness",
        AnsweredBy::Withheld => "the tool was withheld from the agent",
        AnsweredBy::TimedOut => "no answer within the time limit of a call",
        AnsweredBy::Broken => "the connection broke meanwhile",
        AnsweredBy::Lost => "the connection had been lost before",
        AnsweredBy::Cancelled => "taken back before there was an answer",
    })
}

/// The query in colour where there is one, and whatever else the agent gave.
fn arguments(html: &mut Html, call: &Call) {
    let sparql = call.sparql();
    if let Some(text) = sparql {
        html.open("details", &[])
            .leaf("summary", &[], &format::first_line(text, 60));
        self::sparql(html, text, &format!("Query of call {}", call.sequence));
        html.end();
    }
    let Some(given) = call.arguments.as_object() else {
        html.leaf(
            "code",
            &[],
            &format::first_line(&call.arguments.to_string(), 160),
        );
        return;
    };
    for (name, value) in given {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        if sparql == Some(text.as_str()) {
            continue;
        }
        let line = format::first_line(&text, 60);
        if line == text {
            html.open("div", &[])
                .leaf("span", &[("class", "quiet")], &format!("{name}: "))
                .leaf("code", &[], &text)
                .end();
            continue;
        }
        html.open("details", &[])
            .open("summary", &[])
            .leaf("span", &[("class", "quiet")], &format!("{name}: "))
            .leaf("code", &[], &line)
            .end();
        let region = [
            ("class", "answer-text"),
            ("tabindex", "0"),
            ("role", "region"),
            ("aria-label", &format!("{name} of call {}", call.sequence)),
        ];
        html.leaf("pre", &region, &text).end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use sweep::{Metrics, Version};

    fn metrics() -> Metrics {
        serde_json::from_value(json!({
            "format": 1, "record": "nde-expand_x", "attempt": 1, "agent": "a", "outcome": "answered",
            "flags": {"lost_upstream": false, "timed_out": false, "strict": false},
            "infrastructure": false, "obedience": null, "scores": null,
            "raw": {"exact": false, "ordered": null, "f1": 0.0, "precision": 0.0, "recall": 0.0},
            "rows": 0, "key_rows": 1, "key_hash": "", "seconds": 2.0, "waiting_seconds": 61.0,
            "server_seconds": 0.5, "calls": 2, "calls_after_loss": 0, "upstream_soft_errors": 1,
            "usage": {"input_tokens": 12345, "output_tokens": 6, "cost_usd": 0.0025, "cost_incomplete": true},
            "reason": "the <allowance> was used up", "evidence": [],
        }))
        .unwrap()
    }

    #[test]
    fn what_an_attempt_took() {
        let parts = parts(&page(Vec::new(), &[]));
        for part in [
            "2.00 s",
            "61.0 s",
            "12\u{202f}345",
            "≥ $0.0025",
            "Soft errors",
            "by which means",
        ] {
            assert!(parts[0].contains(part), "{part} in {}", parts[0]);
        }
        assert!(parts[1].contains("Nothing was submitted"));
        assert!(parts[2].contains("called nothing"));
    }

    fn page(calls: Vec<Call>, shown: &[(Evidence, &[u32])]) -> AttemptPage {
        let evidence_calls = shown
            .iter()
            .map(|(evidence, calls)| (*evidence, calls.to_vec()));
        AttemptPage {
            format: Version,
            record: "nde-expand_x".into(),
            agent: "a".into(),
            n: 1,
            metrics: Metrics {
                evidence_calls: evidence_calls.collect(),
                ..metrics()
            },
            score: None,
            answer: None,
            calls,
        }
    }

    /// A call with these members beside the ones that every call has.
    fn made(more: Value) -> Call {
        let mut call = json!({
            "sequence": 3, "tool": "query", "arguments": {}, "start_ms": 500, "duration_ms": 250, "is_error": false,
            "reply_bytes": 10,
        });
        if let (Some(call), Value::Object(more)) = (call.as_object_mut(), more) {
            call.extend(more);
        }
        serde_json::from_value(call).unwrap()
    }

    fn drawn(call: &Call, shown: &[(Evidence, &[u32])]) -> String {
        let own = page(vec![call.clone()], shown);
        let mut html = Html::new();
        self::call(&mut html, call, &own, 1_000.0);
        html.finish()
    }

    #[test]
    fn a_call_says_what_came_back_and_what_it_shows() {
        let call = made(json!({
            "arguments": {"query": "ASK { }", "limit": 5},
            "soft_error": {"kind": "partial-result", "message": "timed <out>", "rule": "error-member"},
            "expansion": {
                "term": "http://purl.obolibrary.org/obo/MONDO_1", "terms": 1628, "further": [["http://e/2", null]],
            },
            "terms": ["http://e/3", "http://e/4"],
        }));
        let html = drawn(&call, &[(Evidence::PropertyPath, &[3])]);
        for part in [
            "timed &lt;out&gt;",
            "partial-result, by the rule error-member",
            "expanded MONDO:1 into 1\u{202f}628 terms on its own",
            "expanded http://e/2 on its own",
            "brought back 2 terms",
            "chose by a property path down the hierarchy",
            "limit: </span><code>5</code>",
            "x=\"50.0%\" width=\"25.0%\"",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("query: </span>"), "{html}");
        let asked = made(json!({"expansion": {"term": "http://e/1", "asked": true}}));
        assert!(drawn(&asked, &[]).contains("as it was asked to"));
    }

    #[test]
    fn a_long_argument_is_kept_whole_behind_its_first_line() {
        let csv = format!("condition,n\n{}", "x".repeat(100));
        let html = drawn(&made(json!({"arguments": {"csv": csv}})), &[]);
        assert!(html.contains(&"x".repeat(100)), "{html}");
        assert!(html.contains("<code>condition,n</code>"), "{html}");
        let odd = drawn(&made(json!({"arguments": ["a", 1]})), &[]);
        assert!(odd.contains("[&quot;a&quot;,1]"), "{odd}");
    }

    #[test]
    fn an_error_shows_its_text_and_who_answered() {
        let call =
            made(json!({"is_error": true, "error": "no such tool", "answered_by": "withheld"}));
        let html = drawn(&call, &[]);
        assert!(
            html.contains("no such tool") && html.contains("withheld"),
            "{html}"
        );
    }

    #[test]
    fn the_calls_behind_a_means_are_numbered() {
        let own = page(
            Vec::new(),
            &[(Evidence::NameTest, &[2, 5]), (Evidence::None, &[])],
        );
        let mut html = Html::new();
        evidence(&mut html, &own);
        let html = html.finish();
        assert!(
            html.contains("a test on names</strong>, calls 2, 5"),
            "{html}"
        );
        assert!(!html.contains("nothing that shows"), "{html}");
    }
}
