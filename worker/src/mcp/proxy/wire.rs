//! Messages as lines, over any pair of streams.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::frame::{Frame, FrameError, unmarked};

/// The messages of the next line that is not blank; `None` at the end. A last line without a line end is read as well.
///
/// There is no limit to its length: a reply that is cut is worse than one that is large.
pub(crate) async fn read<R: AsyncBufRead + Unpin>(
    reader: &mut R,
) -> io::Result<Option<Result<Vec<Frame>, FrameError>>> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        let line = unmarked(&line);
        if !line.is_empty() {
            return Ok(Some(Frame::read_all(line)));
        }
    }
}

/// Writes a message and the end of its line.
pub(crate) async fn write<W: AsyncWrite + Unpin>(writer: &mut W, frame: Frame) -> io::Result<()> {
    let mut line = frame.into_text();
    line.push('\n');
    writer.write_all(line.as_bytes()).await?;
    writer.flush().await
}
