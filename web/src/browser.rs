//! The few things that only a browser can do, each behind a function that cannot fail.
//!
//! Where the browser refuses (a detached window, storage switched off), nothing happens: none of these is worth an error
//! in front of the reader.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlElement, HtmlTextAreaElement, Url};

/// Milliseconds since the page was opened, for differences only.
pub fn now() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now())
}

/// The time of day in UTC, RFC 3339.
pub fn timestamp() -> String {
    js_sys::Date::new_0().to_iso_string().into()
}

/// The query string of the page's address.
pub fn search() -> String {
    web_sys::window()
        .and_then(|window| window.location().search().ok())
        .unwrap_or_default()
}

/// Makes `href` the page's address, as a new step of the history or in place of the present one.
pub fn set_address(href: &str, replace: bool) {
    let Some(history) = web_sys::window().and_then(|window| window.history().ok()) else {
        return;
    };
    // The overview's address is the page's own, which `.` names relative to the folder but not to `index.html`.
    let href = if href == "." {
        web_sys::window()
            .and_then(|window| window.location().pathname().ok())
            .unwrap_or_else(|| href.to_owned())
    } else {
        href.to_owned()
    };
    let outcome = if replace {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&href))
    } else {
        history.push_state_with_url(&JsValue::NULL, "", Some(&href))
    };
    // Browsers refuse hundreds of changes a minute; the page then only loses a step of history.
    outcome.ok();
}

/// Sets the window's title.
pub fn set_title(title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Loads the page anew, at the address that it has.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        let _ = window.location().reload();
    }
}

/// Begins another module of the site's in place of this one; `path` is that of its script, from the page.
pub fn begin_module(path: &str) {
    let begun = || {
        let document = web_sys::window()?.document()?;
        let script = document.create_element("script").ok()?;
        script.set_attribute("type", "module").ok()?;
        script.set_text_content(Some(&format!(
            "import('{path}').then((module) => module.default()).catch((error) => {{
                const told = document.createElement('p');
                told.setAttribute('role', 'alert');
                told.textContent = `A part of this page could not be loaded (${{error.message ?? error}}).`
                    + ' Check that the site is still being served, and load the page again.';
                document.body.append(told);
            }});"
        )));
        document.body()?.append_child(&script).ok()
    };
    let _ = begun();
}

/// Moves the focus to the page's heading and shows the page from its top.
pub fn focus_heading() {
    let Some(window) = web_sys::window() else {
        return;
    };
    window.scroll_to_with_x_and_y(0.0, 0.0);
    focus("main h1");
}

/// Moves the focus to the first element that a selector finds.
pub fn focus(selector: &str) {
    let element = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.query_selector(selector).ok().flatten())
        .and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element {
        element.focus().ok();
    }
}

/// The identifier of the element that has the focus, if it has one.
pub fn focused_id() -> Option<String> {
    let document = web_sys::window()?.document()?;
    let id = document.active_element()?.id();
    (!id.is_empty()).then_some(id)
}

/// Gives the focus back to an element that was drawn anew; whoever has taken it meanwhile keeps it.
pub fn focus_again(id: &str) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    let is_lost = document
        .active_element()
        .is_none_or(|element| element.tag_name() == "BODY");
    let element = document
        .get_element_by_id(id)
        .and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element.filter(|_| is_lost) {
        element.focus().ok();
    }
}

/// Marks one element as the current one of those that a selector finds, and no other; focuses and shows it.
pub fn point_at(among: &str, id: &str) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    if let Ok(Some(old)) = document.query_selector(&format!("{among}[aria-current]")) {
        old.remove_attribute("aria-current").ok();
    }
    let element = document
        .get_element_by_id(id)
        .and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element {
        element.set_attribute("aria-current", "true").ok();
        element.focus().ok();
    }
}

/// Puts the caret of a text area before a character, counted in UTF-16 units, and shows it.
pub fn place_caret(id: &str, offset: u32) {
    let area = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id))
        .and_then(|element| element.dyn_into::<HtmlTextAreaElement>().ok());
    if let Some(area) = area {
        area.focus().ok();
        area.set_selection_range(offset, offset + 1).ok();
    }
}

/// The page's protocol, such as `https:`, and whether the browser takes itself to be online.
pub fn circumstances() -> (String, bool) {
    web_sys::window().map_or_else(
        || (String::new(), true),
        |window| {
            (
                window.location().protocol().unwrap_or_default(),
                window.navigator().on_line(),
            )
        },
    )
}

/// Hands the reader a file. It is made here, so nothing leaves the page.
pub fn download(name: &str, media_type: &str, text: &str) {
    let parts = Array::of1(&Uint8Array::from(text.as_bytes()));
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &options) else {
        return;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else {
        return;
    };
    let anchor = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("a").ok())
        .and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(anchor) = anchor {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    // The download has its own handle on the bytes once it has begun.
    Url::revoke_object_url(&url).ok();
}

/// Puts a text on the clipboard, where the browser allows it.
pub fn copy(text: &str) {
    if let Some(window) = web_sys::window() {
        let written = window.navigator().clipboard().write_text(text);
        leptos::task::spawn_local(async move {
            wasm_bindgen_futures::JsFuture::from(written).await.ok();
        });
    }
}
