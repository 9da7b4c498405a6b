//! A game of four plies whose positions are drawings that a test made. Its rules say nothing else.

use referee::game::{
    ActError, Actors, AnyPosition, Chance, Definition, Drawing, Game, GameOptions, News,
    OptionError, Origin, Outcome, OutcomeOfTwo, PerSeat, Reason, ReasonInfo, RulesFault,
    RulesPoints, Seat,
};

pub const PLIES: usize = 4;

/// The drawings of a position: what the first seat sees, the second, and everything.
pub type Views = [Drawing; 3];

/// A game with these positions, in which something is hidden if the views of one of them differ.
pub fn scripted(name: &'static str, positions: [Views; PLIES + 1]) -> Game {
    let differ = |[first, second, whole]: &Views| first != second || first != whole;
    let reason = Reason(Box::leak(Box::new(ReasonInfo::rule("script"))));
    let script: &'static Script = Box::leak(Box::new(Script { reason, positions }));
    Game::read(Definition {
        name,
        seats: &["odd", "even"],
        hides_something: script.positions.iter().any(differ),
        options: &[],
        defaults: script,
        reasons: Box::leak(Box::new([reason])),
        origin: Origin::BuiltIn,
        notation: None,
    })
}

#[derive(Debug)]
struct Script {
    reason: Reason,
    positions: [Views; PLIES + 1],
}

impl GameOptions for Script {
    fn set(&mut self, _key: &str, _value: &str) -> Result<(), OptionError> {
        Err(OptionError::unknown(&[]))
    }

    fn get(&self, _key: &str) -> Option<String> {
        None
    }

    fn goal(&self) -> &'static str {
        "Watch."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(Scripted {
            ply: 0,
            reason: self.reason,
            positions: self.positions.clone(),
        }))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(Self {
            reason: self.reason,
            positions: self.positions.clone(),
        })
    }
}

struct Scripted {
    ply: usize,
    reason: Reason,
    positions: [Views; PLIES + 1],
}

impl AnyPosition for Scripted {
    fn ply(&self) -> u32 {
        self.ply as u32
    }

    fn to_act(&self) -> Actors {
        match self.ply {
            PLIES => Actors::Nobody,
            ply => Actors::One(Seat::BOTH[ply % 2]),
        }
    }

    fn act(&mut self, _token: &str, _news: &mut News) -> Result<(), ActError> {
        self.ply += 1;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ply == PLIES).then(|| OutcomeOfTwo::won(Seat::FIRST, self.reason).into())
    }

    fn legal(&self, seat: Seat) -> Result<Vec<String>, RulesFault> {
        let acts = self.to_act().includes(seat);
        Ok(acts.then(|| "keep".to_owned()).into_iter().collect())
    }

    fn legal_near(&self, seat: Seat, _token: &str) -> Result<Vec<String>, RulesFault> {
        self.legal(seat)
    }

    fn rules_points(&self) -> Option<PerSeat<RulesPoints>> {
        let ply = self.ply as u32;
        Some(PerSeat::from([ply, ply / 2 * 2]).map(RulesPoints::from))
    }

    fn drawing(&self, seat: Option<Seat>) -> Result<Drawing, RulesFault> {
        let view = seat.map_or(2, Seat::index);
        Ok(self.positions[self.ply][view].clone())
    }
}
