//! OBO Flat File Format 1.4, read as its translation to OWL says, clause by clause.
//!
//! Published files break the grammar in a clause here and there. A reader that is strict loses the whole stanza with it,
//! so this one passes over the clause, and lists it with its line and the reason. Clauses that are right and not needed
//! are counted by their tag.

mod clause;
mod ids;
mod stanza;

pub(crate) use stanza::{Part, parts, read};
