//! A query that gave no table: what it can be, and what to do.

use explorer_engine::message::Failure;
use leptos::prelude::*;

use crate::browser;
use crate::components::copy_button::CopyButton;
use crate::components::fragment::fragment;
use crate::endpoint::EndpointError;
use crate::engine::EngineError;
use crate::fragments::html::Html;
use crate::state::{command, excerpt, unreachable};
use crate::tables::Problem;
use crate::worker::WorkerError;

/// Why a run failed.
#[derive(Clone, Debug)]
pub enum RunError {
    /// In the engine.
    Engine(EngineError),
    /// At an endpoint.
    Endpoint(EndpointError),
}

/// Says what went wrong with a query, and never "no results".
pub fn query_problem(error: &RunError, sparql: &str) -> AnyView {
    let (text, button) = match error {
        RunError::Engine(EngineError::Worker(WorkerError::Cancelled))
        | RunError::Endpoint(EndpointError::Cancelled) => {
            (paragraphs("Cancelled", &["Nothing was answered."]), None)
        }
        RunError::Engine(EngineError::Refused(failure)) => refused(failure, sparql),
        RunError::Engine(EngineError::Snapshot(error)) => {
            let title = "The embedded federation could not be loaded";
            (
                paragraphs(title, &[&error.to_string(), error.remedy()]),
                None,
            )
        }
        RunError::Engine(error) => {
            let remedy = "Reload the page and run the query again, or ask an endpoint.";
            (
                paragraphs("The engine cannot answer", &[&error.to_string(), remedy]),
                None,
            )
        }
        RunError::Endpoint(EndpointError::Reply(problem)) => (reply(problem), None),
        RunError::Endpoint(EndpointError::Unreachable { endpoint }) => no_reply(endpoint, sparql),
    };
    view! {
        <div class="problem" id="problem" role="alert">
            {fragment(text)}
            {button}
        </div>
    }
    .into_any()
}

fn paragraphs(title: &str, lines: &[&str]) -> String {
    let mut html = Html::new();
    html.leaf("h3", &[], title);
    for line in lines {
        html.leaf("p", &[], line);
    }
    html.finish()
}

fn refused(failure: &Failure, sparql: &str) -> (String, Option<AnyView>) {
    let title = match failure.kind.as_str() {
        "syntax" => "This is not a SPARQL query",
        _ => "The engine refused the query",
    };
    let mut html = Html::new();
    html.leaf("h3", &[], title).leaf("p", &[], &failure.message);
    if let Some(remedy) = &failure.remedy {
        html.leaf("p", &[], remedy);
    }
    let place = failure
        .line
        .zip(failure.column)
        .filter(|_| failure.file.is_none());
    let button = place.map(|(line, column)| {
        html.leaf("pre", &[], &excerpt::excerpt(sparql, line, column));
        let at = excerpt::offset(sparql, line, column);
        view! {
            <button type="button" class="small" on:click=move |_| browser::place_caret("sparql", at)>
                {format!("Go to line {line}, column {column}")}
            </button>
        }
        .into_any()
    });
    (html.finish(), button)
}

fn reply(problem: &Problem) -> String {
    let mut html = Html::new();
    html.leaf("h3", &[], "The endpoint's reply is not a result")
        .leaf("p", &[], &problem.message);
    if let Some(seconds) = problem.retry_after {
        let wait = format!("It asks to wait {seconds} s before the next try.");
        html.leaf("p", &[], &wait);
    }
    match problem.body_start.as_deref() {
        Some("") => {
            html.leaf("p", &[], "The reply has no body.");
        }
        Some(body) => {
            let region = [
                ("tabindex", "0"),
                ("role", "region"),
                ("aria-label", "Beginning of the reply"),
            ];
            html.leaf("p", &[], "It begins:").leaf("pre", &region, body);
        }
        None => {}
    }
    html.finish()
}

/// The browser tells a page nothing about a request that failed, so this names what is possible and offers two ways around.
fn no_reply(endpoint: &str, sparql: &str) -> (String, Option<AnyView>) {
    let (protocol, online) = browser::circumstances();
    let curl = command::curl(endpoint, sparql);
    let mut html = Html::new();
    html.leaf("h3", &[], "No reply came back").leaf(
        "p",
        &[],
        &format!("The browser does not tell a page why. For {endpoint} it can be:"),
    );
    html.open("ul", &[]);
    for cause in unreachable::causes(&protocol, online, endpoint) {
        html.leaf("li", &[], cause);
    }
    html.end();
    if let Some(href) = command::link(endpoint, sparql) {
        let link = [
            ("href", href.as_str()),
            ("target", "_blank"),
            ("rel", "noreferrer"),
        ];
        html.open("p", &[])
            .leaf("a", &link, "Open the query at the endpoint in a new tab")
            .end();
    }
    let region = [
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", "Command line"),
    ];
    html.leaf("p", &[], "The same query from a terminal:")
        .leaf("pre", &region, &curl);
    let button = view! { <CopyButton text=curl what="the command" /> }.into_any();
    (html.finish(), Some(button))
}
