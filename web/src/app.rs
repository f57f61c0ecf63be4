//! The page's frame: masthead, provenance, the current view, colophon.

use leptos::prelude::*;
use sweep::BundleIndex;

use crate::browser;
use crate::components::load_problem::load_problem;
use crate::components::masthead::Masthead;
use crate::components::provenance::ProvenanceBar;
use crate::context::{Announcer, Bundle};
use crate::engine::Engine;
use crate::fragments::html::Html;
use crate::load::{self, Loaded};
use crate::navigate::Navigator;
use crate::query::Route;
use crate::state::format;
use crate::tables::Tables;
use crate::views;

/// What makes the view of a route.
pub type Views = fn(Route) -> AnyView;

/// Begins the page with what every first visit loads; where the address asks for a rarer view, the module that has these.
pub fn start() {
    if Route::parse(&browser::search()).is_rarer() {
        browser::begin_module("./explorer-whole.js");
    } else {
        leptos::mount::mount_to_body(|| view! { <App views=first as Views /> });
    }
}

/// Begins the page with every view.
pub fn start_whole() {
    leptos::mount::mount_to_body(|| view! { <App views=whole as Views /> });
}

/// The views that every first visit loads. For any other the page is loaded anew, at the address that it has by now.
fn first(route: Route) -> AnyView {
    match route {
        Route::Overview => views::overview::Overview().into_any(),
        Route::Record { id, .. } => view! { <views::record::Record id /> }.into_any(),
        Route::Rescore { .. } => views::rescore::Rescore().into_any(),
        Route::Query { .. } => views::query::Query().into_any(),
        Route::About => views::about::About().into_any(),
        Route::Unknown { view } => views::unknown::unknown(&view),
        Route::Comparison { .. }
        | Route::Rules { .. }
        | Route::Leaderboard(_)
        | Route::Triplets(_)
        | Route::Errors(_) => {
            browser::reload();
            ().into_any()
        }
    }
}

fn whole(route: Route) -> AnyView {
    match route {
        Route::Comparison { .. } => views::comparison::Comparison().into_any(),
        Route::Rules { .. } => views::rules::Rules().into_any(),
        Route::Leaderboard(_) => views::leaderboard::Leaderboard().into_any(),
        Route::Triplets(_) => views::triplets::Triplets().into_any(),
        Route::Errors(_) => views::triplets::Errors().into_any(),
        Route::Overview
        | Route::Record { .. }
        | Route::Rescore { .. }
        | Route::Query { .. }
        | Route::About
        | Route::Unknown { .. } => first(route),
    }
}

/// The whole page.
#[component]
pub fn App(
    /// What makes its views.
    views: Views,
) -> impl IntoView {
    let navigator = Navigator::start();
    let bundle = Bundle(load::watch_json::<BundleIndex>(Signal::stored(Some(
        load::INDEX.to_owned(),
    ))));
    let announcer = Announcer(RwSignal::new(String::new()));
    provide_context(navigator);
    provide_context(bundle);
    provide_context(announcer);
    provide_context(Engine::new());
    provide_context(Tables::new());
    follow_pages(navigator, announcer);

    // Only a change of page builds a new view; a change within one is the view's own business.
    let page = Memo::new_with_compare(
        move |_| navigator.route().get(),
        |old, new| match (old, new) {
            (Some(old), Some(new)) => !old.is_same_page(new),
            _ => true,
        },
    );
    // A fragment in the address would be taken for a step of the history, so the link moves the focus by itself.
    let skip = |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        browser::focus("#content");
    };
    view! {
        <a class="skip-link" href="#content" on:click=skip>
            "Skip to the content"
        </a>
        <div class="page">
            <Masthead />
            <ProvenanceBar />
            <main id="content" tabindex="-1">
                {move || match bundle.0.get() {
                    Loaded::Failed(error) => {
                        view! {
                            <h1 tabindex="-1">"The results could not be read"</h1>
                            {load_problem(&error)}
                        }
                            .into_any()
                    }
                    _ => views(page.get()),
                }}
            </main>
            <Colophon />
        </div>
        <div class="visually-hidden" role="status" aria-live="polite">
            {move || announcer.0.get()}
        </div>
    }
}

/// Title, focus and a word to screen readers whenever another page opens; the first page keeps the browser's own focus.
fn follow_pages(navigator: Navigator, announcer: Announcer) {
    Effect::new(move |previous: Option<Route>| {
        let route = navigator.route().get();
        browser::set_title(&format!("{} · okn-benchmark", route.title()));
        if previous.is_some_and(|previous| !previous.is_same_page(&route)) {
            announcer.say(format!("{}, page opened", route.title()));
            request_animation_frame(browser::focus_heading);
        }
        route
    });
}

#[component]
fn Colophon() -> impl IntoView {
    let bundle = Bundle::from_context();
    let line = move || {
        let mut html = Html::new();
        html.leaf(
            "p",
            &[],
            "okn-benchmark explorer. Everything runs in this page; nothing that you drop here leaves it.",
        );
        if let Some(index) = bundle.ready() {
            let published = format!(
                "published {} by okn-benchmark {}, corpus {}",
                format::day(&index.created),
                index.program,
                format::short_hash(&index.corpus_hash)
            );
            html.leaf("p", &[], &published);
        }
        html.finish()
    };
    view! {
        <footer class="colophon">
            <div class="colophon-inner" inner_html=line></div>
        </footer>
    }
}
