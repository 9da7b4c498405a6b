//! `referee position --game GAME`: prints the position after some actions.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::arguments::SetupArgs;
use crate::cli::drawing;
use crate::cli::drawing::Legal;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{json_line, print, style};
use crate::config::{read_text, text_from};
use crate::game::{
    ActError, Actors, AnyPosition, Board, Drawing, Game, GameResult, News, PerSeat, Refusal,
    RulesFault, Seat,
};
use crate::random::Stream;
use crate::report::print_to_stderr;
use crate::text::excerpt;
use crate::units::SeatPoints;

/// Show the position after some actions
///
/// Prints the board, the seats to act, and on request the legal actions. An illegal action is
/// refused with the rule that it breaks and exit code 3. Text that is not an action is refused with
/// exit code 4.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    #[command(flatten)]
    setup: SetupArgs,
    #[arg(hide = true)]
    word: Option<String>,
    /// The actions, separated by spaces or line ends, and joined by `+` where several seats act at once; `-` is stdin
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Show every position from the start
    #[arg(long)]
    each: bool,
    /// List the legal actions
    #[arg(long)]
    legal: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Also show information that is hidden from the players
    #[arg(long)]
    reveal: bool,
}

const EXCERPT: usize = 100;

#[derive(Serialize)]
struct PositionObject {
    game: &'static str,
    ply: u32,
    seat: Option<String>,
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Legal>,
    outcome: Option<ShownOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_points: Option<SeatPoints>,
}

#[derive(Serialize)]
struct ShownOutcome {
    winner: Option<Cow<'static, str>>,
    /// The place of each seat, of more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<u8>>,
    reason: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Refused<'a> {
    Illegal {
        ply: u32,
        illegal: &'a str,
        rule: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        legal: Option<Legal>,
    },
    Unparsable {
        ply: u32,
        unparsable: &'a str,
        expected: &'a str,
    },
}

pub(super) fn run(args: &PositionArgs) -> Result<Exit, Failure> {
    let mut setup = args.setup.clone();
    setup.take_game(&mut args.word.iter().cloned().collect())?;
    let setup = setup.setup()?;
    let game = setup.game();
    let text = match &args.actions {
        Some(path) => read_actions(path)?,
        None => String::new(),
    };
    let mut position = setup.start(&mut Stream::new(args.setup.seed, 0))?;
    let mut output = String::new();
    let mut news = News::default();
    let mut exit = Exit::Done;
    let mut before = drawing::views(position.as_ref())?;
    if args.each {
        show(args, game, position.as_ref(), &before, &mut output)?;
    }
    for token in text.split_whitespace() {
        news.clear();
        before = drawing::views(position.as_ref())?;
        match position.play(token, &mut news) {
            Ok(()) => {}
            Err(ActError::Refused(refusal)) => {
                exit = refuse(args, game, position.as_ref(), token, &refusal, &mut output)?;
                break;
            }
            Err(ActError::Rules(fault)) => return Err(fault.into()),
        }
        if args.each {
            show(args, game, position.as_ref(), &before, &mut output)?;
        }
    }
    if exit == Exit::Done && !args.each {
        show(args, game, position.as_ref(), &before, &mut output)?;
    }
    print(&output)?;
    Ok(exit)
}

fn read_actions(path: &Path) -> Result<String, Failure> {
    let (name, read) = match path == Path::new("-") {
        true => (Path::new("stdin"), text_from(io::stdin().lock())),
        false => (path, read_text(path)),
    };
    read.map_err(|error| Failure::of_file(name, format!("the actions cannot be read: {error}")))
}

fn show(
    args: &PositionArgs,
    game: Game,
    position: &dyn AnyPosition,
    before: &PerSeat<Drawing>,
    output: &mut String,
) -> Result<(), RulesFault> {
    if args.json {
        let shown = PositionObject {
            game: game.name(),
            ply: position.ply(),
            seat: game.actor_names(position.to_act()),
            board: board(args, position)?,
            legal: legal(args, game, position)?,
            outcome: position.outcome().map(|outcome| ShownOutcome {
                winner: (outcome.result != GameResult::Drawn)
                    .then(|| game.result_name(outcome.result)),
                places: game.places(outcome.result),
                reason: outcome.reason.name(),
            }),
            rules_points: position.rules_points().map(SeatPoints),
        };
        output.push_str(&json_line(&shown));
    } else {
        let now = drawing::changed_since(drawing::views(position)?, before);
        let seats: Vec<Seat> = game.seats().collect();
        output.push_str(&drawing::boards(game, &now, &seats, style()));
        output.push_str(&drawing::points(game, position.rules_points().as_ref()));
        show_words(args, game, position, output)?;
    }
    Ok(())
}

fn legal(
    args: &PositionArgs,
    game: Game,
    position: &dyn AnyPosition,
) -> Result<Option<Legal>, RulesFault> {
    if !args.legal {
        return Ok(None);
    }
    let legal = PerSeat::try_of(game.seat_count(), |seat| position.legal(seat))?;
    Ok(Some(Legal::of(game, position.to_act(), legal)))
}

/// The rows of the board; `None` for a position that is text alone.
fn board(args: &PositionArgs, position: &dyn AnyPosition) -> Result<Option<String>, RulesFault> {
    let seat = (!args.reveal).then_some(Seat::FIRST);
    Ok(position.drawing(seat)?.board.as_ref().map(Board::rows))
}

fn show_words(
    args: &PositionArgs,
    game: Game,
    position: &dyn AnyPosition,
    output: &mut String,
) -> Result<(), RulesFault> {
    // Writing to a `String` cannot fail.
    let _ = match (position.outcome(), position.to_act()) {
        (Some(outcome), _) => writeln!(
            output,
            "after ply {}: {} ({})",
            position.ply(),
            match outcome.result {
                GameResult::Won(seat) => format!("{} has won", game.seat_name(seat)),
                result => game.result_words(result, &|seat| game.seat_name(seat).to_owned()),
            },
            outcome.reason
        ),
        (None, Actors::One(seat)) => writeln!(
            output,
            "after ply {}: {} acts",
            position.ply(),
            game.seat_name(seat)
        ),
        (None, Actors::AtOnce(seats)) => {
            let names: Vec<&str> = seats.iter().map(|seat| game.seat_name(seat)).collect();
            let (ply, names) = (position.ply(), names.join(" and "));
            writeln!(output, "after ply {ply}: {names} act at once")
        }
        (None, Actors::Nobody) => Ok(()),
    };
    if args.reveal {
        let whole = drawing::board(&position.drawing(None)?, style());
        let _ = write!(output, "all revealed:\n{whole}");
    }
    if let Some(legal) = legal(args, game, position)? {
        for line in legal.lines() {
            let _ = writeln!(output, "{line}");
        }
    }
    output.push('\n');
    Ok(())
}

fn refuse(
    args: &PositionArgs,
    game: Game,
    position: &dyn AnyPosition,
    token: &str,
    refusal: &Refusal,
    output: &mut String,
) -> Result<Exit, RulesFault> {
    let ply = position.ply() + 1;
    let short = excerpt(token, EXCERPT);
    let (exit, refused) = match refusal {
        Refusal::Illegal { rule } => (
            Exit::Illegal,
            Refused::Illegal {
                ply,
                illegal: &short,
                rule,
                legal: legal(args, game, position)?,
            },
        ),
        Refusal::Unparsable { expected } => (
            Exit::Unparsable,
            Refused::Unparsable {
                ply,
                unparsable: &short,
                expected,
            },
        ),
    };
    if args.json {
        output.push_str(&json_line(&refused));
    } else {
        print_to_stderr(&format!("referee: `{short}` at ply {ply} is {refusal}"));
        if exit == Exit::Illegal
            && let Some(legal) = legal(args, game, position)?
        {
            for line in legal.lines() {
                print_to_stderr(&format!("referee: {line}"));
            }
        }
    }
    Ok(exit)
}
