//! Variants of chess and shogi, by the libraries that have their rules, and an engine that plays them.

use super::{Heard, random_games};
use crate::support::{TestRun, engine, python_with, root};

#[test]
#[ignore = "slow"]
fn variants_of_chess_are_played_and_played_again() {
    let python = needed!(python_with("pyffish"));
    for variant in ["atomic", "3check"] {
        let args = ["fairy_rules.py", "--variant", variant];
        random_games(&python, &args, &mut Heard::default());
    }
}

#[test]
#[ignore = "slow"]
fn an_engine_of_variants_plays_them_in_uci_and_shogi_in_usi() {
    let program = needed!(engine("fairy-stockfish"));
    for (module, speaks, rules) in [
        (
            "pyffish",
            "uci",
            ["fairy_rules.py", "--variant=crazyhouse"].as_slice(),
        ),
        ("shogi", "usi", &["shogi_rules.py"]),
    ] {
        let Some(python) = python_with(module) else {
            continue;
        };
        let command = [python.as_str()].into_iter();
        let command: Vec<&str> = command.chain(rules.iter().copied()).collect();
        let folder = root().join("examples/rules");
        let players: String = [2, 4]
            .into_iter()
            .map(|depth| {
                format!(
                    "[[player]]\nname = \"depth-{depth}\"\nspeaks = \"{speaks}\"\ncommand = [{program:?}]\n\
                     options = {{ Hash = 8 }}\ngo = {{ depth = {depth} }}\n"
                )
            })
            .collect();
        let run = TestRun::played(&format!(
            "seed = 3\n[game]\nrules = {command:?}\ndir = {folder:?}\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\nopening-plies = 4\n{players}"
        ));
        for row in run.rows() {
            assert_eq!(row["termination"], "rules", "{row:?}");
        }
        run.referee("verify out").ok();
    }
}
