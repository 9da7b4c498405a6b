//! A seat hears what is addressed to it, and nothing else, in play and in the transcript of the record.

use referee::game::{Seat, Setup};
use referee::replay::transcripts;
use referee::runs::Run;
use referee::verify::verify;

use super::high_card::high_card;
use crate::support::doubles::{no_limits, plays, told, watched_game};
use crate::support::tournament::{only, tournament};

#[test]
fn each_seat_hears_its_own_cards_only() {
    let (mut odd, mut even) = (plays(&["keep", "swap"], &[]), plays(&["swap", "keep"], &[]));
    let players = [&mut odd as _, &mut even as _];
    let mut boards = Vec::new();
    let setup = Setup::new(high_card());
    let end = watched_game(&setup, &no_limits(), 0, players, |_, position| {
        boards.push(Seat::BOTH.map(|seat| position.drawing(Some(seat)).expect("a board")));
    });
    end.expect("a game that counts");
    let card = |ply: usize, seat: Seat| boards[ply][seat.index()].letters().replace('?', "");
    let (first, second) = (Seat::FIRST, Seat::SECOND);
    // The third ply is the swap of the first seat, the second one of the second seat.
    let (dealt, swapped) = (card(0, first), card(2, first));
    assert_eq!(
        told(odd.player.received(), "see"),
        [
            format!("see card {dealt}"),
            "see ply 1".to_owned(),
            "see ply 2".to_owned(),
            format!("see card {swapped}"),
            "see ply 3".to_owned(),
            "see ply 4".to_owned(),
        ]
    );
    let (dealt, swapped) = (card(0, second), card(1, second));
    assert_eq!(
        told(even.player.received(), "see"),
        [
            format!("see card {dealt}"),
            "see ply 1".to_owned(),
            format!("see card {swapped}"),
            "see ply 2".to_owned(),
            "see ply 3".to_owned(),
            "see ply 4".to_owned(),
        ]
    );
    for player in [&odd, &even] {
        assert_eq!(told(player.player.received(), "did"), [""; 0]);
    }
}

#[test]
fn the_record_leads_to_the_lines_that_were_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    assert_eq!(tournament(high_card(), &out), (vec![], vec![]));
    let run = Run::open(&out, only(high_card())).expect("a run");
    verify(&run, &mut || {}).expect("the records are true");
    let recording = run.recording(0).expect("read").expect("there");
    let last = recording.position(4).expect("the log is true");
    let sent = transcripts(&recording).expect("the rules answer");
    for (seat, lines) in sent.iter() {
        let cards = lines.iter().filter(|line| line.starts_with("see card "));
        let cards: Vec<&String> = cards.collect();
        let board = last.drawing(Some(seat)).expect("a board");
        let board = board.letters().replace('?', "");
        assert_eq!(cards.len(), 2, "one was dealt and one was swapped for it");
        assert_eq!(*cards[1], format!("see card {board}"));
        assert_eq!(told(lines, "did"), [""; 0]);
    }
}
