//! Mixtures, which are rated together and may not belong together: games with different options or rules, and
//! different programs with one name.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::text::{listed, shortened};
use crate::results::ResultRow;
use crate::text::{same, visible};

/// How many values, files or players are named before the rest becomes a number.
const NAMED: usize = 4;

/// How many different texts of options are kept of a game.
const MOST_OPTIONS: usize = 1000;

/// How much is shown of what a player runs.
const PROGRAM_COLUMNS: usize = 60;

/// How much is shown of a digest of rules.
const DIGEST_COLUMNS: usize = 24;

/// Collects mixtures.
#[derive(Debug, Default)]
pub struct Mixtures {
    /// The options of each game.
    options: BTreeMap<String, BTreeSet<String>>,
    /// The programs of each player, and the first file with each.
    programs: BTreeMap<String, BTreeMap<String, String>>,
    /// The digests of each game's rules program, and the first file with each.
    rules: BTreeMap<String, BTreeMap<String, String>>,
    /// The games of this file.
    games: HashSet<String>,
    /// The players of this file.
    players: HashSet<String>,
    /// The last game and its options, which most often come again.
    last: Option<(String, String)>,
}

impl Mixtures {
    /// Takes in a game that is rated. `known` has the known programs of the players of its file.
    pub fn add(&mut self, row: &ResultRow<'_>, known: &HashMap<String, String>) {
        let game = row.game_name();
        let last = self.last.as_ref();
        if last.is_none_or(|(last, options)| last != game || !same(options, row.options)) {
            self.games.insert(game.to_owned());
            self.last = Some((game.to_owned(), row.options.to_owned()));
            let options = self.options.entry(game.to_owned()).or_default();
            if options.len() < MOST_OPTIONS && !options.contains(row.options) {
                options.insert(row.options.to_owned());
            }
        }
        for name in row.names.values() {
            if known.contains_key(*name) && !self.players.contains(*name) {
                self.players.insert((*name).to_owned());
            }
        }
    }

    /// Ends a file. `known` has the programs of its players, and `rules` the digests of its games' rules programs, where
    /// they are known.
    pub fn end_file(
        &mut self,
        file: &str,
        known: &HashMap<String, String>,
        rules: &HashMap<String, String>,
    ) {
        add_known(&mut self.programs, self.players.drain(), known, file);
        add_known(&mut self.rules, self.games.drain(), rules, file);
        self.last = None;
    }

    /// A line for each game and each player that is a mixture.
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
        let mixed = self.programs.iter().filter(|(_, it)| it.len() > 1);
        let programs = mixed.map(|(player, programs)| {
            let programs: Vec<(&String, &String)> = programs.iter().collect();
            let named = listed(&programs, programs.len(), NAMED, "; ", |(program, file)| {
                let program = shortened(&visible(program), PROGRAM_COLUMNS);
                format!("`{program}` in {}", visible(file))
            });
            format!(
                "`{}` is not one program in all files, and is rated as one player: {named}. Rate the files apart \
                 if it changed its strength",
                visible(player)
            )
        });
        let mixed = self.rules.iter().filter(|(_, it)| it.len() > 1);
        let rules = mixed.map(|(game, digests)| {
            let digests: Vec<(&String, &String)> = digests.iter().collect();
            let named = listed(&digests, digests.len(), NAMED, "; ", |(digest, file)| {
                let digest = shortened(&visible(digest), DIGEST_COLUMNS);
                format!("{digest} in {}", visible(file))
            });
            format!(
                "the rules program of {game} is not the same in all files, and its games are rated together: {named}. \
                 Rate the files apart if the rules changed",
                game = visible(game)
            )
        });
        options.chain(rules).chain(programs).collect()
    }
}

/// Adds the known values of the names in a file.
fn add_known(
    all: &mut BTreeMap<String, BTreeMap<String, String>>,
    names: impl Iterator<Item = String>,
    known: &HashMap<String, String>,
    file: &str,
) {
    for name in names {
        if let Some(value) = known.get(&name) {
            let values = all.entry(name).or_default();
            values
                .entry(value.clone())
                .or_insert_with(|| file.to_owned());
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Blame, GameResult};

    fn row<'a>(options: &'a str, names: [&'a str; 2]) -> ResultRow<'a> {
        ResultRow {
            source: 0,
            id: None,
            game: "cachex",
            seats: &[],
            answers: "",
            options,
            block: None,
            alike: None,
            opening: "",
            names: names.into(),
            rules_points: None,
            result: GameResult::Drawn,
            blame: Blame::Nobody,
            termination: "rules",
            digest: "",
            date: "",
        }
    }

    fn programs(of: &[(&str, &str)]) -> HashMap<String, String> {
        let programs = of.iter().map(|(name, program)| (*name, *program));
        programs
            .map(|(name, it)| (name.to_owned(), it.to_owned()))
            .collect()
    }

    #[test]
    fn one_kind_of_game_between_the_same_programs_is_no_mixture() {
        let mut mixtures = Mixtures::default();
        for file in ["1.csv", "2.csv"] {
            let programs = programs(&[("a", "x"), ("b", "y"), ("c", file)]);
            mixtures.add(&row("size=9", ["a", "b"]), &programs);
            mixtures.end_file(file, &programs, &HashMap::new());
        }
        assert_eq!(mixtures.notes(), [""; 0]);
    }

    #[test]
    fn other_options_and_other_programs_are_named() {
        let mut mixtures = Mixtures::default();
        for (size, nodes) in [("a=1 size=5", "search 5"), ("a=1 size=7", "search 7")] {
            let programs = programs(&[("a", nodes), ("b", "y")]);
            mixtures.add(&row(size, ["a", "b"]), &programs);
            let rules = [("cachex".to_owned(), nodes.to_owned())].into();
            mixtures.end_file(nodes, &programs, &rules);
        }
        assert_eq!(
            mixtures.notes(),
            [
                "cachex games with size 5, 7 are rated together; --option size=5 rates those alone",
                "the rules program of cachex is not the same in all files, and its games are rated together: \
                 search 5 in search 5; search 7 in search 7. Rate the files apart if the rules changed",
                "`a` is not one program in all files, and is rated as one player: `search 5` in search 5; \
                 `search 7` in search 7. Rate the files apart if it changed its strength"
            ]
        );
    }
}
