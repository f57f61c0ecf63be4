//! Parts of the page as a reader meets them, in a real browser: mounted, clicked, read.
//!
//! Whole pages, the workers and requests are tested from outside, in `tests/browser`.
#![cfg(target_arch = "wasm32")]
#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and clippy does not know that these functions are tests"
)]

use std::sync::Arc;

use explorer::components::data_table::DataTable;
use explorer::components::endpoint_choice::EndpointChoice;
use explorer::components::fold::Fold;
use explorer::endpoint::FEDERATION;
use explorer::navigate::Navigator;
use explorer::query::{Endpoint, Route};
use leptos::prelude::*;
use table::{Cell, Table};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlElement, HtmlInputElement};

wasm_bindgen_test_configure!(run_in_browser);

/// Mounts a view in an element of its own and gives that element; the view stays until the page goes.
fn mount<V: IntoView + 'static>(view: impl FnOnce() -> V + 'static) -> HtmlElement {
    let document = web_sys::window().unwrap().document().unwrap();
    let element: HtmlElement = document.create_element("section").unwrap().unchecked_into();
    document.body().unwrap().append_child(&element).unwrap();
    leptos::mount::mount_to(element.clone(), view).forget();
    element
}

fn find<T: wasm_bindgen::JsCast>(within: &HtmlElement, selector: &str) -> T {
    within
        .query_selector(selector)
        .unwrap()
        .unwrap()
        .unchecked_into()
}

/// Effects run after the present task.
async fn settled() {
    for _ in 0..3 {
        leptos::task::tick().await;
    }
}

fn numbers(rows: usize) -> Arc<Table> {
    let rows = (0..rows)
        .map(|n| vec![Cell::Text(format!("<row {n}>").into())])
        .collect();
    Arc::new(Table::new(vec!["name".to_owned()], rows))
}

#[wasm_bindgen_test]
async fn a_long_table_is_drawn_a_piece_at_a_time() {
    let table = numbers(150);
    let element = mount(move || view! { <DataTable table label="Rows".to_owned() ranked=true /> });
    settled().await;
    // One row is the header.
    let drawn = || element.inner_html().matches("<tr").count() - 1;
    assert_eq!(drawn(), 100);
    let more: HtmlElement = find(&element, ".more button");
    assert_eq!(more.text_content().unwrap(), "Show 50 more of 50");
    more.click();
    settled().await;
    assert_eq!(drawn(), 150);
    assert!(find::<HtmlElement>(&element, ".more").hidden());
}

#[wasm_bindgen_test]
async fn text_from_data_is_text_and_not_markup() {
    let table = numbers(1);
    let element = mount(move || view! { <DataTable table label="Rows".to_owned() /> });
    settled().await;
    assert_eq!(
        find::<HtmlElement>(&element, "td").text_content().unwrap(),
        "<row 0>"
    );
}

#[wasm_bindgen_test]
async fn a_fold_opens_when_its_owner_says_so_and_builds_its_body_then() {
    let open = RwSignal::new(false);
    let wanted = StoredValue::new(Vec::new());
    let element = mount(move || {
        let on_toggle =
            Callback::new(move |wants: bool| wanted.update_value(|all| all.push(wants)));
        let body = Callback::new(move |()| view! { <p class="inside">"here"</p> }.into_any());
        view! { <Fold line="<b>line</b>".to_owned() open=open.into() on_toggle body /> }
    });
    settled().await;
    let is_open = || {
        element
            .query_selector("details[open] .inside")
            .unwrap()
            .is_some()
    };
    find::<HtmlElement>(&element, "summary b").click();
    settled().await;
    assert_eq!((wanted.get_value(), is_open()), (vec![true], false));
    open.set(true);
    settled().await;
    assert!(is_open());
    find::<HtmlElement>(&element, "summary").click();
    assert_eq!(wanted.get_value(), [true, false]);
    open.set(false);
    settled().await;
    assert!(element.query_selector(".inside").unwrap().is_none());
}

#[wasm_bindgen_test]
async fn the_preset_endpoint_is_chosen_by_its_radio_button() {
    let chosen = RwSignal::new(Endpoint::Embedded);
    let element = mount(move || {
        view! { <EndpointChoice chosen=chosen.into() on_choose=Callback::new(move |endpoint| chosen.set(endpoint)) /> }
    });
    settled().await;
    assert!(find::<HtmlInputElement>(&element, "#ask-embedded").checked());
    find::<HtmlElement>(&element, "#ask-live").click();
    settled().await;
    assert_eq!(chosen.get_untracked(), Endpoint::Url(FEDERATION.to_owned()));
    assert!(!find::<HtmlInputElement>(&element, "#ask-embedded").checked());
}

#[wasm_bindgen_test]
async fn a_link_to_a_view_is_followed_within_the_page() {
    let navigator = StoredValue::new(None);
    let element = mount(move || {
        let started = Navigator::start();
        navigator.set_value(Some(started));
        view! { <a href="?view=about"><span>"words"</span></a> }
    });
    settled().await;
    find::<HtmlElement>(&element, "span").click();
    settled().await;
    let route = navigator.get_value().unwrap().route().get_untracked();
    assert_eq!(route, Route::About);
    let search = web_sys::window().unwrap().location().search().unwrap();
    assert_eq!(search, "?view=about");
}
