//! Hopeless players. After a number of equal failures in a row before a first action, the rest of a player's
//! games are forfeited unplayed, as long as it has not acted in any game.
//!
//! Decisions follow the numbers of games, never the order of their ends: any number of games may be in play at
//! a time, and a resumed run decides like an uninterrupted one. A game that is not over may end in any way, so
//! a decision that depends on it stays [open](Standing::Open).

use crate::game::{PerSeat, Seat};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;

use super::{Cut, Ticket};

/// Evidence of a game about one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEvidence<K> {
    /// The player acted, so it is not hopeless.
    Acted,
    /// The player forfeited before its first action, in this way.
    Failed(K),
    /// The player had not acted, and was not at fault.
    Nothing,
    /// The game was not played.
    NotPlayed,
}

/// Failures that make a player hopeless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streak<K> {
    /// Termination of the games.
    pub kind: K,
    /// Number of games in a row.
    pub games: u32,
    /// Number of the last game.
    pub last: u64,
}

/// Whether a player plays a game, given its games with smaller numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing<K> {
    /// It plays, no matter how the unfinished games end.
    Plays,
    /// It forfeits unplayed.
    Hopeless(Streak<K>),
    /// Unfinished games decide.
    Open,
}

/// Terms for hopeless players.
#[derive(Debug, Clone, Default)]
pub struct HopelessTerms {
    /// Failures in a row that make a player hopeless, by the index of the player; `None` is never.
    pub after: Vec<Option<u32>>,
    /// Indices of the games of the plan that are played nevertheless.
    pub played: Vec<usize>,
    /// Shards of the run, if each decides by its own games. Each game belongs to one shard.
    pub cut: Option<Cut>,
}

impl HopelessTerms {
    /// Terms of a run with this seed. If `shards` is given, each shard decides by its own games.
    pub fn new(
        after: Vec<Option<u32>>,
        played: Vec<usize>,
        seed: u64,
        shards: Option<NonZeroU32>,
    ) -> Self {
        let cut = shards.map(|shards| Cut {
            seed,
            shards,
            twice: 0,
        });
        Self { after, played, cut }
    }
}

/// State of the rule for the players of a tournament.
#[derive(Debug, Clone)]
pub struct HopelessRule<K> {
    terms: HopelessTerms,
    /// Index of the game in the plan.
    game: usize,
    /// Players by shard.
    shards: BTreeMap<u32, Vec<FirstGames<K>>>,
}

/// First games of a player.
#[derive(Debug, Clone)]
struct FirstGames<K> {
    /// Failures in a row that make it hopeless; `None` is never.
    after: Option<u32>,
    /// Whether it has acted in a game that counts.
    has_acted: bool,
    /// Failures at the end of the finished games, up to the first unfinished one.
    streak: Option<Streak<K>>,
    /// Games from the first unfinished one on, by number; `None` is unfinished.
    games: VecDeque<(u64, Option<GameEvidence<K>>)>,
    /// Whether it failed in a game that may not count yet.
    is_suspect: bool,
}

impl<K: Copy + PartialEq> HopelessRule<K> {
    /// The rule for a tournament, given the index of its game in the plan.
    pub fn new(mut terms: HopelessTerms, game: usize) -> Self {
        if terms.played.contains(&game) {
            terms.after.clear();
        }
        Self {
            terms,
            game,
            shards: BTreeMap::new(),
        }
    }

    /// Registers a game. Its number is larger than all before.
    pub fn issue(&mut self, game: &Ticket) {
        for (seat, _) in first_seats(game) {
            if let Some(beginning) = self.undecided(game, seat) {
                beginning.games.push_back((game.id, None));
            }
        }
    }

    /// Takes in the evidence of a finished game.
    pub fn decide(&mut self, game: &Ticket, evidence: PerSeat<GameEvidence<K>>) {
        for (seat, player) in first_seats(game) {
            // The copies of a player show one thing: that it acts, else that it fails.
            let own = evidence
                .iter()
                .filter(|(at, _)| game.players[*at] == player);
            let strongest = own
                .map(|(_, evidence)| *evidence)
                .max_by_key(|it| match it {
                    GameEvidence::Acted => 3,
                    GameEvidence::Failed(_) => 2,
                    GameEvidence::Nothing => 1,
                    GameEvidence::NotPlayed => 0,
                });
            if let (Some(beginning), Some(evidence)) = (self.undecided(game, seat), strongest) {
                beginning.decide(game.id, evidence);
            }
        }
    }

    /// Takes in evidence that may not count yet: after a failure no more games are played ahead.
    pub fn suspect(&mut self, game: &Ticket, evidence: PerSeat<GameEvidence<K>>) {
        for (seat, evidence) in game.players.seats().zip(evidence.into_values()) {
            if let (Some(beginning), GameEvidence::Failed(_)) =
                (self.undecided(game, seat), evidence)
            {
                beginning.is_suspect = true;
            }
        }
    }

    /// Whether a player of this game failed before. Such a game waits for its verdict.
    pub fn is_suspect(&self, game: &Ticket) -> bool {
        let players = self.shards.get(&self.shard(game));
        let is_suspect = |player: usize| Some(players?.get(player)?.is_suspect);
        let mut seats = game.players.values();
        seats.any(|player| is_suspect(*player) == Some(true))
    }

    /// Standing of both players in a game.
    pub fn standings(&self, game: &Ticket) -> PerSeat<Standing<K>> {
        let players = self.shards.get(&self.shard(game));
        game.players.each_ref().map(|player| {
            let beginning = players.and_then(|players| players.get(*player));
            beginning.map_or(Standing::Plays, |beginning| beginning.standing(game.id))
        })
    }

    fn shard(&self, game: &Ticket) -> u32 {
        let cut = self.terms.cut.as_ref();
        cut.map_or(0, |cut| cut.owner(self.game, game.block))
    }

    /// State of a seat's player, while further games may still change it.
    fn undecided(&mut self, game: &Ticket, seat: Seat) -> Option<&mut FirstGames<K>> {
        let player = game.players[seat];
        (*self.terms.after.get(player)?)?;
        let shard = self.shard(game);
        let new = || self.terms.after.iter().map(FirstGames::new).collect();
        let beginning = self
            .shards
            .entry(shard)
            .or_insert_with(new)
            .get_mut(player)?;
        let open = !beginning.has_acted && !beginning.is_hopeless();
        open.then_some(beginning)
    }
}

/// The players of a game, each with its first seat: copies of a player may have further ones.
fn first_seats(game: &Ticket) -> Vec<(Seat, usize)> {
    let players = game.players.iter();
    let first =
        players.filter(|(seat, player)| game.players.find(|it| it == *player) == Some(*seat));
    first.map(|(seat, player)| (seat, *player)).collect()
}

impl<K: Copy + PartialEq> FirstGames<K> {
    fn new(after: &Option<u32>) -> Self {
        Self {
            after: *after,
            has_acted: false,
            streak: None,
            games: VecDeque::new(),
            is_suspect: false,
        }
    }

    fn is_hopeless(&self) -> bool {
        let streak = self.streak.as_ref().map(|streak| streak.games);
        self.after.is_some_and(|after| streak >= Some(after))
    }

    fn decide(&mut self, id: u64, evidence: GameEvidence<K>) {
        let known = self.games.iter_mut().find(|(game, _)| *game == id);
        if let Some((_, known)) = known {
            *known = Some(evidence);
        }
        if matches!(evidence, GameEvidence::Failed(_)) {
            self.is_suspect = true;
        }
        while let Some((id, Some(evidence))) = self.games.front().copied() {
            self.games.pop_front();
            match evidence {
                GameEvidence::Acted => self.has_acted = true,
                GameEvidence::Failed(kind) => {
                    let before = self.streak.filter(|streak| streak.kind == kind);
                    self.streak = Some(Streak {
                        kind,
                        games: before.map_or(0, |streak| streak.games) + 1,
                        last: id,
                    });
                }
                GameEvidence::Nothing => self.streak = None,
                GameEvidence::NotPlayed => {}
            }
            if self.has_acted || self.is_hopeless() {
                self.games.clear();
            }
        }
    }

    fn standing(&self, id: u64) -> Standing<K> {
        let Some(after) = self.after.filter(|_| !self.has_acted) else {
            return Standing::Plays;
        };
        if let Some(streak) = self.streak.filter(|streak| streak.games >= after) {
            return if streak.last < id {
                Standing::Hopeless(streak)
            } else {
                Standing::Plays
            };
        }
        // Upper bound of the failures in a row: an unfinished game may end like its neighbours.
        let mut kind = self.streak.map(|streak| streak.kind);
        let mut most = self.streak.map_or(0, |streak| streak.games);
        let mut open = 0;
        for (_, evidence) in self.games.iter().take_while(|(game, _)| *game < id) {
            match evidence {
                None => (most, open) = (most + 1, open + 1),
                Some(GameEvidence::Failed(own)) => {
                    let before = if kind.is_none_or(|kind| kind == *own) {
                        most
                    } else {
                        open
                    };
                    (kind, most, open) = (Some(*own), before + 1, 0);
                }
                Some(GameEvidence::Nothing) => (kind, most, open) = (None, 0, 0),
                Some(GameEvidence::NotPlayed) => {}
                Some(GameEvidence::Acted) => return Standing::Plays,
            }
            if most >= after {
                return Standing::Open;
            }
        }
        Standing::Plays
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chance;
    use crate::random::Stream;
    use GameEvidence::{Acted, Failed, NotPlayed, Nothing};

    fn ticket(id: u64, players: [usize; 2]) -> Ticket {
        Ticket {
            id,
            block: id,
            round: None,
            players: players.into(),
        }
    }

    fn rule(after: &[Option<u32>], cut: Option<Cut>) -> HopelessRule<char> {
        let after = after.to_vec();
        let played = Vec::new();
        HopelessRule::new(HopelessTerms { after, played, cut }, 0)
    }

    /// Standing of the first player after games with this evidence; `None` is unfinished.
    fn standing(games: &[Option<GameEvidence<char>>]) -> Standing<char> {
        let mut rule = rule(&[Some(3), None], None);
        let game = |id| ticket(id, [0, 1]);
        for (id, evidence) in (0..).zip(games) {
            rule.issue(&game(id));
            if let Some(evidence) = evidence {
                rule.decide(&game(id), [*evidence, Acted].into());
            }
        }
        rule.standings(&game(games.len() as u64))[Seat::FIRST]
    }

    #[test]
    fn equal_failures_in_a_row_before_any_action_make_a_player_hopeless() {
        let fail = Failed('h');
        for (games, hopeless) in [
            (vec![fail, fail], false),
            (vec![fail, fail, fail], true),
            (vec![fail, fail, Failed('c')], false),
            (vec![Failed('c'), fail, fail, fail], true),
            (vec![fail, fail, Nothing, fail], false),
            (vec![fail, NotPlayed, fail, NotPlayed, fail], true),
            // A player that has played is given every game.
            (vec![Acted, fail, fail, fail, fail], false),
            // Unplayed games do not end the streak.
            (vec![fail, fail, fail, NotPlayed], true),
        ] {
            let games: Vec<_> = games.into_iter().map(Some).collect();
            let found = matches!(standing(&games), Standing::Hopeless(_));
            assert_eq!(found, hopeless, "{games:?}");
        }
    }

    #[test]
    fn a_game_that_is_not_over_leaves_open_only_what_it_can_decide() {
        let (open, fail) = (None, Some(Failed('h')));
        for (games, expected) in [
            (vec![open, open], Standing::Plays),
            (vec![open, open, open], Standing::Open),
            (vec![fail, open, fail], Standing::Open),
            (vec![open, Some(Failed('c')), fail], Standing::Plays),
            (vec![Some(Failed('c')), open, open, fail], Standing::Open),
            (vec![open, Some(Acted), open, open, open], Standing::Plays),
            // The action does not count if the three games before it fail.
            (vec![open, open, open, Some(Acted)], Standing::Open),
            (vec![open, open, Some(Nothing), open, open], Standing::Plays),
        ] {
            assert_eq!(standing(&games), expected, "{games:?}");
        }
    }

    /// Plays games in random order, each as soon as its verdict is known. Returns whether each was played.
    fn play(
        results: &[[GameEvidence<char>; 2]],
        seats: &[[usize; 2]],
        order: &mut Stream,
    ) -> Vec<bool> {
        let mut rule = rule(&[Some(2); 3], None);
        for (id, players) in (0..).zip(seats) {
            rule.issue(&ticket(id, *players));
        }
        let mut played = vec![None; seats.len()];
        while played.contains(&None) {
            let id = order.below(seats.len() as u32) as usize;
            if played[id].is_some() {
                continue;
            }
            let game = ticket(id as u64, seats[id]);
            let standings = rule.standings(&game);
            if standings.contains(&Standing::Open) {
                continue;
            }
            let plays = standings == [Standing::Plays; 2].into();
            let evidence = if plays { results[id] } else { [NotPlayed; 2] };
            rule.decide(&game, evidence.into());
            played[id] = Some(plays);
        }
        played.into_iter().flatten().collect()
    }

    #[test]
    fn each_shard_decides_by_its_own_games() {
        let cut = Cut {
            seed: 7,
            shards: NonZeroU32::new(3).expect("shards"),
            twice: 0,
        };
        let mut rule = rule(&[Some(2), None], Some(cut));
        let mut failures = [0; 3];
        for id in 0..20 {
            let game = ticket(id, [0, 1]);
            rule.issue(&game);
            let shard = &mut failures[cut.owner(0, id) as usize];
            let is_hopeless = matches!(rule.standings(&game)[Seat::FIRST], Standing::Hopeless(_));
            assert_eq!(is_hopeless, *shard >= 2, "{id}: {shard}");
            // An unfinished game does not hold up another shard.
            if cut.owner(0, id) != 2 {
                rule.decide(&game, [Failed('h'), Acted].into());
                *shard += 1;
            }
        }
        assert!(failures[0] > 2 && failures[1] > 2, "{failures:?}");
    }

    #[test]
    fn the_order_in_which_games_end_changes_nothing() {
        let mut chance = Stream::new(1, 0);
        let mut unplayed = 0;
        for _ in 0..500 {
            let seats: Vec<[usize; 2]> = (0..12)
                .map(|_| [[0, 1], [1, 2], [2, 0]][chance.below(3) as usize])
                .collect();
            let mut evidence = || {
                [Failed('a'), Failed('a'), Failed('b'), Nothing, Acted][chance.below(5) as usize]
            };
            let results: Vec<_> = seats.iter().map(|_| [evidence(), evidence()]).collect();
            let mut orders = (0..4).map(|order| play(&results, &seats, &mut Stream::new(2, order)));
            let first = orders.next().expect("an order");
            unplayed += first.iter().filter(|played| !**played).count();
            for other in orders {
                assert_eq!(other, first, "{seats:?} {results:?}");
            }
        }
        assert!(unplayed > 100, "{unplayed}");
    }
}
