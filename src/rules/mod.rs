//! Rules programs: games whose rules are a program of their own, in any language. `docs/rules-protocol.md`
//! specifies the lines that both sides speak.
//!
//! [`Hello`] is a program's description of its game, [`Answer`] its answer to one request. Both are parsed here
//! and hold nothing that the protocol does not allow. [`RulesServer`] is the other side: it serves a game of the harness.

mod answer;
mod hello;
mod line;
mod pool;
mod position;
mod program;
mod programs;
mod request;
mod serve;
mod show;
mod write;

pub use answer::{Answer, AnswerReader, LegalReader, News, Next, Refusal, To, Turn};
pub use hello::{Capabilities, Hello, OptionValues, RulesOption, SeatNames};
pub use line::{Limits, Malformed};
pub use pool::{SupervisorSource, confinement, launch};
pub use program::{Deadlines, Program};
pub use programs::Programs;
pub use request::{BadRequest, Request};
pub use serve::{RulesServer, ServeError, Serving};
pub use show::{ShownPosition, ShownReader};
