//! The answers of a rules program in the words of the harness.

use crate::game::{
    GameResult, News, Outcome, PerSeat, Places, Reason, Refusal, RulesFault, RulesPoints, Seat,
};
use crate::rules::answer::{News as Told, Refusal as Refused, To};
use crate::rules::line::Malformed;

/// The end of a game: the seat with the most points has won. The reader lets points for each seat pass.
pub(super) fn outcome(points: Vec<RulesPoints>, reason: &str) -> Result<Outcome, RulesFault> {
    let points = PerSeat::from_iter(points);
    let reason = Reason::interned(reason).ok_or_else(|| {
        Malformed::new(
            &format!("end … {reason}"),
            "one of at most 4096 different reasons",
        )
    })?;
    Ok(Outcome {
        result: GameResult::placed(Places::by(&points)),
        reason,
        rules_points: Some(points),
    })
}

/// Adds what the program told.
pub(super) fn tell(told: &[Told], news: &mut News) {
    for line in told {
        match line {
            Told::Did {
                seat,
                action,
                public,
            } => news.tell_action(Seat::numbered(*seat), action.clone(), public.clone()),
            Told::See { to, words } => match to {
                To::All => news.tell_all(words.clone()),
                To::Seat(seat) => news.tell(Seat::numbered(*seat), words.clone()),
            },
        }
    }
}

/// The public result that the program told of this action.
pub(super) fn public_result(told: &[Told], actor: Seat, token: &str) -> Option<String> {
    told.iter().find_map(|line| match line {
        Told::Did {
            seat,
            action,
            public,
        } if Seat::numbered(*seat) == actor && action == token => Some(public.clone()),
        _ => None,
    })
}

/// The refusal of an action that the rules are not asked about.
pub(super) fn malformed_action() -> Refusal {
    Refusal::Unparsable {
        expected: "an action of one word, without control characters".into(),
    }
}

pub(super) fn refusal(refused: &Refused) -> Refusal {
    let words = refused.words.clone();
    if refused.unparsable {
        Refusal::Unparsable {
            expected: words.into(),
        }
    } else {
        Refusal::Illegal { rule: words }
    }
}
