//! Bots that crash, hang, flood, cheat and talk out of turn, as real processes.
//!
//! The bots are this program itself, run again as `misbehaving_bots zoo NAME`; `zoo.rs` says what
//! each does and how its games are to end. So the program has a `main` of its own, which still takes
//! the arguments of `cargo test`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use referee::clock::Wait;
use referee::game::Blame;
use referee::game::Seat;
use referee::player::probe::Reading;
use referee::player::{
    Confinement, Fault, Launch, OutputLimits, Player, Probe, Process, Supervisor,
};
use referee::protocol::ToBot;
use referee::referee::{GameEnd, Participant};
use rustix::process::Pid;

mod bot;
mod check;
mod endurance;
mod game;
mod groups;
mod hostile;
mod layout;
mod off_turn;
mod scene;
mod tournament;
mod tricks;
mod walls;
mod zoo;

use game::{ends_as_declared, game};
use zoo::{Fate, Limits};

fn main() {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() == Some("zoo") {
        return be(&args.next().expect("the name of a member"));
    }
    if std::env::args().nth(1).as_deref() == Some("scene") {
        let mut word = || args.next().expect("a name and a tier");
        return scene::run(&word(), &word());
    }
    let mut trials: Vec<Trial> = zoo::MEMBERS
        .iter()
        .map(|member| {
            Trial::test(member.name, || {
                // No supervisor: the limits of the protocol hold by themselves.
                for seat in Seat::BOTH {
                    ends_as_declared(member, seat, start(member.name), start("honest"));
                }
                Ok(())
            })
        })
        .collect();
    trials.extend(zoo::MEMBERS.iter().map(|member| {
        Trial::test(format!("check_{}", member.name), || {
            check::checked(member);
            Ok(())
        })
    }));
    trials.extend(scene::trials());
    let tests: &[(&str, fn())] = &[
        ("debug_lines_are_kept", debug_lines_are_kept),
        ("the_last_words_of_a_crash_are_kept", last_words_are_kept),
        ("a_flood_on_stderr_is_capped", a_flood_on_stderr_is_capped),
        ("who_ignores_quit_is_killed", who_ignores_quit_is_killed),
        (
            "who_quits_in_time_is_waited_for",
            who_quits_in_time_is_waited_for,
        ),
        ("children_of_a_bot_end_with_it", children_end_with_their_bot),
        (
            "what_nobody_asked_for_is_noticed_after_a_game",
            what_nobody_asked_for_is_noticed_after_a_game,
        ),
        (
            "who_never_reads_holds_up_nobody",
            who_never_reads_holds_up_nobody,
        ),
        (
            "who_reads_late_misses_nothing",
            who_reads_late_misses_nothing,
        ),
        ("who_is_to_be_stopped_is", off_turn::who_is_to_be_stopped_is),
        (
            "who_computes_off_turn_forfeits",
            off_turn::who_computes_off_turn_forfeits,
        ),
        (
            "a_walled_bot_sees_its_own_alone",
            walls::a_walled_bot_sees_its_own_alone,
        ),
        (
            "what_a_command_names_is_seen",
            walls::what_a_command_names_is_seen,
        ),
        (
            "a_walled_build_writes_to_its_own_folder_alone",
            walls::a_walled_build_writes_to_its_own_folder_alone,
        ),
        (
            "a_scratch_folder_goes_with_its_bot",
            walls::a_scratch_folder_goes_with_its_bot,
        ),
        (
            "a_walled_bot_has_no_network",
            walls::a_walled_bot_has_no_network,
        ),
        (
            "a_bot_of_root_is_nobody_in_its_room",
            walls::a_bot_of_root_is_nobody_in_its_room,
        ),
        (
            "who_fails_in_a_room_is_told_apart",
            walls::who_fails_in_a_room_is_told_apart,
        ),
        (
            "a_tier_that_cannot_hold_is_refused",
            walls::a_tier_that_cannot_hold_is_refused,
        ),
        (
            "a_bot_has_a_group_that_goes_with_it",
            groups::a_bot_has_a_group_that_goes_with_it,
        ),
        ("a_tournament_goes_on", tournament::goes_on),
        (
            "a_tournament_names_what_was_dropped",
            tournament::names_what_was_dropped,
        ),
    ];
    trials.extend(tests.iter().map(|(name, test)| {
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    }));
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    scene::print_figures();
    conclusion.exit();
}

/// Is a bot. Some have no place in the table, since they play no games.
fn be(name: &str) {
    // Whatever happens to the test, no member outlives it by long.
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(20));
        std::process::exit(97);
    });
    if tricks::help(name) {
        return;
    }
    match name {
        "idle" | "never_reads" => zoo::idle(),
        "looks_for_the_layout" => layout::look(),
        "says_its_groups" => groups::say_its_groups(),
        "computes_all_the_time" => off_turn::compute_all_the_time(),
        "counts_what_it_is_told" => {
            let told = std::io::stdin()
                .lines()
                .map(|line| line.expect("text"))
                .take_while(|line| !line.starts_with("act"))
                .count();
            bot::say(&told.to_string());
            zoo::idle();
        }
        member => bot::serve(zoo::find(member).conduct),
    }
}

/// How to start a member.
fn launch(name: &str) -> Launch {
    Launch {
        program: std::env::current_exe().expect("a path"),
        args: vec!["zoo".to_owned(), name.to_owned()],
        dir: None,
        env: Vec::new(),
    }
}

/// A machine that keeps a processor from nobody, so that who is late is late however busy this one is.
#[derive(Debug)]
struct Quiet;

impl Probe for Quiet {
    fn read(&self, _tree: &[Pid]) -> Reading {
        Reading::default()
    }
}

/// One game of a bot against a member, and the bot again.
fn game_against(name: &str, subject: Process) -> (Process, GameEnd) {
    let mut subject = Participant::new(subject);
    let opponent = &mut Participant::new(start(name));
    let end = game([&mut subject, opponent], Limits::Ample);
    (subject.player, end)
}

fn start(name: &str) -> Process {
    Process::spawn(&launch(name), OutputLimits::default())
        .expect("started")
        .on_machine(Arc::new(Quiet))
}

/// Starts a bot below a supervisor.
fn supervised(launch: &Launch, confinement: &Confinement) -> Process {
    let limits = OutputLimits::default();
    Process::supervised(launch, limits, &supervisor(), confinement)
        .expect("started")
        .on_machine(Arc::new(Quiet))
}

fn supervisor() -> Supervisor {
    Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    }
}

/// What a member wrote besides its answers in one game, which ended as it should.
fn log_of(name: &str, limits: OutputLimits) -> referee::player::Log {
    let subject = Process::spawn(&launch(name), limits).expect("started");
    let (mut subject, end) = game_against("honest", subject);
    let fate = zoo::find(name).fate;
    assert_eq!(end.blame == Blame::Nobody, fate == Fate::Plays, "{end:?}");
    subject.take_log()
}

fn debug_lines_are_kept() {
    let log = log_of("writes_debug_lines", OutputLimits::default());
    let text = String::from_utf8(log.kept).expect("text");
    assert!(text.lines().count() > 2 && text.lines().all(|line| line == "# a thought"));
    assert_eq!(log.dropped, 0);
}

fn last_words_are_kept() {
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

/// The process that the log of a bot speaks of.
fn pid_in_log(player: &mut Process) -> u32 {
    let log = String::from_utf8(player.take_log().kept).expect("text");
    let pid = log.lines().find_map(|line| line.strip_prefix("# pid "));
    pid.expect("a line with a pid").parse().expect("a pid")
}

/// Whether a process runs; one that is dead and only waits to be noticed does not.
fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .ok()
        .and_then(|stat| stat.rsplit_once(") ")?.1.chars().next())
        .is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

fn who_ignores_quit_is_killed() {
    let (mut subject, _) = game_against("honest", start("ignores_quit"));
    let pid = pid_in_log(&mut subject);
    subject.dismiss();
    subject.close(Duration::from_millis(100));
    assert!(runs(pid), "it was to ignore quit");
    drop(subject);
    assert!(!runs(pid));
}

fn who_quits_in_time_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let note = folder.path().join("note");
    let mut launch = launch("takes_its_time_to_quit");
    launch.env = vec![(zoo::NOTE.to_owned(), note.display().to_string())];
    let subject = Process::spawn(&launch, OutputLimits::default()).expect("started");
    let (mut subject, _) = game_against("honest", subject);
    subject.dismiss();
    subject.close(Duration::from_secs(60));
    drop(subject);
    assert_eq!(std::fs::read_to_string(note).expect("a note"), "goodbye");
}

fn children_end_with_their_bot() {
    let (mut subject, _) = game_against("honest", start("leaves_a_child"));
    let child = pid_in_log(&mut subject);
    assert!(runs(child));
    subject.dismiss();
    subject.close(Duration::from_secs(60));
    drop(subject);
    // It is killed, which takes the system a moment that nothing can be waited for with.
    let patience = Instant::now() + Duration::from_secs(60);
    while runs(child) {
        assert!(Instant::now() < patience, "process {child} lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Far more news than a pipe holds, then a request.
fn tell_much(player: &mut Process) {
    for _ in 0..50_000 {
        player.tell(&ToBot::Did {
            seat: "red",
            action: "d2",
            public: "",
        });
    }
    player.tell(&ToBot::Act {
        mine: referee::protocol::Millis(None),
        theirs: referee::protocol::Millis(None),
    });
    player.request();
}

fn wait(wall: Duration) -> Wait {
    Wait { wall, cpu: None }
}

fn what_nobody_asked_for_is_noticed_after_a_game() {
    // Its opponent exits where it would have been asked again, after it has answered twice.
    for (name, out_of_step) in [("answers_twice", true), ("honest", false)] {
        let (mut subject, end) = game_against("exits_in_mid_game", start(name));
        assert_eq!(end.blame, Blame::Of(Seat::Second), "{end:?}");
        assert_eq!(subject.out_of_step(), out_of_step, "{name}");
    }
}

fn who_never_reads_holds_up_nobody() {
    let mut subject = start("idle");
    tell_much(&mut subject);
    let fault = subject.answer(wait(Duration::from_millis(200)), &mut String::new());
    assert!(matches!(fault, Err(Fault::Late { .. })), "{fault:?}");
}

fn who_reads_late_misses_nothing() {
    let mut subject = start("counts_what_it_is_told");
    tell_much(&mut subject);
    let mut answer = String::new();
    subject
        .answer(wait(Duration::from_secs(60)), &mut answer)
        .expect("an answer");
    assert_eq!(answer, "50000");
}
