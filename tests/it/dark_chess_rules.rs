//! The rules of dark chess: counts of action sequences, properties, and every rule by hand.

use proptest::prelude::*;
use referee::game::dark_chess::{
    Action, Color, Kind, Options, Parts, PartsError, Piece, Public, Rule, Rules, Square, State,
    View as Seen,
};
use referee::game::{
    Chance, Game, Limit, OptionError, Outcome, ParseError, Position, Reason, Refusal, Seat, Setup,
    View, shuffle,
};
use referee::random::Stream;

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (key, value) in settings {
        options.set(key, value).expect("a good value");
    }
    options
}

fn action(token: &str) -> Action {
    token.parse().expect("an action")
}

fn square(name: &str) -> Square {
    match action(name) {
        Action::Flip(square) => square,
        Action::Move(..) => unreachable!("{name} is no square"),
    }
}

fn piece(letter: char) -> Piece {
    Piece::from_letter(letter).expect("a letter")
}

fn legal(view: &Seen) -> Vec<Action> {
    let mut actions = vec![Action::Flip(Square::A8)];
    view.legal(&mut actions);
    actions
}

/// Every action that the notation can write.
fn all_actions() -> impl Iterator<Item = Action> {
    Square::all().flat_map(|from| {
        let moves = Square::all().map(move |to| Action::Move(from, to));
        std::iter::once(Action::Flip(from)).chain(moves)
    })
}

/// Eight rows from the top: `N` a face-up piece, `N?` a face-down one, `.` nothing.
fn parts(rows: [&str; 8]) -> Parts {
    let mut truth = [None; 32];
    let mut face_up = 0;
    let mut at = 0;
    for letter in rows.concat().chars().filter(|letter| *letter != ' ') {
        match letter {
            '?' => face_up &= !(1 << (at - 1)),
            '.' => at += 1,
            _ => {
                truth[at] = Some(piece(letter));
                face_up |= 1 << at;
                at += 1;
            }
        }
    }
    assert_eq!(at, 32);
    Parts {
        truth,
        face_up,
        turn: Seat::First,
        first_color: Some(Color::Red),
        score: [0, 0],
    }
}

/// A position where the first seat plays red and acts.
fn position(rows: [&str; 8], settings: &[(&str, &str)]) -> State {
    State::from_parts(&options(settings), &parts(rows)).expect("a position")
}

fn view(state: &State) -> &Seen {
    state.view(Seat::First)
}

/// Positions of random games, about one in seven of their plies, with how each was reached: the
/// layout and the actions.
fn sampled(settings: &[(&str, &str)], games: u64, mut visit: impl FnMut(&State, &str, &[Action])) {
    for game in 0..games {
        let mut chance = Stream::new(11, game);
        let mut state = State::new(&options(settings), &mut chance);
        let layout = state.revealed_board();
        let mut played = Vec::new();
        while let Some(action) = state.random_action(&mut chance) {
            if chance.below(7) == 0 {
                visit(&state, &layout, &played);
            }
            state.apply(action).expect("a legal action");
            played.push(action);
        }
        visit(&state, &layout, &played);
    }
}

// Counts of action sequences

#[test]
fn perft() {
    let mut settings: Vec<(String, String)> = Vec::new();
    let mut actions: Vec<String> = Vec::new();
    let mut checked = 0;
    let mut name = String::new();
    for line in include_str!("../perft/dark_chess.perft").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [""] | ["#", ..] => {}
            ["position", new_name] => {
                name = new_name.to_owned();
                settings.clear();
                actions.clear();
            }
            ["set", key, value] => settings.push((key.to_owned(), value.to_owned())),
            ["actions", ref tokens @ ..] => {
                actions.extend(tokens.iter().map(|token| (*token).to_owned()));
            }
            ["depth", depth, count] => {
                let mut options = Options::default();
                for (key, value) in &settings {
                    options.set(key, value).expect("a good value");
                }
                let mut state = State::new(&options, &mut Stream::new(0, 0));
                for token in &actions {
                    state.apply(action(token)).expect("a legal action");
                }
                let depth = depth.parse().expect("a number");
                let counted = sequences(&state, depth);
                assert_eq!(counted.to_string(), count, "{name} at depth {depth}");
                checked += 1;
            }
            _ => unreachable!("{line}"),
        }
    }
    assert_eq!(checked, 84, "numbers in the file");
}

fn sequences(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let actions = legal(view(state));
    if depth == 1 {
        return actions.len() as u64;
    }
    actions
        .into_iter()
        .map(|action| {
            let mut next = state.clone();
            next.apply(action).expect("a legal action");
            sequences(&next, depth - 1)
        })
        .sum()
}

// Properties

const READINGS: [&[(&str, &str)]; 4] = [
    &[],
    &[("reading", "common")],
    &[("general-takes-soldier", "no")],
    &[("general-takes-general", "yes"), ("quiet-plies", "none")],
];

#[test]
fn the_list_holds_the_legal_actions_and_no_other() {
    let mut positions = 0;
    for settings in READINGS {
        sampled(settings, 12, |state, _, _| {
            positions += 1;
            let listed = legal(view(state));
            let checked: Vec<Action> = all_actions()
                .filter(|&action| view(state).check(action).is_ok())
                .collect();
            assert_eq!(listed, checked, "in the order of their squares");
            assert_eq!(listed.is_empty(), view(state).to_act().is_none());
            assert_eq!(listed.len() as u32, view(state).moves().count());
            assert_eq!(listed.is_empty(), view(state).moves().is_empty());
            for action in all_actions() {
                let mut next = state.clone();
                match next.apply(action) {
                    Ok(_) => {
                        assert!(listed.contains(&action), "{action}");
                        assert_eq!(view(&next).ply(), view(state).ply() + 1);
                    }
                    Err(rule) => {
                        assert_eq!(view(state).check(action), Err(rule));
                        assert_eq!(&next, state, "{action} changed something");
                    }
                }
            }
        });
    }
    assert!(positions > 500, "{positions}");
}

#[test]
fn what_is_kept_is_what_lies_on_the_board() {
    sampled(&[("quiet-plies", "none")], 40, |state, _, played| {
        let now = view(state);
        let shown = now.board();
        let truth: Vec<_> = state
            .revealed_board()
            .chars()
            .map(Piece::from_letter)
            .collect();
        let face_up = |letter: char| letter != '?' && letter != '.';
        let parts = Parts {
            truth: truth.clone().try_into().expect("32 squares"),
            face_up: shown
                .chars()
                .enumerate()
                .filter(|&(_, letter)| face_up(letter))
                .fold(0, |mask, (i, _)| mask | 1 << i),
            turn: Seat::BOTH[played.len() % 2],
            first_color: now.color(Seat::First),
            score: now.score().expect("points").map(|score| score.min(59)),
        };
        let rebuilt = State::from_parts(&Options::default(), &parts).expect("a position");
        assert_eq!(now.seen(), view(&rebuilt).seen());
        assert_eq!(state.revealed_board(), rebuilt.revealed_board());

        // Every point comes from a piece that is gone.
        let gone = |color| {
            Kind::ALL
                .into_iter()
                .map(|kind| {
                    let piece = Piece { color, kind };
                    let left = truth.iter().filter(|&&at| at == Some(piece)).count();
                    kind.points() * (u32::from(kind.count()) - left as u32)
                })
                .sum::<u32>()
        };
        if let (Some(first), Some(second)) = (now.color(Seat::First), now.color(Seat::Second)) {
            assert_eq!(now.score(), Some([gone(second), gone(first)]));
        }
    });
}

#[test]
fn a_view_knows_nothing_that_is_hidden() {
    let mut changed = 0;
    sampled(&[], 40, |state, layout, played| {
        let seen = view(state);
        let down: Vec<usize> = (0..32)
            .filter(|&i| seen.board().as_bytes()[i] == b'?')
            .collect();
        let mut letters: Vec<char> = layout.chars().collect();
        let mut hidden: Vec<char> = down.iter().map(|&i| letters[i]).collect();
        shuffle(&mut hidden, &mut Stream::new(13, played.len() as u64));
        for (&i, letter) in down.iter().zip(hidden) {
            letters[i] = letter;
        }
        let other_layout: String = letters.into_iter().collect();
        let mut other = State::new(
            &options(&[("layout", &other_layout)]),
            &mut Stream::new(0, 0),
        );
        for &action in played {
            other.apply(action).expect("a legal action");
        }
        assert_eq!(seen, view(&other));
        assert_eq!(format!("{seen:?}"), format!("{:?}", view(&other)));
        changed += u32::from(state.revealed_board() != other.revealed_board());
    });
    assert!(changed > 100, "{changed}");
}

#[test]
fn following_what_is_public_equals_the_truth() {
    for game in 0..40 {
        let mut chance = Stream::new(12, game);
        let settings = READINGS[game as usize % 4];
        let mut state = State::new(&options(settings), &mut chance);
        let mut told = Seen::new(&options(settings));
        while let Some(action) = told.random_action(&mut chance) {
            let public = state.apply(action).expect("a legal action");
            assert_eq!(public.to_string().parse(), Ok(public));
            told.observe(action, public).expect("what happened");
            assert_eq!(&told, state.view(Seat::Second));
        }
        assert!(told.outcome().is_some());
    }
}

#[test]
fn random_actions_are_even() {
    sampled(&[], 6, |state, _, _| {
        let listed = legal(view(state));
        let mut counts = vec![0u32; listed.len()];
        let mut chance = Stream::new(14, 0);
        for _ in 0..400 * listed.len() {
            let action = state.random_action(&mut chance).expect("some action");
            let index = listed.iter().position(|&other| other == action);
            counts[index.expect("a legal action")] += 1;
        }
        // Six standard deviations around 400.
        assert!(
            counts.iter().all(|&n| (280..=520).contains(&n)),
            "{counts:?}"
        );
        if listed.is_empty() {
            assert_eq!(state.random_action(&mut chance), None);
        }
    });
}

#[test]
fn what_takes_what() {
    let takes = |rules: Rules| -> Vec<String> {
        Kind::ALL
            .into_iter()
            .map(|taker| {
                let prey = Kind::ALL
                    .into_iter()
                    .filter(|&prey| rules.takes(taker, prey));
                prey.map(|kind| piece_of(kind).to_string()).collect()
            })
            .collect()
    };
    // Rows: General, Advisor, Minister, Chariot, Horse, Cannon (it jumps), Soldier.
    let middle = ["GMRNCP", "MRNCP", "RNCP", "NCP", "", "KP"];
    for (settings, general) in READINGS
        .into_iter()
        .zip(["GMRNCP", "KGMRNC", "GMRNC", "KGMRNCP"])
    {
        let table = takes(options(settings).rules());
        assert_eq!(table[0], general);
        assert_eq!(table[1..], middle);
    }
}

fn piece_of(kind: Kind) -> Piece {
    Piece {
        color: Color::Red,
        kind,
    }
}

#[test]
fn a_full_set_is_worth_95_points_a_side() {
    for color in Color::BOTH {
        let side = Piece::full_set().filter(|piece| piece.color == color);
        assert_eq!(side.map(|piece| piece.kind.points()).sum::<u32>(), 95);
    }
    assert_eq!(Piece::full_set().count(), 32);
}

// Notation

#[test]
fn actions_are_read_as_written() {
    for action in all_actions() {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    assert_eq!(
        Square::all().map(Square::index).collect::<Vec<_>>(),
        (0..32).collect::<Vec<_>>()
    );
    assert_eq!(action("a8"), Action::Flip(Square::A8));
    assert_eq!(square("d1").index(), 31);
    assert_eq!(square("b3").index(), 21);
}

#[test]
fn other_tokens_are_refused() {
    let parse = |token: &str| token.parse::<Action>();
    for token in [
        "e3",
        "z1",
        "a9",
        "a0",
        "a10",
        "d-1",
        "b3-b9",
        "e1-a1",
        "e1-f1",
        "a-1-a1",
        "a1-a-1",
        "a99999999999999999999",
        "d256",
        "b3-b257",
        "h8-h0",
    ] {
        assert_eq!(parse(token), Err(ParseError::OffBoard), "{token}");
    }
    for token in [
        "", "a", "3", "3b", "B3", "b3 ", " b3", "b03", "b+3", "b3-", "-b3", "b3--b4", "b3-b4-",
        "b3-b4-b5", "b3b4", "b3 b4", "b3-B4", "b3-4", "b3-b04", "b3(N)", "b3xb4", "aa1", "b-0",
        "a-01", "pass", "b3–b4", "é3", "b٣", "b3\n", "b3-é", "e3-x", "{3", "`3",
    ] {
        assert_eq!(parse(token), Err(ParseError::Malformed), "{token}");
    }
}

#[test]
fn what_became_public_is_read_as_written() {
    for piece in Piece::all() {
        let public = Public(Some(piece));
        assert_eq!(public.to_string(), piece.letter().to_string());
        assert_eq!(public.to_string().parse(), Ok(public));
    }
    assert_eq!(Public(None).to_string(), "");
    assert_eq!("".parse(), Ok(Public(None)));
    for text in ["x", "NN", "?", ".", " ", "N ", "é"] {
        assert_eq!(text.parse::<Public>(), Err(ParseError::Malformed), "{text}");
    }
}

proptest! {
    #[test]
    fn no_token_is_read_as_another(token in "[a-e]?[-0-9a-f+ ]{0,8}|.{0,8}") {
        if let Ok(action) = token.parse::<Action>() {
            prop_assert_eq!(action.to_string(), token);
        }
    }

    #[test]
    fn no_option_value_breaks_anything(key in 0..6usize, value in "[KGMRNCPkgmrncp]{32}|[a-z0-9]{0,7}") {
        let mut options = Options::default();
        let key = Options::DOCS[key].key;
        if options.set(key, &value).is_ok() {
            let mut again = Options::default();
            prop_assert_eq!(again.set(key, &options.get(key).expect("a value")), Ok(()));
            prop_assert_eq!(again, options);
        } else {
            prop_assert_eq!(options, Options::default());
        }
    }
}

// Options

#[test]
fn options_are_what_was_set() {
    let layout = "PKkmGcrpRcPGrpNpRpMpmnPPgMCngPCN";
    for (key, value) in [
        ("layout", layout),
        ("reading", "literal"),
        ("reading", "common"),
        ("general-takes-general", "yes"),
        ("general-takes-general", "no"),
        ("general-takes-soldier", "yes"),
        ("general-takes-soldier", "no"),
        ("quiet-plies", "12"),
        ("quiet-plies", "none"),
        ("max-plies", "1000000"),
        ("max-plies", "none"),
    ] {
        let mut setup = Setup::new(Game::DarkChess);
        setup.set(key, value).expect("a good value");
        assert_eq!(setup.get(key).as_deref(), Some(value));
        let mut again = setup.clone();
        for doc in Options::DOCS {
            if let Some(value) = setup.get(doc.key) {
                again.set(doc.key, &value).expect("a good value");
                assert_eq!(again.get(doc.key), Some(value));
            }
        }
    }
    let setup = Setup::DarkChess(options(&[("layout", layout)]));
    assert!(
        setup
            .public_options()
            .iter()
            .all(|(key, _)| *key != "layout")
    );
    assert_eq!(setup.public_options().len(), 5);
    let drawn = Options::default();
    assert_eq!(drawn.get("layout"), None);
    assert_eq!(drawn.get("nonsense"), None);
    assert_eq!(drawn.quiet_plies(), Limit(Some(60)));
    assert_eq!(drawn.max_plies(), Limit(Some(1000)));
}

#[test]
fn one_of_the_general_options_goes_before_the_reading() {
    let get = |settings: &[(&str, &str)]| {
        let options = options(settings);
        ["general-takes-general", "general-takes-soldier"]
            .map(|key| options.get(key).expect("a value"))
    };
    assert_eq!(get(&[]), ["no", "yes"]);
    assert_eq!(get(&[("reading", "common")]), ["yes", "no"]);
    for (alone, expected) in [
        (("general-takes-general", "no"), ["no", "no"]),
        (("general-takes-general", "yes"), ["yes", "no"]),
        (("general-takes-soldier", "no"), ["yes", "no"]),
        (("general-takes-soldier", "yes"), ["yes", "yes"]),
    ] {
        assert_eq!(get(&[("reading", "common"), alone]), expected);
        assert_eq!(get(&[alone, ("reading", "common")]), expected);
    }
}

#[test]
fn bad_options_are_refused() {
    let message = |key: &str, value: &str| {
        let mut options = Options::default();
        let error = options.set(key, value).expect_err("refused");
        assert_eq!(options, Options::default());
        error.to_string()
    };
    assert_eq!(message("reading", "Literal"), "expected literal or common");
    for value in ["true", "Yes", ""] {
        assert_eq!(
            message("general-takes-general", value),
            "expected yes or no"
        );
        assert_eq!(
            message("general-takes-soldier", value),
            "expected yes or no"
        );
    }
    for value in ["0", "-1", "1000001", "None", ""] {
        let expected = "expected a number from 1 to 1000000, or none";
        assert_eq!(message("quiet-plies", value), expected);
        assert_eq!(message("max-plies", value), expected);
    }
    assert_eq!(
        message("layout", "PKk"),
        "expected 32 letters from a8 to d1, and there are 3"
    );
    assert_eq!(
        message("layout", "PKkmGcrpRcPGrpNpRpMpmnPPgMCngPCK"),
        "expected a layout with 1 of the letter K, and there are 2"
    );
    assert_eq!(
        message("layout", "PKkmGcrpRcPGrpNpRpMpmnPPgMCngPC?"),
        "expected 32 letters of KGMRNCPkgmrncp from a8 to d1, and `?` is none of these"
    );
    assert_eq!(
        Options::default().set("size", "9"),
        Err(OptionError::Unknown {
            known: Options::DOCS.iter().map(|doc| doc.key).collect()
        })
    );
}

#[test]
fn the_layout_is_drawn_from_chance() {
    let start = |seed| State::new(&Options::default(), &mut Stream::new(seed, 0)).revealed_board();
    assert_eq!(start(1), "PgKpkPpPCGpCRMcNgcPRGMmnrnrpNpPm");
    assert_eq!(start(1), start(1));
    assert_ne!(start(1), start(2));
    let mut letters: Vec<char> = start(3).chars().collect();
    letters.sort_unstable();
    assert_eq!(
        letters.iter().collect::<String>(),
        "CCGGKMMNNPPPPPRRccggkmmnnppppprr"
    );
}

// Every rule by hand

/// What the rule says that an action breaks.
fn broken(state: &State, token: &str) -> String {
    let mut next = state.clone();
    let rule = next.apply(action(token)).expect_err("illegal");
    assert_eq!(&next, state);
    rule.to_string()
}

#[test]
fn flips() {
    let state = position(
        [
            ". . . .", ". . . .", ". . . .", ". . . .", ". N n? .", ". . . .", ". . . .", ". . . .",
        ],
        &[],
    );
    assert_eq!(
        broken(&state, "a4"),
        "a4 is empty: there is no piece to turn up"
    );
    assert_eq!(
        broken(&state, "b4"),
        "the red Horse on b4 is face-up already: to move it, write b4-, then the square it goes to"
    );
    assert!(view(&state).check(action("c4")).is_ok());
}

#[test]
fn moves() {
    let state = position(
        [
            ". . . .", ". . . .", ". p? . .", "G N g .", ". R r? .", ". . . p", ". . . .",
            ". . . .",
        ],
        &[],
    );
    for (token, words) in [
        ("a8-a7", "a8 is empty: there is no piece to move"),
        (
            "c4-c3",
            "the piece on c4 is face-down: only a face-up piece moves",
        ),
        (
            "c5-d5",
            "the black Advisor on c5 is your opponent's: you play red",
        ),
        (
            "b5-b5",
            "a piece does not move to the square it stands on: to turn one up, write b5 alone",
        ),
        (
            "b5-b3",
            "the Horse on b5 goes one square up, down, left or right: b3 is not such a square",
        ),
        (
            "b5-c4",
            "the Horse on b5 goes one square up, down, left or right: c4 is not such a square",
        ),
        (
            "b4-c4",
            "the piece on c4 is face-down: only a Cannon captures it, a Chariot does not",
        ),
        (
            "a5-b5",
            "your own red Horse stands on b5: only enemy pieces are captured",
        ),
        (
            "b5-c5",
            "a Horse does not capture an Advisor (here on c5): only pieces of equal or lower rank \
             are captured",
        ),
    ] {
        assert_eq!(broken(&state, token), words);
    }
    assert_eq!(
        legal(view(&state)),
        ["b6", "a5-a6", "a5-a4", "b4-a4", "b4-b3", "c4"].map(action)
    );
}

#[test]
fn edges_do_not_wrap() {
    let state = position(
        [
            ". . . .", ". . . N", "p . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .",
        ],
        &[],
    );
    assert_eq!(legal(view(&state)), ["d7-d8", "d7-c7", "d7-d6"].map(action));
    assert_eq!(
        broken(&state, "d7-a6"),
        "the Horse on d7 goes one square up, down, left or right: a6 is not such a square"
    );
}

#[test]
fn cannons() {
    let state = position(
        [
            ". k . .", ". . . .", "p N . .", "n C p r", ". p? . .", ". P . .", ". g . p", ". . . .",
        ],
        &[],
    );
    for (token, words) in [
        (
            "b5-d6",
            "the Cannon on b5 moves only by capturing: d6 is empty",
        ),
        (
            "b5-a6",
            "the Cannon on b5 captures along its row or column: a6 is on neither",
        ),
        (
            "b5-a5",
            "the Cannon on b5 jumps over exactly one piece to capture: none stands between it and \
             a5",
        ),
        (
            "b5-b2",
            "the Cannon on b5 jumps over exactly one piece to capture: 2 stand between it and b2",
        ),
        (
            "b5-b3",
            "your own red Soldier stands on b3: only enemy pieces are captured",
        ),
        (
            "b5-b5",
            "a piece does not move to the square it stands on: to turn one up, write b5 alone",
        ),
    ] {
        assert_eq!(broken(&state, token), words);
    }
    for token in ["b5-b8", "b5-d5"] {
        assert!(view(&state).check(action(token)).is_ok(), "{token}");
    }
    let step = position(
        [
            ". . . .", ". . . .", ". . . .", ". C . .", ". . . .", ". . p .", ". . . .", "P . . .",
        ],
        &[],
    );
    assert_eq!(
        broken(&step, "b5-b6"),
        "the Cannon on b5 moves only by capturing: b6 is empty"
    );
}

#[test]
fn generals_by_each_reading() {
    let rows = [
        ". . . .", ". . . .", ". k . .", ". K p .", ". . . .", ". P . .", "C r . .", ". . . .",
    ];
    let refused = |settings: &[(&str, &str)], token: &str| {
        let state = position(rows, settings);
        match view(&state).check(action(token)) {
            Ok(()) => String::new(),
            Err(rule) => rule.to_string(),
        }
    };
    let general = "a General does not capture a General (here on b6): the option \
                   general-takes-general is no";
    let soldier = "a General does not capture a Soldier (here on c5): the option \
                   general-takes-soldier is no";
    for (settings, on_general, on_soldier) in [
        (READINGS[0], general, ""),
        (READINGS[1], "", soldier),
        (READINGS[2], general, soldier),
        (READINGS[3], "", ""),
    ] {
        assert_eq!(refused(settings, "b5-b6"), on_general);
        assert_eq!(refused(settings, "b5-c5"), on_soldier);
    }
}

#[test]
fn soldiers_take_generals_and_soldiers_alone() {
    let state = position(
        [
            ". . . .", ". . . .", ". k . .", "c P p .", ". r . .", ". . . .", ". . . .", ". . . .",
        ],
        &[],
    );
    assert_eq!(legal(view(&state)), ["b5-b6", "b5-c5"].map(action));
    assert_eq!(
        broken(&state, "b5-a5"),
        "a Soldier does not capture a Cannon (here on a5): every piece but a Soldier captures a \
         Cannon"
    );
    assert_eq!(
        broken(&state, "b5-b4"),
        "a Soldier does not capture a Chariot (here on b4): only pieces of equal or lower rank \
         are captured"
    );
}

// Chance and colours

#[test]
fn the_first_flip_gives_the_colours() {
    let layout = "PKkmGcrpRcPGrpNpRpMpmnPPgMCngPCN";
    let options = options(&[("layout", layout)]);
    let mut state = State::new(&options, &mut Stream::new(0, 0));
    assert_eq!(view(&state).board(), "?".repeat(32));
    assert_eq!(state.revealed_board(), layout);
    assert_eq!(view(&state).color(Seat::First), None);
    assert_eq!(
        broken(&state, "a8-a7"),
        "the piece on a8 is face-down: only a face-up piece moves"
    );
    assert_eq!(legal(view(&state)).len(), 32);
    assert_eq!(state.apply(action("c8")), Ok(Public(Some(piece('k')))));
    assert_eq!(view(&state).color(Seat::First), Some(Color::Black));
    assert_eq!(view(&state).color(Seat::Second), Some(Color::Red));
    assert_eq!(
        broken(&state, "c8-c7"),
        "the black General on c8 is your opponent's: you play red"
    );
    assert_eq!(
        view(&state).picture(),
        "    a b c d\n  8 ? ? k ? 8\n  7 ? ? ? ? 7\n  6 ? ? ? ? 6\n  5 ? ? ? ? 5\n  4 ? ? ? ? 4\n  \
         3 ? ? ? ? 3\n  2 ? ? ? ? 2\n  1 ? ? ? ? 1\n    a b c d\nfirst (black, lower case): 0 \
         points\nsecond (red, upper case): 0 points\n"
    );
    assert!(
        View::picture(&Seen::new(&options))
            .ends_with("first (no colour yet): 0 points\nsecond (no colour yet): 0 points\n")
    );
}

#[test]
fn a_view_refuses_what_cannot_have_been_shown() {
    let rows = [
        ". . . .", ". . . .", ". . . .", ". C . .", ". N? . .", ". p? . .", ". . . k", ". . . P",
    ];
    let state = position(rows, &[]);
    let refused = |token: &str, public: &str| {
        let mut seen = *view(&state);
        let rule = seen.observe(action(token), public.parse().expect("a piece"));
        assert_eq!(&seen, view(&state));
        rule.expect_err("refused").to_string()
    };
    assert_eq!(
        refused("b4", ""),
        "this shows the piece on b4, and which one is not said"
    );
    assert_eq!(
        refused("b5-b3", ""),
        "this shows the piece on b3, and which one is not said"
    );
    assert_eq!(
        refused("d1-d2", "k"),
        "this shows no piece, and black General is said to be shown"
    );
    assert_eq!(
        refused("b4", "n"),
        "no black Horse is left that could be face-down"
    );
    assert_eq!(
        refused("b5-b3", "k"),
        "no black General is left that could be face-down"
    );
    assert_eq!(
        refused("b5-b4", "p"),
        "the Cannon on b5 jumps over exactly one piece to capture: none stands between it and b4"
    );

    // Either may lie on b4, as far as anybody knows; then it cannot lie on b3 too.
    for (here, there) in [("N", "p"), ("p", "N")] {
        let mut seen = *view(&state);
        let public = |text: &str| text.parse().expect("a piece");
        assert_eq!(seen.observe(action("b4"), public(here)), Ok(()));
        assert_eq!(
            seen.observe(action("b3"), public(here)),
            Err(Rule::AllSeen(piece(here.chars().next().expect("a letter"))))
        );
        assert_eq!(seen.observe(action("b3"), public(there)), Ok(()));
    }
}

#[test]
fn a_captured_piece_counts_against_its_own_colour() {
    let mut own_parts = parts([
        ". . . .", ". . . .", ". . . .", ". C . .", ". . . .", ". n . .", ". K? . .", "P . . .",
    ]);
    own_parts.score = [10, 20];
    let mut state = State::from_parts(&Options::default(), &own_parts).expect("a position");
    assert_eq!(state.apply(action("b5-b2")), Ok(Public(Some(piece('K')))));
    assert_eq!(view(&state).score(), Some([10, 50]));
    assert_eq!(view(&state).quiet_plies(), 0);

    // And so one's own shot can lose the game.
    own_parts.score = [59, 30];
    let mut state = State::from_parts(&Options::default(), &own_parts).expect("a position");
    state.apply(action("b5-b2")).expect("a legal action");
    let lost = Outcome {
        winner: Some(Seat::Second),
        reason: Reason::Score60,
    };
    assert_eq!(view(&state).outcome(), Some(lost));
    assert_eq!(view(&state).to_act(), None);
    assert_eq!(legal(view(&state)), []);
    assert_eq!(broken(&state, "a1-b1"), "the game is over");
}

// How a game ends

const CORNERS: [&str; 8] = [
    "n . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . N",
];

fn shuttle(state: &mut State, plies: usize) {
    for token in ["d1-c1", "a8-b8", "c1-d1", "b8-a8"]
        .into_iter()
        .cycle()
        .take(plies)
    {
        assert_eq!(view(state).outcome(), None);
        state.apply(action(token)).expect("a legal action");
    }
}

#[test]
fn quiet_plies_draw() {
    for (settings, plies) in [(&[][..], 60), (&[("quiet-plies", "7")][..], 7)] {
        let mut state = position(CORNERS, settings);
        shuttle(&mut state, plies);
        let drawn = Outcome {
            winner: None,
            reason: Reason::QuietPlies,
        };
        assert_eq!(view(&state).outcome(), Some(drawn));
        assert_eq!(broken(&state, "d1-c1"), "the game is over");
    }
    let mut state = position(CORNERS, &[("quiet-plies", "none")]);
    shuttle(&mut state, 999);
    assert_eq!(view(&state).outcome(), None);
}

#[test]
fn max_plies_draw() {
    for (settings, plies) in [
        (&[("quiet-plies", "none")][..], 1000),
        (&[("max-plies", "5")][..], 5),
    ] {
        let mut state = position(CORNERS, settings);
        shuttle(&mut state, plies);
        let drawn = Outcome {
            winner: None,
            reason: Reason::MaxPlies,
        };
        assert_eq!(view(&state).outcome(), Some(drawn));
    }
    let mut state = position(CORNERS, &[("quiet-plies", "none"), ("max-plies", "none")]);
    shuttle(&mut state, 1500);
    assert_eq!(view(&state).outcome(), None);
}

#[test]
fn flips_and_captures_start_the_count_again() {
    let mut state = position(
        [
            "p . . .", "N . n? .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .", "k . . .",
        ],
        &[],
    );
    for (token, quiet) in [
        ("a7-b7", 1),
        ("a1-b1", 2),
        ("c7", 0),
        ("b1-a1", 1),
        ("b7-c7", 0),
    ] {
        state.apply(action(token)).expect("a legal action");
        assert_eq!(view(&state).quiet_plies(), quiet, "{token}");
    }
}

#[test]
fn a_seat_without_an_action_loses() {
    // The capture takes black's last piece, so that black has nothing left to move.
    let last = [
        "p N . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .",
    ];
    let no_legal = Outcome {
        winner: Some(Seat::First),
        reason: Reason::NoLegal,
    };
    for settings in [&[][..], &[("max-plies", "1")][..]] {
        let mut state = position(last, settings);
        state.apply(action("b8-a8")).expect("a legal action");
        assert_eq!(
            view(&state).outcome(),
            Some(no_legal),
            "before any draw rule"
        );
    }
    // Shut in, by a quiet ply that would draw as well.
    let shut_in = [
        "p . . .", "N R . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .", ". . . .",
    ];
    let mut state = position(shut_in, &[("quiet-plies", "1")]);
    state.apply(action("b7-b8")).expect("a legal action");
    assert_eq!(view(&state).outcome(), Some(no_legal));

    // With 60 points, that is the reason.
    let mut scored = parts(last);
    scored.score = [59, 0];
    let mut state =
        State::from_parts(&options(&[("max-plies", "1")]), &scored).expect("a position");
    state.apply(action("b8-a8")).expect("a legal action");
    assert_eq!(
        view(&state).outcome().map(|outcome| outcome.reason),
        Some(Reason::Score60)
    );

    let mut stuck = parts(last);
    stuck.turn = Seat::Second;
    stuck.truth[4] = Some(piece('R'));
    stuck.face_up |= 1 << 4;
    let state = State::from_parts(&Options::default(), &stuck).expect("a position");
    assert_eq!(
        view(&state).outcome(),
        Some(no_legal),
        "over from the start"
    );
}

#[test]
fn parts_that_make_no_position_are_refused() {
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut changed = parts(CORNERS);
        change(&mut changed);
        State::from_parts(&Options::default(), &changed).expect_err("refused")
    };
    let error = refused(&|parts| parts.truth[8..14].fill(Some(piece('C'))));
    assert_eq!(error, PartsError::TooMany(piece('C')));
    assert_eq!(error.to_string(), "there are more than 5 of the piece C");
    let error = refused(&|parts| parts.face_up |= 2);
    assert_eq!(error.to_string(), "b8 is empty, and not face-up");
    let error = refused(&|parts| parts.first_color = None);
    assert_eq!(
        error.to_string(),
        "the seats have their colours after the first flip"
    );
    let error = refused(&|parts| parts.score = [0, 60]);
    assert_eq!(error.to_string(), "the game is over with 60 points");
    let empty = Parts {
        truth: [None; 32],
        face_up: 0,
        turn: Seat::First,
        first_color: None,
        score: [0, 0],
    };
    let state = State::from_parts(&Options::default(), &empty).expect("a position");
    assert_eq!(view(&state).to_act(), None, "nothing to act with");
}

#[test]
fn a_match_speaks_text() {
    let mut setup = Setup::new(Game::DarkChess);
    setup
        .set("layout", "PKkmGcrpRcPGrpNpRpMpmnPPgMCngPCN")
        .expect("a layout");
    let mut game = setup.start(&mut Stream::new(0, 0));
    let mut public = String::new();
    assert_eq!(game.act("b8", &mut public), Ok(()));
    assert_eq!(public, "K");
    assert_eq!(
        game.act("e3", &mut public),
        Err(Refusal::Illegal {
            rule: "it names a square that is not on the board".to_owned()
        })
    );
    assert_eq!(
        game.act("flip a8", &mut public),
        Err(Refusal::Unparsable {
            expected: "a square to turn up (`b3`), or two squares to move or capture (`b3-b4`)"
        })
    );
    assert_eq!((public.as_str(), game.ply()), ("K", 1));
    assert_eq!(game.board(Seat::Second), format!("?K{}", "?".repeat(30)));
}

#[test]
fn the_rules_page_tells_every_option_and_end() {
    let page = include_str!("../../docs/rules/dark-chess.md");
    for doc in Options::DOCS {
        assert!(
            page.contains(&format!("\n| `{}` |", doc.key)),
            "{}",
            doc.key
        );
    }
    for reason in [
        Reason::Score60,
        Reason::NoLegal,
        Reason::QuietPlies,
        Reason::MaxPlies,
    ] {
        assert!(page.contains(&format!("\n| `{reason}` |")), "{reason}");
    }
}
