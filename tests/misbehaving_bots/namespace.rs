//! Runs the harness with one bot and an honest opponent in a [`World`] of its own, where this machine allows
//! that. There a bot can hit nothing outside, and `/proc` shows exactly what is left.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use libtest_mimic::Trial;
use referee::bot::{Confinement, CpuSource, Launch, OffTurn, Tier, supervise};
use referee::clock::Measure;
use referee::game::Seat;
use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};
use tempfile::TempDir;

use crate::catalogue::{self, BOTS, Kind, MisbehavingBot, Need};
use crate::game::{ends_as_declared, time_control};
use crate::helpers::{FOLDER, PYTHON, SECRET, SECRETS};
use crate::needs::{skip, skip_part};
use crate::reach;
use crate::worlds::{World, with_machine};
use crate::{
    check, control_groups, endurance, in_tier, launch, layout, loaded, more_seats, page, sandbox,
    shims, supervised,
};

/// The tier of gradings. Bots play in others, and in games of more seats, if slow tests are asked for.
const USUAL: Tier = Tier::Landlock;

/// A trial for each bot and each test of the whole harness, in each of its tiers.
pub fn trials() -> Vec<Trial> {
    let world = World::here();
    let bots = BOTS
        .iter()
        .flat_map(|bot| bot.tiers.iter().map(move |tier| of_bot(bot, *tier, world)));
    let harness_tests = HARNESS_TESTS.iter().flat_map(|((name, _), tiers)| {
        let trial = move |tier: &Tier| of_harness(name, *tier, world);
        tiers.iter().map(trial)
    });
    let of_three = more_seats::bots().map(move |bot| in_a_game_of_three(bot, world));
    let bots = bots.chain(of_three).chain(harness_tests);
    bots.chain(without_user_namespaces()).collect()
}

fn of_bot(bot: &'static MisbehavingBot, tier: Tier, world: Option<World>) -> Trial {
    let name = named(&bot.name, tier, world);
    Trial::test(name.clone(), move || {
        with_machine(bot.loud, || {
            match (missing(bot, tier, world.is_some()), world) {
                (Some(need), _) => skip_part(&name, need),
                (None, Some(world)) => in_world(world, &bot.name, tier),
                (None, None) => play_as_declared(bot, tier, false),
            }
        });
        Ok(())
    })
    .with_ignored_flag(bot.tiers.contains(&USUAL) && tier != USUAL)
}

/// Games of three seats, in the first tier in which the bot plays.
fn in_a_game_of_three(bot: &'static MisbehavingBot, world: Option<World>) -> Trial {
    let tier = bot.tiers[0];
    let name = format!("{} in a game of three seats", bot.name);
    let name = named(&name, tier, world);
    Trial::test(name.clone(), move || {
        with_machine(bot.loud, || {
            match (missing(bot, tier, world.is_some()), world) {
                (Some(need), _) => skip_part(&name, need),
                (None, Some(world)) => in_world(world, &format!("{THREE}{}", bot.name), tier),
                (None, None) => more_seats::play_as_declared(bot, tier, false),
            }
        });
        Ok(())
    })
    .with_ignored_flag(true)
}

fn of_harness(name: &'static str, tier: Tier, world: Option<World>) -> Trial {
    let title = named(name, tier, world);
    Trial::test(title.clone(), move || {
        with_machine(HOGS.contains(&name), || {
            match (missing_for_harness_tests(tier), world) {
                (Some(need), _) => skip_part(&title, need),
                (None, None) => skip_part(&title, World::NEEDS),
                (None, Some(world)) => in_world(world, name, tier),
            }
        });
        Ok(())
    })
    .with_ignored_flag(tier != USUAL)
}

/// What the page promises, once more for an ordinary user who may make no user namespace. Root needs none.
fn without_user_namespaces() -> Vec<Trial> {
    if geteuid().is_root() {
        return Vec::new();
    }
    let world = World::WithoutUserNamespaces;
    if !world.is_possible() {
        return vec![Trial::test("the_table_without_user_namespaces", || {
            skip(World::NEEDS);
            Ok(())
        })];
    }
    let world = Some(world);
    let bots = page::attacks().map(|(bot, _)| catalogue::find(bot));
    let held = bots.flat_map(|bot| {
        let tiers = bot.tiers.iter().filter(|tier| **tier != Tier::Strict);
        tiers.map(move |tier| of_bot(bot, *tier, world))
    });
    held.chain([of_harness("the_tier_is_refused", Tier::Strict, world)])
        .collect()
}

fn named(test: &str, tier: Tier, world: Option<World>) -> String {
    let without = match world {
        Some(World::WithoutUserNamespaces) => ", no user namespaces",
        _ => "",
    };
    format!("{test} [{}{without}]", tier.name())
}

fn missing_for(tier: Tier) -> Option<String> {
    let confinement = in_tier(tier);
    // No folders are probed: which must be readable depends on the user, and root in a namespace is not
    // root outside.
    let problem = confinement.probe(&[]).err()?;
    Some(problem.to_string())
}

fn missing(bot: &MisbehavingBot, tier: Tier, alone: bool) -> Option<String> {
    let wants_python = bot.needs(Need::Python) && !Path::new(PYTHON).exists();
    if !alone && bot.needs(Need::Namespace) {
        return Some(World::NEEDS.to_owned());
    }
    if bot.needs(Need::SignalScope) && tier != Tier::Strict && !supervise::signals_can_be_kept() {
        return Some("Landlock as of Linux 6.12".to_owned());
    }
    if bot.needs(Need::Counter) && CpuSource::here() != CpuSource::Counter {
        return Some("a counter of processor time (kernel.perf_event_paranoid)".to_owned());
    }
    if bot.needs(Need::ControlGroup) && !control_groups::are_made() {
        return Some("a control group that can be written to".to_owned());
    }
    missing_for(tier).or(wants_python.then(|| PYTHON.to_owned()))
}

fn missing_for_harness_tests(tier: Tier) -> Option<String> {
    if tier != Tier::Strict && !supervise::signals_can_be_kept() {
        return Some("Landlock as of Linux 6.12".to_owned());
    }
    missing_for(tier)
}

/// By how many milliseconds each game exceeded its bound, and whose it was.
static EXCESSES: Mutex<Vec<(i64, String)>> = Mutex::new(Vec::new());

/// What comes before the name of a bot that is to play in a game of three seats.
const THREE: &str = "three:";

/// The beginning of the line that says so.
const EXCESS: &str = "excess over the bound in ms:";

fn in_world(world: World, name: &str, tier: Tier) {
    let disk = tempfile::tempdir().expect("a folder");
    let output = world
        .command(disk.path())
        .arg(std::env::current_exe().expect("a path"))
        .args(["in-namespace", name, tier.name()])
        .envs(SECRETS.map(|name| (name, SECRET)))
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for line in said.lines() {
        match line.strip_prefix(EXCESS) {
            Some(excess) => {
                let excess = excess.trim().parse().expect("a number");
                let name = named(name, tier, Some(world));
                EXCESSES.lock().expect("whole").push((excess, name));
            }
            None => println!("{line}"),
        }
    }
}

pub fn print_figures() {
    let excesses = EXCESSES.lock().expect("whole");
    if let Some((excess, name)) = excesses.iter().max() {
        println!(
            "{} games of misbehaving bots ended as declared, and nothing was left after any; worst \
             excess over the bound of a game: {excess} ms, by {name}",
            excesses.len()
        );
    }
}

/// Runs as the only program of a world.
pub fn run(name: &str, tier: &str) {
    let tier = Tier::ALL.into_iter().find(|known| known.name() == tier);
    let tier = tier.expect("a tier");
    // As in most shells.
    let files = getrlimit(Resource::Nofile);
    let usual = Rlimit {
        current: Some(1024),
        ..files
    };
    setrlimit(Resource::Nofile, usual).expect("a lower limit");
    // Namespaces have the numbers of earlier ones, whose processes were killed before they could remove their groups.
    let is_clean = is_again(&BTreeSet::new(), || {
        groups().iter().for_each(|group| remove_group(group));
        groups()
    });
    assert!(is_clean, "groups of an earlier namespace: {:?}", groups());
    if let Some(((_, test), _)) = HARNESS_TESTS.iter().find(|((known, _), _)| *known == name) {
        return test(tier);
    }
    supervise::adopt_orphans().expect("this is Linux");
    match name.strip_prefix(THREE) {
        Some(bot) => more_seats::play_as_declared(catalogue::find(bot), tier, true),
        None => play_as_declared(catalogue::find(name), tier, true),
    }
}

const HOGS: [&str; 2] = [
    "an_instant_bot_beside_two_hundred_threads_loses_nothing",
    "sessions_beside_the_rules_and_an_opponent_gain_nothing",
];

type HarnessTest = ((&'static str, fn(Tier)), &'static [Tier]);

const ISOLATED: &[Tier] = &[Tier::Landlock, Tier::Strict];

/// Tests of the whole harness, and the tiers in which they run.
const HARNESS_TESTS: &[HarnessTest] = &[
    (
        test!(endurance::a_killed_harness_takes_its_bots_along),
        &Tier::ALL,
    ),
    (
        test!(endurance::a_harness_ends_as_it_began),
        &[Tier::Containment, Tier::Strict],
    ),
    (test!(check::hostile_bots_are_checked), &[Tier::Containment]),
    (
        test!(shims::a_maker_of_shims_that_is_stopped_or_killed_harms_no_game),
        &[Tier::Containment],
    ),
    (
        test!(shims::a_bot_is_not_charged_for_those_before_it),
        &[Tier::Containment],
    ),
    (
        test!(shims::a_bot_starts_beside_one_that_passes_descriptors),
        &Tier::ALL,
    ),
    (test!(loaded::a_run_on_a_loaded_machine_ends), &Tier::ALL),
    (
        test!(loaded::an_instant_bot_beside_two_hundred_threads_loses_nothing),
        &Tier::ALL,
    ),
    (
        test!(loaded::sessions_beside_the_rules_and_an_opponent_gain_nothing),
        ISOLATED,
    ),
    (test!(layout::a_layout_is_out_of_reach), ISOLATED),
    (
        test!(layout::a_layout_is_within_reach_where_nothing_is_promised),
        &[Tier::Containment],
    ),
    (
        test!(reach::the_rules_are_within_reach_where_nothing_is_promised),
        &[Tier::Containment],
    ),
    // Played only where there are no user namespaces.
    (test!(sandbox::the_tier_is_refused), &[]),
];

/// What a game could leave behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Traces {
    /// Zombies too.
    processes: BTreeSet<u32>,
    /// How many the harness has open.
    pub descriptors: usize,
    scratch: BTreeSet<PathBuf>,
    groups: BTreeSet<PathBuf>,
}

/// What there is now, besides shims that wait for a bot.
pub fn traces() -> Traces {
    supervise::end_idle_shims();
    Traces {
        processes: processes(),
        descriptors: entries(Path::new("/proc/self/fd")).count(),
        scratch: entries(&std::env::temp_dir()).collect(),
        groups: groups(),
    }
}

/// The same, once processes that are about to end have ended.
pub fn settled_traces() -> Traces {
    let mut before = traces();
    loop {
        std::thread::sleep(Duration::from_millis(20));
        let now = traces();
        if now == before {
            return now;
        }
        before = now;
    }
}

/// Removes a group and those in it, unless a process in it lives.
fn remove_group(folder: &Path) {
    for inner in entries(folder).filter(|inner| inner.is_dir()) {
        remove_group(&inner);
    }
    let _ = fs::remove_dir(folder);
}

/// The control groups of bots of this namespace and this user, in whichever hierarchy.
pub fn groups() -> BTreeSet<PathBuf> {
    // Another user's namespace had the same number, and this one may not remove what is left of it.
    let user = geteuid().as_raw();
    let namespace = fs::read_link("/proc/self/ns/pid").expect("a namespace");
    let namespace = namespace.display().to_string();
    let number: String = namespace.chars().filter(char::is_ascii_digit).collect();
    let prefix = format!("referee-{number}-");
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let kinds = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        kinds.map(|entry| entry.path()).collect()
    };
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for inner in inside(&folder) {
            let name = inner.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(&prefix) {
                let owner = fs::metadata(&inner).map(|group| group.uid());
                if owner.is_ok_and(|owner| owner == user) {
                    found.insert(inner);
                }
            } else if !name.starts_with("referee-") {
                folders.push(inner);
            }
        }
    }
    found
}

/// The processes of this namespace, zombies too.
pub fn processes() -> BTreeSet<u32> {
    entries(Path::new("/proc"))
        .filter_map(|entry| entry.file_name()?.to_str()?.parse().ok())
        .collect()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// Whether there is again what there was before. A process that is dead, and has been waited for, may be listed
/// for a moment longer on a busy machine, and the maker of shims and shims that wait end a moment after their harness. None that a bot
/// leaves ends within that time.
pub fn is_again<T: PartialEq>(before: &T, now: impl Fn() -> T) -> bool {
    (0..175).any(|attempt| {
        if attempt > 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
        *before == now()
    })
}

/// The traces, with what the system says of each process.
pub fn what_is_left() -> String {
    let stat = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let stats: String = processes().iter().map(stat).collect();
    format!("{:?}\n{stats}", traces())
}

fn play_as_declared(bot: &'static MisbehavingBot, tier: Tier, alone: bool) {
    match bot.kind == Kind::Reaching {
        true => reach::reaches_nothing(bot, tier, alone),
        false => play_both_seats(bot, tier, alone),
    }
}

/// A folder with the files of a bot, of its opponent, and of results.
pub fn folder_of_a_bot() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["own/bot", "opponent/bot", "results/games.csv"] {
        let file = folder.path().join(file);
        fs::create_dir(file.parent().expect("a folder")).expect("made");
        fs::write(file, "text").expect("written");
    }
    folder
}

pub fn launch_in(folder: &TempDir, bot: &str) -> Launch {
    Launch {
        dir: Some(folder.path().join("own")),
        env: vec![(FOLDER.to_owned(), folder.path().display().to_string())],
        ..launch(bot)
    }
}

/// Both games of a bot in a tier, one from each seat. What is left is counted only where nobody else
/// could have left it.
fn play_both_seats(bot: &'static MisbehavingBot, tier: Tier, alone: bool) {
    let folder = folder_of_a_bot();
    // As in a run: where processor time decides nothing, the weakest tier counts none.
    let in_tier = |confinement: Confinement| Confinement {
        isolation: tier,
        cpu_counter: tier != Tier::Containment
            || time_control(bot.limits).measure == Measure::Cpu
            || confinement.off_turn != OffTurn::Log,
        ..confinement
    };
    let confinement = in_tier(Confinement::default());
    // The first bot opens a pipe, and starts the maker of shims, which the process then keeps for all bots; that is
    // not a leak.
    supervised(&launch("honest"), &confinement).finish();
    for seat in Seat::BOTH {
        let before = settled_traces();
        let subject = launch_in(&folder, &bot.name);
        let subject = supervised(&subject, &in_tier(bot.confinement()));
        let honest = supervised(&launch("honest"), &confinement);
        let played = ends_as_declared(bot, seat, subject, honest);
        assert!(!alone || is_again(&before, traces), "{}", what_is_left());
        println!(
            "{} [{}]: {} in {:.1} s",
            bot.name,
            tier.name(),
            played.end.termination.name(),
            played.took.as_secs_f64(),
        );
        let ms = |time: Duration| i64::try_from(time.as_millis()).expect("a game");
        println!("{EXCESS} {}", ms(played.took) - ms(played.bound));
    }
}
