//! Chess: what is its own.

use std::collections::BTreeMap;

use cozy_chess::{Move, Piece, Square};
use proptest::prelude::{prop_assert_eq, proptest};
use referee::game::chess::{Action, Options, State};
use referee::game::{Chance, Game, GameOptions, Setup, View, chess};
use referee::random::Stream;

use super::{Rules, cases, legal, options, setup};

impl Rules for State {
    const GAME: Game = chess::GAME;
    const SETTINGS: &'static [&'static [(&'static str, &'static str)]] = &[
        &[],
        &[("variant", "fischer-random")],
        &[(
            "start",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        )],
        &[("start", "4k2r/1P5p/8/8/8/8/1p5P/4K2R_b_Kk_-_0_1")],
    ];
    const GAMES: u64 = 3;
    const ONE_IN: u32 = 80;
    const POSITIONS: usize = 60;
    const NEARLY: &'static str = "[a-i][0-9][a-i][0-9][qrbnkp]?|.{0,6}";
    const PAGE: &'static str = include_str!("../../../docs/rules/chess.md");
    const CASES: &'static str = include_str!("../../rules/chess.cases");
    const PERFT: (&'static str, usize) = (include_str!("../../perft/chess.perft"), 54);

    fn start(setup: &Setup, chance: &mut dyn Chance) -> Self {
        State::new(&options(setup), chance)
    }

    fn set_up(setup: &Setup, board: &str, _more: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let mut setup = setup.clone();
        setup
            .set("start", board)
            .map_err(|error| error.to_string())?;
        Ok(State::new(&options(&setup), &mut Stream::new(0, 0)))
    }

    fn every_action() -> Vec<Action> {
        let promotions = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let promotions: Vec<Option<Piece>> =
            [None].into_iter().chain(promotions.map(Some)).collect();
        let mut actions = Vec::new();
        for from in Square::ALL {
            for to in Square::ALL {
                actions.extend(promotions.iter().map(|promotion| {
                    Action(Move {
                        from,
                        to,
                        promotion: *promotion,
                    })
                }));
            }
        }
        actions
    }

    fn fact(&self, name: &str) -> String {
        match name {
            "fen" => self.fen(),
            _ => unreachable!("an unknown fact {name}"),
        }
    }

    fn inspect(&self, _start: &Self, played: &[Action]) {
        assert_eq!(View::ply(self), played.len() as u32);
        for action in legal(self) {
            let library = self.library_move(action).expect("a legal move");
            assert_eq!(self.action_of(library), action);
        }
        let fen = self.fen();
        if View::outcome(self).is_none() {
            let again = Self::set_up(&setup::<Self>(&[]), &fen, &BTreeMap::new());
            assert_eq!(again.expect("its own FEN").fact("fen"), fen);
        }
    }
}

#[test]
#[ignore = "slow"]
fn perft_of_depth_five() {
    cases::run_deep::<State>(State::PERFT.0);
}

#[test]
fn a_drawn_start_is_told_as_an_option() {
    let setup = setup::<State>(&[("variant", "fischer-random")]);
    for seed in 0..20 {
        let told = setup
            .settled(&mut Stream::new(seed, 0))
            .expect("a drawn start");
        let position = setup.start(&mut Stream::new(seed, 0)).expect("built in");
        let start = told.get("start").map(|start| start.replace('_', " "));
        assert_eq!(position.chess().map(State::fen), start);
        assert!(told.settled(&mut Stream::new(seed, 0)).is_none());
    }
}

#[test]
fn a_fen_of_any_piece_letters_is_read_or_refused_and_reads_back() {
    proptest!(|(
        rows in proptest::collection::vec("[KQRBNPkqrbnp1-8]{1,8}", 7..9),
        rest in "[wb] (-|[KQkqA-Ha-h]{1,4}) (-|[a-h][36]) [0-9]{1,3} [0-9]{1,3}",
    )| {
        let mut options = Options::default();
        let fen = format!("{} {rest}", rows.join("/"));
        if options.set("start", &fen).is_ok() {
            let start = options.get("start").expect("set");
            let mut again = Options::default();
            prop_assert_eq!(again.set("start", &start), Ok(()));
            prop_assert_eq!(again.get("start"), Some(start));
        }
    });
}
