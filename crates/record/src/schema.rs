//! Which keys a header may have, and what each holds.

/// What a key's value is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// Prose or a name: never anything but text, whatever it looks like.
    Text,
    /// A list of plain values.
    List,
    /// `true` or `false`.
    Bool,
    /// A count.
    Number,
    /// A list whose items may be maps.
    Items,
    /// Keys and values.
    Map,
    /// Ids of rules, each with a reason.
    Reasons,
}

/// The file whose header is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Schema {
    Record,
    Control,
}

/// Every known key. All but the first three and the last two are grlc's.
const KEYS: [(&str, Kind); 13] = [
    ("summary", Kind::Text),
    ("tags", Kind::List),
    ("expect-empty", Kind::Bool),
    ("description", Kind::Text),
    ("endpoint", Kind::Text),
    ("endpoint-method", Kind::Text),
    ("method", Kind::Text),
    ("pagination", Kind::Number),
    ("defaults", Kind::Items),
    ("enumerate", Kind::Items),
    ("transform", Kind::Map),
    ("allow", Kind::Reasons),
    ("keywords", Kind::List),
];

impl Schema {
    /// What `key` holds; `None` for a key that nothing reads.
    pub(crate) fn kind(self, key: &str) -> Option<Kind> {
        self.keys()
            .find(|(name, _)| *name == key)
            .map(|(_, kind)| kind)
    }

    /// The known key that differs from `key` only in case and in how words are joined, or by a plural.
    pub(crate) fn near(self, key: &str) -> Option<&'static str> {
        let wanted = plain(key);
        self.keys()
            .map(|(name, _)| name)
            .find(|name| plain(name) == wanted)
    }

    fn keys(self) -> impl Iterator<Item = (&'static str, Kind)> {
        // The words of a name test mean something in a control only.
        KEYS.into_iter()
            .filter(move |(name, _)| self == Self::Control || *name != "keywords")
    }
}

fn plain(key: &str) -> String {
    let letters: String = key
        .chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect();
    letters.trim_end_matches('s').to_owned()
}
