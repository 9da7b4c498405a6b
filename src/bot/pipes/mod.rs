//! The pipes and sockets between the referee and a bot: waiting for them, and cutting what they bring
//! into lines. It is handed open descriptors and gives lines, or the kept part of a log; it knows no
//! process and no deadline of a game.

mod cancel_pipe;
mod line_buffer;
mod log;
mod outbox;
mod poll;

pub use cancel_pipe::CancelPipe;
pub use line_buffer::{LineBuffer, ReadOutcome};
pub use log::Log;
pub use outbox::Outbox;
pub use poll::{ReadyStreams, Streams, poll_for};
