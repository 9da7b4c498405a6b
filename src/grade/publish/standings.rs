//! The published table of a class.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::grade::pseudonyms::Pseudonym;
use crate::pages::{Article, Block, Table, Words};
use crate::text::visible;

/// Published results of a student.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Pseudonym of the student.
    pub pseudonym: Pseudonym,
    /// Share of points by test; `None` if it was not played.
    pub tests: Vec<(String, Option<f64>)>,
    /// Band in the class tournament; empty without one.
    pub band: String,
}

impl Published {
    fn share(&self, test: &str) -> Option<f64> {
        let mut own = self.tests.iter();
        own.find(|(name, _)| name == test)
            .and_then(|(_, share)| *share)
    }

    /// Sum of the shares as published, in hundredths.
    fn hundredths(&self, tests: &[&str]) -> i64 {
        let shares = tests.iter().map(|test| rounded(self.share(test)));
        let shares = shares.filter_map(|share| share.parse::<f64>().ok());
        // Shares lie within 0 and 1, so the cast is safe.
        shares.map(|share| (share * 100.0).round() as i64).sum()
    }
}

/// Standings with a row per student, sorted by band and then by pseudonym, so that the order reveals nothing
/// beyond the columns; without bands by the sum of shares. Numbers have two decimals. Each test is a column;
/// students who did not play it have an empty cell. Columns without any value are dropped.
#[derive(Debug, PartialEq, Eq)]
pub struct ClassTable {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Note on the order.
    order: &'static str,
}

impl ClassTable {
    /// Standings of these students, independent of their order.
    pub fn new(class: &[Published]) -> Self {
        let mut tests: Vec<&str> = Vec::new();
        let mut known = BTreeSet::new();
        for (name, share) in class.iter().flat_map(|student| &student.tests) {
            if share.is_some_and(f64::is_finite) && known.insert(name.as_str()) {
                tests.push(name);
            }
        }
        let has_bands = class.iter().any(|student| !student.band.is_empty());
        let mut students: Vec<&Published> = class.iter().collect();
        students.sort_by_key(|student| {
            let hundredths = if has_bands {
                0
            } else {
                student.hundredths(&tests)
            };
            let band = place(&student.band);
            (band, Reverse(hundredths), &student.pseudonym)
        });
        let row = |student: &Published| {
            let mut cells = vec![student.pseudonym.as_str().to_owned()];
            cells.extend(has_bands.then(|| visible(&student.band)));
            cells.extend(tests.iter().map(|test| rounded(student.share(test))));
            cells
        };
        let mut titles = vec!["pseudonym".to_owned()];
        titles.extend(has_bands.then(|| "band".to_owned()));
        titles.extend(tests.iter().map(|name| visible(name)));
        let order = if has_bands {
            "Programs of one band of the tournament cannot be told apart."
        } else {
            "The programs are in the order of the sum of their shares."
        };
        Self {
            titles,
            rows: students.into_iter().map(row).collect(),
            order,
        }
    }

    /// The table as `standings.csv`.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in [&self.titles].into_iter().chain(&self.rows) {
            // Writing to memory cannot fail, and all rows have equal lengths.
            let _ = writer.write_record(row);
        }
        writer.into_inner().unwrap_or_default()
    }

    /// The table as a page for the class.
    pub fn article(&self, course: &str) -> Article {
        let plain = |row: &Vec<String>| row.iter().cloned().map(Words::Plain).collect();
        let intro = format!(
            "Each program has a name that stands in its author's own feedback. In a test, the number is the share of all \
             points that it took. {}",
            self.order
        );
        Article {
            title: format!("{course}: standings"),
            blocks: vec![
                Block::Text(vec![Words::plain(intro)]),
                Block::Table(Table {
                    caption: "The class".to_owned(),
                    columns: self.titles.clone(),
                    rows: self.rows.iter().map(plain).collect(),
                }),
            ],
        }
    }
}

/// Sort key of a band: its first place if it has one; other bands come last.
fn place(band: &str) -> (u64, &str) {
    let first = band.split('-').next().unwrap_or_default();
    (first.parse().unwrap_or(u64::MAX), band)
}

/// A number with two decimals; empty for a missing or non-finite one.
fn rounded(number: Option<f64>) -> String {
    let Some(number) = number.filter(|number| number.is_finite()) else {
        return String::new();
    };
    match format!("{number:.2}") {
        zero if zero == "-0.00" => "0.00".to_owned(),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn student(pseudonym: &str, band: &str, shares: &[(&str, f64)]) -> Published {
        let tests = shares
            .iter()
            .map(|(name, share)| ((*name).to_owned(), Some(*share)));
        Published {
            pseudonym: pseudonym.into(),
            tests: tests.collect(),
            band: band.to_owned(),
        }
    }

    #[test]
    fn the_order_says_nothing_but_band_and_pseudonym() {
        let mut class = vec![
            student(
                "calm-otter-001",
                "10",
                &[("random", 1.0), ("search", 0.125)],
            ),
            student(
                "bold-fern-002",
                "2-9",
                &[("random", 2.0 / 3.0), ("search", -0.001)],
            ),
            student("airy-lark-003", "2-9", &[("random", f64::NAN)]),
            student("zany-fern,\"004\"", "", &[("late, \"test\"", 0.5)]),
        ];
        let table = ClassTable::new(&class);
        let expected = "pseudonym,band,random,search,\"late, \"\"test\"\"\"\n\
                        airy-lark-003,2-9,,,\n\
                        bold-fern-002,2-9,0.67,0.00,\n\
                        calm-otter-001,10,1.00,0.12,\n\
                        \"zany-fern,\"\"004\"\"\",,,,0.50\n";
        assert_eq!(String::from_utf8(table.csv()).expect("text"), expected);
        // The order of students only influences the order of tests.
        class.swap(0, 1);
        assert_eq!(ClassTable::new(&class), table);
        assert_eq!(ClassTable::new(&[]).csv(), b"pseudonym\n");
        let text = table.article("A course").markdown();
        assert!(
            text.contains("| bold-fern-002 | 2-9 | 0.67 | 0.00 |  |"),
            "{text}"
        );
    }

    #[test]
    fn without_bands_the_order_is_of_points_and_no_column_is_empty() {
        let class = [
            student("airy-lark", "", &[("random", 0.5), ("search", 0.25)]),
            student("bold-fern", "", &[("random", 1.0), ("search", 0.124)]),
            // Shares that are published as equal must not reveal more by their order.
            student("calm-otter", "", &[("random", 0.5), ("search", 0.253)]),
            student("dim-owl", "", &[("random", 0.0), ("unplayed", f64::NAN)]),
        ];
        let table = ClassTable::new(&class);
        let expected = "pseudonym,random,search\n\
                        bold-fern,1.00,0.12\n\
                        airy-lark,0.50,0.25\n\
                        calm-otter,0.50,0.25\n\
                        dim-owl,0.00,\n";
        assert_eq!(String::from_utf8(table.csv()).expect("text"), expected);
        let text = table.article("A course").markdown();
        assert!(
            text.contains("in the order of the sum of their shares"),
            "{text}"
        );
        assert!(!text.contains("band"), "{text}");
    }
}
