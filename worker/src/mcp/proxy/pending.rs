//! Requests that wait for the server.

use std::collections::HashMap;

use tokio::time::Instant;

use super::frame::Id;
use super::record::Begun;

/// What a request is for.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// A call to a tool, which is recorded.
    Call(Begun),
    /// The list of tools; its first page shows the harness's own.
    List { first: bool },
    /// Anything else.
    Other,
}

/// A request that waits for the server.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) purpose: Purpose,
    pub(crate) session_reset: bool,
    deadline: Instant,
}

impl Pending {
    pub(crate) fn new(purpose: Purpose, deadline: Instant) -> Self {
        Self {
            purpose,
            session_reset: false,
            deadline,
        }
    }
}

/// All of them. An agent has few at a time, so that looking through them is cheap.
#[derive(Debug, Default)]
pub(crate) struct PendingSet(HashMap<Id, Pending>);

impl PendingSet {
    pub(crate) fn insert(&mut self, id: Id, pending: Pending) {
        self.0.insert(id, pending);
    }

    pub(crate) fn contains(&self, id: &Id) -> bool {
        self.0.contains_key(id)
    }

    pub(crate) fn get_mut(&mut self, id: &Id) -> Option<&mut Pending> {
        self.0.get_mut(id)
    }

    pub(crate) fn remove(&mut self, id: &Id) -> Option<Pending> {
        self.0.remove(id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.0.values().map(|pending| pending.deadline).min()
    }

    /// Takes out those whose time is up.
    pub(crate) fn expired(&mut self, now: Instant) -> Vec<(Id, Pending)> {
        self.0
            .extract_if(|_, pending| pending.deadline <= now)
            .collect()
    }

    /// Takes out all of them.
    pub(crate) fn drain(&mut self) -> Vec<(Id, Pending)> {
        self.0.drain().collect()
    }
}
