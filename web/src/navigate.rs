//! Moving between views: the address and the typed route, kept equal.

use leptos::ev::{self, MouseEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

use crate::browser;
use crate::query::Route;

/// The one holder of the current route; copied freely and found in the context.
#[derive(Clone, Copy)]
pub struct Navigator {
    route: RwSignal<Route>,
}

impl Navigator {
    /// Reads the address, and from now on follows the browser's back and forward and every link to a view: such links are
    /// plain anchors, wherever in the page they are.
    pub fn start() -> Self {
        let this = Self::at(Route::parse(&browser::search()));
        let steps = window_event_listener(ev::popstate, move |_| {
            this.route.set(Route::parse(&browser::search()));
        });
        let clicks = window_event_listener(ev::click, move |event| {
            if let Some((href, keeps)) = view_link(&event) {
                event.prevent_default();
                let mut route = Route::parse(href.trim_start_matches('.'));
                if keeps {
                    route = this.route.with_untracked(|here| route.keeping(here));
                }
                this.go(route);
            }
        });
        on_cleanup(move || {
            steps.remove();
            clicks.remove();
        });
        this
    }

    /// A navigator that starts elsewhere than the address says, for tests of single views.
    pub fn at(route: Route) -> Self {
        Self {
            route: RwSignal::new(route),
        }
    }

    /// The navigator of the page.
    pub fn from_context() -> Self {
        use_context().unwrap_or_else(|| Self::at(Route::default()))
    }

    /// Where the reader is.
    pub fn route(self) -> Signal<Route> {
        self.route.into()
    }

    /// Goes to another view, as a step that "back" undoes.
    pub fn go(self, route: Route) {
        self.change(route, false);
    }

    /// Notes a change within a view in the address, without a step of its own.
    pub fn replace(self, route: Route) {
        self.change(route, true);
    }

    fn change(self, route: Route, replace: bool) {
        if self.route.with_untracked(|current| *current == route) {
            return;
        }
        browser::set_address(&route.href(), replace);
        self.route.set(route);
    }
}

/// The address of the link to a view that was clicked, and whether it keeps what stands open, which its `data-keep` says;
/// `None` for other clicks, other links, and for those with which the reader wants a new tab.
fn view_link(event: &MouseEvent) -> Option<(String, bool)> {
    let elsewhere = event.button() != 0
        || event.ctrl_key()
        || event.meta_key()
        || event.shift_key()
        || event.alt_key()
        || event.default_prevented();
    if elsewhere {
        return None;
    }
    let link = event
        .target()?
        .dyn_into::<Element>()
        .ok()?
        .closest("a[href]")
        .ok()??;
    let href = link.get_attribute("href")?;
    let is_view = href == "." || href.starts_with('?');
    is_view.then(|| (href, link.has_attribute("data-keep")))
}
