//! The page's address as typed state, both ways.
//!
//! This is the only module that names a parameter. The state is in the query string, not in the path, so that the site
//! works below any folder of any static host, and a copied address opens the same view.
//!
//! | parameter | on | meaning |
//! |---|---|---|
//! | `view` | all | `record`, `score`, `query`, `compare`, `rules`, `ava`, `triplets`, `errors` or `about`; absent: the overview |
//! | `id` | record, score, query | the record |
//! | `agent`, `attempt` | record | the attempt that stands open |
//! | `control` | record | the control whose analysis stands open |
//! | `line` | record | the line of the record's file that is pointed at |
//! | `with` | compare | the sweep whose differences are shown; absent: all |
//! | `rule` | rules | the rule of the lint that is pointed at |
//! | `key` | score | `engine` for the key run now; absent: the stored rows |
//! | `control` | query | a control of the record's question, such as `B-keyword` |
//! | `sparql` | query | a query of the reader's own |
//! | `endpoint` | query | an endpoint's address; absent: the embedded engine |
//! | `text` | ava, triplets, errors | what a model's name, or a triplet, must hold |
//! | `architecture`, `figures`, `tuning` | ava | which models are shown |
//! | `sort` | ava | the column that models are sorted by, behind a `-` from its greatest value down |
//! | `at` | ava | the model that is pointed at |
//! | `set` | ava | the set of triplets that models were judged on; absent: every set, each by itself |
//! | `set` | triplets, errors | the file of triplets, or the model, of those published |
//! | `kind`, `verdict`, `page` | triplets, errors | which triplets are shown, and which page of them |
//! | `anchor`, `positive`, `negative` | triplets | a triplet of the reader's own |

/// Where the reader is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// Records by agents.
    #[default]
    Overview,
    /// One record.
    Record {
        /// Its identifier.
        id: String,
        /// What stands open on it.
        open: Open,
    },
    /// Scoring files on this machine.
    Rescore {
        /// The record that all files are scored against; `None`: each by its name.
        id: Option<String>,
        /// Which rows the files are compared with.
        key: KeySource,
    },
    /// Running a query.
    Query {
        /// The query's text or where it comes from.
        source: Source,
        /// Who answers it.
        endpoint: Endpoint,
    },
    /// Sweeps side by side.
    Comparison {
        /// The sweep whose differences are shown; `None`: those of all.
        with: Option<String>,
    },
    /// What the lint looks for.
    Rules {
        /// The rule that is pointed at.
        rule: Option<String>,
    },
    /// Models on AVA, side by side.
    Leaderboard(Board),
    /// Triplets with their lexical scores.
    Triplets(Browse),
    /// Triplets that a model gets wrong.
    Errors(Browse),
    /// What the words and figures mean.
    About,
    /// An address that this build does not know.
    Unknown {
        /// What `view` said.
        view: String,
    },
}

/// What stands open on a record's page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// An attempt.
    pub attempt: Option<AttemptRef>,
    /// The analysis of a control, by its name.
    pub control: Option<String>,
    /// A line of the record's file, from 1.
    pub line: Option<u32>,
}

/// Which models are shown, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// Part of a model's name or of what it was fine-tuned with.
    pub text: Option<String>,
    /// What a model is built on.
    pub architecture: Option<String>,
    /// Where figures come from: `published`, `recomputed` or `ours`.
    pub figures: Option<String>,
    /// `pre-trained` or `fine-tuned`.
    pub tuning: Option<String>,
    /// The set of triplets that models were judged on; `None`: every set, each by itself.
    pub set: Option<String>,
    /// A column, behind a `-` from its greatest value down.
    pub sort: Option<String>,
    /// The model that is pointed at, by its place in the unsorted list.
    pub at: Option<u32>,
}

/// Which triplets are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browse {
    /// The file, or the model, of those published; `None`: the first, or the reader's own.
    pub set: Option<String>,
    /// A kind of perturbation.
    pub kind: Option<String>,
    /// `kept`, `hard` or `dropped`.
    pub verdict: Option<String>,
    /// Part of one of the texts.
    pub text: Option<String>,
    /// Which page, from 1.
    pub page: Option<u32>,
    /// A triplet of the reader's own: anchor, positive, negative.
    pub own: [Option<String>; 3],
}

const OWN: [&str; 3] = ["anchor", "positive", "negative"];

/// An attempt of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRef {
    /// The agent's identifier.
    pub agent: String,
    /// Number of the attempt, from 1.
    pub n: u32,
}

/// Which rows a submission is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeySource {
    /// The rows that the bundle holds.
    #[default]
    Stored,
    /// The key, run now in the embedded engine.
    Engine,
}

/// Where a query comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The key of a record.
    Key {
        /// The record's identifier.
        id: String,
    },
    /// A control of a record's question.
    Control {
        /// The record's identifier.
        id: String,
        /// The control's name.
        name: String,
    },
    /// The reader's own.
    Own {
        /// Its text, possibly empty.
        sparql: String,
    },
}

/// Who answers a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Endpoint {
    /// The engine in this page.
    #[default]
    Embedded,
    /// A SPARQL endpoint.
    Url(String),
}

impl Route {
    /// A record's page with nothing open.
    pub fn record(id: impl Into<String>) -> Self {
        Self::Record {
            id: id.into(),
            open: Open::default(),
        }
    }

    /// Reads a query string, with or without its question mark. Parameters that a view does not have are ignored; an
    /// unknown view is kept, so that the page can say so.
    pub fn parse(search: &str) -> Self {
        let parameters = decode_pairs(search);
        let get = |name: &str| {
            parameters
                .iter()
                .find(|(key, value)| key == name && !value.is_empty())
                .map(|(_, value)| value.clone())
        };
        match get("view").as_deref() {
            None => Self::Overview,
            Some("record") => match get("id") {
                Some(id) => Self::Record {
                    id,
                    open: Open {
                        attempt: attempt(get("agent"), get("attempt")),
                        control: get("control"),
                        line: get("line").and_then(|line| line.parse().ok()),
                    },
                },
                None => Self::Overview,
            },
            Some("score") => Self::Rescore {
                id: get("id"),
                key: match get("key").as_deref() {
                    Some("engine") => KeySource::Engine,
                    _ => KeySource::Stored,
                },
            },
            Some("query") => Self::Query {
                source: match (get("id"), get("control")) {
                    (Some(id), Some(name)) => Source::Control { id, name },
                    (Some(id), None) => Source::Key { id },
                    (None, _) => Source::Own {
                        sparql: get("sparql").unwrap_or_default(),
                    },
                },
                endpoint: get("endpoint").map_or(Endpoint::Embedded, Endpoint::Url),
            },
            Some("compare") => Self::Comparison { with: get("with") },
            Some("rules") => Self::Rules { rule: get("rule") },
            Some("ava") => Self::Leaderboard(Board {
                text: get("text"),
                architecture: get("architecture"),
                figures: get("figures"),
                tuning: get("tuning"),
                set: get("set"),
                sort: get("sort"),
                at: get("at").and_then(|at| at.parse().ok()),
            }),
            Some(view @ ("triplets" | "errors")) => {
                let browse = Browse {
                    set: get("set"),
                    kind: get("kind"),
                    verdict: get("verdict"),
                    text: get("text"),
                    page: get("page").and_then(|page| page.parse().ok()),
                    own: OWN.map(get),
                };
                if view == "errors" {
                    Self::Errors(browse)
                } else {
                    Self::Triplets(browse)
                }
            }
            Some("about") => Self::About,
            Some(other) => Self::Unknown {
                view: other.to_owned(),
            },
        }
    }

    /// The query string that [`Route::parse`] reads back, `.` for the overview: a relative address either way.
    pub fn href(&self) -> String {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        let (number, place);
        match self {
            Self::Overview => return ".".to_owned(),
            Self::Record { id, open } => {
                pairs.extend([("view", "record"), ("id", id)]);
                if let Some(attempt) = &open.attempt {
                    number = attempt.n.to_string();
                    pairs.extend([("agent", attempt.agent.as_str()), ("attempt", &number)]);
                }
                pairs.extend(open.control.as_deref().map(|name| ("control", name)));
                if let Some(line) = open.line {
                    place = line.to_string();
                    pairs.push(("line", &place));
                }
            }
            Self::Comparison { with } => {
                pairs.push(("view", "compare"));
                pairs.extend(with.as_deref().map(|with| ("with", with)));
            }
            Self::Rules { rule } => {
                pairs.push(("view", "rules"));
                pairs.extend(rule.as_deref().map(|rule| ("rule", rule)));
            }
            Self::Rescore { id, key } => {
                pairs.push(("view", "score"));
                pairs.extend(id.as_deref().map(|id| ("id", id)));
                if *key == KeySource::Engine {
                    pairs.push(("key", "engine"));
                }
            }
            Self::Query { source, endpoint } => {
                pairs.push(("view", "query"));
                match source {
                    Source::Key { id } => pairs.push(("id", id)),
                    Source::Control { id, name } => {
                        pairs.extend([("id", id.as_str()), ("control", name)]);
                    }
                    Source::Own { sparql } if sparql.is_empty() => {}
                    Source::Own { sparql } => pairs.push(("sparql", sparql)),
                }
                if let Endpoint::Url(url) = endpoint {
                    pairs.push(("endpoint", url));
                }
            }
            Self::Leaderboard(board) => {
                pairs.push(("view", "ava"));
                let given = [
                    ("text", &board.text),
                    ("architecture", &board.architecture),
                    ("figures", &board.figures),
                    ("tuning", &board.tuning),
                    ("set", &board.set),
                    ("sort", &board.sort),
                ];
                pairs.extend(present(&given));
                if let Some(at) = board.at {
                    number = at.to_string();
                    pairs.push(("at", &number));
                }
            }
            Self::Triplets(browse) | Self::Errors(browse) => {
                let is_errors = matches!(self, Self::Errors(_));
                pairs.push(("view", if is_errors { "errors" } else { "triplets" }));
                let given = [
                    ("set", &browse.set),
                    ("kind", &browse.kind),
                    ("verdict", &browse.verdict),
                    ("text", &browse.text),
                ];
                pairs.extend(present(&given));
                if let Some(page) = browse.page {
                    number = page.to_string();
                    pairs.push(("page", &number));
                }
                let own = OWN.into_iter().zip(&browse.own);
                pairs.extend(own.filter_map(|(name, text)| Some((name, text.as_deref()?))));
            }
            Self::About => pairs.push(("view", "about")),
            Self::Unknown { view } => pairs.push(("view", view)),
        }
        let joined: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", encode(value)))
            .collect();
        format!("?{}", joined.join("&"))
    }

    /// The name of the view, for the window's title.
    pub fn title(&self) -> String {
        match self {
            Self::Overview => "Overview".to_owned(),
            Self::Record { id, .. } => id.clone(),
            Self::Rescore { .. } => "Re-score".to_owned(),
            Self::Query { .. } => "Query".to_owned(),
            Self::Comparison { .. } => "Comparison".to_owned(),
            Self::Rules { .. } => "What the lint looks for".to_owned(),
            Self::Leaderboard(_) => "Embedding models on AVA".to_owned(),
            Self::Triplets(_) => "Triplets".to_owned(),
            Self::Errors(_) => "Errors of a model".to_owned(),
            Self::About => "What the words mean".to_owned(),
            Self::Unknown { .. } => "No such page".to_owned(),
        }
    }

    /// This place with what stands open at another one, where both are the same record, or the reader's own triplet, where both
    /// are of triplets; and this one says nothing of it.
    #[must_use]
    pub fn keeping(self, other: &Self) -> Self {
        match (self, other) {
            (
                Self::Record { id, open },
                Self::Record {
                    id: same,
                    open: kept,
                },
            ) if id == *same => Self::Record {
                id,
                open: Open {
                    attempt: open.attempt.or_else(|| kept.attempt.clone()),
                    control: open.control.or_else(|| kept.control.clone()),
                    line: open.line.or(kept.line),
                },
            },
            (Self::Triplets(browse), Self::Triplets(kept))
                if browse.own.iter().all(Option::is_none) =>
            {
                Self::Triplets(Browse {
                    own: kept.own.clone(),
                    ..browse
                })
            }
            (this, _) => this,
        }
    }

    /// Whether its view is a rarer one, which the first module does not have.
    pub fn is_rarer(&self) -> bool {
        match self {
            Self::Comparison { .. }
            | Self::Rules { .. }
            | Self::Leaderboard(_)
            | Self::Triplets(_)
            | Self::Errors(_) => true,
            Self::Overview
            | Self::Record { .. }
            | Self::Rescore { .. }
            | Self::Query { .. }
            | Self::About
            | Self::Unknown { .. } => false,
        }
    }

    /// Whether going from here to there opens another page, so that focus and scrolling start anew. A change within a
    /// page (an attempt opened, another endpoint) does not.
    pub fn is_same_page(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Record { id, .. }, Self::Record { id: other, .. }) => id == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// The pairs that have a value.
fn present<'a>(given: &[(&'a str, &'a Option<String>)]) -> Vec<(&'a str, &'a str)> {
    let each = given.iter();
    each.filter_map(|(name, value)| Some((*name, value.as_deref()?)))
        .collect()
}

fn attempt(agent: Option<String>, number: Option<String>) -> Option<AttemptRef> {
    Some(AttemptRef {
        agent: agent?,
        n: number?.parse().ok()?,
    })
}

fn decode_pairs(search: &str) -> Vec<(String, String)> {
    search
        .trim_start_matches('?')
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// Percent-encodes everything but RFC 3986's unreserved characters, `:` and `/`, which a query may hold as they are.
pub fn encode(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    out
}

/// Undoes [`encode`] and the form encoding of blanks as `+`; what is no valid escape stays as it is.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], escaped) {
            (_, Some(byte)) => {
                out.push(byte);
                at += 3;
                continue;
            }
            (b'+', None) => out.push(b' '),
            (byte, None) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

// The generator of random cases wants randomness that a page does not give.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_and_what_they_mean() {
        let overview = ["", "?", "?view=", "?utm=x", "?view=record"];
        for search in overview {
            assert_eq!(Route::parse(search), Route::Overview, "{search}");
        }
        assert_eq!(
            Route::parse("?view=record&id=nde-expand_x&agent=baseline:silent&attempt=2"),
            Route::Record {
                id: "nde-expand_x".into(),
                open: Open {
                    attempt: Some(AttemptRef {
                        agent: "baseline:silent".into(),
                        n: 2
                    }),
                    ..Open::default()
                },
            }
        );
        assert_eq!(
            Route::parse("?view=record&id=x&control=B-keyword&line=7"),
            Route::Record {
                id: "x".into(),
                open: Open {
                    control: Some("B-keyword".into()),
                    line: Some(7),
                    ..Open::default()
                },
            }
        );
        assert_eq!(
            Route::parse("?view=record&id=x&line=seven"),
            Route::record("x")
        );
        assert_eq!(
            Route::parse("?view=compare&with=baseline:literal"),
            Route::Comparison {
                with: Some("baseline:literal".into())
            }
        );
        assert_eq!(
            Route::parse("?view=query&sparql=ASK+%7B%7D&endpoint=http%3A%2F%2Flocalhost%3A1%2F"),
            Route::Query {
                source: Source::Own {
                    sparql: "ASK {}".into()
                },
                endpoint: Endpoint::Url("http://localhost:1/".into()),
            }
        );
        assert_eq!(
            Route::parse("?view=elsewhere"),
            Route::Unknown {
                view: "elsewhere".into()
            }
        );
    }

    #[test]
    fn a_link_within_a_record_keeps_what_stands_open() {
        let here = Route::parse("?view=record&id=x&control=B-keyword&line=7");
        let there = Route::parse("?view=record&id=x&line=9");
        assert_eq!(
            there.clone().keeping(&here).href(),
            "?view=record&id=x&control=B-keyword&line=9"
        );
        let elsewhere = Route::parse("?view=record&id=y&control=A");
        assert_eq!(there.clone().keeping(&elsewhere), there);
    }

    #[test]
    fn a_link_to_another_page_of_triplets_keeps_the_reader_s_own() {
        let here = Route::parse("?view=triplets&set=s&page=2&anchor=a&negative=c");
        let there = Route::parse("?view=triplets&set=s&page=3");
        assert_eq!(
            there.clone().keeping(&here).href(),
            "?view=triplets&set=s&page=3&anchor=a&negative=c"
        );
        let another = Route::parse("?view=triplets&set=s&page=3&anchor=x");
        assert_eq!(another.clone().keeping(&here), another);
        let errors = Route::parse("?view=errors&set=s&page=2");
        assert_eq!(errors.clone().keeping(&here), errors);
    }

    #[test]
    fn a_bad_escape_stays_as_it_is() {
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%41"), "%zzA");
        assert_eq!(decode("%e2%82"), "\u{fffd}");
    }

    #[test]
    fn attempts_of_one_record_are_one_page() {
        let at = |id: &str, n| Route::Record {
            id: id.into(),
            open: Open {
                attempt: Some(AttemptRef {
                    agent: "a".into(),
                    n,
                }),
                ..Open::default()
            },
        };
        assert!(at("x", 1).is_same_page(&at("x", 2)));
        assert!(!at("x", 1).is_same_page(&at("y", 1)));
        assert!(!at("x", 1).is_same_page(&Route::Overview));
    }

    fn text() -> impl Strategy<Value = String> {
        "[ -~é€\n]{1,24}"
    }

    fn route() -> impl Strategy<Value = Route> {
        let attempt = proptest::option::of(
            (text(), any::<u32>()).prop_map(|(agent, n)| AttemptRef { agent, n }),
        );
        let key = prop_oneof![Just(KeySource::Stored), Just(KeySource::Engine)];
        let source = prop_oneof![
            text().prop_map(|id| Source::Key { id }),
            (text(), text()).prop_map(|(id, name)| Source::Control { id, name }),
            "[ -~é\n]{0,24}".prop_map(|sparql| Source::Own { sparql }),
        ];
        let endpoint = prop_oneof![Just(Endpoint::Embedded), text().prop_map(Endpoint::Url)];
        let maybe = || proptest::option::of(text());
        let board = (
            (maybe(), maybe(), maybe()),
            (maybe(), maybe(), maybe(), any::<Option<u32>>()),
        )
            .prop_map(
                |((text, architecture, figures), (tuning, set, sort, at))| Board {
                    text,
                    architecture,
                    figures,
                    tuning,
                    set,
                    sort,
                    at,
                },
            );
        let browse = (
            (maybe(), maybe(), maybe()),
            (maybe(), any::<Option<u32>>()),
            [maybe(), maybe(), maybe()],
        )
            .prop_map(|((set, kind, verdict), (text, page), own)| Browse {
                set,
                kind,
                verdict,
                text,
                page,
                own,
            });
        prop_oneof![
            board.prop_map(Route::Leaderboard),
            (any::<bool>(), browse).prop_map(|(is_errors, browse)| if is_errors {
                Route::Errors(browse)
            } else {
                Route::Triplets(browse)
            }),
            Just(Route::Overview),
            Just(Route::About),
            (
                text(),
                attempt,
                proptest::option::of(text()),
                any::<Option<u32>>()
            )
                .prop_map(|(id, attempt, control, line)| Route::Record {
                    id,
                    open: Open {
                        attempt,
                        control,
                        line
                    }
                }),
            proptest::option::of(text()).prop_map(|with| Route::Comparison { with }),
            proptest::option::of(text()).prop_map(|rule| Route::Rules { rule }),
            (proptest::option::of(text()), key).prop_map(|(id, key)| Route::Rescore { id, key }),
            (source, endpoint).prop_map(|(source, endpoint)| Route::Query { source, endpoint }),
        ]
    }

    proptest! {
        #[test]
        fn an_address_opens_the_view_it_was_made_from(route in route()) {
            prop_assert_eq!(Route::parse(&route.href()), route);
        }
    }
}
