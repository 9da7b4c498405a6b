//! Misbehaving bots in games of three and four seats, in turn and at once: each forfeits or plays as it does against one
//! opponent, and the honest bots beside it lose nothing and play on.

use std::time::Duration;

use referee::bot::{Confinement, Launch, Player, Process, Tier};
use referee::clock::TimeControl;
use referee::game::{ForfeitedBy, Seat, Seats, Setup};
use referee::referee::{FaultKind, GameEnd, Participant, Termination};

use crate::catalogue::{BOTS, Expected, Kind, Limits, MisbehavingBot};
use crate::game::{QUIT, play_by, preparation, time_control};
use crate::namespace::{
    folder_of_a_bot, is_again, launch_in, settled_traces, traces, what_is_left,
};
use crate::tally::tally;
use crate::{in_tier, launch, supervised};

pub const GAME: &str = "tally";

/// The bots whose faults depend on the rules of another game.
const OF_CACHEX: [&str; 2] = ["answers_an_empty_line", "plays_an_illegal_action"];

/// Bots that play in each seat, of a game of four seats too; others play in one seat of a game of three seats.
const IN_EACH_SEAT: [&str; 8] = [
    "falls_silent",
    "floods_with_debug_lines",
    "computes_with_two_hundred_threads",
    "slows_its_opponent_with_hidden_work",
    "forks_more_than_it_may",
    "kills_its_group",
    "kills_every_process_it_may",
    "fills_memory",
];

/// The bots that play in games of three seats and more.
pub fn bots() -> impl Iterator<Item = &'static MisbehavingBot> {
    // In each number of seats the system forbids alike.
    let all = std::env::var_os("ALL_COMBINATIONS").is_some();
    let is_left_out = move |kind| kind == Kind::Reaching || kind == Kind::Forbidden && !all;
    let bots = BOTS.iter().filter(move |bot| !is_left_out(bot.kind));
    bots.filter(|bot| !OF_CACHEX.contains(&bot.name.as_str()))
}

/// Games of a bot in a tier. Leftovers are counted only where nobody else could have left them.
pub fn play_as_declared(bot: &'static MisbehavingBot, tier: Tier, alone: bool) {
    let folder = folder_of_a_bot();
    let confinement = in_tier(tier);
    // The first bot opens a pipe, and starts the maker of shims.
    supervised(&launch("honest"), &confinement).finish();
    // Bots are spread over the seats.
    let own = bot.name.len() % 3;
    for (order, seats, drops) in [
        ("in-turn", 3, false),
        ("at-once", 3, false),
        ("at-once", 3, true),
        ("in-turn", 4, false),
        ("at-once", 4, false),
    ] {
        let is_played = |seat: &Seat| match IN_EACH_SEAT.contains(&bot.name.as_str()) {
            true if !drops => true,
            _ => seats == 3 && seat.index() == own,
        };
        for seat in Seat::all(seats).filter(is_played) {
            let before = settled_traces();
            let game = SeatedGame {
                order,
                seats,
                seat,
                drops,
            };
            let termination = game.ends_as_declared(bot, &launch_in(&folder, &bot.name), tier);
            assert!(!alone || is_again(&before, traces), "{}", what_is_left());
            println!(
                "{} [{}]: {} {order} in seat {} of {seats}{}",
                bot.name,
                tier.name(),
                termination.name(),
                seat.index(),
                if drops {
                    ", and the others play on"
                } else {
                    ""
                },
            );
        }
    }
}

fn start(launch: &Launch, confinement: &Confinement) -> Participant<Process> {
    let mut launch = launch.clone();
    launch.args.push(GAME.to_owned());
    Participant::new(supervised(&launch, confinement))
}

#[derive(Clone, Copy)]
struct SeatedGame {
    order: &'static str,
    seats: usize,
    seat: Seat,
    /// Whether the others play on where it forfeits.
    drops: bool,
}

impl SeatedGame {
    /// A game of a bot, which ends as the catalogue says; then one of the same honest bots.
    fn ends_as_declared(
        self,
        bot: &'static MisbehavingBot,
        subject: &Launch,
        tier: Tier,
    ) -> Termination {
        let isolated = |confinement| Confinement {
            isolation: tier,
            ..confinement
        };
        let honest = |_| start(&launch("honest"), &isolated(Confinement::default()));
        let mut players: Vec<Participant<Process>> = (0..self.seats).map(honest).collect();
        let place = self.seat.index();
        let of_subject = isolated(bot.confinement());
        let replaced = std::mem::replace(&mut players[place], start(subject, &of_subject));
        let end = self.game(&mut players, bot.limits);
        let mut subject = std::mem::replace(&mut players[place], replaced).player;
        subject.dismiss();
        subject.close(QUIT);
        assert_eq!(subject.finish().survivors, 0);
        let game = tally(self.seats);
        match bot.expected() {
            Expected::Plays => {
                assert_eq!(end.termination, Termination::Rules, "{end:?}");
                assert_eq!(end.forfeited_by(), ForfeitedBy::Nobody, "{end:?}");
            }
            Expected::Forfeits(termination, words) => {
                let kind = end.fault(self.seat).map(|fault| fault.kind);
                // Who spoils the turn of another ends the game.
                let ended = !self.drops || kind == Some(FaultKind::DelayedOpponent);
                let due = if ended {
                    termination
                } else {
                    Termination::Rules
                };
                assert_eq!(end.termination, due, "{end:?}");
                assert_eq!(end.termination_for(self.seat), termination, "{end:?}");
                assert_eq!(end.forfeited_by(), ForfeitedBy::Of(self.seat), "{end:?}");
                let lost = game.lost_by(Seats::from_iter([self.seat]));
                let place = |seat| end.result.places(self.seats)[seat];
                let is_last = game.seats().all(|seat| place(seat) <= place(self.seat));
                assert!(if ended { end.result == lost } else { is_last }, "{end:?}");
                assert!(end.detail(game).contains(words), "{end:?}");
            }
        }
        let next = self.game(&mut players, Limits::Ample);
        assert_eq!(next.termination, Termination::Rules, "{next:?}");
        for mut player in players {
            player.player.dismiss();
            player.player.close(QUIT);
            assert_eq!(player.player.finish().survivors, 0);
        }
        end.termination
    }

    /// One game, in which the bot of the seat has these limits, and the others have ample time.
    fn game(self, players: &mut [Participant<Process>], limits: Limits) -> GameEnd {
        let mut setup = Setup::new(tally(self.seats));
        for (key, value) in [("order", self.order), ("rounds", "3")] {
            setup.set(key, value).expect("an option");
        }
        let limited = time_control(limits);
        let ample = TimeControl {
            per_move: None,
            per_game: None,
            wall_cap: Duration::from_secs(10),
            ..limited.clone()
        };
        let seats = setup.game().seats();
        let terms = seats.map(|seat| match seat == self.seat {
            true => (limited.clone(), preparation(limits)),
            false => (ample.clone(), preparation(Limits::Ample)),
        });
        let terms: Vec<_> = terms.collect();
        let players = players
            .iter_mut()
            .map(|it| it as &mut Participant<dyn Player>);
        let end = play_by(&setup, &terms, self.drops, players.collect());
        end.expect("a game that counts")
    }
}
