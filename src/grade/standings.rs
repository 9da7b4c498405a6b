//! The table of a class that everybody may see.

use std::collections::BTreeSet;

use crate::text::visible;

/// What is published of one student.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// What stands in place of the student.
    pub pseudonym: String,
    /// The share of points in each test, by its name; nothing where it was not played.
    pub tests: Vec<(String, Option<f64>)>,
    /// The total.
    pub total: Option<f64>,
    /// The band in the class tournament; empty if there is none.
    pub band: String,
}

/// `standings.csv`: a row per student, by band and then by pseudonym, so that the order says nothing more than the
/// columns. Numbers have two decimals. A test is a column; those whom it was not for have an empty cell there.
pub fn standings_csv(class: &[Published]) -> Vec<u8> {
    let mut tests: Vec<&str> = Vec::new();
    let mut known = BTreeSet::new();
    for (name, _) in class.iter().flat_map(|student| &student.tests) {
        if known.insert(name.as_str()) {
            tests.push(name);
        }
    }
    let mut rows: Vec<&Published> = class.iter().collect();
    rows.sort_by_key(|student| (place(&student.band), &student.pseudonym));
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Memory takes the bytes, and all rows have the same number of fields.
    let titles = tests.iter().map(|name| visible(name));
    let header = ["pseudonym", "band"].map(str::to_owned).into_iter();
    let _ = writer.write_record(header.chain(titles).chain(["total".to_owned()]));
    for student in rows {
        let share = |test: &&str| {
            let mut own = student.tests.iter();
            rounded(
                own.find(|(name, _)| name == test)
                    .and_then(|(_, share)| *share),
            )
        };
        let own = [visible(&student.pseudonym), visible(&student.band)].into_iter();
        let shares = tests.iter().map(share);
        let _ = writer.write_record(own.chain(shares).chain([rounded(student.total)]));
    }
    writer.into_inner().unwrap_or_default()
}

/// Where a band stands: by its number if it is one, before all others.
fn place(band: &str) -> (u64, &str) {
    (band.parse().unwrap_or(u64::MAX), band)
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

    fn student(pseudonym: &str, band: &str, shares: &[(&str, f64)], total: f64) -> Published {
        let tests = shares
            .iter()
            .map(|(name, share)| ((*name).to_owned(), Some(*share)));
        Published {
            pseudonym: pseudonym.to_owned(),
            tests: tests.collect(),
            total: Some(total),
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
                9.0,
            ),
            student(
                "bold-fern-002",
                "2",
                &[("random", 2.0 / 3.0), ("search", -0.001)],
                21.5,
            ),
            student("airy-lark-003", "2", &[("random", f64::NAN)], 4.0),
            student("zany-fern,\"004\"", "", &[("late, \"test\"", 0.5)], 3.0),
        ];
        class[2].total = None;
        let expected = "pseudonym,band,random,search,\"late, \"\"test\"\"\",total\n\
                        airy-lark-003,2,,,,\n\
                        bold-fern-002,2,0.67,0.00,,21.50\n\
                        calm-otter-001,10,1.00,0.12,,9.00\n\
                        \"zany-fern,\"\"004\"\"\",,,,0.50,3.00\n";
        assert_eq!(
            String::from_utf8(standings_csv(&class)).expect("text"),
            expected
        );
        // The order in which the students come decides at most on that of the tests.
        class.swap(0, 1);
        assert_eq!(
            String::from_utf8(standings_csv(&class)).expect("text"),
            expected
        );
        assert_eq!(standings_csv(&[]), b"pseudonym,band,total\n");
    }
}
