//! Signals that interrupt a run.

use std::sync::Arc;
use std::{fs, io, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::interrupt::Interrupt;

impl Interrupt {
    /// An interrupt that follows Ctrl-C, SIGTERM, SIGHUP and SIGXCPU: the first signal lets the games in play
    /// finish, the second breaks them off, the third ends the program as it would without a handler.
    ///
    /// # Errors
    ///
    /// The system gives no pipe, thread or signal handler.
    pub fn on_signals() -> io::Result<Arc<Self>> {
        // A program started with nohup keeps running when its terminal closes.
        let handled = [SIGINT, SIGTERM, SIGHUP, SIGXCPU]
            .into_iter()
            .filter(|signal| ![SIGHUP, SIGXCPU].contains(signal) || !is_ignored(*signal));
        let mut signals = Signals::new(handled)?;
        let interrupt = Arc::new(Self::new()?);
        let interrupted = Arc::clone(&interrupt);
        let forward = move || {
            for (earlier, signal) in signals.forever().enumerate() {
                match earlier {
                    0 => interrupted.finish_games(),
                    1 => interrupted.break_off_games(),
                    _ => {
                        // It fails only for signals that cannot be caught.
                        let _ = emulate_default_handler(signal);
                    }
                }
            }
        };
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(forward)?;
        Ok(interrupt)
    }
}

/// Turns writes beyond the file size limit (`ulimit -f`) into I/O errors. By default SIGXFSZ ends the program
/// without a message.
pub fn report_file_limits() {
    // Install a handler instead of ignoring the signal: child processes inherit an ignored signal but get the
    // default for a handled one. If registration fails, the default stays.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Whether the process was started with this signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}
