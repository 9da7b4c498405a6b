//! The bots that played: digests of their programs, folders and sources.

pub(super) mod bot_digest;
pub(super) mod content;
pub(super) mod copy_folder;
pub(super) mod folder_digest;
pub(super) mod sources;
