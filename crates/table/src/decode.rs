//! Bytes to text: byte order marks and encodings.

use std::borrow::Cow;

use crate::error::{Position, ReadError, ReadErrorKind};
use crate::raw::{Repair, RepairKind};

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";
const UTF16_LE_BOM: &[u8] = b"\xFF\xFE";
const UTF16_BE_BOM: &[u8] = b"\xFE\xFF";

/// The text of a file in UTF-8, or in UTF-16 where a byte order mark says so. One mark at byte 0 is dropped and reported.
pub(crate) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<Repair>), ReadError> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(ReadError::new(
            ReadErrorKind::TooLarge,
            Position::START,
            "the file has 4 GiB or more",
        ));
    }
    if let Some(rest) = bytes.strip_prefix(UTF8_BOM) {
        let repair = Repair::new(RepairKind::ByteOrderMark, "dropped a byte order mark").at(1);
        return Ok((Cow::Borrowed(utf8(rest)?), Some(repair)));
    }
    let (units, order): (Vec<u16>, _) = if let Some(rest) = bytes.strip_prefix(UTF16_LE_BOM) {
        (utf16_units(rest, u16::from_le_bytes)?, "little-endian")
    } else if let Some(rest) = bytes.strip_prefix(UTF16_BE_BOM) {
        (utf16_units(rest, u16::from_be_bytes)?, "big-endian")
    } else {
        return Ok((Cow::Borrowed(utf8(bytes)?), None));
    };
    let text = String::from_utf16(&units).map_err(|_| {
        ReadError::new(
            ReadErrorKind::Encoding,
            Position::START,
            "the byte order mark says UTF-16, but the text has an unpaired surrogate",
        )
        .with_remedy(SAVE_AS_UTF8)
    })?;
    let repair = Repair::new(RepairKind::Utf16, format!("decoded {order} UTF-16")).at(1);
    Ok((Cow::Owned(text), Some(repair)))
}

const SAVE_AS_UTF8: &str = "save the file as UTF-8";

fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        ReadError::new(
            ReadErrorKind::Encoding,
            Position::of_offset(bytes, offset),
            format!("byte 0x{:02X} is not UTF-8", bytes[offset]),
        )
        .with_remedy(SAVE_AS_UTF8)
    })
}

fn utf16_units(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Vec<u16>, ReadError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(ReadError::new(
            ReadErrorKind::Truncated,
            Position::START,
            "the byte order mark says UTF-16, but the number of bytes is odd",
        )
        .with_remedy(SAVE_AS_UTF8));
    }
    Ok(pairs.iter().copied().map(unit).collect())
}
