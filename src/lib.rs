//! A tournament harness for game-playing programs: it starts bots as processes, keeps their clocks,
//! referees their games, and rates them.
//!
//! The program `referee` is one call of [`cli`]; the library offers all of its functions.
//! `docs/architecture.md` explains the layers. `examples/one_game.rs` plays one game with a referee,
//! clocks and the protocol.
//!
//! # One game
//!
//! Two house bots play Cachex with the rules alone:
//!
//! ```
//! use referee::game::{Position, Side, View, cachex};
//! use referee::opponents::cachex::{Greedy, Search};
//! use referee::opponents::{Brain, Budget};
//! use referee::random::Stream;
//!
//! let options = cachex::Options::with_size(5).ok_or("no such board")?;
//! let mut position = cachex::State::new(options);
//! let mut players: [Box<dyn Brain<_>>; 2] = [Box::new(Search::default()), Box::new(Greedy)];
//! let mut chance = Stream::new(2026, 0);
//! while let Some(seat) = position.view(Side::First).to_act() {
//!     // A player is given a view: what its seat may see, and nothing that is hidden from it.
//!     let view = position.view(seat);
//!     let player = &mut players[seat.index()];
//!     let action = player.choose(view, &mut Budget::new(500, None), &mut chance);
//!     let captured = position.apply(action)?;
//!     println!("{}. {action} {captured}", position.ply());
//! }
//! println!("{}", position.drawing());
//! let outcome = position.outcome().ok_or("the game goes on")?;
//! assert_eq!(outcome.winner, Some(Side::First.into()));
//! assert_eq!(outcome.reason.name(), "connection");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The modules
//!
//! In reading order, from the rules of a game outwards. All but [`cli`] and [`doctor`] are in the crates of `crates/`, and are
//! named here once more:
//!
//! | module | content |
//! |---|---|
//! | [`game`] | the rules and the notation of each game |
//! | [`random`] | reproducible random numbers |
//! | [`units`] | amounts as text: `10s`, `64KiB` |
//! | [`text`] | escaping of foreign text for display |
//! | [`parallel`] | work on all processors |
//! | [`protocol`] | the lines exchanged by the referee and a bot |
//! | [`clock`] | time controls and clocks |
//! | [`bot`] | one bot: a process behind pipes, or a function in this process |
//! | [`rules`] | games whose rules are a program of their own |
//! | [`referee`] | one game between two players, from the handshake to its end |
//! | [`schedule`] | pairings: one file per format |
//! | [`runner`] | concurrent games, and their events |
//! | [`runs`] | a run on disk: journal, logs, manifest |
//! | [`rating`] | ratings and intervals from results |
//! | [`tuning`] | values of parameters from games between them |
//! | [`matchmaking`] | whose next games tell most |
//! | [`results`] | results from runs and other files, with their ratings |
//! | [`report`] | tables, CSV and progress |
//! | [`pages`] | HTML pages from the records of a run |
//! | [`opponents`] | the house bots |
//! | [`config`] | TOML files, parsed and validated into a plan |
//! | [`replay`] | replay of a recorded game: its positions and transcripts |
//! | [`shards`] | a tournament on many machines: plan, shards, and their merge |
//! | [`verify`] | verification of a run's records |
//! | [`check`] | fitness of a bot for a tournament |
//! | [`doctor`] | this machine, and what it can do for a run |
//! | [`grade`] | submissions, tests, marks, feedback |
//! | [`league`] | a roster that changes, matchmaking, ratings over all runs |
//! | [`cli`] | the command line |

#![forbid(unsafe_code)]

pub mod doctor;
pub mod cli;

pub use referee_bot::{bot, clock, protocol, text, units};
pub use referee_game::{game, random};
pub use referee_grade::grade;
pub use referee_house_bots::opponents;
pub use referee_league::league;
pub use referee_play::{referee, rules, schedule};
pub use referee_rating::{matchmaking, rating, tuning};
pub use referee_report::{pages, report, shards};
pub use referee_runs::{check, config, parallel, pgn, replay, results, runner, runs, verify};
