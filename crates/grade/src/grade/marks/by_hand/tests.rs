use super::*;

type Marks = Vec<(String, f64)>;

/// Marks of a file for the part `report`, and the messages about it.
fn read_text(text: &str) -> Result<(Marks, Vec<String>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let part = ByHand {
        name: "report".to_owned(),
        marks: 10.0,
        file: folder.path().join("by-hand.csv"),
        key: "id".to_owned(),
        column: "report".to_owned(),
    };
    std::fs::write(&part.file, text).expect("written");
    let mut problems = Vec::new();
    let marks = read(&part, &mut problems)?;
    let lines = problems.iter().map(|problem| {
        let name = problem.of.rsplit('/').next().unwrap_or_default();
        format!("{name}: {}", problem.text)
    });
    Ok((marks.into_iter().collect(), lines.collect()))
}

fn marks(text: &str) -> Marks {
    let (marks, said) = read_text(text).expect("a file");
    assert_eq!(said, [""; 0], "{text}");
    marks
}

#[test]
fn a_file_is_read_with_any_delimiter_and_spaces() {
    let expected = [("w1".to_owned(), 9.0), ("w2".to_owned(), 8.5)];
    for text in [
        "id,report\nw1,9\nw2,8.5\n",
        "id;report\nw1;9\nw2;8.5\n",
        "id;report\nw1;9,0\nw2;8,5\n",
        "\u{feff}ID\t Report\tcomment\nw1\t9\t\"a\nb\"\nw2\t8.5\tc\n",
        "id,report\nw1 ,9\n w2, 8.5 ,\n,\nw3,\n",
    ] {
        assert_eq!(marks(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_mark_is_told() {
    let text =
        "id,report,comment\ns6,-1,\ns6,4,\ns7,11,\ns8,7,5,late\n,3,\ns9,1,\"a\nb\"\ns9,2,\ns9,x,\n";
    let (marks, said) = read_text(text).expect("a file");
    assert_eq!(marks, [("s6".to_owned(), 4.0), ("s9".to_owned(), 2.0)]);
    let expected = [
        "by-hand.csv:2: `-1` is no mark: expected a number from 0 to 10; the line is left out for report",
        "by-hand.csv:4: `11` is no mark: expected a number from 0 to 10; the line is left out for report",
        "by-hand.csv:5: 4 fields, and the header has 3: put quotes around a field with a delimiter in it; the line is \
         left out for report",
        "by-hand.csv:6: no `id`: give the line one; the line is left out for report",
        "by-hand.csv:9: `s9` has a mark for report in another line: the last one counts",
        "by-hand.csv:10: `x` is no mark: expected a number from 0 to 10; the line is left out for report",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_quote_that_is_not_closed_is_told() {
    let (marks, said) = read_text("id,report\nw1,9\n\"w2,8\nw3,7\n").expect("a file");
    assert_eq!(marks, [("w1".to_owned(), 9.0)]);
    assert!(
        said[0].starts_with("by-hand.csv: a quote is not closed"),
        "{said:?}"
    );
}

#[test]
fn a_file_without_the_columns_is_told() {
    for (text, said) in [
        ("id;mark\nw1;9\n", "has no column `report`, so no marks are"),
        ("", "has no column `id`, so no marks are"),
    ] {
        let why = read_text(text).expect_err("no columns");
        assert!(why.starts_with(said), "{why}");
    }
}
