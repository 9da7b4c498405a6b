//! The words of columns in `docs/glossary.md` beside the columns.

use crate::support::root;

/// Words that had another meaning in another file.
const NOT_USED: [&str; 4] = ["pair", "table", "unit", "blame"];

#[test]
fn columns_have_the_words_of_the_glossary_and_no_others_for_the_same() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("text");
    // Other tests hold the page against the files.
    let formats = read("docs/formats.md");
    let cells = formats
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let columns: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    assert!(columns.len() > 90, "{columns:?}");
    let glossary = read("docs/glossary.md");
    let (_, words) = glossary
        .split_once("## Words of columns")
        .expect("a section");
    let rows = words
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
    let words = rows.flat_map(|(words, _)| words.split(", "));
    let words: Vec<&str> = words.map(|word| word.trim_matches('`')).collect();
    assert!(words.len() >= 10, "{words:?}");
    for word in &words {
        // Games of two have no column of places by seat.
        let is_column = |column: &&str| *column == *word || column.ends_with(&format!("_{word}"));
        assert!(
            *word == "place" || columns.iter().any(is_column),
            "no column is called {word}"
        );
    }
    for column in columns {
        assert!(
            !column.split('_').any(|part| NOT_USED.contains(&part)),
            "{column}"
        );
    }
}
