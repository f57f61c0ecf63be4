//! A place in a text: shown as the line with a caret, and found as an offset for a text area.

/// The line and a caret below its column; both numbers count from 1, columns in characters.
pub fn excerpt(text: &str, line: u32, column: u32) -> String {
    const WIDTH: usize = 100;
    let Some(content) = text.lines().nth(line.saturating_sub(1) as usize) else {
        return String::new();
    };
    let column = column.saturating_sub(1) as usize;
    // Long lines are shown around the place.
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String = content.chars().skip(from).take(WIDTH).collect();
    // Tabs stay tabs, so that the caret stands below its letter.
    let indent: String = shown
        .chars()
        .take(column - from)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    format!("{shown}\n{indent}^")
}

/// The place as an offset in UTF-16 units, which is how a text area counts.
pub fn offset(text: &str, line: u32, column: u32) -> u32 {
    let (mut units, mut at_line, mut at_column) = (0, 1, 1);
    for character in text.chars() {
        if (at_line, at_column) >= (line, column) {
            break;
        }
        units += if u32::from(character) < 0x1_0000 {
            1
        } else {
            2
        };
        if character == '\n' {
            (at_line, at_column) = (at_line + 1, 1);
        } else {
            at_column += 1;
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_its_column() {
        assert_eq!(excerpt("SELECT *\nWHERE {", 2, 7), "WHERE {\n      ^");
        assert_eq!(excerpt("\tx", 1, 2), "\tx\n\t^");
        assert_eq!(excerpt("é!", 1, 2), "é!\n ^");
        assert_eq!(excerpt("", 5, 1), "");
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let line = "x".repeat(500);
        let shown = excerpt(&line, 1, 300);
        assert!(shown.lines().all(|line| line.chars().count() <= 100));
        assert_eq!(
            shown.lines().last().map(|line| line.chars().count()),
            Some(51)
        );
    }

    #[test]
    fn offsets_count_as_text_areas_do() {
        assert_eq!(offset("ab\ncd", 1, 1), 0);
        assert_eq!(offset("ab\ncd", 2, 2), 4);
        assert_eq!(offset("😀b\nc", 2, 1), 4);
        assert_eq!(offset("ab", 9, 1), 2);
    }
}
