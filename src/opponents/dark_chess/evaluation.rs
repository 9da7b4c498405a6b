//! What a position is worth.

use crate::game::dark_chess::{Color, Kind, Piece, Square, View, WINNING_SCORE};
use crate::game::{Outcome, Seat};

/// What a win is worth, less the plies it takes. It is little more than all points of a game, so
/// that in an average over face-down pieces a small risk of losing does not outweigh the rest.
pub const WIN: i32 = 20_000;

/// The most that a game that goes on is worth.
const AHEAD: i32 = 15_000;

/// A point of the game is worth a hundred here.
const POINT: i32 = 100;

/// What a piece gains for each point of the pieces that it can take.
const POWER: i32 = 4;

/// What capturing that kind gains: its points, and an estimate of what it could have done.
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

/// What a game that is over after `plies` more is worth to `seat`.
pub fn result(outcome: Outcome, seat: Seat, plies: i32) -> i32 {
    match outcome.winner {
        Some(winner) if winner == seat => WIN - plies,
        Some(_) => plies - WIN,
        None => 0,
    }
}

/// What a game that goes on is worth to `seat`.
pub fn evaluate(view: &View, seat: Seat) -> i32 {
    let Some(own) = view.color(seat) else {
        return 0;
    };
    let [mine, theirs] = [seat, seat.other()].map(|seat| view.captured()[seat.index()]);
    let sides = side(view, own) - side(view, own.other());
    let mut value = (mine as i32 - theirs as i32) * POINT + sides;
    if !view.rules().ntu {
        value += closing(mine) - closing(theirs);
    }
    let value = value.clamp(-AHEAD, AHEAD);
    // Quiet plies lead to a draw, so they reduce the value: whoever is ahead should act.
    match view.quiet_limit().0 {
        Some(limit) => {
            let left = i64::from(limit.saturating_sub(view.quiet_plies()));
            (i64::from(value) * (i64::from(limit) + left) / (2 * i64::from(limit))) as i32
        }
        None => value,
    }
}

/// The last points before the win are worth more than the first.
fn closing(score: u32) -> i32 {
    let score = score.min(WINNING_SCORE) as i32;
    score * score / 2
}

/// What the pieces of a side can do, and how near they are to what they can take.
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
            // It takes everything, but can seldom jump.
            Kind::Cannon => left.iter().sum::<i32>() / 2,
            _ => Kind::ALL
                .into_iter()
                .filter(|&prey| view.rules().takes(kind, prey))
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
            .filter(|&hunter| view.rules().takes(hunter, kind))
            .fold(0, |mask, kind| mask | board.of_piece(Piece { color, kind }));
        for target in Square::of_mask(targets) {
            value += hunt(hunters, target) * (kind.points() as i32 + 1) / 2;
        }
    }
    value
}

/// How near the two nearest hunters are. One alone seldom catches anything.
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
