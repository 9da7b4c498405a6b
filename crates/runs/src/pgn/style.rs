//! The comments and the notation of moves that are asked for.

use std::time::Duration;

use super::push_seconds;
use crate::bot::Values;
use crate::clock::Spent;
use crate::game::chess::MoveNotation;
use crate::units::micros;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnStyle {
    pub moves: MoveNotation,
    /// The values in comments besides score, depth and time, in the order of [`Extra::ALL`].
    with: Vec<Extra>,
}

impl PgnStyle {
    pub fn new(moves: MoveNotation, with: &[Extra]) -> Self {
        let with = Extra::ALL.into_iter().filter(|extra| with.contains(extra));
        Self {
            moves,
            with: with.collect(),
        }
    }

    /// The words of an engine's `info` that no log has unless they are asked for.
    pub fn words_of_info(&self) -> Vec<&'static str> {
        let words = self.with.iter().filter(|extra| extra.is_of_info());
        words.map(|extra| extra.name()).collect()
    }

    pub(super) fn push_extras(
        &self,
        spent: Spent,
        left: Option<Duration>,
        values: &Values,
        out: &mut String,
    ) {
        for extra in &self.with {
            let before = out.len();
            out.push_str(extra.label());
            if extra.push(spent, left, values, out).is_none() {
                out.truncate(before);
            }
        }
    }
}

/// A part of a comment, which is left out where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    TimeLeft,
    /// The measured time less the engine's own.
    Latency,
    Nodes,
    Seldepth,
    Nps,
    Hashfull,
    Tbhits,
    Pv,
}

impl Extra {
    /// In the order of fastchess, with its labels.
    const ALL: [Self; 8] = [
        Self::TimeLeft,
        Self::Latency,
        Self::Nodes,
        Self::Seldepth,
        Self::Nps,
        Self::Hashfull,
        Self::Tbhits,
        Self::Pv,
    ];
    pub const NAMES: [&'static str; 8] = [
        "timeleft", "latency", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv",
    ];

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|extra| extra.name() == name)
    }

    fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    fn label(self) -> &'static str {
        match self {
            Self::TimeLeft => ", tl=",
            Self::Latency => ", latency=",
            Self::Nodes => ", n=",
            Self::Seldepth => ", sd=",
            Self::Nps => ", nps=",
            Self::Hashfull => ", hashfull=",
            Self::Tbhits => ", tbhits=",
            Self::Pv => ", pv=",
        }
    }

    fn is_of_info(self) -> bool {
        match self {
            Self::Seldepth | Self::Hashfull | Self::Tbhits | Self::Pv => true,
            Self::TimeLeft | Self::Latency | Self::Nodes | Self::Nps => false,
        }
    }

    /// Writes its value; `None` if it is not known.
    fn push(
        self,
        spent: Spent,
        left: Option<Duration>,
        values: &Values,
        out: &mut String,
    ) -> Option<()> {
        let own_time = || {
            let millis = values.get("time").filter(|millis| *millis >= 0.0)?;
            Duration::try_from_secs_f64(millis / 1000.0).ok()
        };
        match self {
            Self::TimeLeft => push_seconds(left?, out),
            Self::Latency => push_seconds(spent.wall.saturating_sub(own_time()?), out),
            Self::Nps => {
                let time = own_time().filter(|time| !time.is_zero());
                // As exact as the log has it.
                let time = micros(time.unwrap_or(spent.wall)) as f64;
                let nps = values.get("nodes")? * 1e6 / time;
                Values::write_number(Some(nps.round()).filter(|nps| nps.is_finite())?, out).ok()?;
            }
            Self::Nodes | Self::Seldepth | Self::Hashfull | Self::Tbhits => {
                Values::write_number(values.get(self.name())?, out).ok()?;
            }
            Self::Pv => {
                let moves = values.text(Values::PV)?;
                out.push('"');
                out.push_str(&moves.replace(',', " "));
                out.push('"');
            }
        }
        Some(())
    }
}
