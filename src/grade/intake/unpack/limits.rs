//! Limits of a submission.

/// Limits of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Maximum number of files and folders.
    pub files: u32,
    /// Maximum bytes of all files.
    pub bytes: u64,
    /// Maximum characters of a path.
    pub path_length: usize,
    /// Maximum components of a path, including the file name.
    pub depth: usize,
}

impl Default for UnpackLimits {
    fn default() -> Self {
        Self {
            files: 10_000,
            bytes: 256 << 20,
            path_length: 400,
            depth: 32,
        }
    }
}

impl UnpackLimits {
    /// Maximum number of entries read, including those left out.
    pub(super) fn entries(&self) -> usize {
        20 * self.files as usize
    }

    /// Maximum bytes of skipped entries, and of the archive file.
    pub(super) fn skipped(&self) -> u64 {
        8 * self.bytes
    }
}
