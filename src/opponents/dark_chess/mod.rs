//! House bots for dark chess. They use public information only, and weight face-down pieces by the number of unseen
//! pieces of each kind.

mod evaluation;
mod search;
#[cfg(test)]
mod tests;

pub use evaluation::Greedy;
pub use search::Search;

use crate::game::dark_chess::{Piece, View};

/// Possible pieces on a face-down square, with the unseen number of each.
fn unseen(view: &View) -> impl Iterator<Item = (Piece, i32)> {
    let seen = view.seen();
    Piece::all()
        .map(|piece| (piece, i32::from(seen.unseen(piece))))
        .filter(|&(_, count)| count > 0)
}
