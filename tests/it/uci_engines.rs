//! Engines that speak UCI: stand-ins that are wrong in one way each, and real ones where they are installed.

use referee::game::Seat;
use std::process::{Child, Command};

use crate::support::{
    TestRun, columns, end_as_declared, engine, engines, wait_for_the_end_of_all_with,
};

/// Stand-ins of `tests/engines/uci.py`, the termination of their games, and its reason or words of the detail.
const STAND_INS: [&str; 29] = [
    "plays | rules | threefold_repetition",
    "is-silent | handshake | no `uciok` within 4.000 s",
    "is-never-ready | handshake | no `readyok` within 4.000 s",
    "hangs-at-a-new-game | handshake | no `readyok` within 4.000 s",
    "is-slow-to-start | rules | threefold_repetition",
    "floods-info | rules | threefold_repetition",
    "writes-long-lines | rules | threefold_repetition",
    "never-ends-a-line | protocol_error | the bot wrote a line of more than 1048576 bytes",
    "forgets-the-newline | time | no `bestmove` within 3.000 s; its last line, `bestmove ",
    "answers-twice | protocol_error | without a `go`: one `bestmove` answers one `go`",
    "moves-unasked | protocol_error | the engine wrote `bestmove e2e4` without a `go`",
    "has-no-move | illegal_action | the engine answered `bestmove (none)`, which is no move",
    "moves-nothing | illegal_action | the engine answered `bestmove 0000`, which is no move",
    "says-no-move | illegal_action | the engine answered `bestmove`, which is no move",
    "promotes-a-knight | illegal_action | q` at ply ",
    "promotes-to-a-king | protocol_error | k` at ply ",
    "shouts | protocol_error | answered `G",
    "moves-the-wrong-piece | illegal_action | played `e2e5` at ply ",
    "ignores-stop | time | no `bestmove` within 3.000 s",
    "waits-for-stop | rules | threefold_repetition",
    "exits-at-go | crash | exited with code 3",
    "exits-in-the-game | crash | exited with code 4; its output ends with `out of ideas`",
    "crashes-at-quit | rules | threefold_repetition",
    "ignores-quit | rules | threefold_repetition",
    "ends-lines-like-windows | rules | threefold_repetition",
    "thinks-of-the-opponent | rules | threefold_repetition",
    "talks-on | rules | threefold_repetition",
    "lies | rules | threefold_repetition",
    "writes-nonsense | rules | threefold_repetition",
];

/// The command of a stand-in; `None` without Python.
fn stand_in(name: &str) -> Option<Vec<String>> {
    engines::stand_in("uci.py", &[name])
}

#[test]
#[ignore = "slow"]
fn stand_ins_end_as_declared_and_none_halts_the_run() {
    end_as_declared("uci.py", "[game]\nname = \"chess\"\n", &STAND_INS);
}

#[test]
fn options_are_checked_before_the_first_game() {
    let plays = needed!(stand_in("plays"));
    let config = |options: &str| {
        format!(
            "[game]\nname = \"chess\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [[player]]\nname = \"a-{{hash}}\"\nspeaks = \"uci\"\ncommand = {plays:?}\ngo = {{ depth = 3 }}\n\
             options = {{ {options} }}\n[player.grid]\nhash = [1, 2]\n"
        )
    };
    let run = TestRun::new(&config("Hash = \"{hash}\", style = \"very wild\""));
    run.referee("run config.toml --check").ok();
    run.play(&[]);
    for id in [0, 1] {
        let lines = run
            .referee(&format!("replay out {id} --seat white --transcript"))
            .ok();
        let games = run.games();
        let mut games = games.iter();
        let game = games.find(|row| row.id == id).expect("it was played");
        let hash = 1 + u8::from(game.names()[Seat::FIRST] != "a-1");
        let set = format!("setoption name Hash value {hash}");
        let first = format!(
            "uci\n{set}\nsetoption name style value very wild\nisready\nucinewgame\nisready\n\
             position startpos\ngo depth 3\n"
        );
        assert!(lines.starts_with(&first), "{lines}");
        assert!(lines.contains("\nposition startpos moves g1f3 g8f6\ngo depth 3\n"));
        assert!(lines.ends_with("\nquit\n"), "{lines}");
    }
    let other = format!("{:?}", needed!(stand_in("has-no-options")).join(" "));
    for bot in ["", &other] {
        let line = format!("replay out 0 --seat black --until 2 --into {bot}");
        let words = "> position startpos moves g1f3\n> go depth 3\n< g8f6\nlegal";
        assert_has!(run.referee(&line).stdout, words);
    }
    for row in [
        "Hahs = \"{hash}\" | player `a-1`: the engine has no option `Hahs`: did you mean `Hash`?",
        "Hash = \"{hash}000\" | player `a-2`: the engine's option `Hash` cannot be `2000`: expected a whole \
         number from 1 to 1024",
        "Hash = \"{hash}\", Style = \"Wild\" | the engine's option `Style` cannot be `Wild`: expected one of \
         Solid, Very Wild",
    ] {
        let [options, problem] = columns(row);
        let run = TestRun::new(&config(options));
        for line in ["run config.toml --check", "run config.toml --out out"] {
            run.referee(line).fails(2, problem);
        }
    }
    let drawn = config("Hash = \"{hash}\"")
        .replace("\n[format]", "\nvariant = \"fischer-random\"\n[format]");
    let run = TestRun::new(&drawn);
    for line in ["run config.toml --check", "run config.toml --out out"] {
        run.referee(line).fails(
            2,
            "player `a-1`: it cannot play Fischer random chess: the engine has no option `UCI_Chess960`",
        );
    }
}

#[test]
fn an_engine_that_cannot_play_is_refused_with_what_to_do() {
    let engine = "[[player]]\nname = \"a\"\nspeaks = \"uci\"\ncommand = [\"sh\"]\n";
    for row in [
        "cachex |  | player `a`: it speaks uci, and the actions of cachex are not written so: expected chess, \
         or rules with `notation uci`, or no `speaks`",
        "chess |  | player `a`: it speaks uci, and nothing limits its searches",
        "chess | go = { dept = 3 } | `go` has no `dept` (did you mean `depth`?): expected nodes, depth, movetime",
        "chess | go = { depth = 0 } | `depth` cannot be 0: expected a whole number from 1 to 1000",
        "chess | options = { Hash = [1] } | the option `Hash` cannot be `[1]`: expected a text, a number, true \
         or false",
    ] {
        let [game, player, problem] = columns(row);
        let config = format!(
            "[game]\nname = \"{game}\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             {engine}{player}\n[[player]]\nhouse = \"random\"\n"
        );
        TestRun::new(&config)
            .referee("run config.toml --check")
            .fails(2, problem);
    }
}

#[test]
#[ignore = "slow"]
fn real_engines_play_without_a_forfeit() {
    // A long report breaks gnuchess off where its threads wait for a processor: it ends by an assertion of its own.
    let engines = [
        ("stockfish", "", ""),
        ("gnuchess", "--uci", "go = { depth = 4 }"),
        ("toga2", "", ""),
    ];
    let mark = format!("REFEREE_TEST_REAL_UCI={}", std::process::id());
    let (key, value) = mark.split_once('=').expect("a variable");
    let mut config = "seed = 5\n[[game]]\nname = \"chess\"\nvariant = \"standard\"\n\
                      [format]\nkind = \"round-robin\"\ngames-per-pairing = 4\nopening-plies = 4\n\
                      [clock]\nmeasure = \"cpu\"\nper-game = \"3s\"\nincrement = \"10ms\"\n"
        .to_owned();
    let mut count = 0;
    for (name, argument, keys) in engines {
        let Some(program) = engine(name) else {
            continue;
        };
        count += 1;
        let words = [program.to_str().expect("text"), argument].into_iter();
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        config += &format!(
            "[[player]]\nname = {name:?}\nspeaks = \"uci\"\ncommand = {words:?}\n\
             options = {{ Hash = 8 }}\n{keys}\nenv = {{ {key} = {value:?} }}\n"
        );
    }
    if count < 2 {
        return;
    }
    let run = TestRun::played(&config);
    let games = run.games();
    assert_eq!(games.len(), 2 * count * (count - 1));
    for row in &games {
        assert_eq!(row.end.termination.name(), "rules", "{}", row.detail());
    }
    run.referee("verify out").ok();
    wait_for_the_end_of_all_with(&mark);
}

/// Processes that compute until this value is dropped.
pub struct Load(Vec<Child>);

impl Load {
    pub fn start(processes: usize) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "while :; do :; done"]);
        let spin = |_| shell.spawn().expect("sh");
        Self((0..processes).map(spin).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for process in &mut self.0 {
            // It does nothing but compute, and cannot have ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// `ENGINE_GAMES` sets the number of games. Without it there are two, and no load, which would slow other tests.
/// `MARGIN` is the margin of the clocks.
#[test]
#[ignore = "slow"]
fn stockfish_against_itself_on_a_loaded_machine_loses_no_game_on_time() {
    let program = needed!(engine("stockfish"));
    let asked = std::env::var("ENGINE_GAMES").ok();
    let margin = std::env::var("MARGIN");
    let margin = margin.as_deref().unwrap_or("100ms");
    let games = asked.as_deref().unwrap_or("2");
    let player = |name: &str| {
        format!(
            "[[player]]\nname = {name:?}\nspeaks = \"uci\"\ncommand = [{program:?}]\noptions = {{ Hash = 1 }}\n"
        )
    };
    let run = TestRun::new(&format!(
        "seed = 5\n[game]\nname = \"chess\"\n[format]\nkind = \"round-robin\"\ngames-per-pairing = {games}\n\
         opening-plies = 6\n[clock]\nper-game = \"1s\"\nincrement = \"10ms\"\nmargin = \"{margin}\"\n[record]\nlogs = \"forfeits\"\n\
         [report]\npages = false\n{}{}",
        player("one"),
        player("two")
    ));
    let cores = std::thread::available_parallelism().expect("cores").get();
    let load = asked.as_ref().map(|_| Load::start(2 * cores));
    let ran = run.run(&["-j", "2"]);
    drop(load);
    // Games that the machine disturbs twice are set aside, which has its own exit code.
    assert!(ran.exit == 0 || ran.exit == 6, "{ran:?}");
    let mut plies = 0;
    for row in run.games() {
        assert!(!row.is_forfeited(), "game {}: {}", row.id, row.detail());
        plies += u64::from(row.end.plies);
    }
    let set_aside = games.parse::<usize>().expect("a number") - run.games().len();
    println!("{games} games, {plies} plies, {set_aside} set aside, no forfeit");
}

#[test]
fn scores_of_engines_are_in_the_log_and_can_end_a_game() {
    needed!(stand_in("plays"));
    for row in [
        " | sees-a-win sees-a-loss | threefold_repetition | 8",
        "resign-score = 600 | sees-a-win sees-a-loss | resign_score | 6",
        "resign-score = 660 | sees-a-win sees-a-loss | threefold_repetition | 8",
        "resign-score = 660, resign-sides = 1, resign-moves = 1 | sees-a-win sees-a-loss | resign_score | 2",
        "draw-score = 20, draw-moves = 2, draw-after = 3 | plays plays | draw_score | 6",
        "draw-score = 20, draw-moves = 2, draw-number = 3 | plays plays | draw_score | 6",
        "max-moves = 3 | sees-a-win sees-a-loss | max_moves | 6",
    ] {
        let [keys, players, reason, plies] = columns(row);
        let keys = keys.split(", ").filter(|key| !key.is_empty());
        let keys: String = keys.map(|key| format!("adjudicate-{key}\n")).collect();
        let players = ["a", "b"].into_iter().zip(players.split(' '));
        let players = players.map(|(name, stand_in)| {
            let command = self::stand_in(stand_in).expect("Python");
            format!(
                "[[player]]\nname = {name:?}\nspeaks = \"uci\"\ncommand = {command:?}\ngo = {{ depth = 5 }}\n"
            )
        });
        let players: String = players.collect();
        let run = TestRun::played_in_order(&format!(
            "[game]\nname = \"chess\"\n{keys}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n{players}"
        ));
        let game = &run.games()[0];
        let found = game.end.reason.map(|reason| reason.name());
        assert_eq!(found, Some(reason), "{keys}");
        assert_eq!(game.end.plies.to_string(), plies, "{keys}");
        let log = run.read("out/games/0000/000000.csv");
        let first = log.lines().nth(1).expect("a ply");
        let wanted = match reason {
            "draw_score" => ",score=13 depth=5 nodes=1234 time=2,",
            _ => ",score=650 depth=5,",
        };
        assert!(first.contains(wanted), "{first}");
        run.referee("verify out").ok();
    }
}
