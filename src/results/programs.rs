//! Which players of a run are equal programs.

use std::collections::HashMap;

use crate::runs::{Manifest, PlayerTable, Run};

/// The programs of a run's players, by name: equal texts are equal programs. A house bot counts as equal in
/// all versions.
pub fn programs(manifest: &Manifest) -> HashMap<String, String> {
    let players = manifest.players.iter();
    let programs = players.map(|player| (player.name.clone(), program(player)));
    programs.collect()
}

/// The digests of the rules programs of a run's games, by the label of the game.
pub fn rules_digests(run: &Run) -> HashMap<String, String> {
    let tables = run.manifest().games.iter();
    let games = run.games().iter().map(|planned| planned.game());
    let digests = games.zip(tables).filter_map(|(game, table)| {
        let digest = table.rules_digest()?;
        Some((game.label().to_owned(), digest.to_owned()))
    });
    digests.collect()
}

fn program(player: &PlayerTable) -> String {
    let env = player
        .env
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let mut words: Vec<String> = env.collect();
    match &player.house {
        Some(house) => {
            words.push(house.clone());
            words.extend_from_slice(&player.args);
        }
        None => {
            words.extend(player.command.iter().flatten().cloned());
            let dir = || player.dir.as_ref().map(|dir| dir.display().to_string());
            words.extend(player.digest.clone().or_else(dir));
        }
    }
    words.join(" ")
}
