//! An embedded SPARQL engine over named graphs, and the SPARQL protocol without I/O.
