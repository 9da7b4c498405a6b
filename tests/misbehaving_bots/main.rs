//! Bots that crash, hang, flood, cheat and write out of turn, as real processes.
//!
//! The bots are this program itself, run as `misbehaving_bots bot NAME`, so it has its own `main`,
//! which also takes the arguments of `cargo test`. `catalogue.toml` declares how the games of each bot
//! must end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use referee::bot::probe::Reading;
use referee::bot::{Confinement, Fault, Launch, OutputLimits, Player, Probe, Process, Tier};
use referee::clock::Wait;
use referee::game::{ForfeitedBy, Seat};
use referee::protocol::{Millis, ToBot};
use referee::referee::{GameEnd, Participant};
use rustix::process::Pid;

/// The name of a test, which is that of its function, and the function.
macro_rules! test {
    ($name:ident) => {
        (stringify!($name), $name)
    };
    ($module:ident :: $name:ident) => {
        (stringify!($name), $module::$name)
    };
}

mod catalogue;
mod hostile;
mod attacks;
mod helpers;
mod honest;
mod game;
mod check;
mod off_turn;
mod sandbox;
mod control_groups;
mod tournament;
mod layout;
mod loaded;
mod launchers;
mod endurance;
mod namespace;
mod page;
mod reach;
mod shims;
mod more_seats;
mod worlds;

#[path = "../it/referee_seats/tally.rs"]
mod tally;

#[path = "../it/support/host.rs"]
mod host;
#[path = "../it/support/needs.rs"]
#[expect(dead_code, reason = "the last test program tells the totals")]
mod needs;

use catalogue::{Expected, Kind, Limits};
use game::{ends_as_declared, game};
use host::supervisor;
use worlds::with_machine;

fn main() {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() == Some("bot") {
        return run_bot(&args.next().expect("the name of a bot"));
    }
    if std::env::args().nth(1).as_deref() == Some("rules") {
        return reach::serve_rules(&args.next().expect("the name of a game"));
    }
    if std::env::args().nth(1).as_deref() == Some("in-namespace") {
        let mut word = || args.next().expect("a name and a tier");
        return namespace::run(&word(), &word());
    }
    let mut trials: Vec<Trial> = catalogue::of_kind(Kind::Plain)
        .map(|bot| {
            Trial::test(bot.name.as_str(), move || {
                with_machine(false, || {
                    // No supervisor: the limits of the protocol hold by themselves.
                    for seat in Seat::BOTH {
                        ends_as_declared(bot, seat, start(&bot.name), start("honest"));
                    }
                });
                Ok(())
            })
        })
        .collect();
    trials.extend(catalogue::of_kind(Kind::Plain).map(|bot| {
        Trial::test(format!("check_{}", bot.name), move || {
            with_machine(false, || check::checked(bot));
            Ok(())
        })
    }));
    trials.extend(namespace::trials());
    let tests: &[(&str, fn())] = &[
        test!(catalogue::each_bot_misbehaves),
        test!(debug_lines_are_kept),
        test!(the_last_words_of_a_crash_are_kept),
        test!(a_flood_on_stderr_is_capped),
        test!(a_bot_that_ignores_quit_is_killed),
        test!(a_bot_that_quits_in_time_is_waited_for),
        test!(children_of_a_bot_end_with_it),
        test!(an_answer_too_many_is_noticed_after_the_game),
        test!(a_bot_that_never_reads_blocks_nobody),
        test!(a_bot_that_reads_late_misses_nothing),
        test!(off_turn::a_bot_is_stopped_between_its_turns),
        test!(off_turn::a_start_is_no_time_off_turn),
        test!(off_turn::a_bot_that_computes_off_turn_forfeits),
        test!(off_turn::a_helper_that_hides_its_work_is_charged),
        test!(launchers::each_action_of_a_bot_behind_a_launcher_is_charged),
        test!(sandbox::an_isolated_bot_sees_only_its_own_files),
        test!(sandbox::files_that_the_command_names_can_be_read),
        test!(sandbox::a_program_that_is_a_link_out_of_its_folder_is_not_run),
        test!(sandbox::a_bot_may_have_long_arguments),
        test!(sandbox::an_isolated_build_writes_only_to_its_own_folder),
        test!(sandbox::a_scratch_folder_is_removed_with_its_bot),
        test!(sandbox::an_isolated_bot_has_no_network),
        test!(sandbox::reading_leaves_no_trace_in_the_files_of_a_sandbox),
        test!(sandbox::a_bot_of_root_is_nobody_in_its_sandbox),
        test!(sandbox::variables_of_a_bot_do_nothing_outside_its_walls),
        test!(sandbox::failures_in_a_sandbox_are_told_apart),
        test!(sandbox::a_tier_that_cannot_hold_is_refused),
        test!(control_groups::a_bot_has_a_group_that_is_removed_with_it),
        test!(page::promises_what_is_tested),
        test!(tournament::a_tournament_goes_on),
        test!(tournament::a_log_says_how_much_was_dropped),
    ];
    trials.extend(tests.iter().map(|(name, test)| {
        Trial::test(*name, move || {
            with_machine(false, test);
            Ok(())
        })
    }));
    let mut arguments = Arguments::from_args();
    // Most bots are waited for, and use no processor meanwhile.
    let threads = || std::thread::available_parallelism().map_or(2, |cpus| 2 * cpus.get());
    arguments.test_threads.get_or_insert_with(threads);
    let conclusion = libtest_mimic::run(&arguments, trials);
    namespace::print_figures();
    conclusion.exit();
}

/// Runs a bot. Those that play no game are not in the catalogue.
fn run_bot(name: &str) {
    // A bot ends soon even if the test is killed.
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(20));
        std::process::exit(97);
    });
    if helpers::help(name) {
        return;
    }
    if matches!(name, "idle" | "never_reads") {
        return catalogue::idle();
    }
    if let Some(game) = std::env::args().nth(3).filter(|game| {
        let other = [more_seats::GAME, reach::SLOW];
        other.contains(&game.as_str()) || reach::GAMES.contains(&game.as_str())
    }) {
        return reach::play_as(name, &game);
    }
    match name {
        "looks_for_the_layout" => layout::search(),
        "flips_a_piece" => layout::flip(),
        "says_its_groups" => control_groups::say_its_groups(),
        "answers_and_leaves_a_helper" => {
            attacks::answer_and_leave_a_helper("hidden_helper(*sys.argv[1:])")
        }
        "answers_and_leaves_an_uncounted_helper" => {
            attacks::answer_and_leave_a_helper("uncounted_helper(*sys.argv[1:])")
        }
        "computes_all_the_time" => off_turn::compute_all_the_time(),
        "says_its_times" => launchers::say_times(),
        "counts_what_it_is_told" => {
            let told = std::io::stdin()
                .lines()
                .map(|line| line.expect("text"))
                .take_while(|line| !line.starts_with("act"))
                .count();
            honest::say(&told.to_string());
            catalogue::idle();
        }
        bot => honest::serve(|at, honest| catalogue::behave(bot, at, honest)),
    }
}

/// The rights of a bot in a tier of isolation.
fn in_tier(isolation: Tier) -> Confinement {
    Confinement {
        isolation,
        ..Confinement::default()
    }
}

fn launch(name: &str) -> Launch {
    Launch {
        program: std::env::current_exe().expect("a path"),
        args: vec!["bot".to_owned(), name.to_owned()],
        ..Launch::default()
    }
}

/// A machine on which no bot waits for a processor, so a late bot is late however busy this one is.
#[derive(Debug)]
struct Quiet;

impl Probe for Quiet {
    fn read(&self, _tree: &[Pid]) -> Reading {
        Reading::default()
    }
}

/// One game of a bot against another from the catalogue. Gives the first bot back.
fn game_against(name: &str, subject: Process) -> (Process, GameEnd) {
    let mut subject = Participant::new(subject);
    let opponent = &mut Participant::new(start(name));
    let end = game([&mut subject, opponent], Limits::Ample);
    (subject.player, end)
}

fn start(name: &str) -> Process {
    supervised(&launch(name), &Confinement::default())
}

fn supervised(launch: &Launch, confinement: &Confinement) -> Process {
    start_with(launch, OutputLimits::default(), confinement)
}

fn start_with(launch: &Launch, limits: OutputLimits, confinement: &Confinement) -> Process {
    Process::start(launch, limits, &supervisor(), confinement)
        .expect("started")
        .on_machine(Arc::new(Quiet))
}

/// What a bot wrote besides its answers in one game, which ended as expected.
fn log_of(name: &str, limits: OutputLimits) -> referee::bot::Log {
    let subject = start_with(&launch(name), limits, &Confinement::default());
    let (mut subject, end) = game_against("honest", subject);
    let expected = catalogue::find(name).expected();
    let found = end.forfeited_by() == ForfeitedBy::Nobody;
    assert_eq!(found, expected == Expected::Plays, "{end:?}");
    subject.take_log()
}

fn debug_lines_are_kept() {
    let log = log_of("writes_debug_lines", OutputLimits::default());
    let text = String::from_utf8(log.kept).expect("text");
    assert!(text.lines().count() > 2 && text.lines().all(|line| line == "# a thought"));
    assert_eq!(log.dropped, 0);
}

fn the_last_words_of_a_crash_are_kept() {
    let log = log_of("panics", OutputLimits::default());
    let text = String::from_utf8(log.kept).expect("text");
    assert!(text.contains("no idea what to play"), "{text}");
}

fn a_flood_on_stderr_is_capped() {
    let limits = OutputLimits {
        log: 1000,
        ..OutputLimits::default()
    };
    let log = log_of("floods_its_stderr", limits);
    assert_eq!(log.kept.len(), 1000);
    assert!(log.kept.starts_with(b"a complaint\n"));
    // At least what was written for the handshake, the start and the first action.
    assert!(log.dropped >= 3 * 120_000 - 1000 - 8192, "{}", log.dropped);
    assert!(log.last.len() <= 8192, "{}", log.last.len());
}

/// The process whose number is in the log of a bot.
fn pid_in_log(player: &mut Process) -> u32 {
    let log = String::from_utf8(player.take_log().kept).expect("text");
    let pid = log.lines().find_map(|line| line.strip_prefix("# pid "));
    pid.expect("a line with a pid").parse().expect("a pid")
}

/// Whether a process runs. A zombie does not.
fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .ok()
        .and_then(|stat| stat.rsplit_once(") ")?.1.chars().next())
        .is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

fn a_bot_that_ignores_quit_is_killed() {
    let (mut subject, _) = game_against("honest", start("ignores_quit"));
    let pid = pid_in_log(&mut subject);
    subject.dismiss();
    subject.close(Duration::from_millis(100));
    assert!(runs(pid), "it was to ignore quit");
    drop(subject);
    assert!(!runs(pid));
}

fn a_bot_that_quits_in_time_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let note = folder.path().join("note");
    let mut launch = launch("takes_its_time_to_quit");
    launch.env = vec![(catalogue::NOTE.to_owned(), note.display().to_string())];
    let subject = supervised(&launch, &Confinement::default());
    let (mut subject, _) = game_against("honest", subject);
    subject.dismiss();
    subject.close(Duration::from_secs(60));
    drop(subject);
    assert_eq!(std::fs::read_to_string(note).expect("a note"), "goodbye");
}

fn children_of_a_bot_end_with_it() {
    let (mut subject, _) = game_against("honest", start("leaves_a_child"));
    let child = pid_in_log(&mut subject);
    assert!(runs(child));
    subject.dismiss();
    subject.close(Duration::from_secs(60));
    drop(subject);
    // The system takes a moment to kill it.
    wait_until(|| !runs(child));
}

/// Tells a bot far more than a pipe holds.
fn tell_much(player: &mut Process) {
    for _ in 0..50_000 {
        player.tell(&ToBot::Did {
            seat: "red",
            action: "d2",
            public: "",
        });
    }
}

fn wait(wall: Duration) -> Wait {
    Wait { wall, cpu: None }
}

fn ask(bot: &mut Process, request: &ToBot<'_>) -> Result<String, Fault> {
    let mut answer = String::new();
    bot.tell(request);
    bot.request();
    bot.answer(wait(Duration::from_secs(60)), &mut answer)?;
    Ok(answer)
}

const HELLO: ToBot<'_> = ToBot::Hello { version: 1 };

/// A request to act without a limit per game.
fn act() -> ToBot<'static> {
    ToBot::Act {
        mine: Millis(None),
        others: vec![Millis(None)].into(),
    }
}

/// Waits, for longer than any machine needs.
#[track_caller]
fn wait_until(happened: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !happened() {
        assert!(Instant::now() < patience, "nothing happened");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn an_answer_too_many_is_noticed_after_the_game() {
    // The opponent exits before the bot is asked again, so its second answer is never read.
    for (name, out_of_step) in [("answers_twice", true), ("honest", false)] {
        let (mut subject, end) = game_against("exits_in_mid_game", start(name));
        assert_eq!(end.forfeited_by(), ForfeitedBy::Of(Seat::SECOND), "{end:?}");
        assert_eq!(subject.out_of_step(), out_of_step, "{name}");
    }
}

fn a_bot_that_never_reads_blocks_nobody() {
    let mut subject = start("idle");
    tell_much(&mut subject);
    subject.tell(&act());
    subject.request();
    let fault = subject.answer(wait(Duration::from_millis(200)), &mut String::new());
    assert!(matches!(fault, Err(Fault::Late { .. })), "{fault:?}");
}

fn a_bot_that_reads_late_misses_nothing() {
    let mut subject = start("counts_what_it_is_told");
    tell_much(&mut subject);
    let answer = ask(&mut subject, &act()).expect("an answer");
    assert_eq!(answer, "50000");
}
