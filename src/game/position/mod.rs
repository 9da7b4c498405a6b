//! A game in progress, typed or with actions as text, and its end.

mod any;
mod fault;
mod news;
mod outcome;
mod reason;
mod typed;

pub use any::AnyPosition;
pub use fault::{ActError, Refusal, RulesFault};
pub use news::News;
pub use outcome::Outcome;
pub use reason::{Reason, ReasonInfo};
pub(in crate::game) use typed::write_tokens;
pub use typed::{ParseError, Position, View};
