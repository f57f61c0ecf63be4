//! Where the figures come from, said on every page.

use leptos::prelude::*;
use sweep::{BundleIndex, ResultKind};

use crate::context::Bundle;
use crate::fragments::facts::kind_badge;
use crate::fragments::html::Html;
use crate::query::Route;

/// The line below the masthead that says whether the figures are a reconstruction or live.
///
/// Its space is kept while the bundle loads, so that nothing moves when it is there.
#[component]
pub fn ProvenanceBar() -> impl IntoView {
    let bundle = Bundle::from_context();
    let class = move || match bundle.ready().map(|index| index.provenance.kind) {
        None => "provenance pending",
        Some(ResultKind::Reconstruction) => "provenance",
        Some(ResultKind::Live | ResultKind::Unreached) => "provenance live",
    };
    view! {
        <aside
            class=class
            aria-label="Where the results come from"
            inner_html=move || line(bundle.ready().as_deref())
        ></aside>
    }
}

/// The line; while the bundle loads, one that is as long as usual.
fn line(index: Option<&BundleIndex>) -> String {
    let kind = index.map_or(ResultKind::Reconstruction, |index| index.provenance.kind);
    let sentence = match kind {
        ResultKind::Reconstruction => {
            "Results come from the federation embedded here, whose clinical and catalogue data are made up to reproduce published figures. "
        }
        ResultKind::Live => "Results come from a live endpoint. ",
        ResultKind::Unreached => "The endpoint was not reached. ",
    };
    let server = index.map_or("embedded-reconstruction", |index| &index.provenance.server);
    let mut html = Html::new();
    html.open("div", &[("class", "provenance-inner")]);
    kind_badge(&mut html, kind);
    html.open("p", &[])
        .text(sentence)
        .leaf("a", &[("href", &Route::About.href())], "What that means")
        .end();
    html.leaf("p", &[("class", "mono")], server);
    html.finish()
}
