//! Bots of a game in which both seats act at once.

use std::io::stdin;
use std::time::Duration;

use referee::bot::{Confinement, Player};
use referee::clock::{Measure, TimeControl};
use referee::game::{Blame, GameResult, Seat, Setup};
use referee::random::Stream;
use referee::referee::{Adjudication, GameSpec, Participant, SeatTerms, Termination, play};

use crate::game::Unwatched;
use crate::honest::say;
use crate::tally::tally;
use crate::{launch, supervised};

/// Answers each request, with this at once where it is to act. `None` waits for the next line before it acts, which would
/// tell it what its opponent has done, and writes that line to its log.
fn serve(action: Option<&str>) {
    let mut lines = stdin().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        match (line.split(' ').next(), action) {
            (Some("referee"), _) => say("bot 1 at-once"),
            (Some("start"), _) => say("ready"),
            (Some("act"), Some(action)) => say(action),
            (Some("act"), None) => {
                eprintln!("heard {}", lines.next().unwrap_or_default());
                say("5");
            }
            (Some("quit"), _) => return,
            _ => {}
        }
    }
}

pub fn play_five() {
    serve(Some("5"));
}

pub fn wait_for_the_opponent() {
    serve(None);
}

/// A bot that waits for its opponent's action before its own hears nothing of it: its time runs out, and its opponent,
/// which answered, loses nothing.
pub fn who_waits_for_its_opponent_hears_nothing() {
    let limit = Duration::from_millis(500);
    let time = TimeControl {
        measure: Measure::Wall,
        per_move: Some(limit),
        ..TimeControl::default()
    };
    for seat in Seat::BOTH {
        let mut setup = Setup::new(tally(2));
        setup.set("order", "at-once").expect("an option");
        let mut chance = Stream::new(1, 0);
        let mut position = setup.start(&mut chance).expect("it has rules");
        let mut names = ["plays_five"; 2];
        names[seat.index()] = "waits_for_its_opponent";
        let start = |name| supervised(&launch(name), &Confinement::default());
        let [mut first, mut second] = names.map(|name| Participant::new(start(name)));
        let terms = SeatTerms {
            time: &time,
            handshake: Duration::from_secs(10),
            start: Duration::from_secs(10),
        };
        let spec = GameSpec {
            game: setup.game(),
            options: setup.public_options().into(),
            bot_seeds: [1, 2].into(),
            opening_plies: 0,
            adjudication: Adjudication::default(),
            drops: false,
            terms: [terms; 2].into(),
        };
        let players = [&mut first as _, &mut second as _].into();
        let end = play(
            &spec,
            position.as_mut(),
            players,
            &mut chance,
            &mut Unwatched,
        );
        let end = end.expect("a game that counts");
        assert_eq!(end.termination, Termination::Time, "{end:?}");
        assert_eq!(end.blame(), Blame::Of(seat), "{end:?}");
        assert_eq!(end.result, GameResult::Won(seat.other()), "{end:?}");
        assert!(end.spent[seat].wall >= limit, "{end:?}");
        assert!(end.spent[seat.other()].wall < limit, "{end:?}");
        let logs = [first, second].map(|mut bot| {
            bot.player.dismiss();
            bot.player.close(Duration::from_secs(1));
            assert_eq!(bot.player.finish().survivors, 0);
            String::from_utf8_lossy(&bot.player.take_log().text()).into_owned()
        });
        let log = &logs[seat.index()];
        assert!(log.starts_with("heard end "), "{log}");
    }
}
