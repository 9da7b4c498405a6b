use super::{Search, threats};
use crate::game::watch_your_back::{Options, State};
use crate::game::{Position, View};
use crate::opponents::duel::random_action;
use crate::opponents::{Brain, Budget};
use crate::random::Stream;

/// Every seventh position of some random games.
fn sample() -> Vec<State> {
    let mut positions = Vec::new();
    for game in 0..10 {
        let mut chance = Stream::new(game, 9);
        let mut state = State::new(Options::default());
        while let Some(action) = random_action(&state, &mut chance) {
            if state.ply().is_multiple_of(7) {
                positions.push(state);
            }
            state.apply(action).unwrap();
        }
    }
    positions
}

#[test]
fn earlier_games_do_not_change_what_search_plays() {
    let mut reused = Search::default();
    for state in sample().into_iter().step_by(3) {
        let play = |brain: &mut Search| {
            brain.choose(&state, &mut Budget::new(500, None), &mut Stream::new(3, 4))
        };
        assert_eq!(play(&mut reused), play(&mut Search::default()));
    }
}

/// The evaluation counts exactly those pieces as threatened that some legal move eliminates.
#[test]
fn threats_are_what_moves_eliminate() {
    let mut threatened = 0;
    for state in sample().into_iter().filter(|state| !state.is_placing()) {
        let seat = state.to_act().unwrap();
        let enemies = |state: &State| state.layout().pieces(seat.other());
        let mut actions = Vec::new();
        state.legal(&mut actions);
        let mut eliminated = 0;
        for action in actions {
            let mut after = state;
            let removed = after.apply(action).unwrap();
            let shrunk = after.layout().shrinks() > state.layout().shrinks();
            if !shrunk && !removed.squares().is_empty() {
                eliminated |= enemies(&state) & !enemies(&after);
            }
        }
        if state.plies_to_shrink() != Some(1) {
            assert_eq!(threats(&state, seat), eliminated, "{}", state.drawing());
            threatened += eliminated.count_ones();
        }
    }
    assert!(threatened > 20, "{threatened}");
}
