//! An attempt: its line in the list, and its calls.

use sweep::{AttemptEntry, Call};

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

/// Everything that the agent called.
pub fn calls(calls: &[Call], label: &str) -> String {
    let mut html = Html::new();
    if calls.is_empty() {
        html.leaf("p", &[("class", "empty")], "The agent called nothing.");
        return html.finish();
    }
    table::open_region(&mut html, label, false, &[], "");
    table::heads(
        &mut html,
        &[
            "#call",
            "tool",
            "#begun at",
            "#took",
            "#reply",
            "came back",
            "arguments",
        ],
    );
    html.open("tbody", &[]);
    for call in calls {
        self::call(&mut html, call);
    }
    html.finish()
}

fn call(html: &mut Html, call: &Call) {
    html.open("tr", &[]);
    html.leaf(
        "th",
        &[("scope", "row"), ("class", "num")],
        &call.sequence.to_string(),
    );
    html.leaf("td", &[("class", "mono nowrap")], &call.tool);
    for text in [
        format::duration(call.start_ms as f64),
        format::duration(call.duration_ms as f64),
        format::bytes(call.reply_bytes),
    ] {
        html.leaf("td", &[("class", "num")], &text);
    }
    html.open("td", &[("class", "wrap")]);
    match &call.soft_error {
        _ if call.is_error => fate(html, "disobeyed", "error"),
        Some(soft) => fate(html, "missed", &format!("soft error: {}", soft.message)),
        None => fate(html, "kept", "data"),
    }
    if let Some(expansion) = &call.expansion {
        let remark = format!(
            "the server expanded {} on its own",
            format::short_iri(&expansion.term)
        );
        html.leaf("div", &[("class", "quiet")], &remark);
    }
    if call.session_reset {
        html.leaf("div", &[("class", "quiet")], "the session was opened anew");
    }
    html.end().open("td", &[]);
    if let Some(text) = call.sparql() {
        html.open("details", &[])
            .leaf("summary", &[], &format::first_line(text, 60));
        sparql(html, text, &format!("Query of call {}", call.sequence));
        html.end();
    } else {
        html.leaf(
            "code",
            &[],
            &format::first_line(&call.arguments.to_string(), 160),
        );
    }
    html.end().end();
}
