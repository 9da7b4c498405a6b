//! `referee replay --transcript`: every line that a bot was sent in a game.

use std::path::Path;

use crate::support::config::{GREEDY, RANDOM, shell, small_cachex};
use crate::support::{REFEREE, TestRun, stubborn_run};

/// House bots that record what they are sent, in a file per process.
fn recorders(folder: &Path, game: &str, player: &str) -> String {
    let recorder = |name: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\n{player}\nshell = \"tee $(mktemp {}/{name}-XXXXXX) | {REFEREE} \
             bot random\"\n",
            folder.display(),
        )
    };
    format!(
        "seed = 5\n{game}\n[format]\nkind = \"round-robin\"\ngames-per-pairing = 4\nopening-plies = 1\n\
         {}{}",
        recorder("alice"),
        recorder("bob")
    )
}

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

fn transcript(run: &TestRun, id: u32, player: &str) -> String {
    run.referee(&format!("replay out {id} --transcript --seat {player}"))
        .ok()
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
        let run = TestRun::played(&config);
        for player in ["alice", "bob"] {
            let mut transcripts: Vec<String> =
                (0..4).map(|id| transcript(&run, id, player)).collect();
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
    let run = TestRun::played_in_order(&recorders(folder.path(), game, ""));
    for player in ["alice", "bob"] {
        let games: String = (0..4)
            .map(|id| {
                let one = transcript(&run, id, player);
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
    let red = transcript(&run, 0, "red");
    let lines: Vec<&str> = red.lines().collect();
    let [.., act, end, "quit"] = lines[..] else {
        panic!("{red}");
    };
    assert!(act.starts_with("act 59"), "{red}");
    let words = "end blue illegal_action played `a1` at ply 3: ";
    assert!(end.starts_with(words), "{red}");
    let blue = transcript(&run, 0, "random");
    assert!(
        blue.ends_with("\nend blue illegal_action\nquit\n"),
        "{blue}"
    );
    let both = run.referee("replay out 0 --transcript").ok();
    let expected = format!("red (stubborn):\n{red}\nblue (random):\n{blue}");
    assert_eq!(both, expected);
}

#[test]
fn no_transcript_tells_what_is_hidden() {
    let layout = "CprmkPPNpRgPnMCGcrpNKRmpgcPnMPGp";
    let run = TestRun::played_in_order(&format!(
        "seed = 1\n[game]\nname = \"dark-chess\"\nlayout = \"{layout}\"\nmax-plies = 10\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n{RANDOM}{GREEDY}"
    ));
    for options in ["--transcript", "", "--json"] {
        let text = run.referee(&format!("replay out 0 {options}")).ok();
        assert!(!text.contains("layout") && !text.contains(layout), "{text}");
    }
    let json = run.referee("replay out 0 --ply 0 --json").ok();
    assert!(json.contains(&["????"; 8].join("/")), "{json}");
}

/// Where both bots fail at once, each is told its own failure.
#[test]
fn a_handshake_that_failed_has_a_transcript_without_a_start() {
    let run = TestRun::played_in_order(&small_cachex(
        2,
        &[
            &shell("gone", "read a; exit 3"),
            &shell("rude", "read a; echo hello; cat"),
        ],
    ));
    let wanted = [
        ("gone", "the bot's process exited with code 3"),
        (
            "rude",
            "answered `hello` to the handshake: expected `bot 1 NAME`",
        ),
    ];
    for (player, words) in wanted {
        let ran = run.referee(&format!("replay out 0 --transcript --seat {player}"));
        let due = (0, format!("referee 1\nend none handshake {words}\nquit\n"));
        assert_eq!((ran.exit, ran.stdout), due);
        assert!(ran.stderr.contains("failed before `start` was sent"));
    }
    let ran = run.referee("replay out 0 --into");
    ran.fails(2, "see `referee check`");
    let shown = run.referee("replay out 0").ok();
    assert!(shown.contains("\nnobody wins after 0 plies (handshake: red: "));
}
