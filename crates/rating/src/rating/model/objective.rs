//! The parameters of a set of games, and their most likely values.

use std::collections::BTreeMap;

use super::pool::{ChoiceMoments, GameModel, MOST_LOCAL, Ties};
use super::{
    ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Estimate, Model, PRIOR_DEVIATION, draw_rate, elo_scale,
};
use crate::game::MOST_SEATS;
use crate::rating::ELO;
use crate::rating::games::{Blocks, Choice, GameKind, Group};
use crate::rating::math::Information;

/// An anchor is at least so exact, in Elo: one without an error would make the information infinite.
const LEAST_ERROR: f64 = 0.005;

#[derive(Debug, Clone, Copy)]
pub struct GivenElo {
    pub player: usize,
    pub elo: f64,
    /// `1 / σ²`.
    pub precision: f64,
}

/// Choices of players in these seats, among equal ones. All that counts is how often each set was chosen.
#[derive(Debug, Clone, Copy)]
pub struct Tallied {
    pub seating: u32,
    pub among: Choice,
    /// The first one in `chosen`.
    chosen: u32,
}

#[derive(Debug, Clone, Copy)]
struct Seating {
    /// Its first player in `seated`.
    first: u32,
    seats: u8,
}

/// Games, and the place of each parameter: strengths, then the seats of each number of seats, then ties, then the center
/// of the prior where there are anchors.
#[derive(Debug, Clone)]
pub struct Objective<'a> {
    pub blocks: &'a Blocks,
    pub players: usize,
    /// Index of the first seat's worth, by number of seats; `None` without such games, and where no seats are fitted.
    seats_at: [Option<usize>; MOST_SEATS + 1],
    /// Index of `ln δ`, by size of a tie from 2; `None` if no tie of this size occurred.
    ties_at: [Option<usize>; MOST_SEATS - 1],
    first_tie: usize,
    /// Index of the mean of the prior of strengths; `None` where it is 0.
    pub center: Option<usize>,
    size: usize,
    pub anchors: Vec<GivenElo>,
    pub tallied: Vec<Tallied>,
    chosen: Vec<(u8, u32)>,
    seatings: Vec<Seating>,
    /// The players of each seating, by seat, and then the links of each two of them.
    seated: Vec<u32>,
}

pub struct State {
    pub gradient: Vec<f64>,
    pub information: Information,
}

impl<'a> Objective<'a> {
    /// The games of players with the indices from 0 to `players - 1`. Anchors are players, each at most once, with a given
    /// Elo.
    pub fn new(
        players: usize,
        blocks: &'a Blocks,
        model: Model,
        anchors: &[(usize, Estimate)],
    ) -> Self {
        let mut size = players;
        let mut seats_at = [None; MOST_SEATS + 1];
        for seats in blocks.seats().into_iter().filter(|_| model.first_mover) {
            seats_at[seats] = Some(size);
            size += seats;
        }
        let first_tie = size;
        let mut ties_at = [None; MOST_SEATS - 1];
        let choices = || {
            blocks
                .shapes
                .iter()
                .flat_map(|it| it.choices.iter().flatten())
        };
        for tie in 2..=MOST_SEATS {
            if choices().any(|it| it.chosen.count_ones() as usize == tie) {
                ties_at[tie - 2] = Some(size);
                size += 1;
            }
        }
        let center = (!anchors.is_empty()).then_some(size);
        size += usize::from(center.is_some());
        let mut anchors: Vec<GivenElo> = anchors
            .iter()
            .map(|(player, given)| GivenElo {
                player: *player,
                elo: given.elo,
                precision: given.error.max(LEAST_ERROR).powi(-2),
            })
            .collect();
        // Sums then have one order, whatever the order of the file.
        anchors.sort_by_key(|anchor| anchor.player);
        let mut objective = Self {
            blocks,
            players,
            seats_at,
            ties_at,
            first_tie,
            center,
            size,
            anchors,
            tallied: Vec::new(),
            chosen: Vec::new(),
            seatings: Vec::new(),
            seated: Vec::new(),
        };
        objective.tally();
        objective
    }

    /// The derivatives before [`evaluate`](Self::evaluate) fills them in, with room for the cells of all who met.
    pub fn state(&self) -> State {
        let met = self.blocks.met_players().clone();
        State {
            gradient: Vec::new(),
            information: Information::of_meetings(vec![0.0; self.size], self.players, met),
        }
    }

    fn fill_in_priors(&self, information: &mut Information) {
        information.clear();
        for index in 0..self.size {
            information.add_own(index, self.precision(index));
        }
        for player in 0..self.players {
            if let Some(center) = self.center {
                information.add(player, center, -self.precision(player));
            }
        }
    }

    fn tally(&mut self) {
        // As many as there are in games of two: growing step by step would take twice the memory.
        let groups = self.blocks.group_count();
        self.tallied.reserve(groups);
        self.chosen.reserve(self.blocks.counted_count());
        self.seatings.reserve(groups);
        self.seated.reserve(3 * groups);
        let mut counts: Vec<(Choice, u32, u32)> = Vec::new();
        for group in self.blocks.groups() {
            counts.clear();
            let first = self.seatings.len();
            let mut seating = usize::MAX;
            let mut last: Option<&[u8]> = None;
            for block in group.blocks {
                let games = self.blocks.games(block).iter();
                for (game, choices) in games.zip(self.blocks.choices(block)) {
                    if last != Some(game.members()) {
                        seating = self.seating(&group, game, first);
                        last = Some(game.members());
                    }
                    counts.extend(
                        choices
                            .iter()
                            .map(|choice| (*choice, seating as u32, block.count)),
                    );
                }
            }
            counts.sort_unstable_by_key(|(choice, seating, _)| (*seating, *choice));
            for (choice, seating, count) in &counts {
                let among = Choice {
                    chosen: 0,
                    ..*choice
                };
                let is_new = self
                    .tallied
                    .last()
                    .is_none_or(|it| (it.seating, it.among) != (*seating, among));
                if is_new {
                    self.tallied.push(Tallied {
                        seating: *seating,
                        among,
                        chosen: self.chosen.len() as u32,
                    });
                }
                match self.chosen.last_mut().filter(|_| !is_new) {
                    Some((chosen, known)) if *chosen == choice.chosen => {
                        *known = known.saturating_add(*count)
                    }
                    _ => self.chosen.push((choice.chosen, *count)),
                }
            }
        }
    }

    fn seating(&mut self, group: &Group<'_>, game: &GameKind, first: usize) -> usize {
        let players = game
            .members()
            .iter()
            .map(|it| group.players[usize::from(*it)]);
        for at in first..self.seatings.len() {
            if self.seats_of(at).iter().copied().eq(players.clone()) {
                return at;
            }
        }
        self.seatings.push(Seating {
            first: self.seated.len() as u32,
            seats: game.seats() as u8,
        });
        let start = self.seated.len();
        self.seated.extend(players);
        let met = self.blocks.met_players();
        for row in start..start + game.seats() {
            for column in start..row {
                let two = [self.seated[row], self.seated[column]];
                let link = met.binary_search(&[two[0].min(two[1]), two[0].max(two[1])]);
                // A player with several seats has no link with itself.
                self.seated.push(link.map_or(u32::MAX, |link| link as u32));
            }
        }
        self.seatings.len() - 1
    }

    pub fn seats_of(&self, seating: usize) -> &[u32] {
        let Seating { first, seats } = self.seatings[seating];
        &self.seated[first as usize..][..usize::from(seats)]
    }

    fn links_of(&self, seating: usize) -> &[u32] {
        let Seating { first, seats } = self.seatings[seating];
        &self.seated[first as usize + usize::from(seats)..]
    }

    pub fn chosen_of(&self, number: usize, one: &Tallied) -> &[(u8, u32)] {
        let end = self
            .tallied
            .get(number + 1)
            .map_or(self.chosen.len(), |next| next.chosen as usize);
        &self.chosen[one.chosen as usize..end]
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Index of the first seat's worth in games with this number of seats, if it is fitted.
    pub fn seats_at(&self, seats: usize) -> Option<usize> {
        *self.seats_at.get(seats)?
    }

    pub fn tie_at(&self, size: usize) -> Option<usize> {
        *self.ties_at.get(size.checked_sub(2)?)?
    }

    pub fn is_given(&self, player: usize) -> bool {
        self.anchors.iter().any(|anchor| anchor.player == player)
    }

    /// The players whose Elo is given exactly.
    pub fn exact(&self) -> BTreeMap<usize, f64> {
        let exact = self
            .anchors
            .iter()
            .filter(|it| it.precision >= LEAST_ERROR.powi(-2));
        exact.map(|anchor| (anchor.player, anchor.elo)).collect()
    }

    pub fn is_anchored(&self) -> bool {
        self.center.is_some()
    }

    /// `δ(2)`: the weight of a tie of two players.
    pub fn nu(&self, at: &[f64]) -> f64 {
        self.tie_at(2).map_or(0.0, |index| at[index].exp())
    }

    pub fn ties(&self, at: &[f64]) -> Ties {
        Ties::new(self.ties_at.map(|index| index.map(|index| at[index])))
    }

    pub fn model(
        &self,
        players: impl ExactSizeIterator<Item = usize>,
        at: &[f64],
        ties: &Ties,
    ) -> GameModel {
        let seats = players.len();
        let mut worths = [0.0; MOST_SEATS];
        let first = self.seats_at[seats];
        for (seat, player) in players.enumerate() {
            worths[seat] = at[player] + first.map_or(0.0, |first| at[first + seat]);
        }
        GameModel {
            seats,
            worths,
            ties: *ties,
        }
    }

    pub fn precision(&self, index: usize) -> f64 {
        let deviation = if index < self.players {
            PRIOR_DEVIATION / ELO
        } else if index < self.first_tie {
            // The advantage over another seat has twice this variance.
            ADVANTAGE_DEVIATION / ELO / std::f64::consts::SQRT_2
        } else if self.center == Some(index) {
            return self.players as f64 * self.precision(0);
        } else {
            DRAWS_DEVIATION
        };
        deviation.powi(-2)
    }

    /// The priors as squares: each a factor of the parameters, whose square is a term of twice the log prior, and its
    /// value at this point.
    pub fn prior_squares<'b>(
        &'b self,
        at: &'b [f64],
    ) -> impl Iterator<Item = (Vec<(usize, f64)>, f64)> + 'b {
        let own = (0..self.size)
            .filter(|index| self.center != Some(*index))
            .map(|index| {
                let root = self.precision(index).sqrt();
                match self.center.filter(|_| index < self.players) {
                    Some(center) => (
                        vec![(index, root), (center, -root)],
                        root * (at[index] - at[center]),
                    ),
                    None => (vec![(index, root)], root * at[index]),
                }
            });
        let nu = self.nu(at);
        let (scale, draws) = (elo_scale(nu), draw_rate(nu));
        // An anchor with the Elo `e` and the error `σ` adds `-(s u - e)² / (2 σ²)`. The Elo of a unit, `s`, falls with
        // the share of draws `d` of equals: `ds/dδ = -s d`.
        let anchors = self.anchors.iter().map(move |anchor| {
            let root = anchor.precision.sqrt();
            let mut factor = vec![(anchor.player, root * scale)];
            factor.extend(
                self.tie_at(2)
                    .map(|tie| (tie, -root * scale * draws * at[anchor.player])),
            );
            (factor, root * (scale * at[anchor.player] - anchor.elo))
        });
        own.chain(anchors)
    }

    /// Fills in the gradient and the information, and returns the log posterior.
    pub fn evaluate(&self, at: &[f64], state: &mut State) -> f64 {
        state.gradient.clear();
        state.gradient.resize(self.size, 0.0);
        self.fill_in_priors(&mut state.information);
        let mut log_posterior = 0.0;
        let unanchored = self.prior_squares(at).count() - self.anchors.len();
        for (number, (factor, value)) in self.prior_squares(at).enumerate() {
            log_posterior -= value * value / 2.0;
            for (row, (index, part)) in factor.iter().enumerate() {
                state.gradient[*index] -= part * value;
                for (other, second) in factor[..=row].iter().filter(|_| number >= unanchored) {
                    state.information.add(*index, *other, part * second);
                }
            }
        }
        let ties = self.ties(at);
        let mut pool = ChoiceMoments::default();
        // The common part of all games with one number of seats.
        let mut common = [[[0.0; MOST_LOCAL]; MOST_LOCAL]; MOST_SEATS + 1];
        for (number, one) in self.tallied.iter().enumerate() {
            let players = self.seats_of(one.seating as usize);
            let model = self.model(players.iter().map(|it| *it as usize), at, &ties);
            pool.fill(&model, &one.among);
            let mut slopes = [0.0; MOST_LOCAL];
            let mut games = 0.0;
            for (chosen, count) in self.chosen_of(number, one) {
                let count = f64::from(*count);
                let choice = Choice {
                    chosen: *chosen,
                    ..one.among
                };
                for (local, feature) in model.features(&choice) {
                    slopes[local] += count * feature;
                    log_posterior += count * feature * model.value(local);
                }
                games += count;
            }
            log_posterior -= games * pool.log_sum;
            for (slope, mean) in slopes.iter_mut().zip(&pool.mean[..model.size()]) {
                *slope -= games * mean;
            }
            self.add_slopes(&mut state.gradient, players, &slopes[..model.size()]);
            self.add_information(&mut state.information, one, players, games, &pool);
            for (to, from) in common[players.len()]
                .iter_mut()
                .zip(&pool.covariance[..model.size()])
            {
                for (to, from) in to.iter_mut().zip(&from[..model.size()]) {
                    *to += games * from;
                }
            }
        }
        for (seats, common) in common.iter().enumerate().skip(2) {
            let indices = || self.common_indices(seats);
            for (row, one) in indices() {
                for (column, other) in indices().filter(|(_, other)| *other <= one) {
                    state.information.add(one, other, common[row][column]);
                }
            }
        }
        log_posterior
    }

    /// The local parameters that all games with this number of seats share, each with the parameter that it is.
    fn common_indices(&self, seats: usize) -> impl Iterator<Item = (usize, usize)> {
        let of_seats = self.seats_at[seats].into_iter();
        let of_seats =
            of_seats.flat_map(move |first| (0..seats).map(move |seat| (seat, first + seat)));
        let ties = self.ties_at[..seats - 1].iter().enumerate();
        of_seats.chain(ties.filter_map(move |(tie, index)| Some((seats + tie, (*index)?))))
    }

    fn add_slopes(&self, gradient: &mut [f64], players: &[u32], slopes: &[f64]) {
        for (player, slope) in players.iter().zip(slopes) {
            gradient[*player as usize] += slope;
        }
        for (local, index) in self.common_indices(players.len()) {
            gradient[index] += slopes[local];
        }
    }

    /// Adds the cells of the players of a choice, with each other and with the shared parameters.
    fn add_information(
        &self,
        information: &mut Information,
        one: &Tallied,
        players: &[u32],
        games: f64,
        pool: &ChoiceMoments,
    ) {
        let mut links = self.links_of(one.seating as usize).iter();
        for (row, player) in players.iter().enumerate() {
            let player = *player as usize;
            information.add_own(player, games * pool.covariance[row][row]);
            for (value, link) in pool.covariance[row][..row].iter().zip(&mut links) {
                match *link {
                    u32::MAX => information.add_own(player, 2.0 * games * value),
                    link => information.add_to_link(link as usize, games * value),
                }
            }
            for (local, index) in self.common_indices(players.len()) {
                information.add_shared(player, index, games * pool.covariance[row][local]);
            }
        }
    }
}
