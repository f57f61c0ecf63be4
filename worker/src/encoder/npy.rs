//! `NumPy`'s format for one array, versions 1 to 3: a Python dictionary with type and shape, then the numbers.

/// What every such file begins with.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The numbers that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// 16 bits.
    Half,
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl Kind {
    /// Bytes of one number.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Single => 4,
            Self::Double => 8,
        }
    }
}

/// An array, its numbers still as bytes: as many as its shape says.
#[derive(Debug)]
pub(super) struct Npy<'b> {
    pub(super) shape: Vec<usize>,
    pub(super) kind: Kind,
    /// Whether the first byte of a number is its greatest.
    pub(super) is_swapped: bool,
    /// Whether the first place counts up first, as `NumPy` writes a transposed array.
    pub(super) by_column: bool,
    pub(super) data: &'b [u8],
}

impl<'b> Npy<'b> {
    /// Reads a file that begins with [`MAGIC`]; an error says what is wrong with it.
    pub(super) fn read(bytes: &'b [u8]) -> Result<Self, String> {
        let (header, data) = halves(bytes).ok_or("the file ends within its header")?;
        let header = String::from_utf8_lossy(header);
        let header = header.trim();
        let member = |name: &str| {
            let (_, behind) = header.split_once(&format!("'{name}'"))?;
            Some(behind.trim_start().strip_prefix(':')?.trim_start())
        };
        let odd = || format!("a header that is not understood: {header}");
        let (kind, is_swapped) = match member("descr").and_then(|text| text.get(..5)) {
            Some("'<f2'") => (Kind::Half, false),
            Some("'<f4'") => (Kind::Single, false),
            Some("'<f8'") => (Kind::Double, false),
            Some("'>f2'") => (Kind::Half, true),
            Some("'>f4'") => (Kind::Single, true),
            Some("'>f8'") => (Kind::Double, true),
            _ => {
                return Err(format!(
                    "floating-point numbers of 16, 32 or 64 bits were expected ('<f2', '<f4', '<f8'), and the header is {header}"
                ));
            }
        };
        let order = member("fortran_order").ok_or_else(odd)?;
        let by_column = order.starts_with("True");
        if !by_column && !order.starts_with("False") {
            return Err(odd());
        }
        let shape = member("shape")
            .and_then(|text| text.strip_prefix('(')?.split_once(')'))
            .ok_or_else(odd)?
            .0;
        let shape = shape
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty())
            .map(str::parse)
            .collect::<Result<Vec<usize>, _>>()
            .map_err(|_| odd())?;
        let expected = shape
            .iter()
            .try_fold(kind.bytes(), |size, n| size.checked_mul(*n));
        if expected != Some(data.len()) {
            return Err(format!(
                "the shape {shape:?} does not go with {} bytes of numbers",
                data.len()
            ));
        }
        Ok(Self {
            shape,
            kind,
            is_swapped,
            by_column,
            data,
        })
    }
}

/// The header and what follows it.
fn halves(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    // Two bytes of its length in version 1, four since.
    let start = if *bytes.get(MAGIC.len())? == 1 {
        10
    } else {
        12
    };
    let size = bytes.get(8..start)?.iter().rev();
    let size = size.fold(0, |size, byte| size << 8 | usize::from(*byte));
    bytes.get(start..)?.split_at_checked(size)
}
