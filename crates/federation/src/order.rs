//! Making `ORDER BY` decide.
//!
//! The standard leaves two things open that a key cannot: rows that tie, and values that do not compare (a number and a
//! string, two dates of which one has no time zone). The evaluator sorts the first by chance, and panics on some of the
//! second because its comparison of them is not an order. So every `ORDER BY` of a query, those of its subqueries included,
//! is rewritten before it is evaluated:
//!
//! - before each key comes its *class*, so that only values that do compare are compared: unbound, then blank nodes and
//!   IRIs (by codepoint), then numbers by value, NaN, and the other literals by datatype;
//! - after the last key come the projected variables from left to right, by codepoint of their text, so that rows which tie
//!   are sorted unless they read the same.

use oxrdf::{Literal, Variable};
use spargebra::algebra::{Expression, Function, GraphPattern, OrderExpression};

/// Rewrites the `ORDER BY`s of a pattern.
pub(crate) fn decide(pattern: &mut GraphPattern) {
    // A list of what is left to do, with the variables that the nearest projection above keeps.
    let mut todo: Vec<(&mut GraphPattern, Vec<Variable>)> = vec![(pattern, Vec::new())];
    while let Some((pattern, projected)) = todo.pop() {
        match pattern {
            GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {}
            GraphPattern::Join { left, right }
            | GraphPattern::Union { left, right }
            | GraphPattern::Minus { left, right }
            | GraphPattern::LeftJoin { left, right, .. } => {
                todo.push((left, Vec::new()));
                todo.push((right, Vec::new()));
            }
            GraphPattern::Filter { inner, .. }
            | GraphPattern::Graph { inner, .. }
            | GraphPattern::Extend { inner, .. }
            | GraphPattern::Group { inner, .. }
            | GraphPattern::Service { inner, .. } => todo.push((inner, Vec::new())),
            GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::Slice { inner, .. } => todo.push((inner, projected)),
            GraphPattern::Project { inner, variables } => todo.push((inner, variables.clone())),
            GraphPattern::OrderBy { inner, expression } => {
                decide_one(inner, expression, &projected);
                todo.push((inner, Vec::new()));
            }
        }
    }
}

fn decide_one(inner: &mut GraphPattern, keys: &mut Vec<OrderExpression>, projected: &[Variable]) {
    let mut decided = Vec::with_capacity(2 * keys.len() + projected.len());
    for (number, key) in std::mem::take(keys).into_iter().enumerate() {
        let (OrderExpression::Asc(value) | OrderExpression::Desc(value)) = &key;
        // No query can spell a variable with a space in it, so this one is free.
        let class = Variable::new_unchecked(format!("class of key {number}"));
        extend(inner, class.clone(), class_of(value));
        decided.push(match &key {
            OrderExpression::Asc(_) => OrderExpression::Asc(Expression::Variable(class)),
            OrderExpression::Desc(_) => OrderExpression::Desc(Expression::Variable(class)),
        });
        decided.push(key);
    }
    decided.extend(
        projected
            .iter()
            .map(|variable| OrderExpression::Asc(call(Function::Str, variable.clone().into()))),
    );
    *keys = decided;
}

fn extend(inner: &mut GraphPattern, variable: Variable, expression: Expression) {
    let below = std::mem::take(inner);
    *inner = GraphPattern::Extend {
        inner: Box::new(below),
        variable,
        expression,
    };
}

/// A string that sorts values of different classes and is the same for values that compare. Unbound where the value is.
fn class_of(value: &Expression) -> Expression {
    let value = || value.clone();
    let number = choose(
        Expression::Equal(Box::new(value()), Box::new(value())),
        text("1"),
        text("2"),
    );
    // Two times compare for certain only where both or neither say their zone.
    let zone = Expression::Coalesce(vec![
        choose(
            Expression::Equal(Box::new(call(Function::Tz, value())), Box::new(text(""))),
            text(" local"),
            text(" zoned"),
        ),
        text(""),
    ]);
    let other = Expression::FunctionCall(
        Function::Concat,
        vec![
            text("3"),
            call(Function::Str, call(Function::Datatype, value())),
            zone,
        ],
    );
    choose(
        call(Function::IsLiteral, value()),
        choose(call(Function::IsNumeric, value()), number, other),
        text("0"),
    )
}

fn call(function: Function, argument: Expression) -> Expression {
    Expression::FunctionCall(function, vec![argument])
}

fn choose(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    Expression::If(Box::new(condition), Box::new(then), Box::new(otherwise))
}

fn text(value: &str) -> Expression {
    Expression::Literal(Literal::new_simple_literal(value))
}
