//! What each player runs: the table `players`, and which programs are equal.

use std::collections::{BTreeSet, HashMap};

use super::table::{Cell, Column, ReportTable};
use crate::runs::{Manifest, PlayerTable};

/// The columns before those of the grid.
const FIXED: [&str; 8] = [
    "player",
    "display_name",
    "house",
    "args",
    "command",
    "dir",
    "build",
    "digest",
];

/// The table `players`: a row per player in the order of the plan, with a column for each parameter of a
/// grid.
pub fn players(manifest: &Manifest) -> ReportTable {
    let players = &manifest.players;
    let parameters: BTreeSet<&String> = players.iter().flat_map(|it| it.grid.keys()).collect();
    let row = |player: &PlayerTable| {
        let mut row = fixed(player);
        let value = |name: &&String| player.grid.get(*name);
        row.extend(parameters.iter().map(|name| optional(value(name))));
        row
    };
    let fixed = FIXED.map(str::to_owned).into_iter();
    let names = fixed.chain(parameters.iter().map(|name| column_of(name)));
    ReportTable {
        name: "players",
        columns: names.map(|name| Column::text(&name, &name)).collect(),
        rows: players.iter().map(row).collect(),
    }
}

/// What the players of a run execute, by their names: equal texts are equal programs. A house bot is taken to
/// be the same in all versions.
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

fn fixed(player: &PlayerTable) -> Vec<Cell> {
    let words = |words: &[String]| Cell::text(shell_words(words));
    let dir = player.dir.as_ref().map(|dir| dir.display().to_string());
    vec![
        Cell::text(&player.name),
        optional(player.display_name.as_ref()),
        optional(player.house.as_ref()),
        words(&player.args),
        words(player.command.as_deref().unwrap_or_default()),
        optional(dir.as_ref()),
        words(player.build.as_deref().unwrap_or_default()),
        optional(player.digest.as_ref()),
    ]
}

fn optional(text: Option<&String>) -> Cell {
    text.map_or(Cell::Missing, Cell::text)
}

/// The column of a parameter: its name, unless another column has that.
fn column_of(parameter: &str) -> String {
    match FIXED.contains(&parameter) {
        true => format!("grid_{parameter}"),
        false => parameter.to_owned(),
    }
}

/// Words as one line for a shell.
fn shell_words(words: &[String]) -> String {
    let words = words.iter().map(String::as_str);
    // Only a NUL cannot be quoted, and no program can be started with one.
    shlex::try_join(words).unwrap_or_default()
}
