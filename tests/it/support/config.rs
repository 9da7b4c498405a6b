//! Configurations of small tournaments.

/// A round robin of 3×3 Cachex, with `more` tables, such as the players.
pub fn small_cachex(games_per_pairing: usize, more: &[&str]) -> String {
    format!(
        "seed = 1\n[game]\nname = \"cachex\"\nsize = 3\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n{}",
        more.concat()
    )
}

/// All three games, two of each pairing, after two random plies. `max_plies` is for Watch Your Back!.
pub fn all_games(seed: u64, max_plies: u32, players: &[&str]) -> String {
    format!(
        "seed = {seed}\n[[game]]\nname = \"watch-your-back\"\nmax-plies = {max_plies}\n\
         [[game]]\nname = \"cachex\"\nsize = 4\n[[game]]\nname = \"dark-chess\"\nmax-plies = 60\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = 2\nopening-plies = 2\n{}",
        players.concat()
    )
}

pub const RANDOM: &str = "[[player]]\nhouse = \"random\"\n";
pub const GREEDY: &str = "[[player]]\nhouse = \"greedy\"\n";

/// Greedy house bots that look at so many positions, so that they do not depend on the clock.
pub fn greedy(players: &[(&str, u32)]) -> String {
    let player = |(name, nodes): &(&str, u32)| {
        format!(
            "[[player]]\nname = \"{name}\"\nhouse = \"greedy\"\nargs = [\"--nodes\", \"{nodes}\"]\n"
        )
    };
    players.iter().map(player).collect()
}

pub fn randoms<N: AsRef<str>>(names: &[N]) -> String {
    let player = |name: &N| {
        let name = name.as_ref();
        format!("[[player]]\nname = \"{name}\"\nhouse = \"random\"\n")
    };
    names.iter().map(player).collect()
}

/// A player in the shell that does this when it is to act.
pub fn scripted(name: &str, act: &str) -> String {
    let words = "referee) echo 'bot 1 scripted';; start) echo ready;; quit) exit;;";
    let script =
        format!("while read -r word rest; do case $word in {words} act) {act};; esac; done");
    shell(name, &script)
}

pub fn shell(name: &str, line: &str) -> String {
    format!("[[player]]\nname = \"{name}\"\nshell = {line:?}\n")
}

/// A player that is a program in the folder of the test.
pub fn program(name: &str, file: &str) -> String {
    format!("[[player]]\nname = \"{name}\"\ncommand = [\"./{file}\"]\ndir = \".\"\n")
}

/// A file of openings for Cachex of size 4.
pub const OPENINGS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/support/openings-4.txt"
);
