//! What the course adapter costs for each action, beside a bare bot in Python.
//!
//! The two meet in scripted games of Watch Your Back!, each in both seats, so that both are measured in the
//! same run. Neither thinks: what is left is the adapter's own work, and Python's.
//!
//! `cargo bench --bench adapter`

use std::path::Path;
use std::time::Duration;

use referee::bot::{Confinement, Launch, OutputLimits, Player, Process, Supervisor};
use referee::clock::{Measure, TimeControl};
use referee::game::{AnyPosition, Setup, watch_your_back};
use referee::random::Stream;
use referee::referee::{
    Adjudication, GameSpec, Participant, Ply, SeatTerms, Termination, Witness, play,
};

mod script;

use script::script;

/// Game pairs.
const ROUNDS: u64 = 10;

fn main() {
    let has_python = |program: &str| {
        let ran = std::process::Command::new(program)
            .arg("--version")
            .output();
        ran.is_ok_and(|ran| ran.status.success())
    };
    if !has_python("python3") {
        println!("skipped: needs python3");
        return;
    }
    let mut adapted = Times::default();
    let mut bare = Times::default();
    for round in 0..ROUNDS {
        let script = script(&Setup::new(watch_your_back::GAME), round).join(" ");
        let [adapter, plain] = [
            &[
                "bots/course-adapters/adapter.py",
                "comp30024-2018",
                "benches/python/scripted.py",
            ][..],
            &["benches/python/bare.py"],
        ]
        .map(|command| launch(command, &script));
        game([&adapter, &plain], [&mut adapted, &mut bare]);
        game([&plain, &adapter], [&mut bare, &mut adapted]);
    }
    println!("{} actions of each", adapted.wall.len());
    show("on a processor", &mut adapted.cpu, &mut bare.cpu);
    show("on the wall", &mut adapted.wall, &mut bare.wall);
}

/// The times of single actions, in microseconds.
#[derive(Debug, Default)]
struct Times {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

fn launch(command: &[&str], script: &str) -> Launch {
    Launch {
        program: "python3".into(),
        args: command.iter().map(|word| (*word).to_owned()).collect(),
        dir: Some(Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()),
        env: vec![("SCRIPT".to_owned(), script.to_owned())],
        course_files: None,
        submitted: false,
    }
}

struct Watch<'a>([&'a mut Times; 2]);

impl Witness for Watch<'_> {
    fn ply(&mut self, ply: &Ply<'_>, _position: &dyn AnyPosition) {
        for (seat, played) in ply.played() {
            let times = &mut self.0[seat.index()];
            // The first action of an agent pays for its constructor.
            if let Some(spent) = played.spent
                && ply.number > 2
            {
                times.wall.push(spent.wall.as_secs_f64() * 1e6);
                times.cpu.push(spent.cpu.as_secs_f64() * 1e6);
            }
        }
    }
}

fn game(launches: [&Launch; 2], times: [&mut Times; 2]) {
    let supervisor = Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    };
    let confinement = Confinement::default();
    let [mut first, mut second] = launches.map(|launch| {
        let process = Process::start(launch, OutputLimits::default(), &supervisor, &confinement);
        Participant::new(process.expect("the bot starts"))
    });
    let minute = Duration::from_secs(60);
    let mut chance = Stream::new(0, 0);
    let end = play(
        &GameSpec {
            game: watch_your_back::GAME,
            options: (&[]).into(),
            bot_seeds: [0, 0].into(),
            opening_plies: 0,
            adjudication: Adjudication::default(),
            drops: false,
            terms: [SeatTerms {
                time: &TimeControl {
                    measure: Measure::Cpu,
                    per_game: Some(minute),
                    wall_cap: minute,
                    ..TimeControl::default()
                },
                handshake: minute,
                start: minute,
            }; 2]
                .into(),
        },
        Setup::new(watch_your_back::GAME)
            .start(&mut chance)
            .expect("built in")
            .as_mut(),
        [&mut first as &mut Participant<dyn Player>, &mut second].into(),
        &mut chance,
        &mut Watch(times),
    )
    .expect("a game that counts");
    assert!(
        matches!(
            end.termination,
            Termination::Rules | Termination::Adjudication
        ),
        "{}",
        end.detail(watch_your_back::GAME)
    );
    for Participant { player, .. } in [&mut first, &mut second] {
        player.dismiss();
        player.close(Duration::from_secs(1));
    }
}

fn show(what: &str, adapted: &mut [f64], bare: &mut [f64]) {
    let [ours, floor] = [adapted, bare].map(|times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!(
        "an action, {what}: {ours:.0} µs through the course adapter, {floor:.0} µs of a bare bot in Python; \
         ratio {:.2} (medians)",
        ours / floor
    );
}
