//! The table `players`: the program of each player.

use std::collections::BTreeSet;

use super::table::{Cell, Column, ReportTable};
use crate::runs::{Manifest, PlayerTable};

/// The columns before the grid's.
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
