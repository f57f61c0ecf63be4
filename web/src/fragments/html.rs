//! A writer of HTML in which text and attribute values are always escaped.
//!
//! Whatever does not change once it is drawn is written with this, and put into the page in one piece. That is quicker than
//! a component for each cell, weighs a fraction of it in the page's module, and can be read in a native test.

/// HTML under construction.
#[derive(Debug, Default)]
pub struct Html {
    text: String,
    open: Vec<&'static str>,
}

/// Names and values of an element's attributes. One whose name is empty is left out.
pub type Attributes<'a> = &'a [(&'a str, &'a str)];

/// An attribute that is there or not.
pub fn when<'a>(condition: bool, name: &'a str, value: &'a str) -> (&'a str, &'a str) {
    if condition { (name, value) } else { ("", "") }
}

impl Html {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens an element; what follows is its content, up to [`Html::end`].
    pub fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) -> &mut Self {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            if !name.is_empty() {
                self.text.push(' ');
                self.text.push_str(name);
                self.text.push_str("=\"");
                self.escaped(value);
                self.text.push('"');
            }
        }
        self.text.push('>');
        self.open.push(tag);
        self
    }

    /// Closes the innermost open element.
    pub fn end(&mut self) -> &mut Self {
        if let Some(tag) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(tag);
            self.text.push('>');
        }
        self
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.escaped(text);
        self
    }

    /// Adds an element with text in it.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) -> &mut Self {
        self.open(tag, attributes).text(text).end()
    }

    /// Adds a name such as `nde-expand_x`, which may wrap behind its underscores and nowhere within a word.
    pub fn name(&mut self, name: &str) -> &mut Self {
        for part in name.split_inclusive('_') {
            self.escaped(part);
            if part.ends_with('_') {
                self.text.push_str("<wbr>");
            }
        }
        self
    }

    /// The HTML, with whatever is still open closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }

    fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                other => self.text.push(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_values_are_escaped() {
        let mut html = Html::new();
        html.open("a", &[("href", "?a=1&b=\"2\""), when(false, "class", "x")])
            .text("<script>")
            .end();
        assert_eq!(
            html.finish(),
            "<a href=\"?a=1&amp;b=&quot;2&quot;\">&lt;script&gt;</a>"
        );
    }

    #[test]
    fn a_name_may_wrap_behind_its_underscores() {
        let mut html = Html::new();
        html.name("nde-expand_<b>_");
        assert_eq!(html.finish(), "nde-expand_<wbr>&lt;b&gt;_<wbr>");
    }

    #[test]
    fn what_is_open_is_closed_in_order() {
        let mut html = Html::new();
        html.open("table", &[]).open("tr", &[]).leaf("td", &[], "x");
        assert_eq!(html.finish(), "<table><tr><td>x</td></tr></table>");
    }
}
