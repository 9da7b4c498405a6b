//! Which players of a run are equal programs.

use std::collections::HashMap;

use crate::runs::{Manifest, PlayerTable};

/// The programs of a run's players, by name: equal texts are equal programs. A house bot counts as equal in
/// all versions.
pub fn programs(manifest: &Manifest) -> HashMap<String, String> {
    let players = manifest.players.iter();
    let programs = players.map(|player| (player.name.clone(), program(player)));
    programs.collect()
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
