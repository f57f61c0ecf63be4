//! A benchmark record: a decorated SPARQL answer key, the corpus of them, and what is wrong with it.
