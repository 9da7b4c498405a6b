//! A player's own clock and limits. Each key of its entry overrides the tournament's.

use toml::Spanned;

use crate::bot::Tier;
use crate::clock::TimeControl;
use crate::config::file::{Amount, ClockSection, LimitsSection, PlayerSection};
use crate::config::limits::time_control;
use crate::config::{Flaw, Limits};

/// Overrides of the tournament's clock and limits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnTerms {
    /// Merged time control, if a key of it is overridden.
    pub time: Option<TimeControl>,
    /// Merged limits, if a key of them is overridden.
    pub limits: Option<Limits>,
    /// Overridden keys, for example `per-game = 10s`.
    pub keys: Vec<String>,
}

/// A key and its value, if set.
type Entry<'a, T = Amount> = (&'static str, &'a mut Option<Spanned<T>>);

impl ClockSection {
    /// This section with the values of another put over it, and a list of these as `key = value`.
    pub(crate) fn with(&self, other: &Self) -> (Self, Vec<String>) {
        let mut merged = self.clone();
        let mut own = other.clone();
        let text = |amount: &Amount| amount.0.clone();
        let keys = replace(&mut merged.amounts_mut(), &mut own.amounts_mut(), text);
        (merged, keys)
    }

    /// Keys that a player can override.
    pub fn amounts_mut(&mut self) -> [Entry<'_>; 5] {
        [
            ("per-game", &mut self.per_game),
            ("increment", &mut self.increment),
            ("per-move", &mut self.per_move),
            ("margin", &mut self.margin),
            ("wall-cap", &mut self.wall_cap),
        ]
    }
}

impl LimitsSection {
    /// Amounts that a player can override.
    pub fn own_amounts_mut(&mut self) -> [Entry<'_>; 10] {
        [
            ("handshake", &mut self.handshake),
            ("start", &mut self.start),
            ("quit", &mut self.quit),
            ("line", &mut self.line),
            ("turn", &mut self.turn),
            ("log", &mut self.log),
            ("memory", &mut self.memory),
            ("file-size", &mut self.file_size),
            ("cpu", &mut self.cpu),
            ("scratch", &mut self.scratch),
        ]
    }

    /// Counts that a player can override.
    fn own_counts_mut(&mut self) -> [Entry<'_, u32>; 2] {
        [
            ("processes", &mut self.processes),
            ("open-files", &mut self.open_files),
        ]
    }
}

/// The terms of a player that differ from the tournament's.
pub fn own_terms(
    player: &PlayerSection,
    clock: &ClockSection,
    limits: &LimitsSection,
) -> Result<OwnTerms, Flaw> {
    refuse_keys_of_all(player)?;
    let (clock, of_clock) = clock.with(&player.clock);
    let text = |amount: &Amount| amount.0.clone();
    let mut own = player.limits.clone();
    let mut merged = limits.clone();
    let amounts = &mut merged.own_amounts_mut();
    let mut of_limits = replace(amounts, &mut own.own_amounts_mut(), text);
    let counts = &mut merged.own_counts_mut();
    let counts = replace(counts, &mut own.own_counts_mut(), u32::to_string);
    of_limits.extend(counts);
    Ok(OwnTerms {
        time: if of_clock.is_empty() {
            None
        } else {
            Some(time_control(&clock)?)
        },
        limits: if of_limits.is_empty() {
            None
        } else {
            Some(crate::config::limits::limits(&merged)?)
        },
        keys: [of_clock, of_limits].concat(),
    })
}

/// Overrides the tournament's values with a player's own, and returns these as `key = value`.
fn replace<T>(
    all: &mut [Entry<'_, T>],
    own: &mut [Entry<'_, T>],
    text: impl Fn(&T) -> String,
) -> Vec<String> {
    let mut keys = Vec::new();
    for ((key, all), (_, own)) in all.iter_mut().zip(own) {
        if let Some(value) = own.take() {
            keys.push(format!("{key} = {}", text(value.get_ref())));
            **all = Some(value);
        }
    }
    keys
}

/// Refuses keys that must be equal for all players.
fn refuse_keys_of_all(player: &PlayerSection) -> Result<(), Flaw> {
    const TIER: &str =
        "a player in a weaker tier could reach the files and processes of the others";
    const BUILD: &str = "players with the same program share its build";
    const RULES: &str = "both players of a game have one rules program";
    let PlayerSection { clock, limits, .. } = player;
    let place = |value: Option<usize>, key, section, reason| Some((value?, key, section, reason));
    let amount = |value: &Option<Spanned<Amount>>| value.as_ref().map(|it| it.span().start);
    let tier = |value: &Option<Spanned<Tier>>| value.as_ref().map(|it| it.span().start);
    let measure = clock.measure.as_ref().map(|it| it.span().start);
    let plies = limits.plies.as_ref().map(|it| it.span().start);
    let off_turn = limits.off_turn.as_ref().map(|it| it.span().start);
    let refused = [
        place(
            measure,
            "measure",
            "clock",
            "both clocks of a game count the same time",
        ),
        place(tier(&limits.isolation), "isolation", "limits", TIER),
        place(
            tier(&limits.isolation_fallback),
            "isolation-fallback",
            "limits",
            TIER,
        ),
        place(
            off_turn,
            "off-turn",
            "limits",
            "what a player computes on its opponent's turn can slow the opponent",
        ),
        place(amount(&limits.rules), "rules", "limits", RULES),
        place(amount(&limits.rules_start), "rules-start", "limits", RULES),
        place(
            amount(&limits.rules_memory),
            "rules-memory",
            "limits",
            RULES,
        ),
        place(plies, "plies", "limits", RULES),
        place(amount(&limits.build_time), "build-time", "limits", BUILD),
        place(
            amount(&limits.build_memory),
            "build-memory",
            "limits",
            BUILD,
        ),
        place(amount(&limits.build_log), "build-log", "limits", BUILD),
    ];
    match refused.into_iter().flatten().next() {
        None => Ok(()),
        Some((at, key, section, reason)) => Err(Flaw::at(
            at,
            format!("`{key}` is the same for all players, since {reason}: set it in [{section}]"),
        )),
    }
}
