//! All games of a set of players, as counted blocks in one order, however they arrived.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::counter::{BlockCounter, ByIndex, Cell, LARGER, is_rotation, merge};
use super::kind::{Choice, GameKind};
use super::match_score::MatchScore;
use super::means::{BlockMean, BlockSums};
use super::{Meeting, Tally, WinDrawLoss};
use crate::game::MOST_SEATS;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    pub games: Vec<GameKind>,
    pub choices: Vec<Vec<Choice>>,
    pub is_rotation: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct CountedBlock {
    pub shape: u32,
    /// Number of the opening, from 1; 0 if it is not known.
    pub opening: u32,
    pub count: u32,
}

#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// Ascending.
    pub players: &'a [u32],
    pub blocks: &'a [CountedBlock],
}

/// Games of two players where the first was ahead, tied and behind, and where both forfeited together.
type MetGames = [u32; 4];

#[derive(Debug, Clone, Default)]
pub struct Blocks {
    members: Vec<u32>,
    /// For each group, the first of its members and of its blocks.
    starts: Vec<[u32; 2]>,
    blocks: Vec<CountedBlock>,
    pub shapes: Vec<Shape>,
    pub openings: usize,
    pub has_forgotten_openings: bool,
    /// Each two players who met, in order, and their games.
    met_players: Arc<[[u32; 2]]>,
    met_games: Vec<MetGames>,
}

/// Number of games with each place, the first place first, as the games have them.
pub type ByPlace = [u64; MOST_SEATS];

#[derive(Debug, Clone, PartialEq)]
pub struct SeatPlaces {
    /// By seat, with the sum of the shares of opponents beaten.
    pub of_seat: Vec<(ByPlace, f64)>,
    pub of_player: BTreeMap<(usize, usize), ByPlace>,
}

/// Shares of opponents in whole numbers: halves of one to seven opponents.
pub const SHARE: u64 = 840;

impl Blocks {
    /// The blocks of a counter. `place` has the new index of each player.
    pub fn new(mut counter: BlockCounter, place: &[u32]) -> Self {
        let mut cells = counter.take_cells();
        let (shapes, larger) = renumber(&counter, place, &mut cells);
        renumber_openings(&counter, &mut cells);
        merge(&mut cells);
        let (names, has_forgotten_openings) = counter.openings();
        let mut blocks = Self {
            shapes,
            openings: names.len(),
            has_forgotten_openings,
            ..Self::default()
        };
        let groups = cells.chunk_by(|a, b| a.players == b.players).count();
        blocks.blocks.reserve_exact(cells.len());
        blocks.starts.reserve_exact(groups);
        blocks.members.reserve(2 * groups);
        let mut last = None;
        for cell in &cells {
            if last.replace(cell.players) != Some(cell.players) {
                let start = [blocks.members.len() as u32, blocks.blocks.len() as u32];
                blocks.starts.push(start);
                blocks.members.extend_from_slice(match cell.players {
                    [LARGER, number] => &larger[number as usize],
                    ref two => two,
                });
            }
            blocks.blocks.push(CountedBlock {
                shape: cell.shape,
                opening: cell.opening,
                count: cell.count,
            });
        }
        drop(cells);
        blocks.find_met();
        blocks
    }

    fn span(&self, at: usize, part: usize, end: usize) -> Range<usize> {
        let next = self
            .starts
            .get(at + 1)
            .map_or(end, |start| start[part] as usize);
        self.starts[at][part] as usize..next
    }

    pub fn group_count(&self) -> usize {
        self.starts.len()
    }

    pub fn counted_count(&self) -> usize {
        self.blocks.len()
    }

    pub fn group(&self, at: usize) -> Group<'_> {
        Group {
            players: &self.members[self.span(at, 0, self.members.len())],
            blocks: &self.blocks[self.span(at, 1, self.blocks.len())],
        }
    }

    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        (0..self.group_count()).map(|at| self.group(at))
    }

    pub fn choices(&self, block: &CountedBlock) -> &[Vec<Choice>] {
        &self.shapes[block.shape as usize].choices
    }

    pub fn games(&self, block: &CountedBlock) -> &[GameKind] {
        &self.shapes[block.shape as usize].games
    }

    /// Number of blocks. A game that belongs to none is one of its own.
    pub fn block_count(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.count)).sum()
    }

    pub fn have_one_game(&self) -> bool {
        self.shapes.iter().all(|shape| shape.games.len() == 1)
    }

    pub fn seats(&self) -> Vec<usize> {
        let games = self.shapes.iter().flat_map(|shape| &shape.games);
        let mut seats: Vec<usize> = games.map(GameKind::seats).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// The mean share of opponents beaten of each of the first `players`: (beaten + tied / 2) / opponents, 1 for a winner and
    /// 0 for the last. `None` for a player without games.
    pub fn beaten(&self, players: usize) -> Vec<Option<BlockMean>> {
        let mut sums = vec![BlockSums::default(); players];
        for group in self.groups() {
            for block in group.blocks {
                let mut of_member = [(0_i64, 0_u64); MOST_SEATS];
                for game in self.games(block) {
                    for (seat, member) in game.members().iter().enumerate() {
                        let [halves, others] = game.beaten(seat);
                        let own = &mut of_member[usize::from(*member)];
                        own.0 += (SHARE / 2 * halves / others.max(1)) as i64;
                        own.1 += 1;
                    }
                }
                for (player, (sum, games)) in group.players.iter().zip(of_member) {
                    if games > 0 {
                        sums[*player as usize].add(sum, games, block.count.into());
                    }
                }
            }
        }
        sums.iter().map(|sums| sums.mean(SHARE as f64)).collect()
    }

    pub fn seat_places(&self, seats: usize) -> SeatPlaces {
        let mut places = SeatPlaces {
            of_seat: vec![([0; MOST_SEATS], 0.0); seats],
            of_player: BTreeMap::new(),
        };
        for group in self.groups() {
            for block in group.blocks {
                for game in self
                    .games(block)
                    .iter()
                    .filter(|game| game.seats() == seats)
                {
                    let count = u64::from(block.count);
                    for (seat, member) in game.members().iter().enumerate() {
                        let place = usize::from(game.places()[seat]).clamp(1, MOST_SEATS) - 1;
                        let [halves, others] = game.beaten(seat);
                        let (all, beaten) = &mut places.of_seat[seat];
                        all[place] += count;
                        *beaten += (count * halves) as f64 / (2 * others).max(1) as f64;
                        let player = group.players[usize::from(*member)] as usize;
                        let own = places.of_player.entry((player, seat)).or_default();
                        own[place] += count;
                    }
                }
            }
        }
        places
    }

    fn find_met(&mut self) {
        let groups = self.group_count();
        let mut players = Vec::with_capacity(groups);
        let mut games = Vec::with_capacity(groups);
        for group in self.groups() {
            let first = players.len();
            for block in group.blocks {
                for game in self.games(block) {
                    for (two, column) in beside_each(&group, game) {
                        let known = players[first..].iter().position(|it| *it == two);
                        let at = known.map_or(players.len(), |at| first + at);
                        if known.is_none() {
                            players.push(two);
                            games.push(MetGames::default());
                        }
                        games[at][column] += block.count;
                    }
                }
            }
        }
        // Two players can be in several larger groups.
        if !players.is_sorted_by(|a, b| a < b) {
            let mut all: Vec<_> = players.into_iter().zip(games).collect();
            all.sort_by_key(|(players, _)| *players);
            all.dedup_by(|(one, more), (kept, sums)| {
                if one == kept {
                    (0..4).for_each(|at| sums[at] += more[at]);
                }
                one == kept
            });
            (players, games) = all.into_iter().unzip();
        }
        self.met_players = players.into();
        self.met_games = games;
    }

    /// Each two players who met, the lower one first, and the games as it sees them. Games that both forfeited count as
    /// lost by both only in [`Self::against`].
    pub fn met(&self) -> impl Iterator<Item = ([usize; 2], Tally)> {
        let met = self.met_players.iter().zip(&self.met_games);
        met.map(|(players, games)| (players.map(|it| it as usize), tally_of(games)))
    }

    /// The games of each of the first `players` with all others: one beside each opponent of a game.
    pub fn tallies(&self, players: usize) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); players];
        for ([a, b], tally) in self.met() {
            tallies[a] = tallies[a].plus(tally);
            tallies[b] = tallies[b].plus(tally.reversed());
        }
        tallies
    }

    pub fn of_first_seat(&self) -> Tally {
        self.meetings().fold(Tally::default(), |sum, meeting| {
            let [first, second] = meeting.by_seat;
            sum.plus(first).plus(second.reversed())
        })
    }

    pub fn met_players(&self) -> &Arc<[[u32; 2]]> {
        &self.met_players
    }

    /// The results of a player beside another: in games of more than two, it wins where it is ahead of the other. A game
    /// that both forfeited is lost by both.
    pub fn against(&self, player: usize, other: usize) -> Tally {
        let key = [player.min(other) as u32, player.max(other) as u32];
        let Ok(at) = self.met_players.binary_search(&key) else {
            return Tally::default();
        };
        let games = &self.met_games[at];
        let mut tally = match player <= other {
            true => tally_of(games),
            false => tally_of(games).reversed(),
        };
        tally.losses += u64::from(games[3]);
        tally
    }

    pub fn meetings(&self) -> impl Iterator<Item = Meeting> {
        self.groups()
            .filter(|group| group.players.len() == 2)
            .filter_map(|group| self.meeting(&group))
    }

    /// Two players can also meet in games of more seats alone, as in a test with three seats.
    fn meeting(&self, group: &Group<'_>) -> Option<Meeting> {
        let mut is_of_two = false;
        let mut meeting = Meeting {
            players: [group.players[0] as usize, group.players[1] as usize],
            ..Meeting::default()
        };
        for block in group.blocks {
            let shape = &self.shapes[block.shape as usize];
            let mut scores = [None; 2];
            for game in shape.games.iter().filter(|game| game.seats() == 2) {
                is_of_two = true;
                let seat = usize::from(game.members()[0]);
                let Some(score) = score_of(game, seat) else {
                    continue;
                };
                meeting.by_seat[seat].add(score, block.count.into());
                scores[seat] = Some(score);
            }
            if let ([Some(one), Some(two)], true, 2) =
                (scores, shape.is_rotation, shape.games.len())
            {
                meeting.pairs[one as usize][two as usize] += u64::from(block.count);
            }
        }
        is_of_two.then_some(meeting)
    }

    /// The games of two players, seen by the first of them; `None` if they have not met in games of two.
    pub fn match_of(&self, player: usize, other: usize) -> Option<MatchScore> {
        let key = [player.min(other) as u32, player.max(other) as u32];
        // Larger groups come after all groups of two.
        let (mut low, mut high) = (0, self.group_count());
        while low < high {
            let middle = usize::midpoint(low, high);
            let group = self.group(middle);
            if group.players == key {
                let games = MatchScore::new(&self.meeting(&group)?);
                return Some(if player <= other {
                    games
                } else {
                    games.reversed()
                });
            }
            match group.players.len() == 2 && group.players < &key[..] {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        None
    }

    /// All games of a player in games of two, against all opponents; `None` if it met none.
    pub fn match_of_all(&self, player: usize) -> Option<MatchScore> {
        let own = self
            .meetings()
            .filter(|meeting| meeting.players.contains(&player));
        let own = own.map(|meeting| match meeting.players[0] == player {
            true => MatchScore::new(&meeting),
            false => MatchScore::new(&meeting).reversed(),
        });
        own.reduce(MatchScore::plus)
    }
}

fn tally_of(games: &MetGames) -> Tally {
    let [wins, draws, losses, _] = games.map(u64::from);
    Tally {
        wins,
        draws,
        losses,
    }
}

/// The score of the member 0 in this seat; `None` if both forfeited.
fn score_of(game: &GameKind, seat: usize) -> Option<WinDrawLoss> {
    Some(match game.beside(seat, 1 - seat)? {
        std::cmp::Ordering::Greater => WinDrawLoss::Win,
        std::cmp::Ordering::Equal => WinDrawLoss::Draw,
        std::cmp::Ordering::Less => WinDrawLoss::Loss,
    })
}

/// Each two players of a game, the lower one first, with the column of [`MetGames`]. Games that do not show it are left out.
fn beside_each(group: &Group<'_>, game: &GameKind) -> impl Iterator<Item = ([u32; 2], usize)> {
    let seats = || 0..game.seats();
    let twos = seats().flat_map(move |seat| seats().map(move |other| [seat, other]));
    twos.filter_map(|[seat, other]| {
        let members = [seat, other].map(|seat| usize::from(game.members()[seat]));
        if members[0] >= members[1] {
            return None;
        }
        let both_forfeited = game.has_forfeited(seat) && game.has_forfeited(other);
        let column = match game.beside(seat, other) {
            Some(std::cmp::Ordering::Greater) => 0,
            Some(std::cmp::Ordering::Equal) => 1,
            Some(std::cmp::Ordering::Less) => 2,
            None if both_forfeited => 3,
            None => return None,
        };
        Some((members.map(|member| group.players[member]), column))
    })
}

/// The new numbers of the members of a block, three bits each.
type Turn = u32;

/// Numbers players, sets of players and shapes anew, so that nothing depends on the order of the games. Returns the shapes
/// and the larger sets, both in order.
fn renumber(
    counter: &BlockCounter,
    place: &[u32],
    cells: &mut [Cell],
) -> (Vec<Shape>, Vec<Vec<u32>>) {
    let mut known: ByIndex<(u32, Turn), u32> = ByIndex::default();
    let mut shapes: Vec<Vec<GameKind>> = Vec::new();
    let mut larger: Vec<Vec<u32>> = Vec::new();
    let mut new: Vec<(u32, u32)> = Vec::new();
    for cell in cells.iter_mut() {
        let players = counter.players(&cell.players).iter();
        new.clear();
        new.extend(players.map(|it| place[*it as usize]).zip(0..));
        new.sort_unstable();
        let turn = new
            .iter()
            .zip(0..)
            .fold(0, |turn, ((_, old), at)| turn | at << (3 * old));
        let next = shapes.len() as u32;
        let number = *known.entry((cell.shape, turn)).or_insert(next);
        if number == next {
            let kinds = counter.shapes.all[cell.shape as usize].iter();
            let new_number = |member: u8| (turn >> (3 * member) & 7) as u8;
            let games = kinds.map(|kind| counter.kinds.all[*kind as usize].renumbered(new_number));
            let mut games: Vec<GameKind> = games.collect();
            games.sort_unstable();
            shapes.push(games);
        }
        cell.shape = number;
        cell.players = match new[..] {
            [(low, _), (high, _)] => [low, high],
            _ => {
                larger.push(new.iter().map(|it| it.0).collect());
                [LARGER, larger.len() as u32 - 1]
            }
        };
    }
    // Larger sets have a number for each cell so far.
    let mut sets = larger.clone();
    sets.sort_unstable();
    sets.dedup();
    for cell in cells.iter_mut() {
        if let [LARGER, number] = cell.players {
            let at = sets.binary_search(&larger[number as usize]);
            cell.players[1] = at.unwrap_or(0) as u32;
        }
    }
    let mut order: Vec<u32> = (0..shapes.len() as u32).collect();
    order.sort_by(|a, b| shapes[*a as usize].cmp(&shapes[*b as usize]));
    let mut all: Vec<Shape> = Vec::new();
    let mut number = vec![0; shapes.len()];
    for at in order {
        let games = &shapes[at as usize];
        if all.last().is_none_or(|last| last.games != *games) {
            all.push(Shape {
                choices: games.iter().map(GameKind::choices).collect(),
                is_rotation: games.len() == games[0].seats() && is_rotation(games.iter()),
                games: games.clone(),
            });
        }
        number[at as usize] = all.len() as u32 - 1;
    }
    cells
        .iter_mut()
        .for_each(|cell| cell.shape = number[cell.shape as usize]);
    (all, sets)
}

fn renumber_openings(counter: &BlockCounter, cells: &mut [Cell]) {
    let (names, _) = counter.openings();
    let mut order: Vec<(&String, &u32)> = names.iter().collect();
    order.sort_unstable();
    let mut number = vec![0; names.len() + 1];
    for ((_, old), new) in order.into_iter().zip(1..) {
        number[*old as usize] = new;
    }
    cells
        .iter_mut()
        .for_each(|cell| cell.opening = number[cell.opening as usize]);
}
