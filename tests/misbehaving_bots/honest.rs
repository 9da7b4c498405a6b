//! An honest Cachex player, and the moments at which a misbehaving bot may do something else.

use std::io::{Write, stdin, stdout};

use referee::game::{AnyPosition, BUILT_IN, News, Setup};
use referee::protocol::{ToBot, VERSION};
use referee::random::Stream;

/// When a bot is about to say something, or could.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// It is asked who it is.
    Hello,
    /// It is asked to get ready.
    Start,
    /// It is asked for its n-th action of this game, from 1.
    Act(u32),
    /// It is asked to exit.
    Quit,
}

pub enum Deed {
    /// Something else than to give the answer of an honest bot.
    Instead(fn(&str)),
    /// Something before it gives that answer.
    Besides(fn()),
    /// It tries something, and plays an illegal action if it succeeds.
    Cheats(fn() -> bool),
}

pub fn honestly(answer: &str) {
    if !answer.is_empty() {
        say(answer);
    }
}

pub fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

/// Writes bytes as they are, in one go. Once nobody reads them, the bot ends.
pub fn write(bytes: &[u8]) {
    let mut out = stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Follows the games that the referee tells of, and at every moment does what `behaviour` does.
pub fn serve(behaviour: impl Fn(Moment, &str)) {
    let mut position: Option<Box<dyn AnyPosition>> = None;
    let mut actions = 0;
    for line in stdin().lines() {
        let line = line.expect("the referee writes text");
        match ToBot::parse(&line).expect("a message") {
            ToBot::Hello { .. } => behaviour(Moment::Hello, &format!("bot {VERSION} test")),
            ToBot::Start(start) => {
                let mut setup = Setup::new(BUILT_IN.named(start.game).expect("a game"));
                for (key, value) in &start.options {
                    setup.set(key, value).expect("an option");
                }
                position = Some(setup.start(&mut Stream::new(0, 0)).expect("built in"));
                actions = 0;
                behaviour(Moment::Start, "ready");
            }
            ToBot::Did { action, .. } => position
                .as_mut()
                .expect("a game has begun")
                .act(action, &mut News::default())
                .expect("legal"),
            ToBot::Act { .. } => {
                actions += 1;
                let position = position.as_ref().expect("a game has begun");
                let legal = position.to_act().seats();
                let legal = legal.flat_map(|seat| position.legal(seat).expect("built in"));
                let legal: Vec<String> = legal.collect();
                let choice = (position.ply() as usize * 5 + 3) % legal.len();
                behaviour(Moment::Act(actions), &legal[choice]);
            }
            ToBot::Set { .. }
            | ToBot::Points { .. }
            | ToBot::See { .. }
            | ToBot::Can { .. }
            | ToBot::End { .. } => {}
            ToBot::Quit => return behaviour(Moment::Quit, ""),
        }
    }
}
