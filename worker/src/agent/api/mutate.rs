//! Replies as no service should send them: every member of good ones in turn replaced by something else.

use serde_json::{Value, json};

use super::turn::{Assembly, Turn};

/// Every reply that differs from a good one in one member of one event.
pub(crate) fn mutations(good: &[Value]) -> Vec<Vec<Value>> {
    let odd = [
        json!(null),
        json!(7),
        json!(-1),
        json!(u64::MAX),
        json!("x"),
        json!([]),
        json!(["x"]),
        json!({}),
        json!({"x": {}}),
    ];
    let mut all = Vec::new();
    for (place, event) in good.iter().enumerate() {
        let mut paths = vec![String::new()];
        walk(event, "", &mut paths);
        for path in paths {
            for odd in &odd {
                let mut reply = good.to_vec();
                if let Some(member) = reply
                    .get_mut(place)
                    .and_then(|event| event.pointer_mut(&path))
                {
                    *member = odd.clone();
                }
                all.push(reply);
            }
        }
    }
    all
}

/// Puts a reply together as far as it goes.
pub(crate) fn assembled(mut reply: Box<dyn Assembly>, events: &[Value]) -> Turn {
    for event in events {
        if reply.event(event).is_err() {
            break;
        }
    }
    let _ = (reply.tokens(), reply.is_whole());
    reply.turn()
}

fn walk(value: &Value, path: &str, paths: &mut Vec<String>) {
    let mut visit = |name: &str, member: &Value| {
        let path = format!("{path}/{name}");
        walk(member, &path, paths);
        paths.push(path);
    };
    match value {
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                visit(&place.to_string(), item);
            }
        }
        Value::Object(members) => members
            .iter()
            .for_each(|(name, member)| visit(name, member)),
        _ => {}
    }
}
