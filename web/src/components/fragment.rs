//! A fragment of HTML in the page.

use leptos::prelude::*;

/// Puts a fragment into the page. Fragments come from [`fragments`](crate::fragments), which escape every text.
pub fn fragment(html: String) -> AnyView {
    view! { <div inner_html=html></div> }.into_any()
}
