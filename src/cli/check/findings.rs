//! From what was seen of a bot to verdicts on it.

use std::time::Duration;

use super::games::{Again, Played, Seen, Table};
use super::hints::{EXCERPT, hint, last_lines};
use super::observed::{Moment, Trouble};
use super::report::{Check, Verdict};
use crate::game::Seat;
use crate::player::{excerpt, mebibytes, seconds};
use crate::referee::Termination;

/// Beyond which computing on the opponent's time is worth a word, as `off-turn = "forbid"` has it.
const OFF_TURN: Duration = Duration::from_millis(100);

/// All checks, in the order in which a bot meets them.
pub(super) fn checks(table: &Table, seen: &Seen) -> Vec<Check> {
    vec![
        handshake(table, seen),
        ready(table, seen),
        games(table, seen),
        clock(table, seen),
        memory(table, seen),
        determinism(table, seen),
        next_game(table, seen),
        off_turn(seen),
        output(seen),
        quit(table, seen),
        leftovers(seen),
    ]
}

/// The first game that the bot forfeited in one of these ways.
fn forfeit(seen: &Seen, ways: impl Fn(&Played) -> bool) -> Option<&Played> {
    let again = [&seen.again, &seen.alone].into_iter().flatten();
    seen.games
        .iter()
        .chain(again.map(|again| &again.game))
        .find(|game| game.forfeited() && ways(game))
}

fn skipped(name: &'static str, needs: &str) -> Check {
    Check::new(name, Verdict::Skipped, format!("needs {needs}"))
}

/// A check that failed in that game, with what helps.
fn failed(name: &'static str, seen: String, game: &Played, everything: &Seen) -> Check {
    let mut check = Check::new(name, Verdict::Failed, seen);
    check.hint = hint(game, everything);
    if game.notes.trouble == Some(Trouble::Gone) {
        check.wrote = last_lines(game);
    }
    check
}

/// `ok`, or `warn` where more than half of a limit was used.
fn within(name: &'static str, seen: String, used: Duration, limit: Duration) -> Check {
    match used > limit / 2 {
        false => Check::new(name, Verdict::Ok, seen),
        true => Check::new(name, Verdict::Warn, seen).hint(
            "more than half of the limit: on a busy machine it may take twice as long and forfeit",
        ),
    }
}

fn handshake(table: &Table, seen: &Seen) -> Check {
    let at_hello = |game: &Played| game.notes.asked == Some(Moment::Hello) && !is_of_memory(game);
    if let Some(game) = forfeit(seen, at_hello) {
        return failed("handshake", game.detail().to_owned(), game, seen);
    }
    let hellos = seen
        .games
        .iter()
        .filter_map(|game| game.notes.hello.as_ref());
    match hellos.max_by_key(|(_, spent)| spent.wall) {
        None => skipped("handshake", "an answer"),
        Some((line, spent)) => {
            let (took, limit) = (seconds(spent.wall), seconds(table.handshake));
            let line = excerpt(line, EXCERPT);
            let said = format!("`{line}` after {took} of {limit}");
            within("handshake", said, spent.wall, table.handshake)
        }
    }
}

fn ready(table: &Table, seen: &Seen) -> Check {
    let at_start = |game: &Played| game.notes.asked == Some(Moment::Start) && !is_of_memory(game);
    if let Some(game) = forfeit(seen, at_start) {
        return failed("ready", game.detail().to_owned(), game, seen);
    }
    let slowest = seen
        .games
        .iter()
        .filter_map(|game| game.notes.ready)
        .map(|spent| spent.wall);
    match slowest.max() {
        None => skipped("ready", "an answer to the handshake"),
        Some(took) => {
            let said = format!(
                "after {} at most, of {}",
                seconds(took),
                seconds(table.handshake)
            );
            within("ready", said, took, table.handshake)
        }
    }
}

fn is_of_time(game: &Played) -> bool {
    matches!(game.end.termination, Termination::Time | Termination::Stall)
}

fn is_of_memory(game: &Played) -> bool {
    game.notes.trouble == Some(Trouble::Memory)
}

fn games(table: &Table, seen: &Seen) -> Check {
    let acted = |game: &&Played| game.notes.asked == Some(Moment::Act);
    let begun = seen.games.iter().filter(acted).count();
    if begun == 0 {
        return skipped("games", "a bot that is ready");
    }
    let other = |game: &Played| {
        game.notes.asked == Some(Moment::Act) && !is_of_time(game) && !is_of_memory(game)
    };
    if let Some(game) = forfeit(seen, other) {
        let said = format!(
            "{}: {}: {}",
            place(table, game),
            game.end.termination.name(),
            game.detail()
        );
        return failed("games", said, game, seen);
    }
    let points = |wanted: f64| {
        let whole = seen.games.iter().filter(|game| !game.forfeited());
        let points = whole.map(|game| game.end.result.points()[game.seat.index()]);
        points.filter(|points| *points == wanted).count()
    };
    let (won, drawn, lost) = (points(1.0), points(0.5), points(0.0));
    let said = format!(
        "{} of {begun} to their end, as {}: {won} won, {drawn} drawn, {lost} lost against random",
        won + drawn + lost,
        seats(table, seen)
    );
    match won + drawn + lost == begun {
        true => Check::new("games", Verdict::Ok, said),
        // Why is said under another name.
        false => Check::new("games", Verdict::Failed, said),
    }
}

/// `game 2, as blue`.
fn place(table: &Table, game: &Played) -> String {
    let name = table.setup.game().seat_name(game.seat);
    format!("game {}, as {name}", game.number + 1)
}

/// The seats that the bot had.
fn seats(table: &Table, seen: &Seen) -> String {
    let names = Seat::BOTH
        .into_iter()
        .filter(|seat| seen.games.iter().any(|game| game.seat == *seat))
        .map(|seat| table.setup.game().seat_name(seat));
    names.collect::<Vec<_>>().join(" and ")
}

fn clock(table: &Table, seen: &Seen) -> Check {
    if let Some(game) = forfeit(seen, is_of_time) {
        let said = format!("{}: {}", place(table, game), game.detail());
        return failed("clock", said, game, seen);
    }
    let actions = seen.games.iter().flat_map(|game| &game.notes.actions);
    let Some(slowest) = actions.map(|spent| spent.wall).max() else {
        return skipped("clock", "an action");
    };
    let limit = table.time.per_move.unwrap_or(table.time.wall_cap);
    let said = format!("slowest answer {} of {}", seconds(slowest), seconds(limit));
    within("clock", said, slowest, limit)
}

fn memory(table: &Table, seen: &Seen) -> Check {
    if let Some(game) = forfeit(seen, is_of_memory) {
        let said = format!("{}: {}", place(table, game), game.detail());
        return failed("memory", said, game, seen);
    }
    let peaks = seen.games.iter().filter_map(|game| game.peak_kib);
    let Some(peak) = peaks.max() else {
        return skipped("memory", "a bot that lives to the end of a game");
    };
    let held = mebibytes(peak << 10);
    let said = match table.confinement.memory {
        Some(limit) => format!("{held} at most, of {}", mebibytes(limit)),
        None => format!("{held} at most; no limit was asked for (--memory)"),
    };
    Check::new("memory", Verdict::Ok, said)
}

fn determinism(table: &Table, seen: &Seen) -> Check {
    let Some(again) = &seen.again else {
        return skipped("determinism", "a game that was played to its end");
    };
    match again.differs_at {
        None => Check::new(
            "determinism",
            Verdict::Ok,
            format!("{} again: the same actions", place(table, &again.game)),
        ),
        Some(ply) => differs("determinism", table, again, ply).hint(
            "draw all randomness from the seed in `start`, and no other; a search that stops by \
             the clock differs too. It loses no game, but nobody can play a lost one again",
        ),
    }
}

fn differs(name: &'static str, table: &Table, again: &Again, ply: usize) -> Check {
    let place = place(table, &again.game);
    Check::new(
        name,
        Verdict::Warn,
        format!("{place} again, with the same seed: another game from ply {ply} on"),
    )
}

fn next_game(table: &Table, seen: &Seen) -> Check {
    if table.setup.game().hides_something() {
        return skipped("next game", "a game for which bots are not started afresh");
    }
    let Some(alone) = &seen.alone else {
        return skipped("next game", "a second game in one process");
    };
    let reproducible = seen
        .again
        .as_ref()
        .is_some_and(|again| again.differs_at.is_none());
    match alone.differs_at {
        None => Check::new(
            "next game",
            Verdict::Ok,
            format!(
                "{} in a process of its own: the same",
                place(table, &alone.game)
            ),
        ),
        Some(_) if !reproducible => skipped("next game", "a bot that plays a game again"),
        Some(ply) => Check::new(
            "next game",
            Verdict::Warn,
            format!(
                "{} in a process of its own: another game from ply {ply} on",
                place(table, &alone.game)
            ),
        )
        .hint(
            "`start` begins everything anew: something of the game before was kept; if it must be, \
             enter the bot with fresh-process = true",
        ),
    }
}

fn off_turn(seen: &Seen) -> Check {
    let actions = seen.games.iter().flat_map(|game| &game.notes.actions);
    let Some(most) = actions.map(|spent| spent.idle_cpu).max() else {
        return skipped("off turn", "an action");
    };
    let said = format!(
        "{} of processor time at most between its turns",
        seconds(most)
    );
    match most > OFF_TURN {
        false => Check::new("off turn", Verdict::Ok, said),
        true => Check::new("off turn", Verdict::Warn, said)
            .hint("it forfeits where a tournament says off-turn = \"forbid\""),
    }
}

fn output(seen: &Seen) -> Check {
    let games = seen.games.len();
    if let Some(game) = seen
        .games
        .iter()
        .find(|game| game.out_of_step && !game.forfeited())
    {
        return Check::new(
            "output",
            Verdict::Warn,
            format!(
                "a line that nobody asked for as game {} ended",
                game.number + 1
            ),
        )
        .hint("only `referee`, `start` and `act` want an answer: `did` and `end` want none");
    }
    let dropped: u64 = seen.games.iter().map(|game| game.log.dropped).sum();
    let bytes: u64 = seen.games.iter().map(|game| game.log.len()).sum();
    if dropped > 0 {
        return Check::new(
            "output",
            Verdict::Warn,
            format!(
                "{bytes} bytes of debug output in {games} games, of which {dropped} were not kept"
            ),
        )
        .hint("write less: what a tournament keeps of a game is limited, by default to 256 KiB");
    }
    let said = match bytes {
        0 => "nothing but answers".to_owned(),
        bytes => format!("{bytes} bytes of debug output in {games} games"),
    };
    Check::new("output", Verdict::Ok, said)
}

fn quit(table: &Table, seen: &Seen) -> Check {
    let mut asked = seen
        .departures
        .iter()
        .filter(|one| !one.forfeited)
        .peekable();
    if asked.peek().is_none() {
        return skipped("quit", "a game that was played to its end");
    }
    match asked.all(|departure| departure.by_itself) {
        true => Check::new("quit", Verdict::Ok, "exits when it is told to"),
        false => Check::new(
            "quit",
            Verdict::Warn,
            format!(
                "still there {} after `quit`, and killed",
                seconds(table.quit)
            ),
        )
        .hint(
            "exit at `quit`, or when the input ends, which it does right after; nobody reads what \
             it still writes",
        ),
    }
}

fn leftovers(seen: &Seen) -> Check {
    let left: u32 = seen
        .departures
        .iter()
        .map(|one| one.cleanup.survivors)
        .sum();
    let killed: u32 = seen.departures.iter().map(|one| one.cleanup.killed).sum();
    match (left, killed) {
        (0, 0) => Check::new("leftovers", Verdict::Ok, "no process is left"),
        (0, killed) => Check::new(
            "leftovers",
            Verdict::Warn,
            format!("{killed} processes outlived the bot, and were killed"),
        )
        .hint("wait for the processes that the bot starts, before it exits"),
        (left, _) => Check::new(
            "leftovers",
            Verdict::Failed,
            format!("{left} processes could not be killed"),
        )
        .hint("look for them by hand: the machine may be stuck"),
    }
}
