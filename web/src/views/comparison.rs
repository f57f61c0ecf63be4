//! Sweeps side by side.

use leptos::prelude::*;

use crate::components::choice::Choice;
use crate::components::drawn::{drawn, once_there, part};
use crate::components::fragment::fragment;
use crate::context::{Announcer, Bundle};
use crate::fragments::html::Html;
use crate::load::Loaded;
use crate::navigate::Navigator;
use crate::query::Route;
use crate::tables::{Drawing, Drawn};

/// Figures of every sweep with their intervals, and the differences between them.
#[component]
pub fn Comparison() -> impl IntoView {
    let bundle = Bundle::from_context();
    let route = Navigator::from_context().route();
    let with = Memo::new(move |_| match route.get() {
        Route::Comparison { with } => with,
        _ => None,
    });
    let path = Signal::derive(move || bundle.ready()?.comparison.clone());
    let comparison = drawn(Drawing::Comparison, path, with);
    // The view is built once; a part is drawn again only where it has changed.
    let parts = [0, 1, 2].map(|at| part(comparison, at));
    let is_missing = move || {
        bundle
            .ready()
            .is_some_and(|index| index.comparison.is_none())
    };
    view! {
        <div class="page-head">
            <h1 tabindex="-1">"Sweeps side by side"</h1>
            <p class="lede">
                "Shares with 95 % intervals, because a few attempts say little; obedience apart from breakage; and for every two sweeps the difference on the records that both were asked."
            </p>
        </div>
        {move || {
            if is_missing() {
                fragment("<p class=\"empty\">This site was published without a comparison.</p>".to_owned())
            } else {
                once_there(comparison, "90rem", move || body(comparison, parts, path, with))
            }
        }}
    }
}

fn body(
    comparison: ReadSignal<Loaded<Drawn>>,
    parts: [Memo<String>; 3],
    path: Signal<Option<String>>,
    with: Memo<Option<String>>,
) -> AnyView {
    view! {
        <div inner_html=move || parts[0].get()></div>
        <section class="section" aria-labelledby="differences-title">
            <div class="titled">
                <h2 id="differences-title">"Differences"</h2>
                <With comparison with />
            </div>
            <div inner_html=move || parts[1].get()></div>
        </section>
        <div inner_html=move || parts[2].get()></div>
        {fragment(files(path.get_untracked().as_deref()))}
    }
    .into_any()
}

/// Whose differences are shown.
#[component]
fn With(comparison: ReadSignal<Loaded<Drawn>>, with: Memo<Option<String>>) -> impl IntoView {
    let navigator = Navigator::from_context();
    let announcer = Announcer::from_context();
    let options = Signal::derive(move || {
        let drawn = comparison.get().ready();
        drawn.map(|drawn| drawn.choices.clone()).unwrap_or_default()
    });
    let on_choose = Callback::new(move |chosen: Option<String>| {
        announcer.say(match &chosen {
            None => "Differences between all sweeps".to_owned(),
            Some(run) => format!("Differences between {run} and the others"),
        });
        navigator.replace(Route::Comparison { with: chosen });
    });
    view! {
        <Choice
            id="compare-with"
            label="Between"
            options
            chosen=with.into()
            none=Some("every two sweeps")
            on_choose
        />
    }
}

/// The same figures as files, which lie beside the comparison.
fn files(path: Option<&str>) -> String {
    let mut html = Html::new();
    let Some((folder, own)) = path.and_then(|path| path.rsplit_once('/')) else {
        return String::new();
    };
    html.open("section", &[("class", "section")])
        .leaf("h2", &[], "The same as files")
        .open("ul", &[("class", "remarks")]);
    for (file, what) in [
        (own, "everything, as JSON"),
        ("comparison.md", "as Markdown"),
        ("arms.csv", "the figures of each sweep, as CSV"),
        ("records.csv", "the figures at each record, as CSV"),
        ("pairs.csv", "the differences, as CSV"),
    ] {
        html.open("li", &[])
            .leaf("a", &[("href", &format!("{folder}/{file}"))], file)
            .text(&format!(": {what}"))
            .end();
    }
    html.finish()
}
