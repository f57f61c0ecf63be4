//! The results explorer: a page that shows a published bundle, re-scores submissions and runs queries.
//!
//! It is a folder of static files without a server behind it. [`query`] is the address as typed state, [`load`] reads the
//! bundle. Two workers are started on first use: [`engine`] is the embedded federation, [`tables`] reads and scores tables;
//! [`endpoint`] asks others. [`state`] is what the views show as plain values, [`fragments`] turn values into HTML; both are
//! tested natively. [`views`] are the pages, and [`components`] the parts of them that react to the reader.

pub mod app;
pub mod query;

pub mod load;

pub mod endpoint;
pub mod engine;
pub mod perform;
pub mod rescoring;
pub mod running;
pub mod tables;
pub mod worker;

pub mod browser;
pub mod context;
pub mod files;
pub mod navigate;

pub mod state {
    //! What the views show, as plain values without Leptos or the browser.

    pub mod analysis;
    pub mod command;
    pub mod comparison;
    pub mod controls;
    pub mod diff;
    pub mod excerpt;
    pub mod format;
    pub mod guess;
    pub mod leaderboard;
    pub mod lexer;
    pub mod matrix;
    pub mod provenance;
    pub mod scatter;
    pub mod source;
    pub mod submission;
    pub mod triplets;
    pub mod unreachable;
}

pub mod fragments {
    //! Functions from values to HTML, for what does not change once it is drawn.

    /// The identifier of the element of a line of a record's file.
    pub fn line_id(line: u32) -> String {
        format!("line-{line}")
    }

    /// The identifier of a rule's element.
    pub fn rule_id(rule: &str) -> String {
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        format!("rule-{}", rule.chars().map(word).collect::<String>())
    }

    /// The identifier of the element of a model's row.
    pub fn model_id(at: u32) -> String {
        format!("model-{at}")
    }

    pub mod analysis;
    pub mod attempt;
    pub mod comparison;
    pub mod diff;
    pub mod facts;
    pub mod fate;
    pub mod html;
    pub mod leaderboard;
    pub mod lint;
    pub mod matrix;
    pub mod record;
    pub mod rules;
    pub mod score;
    pub mod side_by_side;
    pub mod sparql;
    pub mod strip;
    pub mod table;
    pub mod triplets;
}

pub mod views {
    //! One module per route: composes components and fetches through [`load`](crate::load).

    pub mod about;
    pub mod comparison;
    pub mod leaderboard;
    pub mod overview;
    pub mod query;
    pub mod record;
    pub mod rescore;
    pub mod rules;
    pub mod triplets;
    pub mod unknown;
}

pub mod components {
    //! One module per part that reacts to the reader.

    pub mod attempts;
    pub mod choice;
    pub mod copy_button;
    pub mod data_table;
    pub mod diff_table;
    pub mod drawn;
    pub mod drop_zone;
    pub mod editor;
    pub mod endpoint_choice;
    pub mod file_list;
    pub mod fold;
    pub mod fragment;
    pub mod key_choice;
    pub mod load_problem;
    pub mod long_table;
    pub mod masthead;
    pub mod own_triplet;
    pub mod provenance;
    pub mod query_problem;
    pub mod query_source;
    pub mod record_picker;
    pub mod run_result;
}
