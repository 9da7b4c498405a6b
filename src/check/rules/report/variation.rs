//! Surroundings of a second process that must not change the answers.

/// A difference between the surroundings of two processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variation {
    /// `PYTHONHASHSEED`.
    HashSeed,
    /// `TZ`.
    TimeZone,
    /// `LC_ALL` and `LANG`.
    Locale,
    /// The folder where it is started.
    Folder,
}

impl Variation {
    /// All variations.
    pub const ALL: [Variation; 4] = [
        Variation::HashSeed,
        Variation::TimeZone,
        Variation::Locale,
        Variation::Folder,
    ];

    /// The part of the surroundings that varies, for people.
    pub fn name(self) -> &'static str {
        match self {
            Variation::HashSeed => "hash seed",
            Variation::TimeZone => "time zone",
            Variation::Locale => "locale",
            Variation::Folder => "folder",
        }
    }

    /// Name of a problem that shows only with this variation.
    pub(super) fn problem(self) -> &'static str {
        match self {
            Variation::HashSeed => "hash-order",
            Variation::TimeZone => "time-zone",
            Variation::Locale => "locale",
            Variation::Folder => "folder",
        }
    }
}
