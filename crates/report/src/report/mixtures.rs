//! Mixtures, which are rated together and may not belong together: games with different options.

use std::collections::{BTreeMap, BTreeSet};

use super::text::listed;
use crate::results::ResultRow;
use crate::text::{same, visible};

/// How many values are named before the rest becomes a number.
const NAMED: usize = 4;

/// How many different texts of options are kept of a game.
const MOST_OPTIONS: usize = 1000;

#[derive(Debug, Default)]
pub struct Mixtures {
    options: BTreeMap<String, BTreeSet<String>>,
    /// The last game and its options, which most often come again.
    last: Option<(String, String)>,
}

impl Mixtures {
    /// Takes in a game that is rated.
    pub fn add(&mut self, row: &ResultRow<'_>) {
        let game = row.game_name();
        let last = self.last.as_ref();
        if last.is_none_or(|(last, options)| last != game || !same(options, row.options)) {
            self.last = Some((game.to_owned(), row.options.to_owned()));
            let options = self.options.entry(game.to_owned()).or_default();
            if options.len() < MOST_OPTIONS && !options.contains(row.options) {
                options.insert(row.options.to_owned());
            }
        }
    }

    pub fn notes(&self) -> Vec<String> {
        let options = self.options.iter().filter_map(|(game, options)| {
            let (key, values) = first_difference(options)?;
            let first = values.first()?;
            let count = values.len();
            let named = listed(&values, count, NAMED, ", ", |value| visible(value));
            Some(format!(
                "{} games with {key} {named} are rated together; --option {key}={} rates those alone",
                visible(game),
                visible(first)
            ))
        });
        options.collect()
    }
}

/// The first option with several values, and these.
fn first_difference(options: &BTreeSet<String>) -> Option<(&str, Vec<&str>)> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let pairs = options.iter().flat_map(|text| text.split(' '));
    for (key, value) in pairs.filter_map(|pair| pair.split_once('=')) {
        values.entry(key).or_default().insert(value);
    }
    let different = values.into_iter().find(|(_, values)| values.len() > 1);
    different.map(|(key, values)| (key, values.into_iter().collect()))
}
