//! The ratings of the players of one kind of game.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::{ByResults, ResultRow, Settings};
use crate::rating::{
    Anchor, BlockMean, BlockScores, Diagnostics, Estimate, FitOptions, GameCounter, Interval,
    MatchScore, Posterior, RatedGame, Ratings, Standings, Tally, bands,
};
use crate::runs::{Run, RunFileError};

/// The results of one kind of game, with their ratings. Players are indices in the order of their names.
#[derive(Debug)]
pub struct Rated<'a> {
    pub game: String,
    pub standings: Standings,
    pub ratings: Ratings,
    pub anchor: Anchor,
    /// The players whose Elo is given by a file, in its order.
    pub anchors: Vec<(usize, Estimate)>,
    pub elo: Vec<f64>,
    pub order: Vec<usize>,
    /// The mean share of opponents beaten of each player, with the error of blocks.
    pub beaten: Vec<Option<BlockMean>>,
    /// Whether each player has a game that counts for the ratings.
    is_rated: Vec<bool>,
    pub seats: Vec<usize>,
    /// The strengths given the games and the spread of all; `None` of many players.
    pub posterior: Option<Posterior>,
    pub diagnostics: Diagnostics,
    pub settings: &'a Settings,
}

impl<'a> Rated<'a> {
    /// Rates the players of one game. If no anchor has played it, the ratings are relative to the mean of its players.
    pub(super) fn new(game: String, standings: Standings, settings: &'a Settings) -> Self {
        let mut options = FitOptions {
            model: settings.model,
            openings: settings.openings_of(&game),
            anchors: Vec::new(),
        };
        let mut ratings = Ratings::of_any_number(&standings, &options);
        // Diagnostics are about the games alone, so they are made without the anchors.
        let diagnostics = Diagnostics::new(&standings, &ratings);
        options.anchors = settings.anchors_of(&game, &standings);
        if !options.anchors.is_empty() {
            ratings = Ratings::of_any_number(&standings, &options);
        }
        let anchor = match &settings.anchor {
            _ if !options.anchors.is_empty() => Anchor::Fitted,
            None => Anchor::Mean(settings.anchor_elo),
            Some(name) => standings.find(name).map_or(Anchor::default(), |player| {
                Anchor::Player(player, settings.anchor_elo)
            }),
        };
        let players = standings.players().len();
        let tallies = standings.blocks().tallies(players);
        let elo: Vec<f64> = (0..players)
            .map(|player| ratings.rating(player, anchor).elo)
            .collect();
        Self {
            game,
            beaten: standings.blocks().beaten(players),
            is_rated: tallies.iter().map(|tally| tally.games() > 0).collect(),
            seats: standings.blocks().seats(),
            standings,
            posterior: Posterior::new(&ratings),
            order: ratings.order(),
            ratings,
            anchor,
            anchors: options.anchors,
            elo,
            diagnostics,
            settings,
        }
    }

    pub fn name(&self, player: usize) -> &str {
        &self.standings.players()[player].name
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.standings.find(name)
    }

    pub fn most_seats(&self) -> usize {
        self.seats.last().copied().unwrap_or(2)
    }

    pub fn games(&self) -> u64 {
        self.standings.games()
    }

    /// Whether every game was forfeited. Such games tell nothing about the seats.
    pub fn all_forfeited(&self) -> bool {
        self.standings.all_forfeited()
    }

    pub fn rating(&self, player: usize) -> Estimate {
        self.ratings.rating(player, self.anchor)
    }

    pub fn difference(&self, player: usize, other: usize) -> Estimate {
        self.ratings.difference(player, other)
    }

    /// The rating of a player with its 95 % interval, which can have an infinite end.
    pub fn interval(&self, player: usize) -> Interval {
        let [low, elo, high] = self.ratings.interval(player, self.anchor);
        let is_given = low == high || self.anchors.iter().any(|(given, _)| *given == player);
        match self.is_rated[player] || is_given {
            true => [low, elo, high],
            // Nothing but the prior would limit it.
            false => [f64::NEG_INFINITY, elo, f64::INFINITY],
        }
    }

    /// The rating of a player nearer to the mean of all, given the spread of all strengths, with its 95 % interval; `None` of
    /// many players, and where anchors give the scale.
    pub fn shrunk(&self, player: usize) -> Option<Interval> {
        let mean = match self.anchor {
            Anchor::Mean(elo) => elo,
            Anchor::Player(..) | Anchor::Fitted => return None,
        };
        let [low, elo, high] = *self.posterior.as_ref()?.ratings.get(player)?;
        Some([low + mean, elo + mean, high + mean])
    }

    /// The probability that one player is stronger than another. Where results decided who met, it comes from the posterior
    /// of all players together.
    pub fn superiority(&self, player: usize, other: usize) -> f64 {
        match &self.posterior {
            Some(posterior) if self.settings.by_results == ByResults::Pairings => {
                posterior.superiority(player, other)
            }
            _ => self.ratings.superiority(player, other),
        }
    }

    /// The ranges of the order whose players are not told apart with this confidence: of each two of them, or where the
    /// settings say so, of all comparisons together (O. Dunn, JASA 56, 1961).
    pub fn bands(&self, confidence: f64) -> Vec<Range<usize>> {
        let players = self.order.len();
        let comparisons = match self.settings.familywise {
            true => (players * players.saturating_sub(1) / 2).max(1),
            false => 1,
        };
        let each = 1.0 - (1.0 - confidence) / comparisons as f64;
        bands(&self.order, each, |a, b| self.superiority(a, b))
    }

    /// The games of two players; among more players, one wins against each that it is ahead of.
    pub fn against(&self, player: usize, other: usize) -> Tally {
        self.standings.blocks().against(player, other)
    }

    /// A game's result against an opponent, in words: won, drawn and lost.
    pub fn outcomes(&self) -> &'static str {
        match self.most_seats() {
            2 => "won-drawn-lost",
            _ => "ahead-tied-behind",
        }
    }

    /// The worth of each seat in games with this number of seats, from their mean; `None` if seats are rated as equal, or if
    /// all games were forfeited.
    pub fn seat_worths(&self, seats: usize) -> Option<Vec<Estimate>> {
        let ratings = (!self.all_forfeited()).then_some(&self.ratings)?;
        (0..seats).map(|seat| ratings.seat(seats, seat)).collect()
    }

    /// The advantage of the first seat in games of two; `None` if the model has none, or if all games were forfeited.
    pub fn advantage(&self) -> Option<Estimate> {
        self.ratings.advantage().filter(|_| !self.all_forfeited())
    }

    /// If there are only two players, in games of two: the two, and their games seen by the first of them. The first is the
    /// player that is tested, or else the one with the higher rating.
    pub fn match_of_two(&self) -> Option<([usize; 2], MatchScore)> {
        // Two players can share the seats of more.
        let (&[higher, lower], 2) = (self.order.as_slice(), self.most_seats()) else {
            return None;
        };
        let sprt = self.settings.sprt.as_ref();
        let players = match sprt.is_some_and(|(name, _)| name == self.name(lower)) {
            true => [lower, higher],
            false => [higher, lower],
        };
        Some((
            players,
            self.standings.blocks().match_of(players[0], players[1])?,
        ))
    }

    /// The difference of a match of two after the sequential test of the run, seen as in
    /// [`match_of_two`](Self::match_of_two).
    pub fn corrected(&self) -> Option<Interval> {
        let ([player, _], games) = self.match_of_two()?;
        let (challenger, test) = self.settings.run_test.as_ref()?;
        if self.name(player) == challenger {
            return Some(test.estimate(&BlockScores::of_match(&games))?.elo);
        }
        let [low, elo, high] = test
            .estimate(&BlockScores::of_match(&games.reversed()))?
            .elo;
        Some([-high, -elo, -low])
    }

    /// The log-likelihood ratio of the sequential test, if there is one in these games.
    pub fn llr(&self) -> Option<f64> {
        let (_, test) = self.settings.sprt.as_ref()?;
        Some(test.llr(&BlockScores::of_match(&self.tested_games()?)))
    }

    /// All games of the tested player, against all opponents; `None` without a test.
    pub fn tested_games(&self) -> Option<MatchScore> {
        let (name, _) = self.settings.sprt.as_ref()?;
        self.games_of(name)
    }

    /// All games of a player in games of two, against all opponents.
    pub fn games_of(&self, name: &str) -> Option<MatchScore> {
        self.standings.blocks().match_of_all(self.find(name)?)
    }

    /// The rank of each player in `order`, from 1: players with equal Elo in files share one.
    pub fn ranks(&self) -> Vec<u64> {
        shared_ranks(&self.order, |player| elo_in_files(self.elo[player]))
    }
}

/// The rank of each player of an order, from 1: neighbours with an equal value of `by` share one.
pub fn shared_ranks<T: PartialEq>(order: &[usize], by: impl Fn(usize) -> T) -> Vec<u64> {
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

/// An Elo as files have it: with one decimal, and zero without a sign.
fn elo_in_files(elo: f64) -> Option<String> {
    let text = elo.is_finite().then(|| format!("{elo:.1}"))?;
    Some(match text.as_str() {
        "-0.0" => "0.0".to_owned(),
        _ => text,
    })
}

/// The results of a set of games, by the kind of game. Its size grows with the players who met and not with the games,
/// except for the digests that [`GameCounter`] keeps.
#[derive(Debug, Clone, Default)]
pub struct Results {
    games: BTreeMap<String, GameCounter>,
    terminations: BTreeMap<String, u64>,
    once: bool,
}

impl Results {
    /// Results without games that repeat an earlier one action by action.
    pub fn without_duplicates() -> Self {
        Self {
            once: true,
            ..Self::default()
        }
    }

    pub fn of_run(run: &Run) -> Result<Self, RunFileError> {
        let mut results = Self::default();
        for row in run.rows()? {
            results.add(&ResultRow::from(&row?));
        }
        Ok(results)
    }

    pub fn add(&mut self, row: &ResultRow<'_>) {
        let name = row.game_name();
        if !self.games.contains_key(name) {
            let counter = match self.once {
                true => GameCounter::without_duplicates(),
                false => GameCounter::default(),
            };
            self.games.insert(name.to_owned(), counter);
        }
        let of_source = |number: u64| digest(&(row.source, row.options, number));
        let game = RatedGame {
            names: row.names.clone(),
            result: row.result,
            forfeited_by: row.forfeited_by,
            is_by_rules: row.is_by_rules(),
            rules_points: row.rules_points.clone(),
            block: row.block.map(of_source),
            alike: row.alike.map(of_source),
            opening: row.opening,
            digest: (!row.digest.is_empty())
                .then(|| digest(&(row.options, &row.names, row.digest))),
        };
        let counted = self
            .games
            .get_mut(name)
            .is_some_and(|games| games.add(&game));
        if !counted || row.termination.is_empty() {
            return;
        }
        match self.terminations.get_mut(row.termination) {
            Some(count) => *count += 1,
            None => {
                self.terminations.insert(row.termination.to_owned(), 1);
            }
        }
    }

    pub fn count(&self) -> u64 {
        self.games.values().map(GameCounter::games).sum()
    }

    pub fn games(&self) -> impl Iterator<Item = (&str, &GameCounter)> {
        self.games
            .iter()
            .map(|(name, games)| (name.as_str(), games))
    }

    pub fn terminations(&self) -> &BTreeMap<String, u64> {
        &self.terminations
    }

    /// Rates the players of each game, by the game's name. If no anchor has played a game, the ratings of that game are
    /// relative to the mean of its players. Takes the games out: beside the ratings they would take memory for nothing.
    pub fn rate<'a>(&mut self, settings: &'a Settings) -> Vec<Rated<'a>> {
        let games = std::mem::take(&mut self.games).into_iter();
        games
            .map(|(name, games)| Rated::new(name, games.standings(), settings))
            .collect()
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
