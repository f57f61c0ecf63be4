//! What tokens cost: a table that the operator gives.
//!
//! ```toml
//! source = "https://example.org/pricing, read 2026-11-30"    # where the prices are from, and when
//!
//! [models."claude-opus-*"]       # a model, or the start of its name and a star
//! input = 5.0                    # US dollars for a million tokens
//! output = 25.0
//! cache_read = 0.5               # where the service has a cache
//! cache_write = 6.25
//! ```
//!
//! The program has no prices of its own: they change, and a wrong one cannot be told from a right one.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::AddAssign;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Failure, store};

/// Tokens in the unit of a price.
const MILLION: f64 = 1e6;

const REMEDY: &str = "a table of prices has source = \"…\" and, for each model, [models.\"NAME\"] with input and output, and perhaps cache_read and \
    cache_write, in US dollars for a million tokens";

/// What the tokens of one model cost, in US dollars for a million.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Price {
    /// Tokens read.
    pub(crate) input: f64,
    /// Tokens written.
    pub(crate) output: f64,
    /// Tokens read from the service's cache.
    pub(crate) cache_read: Option<f64>,
    /// Tokens read and put into the service's cache.
    pub(crate) cache_write: Option<f64>,
}

/// A table of prices.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prices {
    /// Where they are from, and of when.
    pub(crate) source: String,
    models: BTreeMap<String, Price>,
}

impl Prices {
    /// Reads a table.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let bytes = store::read(file)?;
        let text = String::from_utf8_lossy(&bytes);
        let prices: Self =
            toml::from_str(&text).map_err(|error| Failure::of_toml(file, &text, &error, REMEDY))?;
        for (model, price) in &prices.models {
            let figures = [
                ("input", Some(price.input)),
                ("output", Some(price.output)),
                ("cache_read", price.cache_read),
                ("cache_write", price.cache_write),
            ];
            for (name, figure) in figures {
                if figure.is_some_and(|figure| !figure.is_finite() || figure < 0.0) {
                    let at = text.find(&format!("\"{model}\"")).unwrap_or(0);
                    let message = format!("the {name} price of `{model}` is no amount of dollars");
                    return Err(Failure::in_text(file, &text, at, message, REMEDY));
                }
            }
        }
        Ok(prices)
    }

    /// The price of a model: under its own name, else under the longest start of it.
    pub(crate) fn of(&self, model: &str) -> Option<Price> {
        if let Some(price) = self.models.get(model) {
            return Some(*price);
        }
        let starts = self.models.iter().filter_map(|(name, price)| {
            let start = name.strip_suffix('*')?;
            model.starts_with(start).then_some((start.len(), price))
        });
        starts
            .max_by_key(|(length, _)| *length)
            .map(|(_, price)| *price)
    }
}

/// The names of the counts in a message of Anthropic's API, for [`Tokens::beside_cache`].
pub(crate) const OF_MESSAGE: [&str; 4] = [
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
];

/// The tokens of one reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tokens {
    /// Read, those of the cache among them.
    pub(crate) input: u64,
    /// Written.
    pub(crate) output: u64,
    /// Of those read: from the cache.
    pub(crate) cache_read: u64,
    /// Of those read: put into the cache.
    pub(crate) cache_write: u64,
}

impl Tokens {
    /// Reads counts as Anthropic's API has them, under these names for input, output, read from and written to the cache:
    /// those of the cache stand beside the input there.
    pub(crate) fn beside_cache(counts: &Value, [input, output, read, written]: [&str; 4]) -> Self {
        let count = |name: &str| counts[name].as_u64().unwrap_or_default();
        let (cache_read, cache_write) = (count(read), count(written));
        Self {
            input: count(input)
                .saturating_add(cache_read)
                .saturating_add(cache_write),
            output: count(output),
            cache_read,
            cache_write,
        }
    }

    /// Read and written together.
    pub(crate) fn all(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// What they cost, as far as that is known, and whether that is all.
    fn cost(&self, price: &Price) -> (f64, bool) {
        let plain = self
            .input
            .saturating_sub(self.cache_read)
            .saturating_sub(self.cache_write);
        let parts = [
            (plain, Some(price.input)),
            (self.output, Some(price.output)),
            (self.cache_read, price.cache_read),
            (self.cache_write, price.cache_write),
        ];
        let known = |(tokens, price): (u64, Option<f64>)| Some(tokens as f64 * price? / MILLION);
        let usd = parts.iter().copied().filter_map(known).sum();
        let whole = parts
            .iter()
            .all(|(tokens, price)| *tokens == 0 || price.is_some());
        (usd, whole)
    }
}

/// Counts that no model can have used come from a fault of whoever told them; they are no reason to fail.
impl AddAssign for Tokens {
    fn add_assign(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
        self.cache_read = self.cache_read.saturating_add(more.cache_read);
        self.cache_write = self.cache_write.saturating_add(more.cache_write);
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, tokens| {
            sum += tokens;
            sum
        })
    }
}

/// What an attempt has used so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spending {
    price: Option<Price>,
    tokens: Option<Tokens>,
    usd: Option<f64>,
    incomplete: bool,
    turns: u32,
    malformed_calls: u32,
}

impl Spending {
    /// Nothing yet, of a model with this price.
    pub(crate) fn new(price: Option<Price>) -> Self {
        Self {
            price,
            ..Self::default()
        }
    }

    /// Counts a reply of the model.
    pub(crate) fn turn(&mut self) {
        self.turns += 1;
    }

    /// Counts a call that could not be made as the model wrote it.
    pub(crate) fn malformed_call(&mut self) {
        self.malformed_calls += 1;
    }

    /// Adds what a reply used; `None` where the service did not say.
    pub(crate) fn add(&mut self, tokens: Option<Tokens>) {
        let Some(tokens) = tokens else {
            self.incomplete = true;
            return;
        };
        *self.tokens.get_or_insert_default() += tokens;
        if let Some(price) = &self.price {
            let (usd, whole) = tokens.cost(price);
            *self.usd.get_or_insert_default() += usd;
            self.incomplete |= !whole;
        } else {
            self.incomplete = true;
        }
    }

    /// Adds what is known of a reply that broke off.
    pub(crate) fn add_broken(&mut self, tokens: Option<Tokens>) {
        self.add(tokens);
        self.incomplete = true;
    }

    /// Replies of the model so far.
    pub(crate) fn turns(&self) -> u32 {
        self.turns
    }

    /// Tokens read and written so far, as far as that is known.
    pub(crate) fn tokens(&self) -> u64 {
        self.tokens.map_or(0, |tokens| tokens.all())
    }

    /// The known cost so far, in US dollars.
    pub(crate) fn usd(&self) -> Option<f64> {
        self.usd
    }

    /// All of it, as attempts store it.
    pub(crate) fn usage(&self) -> sweep::Usage {
        sweep::Usage {
            input_tokens: self.tokens.map(|tokens| tokens.input),
            output_tokens: self.tokens.map(|tokens| tokens.output),
            cache_read_tokens: self.tokens.map(|tokens| tokens.cache_read),
            cache_write_tokens: self.tokens.map(|tokens| tokens.cache_write),
            cost_usd: self.usd,
            cost_incomplete: self.incomplete,
            turns: Some(self.turns),
            malformed_calls: Some(self.malformed_calls),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r#"
source = "a page, read on a day"
[models."big-*"]
input = 4
output = 20
cache_read = 0.4
cache_write = 5
[models."big-1"]
input = 1
output = 2
[models."big-1-fast*"]
input = 8
output = 40
"#;

    fn prices() -> Prices {
        toml::from_str(TABLE).unwrap()
    }

    #[test]
    fn a_model_has_the_price_of_its_name_or_of_the_longest_start_of_it() {
        for (model, input) in [
            ("big-1", Some(1.0)),
            ("big-1-x", Some(4.0)),
            ("big-1-fast-x", Some(8.0)),
            ("big", None),
            ("small-1", None),
        ] {
            assert_eq!(
                prices().of(model).map(|price| price.input),
                input,
                "{model}"
            );
        }
    }

    #[test]
    fn a_table_that_is_none_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("prices.toml");
        for (text, line, says) in [
            (
                "source = \"s\"\n[models.\"m\"]\ninput = 1\n",
                2,
                "missing field `output`",
            ),
            (
                "source = \"s\"\n[models.\"m\"]\ninput = 1\noutput = -2\n",
                2,
                "no amount of dollars",
            ),
            (
                "source = \"s\"\n[models.\"m\"]\ninput = nan\noutput = 2\n",
                2,
                "no amount of dollars",
            ),
            (
                "source = \"s\"\n[models.\"m\"]\ninput = 1\noutput = 2\ncached = 1\n",
                5,
                "unknown field `cached`",
            ),
            ("[models]\n", 1, "missing field `source`"),
            ("source = \"s\n", 1, ""),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = Prices::read(&file).unwrap_err();
            let Failure::Input {
                line: at, message, ..
            } = &error
            else {
                panic!("{text}: {error:?}");
            };
            assert!(message.contains(says), "{text}: {message}");
            assert_eq!(*at, line, "{text}: {message}");
        }
    }

    #[test]
    fn cached_tokens_have_prices_of_their_own() {
        let mut spending = Spending::new(prices().of("big-2"));
        spending.turn();
        spending.add(Some(Tokens {
            input: 1_000_000,
            output: 100_000,
            cache_read: 500_000,
            cache_write: 200_000,
        }));
        let usage = spending.usage();
        // 0.3 M at 4, 0.1 M written at 20, 0.5 M at 0.4, 0.2 M at 5.
        assert!((usage.cost_usd.unwrap() - (1.2 + 2.0 + 0.2 + 1.0)).abs() < 1e-9);
        assert!(!usage.cost_incomplete);
        assert_eq!(usage.input_tokens, Some(1_000_000));
        assert_eq!(spending.tokens(), 1_100_000);
    }

    /// Twenty calls, of which one was killed before its usage came back: the sum of what is known, and said to be that.
    #[test]
    fn the_cost_is_the_sum_of_what_is_known() {
        let each = Tokens {
            input: 10_000,
            output: 1_000,
            ..Tokens::default()
        };
        for (killed, known) in [
            (None, false),
            (
                Some(Tokens {
                    input: 10_000,
                    ..Tokens::default()
                }),
                true,
            ),
        ] {
            let mut spending = Spending::new(prices().of("big-1"));
            for call in 0..20 {
                if call == 12 {
                    spending.add_broken(killed);
                } else {
                    spending.add(Some(each));
                }
            }
            let usage = spending.usage();
            let expected = 19.0 * 0.012 + if known { 0.01 } else { 0.0 };
            assert!(
                (usage.cost_usd.unwrap() - expected).abs() < 1e-9,
                "{usage:?}"
            );
            assert!(usage.cost_incomplete);
        }
    }

    #[test]
    fn what_is_not_known_is_not_nothing() {
        let tokens = Some(Tokens {
            input: 5,
            output: 1,
            cache_read: 2,
            cache_write: 0,
        });
        let mut without_price = Spending::new(None);
        without_price.add(tokens);
        let usage = without_price.usage();
        assert_eq!(
            (usage.cost_usd, usage.cost_incomplete, usage.input_tokens),
            (None, true, Some(5))
        );

        let mut without_usage = Spending::new(prices().of("big-1"));
        without_usage.add(None);
        let usage = without_usage.usage();
        assert_eq!(
            (usage.cost_usd, usage.cost_incomplete, usage.input_tokens),
            (None, true, None)
        );

        // This model's price says nothing of a cache.
        let mut without_cache_price = Spending::new(prices().of("big-1"));
        without_cache_price.add(tokens);
        let usage = without_cache_price.usage();
        assert!(usage.cost_incomplete);
        assert!((usage.cost_usd.unwrap() - (3.0 + 2.0) / 1e6).abs() < 1e-12);
    }
}
