//! `referee replay RUN ID`: shows a recorded game.

mod args;
mod feed;
mod show;
mod step;

use crate::cli::arguments::known_games;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::game::Seat;
use crate::pages::game_page;
use crate::referee::Termination;
use crate::replay::{ReplayedGame, transcripts};
use crate::report::{is_dumb, print_to_stderr};
use crate::runs::{Run, write_whole};
pub(super) use args::ReplayArgs;
use std::io::IsTerminal;
use std::path::Path;

pub(super) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    if args.seat.is_some() && !args.transcript && args.into.is_none() {
        return Err(Failure::new(
            Exit::Usage,
            "--seat goes with --transcript or --into: a replay shows all seats",
        ));
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
    } else if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !is_dumb() {
        step::through(&game)?;
    } else {
        print(&show::everything(&game))?;
    }
    Ok(Exit::Done)
}

/// Writes the game as a page.
fn write_page(game: &ReplayedGame, file: &Path) -> Result<(), Failure> {
    let page = game_page(&game.recording, &game.display_names, &game.outputs)?;
    if file == Path::new("-") {
        return print(&page);
    }
    write_whole(file, &mut |out| out.write_all(page.as_bytes()))?;
    print(&format!("{}\n", file.display()))
}

/// Transcript of one seat, or of both with a heading each.
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
        None => Seat::BOTH
            .map(|seat| {
                let (name, player) = (row.game.seat_name(seat), &row.players[seat]);
                format!("{name} ({player}):\n{}", texts[seat])
            })
            .join("\n"),
    })
}
