//! The transcript of a record has what is addressed to each seat, and nothing else.

use referee::replay::transcripts;
use referee::runs::Run;
use referee::verify::verify;

use super::high_card::high_card;
use crate::support::doubles::told;
use crate::support::tournament::{only, tournament};

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
