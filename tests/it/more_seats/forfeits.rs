//! Bots in processes of their own that misbehave in games of three and four seats, by rules in a process of their own.

use std::collections::BTreeSet;

use super::{random_players, tournament};

/// A bot of a shell that takes the first action that it is offered, and does something else when it is asked for the
/// second time in a game. It plays all of its games in one process.
fn shell(name: &str, second: &str) -> String {
    let script = format!(
        "while read -r word rest; do case $word in referee) echo bot 1 {name};; \
         start) n=0; echo ready;; can) first=${{rest%% *}};; \
         act) n=$((n + 1)); if [ $n = 2 ]; then {second}; else echo $first; fi;; quit) exit;; esac; done"
    );
    format!("[[player]]\nname = \"{name}\"\nshell = '''{script}'''\n")
}

#[test]
#[ignore = "slow"]
fn a_tournament_of_processes_that_misbehave_is_charged_to_them_and_verified() {
    let players = [
        shell("honest", "echo $first"),
        shell("crashes", "exit 3"),
        shell("cheats", "echo up"),
        shell("floods", super::FLOOD),
        random_players(&["random"]),
    ];
    for (seats, games, blocks, at_fault) in [(3, 9, 10, 3), (4, 12, 5, 2)] {
        let rest = format!(
            "[format]\nkind = \"round-robin\"\ngames-per-pairing = {games}\n[clock]\nmeasure = \"cpu\"\n{}",
            players.concat()
        );
        let Some(run) = tournament("tron", &format!("seats = {seats}\nsize = 7"), &rest) else {
            return;
        };
        run.play(&["-j", "2"]);
        let rows = run.rows();
        assert_eq!(rows.len(), blocks * seats);
        let mut charged = BTreeSet::new();
        for row in &rows {
            let names: Vec<&str> = row["forfeited_by"].split('+').collect();
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                assert!(!["honest", "random"].contains(&name), "{row:?}");
                charged.insert(name.to_owned());
            }
            // Each game has a player that misbehaves in the second ply, which all reach.
            assert_ne!(row["forfeited_by"], "", "{row:?}");
        }
        // In a game of four seats, one that gives no answer sits beside the one whose action is refused.
        assert_eq!(charged.len(), at_fault, "{charged:?}");
        run.referee("verify out").ok();
        for row in rows.iter().take(seats) {
            run.referee(&format!("replay out {}", row["id"])).ok();
        }
    }
}
