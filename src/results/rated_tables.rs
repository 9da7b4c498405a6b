//! The ratings of the players of one kind of game with more than two seats.

use super::rated::{elo_in_files, shared_ranks};
use super::settings::Settings;
use super::table_games::TableGames;
use crate::rating::{Anchor, BlockMean, Estimate, PlaceCounts, PlaceRatings, PlacedError};

/// The results of one kind of game with more than two seats, with their ratings.
#[derive(Debug)]
pub struct RatedTables<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// The games.
    pub games: TableGames,
    /// The ratings of the players, by their index in `games`.
    pub ratings: Result<PlaceRatings, PlacedError>,
    /// The reference of the ratings: the mean of all players, or one of them.
    pub anchor: Anchor,
    /// Counts of places by player and by seat, and how often each player was placed ahead of each opponent.
    pub counts: PlaceCounts,
    /// The mean share of opponents beaten of each player.
    pub beaten: Vec<Option<BlockMean>>,
    /// The mean points by the rules of each player; `None` for a player without any.
    pub points: Vec<Option<BlockMean>>,
    /// The numbers of seats that games have, from 3.
    pub seats: Vec<usize>,
    /// Number of blocks.
    pub blocks: u64,
    /// Groups of players that never met at a table; empty if there is one alone.
    pub groups: Vec<Vec<usize>>,
    /// The players, best first.
    pub order: Vec<usize>,
    /// The settings of the ratings.
    pub settings: &'a Settings,
}

impl<'a> RatedTables<'a> {
    pub(super) fn new(game: &'a str, games: &'a TableGames, settings: &'a Settings) -> Self {
        let games = games.sorted();
        let placed = games.placed();
        let players = games.players().len();
        let mut blocks: Vec<u64> = placed.iter().map(|game| game.block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut seats: Vec<usize> = placed.iter().map(|game| game.seats.len()).collect();
        seats.sort_unstable();
        seats.dedup();
        let tables = placed.iter().map(|game| &game.seats);
        let groups = groups(
            players,
            tables.map(|seats| seats.iter().map(|it| it.player)),
        );
        let mut order = games.order();
        let ratings = PlaceRatings::new(players, &placed, settings.model);
        let anchor = match &settings.anchor {
            None => Anchor::Mean(settings.anchor_elo),
            Some(name) => games.find(name).map_or(Anchor::default(), |player| {
                Anchor::Player(player, settings.anchor_elo)
            }),
        };
        let mut rated = Self {
            game,
            games,
            anchor,
            counts: PlaceCounts::new(&placed),
            beaten: BlockMean::of_beaten(players, &placed),
            points: BlockMean::of_points(players, &placed),
            seats,
            blocks: blocks.len() as u64,
            groups,
            order: Vec::new(),
            settings,
            ratings,
        };
        if rated.ratings.is_ok() {
            let elo: Vec<f64> = (0..players)
                .map(|player| rated.rating(player).map_or(0.0, |it| it.elo))
                .collect();
            // The last digits of equal ratings are rounding errors of the fit.
            // Adding zero gives both zeros one sign.
            let whole = |player: usize| (elo[player] * 1e3).round() + 0.0;
            order.sort_by(|a, b| {
                let by_elo = whole(*b).total_cmp(&whole(*a));
                // Players are in the order of their names.
                by_elo.then(a.cmp(b))
            });
        }
        rated.order = order;
        rated
    }

    /// The rating of a player; `None` if there are none.
    pub fn rating(&self, player: usize) -> Option<Estimate> {
        let ratings = self.ratings.as_ref().ok()?;
        let (mut rating, elo) = match self.anchor {
            Anchor::Player(anchor, elo) => (ratings.difference(player, anchor), elo),
            Anchor::Mean(elo) => (ratings.rating(player), elo),
            Anchor::Fitted => (ratings.rating(player), 0.0),
        };
        rating.elo += elo;
        Some(rating)
    }

    /// The rank of each player in `order`, from 1: players with equal Elo in files share one.
    pub fn ranks(&self) -> Vec<u64> {
        match self.ratings {
            Ok(_) => shared_ranks(&self.order, |player| {
                self.rating(player).and_then(|it| elo_in_files(it.elo))
            }),
            Err(_) => shared_ranks(&self.order, |player| self.games.players()[player].share()),
        }
    }

    /// Whether every game was forfeited. Such games tell nothing about the seats.
    pub fn all_forfeited(&self) -> bool {
        self.games.forfeited() >= self.games.count()
    }

    /// The mean share of opponents beaten of each seat at tables with this number of seats.
    pub fn beaten_by_seat(&self, seats: usize) -> Vec<Option<BlockMean>> {
        BlockMean::of_seats(seats, &self.games.placed())
    }

    /// The worth of each seat at tables with this number of seats, from the mean of the table; `None` if seats are rated
    /// as equal, or if all games were forfeited.
    pub fn seat_worths(&self, seats: usize) -> Option<Vec<Estimate>> {
        let ratings = self.ratings.as_ref().ok();
        let ratings = ratings.filter(|_| !self.all_forfeited())?;
        (0..seats).map(|seat| ratings.seat(seats, seat)).collect()
    }
}

/// The groups of players that never met; empty if there is one alone.
fn groups(
    players: usize,
    tables: impl Iterator<Item = impl Iterator<Item = usize>>,
) -> Vec<Vec<usize>> {
    let mut above: Vec<usize> = (0..players).collect();
    fn top(above: &mut [usize], mut player: usize) -> usize {
        while above[player] != player {
            above[player] = above[above[player]];
            player = above[player];
        }
        player
    }
    for mut table in tables {
        let Some(first) = table.next() else {
            continue;
        };
        for other in table {
            let (one, other) = (top(&mut above, first), top(&mut above, other));
            above[one.max(other)] = one.min(other);
        }
    }
    let mut groups = vec![Vec::new(); players];
    for player in 0..players {
        groups[top(&mut above, player)].push(player);
    }
    groups.retain(|group| !group.is_empty());
    match groups.len() {
        0 | 1 => Vec::new(),
        _ => groups,
    }
}
