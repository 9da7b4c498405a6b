//! The rules of Watch Your Back!: perft, properties, and every message about an illegal action.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by a panic, in its helpers too"
)]

use std::collections::HashMap;

use proptest::prelude::{any, proptest};
use referee::game::watch_your_back::{Action, Options, PartsError, Public, Rule, Square, State};
use referee::game::{
    Chance, Game, Limit, OptionError, ParseError, Position, Reason, Refusal, Seat, Setup, View,
};
use referee::random::Stream;

const ENDLESS: Options = Options {
    max_plies: Limit(None),
};

/// The board without pieces, after no, one and two shrinks.
const BARE: &str = "X------X------------------------------------------------X------X";
const BARE_ONCE: &str = "#########X----X##------##------##------##------##X----X#########";
const BARE_TWICE: &str = "##################X--X####----####----####X--X##################";

fn options(max_plies: &str) -> Options {
    let mut options = Options::default();
    options.set("max-plies", max_plies).unwrap();
    options
}

fn action(token: &str) -> Action {
    token.parse().unwrap()
}

/// A set-up board from eight rows.
fn at(ply: u32, rows: [&str; 8]) -> State {
    State::from_parts(ENDLESS, &rows.concat(), ply).unwrap()
}

fn played(state: &State, token: &str) -> (State, String) {
    let mut after = *state;
    let public = after.apply(action(token)).unwrap();
    (after, public.to_string())
}

fn every_action() -> Vec<Action> {
    let moves =
        Square::all().flat_map(|from| Square::all().map(move |to| Action::Move { from, to }));
    Square::all()
        .map(Action::Place)
        .chain(moves)
        .chain([Action::Pass])
        .collect()
}

// Perft.

fn perft(state: &State, depth: usize) -> [u64; 3] {
    let mut actions = Vec::new();
    state.legal(&mut actions);
    let mut total = [0; 3];
    for action in actions {
        let mut after = *state;
        let removed = after.apply(action).unwrap().squares().len() as u64;
        let counts = if depth == 1 {
            [1, removed, u64::from(after.outcome().is_some())]
        } else {
            perft(&after, depth - 1)
        };
        (0..3).for_each(|i| total[i] += counts[i]);
    }
    total
}

#[test]
fn perft_table() {
    let table = include_str!("../perft/watch_your_back.perft");
    let mut positions = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, max_plies, start, actions, counts] = fields[..].try_into().unwrap();
        let options = options(max_plies);
        let mut state = match start.split_once('@') {
            Some((letters, ply)) => {
                State::from_parts(options, letters, ply.parse().unwrap()).unwrap()
            }
            None => State::new(options),
        };
        for token in actions.split_whitespace() {
            state.apply(action(token)).unwrap();
        }
        for (depth, expected) in (1..).zip(counts.split_whitespace()) {
            let counts = perft(&state, depth).map(|count| count.to_string());
            assert_eq!(counts.join(":"), expected, "{name}, depth {depth}");
        }
        positions += 1;
    }
    assert_eq!(positions, 21);
}

// Properties.

/// Calls `look` with every position of some random games, and with the actions that led there.
fn sample(games: u64, mut look: impl FnMut(&State, &[Action])) {
    for game in 0..games {
        let mut chance = Stream::new(game, 1);
        let mut state = State::new(Options::default());
        let mut history = Vec::new();
        look(&state, &history);
        while let Some(action) = state.random_action(&mut chance) {
            state.apply(action).unwrap();
            history.push(action);
            look(&state, &history);
        }
    }
}

#[test]
fn exactly_the_listed_actions_apply() {
    let all = every_action();
    assert_eq!(all.len(), 64 + 64 * 64 + 1);
    let (mut legal, mut positions) = (Vec::new(), 0);
    let mut look = |state: &State| {
        positions += 1;
        state.legal(&mut legal);
        let mut sorted = legal.clone();
        sorted.dedup();
        assert_eq!(sorted.len(), legal.len());
        assert_eq!(legal.is_empty(), state.outcome().is_some());
        for action in &all {
            let mut after = *state;
            match after.apply(*action) {
                Ok(public) => {
                    assert!(legal.contains(action), "{action}");
                    assert_eq!(after.ply(), state.ply() + 1);
                    let mut observed = *state;
                    observed.observe(*action, public).unwrap();
                    assert_eq!(observed, after);
                }
                Err(rule) => {
                    assert!(!legal.contains(action), "{action}: {rule}");
                    assert_eq!(after, *state);
                    assert_eq!(after.check(*action), Err(rule));
                    assert_eq!(after.observe(*action, Public::NONE), Err(rule));
                    assert_eq!(after, *state);
                }
            }
        }
    };
    sample(12, |state, _| look(state));
    for ply in [60, 61, 300, 301] {
        let rows = match ply {
            300.. => FULL,
            _ => CROWDED,
        };
        look(&at(ply, rows));
    }
    assert!(positions > 1500, "{positions}");
}

#[test]
fn a_state_is_its_actions() {
    sample(20, |state, history| {
        if state.ply() % 40 != 7 && state.outcome().is_none() {
            return;
        }
        let mut again = State::new(Options::default());
        for action in history {
            again.apply(action.to_string().parse().unwrap()).unwrap();
        }
        assert_eq!(again, *state);
        if state.outcome().is_none() {
            let set_up = State::from_parts(Options::default(), &state.board(), state.ply());
            assert_eq!(set_up, Ok(*state));
        }
    });
}

/// The letters before, less those removed, are the letters after.
#[test]
fn what_is_public_explains_the_board() {
    let mut games = 0;
    sample(20, |state, history| {
        games += u32::from(history.is_empty());
        let Some((last, before)) = history.split_last() else {
            return;
        };
        if before.len() % 8 != 0 && before.len() != 151 && before.len() != 215 {
            return;
        }
        let mut earlier = State::new(Options::default());
        for action in before {
            earlier.apply(*action).unwrap();
        }
        let mut letters: Vec<char> = earlier.board().chars().collect();
        let piece = ['W', 'B'][before.len() % 2];
        if let Action::Move { from, .. } = last {
            letters[from.index()] = '-';
        }
        if let Action::Place(to) | Action::Move { to, .. } = last {
            letters[to.index()] = piece;
        }
        for square in earlier.apply(*last).unwrap().squares() {
            assert!("WB".contains(letters[square.index()]));
            letters[square.index()] = '-';
        }
        for (old, new) in letters.iter().zip(state.board().chars()) {
            assert_eq!("WB".contains(*old), "WB".contains(new));
            assert!(!"WB".contains(new) || *old == new);
        }
    });
    assert_eq!(games, 20);
}

#[test]
fn every_action_is_read_back() {
    for action in every_action() {
        let token = action.to_string();
        assert_eq!(token.parse(), Ok(action));
        for other in [
            format!("{token} "),
            format!(" {token}"),
            token.to_uppercase(),
        ] {
            if other != token {
                assert_eq!(other.parse::<Action>(), Err(ParseError::Malformed));
            }
        }
    }
}

#[test]
fn tokens_that_are_no_action() {
    let malformed = [
        "",
        "-",
        ",",
        "3",
        "3,",
        ",4",
        "3,4,",
        "3,4-",
        "3,4-5",
        "3,4-5,",
        "3,4-5,6-",
        "3,4,5",
        "3,4-5,6-7,0",
        "3;4",
        "3.0,4",
        "+3,4",
        "03,4",
        "3,04",
        "00,0",
        "-0,3",
        "3,-0",
        "3 ,4",
        "3, 4",
        "3,4 -3,5",
        "(3,4)",
        "3,4--",
        "--1,3",
        "3,4---1,2",
        "３,4",
        "d4",
        "d4-d5",
        "PASS",
        "pass ",
        "forfeit",
        "None",
        "3,4\n",
        "3,4\0",
        "9999999999999999999999,-",
        "3,4–3,5",
    ];
    for token in malformed {
        assert_eq!(
            token.parse::<Action>(),
            Err(ParseError::Malformed),
            "{token:?}"
        );
    }
    let off_board = [
        "8,3",
        "3,8",
        "-1,7",
        "1,-7",
        "10,0",
        "1,7--1,7",
        "-1,7-1,7",
        "3,4-3,8",
        "8,8-9,9",
        "99999999999999999999999999999999999999,0",
        "0,-99999999999999999999999999999999999999",
    ];
    for token in off_board {
        assert_eq!(
            token.parse::<Action>(),
            Err(ParseError::OffBoard),
            "{token:?}"
        );
    }
}

#[test]
fn public_results_are_read_back_in_any_order() {
    for text in ["", "0,0", "3,4", "7,7 0,0 3,3", "1,0 0,1 7,6"] {
        assert_eq!(text.parse::<Public>().unwrap().to_string(), text);
    }
    let all: Vec<String> = Square::all().map(|square| square.to_string()).collect();
    let all = all.join(" ");
    assert_eq!(all.parse::<Public>().unwrap().to_string(), all);
    for text in [
        " ", "3,4 ", " 3,4", "3,4  3,5", "3,4 3,4", "3,4-3,5", "3", "pass", "3,4B",
    ] {
        assert_eq!(
            text.parse::<Public>(),
            Err(ParseError::Malformed),
            "{text:?}"
        );
    }
    for text in ["8,0", "3,4 -1,0"] {
        assert_eq!(
            text.parse::<Public>(),
            Err(ParseError::OffBoard),
            "{text:?}"
        );
    }
}

proptest! {
    #[test]
    fn what_parses_is_canonical(token in "[-0-9, apsP]{0,12}|-?[0-9]{1,3},-?[0-9]{1,3}(-[0-9]{1,2},[0-9])?") {
        if let Ok(action) = token.parse::<Action>() {
            assert_eq!(action.to_string(), token);
        }
        if let Ok(public) = token.parse::<Public>() {
            assert_eq!(public.to_string(), token);
        }
    }

    #[test]
    fn no_text_panics(token in any::<String>()) {
        let _ = token.parse::<Action>();
        let _ = token.parse::<Public>();
        let _ = State::from_parts(ENDLESS, &token, 0);
    }
}

#[test]
fn the_fast_choice_is_even() {
    let mut chance = Stream::new(5, 0);
    let mut walked = State::new(ENDLESS);
    let mut looked = 0;
    while let Some(next) = walked.random_action(&mut chance) {
        if walked.ply() % 24 == 11 {
            let mut legal = Vec::new();
            walked.legal(&mut legal);
            let mut counts: HashMap<Action, u32> = HashMap::new();
            let draws = 400 * legal.len() as u32;
            for _ in 0..draws {
                *counts
                    .entry(walked.random_action(&mut chance).unwrap())
                    .or_default() += 1;
            }
            assert_eq!(counts.len(), legal.len());
            // Five standard deviations of a count around 400.
            for action in legal {
                assert!((300..=500).contains(&counts[&action]), "{action}");
            }
            looked += 1;
        }
        walked.apply(next).unwrap();
    }
    assert!(looked >= 5);
    assert_eq!(walked.random_action(&mut chance), None);
    assert_eq!(at(300, FULL).random_action(&mut chance), Some(Action::Pass));
}

/// A source that is asked only for what it can give.
struct Bounded(u32);

impl Chance for Bounded {
    fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0);
        self.0 = self.0.wrapping_mul(0x9e37_79b9).wrapping_add(7);
        self.0 % bound
    }
}

#[test]
fn the_fast_choice_covers_set_up_positions() {
    let legal = |state: &State| {
        let mut legal = Vec::new();
        state.legal(&mut legal);
        legal
    };
    for seed in 0..200 {
        let mut chance = Bounded(seed);
        let (ply, bare) =
            [(5, BARE), (40, BARE), (170, BARE_ONCE), (250, BARE_TWICE)][seed as usize % 4];
        let letters: String = bare
            .chars()
            .map(|letter| match (letter, chance.below(4)) {
                ('-', 0) => 'W',
                ('-', 1) => 'B',
                _ => letter,
            })
            .collect();
        let Ok(state) = State::from_parts(ENDLESS, &letters, ply) else {
            continue;
        };
        let legal = legal(&state);
        let mut seen: Vec<Action> = Vec::new();
        for _ in 0..60 * legal.len() {
            let action = state.random_action(&mut chance).unwrap();
            assert!(legal.contains(&action));
            if !seen.contains(&action) {
                seen.push(action);
            }
        }
        assert_eq!(seen.len(), legal.len(), "{letters}");
    }
}

// Options.

#[test]
fn options_keep_what_they_are_given() {
    assert_eq!(Options::DOCS.len(), 1);
    let mut setup = Setup::new(Game::WatchYourBack);
    for doc in Options::DOCS {
        assert_eq!(setup.get(doc.key).as_deref(), Some(doc.default));
    }
    for value in ["1", "24", "600", "1000000", "none"] {
        setup.set("max-plies", value).unwrap();
        assert_eq!(setup.get("max-plies").as_deref(), Some(value));
    }
    for value in ["", "0", "-1", "1000001", "1.5", "many", "None", "600 "] {
        let error = setup.set("max-plies", value).unwrap_err();
        assert!(matches!(error, OptionError::Value { .. }), "{value}");
        assert_eq!(setup.get("max-plies").as_deref(), Some("none"));
    }
    let mut options = Options::default();
    let error = options.set("size", "9").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown game option; this game has max-plies"
    );
    assert_eq!(options.get("size"), None);
    assert_eq!(options, Options::default());
}

// Hand-made cases.

const CROWDED: [&str; 8] = [
    "XWWWWWWX", "WWWWWWWW", "WWWWWWWW", "WWWW-WWW", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "XBBBBBBX",
];

const FULL: [&str; 8] = [
    "########", "########", "##XWWX##", "##WBBW##", "##WBBW##", "##XBBX##", "########", "########",
];

#[test]
fn messages() {
    let placing = at(
        5,
        [
            "X------X", "--------", "---W----", "---B----", "--------", "--------", "--------",
            "X------X",
        ],
    );
    let white_places = at(
        6,
        [
            "X------X", "--------", "---W----", "---B----", "--------", "--------", "--------",
            "X------X",
        ],
    );
    let moving = at(
        24,
        [
            "X-W----X", "--------", "---W----", "---B----", "------W-", "--B-----", "--------",
            "X------X",
        ],
    );
    let shrunk = at(
        153,
        [
            "########", "#X----X#", "#--W---#", "#--B---#", "#-W----#", "#-B----#", "#X----X#",
            "########",
        ],
    );
    let over = played(
        &at(
            30,
            [
                "X------X", "--------", "-W-BW---", "---B----", "------W-", "--------", "--------",
                "X------X",
            ],
        ),
        "1,2-2,2",
    );
    assert_eq!(over.1, "3,2");
    let cases = [
        (&over.0, "3,3-3,4", "the game is over"),
        (
            &placing,
            "3,3-3,4",
            "nothing moves in the placing phase, the first 24 plies: place a piece instead",
        ),
        (
            &placing,
            "pass",
            "nobody passes in the placing phase, the first 24 plies: place a piece",
        ),
        (
            &moving,
            "4,4",
            "nothing is placed in the moving phase, after the first 24 plies: move a piece instead",
        ),
        (&placing, "7,7", "7,7 is a corner: no piece can stand there"),
        (&placing, "0,0", "0,0 is a corner: no piece can stand there"),
        (
            &placing,
            "4,1",
            "4,1 is outside black's starting zone: black places in rows 2 to 7",
        ),
        (
            &white_places,
            "4,6",
            "4,6 is outside white's starting zone: white places in rows 0 to 5",
        ),
        (
            &placing,
            "3,2",
            "3,2 is taken by a white piece: a piece goes to an empty square",
        ),
        (
            &moving,
            "3,2-3,3",
            "3,3 is taken by a black piece: a piece goes to an empty square",
        ),
        (
            &moving,
            "3,2-3,2",
            "3,2 is taken by a white piece: a piece goes to an empty square",
        ),
        (
            &moving,
            "2,0-0,0",
            "0,0 is a corner: no piece can stand there",
        ),
        (
            &moving,
            "1,1-1,2",
            "no piece stands on 1,1: a move starts from a white piece",
        ),
        (
            &moving,
            "7,7-7,6",
            "no piece stands on 7,7: a move starts from a white piece",
        ),
        (
            &moving,
            "3,3-3,4",
            "the piece on 3,3 is black: a move starts from a white piece",
        ),
        (
            &shrunk,
            "3,2-3,1",
            "the piece on 3,2 is white: a move starts from a black piece",
        ),
        (
            &shrunk,
            "0,3-1,3",
            "0,3 is no longer on the board: a shrink removed it",
        ),
        (
            &shrunk,
            "2,5-2,7",
            "2,7 is no longer on the board: a shrink removed it",
        ),
        (
            &shrunk,
            "2,5-1,6",
            "1,6 is a corner: no piece can stand there",
        ),
        (
            &moving,
            "3,2-4,3",
            "4,3 is out of reach from 3,2: a piece steps to the next square, \
             or jumps over one piece to the square behind it, along its row or column",
        ),
        (
            &moving,
            "3,2-3,5",
            "3,5 is out of reach from 3,2: a piece steps to the next square, \
             or jumps over one piece to the square behind it, along its row or column",
        ),
        (
            &moving,
            "3,2-1,2",
            "3,2-1,2 jumps over 2,2, which is empty: a jump goes over a piece",
        ),
        (
            &moving,
            "pass",
            "a pass is legal only when no piece can move, and 2,0-1,0 is possible",
        ),
    ];
    for (state, token, words) in cases {
        let rule: Rule = state.check(action(token)).unwrap_err();
        assert_eq!(rule.to_string(), words, "{token}");
    }
}

#[test]
fn refusals_reach_the_referee() {
    let mut game = Setup::new(Game::WatchYourBack).start(&mut Stream::new(0, 0));
    let mut public = String::new();
    assert_eq!(
        game.act("hello", &mut public),
        Err(Refusal::Unparsable {
            expected: "a square to place on, like 3,4 (column,row), a move, like 3,4-3,5, or pass"
        })
    );
    let off_board = "it names a square that is not on the board".to_owned();
    assert_eq!(
        game.act("8,0", &mut public),
        Err(Refusal::Illegal { rule: off_board })
    );
    assert_eq!(game.act("3,3", &mut public), Ok(()));
    assert_eq!((public.as_str(), game.ply()), ("", 1));
}

#[test]
fn a_piece_arriving_eliminates_before_it_dies() {
    // White comes between two black pieces, one of which stands between it and a white piece.
    let state = at(
        24,
        [
            "X------X", "---W----", "--------", "--B-BW--", "--------", "--------", "-BB-----",
            "X------X",
        ],
    );
    let (state, _) = played(&state, "3,1-3,2");
    let (state, _) = played(&state, "1,6-1,5");
    let (after, public) = played(&state, "3,2-3,3");
    assert_eq!(public, "4,3");
    assert_eq!(
        after.layout().at(Square::new(3, 3).unwrap()),
        Some(Seat::First)
    );
}

#[test]
fn a_piece_can_capture_on_one_line_and_die_on_the_other() {
    let state = at(
        24,
        [
            "X------X", "--------", "---B----", "-WB--W--", "---B----", "--------", "-BB-----",
            "X-W----X",
        ],
    );
    let (state, _) = played(&state, "5,3-4,3");
    let (state, _) = played(&state, "1,6-1,5");
    let (after, public) = played(&state, "4,3-3,3");
    assert_eq!(
        public, "2,3 3,3",
        "enemies first, then the mover's own piece"
    );
    assert_eq!(after.layout().at(Square::new(3, 3).unwrap()), None);
}

#[test]
fn a_jumped_piece_stays_and_a_third_piece_is_not_looked_at() {
    let state = at(
        24,
        [
            "X------X", "--------", "---W----", "---B----", "--------", "--------", "-BB---W-",
            "X------X",
        ],
    );
    let (after, public) = played(&state, "3,2-3,4");
    assert_eq!(public, "");
    assert_eq!(
        after.layout().at(Square::new(3, 3).unwrap()),
        Some(Seat::Second)
    );
    // A piece that already stands between two enemies lives while nobody arrives beside it.
    let state = at(
        24,
        [
            "X------X", "--------", "--------", "--WBW---", "--------", "--------", "-BB---W-",
            "X------X",
        ],
    );
    let (state, public) = played(&state, "6,6-6,5");
    assert_eq!(public, "");
    let (state, public) = played(&state, "2,6-2,5");
    assert_eq!(public, "");
    assert_eq!(played(&state, "6,5-6,6").1, "");
    assert_eq!(played(&state, "2,3-2,2").1, "");
}

#[test]
fn a_corner_is_an_enemy_of_both() {
    for (ply, piece, token) in [(24, ["B", "W"], "2,1-2,0"), (25, ["W", "B"], "2,1-2,0")] {
        let letters = format!(
            "X{}-----X--{}-----{}",
            piece[0], piece[1], "--------WW----BB------------------------X------X"
        );
        let state = State::from_parts(ENDLESS, &letters, ply).unwrap();
        assert_eq!(played(&state, token).1, "1,0");
    }
}

#[test]
fn new_corners_kill_in_their_order() {
    // Along an edge of the small board two enemies stand between two new corners: the corner that
    // is made first kills the one beside it, and the other piece lives.
    let state = at(
        215,
        [
            "########", "#X----X#", "#--WB--#", "#-W--B-#", "#-B--W-#", "#------#", "#X-B-WX#",
            "########",
        ],
    );
    let (after, public) = played(&state, "3,6-3,5");
    assert_eq!(public, "3,2 2,3 5,4 5,6");
    assert_eq!(
        after.board(),
        [
            "########", "########", "##X-BX##", "##---B##", "##B---##", "##XB-X##", "########",
            "########",
        ]
        .concat()
    );
}

#[test]
fn nobody_wins_while_placing_and_both_can_lose_at_its_end() {
    let state = at(
        22,
        [
            "X------X", "--------", "--------", "--------", "--------", "--------", "--------",
            "X------X",
        ],
    );
    let (state, _) = played(&state, "3,3");
    assert_eq!(state.outcome(), None);
    let (state, _) = played(&state, "6,6");
    let outcome = state.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (None, Reason::AfterPlacing)
    );
    assert_eq!(state.to_act(), None);
}

#[test]
fn nothing_shrinks_once_the_game_is_over() {
    let rows = [
        "X------X", "--------", "--------", "-B-WB---", "--------", "------B-", "--------",
        "X-----BX",
    ];
    let state = at(151, rows);
    let (over, public) = played(&state, "1,3-2,3");
    let outcome = over.outcome().unwrap();
    assert_eq!(public, "3,3");
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::Second), Reason::Elimination)
    );
    assert_eq!(over.layout().shrinks(), 0);
    let mut two = rows;
    two[0] = "X---W--X";
    two[1] = "--W-----";
    let (on, public) = played(&at(151, two), "1,3-2,3");
    assert_eq!(public, "3,3 4,0 6,7", "by the action, then by the shrink");
    let outcome = on.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::Second), Reason::Shrink128)
    );
}

#[test]
fn shrinks_end_games() {
    let rows = [
        "X------X", "--------", "--------", "-W--W---", "--------", "--BB----", "--------",
        "X------X",
    ];
    let mut lone = rows;
    lone[3] = "WW------";
    let (state, public) = played(&at(151, lone), "3,5-4,5");
    let outcome = state.outcome().unwrap();
    assert_eq!(public, "0,3");
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::Second), Reason::Shrink128)
    );
    let inner = [
        "########", "#X----X#", "#------#", "#WW----#", "#------#", "#---B--#", "#X-B--X#",
        "########",
    ];
    let (state, public) = played(&at(215, inner), "4,5-4,4");
    let outcome = state.outcome().unwrap();
    assert_eq!(public, "1,3 3,6");
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::Shrink192));
    assert_eq!(played(&at(215, inner), "4,5-4,4").0.layout().shrinks(), 2);
}

#[test]
fn the_limit_is_the_last_word() {
    let rows = [
        "X------X", "--------", "--------", "-W-BW---", "--------", "------B-", "--------",
        "X------X",
    ];
    let state = State::from_parts(options("31"), &rows.concat(), 30).unwrap();
    let (drawn, _) = played(&state, "4,3-5,3");
    let outcome = drawn.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::MaxPlies));
    assert_eq!(drawn.check(action("3,3-3,4")), Err(Rule::GameOver));
    let (won, _) = played(&state, "1,3-2,3");
    let outcome = won.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::First), Reason::Elimination)
    );
}

#[test]
fn a_pass_is_an_action_like_any_other() {
    let state = at(300, FULL);
    let mut legal = Vec::new();
    state.legal(&mut legal);
    assert_eq!(legal, [Action::Pass]);
    let (after, public) = played(&state, "pass");
    assert_eq!((after.ply(), public.as_str()), (301, ""));
    assert_eq!(after.to_act(), Some(Seat::Second));
}

#[test]
fn positions_that_cannot_be_set_up() {
    let set_up = |letters: &str, ply| State::from_parts(ENDLESS, letters, ply);
    assert_eq!(set_up(BARE, 0), Ok(State::new(ENDLESS)));
    assert_eq!(set_up("", 0), Err(PartsError::Length));
    assert_eq!(set_up(&BARE[1..], 0), Err(PartsError::Length));
    assert_eq!(set_up(BARE, 1_000_001), Err(PartsError::Ply));
    let full = CROWDED.concat();
    assert_eq!(set_up(&full, 3), Err(PartsError::NoRoom));
    let error = set_up(BARE, 152).unwrap_err();
    assert_eq!(error.to_string(), "0,0 without a piece is # at this ply");
    let error = set_up(&BARE.replacen('-', "w", 1), 0).unwrap_err();
    assert_eq!(error.to_string(), "1,0 without a piece is - at this ply");
    let error = set_up(&BARE.replacen('X', "W", 1), 0).unwrap_err();
    assert_eq!(error.to_string(), "0,0 without a piece is X at this ply");
}

#[test]
fn the_picture_has_coordinates() {
    let state = at(
        153,
        [
            "########", "#X----X#", "#--W---#", "#--B---#", "#-W----#", "#-B----#", "#X----X#",
            "########",
        ],
    );
    let picture = "  0 1 2 3 4 5 6 7
0 # # # # # # # #
1 # X - - - - X #
2 # - - W - - - #
3 # - - B - - - #
4 # - W - - - - #
5 # - B - - - - #
6 # X - - - - X #
7 # # # # # # # #
";
    assert_eq!(state.picture(), picture);
    assert_eq!(state.plies_to_shrink(), Some(63));
}
