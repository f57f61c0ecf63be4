//! Server-sent events, read in whatever pieces they arrive.
//!
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>

use std::time::Duration;

/// The byte order mark, which is no part of the first line.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// What the server calls it; empty for one without a name.
    pub(crate) name: String,
    /// Its data, which hold more than white space.
    pub(crate) data: String,
}

impl Event {
    /// Whether it is an event of the kind that has no name of its own.
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.name.as_str(), "" | "message")
    }
}

/// Reads a stream of server-sent events: give it bytes, take the events that are whole.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    pending: Vec<u8>,
    /// Up to here there is no line end in `pending`.
    searched: usize,
    started: bool,
    /// The last line ended with a return that a line feed may still belong to.
    returned: bool,
    data: Option<String>,
    name: String,
    /// As the last line of that kind says; it counts once its event is whole.
    id: Option<String>,
    last_id: Option<String>,
    retry: Option<Duration>,
}

impl SseParser {
    /// Takes bytes; the events that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let rest = bytes.strip_prefix(b"\n").filter(|_| self.returned);
        self.returned &= bytes.is_empty();
        self.pending.extend_from_slice(rest.unwrap_or(bytes));
        // A mark of the byte order may arrive in pieces; whatever else has begun has none.
        if !self.started {
            let marked = self.pending.starts_with(MARK);
            self.started = marked || !MARK.starts_with(&self.pending);
            if marked {
                self.pending.drain(..MARK.len());
            }
        }
        let mut events = Vec::new();
        let mut start = 0;
        while let Some((end, next)) = self.line_end(start) {
            self.returned = next == self.pending.len() && self.pending.ends_with(b"\r");
            let line = self.pending.get(start..end).unwrap_or_default();
            let line = String::from_utf8_lossy(line).into_owned();
            events.extend(self.line(&line));
            start = next;
            self.searched = next;
        }
        self.pending.drain(..start);
        self.searched = self.pending.len();
        events
    }

    /// The event that the stream ended in the middle of, for servers that leave out the last empty line: the standard
    /// would drop it, and whoever asks must be able to tell half of one.
    pub(crate) fn end(mut self) -> Option<Event> {
        let rest = String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned();
        if !rest.is_empty() {
            self.line(&rest);
        }
        self.line("")
    }

    /// Whether what has arrived ends in the middle of an event, which a stream that is over never completes.
    pub(crate) fn is_midway(&self) -> bool {
        !self.pending.is_empty() || self.data.is_some() || !self.name.is_empty()
    }

    /// The id of the last whole event, from which a stream can be taken up again: one that broke off is yet to come.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long the server asks to wait before that.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// A parser for the stream that takes this one up again.
    pub(crate) fn next(self) -> Self {
        Self {
            id: self.last_id.clone(),
            last_id: self.last_id,
            retry: self.retry,
            ..Self::default()
        }
    }

    /// Where the next line ends and where the one after it begins.
    fn line_end(&self, start: usize) -> Option<(usize, usize)> {
        let from = self.searched.max(start);
        let at = from
            + self
                .pending
                .get(from..)?
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'\r'))?;
        let is_pair = self.pending.get(at..at + 2) == Some(b"\r\n");
        Some((at, at + if is_pair { 2 } else { 1 }))
    }

    fn line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            self.last_id.clone_from(&self.id);
            let name = std::mem::take(&mut self.name);
            let data = self.data.take().filter(|data| !data.trim().is_empty())?;
            return Some(Event { name, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => value.clone_into(&mut self.name),
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" => self.retry = value.parse().ok().map(Duration::from_millis),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}: hello\nretry: 20\nid: 1\ndata: {\"a\":\ndata:1}\n\nevent: ping\ndata: x\n\r\ndata:\n\nid:2\rdata: ä\r\rdata: unfinished";

    #[test]
    fn events_are_the_same_in_whatever_pieces_they_arrive() {
        for size in 1..STREAM.len() {
            let mut parser = SseParser::default();
            let events: Vec<Event> = STREAM
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| parser.push(piece))
                .collect();
            let told: Vec<(&str, bool)> = events
                .iter()
                .map(|event| (event.data.as_str(), event.is_message()))
                .collect();
            assert_eq!(
                told,
                [("{\"a\":\n1}", true), ("x", false), ("ä", true)],
                "pieces of {size}"
            );
            assert_eq!(
                (parser.last_id(), parser.retry()),
                (Some("2"), Some(Duration::from_millis(20)))
            );
            let rest = parser.end().map(|event| event.data);
            assert_eq!(rest.as_deref(), Some("unfinished"), "pieces of {size}");
        }
    }

    #[test]
    fn a_mark_of_the_byte_order_is_one_only_at_the_very_beginning() {
        for (stream, expected) in [
            ("\u{feff}data: a\n\n", Some("a")),
            // Behind a line, the field is called otherwise.
            ("\n\u{feff}data: a\n\n", None),
            ("a\n\u{feff}data: a\n\n", None),
        ] {
            for size in 1..=stream.len() {
                let mut parser = SseParser::default();
                let pieces = stream.as_bytes().chunks(size);
                let events: Vec<Event> = pieces.flat_map(|piece| parser.push(piece)).collect();
                let data = events.first().map(|event| event.data.as_str());
                assert_eq!(data, expected, "{stream:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn a_stream_that_broke_off_is_taken_up_before_the_event_that_it_cut() {
        for (stream, last, midway) in [
            ("", None, false),
            ("id: 1\ndata: a\n\n", Some("1"), false),
            ("id: 1\ndata: a\n\nid: 2\n", Some("1"), false),
            ("id: 1\ndata: a\n\nid: 2\ndata: {\"half", Some("1"), true),
            ("id: 1\ndata: a\n\nid: 2\ndata: whole\n", Some("1"), true),
            ("id: 1\ndata: a\n\nevent: message\n", Some("1"), true),
            // A return alone ends a line, and need not wait for what comes after it.
            ("id: 1\rdata: a\r\r", Some("1"), false),
            ("id: 1\r\ndata: a\r\n\r", Some("1"), false),
            // An event without data tells where the stream stands as well.
            ("id: 1\ndata: a\n\nid: 2\n\n", Some("2"), false),
            ("id: 1\ndata: a\n\ndata: b\n\n", Some("1"), false),
        ] {
            let mut parser = SseParser::default();
            parser.push(stream.as_bytes());
            assert_eq!(
                (parser.last_id(), parser.is_midway()),
                (last, midway),
                "{stream:?}"
            );
            let mut again = parser.next();
            assert_eq!((again.last_id(), again.is_midway()), (last, false));
            again.push(b"data: c\n\n");
            assert_eq!(again.last_id(), last, "{stream:?}");
        }
    }

    #[test]
    fn a_large_event_in_small_pieces_is_read_in_one_pass() {
        let mut parser = SseParser::default();
        let piece = vec![b'x'; 1 << 14];
        parser.push(b"data:");
        for _ in 0..(5 << 20) / piece.len() {
            assert!(parser.push(&piece).is_empty());
        }
        let event = parser.push(b"\n\n").pop();
        assert_eq!(event.map(|event| event.data.len()), Some(5 << 20));
    }
}
