//! The views of a game: what each seat sees of it, ply by ply.

use serde::Serialize;

use super::board::Tables;
use crate::game::{AnyPosition, Board, Drawing, Game, Piece, RulesFault, Seat};

/// A game as some seats see it, or with everything revealed.
#[derive(Debug, Serialize)]
pub struct View {
    name: String,
    /// The seats that see it; none of the whole position.
    #[serde(skip)]
    seats: Vec<Seat>,
    #[serde(flatten)]
    track: Track,
}

/// The first position, and the changes of each ply.
#[derive(Debug, PartialEq, Serialize)]
struct Track {
    start: PositionData,
    steps: Vec<StepData>,
}

#[derive(Debug, PartialEq, Serialize)]
struct PositionData {
    /// Key of its board; absent in a position that is text alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    letters: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    text: Vec<String>,
}

/// The changes of a ply; an empty object where nothing changed.
#[derive(Debug, Default, PartialEq, Serialize)]
struct StepData {
    /// The whole position, where the board became another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<PositionData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<(usize, char)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Vec<String>>,
}

/// Collects the views of a game from its positions in order.
pub struct ViewReader {
    game: Game,
    tables: Tables,
    pieces: Vec<Piece>,
    tracks: Vec<TrackReader>,
}

struct TrackReader {
    /// The seat that sees it; `None` sees everything.
    seat: Option<Seat>,
    track: Option<Track>,
    last: Drawing,
}

impl ViewReader {
    pub fn new(game: Game) -> Self {
        let track = |seat| TrackReader {
            seat,
            track: None,
            last: Drawing::default(),
        };
        Self {
            game,
            tables: Tables::default(),
            pieces: Vec::new(),
            tracks: Self::seats(game).into_iter().map(track).collect(),
        }
    }

    /// The drawings that are asked for in each position, in their order: as a seat sees it, or whole for `None`.
    pub fn seats(game: Game) -> Vec<Option<Seat>> {
        let seats = game.seats().filter(|_| game.hides_something());
        seats.map(Some).chain([None]).collect()
    }

    pub fn add(&mut self, position: &dyn AnyPosition) -> Result<(), RulesFault> {
        for reader in &mut self.tracks {
            let drawing = position.drawing(reader.seat)?;
            if drawing.pieces != reader.last.pieces {
                add_pieces(&mut self.pieces, &drawing);
            }
            reader.add(drawing, &mut self.tables);
        }
        Ok(())
    }

    /// The views, the tables with their boards and pieces, and the key of the pieces. Views that are equal are one.
    pub fn finish(mut self) -> (Vec<View>, Tables, String) {
        let pieces = self.tables.add_pieces(&self.pieces);
        let mut views: Vec<View> = Vec::new();
        for reader in self.tracks {
            let Some(track) = reader.track else { continue };
            match views.iter_mut().find(|view| view.track == track) {
                Some(view) => view.seats.extend(reader.seat),
                None => views.push(View {
                    name: String::new(),
                    seats: reader.seat.into_iter().collect(),
                    track,
                }),
            }
        }
        for view in &mut views {
            view.name = name(self.game, &view.seats);
        }
        (views, self.tables, pieces)
    }
}

fn name(game: Game, seats: &[Seat]) -> String {
    match (seats.len(), game.seat_count()) {
        (0, _) => "everything".to_owned(),
        (2, 2) => "both seats".to_owned(),
        (seen, count) if seen == count => "all seats".to_owned(),
        _ => {
            let names = seats.iter().map(|seat| game.seat_name(*seat));
            names.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Adds the pieces of a drawing that are new. Letters without a piece are drawn as they are.
fn add_pieces(pieces: &mut Vec<Piece>, drawing: &Drawing) {
    for piece in drawing.pieces.iter() {
        if pieces.iter().all(|known| known.letter != piece.letter) {
            pieces.push(piece.clone());
        }
    }
}

impl TrackReader {
    fn add(&mut self, now: Drawing, tables: &mut Tables) {
        let before = std::mem::replace(&mut self.last, now);
        let now = &self.last;
        let Some(track) = &mut self.track else {
            self.track = Some(Track {
                start: position(now, tables),
                steps: Vec::new(),
            });
            return;
        };
        let is_like = match (&now.board, &before.board) {
            (Some(now), Some(before)) => now.is_like(before),
            (None, None) => true,
            _ => false,
        };
        track.steps.push(match is_like {
            true => step(&before, now),
            false => StepData {
                position: Some(position(now, tables)),
                ..StepData::default()
            },
        });
    }
}

fn position(drawing: &Drawing, tables: &mut Tables) -> PositionData {
    let add = |board: &Board| tables.add_board(board);
    PositionData {
        board: drawing.board.as_ref().map(add),
        letters: drawing.letters().to_owned(),
        marks: drawing.marks.clone(),
        text: drawing.text.clone(),
    }
}

fn step(before: &Drawing, now: &Drawing) -> StepData {
    let letters = before.letters().chars().zip(now.letters().chars());
    let cells = letters.enumerate();
    let cells = cells.filter(|(_, (before, now))| before != now);
    StepData {
        position: None,
        cells: cells.map(|(cell, (_, now))| (cell, now)).collect(),
        marks: (before.marks != now.marks).then(|| now.marks.clone()),
        text: (before.text != now.text).then(|| now.text.clone()),
    }
}
