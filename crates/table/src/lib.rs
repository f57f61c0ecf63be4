//! Typed tables: SPARQL results and submitted CSV in, CSV and SPARQL JSON out.
