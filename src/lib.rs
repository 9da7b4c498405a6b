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
