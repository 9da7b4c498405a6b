//! Whole runs without processes: doubles play through the real runner and journal.

use std::path::Path;
use std::time::Duration;

use referee::bot::{Double, Fault, Patience, Player, Reply};
use referee::config::Plan;
use referee::game::BUILT_IN;
use referee::referee::Participant;

/// A round robin of Cachex on the smallest board, where a game takes five to a dozen plies. The
/// bots' command is not run: [`start`] makes doubles.
pub fn plan(players: usize, games_per_pairing: usize, logs: &str) -> Plan {
    let text = config(players, games_per_pairing, logs);
    Plan::parse(&text, Path::new("quick.toml"), BUILT_IN).expect("a plan")
}

pub fn config(players: usize, games_per_pairing: usize, logs: &str) -> String {
    let mut text = format!(
        "name = \"quick\"\nseed = 7\n[game]\nname = \"cachex\"\nsize = 3\n\
         [format]\nkind = \"round-robin\"\ngames-per-pairing = {games_per_pairing}\n\
         [record]\nlogs = \"{logs}\"\n"
    );
    for player in 0..players {
        text.push_str(&format!(
            "[[player]]\nname = \"p{player:04}\"\ncommand = [\"true\"]\n"
        ));
    }
    text
}

/// The cells of the board, and the one that is illegal as the first action.
const CELLS: [&str; 9] = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];
const CENTRE: &str = "b2";

/// A player that takes the centre when it can, the more often the higher its number, and any free
/// cell otherwise. Its play is a function of the seed that it is given.
pub fn start(
    player: usize,
    _worker: usize,
    _patience: Patience,
) -> Result<Box<Participant<dyn Player>>, Fault> {
    Ok(waiting(player, Duration::ZERO))
}

/// Such a player, which computes for so long in each turn, and waits for a processor as long.
pub fn waiting(player: usize, took: Duration) -> Box<Participant<dyn Player>> {
    let mut heard = 0;
    let mut free = Vec::new();
    let mut state = 0_u64;
    let brain = move |told: &[String]| {
        let mut answer = "ready";
        for line in &told[heard..] {
            let mut words = line.split(' ');
            match words.next() {
                Some("referee") => answer = "bot 1 quick",
                Some("start") => {
                    free = CELLS.to_vec();
                    let seed = words.find_map(|word| word.strip_prefix("seed="));
                    state = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
                }
                Some("did") => {
                    let mut cells = words.skip(1);
                    let taken = cells.next();
                    free.retain(|cell| Some(*cell) != taken);
                    let captured = |cell: &&str| CELLS.into_iter().find(|known| known == cell);
                    free.extend(cells.filter_map(|cell| captured(&cell)));
                }
                Some("act") => {
                    let keen = next(&mut state) % 1000 < 500 + player as u64 % 500;
                    let legal = |cell: &&&str| free.len() < CELLS.len() || **cell != CENTRE;
                    let open: Vec<&str> = free.iter().filter(legal).copied().collect();
                    answer = match keen && open.contains(&CENTRE) {
                        true => CENTRE,
                        false => open[next(&mut state) as usize % open.len()],
                    };
                }
                _ => {}
            }
        }
        heard = told.len();
        Reply::Line(answer.to_owned(), took)
    };
    let mut double = Double::new(brain);
    double.waits = took;
    Box::new(Participant::new(double))
}

fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}
