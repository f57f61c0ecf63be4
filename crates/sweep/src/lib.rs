//! Attempts, outcomes and metrics of a sweep; their aggregation and the published bundle.
