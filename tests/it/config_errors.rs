//! What `referee run` says about a configuration that cannot be run, word for word.
//!
//! Every error is one line on stderr: where, what is wrong, what was expected. The exit code is 2,
//! and nothing is written.

use std::path::Path;
use std::process::{Command, Output};

/// A configuration that is right, apart from what a case adds.
const GAME: &str = "[game]\nname = \"cachex\"\n";
const FORMAT: &str = "[format]\nkind = \"round-robin\"\ngames-per-pairing = 1\n";
const PLAYERS: &str = "[[player]]\nhouse = \"random\"\n[[player]]\nhouse = \"greedy\"\n";

/// What is wrong, and what is said about it.
struct Case {
    config: String,
    message: &'static str,
}

fn case(parts: &[&str], message: &'static str) -> Case {
    Case {
        config: parts.concat(),
        message,
    }
}

/// Runs `config.toml` in `folder`.
fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["run", "config.toml"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("it runs")
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort_unstable();
    names
}

fn said_about(config: &[u8], args: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    let output = run(folder.path(), args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(files_in(folder.path()), ["config.toml"], "nothing written");
    String::from_utf8(output.stderr).expect("text")
}

fn check(cases: &[Case]) {
    for Case { config, message } in cases {
        let said = said_about(config.as_bytes(), &[]);
        assert_eq!(
            said,
            format!("referee: config.toml:{message}\n"),
            "{config}"
        );
    }
}

#[test]
fn the_right_configuration_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = [GAME, "size = 3\n", FORMAT, PLAYERS].concat();
    std::fs::write(folder.path().join("config.toml"), config).expect("written");
    let output = run(folder.path(), &["-j", "1"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(files_in(folder.path()), ["config.toml", "results"]);
    assert_eq!(files_in(&folder.path().join("results")), ["tournament"]);
    // The next run goes beside the first.
    assert!(run(folder.path(), &["-j", "1"]).status.success());
    assert_eq!(
        files_in(&folder.path().join("results")),
        ["tournament", "tournament-2"]
    );
}

#[test]
#[rustfmt::skip]
fn not_toml() {
    check(&[
        case(&["name = \"t"], "1:10: invalid basic string, expected `\"`"),
        case(&["\n\n  name"], "3:7: key with no value, expected `=`"),
        case(&["seed = 1\nseed = 2\n"], "2:1: this key is there already; several players or games are written [[player]] or [[game]]"),
    ]);
    let said = said_about(b"name = \"\xff\"", &[]);
    assert_eq!(
        said,
        "referee: config.toml: cannot be read: stream did not contain valid UTF-8\n"
    );
}

#[test]
#[rustfmt::skip]
fn unknown_keys_at_every_level() {
    check(&[
        case(&["nmae = \"t\"\n", GAME, FORMAT, PLAYERS], "1:1: unknown key `nmae`, expected one of `name`, `seed`, `game`, `format`, `clock`, `limits`, `record`, `player`"),
        case(&[GAME, "sice = 5\n", FORMAT, PLAYERS], "3:1: unknown key `sice`, expected `name`, `openings`, `opening-order` or an option of cachex: `size`"),
        case(&[GAME, FORMAT, "plies = 2\n", PLAYERS], "6:1: unknown key `plies`, expected one of `kind`, `games-per-pairing`, `opening-plies`, `challengers`, `rounds`, `elo0`, `elo1`, `alpha`, `beta`, `confidence`, `max-games`"),
        case(&[GAME, FORMAT, "[clock]\nper_game = \"5s\"\n", PLAYERS], "7:1: unknown key `per_game`, expected one of `measure`, `per-game`, `increment`, `per-move`, `margin`, `wall-cap`"),
        case(&[GAME, FORMAT, "[limits]\nram = \"1GiB\"\n", PLAYERS], "7:1: unknown key `ram`, expected one of `handshake`, `start`, `quit`, `line`, `turn`, `log`, `memory`, `processes`, `open-files`, `file-size`, `cpu`, `build-time`, `build-memory`, `build-log`, `off-turn`, `isolation`, `isolation-fallback`, `scratch`"),
        case(&[GAME, FORMAT, PLAYERS, "comand = [\"x\"]\n"], "10:1: unknown key `comand`, expected one of `name`, `command`, `shell`, `house`, `args`, `dir`, `build`, `env`, `fresh-process`, `grid`"),
    ]);
}

#[test]
#[rustfmt::skip]
fn missing_keys() {
    check(&[
        case(&[FORMAT, PLAYERS], "1:1: missing key `game`"),
        case(&[GAME, PLAYERS], "1:1: missing key `format`"),
        case(&["[game]\nsize = 5\n", FORMAT, PLAYERS], "1:1: a game has no `name`: expected one of watch-your-back, cachex, dark-chess"),
        case(&[GAME, "[format]\nkind = \"round-robin\"\n", PLAYERS], "3:1: missing key `games-per-pairing`"),
        case(&[GAME, FORMAT], " the tournament has no player: expected at least two [[player]]"),
        case(&[GAME, FORMAT, "[[player]]\nhouse = \"random\"\n"], "6:1: the tournament has one player: expected at least two [[player]]"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\ncommand = [\"sh\"]\n"], "10:1: a player has no `name`: expected one wherever it is not a house bot"),
        case(&[GAME, FORMAT, "[limits]\nisolation = \"landlock\"\n", PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\"]\n"], "14:11: player `x` has no `dir`: expected one under `isolation = \"landlock\"`, where a bot sees its own folder alone"),
        case(&[GAME, FORMAT, "[limits]\nisolation-fallback = \"strict\"\n", PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\"]\n"], "14:11: player `x` has no `dir`: expected one under `isolation = \"strict\"`, where a bot sees its own folder alone"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\n"], "10:1: a player needs exactly one of `command = [\"program\", \"argument\"]`, `shell = \"a line for sh\"` and `house = \"the name of a house bot\"`"),
    ]);
}

#[test]
#[rustfmt::skip]
fn games() {
    check(&[
        case(&["[game]\nname = \"chess\"\n", FORMAT, PLAYERS], "2:8: unknown game \"chess\": expected one of watch-your-back, cachex, dark-chess"),
        case(&["game = \"cachex\"\n", FORMAT, PLAYERS], "1:8: invalid type: string \"cachex\", expected a table [game], or several [[game]]"),
        case(&[GAME, "size = 99\n", FORMAT, PLAYERS], "3:8: `size` cannot be `99`: expected a number from 3 to 26"),
        case(&["[game]\nname = \"dark-chess\"\nreading = \"odd\"\n", FORMAT, PLAYERS], "3:11: `reading` cannot be `odd`: expected literal or common"),
        case(&["[game]\nname = \"watch-your-back\"\nmax-plies = 0\n", FORMAT, PLAYERS], "3:13: `max-plies` cannot be `0`: expected a number from 1 to 1000000, or none"),
        case(&["[[game]]\nname = \"cachex\"\n[[game]]\nname = \"cachex\"\nsize = 5\n", FORMAT, PLAYERS], "1:1: `cachex` is there twice: expected each game once; run variants of one game as tournaments of their own"),
    ]);
}

#[test]
#[rustfmt::skip]
fn numbers_times_and_sizes() {
    check(&[
        case(&["seed = -1\n", GAME, FORMAT, PLAYERS], "1:8: invalid value: integer `-1`, expected a whole number, at least 0"),
        case(&["seed = \"x\"\n", GAME, FORMAT, PLAYERS], "1:8: invalid type: string \"x\", expected a whole number, at least 0"),
        case(&[GAME, "[format]\nkind = \"league\"\ngames-per-pairing = 1\n", PLAYERS], "4:8: unknown value `league`, expected one of `round-robin`, `gauntlet`, `swiss`, `knockout`, `ladder`, `sprt`, `adaptive`"),
        case(&[GAME, "[format]\nkind = \"round-robin\"\ngames-per-pairing = 0\n", PLAYERS], "5:21: `games-per-pairing` is 0: expected at least 1"),
        case(&[GAME, "[format]\nkind = \"round-robin\"\ngames-per-pairing = -2\n", PLAYERS], "5:21: invalid value: integer `-2`, expected a whole number from 0 to 4294967295"),
        case(&[GAME, FORMAT, "opening-plies = 101\n", PLAYERS], "6:17: `opening-plies` is too large: expected at most 100"),
        case(&[GAME, FORMAT, "[clock]\nmeasure = \"sundial\"\n", PLAYERS], "7:11: unknown value `sundial`, expected `wall` or `cpu`"),
        case(&[GAME, FORMAT, "[clock]\nper-game = 5\n", PLAYERS], "7:12: invalid type: integer `5`, expected a number with its unit in quotes, such as \"10s\" or \"64KiB\""),
        case(&[GAME, FORMAT, "[clock]\nper-game = \"5\"\n", PLAYERS], "7:12: `per-game` cannot be `5`: expected a time of at most 30 days with its unit, such as \"500ms\", \"10s\" or \"2m\""),
        case(&[GAME, FORMAT, "[clock]\nper-move = \"0s\"\n", PLAYERS], "7:12: `per-move` is zero: expected some time, or \"none\" for no limit"),
        case(&[GAME, FORMAT, "[clock]\nwall-cap = \"none\"\n", PLAYERS], "7:12: `wall-cap` cannot be \"none\": expected a time; without one a bot that hangs would stop the run"),
        case(&[GAME, FORMAT, "[clock]\nincrement = \"2 years\"\n", PLAYERS], "7:13: `increment` cannot be `2 years`: expected a time of at most 30 days with its unit, such as \"500ms\", \"10s\" or \"2m\""),
        case(&[GAME, FORMAT, "[limits]\nline = \"4 cubits\"\n", PLAYERS], "7:8: `line` cannot be `4 cubits`: expected a size up to 1GiB with its unit, such as \"64KiB\""),
        case(&[GAME, FORMAT, "[limits]\nlog = \"0B\"\n", PLAYERS], "7:7: `log` cannot be `0B`: expected a size up to 1GiB with its unit, such as \"64KiB\""),
    ]);
}

#[test]
#[rustfmt::skip]
fn players() {
    check(&[
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"gredy\"\n"], "11:9: unknown house bot `gredy`: expected one of random, greedy, search"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"random\"\n"], "10:1: a second player is called `random`: expected names that differ; set `name`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"search\"\nname = \"greedy\"\n"], "12:8: a second player is called `greedy`: expected names that differ; set `name`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"../x\"\nhouse = \"random\"\n"], "11:8: `../x` cannot be a name: expected at most 100 letters, digits, `-`, `_`, `+` and `.`, not beginning with `.`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"no-such-program\"]\n"], "12:11: player `x` cannot be started: there is no program `no-such-program` in PATH; for one in the bot's own folder write `./no-such-program`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"./bot\"]\n"], "12:11: player `x` cannot be started: there is no program `./bot`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"./config.toml\"]\n"], "12:11: player `x` cannot be started: `./config.toml` may not be executed; `chmod +x ./config.toml` if it is a program"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"bin/bot\"]\ndir = \"/dev/fd\"\n"], "12:11: player `x` cannot be started: there is no program `/dev/fd/bin/bot`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"./bot\"]\ndir = \"bots/x\"\n"], "13:7: player `x` cannot be started: there is no folder `bots/x`"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = []\n"], "12:11: `command` is empty: expected a program and its arguments, such as [\"python3\", \"bot.py\"]"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = \"python3 bot.py\"\n"], "12:11: invalid type: string \"python3 bot.py\", expected a list, such as [\"python3\", \"bot.py\"]"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\ncommand = [\"sh\"]\nargs = [\"x\"]\n"], "10:1: `args` goes with `house` alone: expected the arguments in `command` itself"),
        case(&[GAME, FORMAT, PLAYERS, "env = { SEED = 1 }\n"], "10:16: invalid type: integer `1`, expected a string"),
        case(&[GAME, FORMAT, "[player]\nhouse = \"random\"\n"], "6:1: invalid type: table, expected [[player]] in double brackets"),
    ]);
}

#[test]
#[rustfmt::skip]
fn formats() {
    check(&[
        case(&[GAME, "[format]\nkind = \"gauntlet\"\ngames-per-pairing = 2\n", PLAYERS], "3:1: missing key `challengers`"),
        case(&[GAME, "[format]\nkind = \"gauntlet\"\ngames-per-pairing = 2\nchallengers = []\n", PLAYERS], "6:15: expected at least one challenger"),
        case(&[GAME, "[format]\nkind = \"knockout\"\ngames-per-pairing = 3\n", PLAYERS], "5:21: `games-per-pairing` is 3: expected an even number, since all games of this kind are played as game pairs"),
        case(&[GAME, "[format]\nkind = \"ladder\"\ngames-per-pairing = 2\nrounds = 0\n", PLAYERS], "6:10: `rounds` is 0: expected a number from 1 to 100000"),
        case(&[GAME, "[format]\nkind = \"sprt\"\ngames-per-pairing = 2\nchallengers = [\"random\"]\n", PLAYERS], "5:21: `games-per-pairing` does not go with kind = \"sprt\", which ends when the test is decided; `max-games` ends it before"),
        case(&[GAME, "[format]\nkind = \"adaptive\"\ngames-per-pairing = 2\n", PLAYERS], "5:21: `games-per-pairing` does not go with kind = \"adaptive\", which ends when the ranking is clear; `max-games` ends it before"),
        case(&[GAME, FORMAT, "confidence = 0.9\n", PLAYERS], "6:14: `confidence` goes with kind = \"adaptive\" only"),
        case(&[GAME, FORMAT, "elo0 = 3\n", PLAYERS], "6:8: `elo0` goes with kind = \"sprt\" only"),
        case(&[GAME, FORMAT, "rounds = 3\n", PLAYERS], "6:10: `rounds` goes with kind = \"swiss\" or kind = \"ladder\" only"),
    ]);
}

#[test]
#[rustfmt::skip]
fn openings_variants_and_builds() {
    let built = "[[player]]\nname = \"x\"\nshell = \"exit\"\ndir = \".\"\n";
    check(&[
        case(&[GAME, "openings = \"no/such/file\"\n", FORMAT, PLAYERS], "3:12: `openings`: no/such/file: cannot be read: No such file or directory (os error 2)"),
        case(&[GAME, "opening-order = \"random\"\n", FORMAT, PLAYERS], "3:1: `opening-order` goes with `openings` only"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"both\"\nhouse = \"random\"\n"], "11:8: `both` cannot be the name of a player: in a record it stands for both players of a game"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nhouse = \"greedy\"\nargs = [\"{nodes}\"]\ngrid = { nodes = [1, 2] }\n"], "13:8: two variants are called `greedy`: expected `name` to have {nodes}"),
        case(&[GAME, FORMAT, "[limits]\nbuild-time = \"none\"\n", PLAYERS], "7:14: `build-time` cannot be \"none\": expected a time; without one a build that hangs would stop the run"),
        case(&[GAME, FORMAT, PLAYERS, "[[player]]\nname = \"x\"\nhouse = \"random\"\nbuild = [\"make\"]\n"], "13:9: `build` goes with `dir`, and with `command` or `shell`: expected the folder in which the player's program is made"),
        case(&[GAME, FORMAT, PLAYERS, built, "build = []\n"], "14:9: `build` is empty: expected a program and its arguments, such as [\"make\"]"),
        case(&[GAME, FORMAT, PLAYERS, built, "build = [\"no-such-compiler\"]\n"], "14:9: player `x` cannot be built: there is no program `no-such-compiler` in PATH; for one in the bot's own folder write `./no-such-compiler`"),
    ]);
}

#[test]
fn a_configuration_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "referee: config.toml: cannot be read: No such file or directory (os error 2)\n"
    );
    assert!(files_in(folder.path()).is_empty());
}

#[test]
fn a_folder_of_results_that_cannot_be_used_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let config = [GAME, FORMAT, PLAYERS].concat();
    std::fs::write(place("config.toml"), config).expect("written");
    std::fs::create_dir(place("full")).expect("made");
    std::fs::write(place("full/thesis.tex"), "").expect("written");
    for (out, message) in [
        (
            "full",
            "holds something already: name another folder with --out; --resume goes on with a run \
             that was interrupted",
        ),
        ("config.toml", "cannot be made: File exists (os error 17)"),
        (
            "config.toml/out",
            "cannot be made: Not a directory (os error 20)",
        ),
    ] {
        let output = run(folder.path(), &["--out", out]);
        assert_eq!(output.status.code(), Some(5), "{output:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!("referee: {out}: {message}\n")
        );
        assert_eq!(files_in(folder.path()), ["config.toml", "full"]);
        assert_eq!(files_in(&place("full")), ["thesis.tex"]);
    }
}
