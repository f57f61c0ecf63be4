//! A file of the site that could not be read.

use leptos::prelude::*;

use crate::components::fragment::fragment;
use crate::fragments::html::Html;
use crate::load::LoadError;

/// Says which file is missing or wrong, and what to do.
pub fn load_problem(error: &LoadError) -> AnyView {
    let mut html = Html::new();
    html.open("div", &[("class", "problem"), ("role", "alert")])
        .open("p", &[])
        .leaf("strong", &[], &error.to_string())
        .end()
        .leaf("p", &[], error.remedy());
    fragment(html.finish())
}
