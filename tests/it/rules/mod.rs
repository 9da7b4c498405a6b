//! The rules of the games: one suite for all of them.
//!
//! What holds for every game is here. `cases.rs` reads the tables of hand-made positions
//! (`tests/rules/*.cases`) and of action sequences (`tests/perft/*.perft`), `recorded.rs` plays the
//! games of `tests/vectors`. The file of a game has what only that game has.

mod cachex;
mod cases;
mod chess;
mod dark_chess;
pub mod recorded;
mod watch_your_back;

use std::collections::BTreeMap;

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use referee::game::{
    AnyPosition, Chance, Game, GameOptions, News, ParseError, Position, Reason, Seat, Setup, Side,
    View,
};
use referee::random::Stream;

pub type Action<P> = <<P as Position>::View as View>::Action;
pub type Public<P> = <<P as Position>::View as View>::Public;
pub type Rule<P> = <<P as Position>::View as View>::Rule;

/// What the suite must know about a game besides its `Position`.
pub trait Rules: Position<View: PartialEq> + PartialEq {
    const GAME: Game;
    const SETTINGS: &'static [&'static [(&'static str, &'static str)]];
    /// How many random games are played with each.
    const GAMES: u64;
    /// One in this many positions of a random game is looked at.
    const ONE_IN: u32;
    /// At least this many positions are looked at.
    const POSITIONS: usize;
    /// A regular expression for text that is nearly an action or a public result.
    const NEARLY: &'static str;
    /// `docs/rules/…`
    const PAGE: &'static str;
    /// `tests/rules/…`
    const CASES: &'static str;
    /// `tests/perft/…`, and how many counts it holds.
    const PERFT: (&'static str, usize);

    fn start(setup: &Setup, chance: &mut dyn Chance) -> Self;

    /// A position set up by hand: the board as `rows` writes it, and what else there is to say.
    fn set_up(setup: &Setup, board: &str, more: &BTreeMap<&str, &str>) -> Result<Self, String>;

    /// Every action that can be written, in the order in which legal ones are listed.
    fn every_action() -> Vec<Action<Self>>;

    /// Something that only this game knows, as text.
    fn fact(&self, name: &str) -> String;

    /// What else must hold in a position that `played` led to from `start`.
    fn inspect(&self, start: &Self, played: &[Action<Self>]);
}

macro_rules! for_every_game {
    ($($test:ident)*) => {$(
        mod $test {
            #[test]
            fn cachex() {
                super::$test::<referee::game::cachex::State>();
            }

            #[test]
            fn chess() {
                super::$test::<referee::game::chess::State>();
            }

            #[test]
            fn dark_chess() {
                super::$test::<referee::game::dark_chess::State>();
            }

            #[test]
            fn watch_your_back() {
                super::$test::<referee::game::watch_your_back::State>();
            }
        }
    )*};
}

for_every_game! {
    listed_actions_and_no_others_are_accepted
    what_is_public_leads_to_the_same_view
    positions_are_sound
    actions_read_back
    no_text_is_read_as_another
    options_take_a_value_or_stay_as_they_are
    the_rules_page_tells_every_option_and_end
    cases_by_hand
    perft
}

fn cases_by_hand<P: Rules>() {
    cases::run::<P>(P::CASES);
}

fn perft<P: Rules>() {
    let (table, counts) = P::PERFT;
    assert_eq!(cases::run::<P>(table), counts);
}

fn positions_are_sound<P: Rules>() {
    sample(P::inspect);
}

pub fn setup<P: Rules>(settings: &[(&str, &str)]) -> Setup {
    let mut setup = Setup::new(P::GAME);
    for (key, value) in settings {
        setup.set(key, value).expect("a good value");
    }
    setup
}

pub fn options<O: GameOptions + Default>(setup: &Setup) -> O {
    let mut options = O::default();
    for doc in setup.game().options() {
        if let Some(value) = setup.get(doc.key) {
            options.set(doc.key, &value).expect("a good value");
        }
    }
    options
}

pub fn view<P: Position>(position: &P) -> &P::View {
    position.view(Side::First)
}

pub fn legal<P: Position>(position: &P) -> Vec<Action<P>> {
    let mut actions = Vec::new();
    view(position).legal(&mut actions);
    actions
}

pub fn random_action<P: Position>(position: &P, chance: &mut Stream) -> Option<Action<P>> {
    let legal = legal(position);
    (!legal.is_empty()).then(|| legal[chance.below(legal.len() as u32) as usize])
}

/// Shows positions of random games to `visit`, each with the start of its game and the actions that
/// led there; how many.
pub fn sample<P: Rules>(mut visit: impl FnMut(&P, &P, &[Action<P>])) -> usize {
    let mut visited = 0;
    for (number, settings) in P::SETTINGS.iter().enumerate() {
        for game in 0..P::GAMES {
            let mut chance = Stream::new(game, number as u64);
            let start = P::start(&setup::<P>(settings), &mut chance);
            let (mut state, mut played) = (start.clone(), Vec::new());
            loop {
                let next = random_action(&state, &mut chance);
                if next.is_none() || played.len() < 3 || chance.below(P::ONE_IN) == 0 {
                    visit(&state, &start, &played);
                    visited += 1;
                }
                let Some(action) = next else { break };
                state.apply(action).expect("legal");
                played.push(action);
            }
        }
    }
    visited
}

fn listed_actions_and_no_others_are_accepted<P: Rules>() {
    let space = P::every_action();
    let positions = sample(|state: &P, _, _| {
        exhaust(state, &space);
        assert_eq!(legal(state).is_empty(), view(state).to_act().is_none());
    });
    assert!(positions >= P::POSITIONS, "{positions}");
}

fn exhaust<P: Rules>(state: &P, space: &[Action<P>]) {
    let listed = legal(state);
    let accepted = |action: &&Action<P>| view(state).check(**action).is_ok();
    let accepted: Vec<Action<P>> = space.iter().filter(accepted).copied().collect();
    assert_eq!(listed, accepted, "in this order, none twice");
    for &action in space {
        let _ = try_action(state, action);
    }
}

/// Plays an action on a copy, which no refusal changes, and tells it to a view.
fn try_action<P: Rules>(state: &P, action: Action<P>) -> Result<P, Rule<P>> {
    let mut next = state.clone();
    let mut told = view(state).clone();
    match next.apply(action) {
        Ok(public) => {
            assert_eq!(view(&next).ply(), view(state).ply() + 1);
            assert_eq!(view(state).check(action), Ok(()));
            assert_eq!(told.observe(action, public), Ok(()));
            assert!(told == *view(&next), "{action}");
            Ok(next)
        }
        Err(rule) => {
            let nothing: Public<P> = "".parse().expect("nothing became public");
            assert_eq!(told.observe(action, nothing).as_ref(), Err(&rule));
            assert_eq!(view(state).check(action).as_ref(), Err(&rule));
            assert!(told == *view(state), "{action} changed the view");
            assert!(next == *state, "{action} changed the position");
            Err(rule)
        }
    }
}

/// A view that is told what became public stays the seat's view, and the actions as text lead to the
/// same position again.
fn what_is_public_leads_to_the_same_view<P: Rules>() {
    for (number, settings) in P::SETTINGS.iter().enumerate() {
        for game in 0..P::GAMES {
            let mut chance = Stream::new(game, 100 + number as u64);
            let mut state = P::start(&setup::<P>(settings), &mut chance);
            let (mut again, mut told) = (state.clone(), view(&state).clone());
            while let Some(action) = random_action(&state, &mut chance) {
                let public = state.apply(action).expect("legal");
                let mut news = News::default();
                assert_eq!(again.act(&action.to_string(), &mut news), Ok(()));
                let found = Seat::BOTH.map(|seat| news.public(seat)).concat().parse();
                assert_eq!(found, Ok(public));
                assert_eq!(told.observe(action, public), Ok(()));
                assert!(told == *state.view(Side::Second), "after {action}");
            }
            assert!(again == state);
            assert!(told.outcome().is_some());
        }
    }
}

fn actions_read_back<P: Rules>() {
    for action in P::every_action() {
        let token = action.to_string();
        assert_eq!(token.parse(), Ok(action));
        for other in [
            format!("{token} "),
            format!(" {token}"),
            token.to_uppercase(),
        ] {
            if other != token {
                assert_eq!(other.parse::<Action<P>>(), Err(ParseError::Malformed));
            }
        }
    }
}

fn no_text_is_read_as_another<P: Rules>() {
    proptest!(|(text in P::NEARLY)| {
        if let Ok(action) = text.parse::<Action<P>>() {
            prop_assert_eq!(action.to_string(), text.as_str());
        }
        if let Ok(public) = text.parse::<Public<P>>() {
            prop_assert_eq!(public.to_string(), text);
        }
    });
    let setup = setup::<P>(&[]);
    proptest!(|(text in any::<String>())| {
        let action = text.parse::<Action<P>>();
        prop_assert!(action.is_err() || action.is_ok_and(|action| action.to_string() == text));
        let public = text.parse::<Public<P>>();
        prop_assert!(public.is_err() || public.is_ok_and(|public| public.to_string() == text));
        let _ = P::set_up(&setup, &text, &BTreeMap::new());
    });
}

fn options_take_a_value_or_stay_as_they_are<P: Rules>() {
    let new = setup::<P>(&[]);
    let options = P::GAME.options();
    proptest!(|(key in 0..options.len(), value in "[KGMRNCPkgmrncp]{32}|[a-z0-9]{0,7}")| {
        let key = options[key].key;
        let mut set = new.clone();
        if set.set(key, &value).is_ok() {
            let mut again = new.clone();
            prop_assert_eq!(again.set(key, &set.get(key).expect("a value")), Ok(()));
            prop_assert_eq!(again, set);
        } else {
            prop_assert_eq!(&set, &new);
        }
    });
}

fn the_rules_page_tells_every_option_and_end<P: Rules>() {
    let keys = P::GAME.options().iter().map(|doc| doc.key);
    let of_any_game = [
        Reason::SCORE_LEAD,
        Reason::SCORE_UNCHANGED,
        Reason::RESIGN_SCORE,
        Reason::TABLEBASE,
        Reason::MAX_MOVES,
        Reason::DRAW_SCORE,
    ];
    let reasons = P::GAME.reasons().filter(|it| !of_any_game.contains(it));
    for name in keys.chain(reasons.map(Reason::name)) {
        // The first cell of a row, alone or among others, the beginning of a paragraph, or a sentence about an end.
        let forms = [
            "\n| `NAME` |",
            "\n| `NAME`, `",
            ", `NAME` |",
            "\n[`NAME`](",
            "`NAME` ends a game",
        ];
        let mut forms = forms.map(|form| form.replace("NAME", name)).into_iter();
        assert!(forms.any(|form| P::PAGE.contains(&form)), "{name}");
    }
}
