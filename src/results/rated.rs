//! The ratings of the players of one kind of game.

use super::settings::Settings;
use crate::rating::{Anchor, Diagnostics, Estimate, Interval, MatchScore, Ratings, Standings};

/// The results of one kind of game, with their ratings.
#[derive(Debug)]
pub struct Rated<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// The results of the players.
    pub standings: &'a Standings,
    /// The ratings of the players.
    pub ratings: Ratings,
    /// The reference of the ratings.
    pub anchor: Anchor,
    /// The players whose Elo is given by a file, in its order.
    pub anchors: Vec<(usize, Estimate)>,
    /// The Elo of each player.
    pub elo: Vec<f64>,
    /// The players, best first.
    pub order: Vec<usize>,
    /// Diagnostics beside the ratings.
    pub diagnostics: Diagnostics,
    /// The settings of the ratings.
    pub settings: &'a Settings,
}

impl Rated<'_> {
    /// The name of a player.
    pub fn name(&self, player: usize) -> &str {
        &self.standings.players()[player].name
    }

    /// Whether every game was forfeited. Such games tell nothing about the seats.
    pub fn all_forfeited(&self) -> bool {
        let found = &self.diagnostics;
        found.forfeit_wins + found.forfeited_by_both >= self.standings.games()
    }

    /// The advantage of the first seat; `None` if the model has none, or if all games were forfeited.
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
        if meeting.players[0] == players[0] {
            Some((players, games))
        } else {
            Some((players, games.reversed()))
        }
    }

    /// The difference of a match of two after the sequential test of the run, seen as in
    /// [`match_of_two`](Self::match_of_two).
    pub fn corrected(&self) -> Option<Interval> {
        let ([player, _], games) = self.match_of_two()?;
        let (challenger, test) = self.settings.run_test.as_ref()?;
        if self.name(player) == challenger {
            return Some(test.estimate(games.pairs)?.elo);
        }
        let [low, elo, high] = test.estimate(games.reversed().pairs)?.elo;
        Some([-high, -elo, -low])
    }

    /// The log-likelihood ratio of the sequential test, if there is one in these games.
    pub fn llr(&self) -> Option<f64> {
        let (_, test) = self.settings.sprt.as_ref()?;
        Some(test.llr(&self.tested_games()?))
    }

    /// All games of the tested player, against all opponents; `None` without a test.
    pub fn tested_games(&self) -> Option<MatchScore> {
        let (name, _) = self.settings.sprt.as_ref()?;
        self.games_of(name)
    }

    /// All games of a player, against all opponents.
    pub fn games_of(&self, name: &str) -> Option<MatchScore> {
        self.standings.games_of(self.standings.find(name)?)
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
pub(super) fn elo_in_files(elo: f64) -> Option<String> {
    let text = elo.is_finite().then(|| format!("{elo:.1}"))?;
    Some(if text == "-0.0" {
        "0.0".to_owned()
    } else {
        text
    })
}
