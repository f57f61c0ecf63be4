//! Putting another pattern in the place of a hierarchy pattern.

use crate::derive::pattern::Hierarchy;
use crate::derive::rewrite::Rewrite;
use record::{Node, walk};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};

/// A rewriting that replaces the hierarchy pattern.
pub(crate) struct Replacing<'h> {
    hierarchy: &'h Hierarchy,
    with: GraphPattern,
    /// Whether the new pattern has to leave the GRAPH and SERVICE around the old one.
    leave: bool,
    stuck: Option<String>,
}

impl<'h> Replacing<'h> {
    pub(crate) fn new(hierarchy: &'h Hierarchy, with: GraphPattern, leave: bool) -> Self {
        Self {
            hierarchy,
            with,
            leave,
            stuck: None,
        }
    }

    /// A GRAPH or SERVICE that the new pattern could not leave.
    pub(crate) fn stuck(self) -> Option<String> {
        self.stuck
    }

    fn has(&self, pattern: &GraphPattern) -> bool {
        *pattern == self.with || parts(pattern).iter().any(|part| self.has(part))
    }

    /// Moves the new pattern in front of the block that it was put into; with nothing else in it, the block goes.
    fn let_out(&mut self, block: &mut GraphPattern) {
        let (GraphPattern::Graph { name, inner } | GraphPattern::Service { name, inner, .. }) =
            &mut *block
        else {
            return;
        };
        if !self.has(inner) {
            return;
        }
        let mut filters = Vec::new();
        if !self.take_out(inner, &mut filters) {
            // VALUES means the same inside; a name does not.
            if !matches!(self.with, GraphPattern::Values { .. }) {
                self.stuck = Some(name.to_string());
            }
            return;
        }
        let mut outside = self.with.clone();
        if !is_unit(inner) {
            outside = GraphPattern::Join {
                left: Box::new(outside),
                right: Box::new(std::mem::take(block)),
            };
        }
        *block = filters
            .into_iter()
            .fold(outside, |inner, expr| GraphPattern::Filter {
                inner: Box::new(inner),
                expr,
            });
    }

    /// Leaves nothing in the new pattern's place and hands over the filters around it. Does nothing, and says so, where
    /// OPTIONAL or the like is around it.
    fn take_out(&self, pattern: &mut GraphPattern, filters: &mut Vec<Expression>) -> bool {
        if *pattern == self.with {
            *pattern = GraphPattern::default();
            return true;
        }
        let taken = match pattern {
            GraphPattern::Filter { expr, inner } if !has_exists(expr) => {
                if !self.take_out(inner, filters) {
                    return false;
                }
                filters.push(expr.clone());
                *pattern = std::mem::take(inner);
                true
            }
            GraphPattern::Join { left, right } => {
                self.take_out(left, filters) || self.take_out(right, filters)
            }
            _ => false,
        };
        join_plainly(pattern);
        taken
    }
}

impl Rewrite for Replacing<'_> {
    fn pattern(&mut self, pattern: &mut GraphPattern) {
        if *pattern == self.hierarchy.pattern {
            *pattern = self.with.clone();
            return;
        }
        match pattern {
            GraphPattern::Bgp { patterns } => {
                patterns.retain(|triple| !self.hierarchy.steps.contains(triple));
            }
            GraphPattern::Graph { .. } | GraphPattern::Service { .. } if self.leave => {
                self.let_out(pattern);
            }
            _ => join_plainly(pattern),
        }
    }
}

/// A join with nothing is the other side.
pub(crate) fn join_plainly(pattern: &mut GraphPattern) {
    if let GraphPattern::Join { left, right } = pattern {
        if is_unit(left) {
            *pattern = std::mem::take(right);
        } else if is_unit(right) {
            *pattern = std::mem::take(left);
        }
    }
}

fn has_exists(expression: &Expression) -> bool {
    // `walk` starts from a query, and an ASK of a filter is the smallest one.
    let query = Query::Ask {
        dataset: None,
        pattern: GraphPattern::Filter {
            expr: expression.clone(),
            inner: Box::default(),
        },
        base_iri: None,
    };
    let mut found = false;
    walk(&query, &mut |node, _| {
        found |= matches!(node, Node::Expression(Expression::Exists(_)));
    });
    found
}

fn is_unit(pattern: &GraphPattern) -> bool {
    matches!(pattern, GraphPattern::Bgp { patterns } if patterns.is_empty())
}

fn parts(pattern: &GraphPattern) -> Vec<&GraphPattern> {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {
            Vec::new()
        }
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right }
        | GraphPattern::LeftJoin { left, right, .. } => vec![left, right],
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Graph { inner, .. }
        | GraphPattern::Service { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Group { inner, .. } => vec![inner],
    }
}
