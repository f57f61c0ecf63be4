//! The head of every page: the name and the ways to the views.

use leptos::prelude::*;

use crate::fragments::html::{Html, when};
use crate::navigate::Navigator;
use crate::query::{Board, Endpoint, KeySource, Route, Source};

/// The name and the ways to the views.
#[component]
pub fn Masthead() -> impl IntoView {
    const MARK: &str = include_str!("../fragments/mark.svg");
    let route = Navigator::from_context().route();
    let brand = format!("{MARK}okn-benchmark");
    view! {
        <header class="masthead">
            <div class="masthead-inner">
                <a class="brand" href="." inner_html=brand></a>
                <nav class="site-nav" aria-label="Views" inner_html=move || route.with(links)></nav>
            </div>
        </header>
    }
}

fn links(now: &Route) -> String {
    let own = Source::Own {
        sparql: String::new(),
    };
    let entries = [
        ("Overview", Route::Overview),
        ("Comparison", Route::Comparison { with: None }),
        (
            "Re-score",
            Route::Rescore {
                id: None,
                key: KeySource::Stored,
            },
        ),
        (
            "Query",
            Route::Query {
                source: own,
                endpoint: Endpoint::Embedded,
            },
        ),
        ("AVA", Route::Leaderboard(Board::default())),
        ("What the words mean", Route::About),
    ];
    let mut html = Html::new();
    html.open("ul", &[]);
    for (name, to) in entries {
        let current = when(now.is_same_page(&to), "aria-current", "page");
        html.open("li", &[])
            .leaf("a", &[("href", &to.href()), current], name)
            .end();
    }
    html.finish()
}
