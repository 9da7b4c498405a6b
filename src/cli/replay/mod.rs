//! `referee replay RUN ID`: shows a recorded game.

mod feed;
mod show;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::bot::Language;
use crate::cli::arguments::{known_games, parse_small, parse_time, parse_whole};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::game::Seat;
use crate::pages::game_page;
use crate::referee::Termination;
use crate::replay::{ReplayedGame, transcripts};
use crate::report::print_to_stderr;
use crate::runs::{Run, write_bytes};

pub(super) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    if args.seat.is_some() && !args.transcript && args.into.is_none() {
        let problem = "--seat goes with --transcript or --into: a replay shows all seats";
        return Err(Failure::usage(problem));
    }
    let run = Run::open(&args.run, known_games())?;
    let game = ReplayedGame::read(&run, args.id)?;
    let seat = args.seat.as_ref().map(|name| game.seat(name));
    let seat = seat.transpose()?;
    if args.transcript {
        return print(&transcript(&game, seat)?).map(|()| Exit::Done);
    }
    if let Some(bot) = &args.into {
        return feed::run(&run, &game, seat, bot, args);
    }
    if let Some(file) = &args.html {
        return write_page(&game, file).map(|()| Exit::Done);
    }
    if let Some(ply) = args.ply {
        let index = game.index(ply)?;
        let text = if args.json {
            show::json_ply(&game, index)
        } else {
            show::ply(&game, index)
        };
        return print(&text).map(|()| Exit::Done);
    }
    if args.json {
        print(&show::json(&game))?;
    } else {
        print(&show::everything(&game))?;
    }
    Ok(Exit::Done)
}

fn write_page(game: &ReplayedGame, file: &Path) -> Result<(), Failure> {
    let page = game_page(&game.recording, &game.display_names, &game.outputs)?;
    if file == Path::new("-") {
        return print(&page);
    }
    write_bytes(file, page)?;
    print(&format!("{}\n", file.display()))
}

fn transcript(game: &ReplayedGame, seat: Option<Seat>) -> Result<String, Failure> {
    let row = &game.recording.row;
    if row.end.termination == Termination::Handshake {
        print_to_stderr(
            "referee: nobody can tell from the record whether the handshake of this game failed \
             before `start` was sent; the transcript leaves it out",
        );
    }
    let mut texts = transcripts(&game.recording)?;
    for (seat, lines) in texts.iter_mut() {
        let language = &game.recording.languages[seat];
        *lines = language.lines(std::mem::take(lines));
    }
    let texts = texts.map(|lines| lines.join("\n") + "\n");
    Ok(match seat {
        Some(seat) => texts[seat].clone(),
        None => {
            let texts = texts.iter().map(|(seat, text)| {
                let (name, player) = (row.game.seat_name(seat), &row.players[seat]);
                format!("{name} ({player}):\n{text}")
            });
            texts.collect::<Vec<_>>().join("\n")
        }
    })
}

/// Show a recorded game again, or feed it to a bot
///
/// Every position is printed, or one with --ply. All clocks are shown, then how the game ended and
/// why; after an illegal action also everything that was legal.
///
/// With --transcript: the lines that a bot was sent in this game, byte for byte, as a process hears
/// them that plays this game alone. With --into: the game is fed to a bot like that, up to a ply,
/// and what the bot does there is shown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplayArgs {
    /// The folder of the run
    pub run: PathBuf,
    /// The number of the game: the column `id` of games.csv
    #[arg(value_parser = parse_whole, allow_negative_numbers = true)]
    pub id: u64,
    /// Show one position only: the one after this many plies, 0 for the start
    #[arg(long, value_name = "N", value_parser = parse_small, allow_negative_numbers = true, conflicts_with_all = ["transcript", "into"])]
    pub ply: Option<u32>,
    /// One JSON object a line: every position, then the end
    #[arg(long, conflicts_with_all = ["transcript", "into"])]
    pub json: bool,
    /// Write a page to this file that shows the game on its board in a browser; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["transcript", "into", "json", "ply"])]
    pub html: Option<PathBuf>,
    /// Print the lines that the bots were sent, and nothing that they were not
    #[arg(long, conflicts_with = "into")]
    pub transcript: bool,
    /// With --transcript or --into: this seat only, such as red; or the name of a player
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<String>,
    /// Feed the game to this bot: a house bot, a command in quotes, or without BOT the player's own
    /// command. Its output on stderr is shown as it comes
    #[arg(long, value_name = "BOT", num_args = 0..=1, default_missing_value = "")]
    pub into: Option<String>,
    /// With --into: the language of a bot that is no house bot, if it is not the player's own: uci, usi, gtp or referee
    #[arg(long, value_name = "LANGUAGE", requires = "into", value_parser = Language::NAMES, hide_possible_values = true)]
    pub speaks: Option<String>,
    /// With --into: stop at this ply; if not given, at the player's last
    #[arg(long, value_name = "PLY", value_parser = parse_small, allow_negative_numbers = true, requires = "into")]
    pub until: Option<u32>,
    /// With --into: print the bot's process id and wait for Enter before the last request, so that
    /// a debugger can be attached
    #[arg(long, requires = "into")]
    pub wait: bool,
    /// With --into: how long each answer may take, whatever the game's clock; 1m if not given, and
    /// a day with --wait
    #[arg(long, value_name = "TIME", requires = "into", value_parser = parse_time)]
    pub time: Option<Duration>,
}

const EXAMPLES: &str = "\
Examples:
  referee replay results/demo 17                             game 17
  referee replay results/demo 17 --ply 0                     its start
  referee replay results/demo 17 --seat alice --transcript   what alice's bot was sent
  referee replay results/demo 17 --html game.html            a page to open in a browser
  referee replay results/demo 17 --seat alice --into         what alice's bot does at its last ply
  referee replay results/demo 17 --until 9 --wait --into \"python3 bot.py\"

Exit codes of --into: 0 the answer is legal; 3 it is illegal; 4 it is not an action; 1 there was none.";
