//! A typed table to read, a piece at a time.

use std::sync::Arc;

use leptos::prelude::*;
use table::Table;

use crate::components::long_table::LongTable;
use crate::fragments;

/// A typed table with a caption.
#[component]
pub fn DataTable(
    /// The rows.
    table: Arc<Table>,
    /// What the table is, for its caption and its region.
    label: String,
    /// Number the rows from 1.
    #[prop(optional)]
    ranked: bool,
) -> impl IntoView {
    let rows = table.len();
    let caption = label.clone();
    view! {
        <LongTable
            label
            rows=Signal::stored(rows)
            inside=Callback::new(move |shown| fragments::table::typed(&table, &caption, shown, ranked))
        />
    }
}
