//! A game in progress, typed or with actions as text, and its end.

mod actors;
mod any;
mod fault;
mod news;
mod outcome;
mod reason;
mod typed;

pub use actors::Actors;
pub use any::AnyPosition;
pub use fault::{ActError, AtOnceError, Refusal, Refusals, RulesFault};
pub use news::{News, NewsLine};
pub use outcome::{Outcome, OutcomeOfTwo};
pub use reason::{Reason, ReasonInfo};
pub(in crate::game) use typed::write_tokens;
pub use typed::{ParseError, Position, View};
