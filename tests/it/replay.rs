//! `referee replay`: a recorded game seen again, as its bots heard it, and fed to a bot.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::journal::read_games;
use crate::support::program::{Ran, referee_reading};
use referee::game::Game;
use referee::record::JOURNAL;
use tempfile::TempDir;

/// A run in a folder that goes away with this value.
struct Run(TempDir);

impl Run {
    fn path(&self) -> PathBuf {
        self.0.path().join("out")
    }
}

/// Plays a tournament, so many games at a time.
fn run(config: &str, jobs: &str) -> Run {
    let run = Run(tempfile::tempdir().expect("a folder"));
    let file = run.0.path().join("config.toml");
    std::fs::write(&file, config).expect("written");
    let [file, out] = [&file, &run.path()].map(|path| path.to_str().expect("text").to_owned());
    let ran = referee_reading(b"", &["run", &file, "-j", jobs, "--out", &out]);
    // A busy machine is warned of.
    let quiet = ran.stderr.lines().all(|line| line.starts_with("warning: "));
    assert!(ran.exit == 0 && quiet, "{ran:?}");
    run
}

fn replay(run: &Path, args: &[&str]) -> Ran {
    let path = run.to_str().expect("text");
    referee_reading(b"", &[&["replay", path], args].concat())
}

fn shown(run: &Path, args: &[&str]) -> String {
    let ran = replay(run, args);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{args:?}");
    ran.stdout
}

/// A bot that always answers `a1`, which is soon taken.
const STUBBORN: &str = "while read -r word rest; do case $word in \
    referee) echo 'bot 1 stubborn';; start) echo ready;; \
    act) echo '# a1 again' ; echo a1;; quit) exit;; esac; done";

/// Two games of Cachex between a bot that loses by its fault and a house bot.
fn stubborn_run() -> Run {
    run(
        &format!(
            "seed = 7\n[game]\nname = \"cachex\"\nsize = 3\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [clock]\nper-game = \"60s\"\n\
             [[player]]\nname = \"stubborn\"\nshell = \"{STUBBORN}\"\n\
             [[player]]\nhouse = \"random\"\n"
        ),
        "1",
    )
}

/// The text with the figures of times left out, which differ from run to run.
fn without_times(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n']);
    words
        .map(|word| {
            let end = word.len() - word.trim_end_matches([' ', '\n', ',']).len();
            let (number, end) = word.split_at(word.len() - end);
            let decimals = number
                .split_once('.')
                .map_or(0, |(_, decimals)| decimals.len());
            match decimals == 3 && number.parse::<f64>().is_ok() {
                true => format!("0.000{end}"),
                false => word.to_owned(),
            }
        })
        .collect()
}

#[test]
fn a_lost_game_is_shown_with_the_reason() {
    let run = stubborn_run();
    let path = run.path();
    let out = path.display();
    let shown = without_times(&shown(&path, &["0"]));
    assert_eq!(
        shown,
        format!(
            "game 0 of {out}: cachex (size=3)\n\
             red is stubborn, blue is random\n\
             \n\
             start\n   3  . . .\n  2  . . .\n 1  . . .\n   a b c\n\
             left on the clocks: red 0.000 s, blue 0.000 s\n\
             \n\
             1. red a1   0.000 s\n   3  . . .\n  2  . . .\n 1  r . .\n   a b c\n\
             left on the clocks: red 0.000 s, blue 0.000 s\n\
             \n\
             2. blue c3   0.000 s\n   3  . . b\n  2  . . .\n 1  r . .\n   a b c\n\
             left on the clocks: red 0.000 s, blue 0.000 s\n\
             \n\
             blue wins after 2 plies (illegal_action: played `a1` at ply 3: a1 is taken by a red \
             stone: a stone goes on an empty cell; legal, the closest first: b1 a2 c1 b2 a3 and 2 \
             more; board: r../.../..b)\n\
             legal: b1 c1 a2 b2 c2 a3 b3\n\
             what red wrote: {out}/stderr/0000/000000-red.log\n\
             again, into the bot of stubborn: referee replay {out} 0 --seat red --into\n"
        )
    );
}

#[test]
fn one_position_can_be_shown() {
    let run = stubborn_run();
    let one = shown(&run.path(), &["0", "--ply", "1"]);
    assert!(one.contains("\n1. red a1 "), "{one}");
    assert!(!one.contains("2. blue") && !one.contains("wins"), "{one}");
    let last = shown(&run.path(), &["0", "--ply", "2"]);
    assert!(last.contains("2. blue") && last.contains("wins"), "{last}");
    let json = shown(&run.path(), &["0", "--ply", "0", "--json"]);
    let left = "[60000000,60000000]";
    assert_eq!(
        json,
        format!("{{\"ply\":0,\"board\":\".../.../...\",\"to_act\":\"red\",\"left_us\":{left}}}\n")
    );
}

#[test]
fn json_has_every_position_and_the_end() {
    let run = stubborn_run();
    let json = shown(&run.path(), &["0", "--json"]);
    let mut objects: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let end = objects.pop().expect("an end");
    let boards: Vec<_> = objects.iter().map(|one| one["board"].as_str()).collect();
    assert_eq!(
        boards,
        [".../.../...", "r../.../...", "r../.../..b"].map(Some)
    );
    assert_eq!(objects[2]["seat"], "blue");
    assert_eq!(objects[2]["action"], "c3");
    assert!(objects[2]["wall_us"].is_u64(), "{json}");
    assert_eq!(end["termination"], "illegal_action");
    assert_eq!(end["forfeited_by"], "stubborn");
    assert_eq!(end["legal"].as_array().map(Vec::len), Some(7));
}

/// House bots that keep what they are sent, a file for each process.
fn recorders(folder: &Path, game: &str, player: &str) -> String {
    let recorder = |name: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\n{player}\nshell = \"tee $(mktemp {}/{name}-XXXXXX) | {} \
             bot random\"\n",
            folder.display(),
            env!("CARGO_BIN_EXE_referee"),
        )
    };
    format!(
        "seed = 5\n{game}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 4\nopening-plies = 1\n\
         {}{}",
        recorder("alice"),
        recorder("bob")
    )
}

/// What each process of a player was sent, in no order.
fn received(folder: &Path, player: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut texts: Vec<String> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(player))
        })
        .map(|path| std::fs::read_to_string(path).expect("text"))
        .collect();
    texts.sort();
    texts
}

#[test]
fn a_transcript_is_what_the_bot_was_sent() {
    let clocks = "[clock]\nper-game = \"20s\"\nincrement = \"7ms\"\nper-move = \"15s\"\n\
                  [limits]\nquit = \"20s\"\n";
    for game in [
        "[game]\nname = \"watch-your-back\"\nmax-plies = 60\n",
        "[game]\nname = \"cachex\"\nsize = 4\n",
        "[game]\nname = \"dark-chess\"\nmax-plies = 80\n",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let game = format!("{game}{clocks}");
        let config = recorders(folder.path(), &game, "fresh-process = true");
        let run = run(&config, "2");
        for player in ["alice", "bob"] {
            let mut transcripts: Vec<String> = (0..4)
                .map(|id| {
                    let args = [&id.to_string(), "--transcript", "--seat", player];
                    shown(&run.path(), &args)
                })
                .collect();
            transcripts.sort();
            assert_eq!(transcripts, received(folder.path(), player));
        }
    }
}

/// A process that plays many games is greeted once, and told to quit once.
#[test]
fn the_transcripts_of_a_process_follow_one_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "[limits]\nquit = \"20s\"\n[game]\nname = \"cachex\"\nsize = 4\n";
    let run = run(&recorders(folder.path(), game, ""), "1");
    for player in ["alice", "bob"] {
        let games: String = (0..4)
            .map(|id| {
                let args = [&id.to_string(), "--transcript", "--seat", player];
                let one = shown(&run.path(), &args);
                let one = one.strip_prefix("referee 1\n").expect("a greeting");
                one.strip_suffix("quit\n").expect("a farewell").to_owned()
            })
            .collect();
        let whole = format!("referee 1\n{games}quit\n");
        assert_eq!(received(folder.path(), player), [whole]);
    }
}

#[test]
fn a_transcript_ends_with_the_request_that_was_answered_badly() {
    let run = stubborn_run();
    let red = shown(&run.path(), &["0", "--transcript", "--seat", "red"]);
    let lines: Vec<&str> = red.lines().collect();
    let [.., act, end, "quit"] = lines[..] else {
        panic!("{red}");
    };
    assert!(act.starts_with("act 59"), "{red}");
    assert!(
        end.starts_with("end blue illegal_action played `a1` at ply 3: "),
        "{red}"
    );
    let blue = shown(&run.path(), &["0", "--transcript", "--seat", "random"]);
    assert!(
        blue.ends_with("\nend blue illegal_action\nquit\n"),
        "{blue}"
    );
    let both = shown(&run.path(), &["0", "--transcript"]);
    assert_eq!(
        both,
        format!("red (stubborn):\n{red}\nblue (random):\n{blue}")
    );
}

#[test]
fn no_transcript_tells_what_is_hidden() {
    let layout = "CprmkPPNpRgPnMCGcrpNKRmpgcPnMPGp";
    let run = run(
        &format!(
            "seed = 1\n[game]\nname = \"dark-chess\"\nlayout = \"{layout}\"\nmax-plies = 10\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [[player]]\nhouse = \"random\"\n[[player]]\nhouse = \"greedy\"\n"
        ),
        "1",
    );
    for args in [&["0", "--transcript"][..], &["0"], &["0", "--json"]] {
        let text = shown(&run.path(), args);
        assert!(!text.contains("layout") && !text.contains(layout), "{text}");
    }
    let json = shown(&run.path(), &["0", "--ply", "0", "--json"]);
    assert!(json.contains(&["????"; 8].join("/")), "{json}");
}

#[test]
fn a_game_is_fed_to_the_players_own_bot() {
    let run = stubborn_run();
    let ran = replay(&run.path(), &["0", "--into"]);
    assert_eq!(ran.exit, 3, "{ran:?}");
    let shown = without_times(&ran.stdout);
    let (board, rest) = shown.split_once("> act ").expect("a request");
    assert_eq!(
        board,
        "ply 3, red to act:\n   3  . . b\n  2  . . .\n 1  r . .\n   a b c\n"
    );
    let (_, rest) = rest.split_once('\n').expect("a line");
    assert_eq!(
        rest,
        "< a1\n\
         illegal: a1 is taken by a red stone: a stone goes on an empty cell; took 0.000 s\n\
         in the game: played `a1` at ply 3: a1 is taken by a red stone: a stone goes on an empty \
         cell; legal, the closest first: b1 a2 c1 b2 a3 and 2 more; board: r../.../..b\n"
    );
    // Its debug lines come as it writes them: one for each of its two requests.
    assert_eq!(ran.stderr, "# a1 again\n# a1 again\n");
}

#[test]
fn a_game_is_fed_to_another_bot_up_to_a_ply() {
    let run = stubborn_run();
    let ran = replay(&run.path(), &["0", "--until", "2", "--into", "random"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert!(ran.stdout.starts_with("ply 2, blue to act:\n"), "{ran:?}");
    // The same bot, the same seed: the same action.
    assert!(ran.stdout.contains("\n< c3\nlegal; took "), "{ran:?}");
    assert!(
        ran.stdout.ends_with("\nthe same as in the game\n"),
        "{ran:?}"
    );

    let mute = [
        "0",
        "--seat",
        "red",
        "--time",
        "300ms",
        "--into",
        "sh -c 'echo hm >&2; cat >&2'",
    ];
    let ran = replay(&run.path(), &mute);
    assert_eq!(ran.exit, 1, "{ran:?}");
    assert!(
        ran.stdout
            .starts_with("after `referee 1`: no answer within 0.3"),
        "{ran:?}"
    );
    assert_eq!(ran.stderr, "hm\nreferee 1\nquit\n");
}

#[test]
fn a_debugger_can_be_attached_before_the_last_request() {
    let run = stubborn_run();
    let path = run.path();
    let args = [
        "replay",
        path.to_str().expect("text"),
        "0",
        "--wait",
        "--into",
    ];
    let ran = referee_reading(b"\n", &args);
    assert_eq!(ran.exit, 3, "{ran:?}");
    let said = ran.stderr.lines().find(|line| line.contains("is process"));
    let said = said.expect("the process is named");
    let pid = said.split(' ').find_map(|word| word.strip_suffix(';'));
    assert!(pid.is_some_and(|pid| pid.parse::<u32>().is_ok()), "{said}");
    assert!(said.ends_with("The answer may take 1day"), "{said}");
}

#[test]
fn a_bot_that_plays_otherwise_is_told_so() {
    let run = stubborn_run();
    let ran = replay(&run.path(), &["0", "--seat", "red", "--into", "search"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(
        ran.stderr
            .starts_with("referee: at ply 1 the bot now answers `")
            && ran
                .stderr
                .ends_with("in the game it was a1, and the game goes on with that\n"),
        "{ran:?}"
    );
}

#[test]
fn what_cannot_be_replayed_is_said() {
    let run = stubborn_run();
    let path = run.path();
    let failures: [(&[&str], i32, &str); 8] = [
        (&["7"], 2, "there is no game 7 in "),
        (&["0", "--ply", "3"], 2, "--ply 3: this game has 2 plies"),
        (
            &["0", "--seat", "red"],
            2,
            "--seat goes with --transcript or --into",
        ),
        (
            &["0", "--transcript", "--seat", "eve"],
            2,
            "red is stubborn, blue is random",
        ),
        (
            &["0", "--until", "4", "--into"],
            2,
            "it is a ply from 1 to 3",
        ),
        (
            &["0", "--until", "0", "--into"],
            2,
            "it is a ply from 1 to 3",
        ),
        (
            &["0", "--seat", "red", "--until", "2", "--into"],
            2,
            "blue was to act there",
        ),
        (
            &["0", "--into", "no-such-bot"],
            2,
            "there is no program `no-such-bot` in PATH",
        ),
    ];
    for (args, exit, words) in failures {
        let ran = replay(&path, args);
        assert_eq!((ran.exit, ran.stdout.as_str()), (exit, ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
    assert!(replay(&path, &["7"]).stderr.contains("it has games 0 to 1"));

    let ran = replay(&path.join("nowhere"), &["0"]);
    assert_eq!(ran.exit, 5);
    assert!(ran.stderr.contains("there is no run in "), "{}", ran.stderr);

    let log = path.join("games/0000/000000.csv");
    let text = std::fs::read_to_string(&log).expect("a log");
    let broken: BTreeMap<&str, (String, i32)> = BTreeMap::from([
        (
            "ply 1: `a9` is illegal",
            (text.replace("1,red,a1", "1,red,a9"), 1),
        ),
        ("line 2 has `soon", (text.replacen(",,", ",,soon", 1), 5)),
        (
            "the journal has 2 plies, the log 0",
            (text.lines().take(1).collect(), 1),
        ),
    ]);
    for (words, (text, exit)) in broken {
        std::fs::write(&log, text).expect("written");
        let ran = replay(&path, &["0"]);
        assert_eq!((ran.exit, ran.stdout.as_str()), (exit, ""), "{words}");
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    std::fs::remove_file(&log).expect("removed");
    let ran = replay(&path, &["0"]);
    assert_eq!(ran.exit, 5);
    assert!(
        ran.stderr.contains("000000.csv: cannot be read"),
        "{}",
        ran.stderr
    );
}

/// The position in a detail is that of the game, in every game.
#[test]
fn a_detail_has_the_board_row_by_row() {
    for game in Game::ALL {
        let shell = STUBBORN.replace("echo a1;;", "echo $ACTION;;");
        let action = match game {
            Game::WatchYourBack => "0,0",
            Game::Cachex => "z9",
            Game::DarkChess => "a1-a2",
        };
        let run = run(
            &format!(
                "seed = 7\n[game]\nname = \"{}\"\n\
                 [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
                 [[player]]\nname = \"bad\"\nshell = \"{shell}\"\nenv = {{ ACTION = \"{action}\" }}\n\
                 [[player]]\nhouse = \"random\"\n",
                game.name()
            ),
            "1",
        );
        for row in read_games(&run.path().join(JOURNAL)).expect("a journal") {
            let json = shown(&run.path(), &[&row.id.to_string(), "--json"]);
            let lines: Vec<&str> = json.lines().collect();
            let last = lines[lines.len() - 2];
            let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
            let detail = row.detail();
            let (_, board) = detail.split_once("; board: ").expect("a board");
            assert_eq!(Some(board), last["board"].as_str());
            assert_eq!(row.end.termination.name(), "illegal_action");
        }
    }
}

/// Where both bots fail at once, each is told its own part.
#[test]
fn a_handshake_that_failed_has_a_transcript_without_a_start() {
    let run = run(
        "seed = 1\n[game]\nname = \"cachex\"\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
         [[player]]\nname = \"gone\"\nshell = \"read a; exit 3\"\n\
         [[player]]\nname = \"rude\"\nshell = \"read a; echo hello; cat\"\n",
        "1",
    );
    let wanted = [
        ("gone", "the bot's process exited with code 3"),
        (
            "rude",
            "answered `hello` to the handshake: expected `bot 1 NAME`",
        ),
    ];
    for (player, words) in wanted {
        let ran = replay(&run.path(), &["0", "--transcript", "--seat", player]);
        assert_eq!(
            (ran.exit, ran.stdout),
            (0, format!("referee 1\nend none handshake {words}\nquit\n"))
        );
        assert!(ran.stderr.contains("failed before `start` was sent"));
    }
    let ran = replay(&run.path(), &["0", "--into"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert!(ran.stderr.contains("see `referee check`"), "{ran:?}");
    let shown = shown(&run.path(), &["0"]);
    assert!(shown.contains("\nnobody wins after 0 plies (handshake: red: "));
}

/// A bot that is fed a game hears what the one in the game heard, and is then told to quit.
#[test]
fn a_bot_is_fed_what_the_transcript_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = folder.path().join("heard");
    let bot = format!(
        "sh -c 'tee {} | {} bot random'",
        heard.display(),
        env!("CARGO_BIN_EXE_referee")
    );
    let sample = Path::new("results/sample");
    for (seat, ply) in [("red", "13"), ("blue", "8")] {
        let args = [
            "1", "--seat", seat, "--until", ply, "--time", "60s", "--into", &bot,
        ];
        let ran = replay(sample, &args);
        assert_eq!(ran.exit, 0, "{ran:?}");
        let heard = std::fs::read_to_string(&heard).expect("text");
        let transcript = shown(sample, &["1", "--transcript", "--seat", seat]);
        let asked: usize = ply.parse().expect("a number");
        let mut wanted = String::new();
        let mut played = 0;
        for line in transcript.split_inclusive('\n') {
            wanted.push_str(line);
            played += usize::from(line.starts_with("did "));
            if line.starts_with("act ") && played == asked - 1 {
                break;
            }
        }
        assert_eq!(heard, wanted + "quit\n", "{seat}");
    }
}

/// At a terminal a game is stepped through by keys; `script` makes one.
#[test]
fn a_game_is_stepped_through_at_a_terminal() {
    let own = env!("CARGO_BIN_EXE_referee");
    let mut terminal = Command::new("script");
    terminal
        .args([
            "-qec",
            &format!("{own} replay results/sample 1"),
            "/dev/null",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let Ok(mut terminal) = terminal.spawn() else {
        println!("skipped: needs script, of util-linux");
        return;
    };
    let mut keys = terminal.stdin.take().expect("a pipe");
    let mut screen = terminal.stdout.take().expect("a pipe");
    let (send, shown) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut chunk) {
            if send.send(chunk[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut seen = Vec::new();
    let steps: [(&[u8], &str, &str); 8] = [
        (b"", "start\r\n", "ply 0 of 13 "),
        (b"\r", "1. red d1 ", "ply 1 of 13 "),
        (b"\x1b[C", "2. blue e2 ", "ply 2 of 13 "),
        (b"\x1b[D", "1. red d1 ", "ply 1 of 13 "),
        (b"G", "red wins after 13 plies", "ply 13 of 13 "),
        (b" ", "red wins after 13 plies", "ply 13 of 13 "),
        (b"\x1b[H", "start\r\n", "ply 0 of 13 "),
        (b"n", "1. red d1 ", "ply 1 of 13 "),
    ];
    for (key, words, place) in steps {
        keys.write_all(key).expect("written");
        let frame = loop {
            let text = String::from_utf8_lossy(&seen).into_owned();
            // A frame ends with the line that names the keys.
            if let Some((frame, _)) = text.split_once("q quits\r\n") {
                seen.drain(..frame.len() + "q quits\r\n".len());
                break frame.to_owned();
            }
            let more = shown.recv_timeout(Duration::from_secs(60));
            seen.extend(more.expect("a frame"));
        };
        assert!(frame.contains(words), "{key:?}: {frame}");
        assert!(frame.contains(place), "{key:?}: {frame}");
    }
    keys.write_all(b"q").expect("written");
    assert!(terminal.wait().expect("it ends").success());
    reader.join().expect("it ends too");
}
