//! Matches names that differ in case or in the encoding of accents.

use std::collections::{BTreeMap, BTreeSet};

use crate::text;

/// Known name for each name that differs from it in case only. Exact matches and ambiguous names are left out,
/// and no known name is used twice.
pub fn in_any_case<'k, 't>(
    known: impl Iterator<Item = &'k str>,
    there: impl Iterator<Item = &'t str>,
) -> BTreeMap<&'t str, &'k str> {
    let (known, there) = (by_folded(known), by_folded(there));
    let alike = there.into_iter().filter_map(|(folded, names)| {
        let known = known.get(&folded)?;
        match (names.first()?, known.first()?) {
            (name, known_as) if names.len() == 1 && known.len() == 1 && name != known_as => {
                Some((*name, *known_as))
            }
            _ => None,
        }
    });
    alike.collect()
}

/// Names by their folded form: lower case, with composed accents.
pub fn by_folded<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<String, BTreeSet<&'a str>> {
    let mut folded: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for name in names {
        folded.entry(text::folded(name)).or_default().insert(name);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_in_any_case_where_it_can_be_one_alone() {
        let known = ["s1", "s2", "s3", "S3", "ÄB", "José"];
        let there = ["S1", "s2", "S2", "s3", "äb", "jose\u{301}", "x"];
        let alike = in_any_case(known.into_iter(), there.into_iter());
        let expected = [("S1", "s1"), ("äb", "ÄB"), ("jose\u{301}", "José")];
        assert_eq!(alike, BTreeMap::from(expected));
    }
}
