//! Faults in the layout of a page in a browser.

use super::browser::Page;

const SCRIPT: &str = include_str!("layout.js");

impl Page<'_> {
    /// Pairs of different texts that are seen and cross by more than a pixel.
    pub fn overlaps(&mut self) -> Vec<String> {
        self.found("overlaps")
    }

    /// Drawings, tables, lists and headings that are seen and have no content.
    pub fn empty_figures(&mut self) -> Vec<String> {
        self.found("empty")
    }

    fn found(&mut self, kind: &str) -> Vec<String> {
        let found = self.evaluate(&format!("{}.{kind}", SCRIPT.trim_end()));
        serde_json::from_value(found).expect("texts")
    }
}
