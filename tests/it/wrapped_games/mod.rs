//! Games of other people's libraries, played by the wrappers in `examples/rules`.
//!
//! `WRAPPED_PYTHON` names the Python that has the libraries, and `WRAPPED_GAMES` the random games of each game.

mod comp30024;
mod variants;

use referee::rules::{Deadlines, Program};

use crate::support::{Heard, RandomGame, begin, examples, python_with, start, times, turn};

fn wrapper(python: &str, args: &[&str]) -> Program {
    start(python, args, &examples(), Deadlines::default()).expect("a rules program")
}

/// Plays random games, each once more by another process. Says what the seats heard.
fn random_games(python: &str, args: &[&str], heard: &mut Heard) -> Vec<RandomGame> {
    let count = times("WRAPPED_GAMES", 4);
    let (mut program, mut other) = (wrapper(python, args), wrapper(python, args));
    let games: Vec<RandomGame> = (1..=count as u64)
        .map(|seed| {
            let game = RandomGame::play(&mut program, seed, heard);
            game.replay(&mut other);
            game
        })
        .collect();
    let plies: usize = games.iter().map(RandomGame::len).sum();
    println!(
        "{}: {count} random games of {plies} turns are the same when played again",
        args.join(" ")
    );
    let hides = program.hello().has.hidden;
    assert!(
        !hides || heard.leaks == 0,
        "{args:?}: {} leaks",
        heard.leaks
    );
    program.close();
    other.close();
    games
}

/// Where no points can be won together.
fn assert_zero_sum(games: &[RandomGame]) {
    for game in games {
        assert!(game.points.iter().sum::<f64>().abs() < 1e-6, "{game:?}");
    }
}

#[test]
#[ignore = "slow"]
fn eighteen_games_of_openspiel_are_played_and_played_again() {
    let python = needed!(python_with("pyspiel"));
    let open = [
        "tic_tac_toe",
        "connect_four",
        "breakthrough",
        "hex(board_size=5)",
        "othello",
        "havannah(board_size=4)",
        "y(board_size=5)",
        "go(board_size=5)",
        "backgammon",
        "pig(winscore=30)",
        "matrix_rps",
        "oshi_zumo(coins=10,size=2,horizon=20)",
        // For two or four players, and not for three.
        "snake",
        "snake(players=4)",
    ];
    let hidden = "kuhn_poker leduc_poker liars_dice phantom_ttt dark_hex(board_size=3) \
        goofspiel(num_cards=4,imp_info=true)";
    for game in open.into_iter().chain(hidden.split(' ')) {
        let args = ["openspiel.py", "--game", game];
        let games = random_games(&python, &args, &mut Heard::default());
        if !game.starts_with("pig") && !game.starts_with("snake") {
            assert_zero_sum(&games);
        }
    }
}

/// Where an opponent's action changes the legal ones, a seat that heard nothing would not know its own.
#[test]
#[ignore = "slow"]
fn seats_of_hidden_games_hear_what_they_need_to_know_their_actions() {
    let python = needed!(python_with("pyspiel"));
    for (game, needs_ears) in [
        ("liars_dice", true),
        ("leduc_poker", true),
        ("phantom_ttt", false),
    ] {
        let mut heard = Heard::default();
        let mut program = wrapper(&python, &["openspiel.py", "--game", game]);
        assert!(program.hello().has.hidden);
        for seed in 1..=60 {
            RandomGame::play(&mut program, seed, &mut heard);
        }
        assert!(heard.repeated > 20, "{game}: {}", heard.repeated);
        assert_eq!(heard.leaks, 0, "{game}");
        assert_eq!(heard.leaks_of_the_deaf > 0, needs_ears, "{game}");
        program.close();
    }
}

#[test]
#[ignore = "slow"]
fn chance_comes_from_the_seed_and_cells_are_named_as_actions_name_them() {
    let python = needed!(python_with("pyspiel"));
    for (game, columns, rows) in [
        ("hex(board_size=4)", "a b c d", "1 2 3 4"),
        ("tic_tac_toe", "0 1 2", "0 1 2"),
        ("connect_four", "0 1 2 3 4 5 6", "6 5 4 3 2 1"),
        ("amazons", "1 2 3 4 5 6 7 8 9 10", "1 2 3 4 5 6 7 8 9 10"),
    ] {
        let mut program = wrapper(&python, &["openspiel.py", "--game", game]);
        turn(program.new_game(1, 2, &[]));
        let shown = program.show(None).expect("a board").drawing.board;
        let board = shown.expect("a board");
        let (width, height) = board.size();
        let labels = [
            board.column_labels.list(width),
            board.row_labels.list(height),
        ];
        let expected = [columns, rows];
        assert_eq!(labels.map(|labels| labels.join(" ")), expected, "{game}");
        program.close();
    }
    let mut program = wrapper(&python, &["openspiel.py", "--game", "backgammon"]);
    let mut dice = Vec::new();
    for seed in [1, 2, 3, 4, 5, 1] {
        dice.push(turn(program.new_game(seed, 2, &[])).news);
    }
    assert_eq!(dice[0], dice[5]);
    assert!(dice.iter().any(|news| news != &dice[0]), "{dice:?}");
    program.close();
}

/// The number of games of this many plies from a position in FEN.
fn perft(program: &mut Program, fen: &str, depth: usize, moves: &mut Vec<String>) -> usize {
    let key = program.hello().options[0].key.clone();
    begin(program, 0, &[(&key, &fen.replace(' ', "_"))]);
    let first = u8::from(fen.contains(" b "));
    let mut seat = first;
    for action in &*moves {
        program.queue_play(&[(seat, action)]);
        seat = 1 - seat;
    }
    for ply in 0..moves.len() {
        turn(program.next_answer(&[(first + (ply % 2) as u8) % 2]));
    }
    let legal = program.legal(seat).expect("a list");
    if depth == 1 {
        return legal.len();
    }
    let mut count = 0;
    for action in legal {
        moves.push(action);
        count += perft(program, fen, depth - 1, moves);
        moves.pop();
    }
    count
}

#[test]
#[ignore = "slow"]
fn chess_has_the_known_numbers_of_games() {
    let python = needed!(python_with("chess"));
    let mut program = wrapper(&python, &["chess_rules.py"]);
    // From "Perft Results" of the Chess Programming Wiki.
    let known: [(&str, &[usize]); 5] = [
        ("startpos", &[20, 400, 8902]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2812],
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486],
        ),
    ];
    for (fen, counts) in known {
        for (index, count) in counts.iter().enumerate() {
            let depth = index + 1;
            let games = perft(&mut program, fen, depth, &mut Vec::new());
            assert_eq!(games, *count, "{fen} to depth {depth}");
        }
    }
    program.close();
    random_games(&python, &["chess_rules.py"], &mut Heard::default());
}

#[test]
#[ignore = "slow"]
fn classic_games_of_pettingzoo_are_played_and_played_again() {
    let python = needed!(python_with("pettingzoo.classic.leduc_holdem_v4"));
    for args in [
        ["--game", "tictactoe_v3", "--open"].as_slice(),
        &["--game", "connect_four_v3", "--open"],
        &["--game", "leduc_holdem_v4"],
        &["--game", "texas_holdem_v4"],
        &["--game", "rps_v2"],
        &["--game", "texas_holdem_v4(num_players=3)"],
    ] {
        let args = [&["pettingzoo_rules.py"], args].concat();
        assert_zero_sum(&random_games(&python, &args, &mut Heard::default()));
    }
    // Its players win together.
    if let Some(python) = python_with("shimmy") {
        let args = ["pettingzoo_rules.py", "--game", "hanabi_v5"];
        random_games(&python, &args, &mut Heard::default());
    }
}
