//! Adjudication: of games whose rules count points, a win by a lasting lead and a draw by unchanged points; of any game, an end
//! that the bots expect.

use super::tablebase::{self, TablebaseTerms};
use crate::bot::Values;
use crate::game::{AnyPosition, Outcome, OutcomeOfTwo, PerSeat, Reason, RulesPoints, Seat};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    pub lead: Option<Lead>,
    /// Number of plies in a row without a change of the rules' points that makes a draw.
    pub draw_plies: Option<u32>,
    pub resignation: Option<Resignation>,
    pub expected_draw: Option<ExpectedDraw>,
    /// Number of moves of each seat after the opening that makes a draw.
    pub most_moves: Option<u32>,
    pub tablebase: Option<TablebaseTerms>,
    /// Number of plies that makes a draw, whatever the rules say.
    pub most_plies: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    pub points: u32,
    /// Number of plies in a row that the lead must last.
    pub plies: u32,
}

#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    opening_plies: u32,
    rules_points: Option<PerSeat<RulesPoints>>,
    /// Seat with a sufficient lead, and the number of plies it has lasted.
    leader: Option<(Seat, u32)>,
    /// Number of plies in a row without a change of the rules' points.
    still: u32,
    streaks: PerSeat<Streaks>,
}

impl Adjudicator {
    /// The state at the start of a game whose first `opening_plies` plies are not counted.
    pub fn new(rules: Adjudication, opening_plies: u32, start: &dyn AnyPosition) -> Self {
        Self {
            rules,
            opening_plies,
            rules_points: start.rules_points(),
            leader: None,
            still: 0,
            streaks: PerSeat::defaults(start.seats()),
        }
    }

    /// Updates the state with the position after a ply, and with what the bots that acted reported. Returns the outcome
    /// if the game is adjudicated; an end by the game's rules has priority.
    pub fn outcome_after(
        &mut self,
        position: &dyn AnyPosition,
        reported: &PerSeat<Option<&Values>>,
    ) -> Option<Outcome> {
        if self.rules == Adjudication::default() || position.to_act().is_nobody() {
            return None;
        }
        if position.ply() <= self.opening_plies {
            self.rules_points = position.rules_points();
            return None;
        }
        let is_long = |most| position.ply() >= most;
        if self.rules.most_plies.is_some_and(is_long) {
            return Some(OutcomeOfTwo::drawn(Reason::MAX_PLIES).into());
        }
        let known = self.rules.tablebase;
        let known = known.and_then(|terms| tablebase::outcome(terms, position));
        if known.is_some() {
            return known;
        }
        let expected = self.outcome_by_reports(position, reported);
        if expected.is_some() {
            return expected;
        }
        let moves = (position.ply() - self.opening_plies) / 2;
        if self.rules.most_moves.is_some_and(|most| moves >= most) {
            return Some(OutcomeOfTwo::drawn(Reason::MAX_MOVES).into());
        }
        let points = position.rules_points()?;
        let leader = self.rules.lead.and_then(|lead| {
            let least = RulesPoints::from(lead.points);
            let mut seats = points.iter();
            let leader = seats.find(|(seat, own)| **own - points[seat.other()] >= least);
            leader.map(|(seat, _)| seat)
        });
        self.still = if self.rules_points.as_ref() == Some(&points) {
            self.still + 1
        } else {
            0
        };
        self.rules_points = Some(points);
        self.leader = leader.map(|seat| match self.leader {
            Some((before, plies)) if before == seat => (seat, plies + 1),
            _ => (seat, 1),
        });
        if let (Some(lead), Some((seat, plies))) = (self.rules.lead, self.leader)
            && plies >= lead.plies
        {
            return Some(OutcomeOfTwo::won(seat, Reason::SCORE_LEAD).into());
        }
        let is_still = self
            .rules
            .draw_plies
            .is_some_and(|plies| self.still >= plies);
        is_still.then(|| OutcomeOfTwo::drawn(Reason::SCORE_UNCHANGED).into())
    }

    fn outcome_by_reports(
        &mut self,
        position: &dyn AnyPosition,
        reported: &PerSeat<Option<&Values>>,
    ) -> Option<Outcome> {
        let Adjudication {
            resignation,
            expected_draw,
            ..
        } = self.rules;
        let [number, quiet_plies] = match position.chess() {
            Some(chess) => chess.counters(),
            None => [position.ply() / 2 + 1, position.ply()],
        };
        for (seat, streaks) in self.streaks.iter_mut() {
            // A capture or a move of a pawn is progress.
            if quiet_plies == 0 {
                streaks.even = 0;
            }
            if let Some(values) = reported[seat] {
                streaks.add(values, resignation, expected_draw);
            }
        }
        let played = match expected_draw {
            Some(ExpectedDraw {
                by_number: true, ..
            }) => number - 1,
            _ => position.ply() / 2,
        };
        outcome(&self.streaks, played, resignation, expected_draw)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resignation {
    /// The score below which its bot holds its game for lost, as a positive number.
    pub score: u32,
    pub moves: u32,
    /// Number of bots that have to agree: the loser alone, or both.
    pub sides: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedDraw {
    /// The most that a score may differ from zero.
    pub score: u32,
    /// Number of moves of each bot in a row.
    pub moves: u32,
    /// Number of moves of each seat that are played before.
    pub after: u32,
    /// Whether these are counted by the numbers of moves in the position's FEN, and not from the start of the game.
    pub by_number: bool,
}

/// Number of moves in a row for which a bot has held its game for lost, won and even.
#[derive(Debug, Clone, Copy, Default)]
struct Streaks {
    lost: u32,
    won: u32,
    even: u32,
}

impl Streaks {
    pub fn add(
        &mut self,
        values: &Values,
        resignation: Option<Resignation>,
        draw: Option<ExpectedDraw>,
    ) {
        let mate = values.get("mate");
        let score = values.get("score").filter(|_| mate.is_none());
        let beyond = |sign: f64| {
            let of_score = resignation.zip(score);
            let is_far = of_score.is_some_and(|(it, score)| score * sign >= f64::from(it.score));
            // A mated engine reports a mate in no moves.
            is_far || mate.is_some_and(|moves| (moves > 0.0) == (sign > 0.0))
        };
        let is_even = draw
            .zip(score)
            .is_some_and(|(it, score)| score.abs() <= f64::from(it.score));
        let count = |streak: u32, goes_on: bool| if goes_on { streak + 1 } else { 0 };
        *self = Self {
            lost: count(self.lost, beyond(-1.0)),
            won: count(self.won, beyond(1.0)),
            even: count(self.even, is_even),
        };
    }
}

fn outcome(
    streaks: &PerSeat<Streaks>,
    played: u32,
    resignation: Option<Resignation>,
    draw: Option<ExpectedDraw>,
) -> Option<Outcome> {
    if let Some(Resignation { moves, sides, .. }) = resignation {
        let mut seats = streaks.seats();
        let loser = seats.find(|seat| {
            let agrees = sides < 2 || streaks[seat.other()].won >= moves;
            streaks[*seat].lost >= moves && agrees
        });
        if let Some(loser) = loser {
            return Some(OutcomeOfTwo::won(loser.other(), Reason::RESIGN_SCORE).into());
        }
    }
    let ExpectedDraw { moves, after, .. } = draw?;
    let is_even = streaks.values().all(|streaks| streaks.even >= moves);
    (is_even && played >= after).then(|| OutcomeOfTwo::drawn(Reason::DRAW_SCORE).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Chance, GameOptions, GameResult, News, Seat, chess};

    const RESIGNATION: Resignation = Resignation {
        score: 600,
        moves: 2,
        sides: 2,
    };
    const DRAW: ExpectedDraw = ExpectedDraw {
        score: 10,
        moves: 2,
        after: 3,
        by_number: false,
    };

    /// The reason and the winner after reports in turn, first seat first, and the number of these.
    fn ends(sides: u32, reports: &str) -> Option<(&'static str, GameResult, usize)> {
        let resignation = Some(Resignation {
            sides,
            ..RESIGNATION
        });
        let mut streaks = PerSeat::<Streaks>::defaults(2);
        reports
            .split_whitespace()
            .enumerate()
            .find_map(|(index, report)| {
                let seat = Seat::BOTH[index % 2];
                let values = Values::parse(report.trim_matches('-')).expect(report);
                streaks[seat].add(&values, resignation, Some(DRAW));
                let plies = index as u32 + 1;
                let outcome = outcome(&streaks, plies / 2, resignation, Some(DRAW))?;
                Some((outcome.reason.name(), outcome.result, index + 1))
            })
    }

    #[test]
    fn an_end_needs_moves_in_a_row_of_both_bots_or_one_and_a_draw_its_move() {
        let lost = |winner, plies| Some(("resign_score", GameResult::Won(winner), plies));
        let drawn = Some(("draw_score", GameResult::Drawn, 6));
        for (sides, reports, end) in [
            (
                2,
                "score=-700 score=650 score=-600 score=600",
                lost(Seat::SECOND, 4),
            ),
            (
                1,
                "score=-700 score=650 score=-600 score=600",
                lost(Seat::SECOND, 3),
            ),
            (2, "score=-700 score=599 score=-700 score=599", None),
            (1, "score=-700 - score=-599 - score=-700", None),
            (1, "score=-700 - - - score=-700", None),
            (2, "mate=4 mate=-3 mate=3 mate=0", lost(Seat::FIRST, 4)),
            (2, &*"score=0 ".repeat(8), drawn),
            (
                2,
                "score=0 score=11 score=-10 score=10 score=5 score=5",
                drawn,
            ),
            (2, &*"score=0 score=11 ".repeat(9), None),
            (2, &*"score=0 mate=9 ".repeat(9), None),
        ] {
            assert_eq!(ends(sides, reports), end, "{sides} {reports}");
        }
    }

    struct NoChance;

    impl Chance for NoChance {
        fn below(&mut self, _bound: u32) -> u32 {
            0
        }
    }

    #[test]
    fn a_draw_counts_from_a_pawns_move_and_from_a_number_in_the_fen() {
        let ends_after = |after, by_number, moves: &str| {
            let rules = Adjudication {
                expected_draw: Some(ExpectedDraw {
                    after,
                    by_number,
                    ..DRAW
                }),
                ..Adjudication::default()
            };
            let mut options = chess::Options::default();
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 33";
            options.set("start", start).expect("a position");
            let mut position = chess::State::new(&options, &mut NoChance);
            let mut adjudicator = Adjudicator::new(rules, 0, &position);
            let values = Values::parse("score=0").expect("a score");
            moves.split(' ').zip(1..).find_map(|(token, ply)| {
                let seat = Seat::BOTH[(ply - 1) % 2];
                position.act(token, &mut News::default()).expect(token);
                let reported = PerSeat::of(2, |it| (it == seat).then_some(&values));
                adjudicator.outcome_after(&position, &reported).map(|_| ply)
            })
        };
        let knights = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6";
        assert_eq!(ends_after(35, true, knights), Some(6));
        assert_eq!(ends_after(1, false, knights), Some(4));
        let pawn = "g1f3 g8f6 f3g1 e7e5 g1f3 f6g8 f3g1 g8f6";
        assert_eq!(ends_after(1, false, pawn), Some(7));
    }
}
