//! Handshakes that fail in a game of three seats.

use std::io;

use referee::bot::{Fault, Reply};
use referee::game::Seats;
use referee::referee::{Participant, Termination};

use super::{forfeited_by, game, seated, setup};
use crate::support::{MS, Planned, columns, line, no_limits, replies, told, watched_seats};

fn answers(hello: &str, ready: &str) -> Planned {
    replies(vec![line(hello), line(ready)])
}

fn crashes() -> Planned {
    replies(vec![Reply::Fault(Fault::HungUp)])
}

fn some_seats() -> impl Iterator<Item = Seats> {
    (1..8).map(|set| {
        let seats = setup(3, &[]).game().seats();
        seats.filter(|seat| set >> seat.index() & 1 == 1).collect()
    })
}

#[test]
fn all_that_fail_the_handshake_or_are_not_ready_forfeit_and_nobody_is_asked() {
    let setup = setup(3, &[]);
    for row in [
        "hello | ready | start | answered `hello` to the handshake: expected `bot 1 NAME`",
        "bot 1 b | go | act | answered `go` to the start of the game: expected `ready`",
    ] {
        let [hello, ready, unheard, failed] = columns(row);
        for losers in some_seats() {
            let player = |seat| match losers.contains(seat) {
                true => answers(hello, ready),
                false => answers("bot 1 b", "ready"),
            };
            let mut players: Vec<Planned> = setup.game().seats().map(player).collect();
            let end = game(&setup, &no_limits(), &mut players);
            assert_eq!(end.termination, Termination::Handshake);
            forfeited_by(&end, losers);
            let winners = setup.game().result_name(end.result);
            for (seat, player) in setup.game().seats().zip(&players) {
                let lines = &player.player.received;
                assert_eq!(told(lines, unheard), [""; 0]);
                let words = match losers.contains(seat) {
                    true => format!("end {winners} handshake {failed}"),
                    false => format!("end {winners} handshake"),
                };
                assert_eq!(told(lines, "end"), [words]);
            }
        }
    }
}

#[test]
fn failures_of_several_kinds_are_named_by_seat() {
    let setup = setup(3, &[]);
    let mut players = [crashes(), answers("bot 1 b", "ready"), answers("hi", "")];
    let end = game(&setup, &no_limits(), &mut players);
    assert_eq!(end.termination, Termination::Handshake);
    let wanted = "north: the bot closed its standard output; south: answered `hi` to the \
                  handshake: expected `bot 1 NAME`";
    assert_eq!(end.detail(setup.game()), wanted);
}

#[test]
fn a_failure_of_the_machine_goes_before_those_of_players() {
    let setup = setup(3, &[]);
    let times = setup.game().per_seat(|_| no_limits());
    for failing in 0..3 {
        let player = |seat| match seat == failing {
            true => {
                let kind = io::ErrorKind::OutOfMemory;
                replies(vec![Reply::Fault(Fault::Machine(kind.into()))])
            }
            false => crashes(),
        };
        let mut players: [Participant<_>; 3] = [0, 1, 2].map(player);
        let end = watched_seats(&setup, &times, 100 * MS, 0, seated(&mut players), |_, _| {});
        let name = ["north", "east", "south"][failing];
        let void = end.expect_err("void").to_string();
        assert_eq!(void, format!("{name}: the harness failed: out of memory"));
        for player in &players {
            assert_eq!(told(&player.player.received, "end"), ["end none void"]);
        }
    }
}
