//! A recorded game as data for the script in the browser: its views, and each ply.

use std::path::Path;

use serde::Serialize;

use super::Written;
use super::board::Tables;
use super::views::{View, ViewReader};
use crate::game::{Game, PerSeat, Seat};
use crate::runs::{BotOutput, Difference, LoggedAction, Recording, bot_log_path, counts_in_pawns};
use crate::text::{DisplayNames, visible};
use crate::units::{SeatPoints, micros};

#[derive(Debug, Serialize)]
pub struct GameData<'a> {
    pub id: u64,
    game: &'static str,
    options: String,
    seats: &'static [&'static str],
    players: Vec<String>,
    pieces: String,
    /// Whether reported scores are in hundredths of a pawn.
    #[serde(skip_serializing_if = "is_false")]
    pawns: bool,
    /// The views of the seats, and the whole position where something is hidden.
    views: Vec<View>,
    /// Points of the seats at the start; absent in a game without points.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_points: Option<SeatPoints>,
    /// Time on the clocks at the start, in microseconds; `None` for a player without a limit per game.
    left_us: Vec<Option<u64>>,
    plies: Vec<PlyData<'a>>,
    end: EndData,
    /// The players' places in the plan, where they have pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<usize>>,
    /// Files with the bots' output, by seat, below the run's folder; empty where a bot wrote nothing.
    output: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PlyData<'a> {
    #[serde(flatten)]
    action: ActionData<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_points: Option<SeatPoints>,
    /// The actions of further seats, if several acted at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beside: Vec<ActionData<'a>>,
}

#[derive(Debug, Serialize)]
struct ActionData<'a> {
    seat: usize,
    action: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    public: &'a str,
    /// Wall time in microseconds; absent in the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_us: Option<u64>,
    /// Time left on its player's clock, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_us: Option<u64>,
    /// Values that the bot reported. Pairs, since a name such as `__proto__` is special as a key in JavaScript.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reported: Vec<(&'a str, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_and_depth: Option<String>,
    /// The first words that the bot wrote since its last action.
    #[serde(skip_serializing_if = "String::is_empty")]
    wrote: String,
}

impl<'a> ActionData<'a> {
    fn new(game: Game, seat: Seat, logged: &'a LoggedAction, wrote: String) -> Self {
        Self {
            seat: seat.index(),
            action: &logged.action,
            public: &logged.public,
            wall_us: logged.spent.map(|spent| micros(spent.wall)),
            left_us: logged.left.map(micros),
            reported: logged.values.iter().collect(),
            score_and_depth: logged.score_and_depth(game).map(|it| it.to_string()),
            wrote,
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

#[derive(Debug, Serialize)]
struct EndData {
    result: String,
    /// The place of each seat, in a game of more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<u8>>,
    termination: &'static str,
    why: String,
    forfeited: Vec<usize>,
    /// Wall time in microseconds of the action that ended in a forfeit, by seat; 0 without one.
    failed_us: Vec<u64>,
    /// The last words of each bot after its last action.
    wrote: Vec<String>,
}

/// A recorded game, and the tables with its boards and pieces. Values are those that the bot in the `own` seat reported,
/// or without one all.
pub fn read<'a>(
    recording: &'a Recording,
    names: &DisplayNames,
    outputs: &PerSeat<BotOutput>,
    own: Option<Seat>,
) -> Result<(GameData<'a>, Tables), Difference> {
    let row = &recording.row;
    let mut views = ViewReader::new(row.game);
    let mut points = Vec::with_capacity(recording.plies.len() + 1);
    recording.play_again(&ViewReader::seats(row.game), &mut |position| {
        views.add(position)?;
        points.push(position.rules_points().map(SeatPoints));
        Ok(())
    })?;
    let (views, tables, pieces) = views.finish();
    let mut written = Written::new(outputs);
    let plies = recording.plies.iter().enumerate();
    let plies = plies.filter_map(|(index, ply)| {
        let actions = ply.actions();
        let mut actions = actions.map(|(seat, logged)| {
            let mut action = ActionData::new(row.game, seat, logged, written.before(seat, logged));
            if own.is_some_and(|own| own != seat) {
                action.reported.clear();
                action.score_and_depth = None;
            }
            action
        });
        Some(PlyData {
            // A ply of a log has an action.
            action: actions.next()?,
            rules_points: points[index + 1]
                .clone()
                .filter(|_| points[index] != points[index + 1]),
            beside: actions.collect(),
        })
    });
    let plies = plies.collect();
    let game = GameData {
        id: row.id,
        game: row.game.label(),
        options: visible(&row.options),
        seats: row.game.seat_names(),
        players: row.names().values().map(|name| names.shown(name)).collect(),
        pieces,
        pawns: counts_in_pawns(row.game),
        views,
        rules_points: points[0].clone(),
        left_us: recording
            .clocks(0)
            .into_values()
            .map(|left| left.map(micros))
            .collect(),
        plies,
        end: end(recording, &written),
        plan: None,
        output: row
            .files
            .stderr
            .iter()
            .map(|(seat, digest)| match digest.as_str() {
                "" => String::new(),
                _ => bot_log_path(Path::new(""), row.id, row.game.seat_name(seat))
                    .display()
                    .to_string(),
            })
            .collect(),
    };
    Ok((game, tables))
}

fn end(recording: &Recording, written: &Written<'_>) -> EndData {
    let row = &recording.row;
    EndData {
        result: row
            .game
            .result_words(row.end.result, &|seat| row.game.seat_name(seat).to_owned()),
        places: row.game.places(row.end.result),
        termination: row.end.termination.name(),
        why: visible(&row.end.why(row.game)),
        forfeited: row.end.forfeiters().iter().map(Seat::index).collect(),
        failed_us: row
            .game
            .seats()
            .map(|seat| failed_us(recording, seat))
            .collect(),
        wrote: written.after(),
    }
}

/// The wall time that a player who forfeited spent without an action in the log.
fn failed_us(recording: &Recording, seat: Seat) -> u64 {
    if !recording.forfeited(seat) {
        return 0;
    }
    let actions = recording.plies.iter().filter_map(|ply| ply.of(seat));
    let spent = actions.filter_map(|action| action.spent);
    let logged: u64 = spent.map(|spent| micros(spent.wall)).sum();
    micros(recording.row.end.spent[seat].wall).saturating_sub(logged)
}
