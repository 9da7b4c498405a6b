//! A run on a machine that computes three times as much as it can: it ends, and no honest bot loses by it.

use std::collections::BTreeSet;
use std::process::{Child, Command};

use referee::bot::{Tier, supervise};
use referee::game::BUILT_IN;
use referee::runs::Run;

use crate::reach::{self, all_games};
use crate::tournament::{begin, entry, play_inside};

const HONEST: [&str; 2] = ["honest", "computes_before_each_answer"];

const ATTACKER: &str = "spins_in_sessions_after_its_answer";

const OTHERS: [&str; 6] = [
    "slows_its_opponent_with_hidden_work",
    "slows_itself_and_never_answers",
    "never_answers_the_handshake",
    "floods_its_stderr",
    "falls_silent",
    "leaves_fifty_orphans_in_every_ply",
];

pub fn a_run_on_a_loaded_machine_ends(tier: Tier) {
    supervise::adopt_orphans().expect("this is Linux");
    let folder = tempfile::tempdir().expect("a folder");
    let own = tempfile::tempdir().expect("a folder");
    let mut config = begin(1, &limits("400ms", "2s", tier));
    let players = [&HONEST[..], &OTHERS].concat();
    for bot in &players {
        config.push_str(&entry(bot));
        config.push_str(&format!("dir = {:?}\n", own.path()));
    }
    let out = folder.path().join("out");
    let load = load();
    let rows = play_inside(&config, 2, &out);
    for mut process in load {
        process.kill().expect("it computes");
        process.wait().expect("it has ended");
    }
    for row in &rows {
        assert!(!HONEST.contains(&&*row.forfeited_by()), "{row:?}");
    }
    let run = Run::open(&out, BUILT_IN).expect("a run");
    let set_aside = run.set_aside().expect("rows");
    let ids = rows.iter().map(|row| row.id);
    let ids: BTreeSet<u64> = ids.chain(set_aside.iter().map(|game| game.id)).collect();
    let games = (players.len() * (players.len() - 1) / 2) as u64;
    assert_eq!(
        ids,
        (0..games).collect(),
        "each game is played or set aside"
    );
    let forfeits = rows.iter().filter(|row| row.is_forfeited()).count();
    println!(
        "{games} games in the tier {} on a machine that is loaded threefold: {} set aside, {forfeits} \
         forfeits, none by an honest bot",
        tier.name(),
        set_aside.len()
    );
}

/// An honest bot that answers at once, beside one that has two hundred threads compute off turn.
pub fn an_instant_bot_beside_two_hundred_threads_loses_nothing(tier: Tier) {
    supervise::adopt_orphans().expect("this is Linux");
    let folder = tempfile::tempdir().expect("a folder");
    let own = tempfile::tempdir().expect("a folder");
    let mut config = begin(4, &limits("300ms", "10s", tier));
    for bot in ["honest", "computes_with_two_hundred_threads"] {
        config.push_str(&entry(bot));
        config.push_str(&format!("dir = {:?}\nfresh-process = true\n", own.path()));
    }
    let rows = play_inside(&config, 1, &folder.path().join("out"));
    for row in &rows {
        assert_ne!(row.forfeited_by(), "honest", "{row:?}");
    }
}

/// Sessions take the processors from the rules, or from an honest bot that computes in the same ply, so that the game is void.
pub fn sessions_beside_the_rules_and_an_opponent_gain_nothing(tier: Tier) {
    supervise::adopt_orphans().expect("this is Linux");
    let own = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("a path");
    let honest = "honest";
    for (game, played) in [(reach::SLOW, "duel"), ("duel", reach::SLOW)] {
        let mut config = format!(
            "[game]\nrules = [{program:?}, \"rules\", {game:?}]\ndir = {:?}\n\
             [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\n{}\nrules = \"1s\"\n",
            own.path(),
            limits("300ms", "10s", tier)
        );
        for (bot, played) in [(honest, played), (ATTACKER, "duel")] {
            let words = [format!("{bot:?}]"), format!("{bot:?}, {played:?}]")];
            config.push_str(&entry(bot).replace(&words[0], &words[1]));
            config.push_str(&format!("dir = {:?}\nfresh-process = true\n", own.path()));
        }
        let out = own.path().join(game);
        let rows = play_inside(&config, 1, &out);
        let run = Run::open(&out, all_games()).expect("a run");
        let set_aside: Vec<_> = run.set_aside().expect("rows");
        assert!(set_aside.is_empty(), "{game}: {set_aside:?}");
        for row in &rows {
            let by = row.forfeited_by();
            assert!(["", ATTACKER].contains(&&*by), "{game}: {row:?}");
            println!("{game} [{}]: {}", tier.name(), row.end.termination.name());
        }
    }
}

fn limits(per_move: &str, preparation: &str, tier: Tier) -> String {
    let tier = tier.name();
    format!(
        "[clock]\nper-move = {per_move:?}\n[limits]\nquit = \"100ms\"\nisolation = {tier:?}\n\
         handshake = {preparation:?}\nstart = {preparation:?}"
    )
}

/// Three times as many processes that compute as there are processors.
fn load() -> Vec<Child> {
    let cores = std::thread::available_parallelism().expect("a number");
    let spin = || {
        Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
    };
    (0..3 * cores.get())
        .map(|_| spin().expect("a shell"))
        .collect()
}
