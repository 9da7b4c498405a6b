//! Rules programs: games whose rules are a program of their own, in any language. `docs/rules-protocol.md`
//! specifies the lines that both sides speak.
//!
//! [`Hello`] is a program's description of its game, [`Answer`] its answer to one request. Both are parsed here
//! and hold nothing that the protocol does not allow.

mod answer;
mod hello;
mod line;
mod points;
mod program;
mod show;

pub use answer::{Answer, AnswerReader, News, Next, Refusal, To, Turn};
pub use hello::{Capabilities, Hello, OptionValues, RulesOption, SeatNames};
pub use line::{Limits, Malformed};
pub use points::Points;
pub use program::{Deadlines, Program};
pub use show::Shown;
