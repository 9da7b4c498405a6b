//! What several suites need.

pub mod browser;
pub mod conduct;
pub mod config;
pub mod content;
pub mod doubles;
pub mod engines;
pub mod executable;
pub mod fastchess;
pub mod files;
pub mod host;
pub mod kills;
pub mod landlock;
pub mod layout;
#[expect(dead_code, reason = "the last test program tells the totals")]
pub mod needs;
pub mod pages;
pub mod program;
pub mod properties;
pub mod python;
pub mod quick;
pub mod rules_games;
pub mod rules_program;
pub mod run;
pub mod schemes;
pub mod served;
pub mod simulated_places;
pub mod stubborn;
pub mod tables;
pub mod tournament;
pub mod writes;

pub use browser::Browser;
pub use conduct::{CONDUCTS, Conduct, LIMIT, Words, due};
pub use config::{GREEDY, OPENINGS, RANDOM, greedy, randoms, scripted, shell};
pub use doubles::{
    MS, Planned, SHUFFLE, Unwatched, acts, dropping_seats, legal, line, no_limits, plays, replies,
    told, watched_game, watched_seats,
};
pub use engines::{end_as_declared, engine, stand_in};
pub use executable::write_executable;
pub use fastchess::{figures, logistic_llr, normalized_llr};
pub use files::{copy_folder, files_below, gzipped, has_extension, lines};
pub use host::host;
pub use kills::{Killer, all_combinations, times};
pub use landlock::{landlock_holds, tier_holds};
pub use needs::{command, place_of, skip};
pub use pages::without_programs;
pub use program::{REFEREE, Ran, referee, referee_in, referee_reading, root, screens, started};
pub use python::python_with;
pub use rules_games::{Heard, RandomGame};
pub use rules_program::{
    begin, begin_anyhow, begin_with, by_helper, example, examples, mistaken, play, play_at_random,
    start, start_bot, turn,
};
pub use run::{TestRun, read_games, wait_for_the_end_of_all_with, wait_until};
pub use schemes::{course, one_test, test};
pub use served::compare;
pub use simulated_places::{Chance, Game, Luck, WORLDS, World};
pub use stubborn::{STUBBORN, stubborn_run};
pub use tables::{Table, column, columns, number, rows, without_clocks};
pub use tournament::{bot, finished, played, run_folder};
pub use writes::{Watched, news, request};
