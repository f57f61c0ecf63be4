//! Controls against keys, and the evidence of an ontology closure in a query.
