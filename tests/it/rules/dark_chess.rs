//! Dark chess: what is its own.

mod records;

use std::collections::BTreeMap;

use referee::game::dark_chess::{
    Action, Color, Kind, Options, Parts, Piece, Repetition, Rules as Readings, Square, State,
    View as Seen,
};
use referee::game::{Chance, Game, Limit, Position, Setup, Side, View, dark_chess, shuffle};
use referee::random::Stream;

use super::cases::sorted;
use super::{Rules, options, sample, setup, view};

type Settings = &'static [(&'static str, &'static str)];

const READINGS: [Settings; 6] = [
    &[],
    &[("reading", "common")],
    &[("general-takes-soldier", "no")],
    &[("general-takes-general", "yes"), ("quiet-plies", "none")],
    &[("reading", "ntu")],
    &[
        ("reading", "ntu"),
        ("quiet-plies", "none"),
        ("repetitions", "2"),
    ],
];

impl Rules for State {
    const GAME: Game = dark_chess::GAME;
    const SETTINGS: &'static [Settings] = &READINGS;
    const GAMES: u64 = 12;
    const ONE_IN: u32 = 7;
    const POSITIONS: usize = 500;
    const NEARLY: &'static str = "[a-e]?[-0-9a-f+ ]{0,8}|.{0,8}";
    const PAGE: &'static str = include_str!("../../../docs/rules/dark-chess.md");
    const CASES: &'static str = include_str!("../../rules/dark_chess.cases");
    const PERFT: (&'static str, usize) = (include_str!("../../perft/dark_chess.perft"), 119);

    fn start(setup: &Setup, chance: &mut dyn Chance) -> Self {
        State::new(&options(setup), chance)
    }

    /// `N` is a face-up piece, `N?` a face-down one, `.` nothing, `!` nothing that is said to be
    /// face-up. The first seat plays red and acts, unless it is said otherwise.
    fn set_up(setup: &Setup, board: &str, more: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let (mut truth, mut face_up) = (Vec::new(), 0_u64);
        for letter in board.chars().filter(|letter| *letter != '/') {
            let bit = 1_u64.checked_shl(truth.len() as u32).unwrap_or(0);
            match letter {
                '?' => face_up &= !(bit >> 1),
                '.' => truth.push(None),
                _ => {
                    truth.push(Piece::from_letter(letter));
                    face_up |= bit;
                }
            }
        }
        let score = more.get("score").and_then(|score| score.split_once(','));
        let points = |points: &str| points.parse().expect("points");
        let parts = Parts {
            truth: truth.try_into().map_err(|_| "not 32 squares")?,
            face_up: face_up as u32,
            turn: match more.get("turn") {
                Some(&"second") => Side::Second,
                _ => Side::First,
            },
            first_color: match more.get("first") {
                Some(&"nobody") => None,
                Some(&"black") => Some(Color::Black),
                _ => Some(Color::Red),
            },
            score: score.map_or([0, 0], |(one, other)| [points(one), points(other)]),
        };
        State::from_parts(&options(setup), &parts).ok_or_else(|| "refused".to_owned())
    }

    fn every_action() -> Vec<Action> {
        let actions = Square::all().flat_map(|from| {
            let moves = Square::all().map(move |to| Action::Move(from, to));
            std::iter::once(Action::Flip(from)).chain(moves)
        });
        actions.collect()
    }

    fn fact(&self, name: &str) -> String {
        match name {
            "quiet" => view(self).quiet_plies().to_string(),
            "colors" => Side::BOTH
                .map(|seat| color_name(view(self).color(seat)))
                .join(" "),
            _ => unreachable!("an unknown fact {name}"),
        }
    }

    /// What is kept is what lies on the board, and every point comes from a piece that is gone.
    fn inspect(&self, start: &Self, played: &[Action]) {
        let now = view(self);
        assert_eq!(now.moves().is_empty(), super::legal(self).is_empty());
        let truth = self.revealed().letters().to_owned();
        let pieces: Vec<_> = truth.chars().map(Piece::from_letter).collect();
        let seen = now.board();
        let up = |(_, letter): &(usize, char)| !"?.".contains(*letter);
        let parts = Parts {
            truth: pieces.clone().try_into().expect("32 squares"),
            face_up: seen
                .chars()
                .enumerate()
                .filter(up)
                .fold(0, |mask, (i, _)| mask | 1 << i),
            turn: Side::BOTH[played.len() % 2],
            first_color: now.color(Side::First),
            score: now.captured.map(|score| score.min(59)),
        };
        let rebuilt = State::from_parts(&Options::default(), &parts).expect("a position");
        assert_eq!(now.seen(), view(&rebuilt).seen());
        assert_eq!(truth, rebuilt.revealed().letters());

        let gone = |color: Color| {
            let missing = Kind::ALL.map(|kind| {
                let piece = Piece { color, kind };
                let left = pieces.iter().filter(|&&at| at == Some(piece)).count();
                kind.points() * (u32::from(kind.count()) - left as u32)
            });
            missing.into_iter().sum::<u32>()
        };
        if let (Some(first), Some(second)) = (now.color(Side::First), now.color(Side::Second)) {
            assert_eq!(now.captured, [gone(second), gone(first)]);
        }
        let drawn = now.outcome().map(|outcome| outcome.reason) == Some(dark_chess::REPETITION);
        let repeated = match now.repetition {
            Repetition::Allowed => false,
            Repetition::OfPosition { times } => occurrences(start, played) >= times,
            Repetition::OfMoves => {
                third_round(&played[played.len() - now.quiet_plies() as usize..])
            }
        };
        assert_eq!(repeated, drawn);
    }
}

/// How often the last position of a game occurred within its last 60 quiet plies, by comparing boards.
fn occurrences(start: &State, played: &[Action]) -> u32 {
    let mut state = start.clone();
    let mut boards = vec![view(&state).board()];
    for &action in played {
        state.apply(action).expect("a legal action");
        if view(&state).quiet_plies() == 0 {
            boards.clear();
        }
        boards.push(view(&state).board());
    }
    let same_seat = boards.iter().rev().take(61).step_by(2);
    same_seat
        .filter(|&board| Some(board) == boards.last())
        .count() as u32
}

/// Whether quiet moves end in three equal parts, within the last 60.
fn third_round(quiet: &[Action]) -> bool {
    let seen = &quiet[quiet.len().saturating_sub(60)..];
    (1..=seen.len() / 3).any(|n| {
        let mut parts = seen.rchunks_exact(n);
        let last = parts.next();
        parts.next() == last && parts.next() == last
    })
}

fn color_name(color: Option<Color>) -> String {
    color.map_or("-".to_owned(), |color| color.to_string())
}

/// A game from a given layout leaves nothing to chance.
struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _bound: u32) -> u32 {
        unreachable!("something was drawn")
    }
}

#[test]
fn a_view_knows_nothing_that_is_hidden() {
    let mut changed = 0;
    sample(|state: &State, start, played| {
        let seen = view(state);
        let down = seen.board();
        let down: Vec<usize> = (0..32).filter(|&i| down.as_bytes()[i] == b'?').collect();
        let mut letters: Vec<char> = start.revealed().letters().chars().collect();
        let mut hidden: Vec<char> = down.iter().map(|&i| letters[i]).collect();
        shuffle(&mut hidden, &mut Stream::new(13, played.len() as u64));
        for (&i, letter) in down.iter().zip(hidden) {
            letters[i] = letter;
        }
        let layout: String = letters.into_iter().collect();
        let number = |limit: Limit| limit.to_string();
        let yes_no = |yes| if yes { "yes" } else { "no" };
        let setup = setup::<State>(&[
            ("layout", &layout),
            ("reading", if seen.rules.ntu { "ntu" } else { "literal" }),
            ("repetitions", &seen.repetition.to_string()),
            (
                "general-takes-general",
                yes_no(seen.rules.general_takes_general),
            ),
            (
                "general-takes-soldier",
                yes_no(seen.rules.general_takes_soldier),
            ),
            ("quiet-plies", &number(seen.quiet_limit)),
        ]);
        let mut other = State::start(&setup, &mut NoChance);
        for &action in played {
            other.apply(action).expect("a legal action");
        }
        assert_eq!(seen, view(&other));
        assert_eq!(format!("{seen:?}"), format!("{:?}", view(&other)));
        changed += u32::from(state.revealed() != other.revealed());
    });
    assert!(changed > 100, "{changed}");
}

#[test]
fn what_takes_what() {
    let takes = |rules: Readings| {
        Kind::ALL.map(|taker| {
            let prey = Kind::ALL
                .into_iter()
                .filter(|&prey| rules.takes(taker, prey));
            let letters = prey.map(|kind| {
                Piece {
                    color: Color::Red,
                    kind,
                }
                .letter()
            });
            letters.collect::<String>()
        })
    };
    // Rows: General, Advisor, Minister, Chariot, Horse, Cannon (it jumps), Soldier.
    let middle = ["GMRNCP", "MRNCP", "RNCP", "NCP", "", "KP"];
    let generals = ["GMRNCP", "KGMRNC", "GMRNC", "KGMRNCP", "KGMRNC", "KGMRNC"];
    for (settings, general) in READINGS.into_iter().zip(generals) {
        let table = takes(options::<Options>(&setup::<State>(settings)).rules());
        assert_eq!(table[0], general);
        assert_eq!(table[1..], middle);
    }
}

#[test]
fn one_of_the_general_options_goes_before_the_reading() {
    let get = |settings: &[(&str, &str)]| {
        let setup = setup::<State>(settings);
        ["general-takes-general", "general-takes-soldier"]
            .map(|key| setup.get(key).expect("a value"))
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
    let drawn = Options::default();
    assert_eq!(drawn.quiet_plies, Limit(Some(60)));
    assert_eq!(drawn.max_plies, Limit(Some(1000)));
}

#[test]
fn the_layout_is_drawn_from_chance() {
    let start = |seed| {
        let state = State::new(&Options::default(), &mut Stream::new(seed, 0));
        state.revealed().letters().to_owned()
    };
    assert_eq!(start(1), "PgKpkPpPCGpCRMcNgcPRGMmnrnrpNpPm");
    assert_eq!(start(1), start(1));
    assert_ne!(start(1), start(2));
    let letters = sorted(start(3).chars().map(String::from)).replace(' ', "");
    assert_eq!(letters, "CCGGKMMNNPPPPPRRccggkmmnnppppprr");
}

#[test]
fn a_view_of_the_start_needs_no_layout() {
    let setup = setup::<State>(&[]);
    let state = State::start(&setup, &mut Stream::new(0, 0));
    assert_eq!(&Seen::new(&options(&setup)), view(&state));
}
