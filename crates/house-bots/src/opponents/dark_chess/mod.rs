//! House bots for dark chess. They use public information only, and weight face-down pieces by the number of unseen
//! pieces of each kind.

mod search;

pub use search::Search;

use crate::game::dark_chess::{Action, Color, Kind, Piece, Square, View, WINNING_SCORE};
use crate::game::{OutcomeOfTwo, Side, View as _};
use crate::opponents::{Brain, Budget, legal, one_of_the_best};
use crate::random::Stream;

/// Possible pieces on a face-down square, with the unseen number of each.
fn unseen(view: &View) -> impl Iterator<Item = (Piece, i32)> {
    let seen = view.seen();
    Piece::all()
        .map(|piece| (piece, i32::from(seen.unseen(piece))))
        .filter(|&(_, count)| count > 0)
}

/// Value of a win, minus the plies it takes. Little more than all points of a game: in an average over face-down
/// pieces, a small risk of losing must not outweigh everything else.
pub const WIN: i32 = 20_000;

const AHEAD: i32 = 15_000;

const POINT: i32 = 100;

const POWER: i32 = 4;

/// Value of capturing a piece of this kind: its points, and an estimate of its power.
pub fn worth(kind: Kind) -> i32 {
    let power = match kind {
        Kind::General => 500,
        Kind::Advisor => 400,
        Kind::Cannon => 200,
        Kind::Minister => 150,
        Kind::Chariot => 100,
        Kind::Horse => 60,
        Kind::Soldier => 50,
    };
    kind.points() as i32 * POINT + power
}

/// Value to `seat` of a game that is over after `plies` more.
pub fn result(outcome: OutcomeOfTwo, seat: Side, plies: i32) -> i32 {
    match outcome.winner {
        Some(winner) if winner == seat.into() => WIN - plies,
        Some(_) => plies - WIN,
        None => 0,
    }
}

/// Value to `seat` of an unfinished game.
pub fn evaluate(view: &View, seat: Side) -> i32 {
    let Some(own) = view.color(seat) else {
        return 0;
    };
    let [mine, theirs] = [seat, seat.other()].map(|seat| view.captured[seat.index()]);
    let sides = side(view, own) - side(view, own.other());
    let mut value = (mine as i32 - theirs as i32) * POINT + sides;
    if !view.rules.ntu {
        value += closing(mine) - closing(theirs);
    }
    let value = value.clamp(-AHEAD, AHEAD);
    // Quiet plies lead to a draw, so they scale the value down: the player ahead should act.
    match view.quiet_limit.0 {
        Some(limit) => {
            let left = i64::from(limit.saturating_sub(view.quiet_plies()));
            (i64::from(value) * (i64::from(limit) + left) / (2 * i64::from(limit))) as i32
        }
        None => value,
    }
}

/// Bonus for a score near the win: later points count more than early ones.
fn closing(score: u32) -> i32 {
    let score = score.min(WINNING_SCORE) as i32;
    score * score / 2
}

/// Power of a side's pieces, and their closeness to pieces that they can take.
fn side(view: &View, color: Color) -> i32 {
    let board = view.seen();
    let alive = |color, kind| {
        let piece = Piece { color, kind };
        board.of_piece(piece).count_ones() as i32 + i32::from(board.unseen(piece))
    };
    let left = Kind::ALL.map(|kind| alive(color.other(), kind) * kind.points() as i32);
    let mut value = 0;
    for kind in Kind::ALL {
        let own = alive(color, kind);
        if own == 0 {
            continue;
        }
        let prey = match kind {
            // A Cannon takes every kind, but can seldom jump.
            Kind::Cannon => left.iter().sum::<i32>() / 2,
            _ => Kind::ALL
                .into_iter()
                .filter(|&prey| view.rules.takes(kind, prey))
                .map(|prey| left[prey.index()])
                .sum(),
        };
        value += own * prey * POWER;
    }
    for kind in Kind::ALL {
        let targets = board.of_piece(Piece {
            color: color.other(),
            kind,
        });
        if targets == 0 {
            continue;
        }
        let hunters = Kind::ALL
            .into_iter()
            .filter(|&hunter| view.rules.takes(hunter, kind))
            .fold(0, |mask, kind| mask | board.of_piece(Piece { color, kind }));
        for target in Square::of_mask(targets) {
            value += hunt(hunters, target) * (kind.points() as i32 + 1) / 2;
        }
    }
    value
}

/// Closeness of the two nearest hunters. A single hunter seldom catches anything.
fn hunt(hunters: u32, target: Square) -> i32 {
    const FAR: u32 = 10;
    let (mut nearest, mut second) = (FAR, FAR);
    for hunter in Square::of_mask(hunters) {
        let distance = hunter.distance(target);
        if distance < nearest {
            (nearest, second) = (distance, nearest);
        } else if distance < second {
            second = distance;
        }
    }
    (2 * (FAR - nearest) + (FAR - second)) as i32
}

/// Plays the action with the best evaluation, averaged over the face-down pieces that it may reveal.
#[derive(Debug, Default)]
pub struct Greedy;

impl Brain<View> for Greedy {
    fn choose(&mut self, view: &View, _budget: &mut Budget, chance: &mut Stream) -> Action {
        let seat = view.turn;
        let actions = legal(view);
        one_of_the_best(&actions, |action| average(view, action, seat), chance)
    }
}

fn average(view: &View, action: Action, seat: Side) -> i32 {
    let after = |shown: Option<Piece>| {
        let mut next = *view;
        next.follow(action, shown);
        match next.outcome() {
            Some(outcome) => result(outcome, seat, 1),
            None => evaluate(&next, seat),
        }
    };
    if view.shows(action).is_none() {
        return after(None);
    }
    let (mut sum, mut total) = (0, 0);
    for (piece, count) in unseen(view) {
        sum += after(Some(piece)) * count;
        total += count;
    }
    sum / total.max(1)
}
