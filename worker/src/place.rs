//! Places in a text, as editors show them.

/// Line and column, from 1, of a byte of a text; of its end for a byte beyond it.
pub(crate) fn place_in(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..text.floor_char_boundary(at)).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.get(line_start..).unwrap_or_default();
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    (
        number(before.matches('\n').count()),
        number(line.chars().count()),
    )
}

#[cfg(test)]
mod tests {
    use super::place_in;

    #[test]
    fn a_place_is_told_by_line_and_column() {
        let text = "größe = 1\nx\n";
        for (at, place) in [
            (0, (1, 1)),
            // In the midst of a letter, which is where it begins.
            (3, (1, 3)),
            (5, (1, 4)),
            (11, (1, 10)),
            (12, (2, 1)),
            (14, (3, 1)),
            (usize::MAX, (3, 1)),
        ] {
            assert_eq!(place_in(text, at), place, "{at}");
        }
    }
}
