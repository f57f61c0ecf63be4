//! The program as its users meet it: one small corpus, one harness, one list of filters.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends there")]

mod alignments;
mod ava;
mod ava_imports;
mod ava_inputs;
mod ava_sets;
mod ava_synthesize;
mod bad_input;
mod controls;
mod corpus;
mod endpoint;
mod harness;
mod help;
mod keys;
mod killed;
mod lint;
mod models;
mod models_input;
mod publish;
mod published_files;
mod run;
mod scores;
mod shards;
mod sweep;
mod view;
