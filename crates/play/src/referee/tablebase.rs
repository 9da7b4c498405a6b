//! Tablebases of chess in Syzygy's format: the outcome of positions with few pieces.
//!
//! The library keeps one set of files for the whole process.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_king_moves, get_knight_moves, get_pawn_attacks,
};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};

use crate::game::{AnyPosition, Outcome, OutcomeOfTwo, Reason, Seat};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TablebaseTerms {
    /// The most pieces of a position, kings included.
    pub pieces: u32,
    /// Whether a win that takes too long is a draw.
    pub fifty_moves: bool,
}

/// The tables, and the most pieces that one of them has.
type Opened = Result<(TableBases<Attacks>, u32), String>;

static FILES: OnceLock<(PathBuf, Opened)> = OnceLock::new();

/// Opens the files of a folder, once in a process. Returns the most pieces of a position that they have.
///
/// # Errors
/// There are none, one is damaged, or another folder's files are open. The problem follows the folder's name.
pub fn open_tablebases(folder: &Path) -> Result<u32, String> {
    let (opened, tables) = FILES.get_or_init(|| (folder.to_owned(), open(folder)));
    match tables {
        _ if opened != folder => Err(format!(
            "cannot be opened beside {}: expected one folder of tablebases",
            opened.display()
        )),
        Ok((_, pieces)) => Ok(*pieces),
        Err(problem) => Err(problem.clone()),
    }
}

pub fn has_tablebases() -> bool {
    FILES.get().is_some_and(|(_, tables)| tables.is_ok())
}

fn open(folder: &Path) -> Opened {
    // The library ends the process on files that are cut off, and takes `:` for the end of a path.
    let text = folder.to_str().filter(|text| !text.contains(':'));
    let text = text.ok_or("cannot be read: expected a path without `:`, in UTF-8")?;
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot be read: {error}"))?;
    let mut most = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(pieces) = name.strip_suffix(".rtbw") else {
            continue;
        };
        if !is_whole(&path).unwrap_or(false) {
            return Err(format!("has a damaged file {name}: fetch it again"));
        }
        most = most.max(pieces.bytes().filter(u8::is_ascii_uppercase).count() as u32);
    }
    if most == 0 {
        return Err("has no tablebase: expected files such as KQvK.rtbw".to_owned());
    }
    let tables = TableBases::new(text).map_err(|error| format!("cannot be read: {error:?}"))?;
    Ok((tables, most))
}

/// The first bytes of a table, and its length's remainder.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const BLOCK: u64 = 64;
const REMAINDER: u64 = 16;

fn is_whole(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut begin = [0; MAGIC.len()];
    file.read_exact(&mut begin)?;
    Ok(begin == MAGIC && file.metadata()?.len() % BLOCK == REMAINDER)
}

/// The outcome of a position that a table has. With the fifty-move rule, a win is one only right after a capture or a pawn's
/// move: it could take too long otherwise.
pub(super) fn outcome(terms: TablebaseTerms, position: &dyn AnyPosition) -> Option<Outcome> {
    let board = position.chess()?.pieces();
    let (tables, pieces) = FILES.get()?.1.as_ref().ok()?;
    let can_castle = [Color::White, Color::Black].map(|side| {
        let rights = board.castle_rights(side);
        rights.short.is_some() || rights.long.is_some()
    });
    let most = terms.pieces.min(*pieces);
    if board.occupied().len() > most || can_castle.contains(&true) {
        return None;
    }
    let is_won = match (probe(tables, board)?, terms.fifty_moves) {
        (WdlProbeResult::Draw, _)
        | (WdlProbeResult::BlessedLoss | WdlProbeResult::CursedWin, true) => {
            return Some(OutcomeOfTwo::drawn(Reason::TABLEBASE).into());
        }
        (WdlProbeResult::Win | WdlProbeResult::CursedWin, _) => true,
        (WdlProbeResult::Loss | WdlProbeResult::BlessedLoss, _) => false,
    };
    if terms.fifty_moves && board.halfmove_clock() > 0 {
        return None;
    }
    let mover = Seat::BOTH[board.side_to_move() as usize];
    let winner = if is_won { mover } else { mover.other() };
    Some(OutcomeOfTwo::won(winner, Reason::TABLEBASE).into())
}

fn probe(tables: &TableBases<Attacks>, board: &Board) -> Option<WdlProbeResult> {
    let of = |piece| board.pieces(piece).0;
    let mover = board.side_to_move();
    let row = Rank::Sixth.relative_to(mover);
    let en_passant = board.en_passant().map(|file| Square::new(file, row) as u32);
    let probed = tables.probe_wdl(
        board.colors(Color::White).0,
        board.colors(Color::Black).0,
        of(Piece::King),
        of(Piece::Queen),
        of(Piece::Rook),
        of(Piece::Bishop),
        of(Piece::Knight),
        of(Piece::Pawn),
        en_passant.unwrap_or(0),
        mover == Color::White,
    );
    probed.ok()
}

#[derive(Debug, Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::index(index as usize)
}

/// The squares that are seen in some directions. The table of `cozy-chess` would be in the program twice.
fn slides(at: u64, occupied: u64, directions: [(i8, i8); 4]) -> u64 {
    let mut seen = BitBoard::EMPTY;
    for (files, ranks) in directions {
        let mut from = square(at);
        while let Some(next) = from.try_offset(files, ranks) {
            seen |= next.bitboard();
            if BitBoard(occupied).has(next) {
                break;
            }
            from = next;
        }
    }
    seen.0
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, at: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        get_pawn_attacks(square(at), color).0
    }

    fn knight_attacks(at: u64) -> u64 {
        get_knight_moves(square(at)).0
    }

    fn bishop_attacks(at: u64, occupied: u64) -> u64 {
        slides(at, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)])
    }

    fn rook_attacks(at: u64, occupied: u64) -> u64 {
        slides(at, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)])
    }

    fn king_attacks(at: u64) -> u64 {
        get_king_moves(square(at)).0
    }

    fn queen_attacks(at: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(at, occupied) | Self::rook_attacks(at, occupied)
    }
}
