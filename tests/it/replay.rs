//! `referee replay`: a recorded game is shown, and fed to a bot.

use referee::game::{cachex, dark_chess, watch_your_back};

use crate::support::{
    RANDOM, REFEREE, STUBBORN, TestRun, referee, referee_reading, screens, stubborn_run,
};

/// The text with 0.000 for all times, which differ from run to run.
fn without_times(text: &str) -> String {
    let is_time = |word: &str| {
        let decimals = word
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        decimals == 3 && word.parse::<f64>().is_ok()
    };
    let words = text.split_inclusive([' ', '\n']).map(|word| {
        let number = word.trim_end_matches([' ', '\n', ',']);
        match is_time(number) {
            true => word.replace(number, "0.000"),
            false => word.to_owned(),
        }
    });
    words.collect()
}

#[test]
fn a_lost_game_is_shown_with_the_reason() {
    let run = stubborn_run();
    let shown = screens(
        run.folder(),
        &[
            "replay out 0",
            "replay out 0 --ply 1",
            "replay out 0 --ply 2",
        ],
    );
    assert_screen!(without_times(&shown));
}

#[test]
fn a_game_is_shown_as_json_and_fed_to_another_bot() {
    let run = stubborn_run();
    json_has_every_position_and_the_end(&run);
    a_game_is_fed_to_another_bot_up_to_a_ply(&run);
    a_debugger_can_be_attached_before_the_last_request(&run);
    let ran = run.referee("replay out 0 --seat red --into search").done();
    assert_starts!(ran.stderr, "referee: at ply 1 the bot now answers `");
    let end = "in the game it was a1, and the game goes on with that\n";
    assert!(ran.stderr.ends_with(end), "{ran:?}");
}

fn json_has_every_position_and_the_end(run: &TestRun) {
    let expected = "{\"ply\":0,\"board\":\".../.../...\",\"to_act\":\"red\",\"left_us\":[60000000,60000000]}\n";
    assert_eq!(run.referee("replay out 0 --ply 0 --json").ok(), expected);
    let json = run.referee("replay out 0 --json").ok();
    let parse = |line| serde_json::from_str(line).expect("JSON");
    let mut objects: Vec<serde_json::Value> = json.lines().map(parse).collect();
    let end = objects.pop().expect("an end");
    let boards: Vec<_> = objects.iter().map(|one| one["board"].as_str()).collect();
    let expected = [".../.../...", ".../.../r..", "..b/.../r.."].map(Some);
    assert_eq!(boards, expected);
    assert_eq!(objects[2]["seat"], "blue");
    assert_eq!(objects[2]["action"], "c3");
    assert!(objects[2]["wall_us"].is_u64(), "{json}");
    assert_eq!(end["termination"], "illegal_action");
    assert_eq!(end["forfeited_by"], "stubborn");
    assert_eq!(end["legal"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_game_is_fed_to_the_players_own_bot() {
    let run = stubborn_run();
    let ran = run.referee("replay out 0 --into");
    // A debug line for each of its two requests.
    assert_eq!(ran.stderr, "# a1 again\n# a1 again\n");
    let screen = without_times(&ran.screen());
    let (board, rest) = screen.split_once("> act ").expect("a request");
    let (_, rest) = rest.split_once('\n').expect("a line");
    assert_screen!(format!("{board}> act [CLOCKS]\n{rest}"));
}

fn a_game_is_fed_to_another_bot_up_to_a_ply(run: &TestRun) {
    let shown = run.referee("replay out 0 --until 2 --into random").ok();
    assert!(shown.starts_with("ply 2, blue to act:\n"), "{shown}");
    // The same bot, the same seed: the same action.
    assert!(shown.contains("\n< c3\nlegal; took "), "{shown}");
    assert!(shown.ends_with("\nthe same as in the game\n"), "{shown}");

    let mute = "replay out 0 --seat red --time 300ms --into \"sh -c 'echo hm >&2; cat >&2'\"";
    let ran = run.referee(mute);
    assert_eq!(ran.exit, 1, "{ran:?}");
    let words = "after `referee 1`: no answer within 0.3";
    assert!(ran.stdout.starts_with(words), "{ran:?}");
    assert_eq!(ran.stderr, "hm\nreferee 1\nend none void\nquit\n");
}

fn a_debugger_can_be_attached_before_the_last_request(run: &TestRun) {
    let args = ["replay", "out", "0", "--wait", "--into"];
    let ran = referee_reading(run.folder(), b"\n", &args);
    assert_eq!(ran.exit, 3, "{ran:?}");
    let said = ran.stderr.lines().find(|line| line.contains("is process"));
    let said = said.expect("the process is named");
    let pid = said.split(' ').find_map(|word| word.strip_suffix(';'));
    assert!(pid.is_some_and(|pid| pid.parse::<u32>().is_ok()), "{said}");
    assert!(said.ends_with("The answer may take 1day"), "{said}");
}

#[test]
fn a_game_that_cannot_be_replayed_is_refused_with_the_reason() {
    let run = stubborn_run();
    let mut said = screens(
        run.folder(),
        &[
            "replay out 7",
            "replay out 0 --ply 3",
            "replay out 0 --seat red",
            "replay out 0 --transcript --seat eve",
            "replay out 0 --until 4 --into",
            "replay out 0 --until 0 --into",
            "replay out 0 --seat red --until 2 --into",
            "replay out 0 --into no-such-bot",
            "replay nowhere 0",
        ],
    );
    let log = "out/games/0000/000000.csv";
    let text = run.read(log);
    let first = text.lines().nth(1).expect("a ply");
    let mut fields: Vec<&str> = first.split(',').collect();
    fields[4] = "soon";
    for (what, broken) in [
        ("an illegal action", text.replace("1,red,a1", "1,red,a9")),
        (
            "a time that is text",
            text.replace(first, &fields.join(",")),
        ),
        ("no ply", text.lines().take(1).collect()),
    ] {
        run.write(log, &broken);
        let ran = run.referee("replay out 0");
        said.push_str(&format!("\nThe log has {what}:\n{}", ran.screen()));
        if what == "a time that is text" {
            assert!(ran.stderr.contains("line 2: it has `soon"), "{ran:?}");
        }
    }
    std::fs::remove_file(run.path(log)).expect("removed");
    let screen = run.referee("replay out 0").screen();
    said.push_str(&format!("\nThe log is not there:\n{screen}"));
    assert_screen!(said);
}

/// The board at the end of a detail is the last position of the game, in the rows of its drawing: Cachex
/// is drawn with its last row at the top.
#[test]
fn a_detail_has_the_board_row_by_row() {
    for (game, action) in [
        (watch_your_back::GAME, "0,0"),
        (cachex::GAME, "z9"),
        (dark_chess::GAME, "a1-a2"),
    ] {
        let shell = STUBBORN.replace("echo a1;;", "echo $ACTION;;");
        let run = TestRun::played_in_order(&format!(
            "seed = 7\n[game]\nname = \"{}\"\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n\
             [[player]]\nname = \"bad\"\nshell = \"{shell}\"\nenv = {{ ACTION = \"{action}\" }}\n{RANDOM}",
            game.name()
        ));
        for row in run.games() {
            let json = run.referee(&format!("replay out {} --json", row.id)).ok();
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

/// A bot that is fed a game is sent what the bot in the game was sent, and then `quit`.
#[test]
fn a_bot_is_fed_what_the_transcript_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = folder.path().join("heard");
    let bot = format!("sh -c 'tee {} | {REFEREE} bot random'", heard.display());
    for (seat, ply) in [("red", "13"), ("blue", "8")] {
        let sample = "results/sample 1 --seat";
        let ran = referee(&format!(
            "replay {sample} {seat} --until {ply} --time 60s --into \"{bot}\""
        ));
        assert_eq!(ran.exit, 0, "{ran:?}");
        let heard = std::fs::read_to_string(&heard).expect("text");
        let transcript = referee(&format!("replay {sample} {seat} --transcript")).ok();
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
