//! The machine that plays a run: its cores, the number of games they can play, and the load on them.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;

use rustix::thread::{CpuSet, sched_getaffinity};

use crate::bot::{Lane, Lanes, OffTurn};
use crate::clock::Measure;
use crate::text::counted;

/// Pressure from which a machine is busy: percentage of time with a task waiting for a processor.
const PRESSURE: f64 = 20.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Logical processors available to this process, by physical core.
    cores: Vec<Vec<u32>>,
    /// Quota of processor time, in processors.
    quota: usize,
    load: f64,
    /// Percentage of the last ten seconds with a task waiting for a processor, if known.
    pressure: Option<f64>,
}

impl Machine {
    pub fn read() -> Self {
        // Also reads the quota of the control group.
        let quota = std::thread::available_parallelism().map_or(1, usize::from);
        let allowed = match sched_getaffinity(None) {
            Ok(set) => (0..CpuSet::MAX_CPU as u32)
                .filter(|cpu| set.is_set(*cpu as usize))
                .collect(),
            Err(_) => (0..quota as u32).collect(),
        };
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Self {
            cores: by_core(allowed, |cpu| {
                let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
                let read = |file| fs::read_to_string(format!("{topology}/{file}")).ok();
                Some((read("physical_package_id")?, read("core_id")?))
            }),
            quota,
            load: load(&read("/proc/loadavg")).unwrap_or_default(),
            pressure: pressure(&read("/proc/pressure/cpu")),
        }
    }

    /// Number of cores on which games can run at a time.
    pub fn cores(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.cores.len().min(self.quota)).unwrap_or(NonZeroUsize::MIN)
    }

    /// Number of logical processors that can run at a time.
    pub fn processors(&self) -> usize {
        let all: usize = self.cores.iter().map(Vec::len).sum();
        all.min(self.quota)
    }

    /// Logical processors of each game that can be pinned. Bots of a game take turns, so one core is enough,
    /// unless they act at once or may compute on the opponent's time.
    pub fn places(&self, turns: Turns, off_turn: OffTurn) -> Vec<Vec<u32>> {
        let width = match (turns, off_turn) {
            (Turns::AtOnce, _) | (_, OffTurn::Log) => 2,
            (Turns::Alternate, OffTurn::Stop | OffTurn::Forbid) => 1,
        };
        let width = width.min(self.cores.len()).max(1);
        self.cores
            .chunks_exact(width)
            .map(<[Vec<u32>]>::concat)
            .take((self.quota / width).max(1))
            .collect()
    }

    /// One lane per game, if there is more than one core to choose from.
    pub fn lanes(&self, jobs: NonZeroUsize) -> Vec<Arc<Lane>> {
        let lanes = Lanes::new(self.cores.clone());
        let lane = |lanes: &Arc<Lanes>| (0..jobs.get()).map(|_| Lane::new(lanes)).collect();
        lanes.as_ref().map(lane).unwrap_or_default()
    }

    /// Warnings before `jobs` games are played at a time, given the clock that counts and whether it is
    /// `limited`: why games may be slower, or end differently, on this machine.
    pub fn warnings(
        &self,
        jobs: usize,
        turns: Turns,
        measure: Measure,
        limited: bool,
    ) -> Vec<String> {
        let cores = self.cores().get();
        let mut warnings = Vec::new();
        if jobs.saturating_mul(turns.width()) > cores {
            let games = counted(jobs as u64, "game", "games");
            let physical = counted(cores as u64, "physical core", "physical cores");
            let both = match turns {
                Turns::Alternate => "",
                Turns::AtOnce => ", whose players act at once",
            };
            let advice = match (measure, cores / turns.width()) {
                (Measure::Wall, 0) => {
                    "time on the wall runs meanwhile; use measure = \"cpu\"".to_owned()
                }
                (Measure::Wall, jobs) => {
                    format!("time on the wall runs meanwhile; use -j {jobs}, or measure = \"cpu\"")
                }
                (Measure::Cpu, 0) => {
                    "their processor time stays fair; a wall-cap counts the waiting".to_owned()
                }
                (Measure::Cpu, jobs) => {
                    format!("their processor time stays fair; use -j {jobs} for an honest wall-cap")
                }
            };
            warnings.push(format!(
                "{games} at a time on {physical}{both}: bots wait for each other, and {advice}"
            ));
        }
        let processors = self.processors();
        let crowded = self.load + (jobs * turns.width()) as f64 >= processors as f64 + 1.0;
        let waiting = self.pressure.filter(|percent| *percent >= PRESSURE);
        if measure == Measure::Wall && limited && (crowded || waiting.is_some()) {
            let waits = waiting.map_or_else(String::new, |percent| {
                format!(", waits in {percent:.0} % of the time")
            });
            warnings.push(format!(
                "the machine is busy (load {:.1} on {}{waits}): clocks on the wall stop while a bot waits for a \
                 processor, and games take longer",
                self.load,
                counted(processors as u64, "processor", "processors")
            ));
        }
        warnings
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    Alternate,
    AtOnce,
}

impl Turns {
    pub fn width(self) -> usize {
        match self {
            Self::Alternate => 1,
            Self::AtOnce => 2,
        }
    }
}

/// Groups logical processors by package and core. A processor without a known core is a core by itself.
fn by_core(
    processors: Vec<u32>,
    core_of: impl Fn(u32) -> Option<(String, String)>,
) -> Vec<Vec<u32>> {
    let mut cores: Vec<Vec<u32>> = Vec::new();
    let mut known = BTreeMap::new();
    for processor in processors {
        let core = core_of(processor);
        match core.as_ref().and_then(|core| known.get(core)) {
            Some(index) => {
                let core: &mut Vec<u32> = &mut cores[*index];
                core.push(processor);
            }
            None => {
                known.extend(core.map(|core| (core, cores.len())));
                cores.push(vec![processor]);
            }
        }
    }
    cores
}

fn load(text: &str) -> Option<f64> {
    text.split(' ').next()?.parse().ok()
}

fn pressure(text: &str) -> Option<f64> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let average = some
        .split(' ')
        .find_map(|field| field.strip_prefix("avg10="))?;
    average.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four cores of two threads each; the second thread of core n is processor n + 4.
    fn machine(load: f64, pressure: Option<f64>) -> Machine {
        let core_of = |cpu: u32| Some(("0".to_owned(), (cpu % 4).to_string()));
        Machine {
            cores: by_core((0..8).collect(), core_of),
            quota: 8,
            load,
            pressure,
        }
    }

    #[test]
    fn threads_of_one_core_are_one_core() {
        let machine = machine(0.0, None);
        assert_eq!(machine.cores, [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(machine.cores().get(), 4);
        assert_eq!(by_core(vec![0, 3], |_| None), [[0], [3]]);
        let quota = Machine {
            quota: 2,
            ..machine
        };
        assert_eq!(quota.cores().get(), 2);
    }

    #[test]
    fn a_game_has_a_core_or_two_where_both_bots_may_compute() {
        let machine = machine(0.0, None);
        let one: Vec<Vec<u32>> = vec![vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]];
        let places = |off_turn| machine.places(Turns::Alternate, off_turn);
        assert_eq!(places(OffTurn::Stop), one);
        assert_eq!(places(OffTurn::Forbid), one);
        assert_eq!(places(OffTurn::Log), [[0, 4, 1, 5], [2, 6, 3, 7]]);
        assert_eq!(
            machine.places(Turns::AtOnce, OffTurn::Stop),
            places(OffTurn::Log)
        );
        let quota = Machine {
            quota: 2,
            ..machine.clone()
        };
        assert_eq!(quota.places(Turns::Alternate, OffTurn::Log), [[0, 4, 1, 5]]);
        let single = Machine {
            cores: vec![vec![6]],
            quota: 1,
            ..machine
        };
        assert_eq!(single.places(Turns::AtOnce, OffTurn::Log), [[6]]);
    }

    #[test]
    fn too_many_games_and_a_busy_machine_are_said() {
        use Measure::{Cpu, Wall};
        use Turns::{Alternate, AtOnce};
        let busy = "the machine is busy (load 5.2 on 8 processors, waits in 31 % of the time)";
        for (load, pressure, jobs, turns, measure, begins) in [
            (0.0, 0.0, 4, Alternate, Wall, ""),
            (
                0.0,
                0.0,
                5,
                Alternate,
                Wall,
                "5 games at a time on 4 physical cores: ",
            ),
            (0.0, 0.0, 2, AtOnce, Cpu, ""),
            (
                0.0,
                0.0,
                3,
                AtOnce,
                Cpu,
                "3 games at a time on 4 physical cores, whose players",
            ),
            (5.2, 31.4, 4, Alternate, Wall, busy),
            (5.2, 31.4, 4, Alternate, Cpu, ""),
            // There is room for one game beside this load, and for no more.
            (7.5, 0.0, 1, Alternate, Wall, ""),
            (
                7.5,
                0.0,
                2,
                Alternate,
                Wall,
                "the machine is busy (load 7.5 on 8 processors): ",
            ),
        ] {
            let said = machine(load, Some(pressure)).warnings(jobs, turns, measure, true);
            let said = said.join("");
            assert!(
                said.starts_with(begins) && said.is_empty() == begins.is_empty(),
                "{said}"
            );
        }
        let unlimited = machine(5.2, Some(31.4)).warnings(4, Alternate, Wall, false);
        assert!(unlimited.is_empty());
    }

    #[test]
    fn the_kernels_words_are_understood() {
        assert_eq!(load("0.62 1.10 0.98 1/92 22518\n"), Some(0.62));
        assert_eq!(load(""), None);
        let text = "some avg10=12.50 avg60=1.20 avg300=3.54 total=48534782\nfull avg10=0.00\n";
        assert_eq!(pressure(text), Some(12.5));
        assert_eq!(pressure(""), None);
    }
}
