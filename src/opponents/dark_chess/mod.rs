//! House bots for dark chess. Both know only what is public, and weigh what may lie face-down by how
//! many of each piece have not been seen.

mod evaluation;
mod greedy;
mod search;

pub use greedy::Greedy;
pub use search::Search;

use crate::game::dark_chess::{Piece, View};

/// The pieces that a face-down square may hold, with how many there are of each.
fn unseen(view: &View) -> impl Iterator<Item = (Piece, i32)> {
    let seen = view.seen();
    Piece::all()
        .map(|piece| (piece, i32::from(seen.unseen(piece))))
        .filter(|&(_, count)| count > 0)
}

#[cfg(test)]
mod tests;
