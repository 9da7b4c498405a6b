//! Bots that look for the rules program of their game, and try to stop it, to read it or to speak for it. Each plays
//! Cachex, and a game in which both seats act at once, by rules that are a process of their own.

use std::fs;
use std::io::stdin;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::bot::{Confinement, Launch, Player, Tier};
use referee::clock::TimeControl;
use referee::config::RulesLimits;
use referee::game::{BUILT_IN, ForfeitedBy, Game, Games, Seat, Setup};
use referee::protocol::{ToBot, VERSION};
use referee::random::Stream;
use referee::referee::{
    Adjudication, GameEnd, GameSpec, Participant, SeatTerms, Termination, Void, play,
};
use referee::rules::{Programs, RulesServer, Serving};

use crate::catalogue::Expected::Plays;
use crate::catalogue::Limits::Ample;
use crate::catalogue::{self, MisbehavingBot, bot};
use crate::game::Unwatched;
use crate::helpers::{FOLDER, PYTHON, compute_for};
use crate::honest::Moment::{Act, Hello, Quit, Start};
use crate::honest::{honestly, say, serve, write};
use crate::hostile::{held, in_python, restricted, signals};
use crate::namespace::{groups, is_again, settled_traces, traces};
use crate::{launch, supervised, supervisor, wait_until};

/// The games: one seat at a time, and both at once.
pub const GAMES: [&str; 2] = ["cachex", "duel"];

/// A duel in which the rules compute, or a bot.
pub const SLOW: &str = "slow-duel";

/// The rules programs of the tests.
static PROGRAMS: Programs = Programs::new(BUILT_IN, || Ok(supervisor()));

/// What the scripts share. A script writes what it reached.
const PRELUDE: &str = "import ctypes, os, resource, signal, sys
libc = ctypes.CDLL(None, use_errno=True)
folder = os.environ['TEST_BOT_FOLDER']
own = {os.getpid(), os.getppid()}
def call(x86_64, others, *arguments):
    return libc.syscall(x86_64 if os.uname().machine == 'x86_64' else others, *arguments)
def text(path):
    try:
        with open(path, 'rb') as file: return file.read()
    except OSError: return b''
def seen(): return [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) not in own]
def is_rules(pid): return b'\\0rules\\0' in text(f'/proc/{pid}/cmdline')
def numbers(): return [pid for pid in range(2, os.getpid() + 2000) if not os.getppid() <= pid <= os.getpid()]
def targets(): return [pid for pid in seen() if is_rules(pid)] or numbers()
def attempt(pids, action):
    for pid in pids:
        try:
            if action(pid): print('process', pid); return
        except OSError: pass
";

/// What a script reached, if anything.
fn reached_by(script: &str) -> Option<String> {
    let output = Command::new(PYTHON)
        .args(["-c", &format!("{PRELUDE}{script}")])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let said = output.expect("Python").stdout;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    (!said.is_empty()).then_some(said)
}

macro_rules! reaching {
    ($name:literal, $script:literal) => {
        in_python(bot($name, Ample, Plays, |at, honest| {
            let reached = (at == Act(1)).then(|| reached_by($script)).flatten();
            match reached {
                Some(what) => say(&format!("reached-{}", what.replace(' ', "-"))),
                None => honestly(at, honest),
            }
        }))
    };
}

/// The numbers of the system calls are those of x86-64 and of all newer architectures.
#[rustfmt::skip]
pub const REACHING: &[MisbehavingBot] = &[
    restricted(reaching!("finds_the_rules_program_by_its_name", "attempt(seen(), is_rules)")),
    restricted(reaching!("finds_the_rules_program_beside_its_supervisor", "
above = os.getppid()
while above > 1:
    lines = text(f'/proc/{above}/status').split(b'PPid:')
    above = int(lines[1].split()[0]) if len(lines) > 1 else 0
    attempt([int(pid) for pid in text(f'/proc/{above}/task/{above}/children').split()], lambda pid: any(map(is_rules, [pid, *map(int, text(f'/proc/{pid}/task/{pid}/children').split())])))")),
    held(reaching!("reads_the_memory_of_the_rules_program", "
for part in 'mem', 'environ', 'maps', 'auxv': attempt(targets(), lambda pid: os.open(f'/proc/{pid}/{part}', os.O_RDONLY))
for part in 'fd/0', 'fd/1', 'cwd', 'root', 'exe': attempt(targets(), lambda pid: os.readlink(f'/proc/{pid}/{part}'))
buffer = ctypes.create_string_buffer(64)
attempt(targets(), lambda pid: call(310, 270, pid, buffer, 1, buffer, 1, 0) >= 0)")),
    held(reaching!("writes_into_the_pipes_of_the_rules_program", "
for fd in range(3):
    for flag in os.O_RDONLY, os.O_WRONLY: attempt(targets(), lambda pid: os.open(f'/proc/{pid}/fd/{fd}', flag | os.O_NONBLOCK))
attempt(targets(), lambda pid: (fd := call(434, 434, pid, 0)) >= 0 and call(438, 438, fd, 0, 0) >= 0)")),
    held(reaching!("traces_the_rules_program", "attempt(targets(), lambda pid: libc.ptrace(0x4206, pid, None, None) == 0)")),
    held(signals(reaching!("stops_the_rules_program", "attempt(targets(), lambda pid: os.kill(pid, signal.SIGSTOP))"))),
    held(signals(reaching!("ends_the_rules_program", "attempt(targets(), lambda pid: os.kill(pid, signal.SIGKILL))"))),
    restricted(signals(reaching!("slows_and_limits_the_rules_program", "
attempt(targets(), lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1)))
attempt(targets(), lambda pid: os.sched_setaffinity(pid, [0]) or 1)
attempt(targets(), lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19) or 1)"))),
    restricted(reaching!("reads_the_folder_of_the_rules_program", "print(os.listdir(folder + '/rules') or 'it', text(folder + '/rules/cards.txt'))")),
    restricted(reaching!("changes_the_folder_of_the_rules_program", "
with open(folder + '/rules/cards.txt', 'a') as cards: cards.write('ace')
print('its cards')")),
];

/// Serves the rules of a game.
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

/// The hands of a duel.
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

/// Plays as a bot of that name.
pub fn play_as(name: &str, game: &str) {
    let behaviour = match name {
        "honest" => honestly,
        name => catalogue::find(name).behaviour,
    };
    if game == "cachex" {
        return serve(behaviour);
    }
    let (mut hand, mut actions) = ("rock", 0);
    for line in stdin().lines().map_while(Result::ok) {
        match ToBot::parse(&line).expect("a message") {
            ToBot::Hello { .. } => behaviour(Hello, &format!("bot {VERSION} test")),
            ToBot::Start(start) => {
                hand = match start.seat {
                    "left" => "rock",
                    "right" => "paper",
                    _ => "5",
                };
                behaviour(Start, "ready");
            }
            ToBot::Act { .. } => {
                actions += 1;
                compute_for(Duration::from_millis(60 * u64::from(game == SLOW)));
                behaviour(Act(actions), hand);
            }
            ToBot::Quit => return behaviour(Quit, ""),
            _ => {}
        }
    }
}

/// Plays both seats of both games in a tier. The bot must reach nothing, and change nothing.
pub fn reaches_nothing(bot: &MisbehavingBot, tier: Tier, alone: bool) {
    let confinement = Confinement {
        isolation: tier,
        ..Confinement::default()
    };
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
        let end = game_in(bot.name, game, seat, &confinement).expect("a game that counts");
        assert_eq!(end.termination, Termination::Rules, "{game}: {end:?}");
        assert_eq!(end.forfeited_by(), ForfeitedBy::Nobody, "{game}: {end:?}");
        println!("{} [{}]: reached nothing in {game}", bot.name, tier.name());
    }
    PROGRAMS.close();
    let is_clean = !alone || is_again(&before, traces);
    assert!(is_clean, "{before:?}, and then {:?}", traces());
}

/// Where nothing is promised, each of the bots reaches what it wants, so that it means something if it does not.
pub fn the_rules_are_within_reach(tier: Tier) {
    let confinement = Confinement {
        isolation: tier,
        signal_scope: false,
        ..Confinement::default()
    };
    // Some systems let nobody trace processes that are not its own children.
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let can_trace = scope.is_ok_and(|scope| scope.trim() != "0");
    for bot in REACHING {
        if can_trace && bot.held_by_landlock && !bot.signals_others {
            continue;
        }
        for game in GAMES {
            let reached = match game_in(bot.name, game, Seat::FIRST, &confinement) {
                Err(void) if bot.signals_others && void.rules_fault().is_some() => void.to_string(),
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
    let mut chance = Stream::new(1, 0);
    let mut position = setup.start(&mut chance).map_err(Void::Rules)?;
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
    let terms = SeatTerms {
        time: &TimeControl::default(),
        handshake: Duration::from_secs(20),
        start: Duration::from_secs(20),
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
    let end = play(
        &spec,
        position.as_mut(),
        [&mut first as _, &mut second as _].into(),
        &mut chance,
        &mut Unwatched,
    );
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
