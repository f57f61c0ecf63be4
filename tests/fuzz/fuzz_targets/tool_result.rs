//! Whatever a tool replies to an agent: the rules that tell failures from results come to an end, and agree with themselves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sweep::{expansion, soft_error, terms};

fuzz_target!(|text: &str| {
    let texts = [
        text.to_owned(),
        serde_json::json!({ "content": [{ "type": "text", "text": text }], "isError": false })
            .to_string(),
    ];
    for result in &texts {
        if let Some(error) = soft_error(result) {
            let rule = sweep::RULES.iter().find(|rule| rule.rule == error.rule);
            assert!(rule.is_some(), "{error:?}");
        }
        let _ = (expansion(result), terms(result));
        assert_eq!(soft_error(result), soft_error(result));
    }
});
