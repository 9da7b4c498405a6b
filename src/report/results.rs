//! The results of a set of games, and their ratings.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::table::Cell;
use crate::rating::{
    Anchor, Diagnostics, Estimate, Interval, MatchScore, Model, RatedGame, Ratings, Sprt, Standings,
};
use crate::runs::{AnchorFile, RecordError, ResultRow, Run};
use crate::schedule::Format;
use crate::text::DisplayNames;

/// The game of a result; `games` if the result does not name one.
pub(super) fn game_name<'a>(row: &ResultRow<'a>) -> &'a str {
    match row.game {
        "" => "games",
        game => game,
    }
}

/// The results of a set of games, by the kind of game. Its size grows with the pairings and not with the
/// games, except for what [`Standings`] keeps of games with a digest.
#[derive(Debug, Clone, Default)]
pub struct Results {
    games: BTreeMap<String, Standings>,
    terminations: BTreeMap<String, u64>,
    once: bool,
}

/// How results are rated.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which parameters are fitted.
    pub model: Model,
    /// The player whose rating is set; `None` for the mean of all players.
    pub anchor: Option<String>,
    /// The rating that is set.
    pub anchor_elo: f64,
    /// The players whose ratings are given. They are the reference of each game that one of them plays.
    pub anchors: Option<AnchorFile>,
    /// A player, and a sequential test of its strength.
    pub sprt: Option<(String, Sprt)>,
    /// A difference in Elo, and two players or none: how many games does it take to find it?
    pub plan: Option<(f64, Option<[String; 2]>)>,
    /// What players are called on screens.
    pub display_names: DisplayNames,
    /// What results decided, where the notes are to tell.
    pub by_results: ByResults,
    /// The challenger and the sequential test of the run whose games these are, all of them.
    pub run_test: Option<(String, Sprt)>,
    /// What each player runs, as far as that is known: equal texts are equal programs.
    pub programs: HashMap<String, String>,
}

impl Settings {
    /// The anchors that play this game.
    fn anchors_of(&self, game: &str, standings: &Standings) -> Vec<(usize, Estimate)> {
        let rows = self.anchors.iter().flat_map(|file| &file.rows);
        let here = rows.filter(|row| row.is_for(game)).filter_map(|row| {
            let player = standings.find(&row.player)?;
            Some((player, Estimate::with_margin(row.elo, row.margin)))
        });
        here.collect()
    }
}

/// What the results decided of the games that came after them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ByResults {
    /// Nothing, as far as is known.
    #[default]
    Nothing,
    /// When they ended: the run has a sequential test.
    Test,
    /// Who met, and when they ended: the run has a test of its ranking.
    Ranking,
    /// Who met.
    Pairings,
}

impl ByResults {
    /// What they decide in a run of this format.
    pub fn of(format: &Format) -> Self {
        match format {
            Format::Sprt { .. } => Self::Test,
            Format::Adaptive { .. } => Self::Ranking,
            Format::RoundRobin(_) | Format::Gauntlet { .. } => Self::Nothing,
            Format::Swiss { .. } | Format::Knockout { .. } | Format::Ladder { .. } => {
                Self::Pairings
            }
        }
    }
}

/// The results of one kind of game, with their ratings.
#[derive(Debug)]
pub struct Rated<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// The results of the players.
    pub standings: &'a Standings,
    /// The ratings of the players.
    pub ratings: Ratings,
    /// What the ratings are relative to.
    pub anchor: Anchor,
    /// The players whose Elo is given by a file, in its order.
    pub anchors: Vec<(usize, Estimate)>,
    /// The Elo of each player.
    pub elo: Vec<f64>,
    /// The players, best first.
    pub order: Vec<usize>,
    /// What is worth knowing beside the ratings.
    pub diagnostics: Diagnostics,
    /// How they are rated.
    pub settings: &'a Settings,
}

impl Rated<'_> {
    /// The name of a player.
    pub fn name(&self, player: usize) -> &str {
        &self.standings.players()[player].name
    }

    /// Whether somebody forfeited each game, so that the games say nothing of the seats.
    pub fn all_forfeited(&self) -> bool {
        let found = &self.diagnostics;
        found.forfeit_wins + found.forfeited_by_both >= self.standings.games()
    }

    /// What the first seat is worth, where both are not rated as equal and the games say something of it.
    pub fn advantage(&self) -> Option<Estimate> {
        self.ratings.advantage().filter(|_| !self.all_forfeited())
    }

    /// If there are only two players: the two, and their games seen by the first of them. The first is the
    /// player that is tested, or else the one with the higher rating.
    pub fn match_of_two(&self) -> Option<([usize; 2], MatchScore)> {
        let (&[higher, lower], [meeting]) = (self.order.as_slice(), self.standings.meetings())
        else {
            return None;
        };
        let sprt = self.settings.sprt.as_ref();
        let tested = sprt.is_some_and(|(name, _)| name == self.name(lower));
        let players = if tested {
            [lower, higher]
        } else {
            [higher, lower]
        };
        let games = MatchScore::new(meeting);
        let games = match meeting.players[0] == players[0] {
            true => games,
            false => games.reversed(),
        };
        Some((players, games))
    }

    /// The difference of a match of two after the sequential test of the run, seen as in
    /// [`match_of_two`](Self::match_of_two).
    pub fn corrected(&self) -> Option<Interval> {
        let ([player, _], games) = self.match_of_two()?;
        let (challenger, test) = self.settings.run_test.as_ref()?;
        match self.name(player) == challenger {
            true => Some(test.estimate(games.pairs)?.elo),
            false => {
                let [low, elo, high] = test.estimate(games.reversed().pairs)?.elo;
                Some([-high, -elo, -low])
            }
        }
    }

    /// The log-likelihood ratio of the sequential test, if there is one in these games.
    pub fn llr(&self) -> Option<f64> {
        let (_, test) = self.settings.sprt.as_ref()?;
        Some(test.llr(&self.tested_games()?))
    }

    /// All games of the player that is tested, if there is one, whoever its opponents are.
    pub fn tested_games(&self) -> Option<MatchScore> {
        let (name, _) = self.settings.sprt.as_ref()?;
        self.games_of(name)
    }

    /// All games of a player, whoever its opponents are.
    pub fn games_of(&self, name: &str) -> Option<MatchScore> {
        let player = self.standings.find(name)?;
        let meetings = self.standings.meetings().iter();
        let own = meetings.filter(|meeting| meeting.players.contains(&player));
        let own = own.map(|meeting| match meeting.players[0] == player {
            true => MatchScore::new(meeting),
            false => MatchScore::new(meeting).reversed(),
        });
        own.reduce(MatchScore::plus)
    }

    /// The rank of each player in `order`, from 1: those with the same Elo in files share one.
    pub fn ranks(&self) -> Vec<u64> {
        shared_ranks(&self.order, |player| Cell::Elo(self.elo[player]).plain())
    }
}

impl Results {
    /// Results in which games that repeat an earlier one action by action are left out.
    pub fn without_duplicates() -> Self {
        Self {
            once: true,
            ..Self::default()
        }
    }

    /// The results of a run.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn of_run(run: &Run) -> Result<Self, RecordError> {
        let mut results = Self::default();
        let mut many = results.many();
        for row in run.rows()? {
            many.add(&row?.result(0));
        }
        drop(many);
        Ok(results)
    }

    /// Adds one finished game.
    pub fn add(&mut self, row: &ResultRow<'_>) {
        self.many().add(row);
    }

    /// Adds any number of finished games, faster than one by one.
    pub fn many(&mut self) -> ManyResults<'_> {
        ManyResults(self)
    }

    /// The standings of each game, by the game's name.
    pub fn games(&self) -> impl Iterator<Item = (&str, &Standings)> {
        self.games
            .iter()
            .map(|(name, standings)| (name.as_str(), standings))
    }

    /// How many games ended in each way, by the name of the termination.
    pub fn terminations(&self) -> &BTreeMap<String, u64> {
        &self.terminations
    }

    /// Rates the players of each game. If no anchor has played a game, the ratings of that game are relative to the
    /// mean of its players.
    pub fn rate<'a>(&'a self, settings: &'a Settings) -> Vec<Rated<'a>> {
        self.games()
            .map(|(game, standings)| {
                let mut ratings = Ratings::of_any_number(standings, settings.model);
                // What the games show is found without the anchors.
                let diagnostics = Diagnostics::new(standings, &ratings);
                let anchors = settings.anchors_of(game, standings);
                if !anchors.is_empty() {
                    ratings = Ratings::anchored(standings, settings.model, &anchors);
                }
                let anchor = match &settings.anchor {
                    _ if !anchors.is_empty() => Anchor::Fitted,
                    None => Anchor::Mean(settings.anchor_elo),
                    Some(name) => standings.find(name).map_or(Anchor::default(), |player| {
                        Anchor::Player(player, settings.anchor_elo)
                    }),
                };
                let elo: Vec<f64> = (0..standings.players().len())
                    .map(|player| ratings.rating(player, anchor).elo)
                    .collect();
                let mut order: Vec<usize> = (0..elo.len()).collect();
                order.sort_by(|a, b| {
                    let name = |player: &usize| &standings.players()[*player].name;
                    // The last bits of equal ratings are rounding errors.
                    let whole = |player: &usize| (elo[*player] * 1e6).round();
                    whole(b)
                        .total_cmp(&whole(a))
                        .then_with(|| name(a).cmp(name(b)))
                });
                Rated {
                    game,
                    standings,
                    diagnostics,
                    anchors,
                    ratings,
                    anchor,
                    elo,
                    order,
                    settings,
                }
            })
            .collect()
    }
}

/// Adds games to results.
#[derive(Debug)]
pub struct ManyResults<'a>(&'a mut Results);

impl ManyResults<'_> {
    /// Adds one finished game.
    pub fn add(&mut self, row: &ResultRow<'_>) {
        let Results {
            games,
            terminations,
            once,
        } = &mut *self.0;
        let game = game_name(row);
        let standings = match games.get_mut(game) {
            Some(standings) => standings,
            None => games.entry(game.to_owned()).or_insert_with(|| match once {
                true => Standings::without_duplicates(),
                false => Standings::default(),
            }),
        };
        let of_source = |number: u64| digest(&(row.source, row.options, number));
        let alike = row.alike.map(of_source);
        let game = RatedGame {
            names: row.names,
            result: row.result,
            blame: row.blame,
            pair: row.pair.map(of_source),
            digest: (!row.digest.is_empty())
                .then(|| digest(&(row.options, row.names, row.digest, row.result))),
        };
        let counted = standings.add_unsettled(&game, row.opening, alike);
        if counted && !row.termination.is_empty() {
            match terminations.get_mut(row.termination) {
                Some(count) => *count += 1,
                None => {
                    terminations.insert(row.termination.to_owned(), 1);
                }
            }
        }
    }
}

impl Drop for ManyResults<'_> {
    fn drop(&mut self) {
        self.0.games.values_mut().for_each(Standings::settle);
    }
}

/// The rank of each player of an order, from 1: neighbours that are equal `by` something share one.
pub(super) fn shared_ranks<T: PartialEq>(order: &[usize], by: impl Fn(usize) -> T) -> Vec<u64> {
    let mut ranks: Vec<u64> = Vec::with_capacity(order.len());
    let mut last = None;
    for (at, player) in order.iter().enumerate() {
        let value = Some(by(*player));
        let rank = match (value == last, ranks.last()) {
            (true, Some(rank)) => *rank,
            _ => at as u64 + 1,
        };
        ranks.push(rank);
        last = value;
    }
    ranks
}

/// A hash of a value, which is the same within this process only.
fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
