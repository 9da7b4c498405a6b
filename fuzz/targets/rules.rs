//! Answers of a rules program: its hello, turns, lists and boards.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee::rules::{AnswerReader, Hello, ShownReader, parse_can};

fuzz_target!(|text: &str| {
    if let Ok(hello) = Hello::parse(text.lines()) {
        for option in &hello.options {
            assert!(option.values.take(&option.default), "{option:?}");
        }
    }
    let (seats, has_lines) = ((text.len() % 4) as u8 + 1, text.len() % 8 < 4);
    let acted: Vec<u8> = (0..seats).collect();
    let mut answer = AnswerReader::new(seats, has_lines, &acted);
    for line in text.lines() {
        // The answer is complete, or malformed.
        if !matches!(answer.take(line), Ok(None)) {
            break;
        }
    }
    let mut shown = ShownReader::default();
    for line in text.lines() {
        let _ = shown.take(line);
        if let Ok((_, actions)) = parse_can(line, seats, has_lines) {
            assert!(actions.iter().all(|action| !action.is_empty()));
        }
    }
    if let Some(board) = shown.finish().drawing.board {
        let cells = board.columns * board.row_count();
        assert_eq!(board.letters.chars().count(), cells);
    }
});
