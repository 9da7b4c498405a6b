//! `referee new tournament NAME`: a folder with a configuration.

use super::folder::{parse_name, tell, write};
use super::kits::{game_tables, with_games};
use crate::cli::arguments::game_names;
use crate::cli::exit::{Exit, Failure};
use crate::game::{BUILT_IN, Game};

/// Make a folder with a tournament of the house bots, to begin with
///
/// Bots that `referee new bot` makes in the folder enter it by a few lines, which the file has as a comment.
#[derive(Debug, clap::Args)]
pub(super) struct TournamentArgs {
    /// The name of the tournament and of the folder: a-z, 0-9 and -, such as spring
    #[arg(value_parser = parse_name)]
    name: String,
    #[arg(
        long = "game",
        value_parser = parse_built_in,
        value_name = "GAME",
        help = format!("A game, several times for several: {}; the first three if not given", game_names("or"))
    )]
    games: Vec<Game>,
}

const CONFIG: &str = include_str!("../../../examples/kits/tournament/tournament.toml");

/// The name of the tournament in its file.
const NAME: &str = "my-tournament";

fn parse_built_in(name: &str) -> Result<Game, String> {
    let game = BUILT_IN.named(name);
    game.ok_or_else(|| format!("expected {}", game_names("or")))
}

pub(super) fn run(args: &TournamentArgs) -> Result<Exit, Failure> {
    let name = &args.name;
    let mut games: Vec<&str> = Vec::new();
    for game in &args.games {
        if !games.contains(&game.name()) {
            games.push(game.name());
        }
    }
    let text = match games[..] {
        [] => CONFIG.to_owned(),
        _ => with_games(CONFIG, &game_tables(&games)),
    };
    write(
        name,
        &[("tournament.toml".to_owned(), text.replace(NAME, name))],
    )?;
    tell(
        &format!("{name}/tournament.toml is a tournament of the house bots."),
        &format!("cd {name} && referee run tournament.toml"),
        "Then make a bot of your own, `referee new bot alice`, and enter it as the last lines of the file say.",
    )
}
