//! All integration tests in one program, which is linked once. Two suites need their own `main`:
//! `misbehaving_bots` and `starter_kits`.
//!
//! The tests are threads of one process: none may change its directory, environment, limits or signal
//! handlers. A test that needs to starts a child process.

/// Compares a screen with the one in `snapshots/`. `INSTA_UPDATE=always cargo test --test it` records all
/// screens anew.
macro_rules! assert_screen {
    ($($screen:tt)*) => {
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!($($screen)*);
        })
    };
}

/// A thing that a test needs beside Rust and a C linker. Without it the test ends here, and passes.
macro_rules! needed {
    ($what:expr) => {{
        let Some(found) = $what else {
            return;
        };
        found
    }};
}

/// Asserts that these words stand in a text, and shows the text otherwise.
macro_rules! assert_has {
    ($text:expr, $words:expr $(,)?) => {
        assert!($text.contains($words), "{}", $text)
    };
}

/// Asserts that these words do not stand in a text, and shows the text otherwise.
macro_rules! assert_lacks {
    ($text:expr, $words:expr $(,)?) => {
        assert!(!$text.contains($words), "{}", $text)
    };
}

/// Asserts that a text begins with these words, and shows the text otherwise.
macro_rules! assert_starts {
    ($text:expr, $words:expr $(,)?) => {
        assert!($text.starts_with($words), "{}", $text)
    };
}

mod adjudication;
mod bots_start_alike;
mod builds;
mod busy_machine;
mod check;
mod chess_openings;
mod chess_pgn;
mod config_errors;
mod course_adapters;
mod course_configs;
mod course_files;
mod damaged_manifest;
mod engines;
mod display_names;
mod doctor;
mod docs_config;
mod docs_failures;
mod docs_formats;
mod docs_links;
mod docs_site;
mod format_tables;
mod formats;
mod drawn_boards;
mod full_disk;
mod game_check;
mod game_new;
mod game_page;
mod games_listing;
mod glossary;
mod golden_records;
mod grade_changes;
mod grade_class;
mod grade_feedback;
mod grade_games_that_count;
mod grade_hidden;
mod grade_kinds;
mod grade_layouts;
mod grade_marks;
mod grade_modules;
mod grade_one_fails;
mod grade_outputs;
mod grade_page;
mod grade_submissions;
mod grade_more_seats;
mod grade_unfit;
mod gtp_engines;
mod help;
mod hostile_input;
mod hidden_information;
mod house_bot_conversation;
mod journal;
mod late_answers;
mod league;
mod league_days;
mod league_trials;
mod live_page;
mod lost_time;
mod mgtp_bridge;
mod mistyped;
mod more_seats;
mod new_folders;
mod page_conclusions;
mod page_layout;
mod page_tables;
mod pages_at_end;
mod paths;
mod pgn;
mod pictures;
mod placement;
mod playing_at_the_terminal;
mod position;
mod protocol_transcripts;
mod quick_match;
mod quick_turns;
mod rate;
mod rate_more_seats;
mod ratings;
mod ratings_anchors;
mod ratings_openings;
mod ratings_places;
mod ratings_reference;
mod referee_rules;
mod replay;
mod report_charts;
mod report_curves;
mod report_figures;
mod report_pages;
mod reported_values;
mod resume;
mod resume_finds;
mod rules;
mod rules_examples;
mod rules_lines;
mod rules_pages;
mod rules_programs;
mod rules_runs;
mod rules_trust;
mod rules_zoo;
mod run_end;
mod round_trips;
mod served_rules;
mod shards;
mod sample;
mod sprt_runs;
mod stopping;
mod support;
mod referee_seats;
mod temporary_folders;
mod terminals;
mod testers;
mod text_from_bots;
mod tournament;
mod time_odds;
mod transcripts;
mod tuning;
mod uci_engines;
mod unrunnable_programs;
mod verify;
mod verify_changes;
mod virtual_environments;
mod what_players_hear;
mod worker_panics;
mod wrapped_games;

use std::path::Path;

/// A file without a `mod` line would not be compiled.
#[test]
fn every_file_is_a_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let modules = include_str!("main.rs");
    for entry in std::fs::read_dir(root).expect("tests/it") {
        let path = entry.expect("an entry").path();
        let is_module = match path.is_dir() {
            true => path.join("mod.rs").exists(),
            false => path.extension().is_some_and(|extension| extension == "rs"),
        };
        let name = path.file_stem().expect("a name").to_string_lossy();
        if is_module && name != "main" {
            let line = format!("mod {name};");
            assert!(modules.lines().any(|known| known == line), "no `{line}`");
        }
    }
}
