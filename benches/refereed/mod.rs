//! Games of such bots through the referee.

use std::time::Duration;

use referee::bot::{Confinement, Launch, OutputLimits, Player, Process};
use referee::clock::TimeControl;
use referee::game::Setup;
use referee::random::Stream;
use referee::referee::{Adjudication, GameEnd, GameSpec, Participant, SeatTerms, play};
use referee::runs::GameLog;

use crate::instant::supervisor;

/// As where processor time decides nothing.
pub fn uncounted() -> Confinement {
    Confinement {
        cpu_counter: false,
        ..Confinement::default()
    }
}

pub fn supervised(launch: &Launch, confinement: &Confinement) -> Process {
    let limits = OutputLimits::default();
    Process::start(launch, limits, &supervisor(), confinement).expect("the bot starts")
}

/// One game through the referee, with everything a tournament does in a ply.
pub fn referee_game(players: &mut [Participant<Process>; 2], setup: &Setup) -> GameEnd {
    let mut chance = Stream::new(1, 0);
    let mut position = setup.start(&mut chance).expect("it starts");
    let mut log = GameLog::new(setup.game());
    let [first, second] = players;
    let end = play(
        &GameSpec {
            game: setup.game(),
            options: (&[]).into(),
            bot_seeds: [0, 0].into(),
            opening_plies: 0,
            adjudication: Adjudication::default(),
            drops: false,
            terms: [SeatTerms {
                time: &TimeControl {
                    per_game: Some(Duration::from_secs(60)),
                    wall_cap: Duration::from_secs(60),
                    ..TimeControl::default()
                },
                handshake: Duration::from_secs(10),
                start: Duration::from_secs(10),
            }; 2]
                .into(),
        },
        position.as_mut(),
        [first as &mut Participant<dyn Player>, second].into(),
        &mut chance,
        &mut log,
    )
    .expect("a game that counts");
    assert!(log.into_bytes().len() > end.plies as usize);
    end
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
