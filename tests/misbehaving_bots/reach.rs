//! Bots that look for the rules program of their game, and try to stop it, to read it or to speak for it. Each plays
//! Cachex, and a game in which both seats act at once, by rules that are a process of their own.

use std::fs;
use std::io::stdin;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use referee::bot::{Confinement, Launch, Player, Tier};
use referee::clock::TimeControl;
use referee::config::RulesLimits;
use referee::game::{BUILT_IN, ForfeitedBy, Game, Games, Seat, Setup};
use referee::protocol::{ToBot, VERSION};
use referee::referee::{GameEnd, Participant, Termination, Void};
use referee::rules::{Programs, RulesServer, Serving};

use crate::attacks::{functions, python};
use crate::catalogue::{Kind, MisbehavingBot, Need, behave, of_kind};
use crate::game::play_by;
use crate::helpers::{FOLDER, compute_for};
use crate::honest::Moment::{Act, Hello, Quit, Start};
use crate::honest::{honestly, say, serve, write};
use crate::namespace::{groups, is_again, settled_traces, traces};
use crate::{in_tier, launch, supervised, supervisor, wait_until};

/// The games: one seat at a time, and both at once.
pub const GAMES: [&str; 2] = ["cachex", "duel"];

/// A duel in which the rules compute, or a bot.
pub const SLOW: &str = "slow-duel";

static PROGRAMS: Programs = Programs::new(BUILT_IN, || Ok(supervisor()));

/// The attempts of bots. A program writes what it reached.
const REACHING: &str = include_str!("reaching.py");

/// The bots that look for the rules program, and functions that they share.
pub fn reaching() -> impl Iterator<Item = &'static str> {
    functions(REACHING)
}

pub fn reach_as(bot: &str, honest: &str) {
    if !reaching().any(|name| name == bot) {
        return honestly(honest);
    }
    let mut program = python(&format!("{REACHING}\n{bot}()"));
    let output = program
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .output();
    let said = String::from_utf8_lossy(&output.expect("Python").stdout).into_owned();
    match said.trim() {
        "" => honestly(honest),
        reached => say(&format!("reached-{}", reached.replace(' ', "-"))),
    }
}

pub fn serve_rules(name: &str) {
    let mut server = BUILT_IN
        .named(name)
        .map(|game| RulesServer::new(game).expect("built in"));
    let mut duel = Duel {
        thinks: name == SLOW,
        ..Duel::default()
    };
    for line in stdin().lines().map_while(Result::ok) {
        let mut answer = String::new();
        let is_over = match &mut server {
            Some(server) => server.answer(&line, &mut answer).expect("a request") == Serving::Over,
            None => {
                answer = duel.answer(&line);
                line == "quit"
            }
        };
        write(answer.as_bytes());
        if is_over {
            return;
        }
    }
}

const HANDS: [&str; 3] = ["rock", "paper", "scissors"];

/// Three rounds of rock, paper, scissors, which nobody but the second seat wins.
#[derive(Default)]
struct Duel {
    rounds: u32,
    /// Whether the action of the first seat is a hand.
    is_hand: bool,
    thinks: bool,
}

impl Duel {
    fn answer(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let is_hand = words.last().is_some_and(|word| HANDS.contains(word));
        match words[0] {
            "rules" => "game duel 1\nseats left right\nhas legal\nok\n".to_owned(),
            "new" => {
                self.rounds = 0;
                "act 0 1\nok\n".to_owned()
            }
            "with" => {
                self.is_hand = is_hand;
                String::new()
            }
            "play" if !self.is_hand || !is_hand => {
                let seat = u8::from(self.is_hand);
                format!("unparsable {seat} a hand\n")
            }
            "play" => {
                compute_for(Duration::from_millis(150 * u64::from(self.thinks)));
                self.rounds += 1;
                let next = ["act 0 1", "end 0 1 rounds"][usize::from(self.rounds == 3)];
                format!("{next}\nok\n")
            }
            "legal" => format!("can {} {}\nok\n", words[1], HANDS.join(" ")),
            "show" => "ok\n".to_owned(),
            _ => String::new(),
        }
    }
}

pub fn play_as(name: &str, game: &str) {
    if game == "cachex" {
        return serve(|at, honest| behave(name, at, honest));
    }
    let (mut hand, mut actions) = ("rock", 0);
    for line in stdin().lines().map_while(Result::ok) {
        match ToBot::parse(&line).expect("a message") {
            ToBot::Hello { .. } => behave(name, Hello, &format!("bot {VERSION} test")),
            ToBot::Start(start) => {
                hand = match start.seat {
                    "left" => "rock",
                    "right" => "paper",
                    _ => "5",
                };
                behave(name, Start, "ready");
            }
            ToBot::Act { .. } => {
                actions += 1;
                compute_for(Duration::from_millis(60 * u64::from(game == SLOW)));
                behave(name, Act(actions), hand);
            }
            ToBot::Quit => return behave(name, Quit, ""),
            _ => {}
        }
    }
}

/// Plays both seats of both games in a tier. The bot must reach nothing, and change nothing.
pub fn reaches_nothing(bot: &MisbehavingBot, tier: Tier, alone: bool) {
    let confinement = in_tier(tier);
    // The first program opens a pipe, and starts the maker of shims.
    supervised(&launch("honest"), &confinement).finish();
    if alone {
        wait_until(|| groups().is_empty());
    }
    let before = settled_traces();
    for (game, seat) in GAMES
        .iter()
        .flat_map(|game| Seat::BOTH.map(|seat| (game, seat)))
    {
        let end = game_in(&bot.name, game, seat, &confinement).expect("a game that counts");
        assert_eq!(end.termination, Termination::Rules, "{game}: {end:?}");
        assert_eq!(end.forfeited_by(), ForfeitedBy::Nobody, "{game}: {end:?}");
        println!("{} [{}]: reached nothing in {game}", bot.name, tier.name());
    }
    PROGRAMS.close();
    let is_clean = !alone || is_again(&before, traces);
    assert!(is_clean, "{before:?}, and then {:?}", traces());
}

/// Where nothing is promised, each of the bots reaches what it wants, so that it means something if it does not.
pub fn the_rules_are_within_reach_where_nothing_is_promised(tier: Tier) {
    let confinement = Confinement {
        isolation: tier,
        signal_scope: false,
        ..Confinement::default()
    };
    // Some systems let nobody trace processes that are not its own children.
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let can_trace = scope.is_ok_and(|scope| scope.trim() != "0");
    for bot in of_kind(Kind::Reaching) {
        if can_trace && bot.needs(Need::SignalScope) && !bot.needs(Need::Namespace) {
            continue;
        }
        for game in GAMES {
            let reached = match game_in(&bot.name, game, Seat::FIRST, &confinement) {
                Err(void) if bot.needs(Need::Namespace) && void.rules_fault().is_some() => {
                    void.to_string()
                }
                ended => {
                    let end = ended.expect("a game that counts");
                    let faults = end.faults.iter().filter_map(|(_, fault)| fault.as_ref());
                    faults.map(|fault| fault.detail.clone()).collect()
                }
            };
            let words = ["reached-", "SIGKILL", "no answer within"];
            let is_reached = words.iter().any(|words| reached.contains(words));
            assert!(is_reached, "{} in {game}: {reached}", bot.name);
            println!("{} in {game}: {reached}", bot.name);
        }
    }
    PROGRAMS.close();
}

/// A game of a bot in this seat against an honest one.
fn game_in(name: &str, game: &str, seat: Seat, confinement: &Confinement) -> Result<GameEnd, Void> {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["own/bot", "rules/cards.txt"] {
        let file = folder.path().join(file);
        fs::create_dir(file.parent().expect("a folder")).expect("made");
        fs::write(file, "text").expect("written");
    }
    let mut setup = Setup::new(program(game, &folder.path().join("rules")));
    if game == "cachex" {
        setup.set("size", "4").expect("a size");
    }
    let mut names = ["honest"; 2];
    names[seat.index()] = name;
    let [mut first, mut second] = names.map(|name| {
        let mut launch = Launch {
            dir: Some(folder.path().join("own")),
            env: vec![(FOLDER.to_owned(), folder.path().display().to_string())],
            ..launch(name)
        };
        launch.args.push(game.to_owned());
        Participant::new(supervised(&launch, confinement))
    });
    let terms = vec![(TimeControl::default(), Duration::from_secs(20)); 2];
    let players = [&mut first as &mut Participant<dyn Player>, &mut second].into();
    let end = play_by(&setup, &terms, false, players);
    for mut bot in [first, second] {
        bot.player.dismiss();
        bot.player.close(Duration::from_millis(500));
        assert_eq!(bot.player.finish().survivors, 0);
    }
    end
}

/// All games: built in, and of rules programs.
pub fn all_games() -> Games {
    BUILT_IN.with_programs(&PROGRAMS)
}

/// The game whose rules this program serves from a folder.
fn program(game: &str, dir: &Path) -> Game {
    let own = std::env::current_exe().expect("a path");
    let words = [&own.display().to_string(), "rules", game].map(str::to_owned);
    let limits = RulesLimits {
        answer: Duration::from_secs(4),
        ..RulesLimits::default()
    };
    let programs = all_games().programs().expect("the programs of the tests");
    let command = limits.command(words.to_vec(), dir.to_owned(), true);
    programs.ask(command).expect("a rules program")
}
