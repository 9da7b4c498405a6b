//! `referee verify RUN`: are the records of a run true?

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::tables::{Writing, each_table};
use super::{Exit, Failure, print};
use crate::game::{AnyPosition, Game, Setup};
use crate::record::{
    Done, DoneGames, GameRow, Ids, JOURNAL, LoggedPly, Recorded, each_game, read_log, replay,
};
use crate::report::{Results, Settings};
use crate::runner::{Start, UnplannedGame, check_against_schedule};

/// Play all games of a run again from their logs, and work its tables out again
///
/// Who met whom under which number must be what the plan, the seed and the results before say. Every
/// action must be legal, what became public must be what the rules and the seed say, and the
/// end must be the one in games.csv. The first difference is named; the exit code is then 1.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let file = |error| Failure::new(Exit::File, error);
    let recorded = Recorded::read(&args.run).map_err(file)?;
    let mut seen = Seen::default();
    let mut results = Results::default();
    let (mut games, mut unlogged) = (0_u64, 0_u64);
    let mut found = None;
    let known = index(&recorded);
    each_game(&args.run.join(JOURNAL), &mut |row| {
        // What ends the reading is kept, to be told in its own words.
        let problem = look(args, &recorded, &known, &row, &mut seen);
        if let Err(failure) = problem {
            found = Some(failure);
            return Err(String::new());
        }
        games += 1;
        unlogged += u64::from(!recorded.keep_logs.keeps(row.is_forfeited()));
        results.add(&row.result(0));
        Ok(())
    })
    .map_err(|error| found.take().unwrap_or_else(|| file(error)))?;
    let whole = schedule(&recorded, seen.done, &args.run)?;
    let settings = Settings::default();
    let mut tables = 0;
    each_table(&args.run, &results.rate(&settings), &mut |name, write| {
        tables += 1;
        compare(&args.run.join(format!("{name}.csv")), write)
    })?;
    print(&format!(
        "{}: {games} games and {tables} tables are as recorded{}\n",
        args.run.display(),
        match whole {
            true => "",
            false => "; the tournament has more games, which were not played",
        }
    ))?;
    if unlogged > 0 {
        print(&format!(
            "{unlogged} of the games left no log, as the plan has it, and were not played again\n"
        ))?;
    }
    Ok(Exit::Done)
}

/// The names of the games, and where to find each player.
type Index<'a> = (Vec<Game>, HashMap<&'a str, usize>);

/// Looks at one game.
fn look(
    args: &Args,
    recorded: &Recorded,
    (games, players): &Index<'_>,
    row: &GameRow,
    seen: &mut Seen,
) -> Result<(), Failure> {
    let different = |difference| Failure::new(Exit::Failed, difference);
    if !seen.games.insert(row.id) {
        return Err(different(format!("game {} is in games.csv twice", row.id)));
    }
    let done = Done::new(row, games, players)
        .map_err(|problem| different(format!("game {}: {problem}", row.id)))?;
    if !seen.done.insert(row.id, done) {
        let problem = "it has a result that no game can have";
        return Err(different(format!("game {}: {problem}", row.id)));
    }
    let replayed = match recorded.keep_logs.keeps(row.is_forfeited()) {
        true => {
            let plies =
                read_log(&args.run, row.id).map_err(|error| Failure::new(Exit::File, error))?;
            play_again(recorded, row, &plies, &mut |_| ())
        }
        false => Ok(()),
    };
    replayed
        .and_then(|()| seen.pair(row))
        .map_err(|problem| different(format!("game {}: {problem}", row.id)))
}

/// Plays one game again from its log, and shows every position to `each`.
pub(super) fn play_again(
    recorded: &Recorded,
    row: &GameRow,
    plies: &[LoggedPly],
    each: &mut dyn FnMut(&dyn AnyPosition),
) -> Result<(), String> {
    let (index, setup) = setup(recorded, row)?;
    let options: Vec<String> = setup
        .public_options()
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    if row.options != options.join(" ") {
        return Err(format!(
            "`options` is `{}`, and the manifest says `{}`",
            row.options,
            options.join(" ")
        ));
    }
    let mut start = Start::new(
        recorded.seed,
        setup,
        row.pair,
        recorded.openings[index].as_ref(),
        recorded.opening_plies,
    );
    replay(
        row,
        plies,
        setup.game(),
        start.position.as_mut(),
        (start.opening_plies, start.opening.as_mut()),
        each,
    )
}

fn index(recorded: &Recorded) -> Index<'_> {
    let games = recorded.games.iter().map(Setup::game);
    let names = recorded.players.iter().enumerate();
    let players = names.map(|(at, name)| (name.as_str(), at)).collect();
    (games.collect(), players)
}

/// Goes through the schedule again with the results of the journal. Whether all games were played.
fn schedule(recorded: &Recorded, done: DoneGames, run: &Path) -> Result<bool, Failure> {
    let (players, games) = (recorded.players.len(), recorded.games.len());
    let checked = check_against_schedule(&recorded.format, players, games, done);
    let UnplannedGame { id, planned } = match checked {
        Ok(whole) => return Ok(whole),
        Err(unplanned) => unplanned,
    };
    let mut is = String::new();
    each_game(&run.join(JOURNAL), &mut |row| {
        if row.id == id {
            let ([first, second], game) = (row.names(), row.game.name());
            is = format!("{game}, pair {}, {first} against {second}", row.pair);
        }
        Ok(())
    })
    .map_err(|error| Failure::new(Exit::File, error))?;
    let should = match planned {
        None => "have no such game".to_owned(),
        Some(planned) => {
            let ticket = planned.ticket;
            let [first, second] = ticket.players.map(|player| &recorded.players[player]);
            let game = recorded.games[planned.game].game().name();
            format!("say {game}, pair {}, {first} against {second}", ticket.pair)
        }
    };
    Err(Failure::new(
        Exit::Failed,
        format!("game {id}: it is {is}, and the plan and the results before it {should}"),
    ))
}

/// The game of a row with its options, as the manifest has it, and its index there.
pub(super) fn setup<'a>(
    recorded: &'a Recorded,
    row: &GameRow,
) -> Result<(usize, &'a Setup), String> {
    recorded
        .games
        .iter()
        .enumerate()
        .find(|(_, setup)| setup.game() == row.game)
        .ok_or_else(|| format!("the manifest has no game `{}`", row.game.name()))
}

/// What has been seen of the journal.
#[derive(Default)]
struct Seen {
    games: Ids,
    /// Their results.
    done: DoneGames,
    /// The players of the first games of pairs whose second has not come, by game and pair.
    halves: HashMap<(Game, u64), [String; 2]>,
    /// The pairs that are whole, by game.
    whole: HashMap<Game, Ids>,
}

impl Seen {
    /// The games of a pair are two at most, between the same players with the seats swapped.
    fn pair(&mut self, row: &GameRow) -> Result<(), String> {
        let wrong = || Err(format!("it is no other half of pair {}", row.pair));
        let whole = self.whole.entry(row.game).or_default();
        if whole.contains(row.pair) {
            return wrong();
        }
        match self.halves.entry((row.game, row.pair)) {
            Entry::Vacant(entry) => {
                entry.insert(row.players.clone());
                Ok(())
            }
            Entry::Occupied(entry) if entry.get().iter().eq(row.players.iter().rev()) => {
                entry.remove();
                whole.insert(row.pair);
                Ok(())
            }
            Entry::Occupied(_) => wrong(),
        }
    }
}

/// Names the first line that is not as it was worked out again.
fn compare(path: &Path, write: &mut Writing<'_>) -> Result<(), Failure> {
    let failed =
        |error: io::Error| Failure::new(Exit::File, format!("{}: {error}", path.display()));
    let mut same = Same {
        found: BufReader::new(File::open(path).map_err(failed)?),
        line: 1,
        table: Vec::new(),
        difference: None,
    };
    let written = write(&mut same).and_then(|()| same.end());
    match same.difference {
        Some((found, table)) => Err(Failure::new(
            Exit::Failed,
            format!(
                "{}: line {} is `{found}`, and the games say `{table}`",
                path.display(),
                same.line
            ),
        )),
        None => written.map_err(failed),
    }
}

/// Compares what is written to it with a file, line by line, up to the first difference.
struct Same {
    found: BufReader<File>,
    /// The number of the line that is compared next.
    line: u64,
    /// What was written of it.
    table: Vec<u8>,
    difference: Option<(String, String)>,
}

impl Same {
    /// The file must have the line that was written, and nothing more at the end.
    fn line(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        self.found.read_until(b'\n', &mut found)?;
        if found != self.table {
            let text = |bytes: &[u8]| {
                String::from_utf8_lossy(bytes)
                    .trim_end_matches('\n')
                    .to_owned()
            };
            self.difference = Some((text(&found), text(&self.table)));
            return Err(io::Error::other("it is different"));
        }
        self.table.clear();
        self.line += 1;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.line()
    }
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.table.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
