//! Which record a submitted file answers, guessed from its path.

/// A guessed record and how sure the guess is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The record's identifier.
    pub id: String,
    /// What in the path led to it.
    pub because: Because,
}

/// What a guess rests on, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// The file's own name holds the identifier.
    FileName,
    /// A folder on its path holds the identifier, as in `runs/<record>/1/answer.csv`.
    Folder,
    /// The path names only the topic, so the arm is an assumption.
    Topic,
}

impl Because {
    /// The reason in words, fit to stand after the record's name.
    pub fn words(self) -> &'static str {
        match self {
            Self::FileName => "from the file name",
            Self::Folder => "from the folder name",
            Self::Topic => "from the topic only; check the arm",
        }
    }
}

/// Guesses the record from a path such as `sweep/nde-expand_autoimmune/2/answer.csv`.
///
/// Words are compared, not characters, so `NDE expand autoimmune (1).csv` is found too. A path that names a topic without
/// the whole identifier gives that topic's record, `exact` if the word is there and `expand` otherwise. No match, no guess.
pub fn guess<'a>(path: &str, ids: impl Iterator<Item = &'a str>) -> Option<Guess> {
    let ids: Vec<&str> = ids.collect();
    let segments: Vec<Vec<String>> = path.rsplit(['/', '\\']).map(words).collect();
    for (depth, segment) in segments.iter().enumerate() {
        // The longest identifier wins where one contains another.
        let found = ids
            .iter()
            .filter(|id| contains(segment, &words(id)))
            .max_by_key(|id| id.len());
        if let Some(id) = found {
            return Some(Guess {
                id: (*id).to_owned(),
                because: if depth == 0 {
                    Because::FileName
                } else {
                    Because::Folder
                },
            });
        }
    }
    by_topic(&segments, &ids)
}

fn by_topic(segments: &[Vec<String>], ids: &[&str]) -> Option<Guess> {
    let said = |word: &str| segments.iter().flatten().any(|other| other == word);
    let mut of_topic = ids.iter().filter(|id| {
        id.rsplit_once('_')
            .is_some_and(|(_, tier)| said(&tier.to_lowercase()))
    });
    let arm = if said("exact") { "-exact_" } else { "-expand_" };
    of_topic.find(|id| id.contains(arm)).map(|id| Guess {
        id: (*id).to_owned(),
        because: Because::Topic,
    })
}

fn words(segment: &str) -> Vec<String> {
    segment
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn contains(segment: &[String], id: &[String]) -> bool {
    !id.is_empty() && segment.windows(id.len()).any(|window| window == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 4] = [
        "nde-expand_autoimmune",
        "nde-exact_autoimmune",
        "rdkg-expand_neurological",
        "rdkg-exact_neurological",
    ];

    fn check(path: &str, expected: Option<(&str, Because)>) {
        let found = guess(path, IDS.into_iter());
        assert_eq!(
            found.as_ref().map(|g| (g.id.as_str(), g.because)),
            expected,
            "{path}"
        );
    }

    #[test]
    fn paths_and_the_records_they_name() {
        use Because::{FileName, Folder, Topic};
        check("nde-expand_autoimmune.csv", Some((IDS[0], FileName)));
        check("NDE exact autoimmune (1).CSV", Some((IDS[1], FileName)));
        check(
            "opus_rdkg-expand_neurological.3.csv",
            Some((IDS[2], FileName)),
        );
        check(
            "runs/rdkg-exact_neurological/1/answer.csv",
            Some((IDS[3], Folder)),
        );
        check(
            r"runs\nde-exact_autoimmune\2\answer.csv",
            Some((IDS[1], Folder)),
        );
        check("autoimmune.csv", Some((IDS[0], Topic)));
        check("exact/autoimmune.csv", Some((IDS[1], Topic)));
        check("answer.csv", None);
        check("", None);
    }

    #[test]
    fn the_nearest_folder_decides() {
        check(
            "nde-exact_autoimmune/old/nde-expand_autoimmune/answer.csv",
            Some((IDS[0], Because::Folder)),
        );
    }
}
