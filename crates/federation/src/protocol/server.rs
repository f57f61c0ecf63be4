//! How a server says whose data it serves.

/// What a server says about its data in the headers of every reply, so that results made up to reproduce published figures
/// are never taken for the live federation's. Servers of others say nothing of the kind.
///
/// ```
/// use federation::protocol::ServerNote;
///
/// let note = ServerNote {
///     server: "embedded-reconstruction".to_owned(),
///     kind: Some("reconstruction".to_owned()),
///     release: Some("2026-11-30".to_owned()),
/// };
/// let headers: Vec<(String, String)> =
///     note.headers().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
/// assert_eq!(ServerNote::read(&headers).as_ref(), Some(&note));
/// assert!(note.is_reconstruction());
/// assert_eq!(ServerNote::read(&[("server".to_owned(), "nginx".to_owned())]), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerNote {
    /// The name that the server gives itself.
    pub server: String,
    /// What its data are, in a word: `reconstruction`. None for data that are what they seem.
    pub kind: Option<String>,
    /// The release of the data.
    pub release: Option<String>,
}

const SERVER: &str = "x-okn-server";
const KIND: &str = "x-okn-kind";
const RELEASE: &str = "x-okn-release";

impl ServerNote {
    /// The names of its headers, which a server must expose for a page of another origin to see them.
    pub const HEADERS: [&str; 3] = [SERVER, KIND, RELEASE];

    /// What a reply's headers say; `None` where they say nothing.
    pub fn read(headers: &[(String, String)]) -> Option<Self> {
        let header = |name: &str| {
            let found = headers
                .iter()
                .find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.trim().to_owned())
        };
        Some(Self {
            server: header(SERVER)?,
            kind: header(KIND),
            release: header(RELEASE),
        })
    }

    /// The headers that say it.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![(SERVER, self.server.clone())];
        headers.extend(self.kind.clone().map(|kind| (KIND, kind)));
        headers.extend(self.release.clone().map(|release| (RELEASE, release)));
        headers
    }

    /// Whether the data are a reconstruction of published figures.
    pub fn is_reconstruction(&self) -> bool {
        self.kind.as_deref() == Some("reconstruction")
    }
}
