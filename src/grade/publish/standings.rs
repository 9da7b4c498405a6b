//! The table of a class that everybody may see.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::pseudonyms::Pseudonym;
use crate::pages::{Article, Block, Table, Words};
use crate::text::visible;

/// What is published of one student.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// What stands in place of the student.
    pub pseudonym: Pseudonym,
    /// The share of points in each test, by its name; nothing where it was not played.
    pub tests: Vec<(String, Option<f64>)>,
    /// The band in the class tournament; empty if there is none.
    pub band: String,
}

impl Published {
    fn share(&self, test: &str) -> Option<f64> {
        let mut own = self.tests.iter();
        own.find(|(name, _)| name == test)
            .and_then(|(_, share)| *share)
    }

    /// The sum of the shares as they are published, in hundredths.
    fn hundredths(&self, tests: &[&str]) -> i64 {
        let shares = tests.iter().map(|test| rounded(self.share(test)));
        let shares = shares.filter_map(|share| share.parse::<f64>().ok());
        // A share is hardly outside 0 to 1.
        shares.map(|share| (share * 100.0).round() as i64).sum()
    }
}

/// The standings: a row per student, by band and then by pseudonym, so that the order says nothing more than the
/// columns; without bands by the sum of the shares. Numbers have two decimals. A test is a column; those whom it was not
/// for have an empty cell there. No column is empty.
#[derive(Debug, PartialEq, Eq)]
pub struct ClassTable {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    /// What is to be known of the order.
    order: &'static str,
}

impl ClassTable {
    /// The standings of these students, in whatever order they come.
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
            let hundredths = match has_bands {
                true => 0,
                false => student.hundredths(&tests),
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

    /// As `standings.csv`.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in [&self.titles].into_iter().chain(&self.rows) {
            // Memory takes the bytes, and all rows have the same number of fields.
            let _ = writer.write_record(row);
        }
        writer.into_inner().unwrap_or_default()
    }

    /// As a page, for the class of a course.
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

/// Where a band stands: by its first place if it has one, before all others.
fn place(band: &str) -> (u64, &str) {
    let first = band.split('-').next().unwrap_or_default();
    (first.parse().unwrap_or(u64::MAX), band)
}

/// A number with two decimals; nothing for what is no number.
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
        // The order in which the students come decides at most on that of the tests.
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
            // Two shares that are published alike say nothing more by their order.
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
