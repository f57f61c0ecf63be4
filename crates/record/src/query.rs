//! The body of a file as a SPARQL query.
