//! What a bot wrote besides its answers.

/// The kept part of a bot's stderr and debug lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The first bytes, up to the limit.
    pub kept: Vec<u8>,
    /// How many bytes more there were.
    pub dropped: u64,
}

impl Log {
    /// Adds `bytes`, of which no more are kept than fit under `limit`.
    pub(super) fn push(&mut self, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        self.dropped += (bytes.len() - room) as u64;
    }

    /// Whether the bot wrote nothing.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.dropped == 0
    }
}
