//! The transcripts in `docs/` are what the referee sends. Each is played again twice:
//!
//! - with players in this process, whose answers take the time that the block names: all lines must be
//!   the same, including the clocks;
//! - with a real process that writes the bot's lines, which also covers `quit`, debug lines and line
//!   endings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee::bot::{Double, Fault, Launch, Player, Reply};
use referee::clock::{Measure, TimeControl};
use referee::game::{BUILT_IN, Seat, Setup};
use referee::random::BlockSeeds;
use referee::referee::{Adjudication, GameSpec, Participant, SeatTerms, play};

use crate::support::{Unwatched, files_below, has_extension, root, start_bot};

struct Block {
    place: String,
    info: String,
    lines: Vec<String>,
}

/// A transcript: the games of one bot's process, one after another.
struct Transcript {
    place: String,
    setup: Setup,
    seat: Seat,
    seed: u64,
    opening_plies: u32,
    time: TimeControl,
    took: Duration,
    other_took: Duration,
    lines: Vec<String>,
}

#[test]
fn every_line_is_what_a_bot_is_sent() {
    for transcript in transcripts() {
        let quit = transcript.lines.last().map(String::as_str);
        assert_eq!(quit, Some("> quit"), "{}", transcript.place);
        let written = &transcript.lines[..transcript.lines.len() - 1];
        let played = transcript.play_inside();
        assert!(
            played == written,
            "{}: the transcript is not what is sent; it should read\n{}\n",
            transcript.place,
            played.join("\n")
        );
    }
}

#[test]
fn a_process_is_sent_the_same() {
    for transcript in transcripts() {
        let (sent, log) = transcript.play_process();
        let clocks_apart = |line: &str| match line.strip_prefix("act ") {
            Some(_) => "act".to_owned(),
            None => line.to_owned(),
        };
        let written: Vec<String> = transcript.after("> ").map(clocks_apart).collect();
        let sent: Vec<String> = sent.lines().map(clocks_apart).collect();
        assert_eq!(sent, written, "{}", transcript.place);
        let debug = transcript.after("< ").filter(|line| line.starts_with('#'));
        assert!(log.lines().eq(debug), "{}: {log}", transcript.place);
    }
}

/// Each block that looks like a conversation is marked as a transcript, so it is played above.
#[test]
fn no_conversation_is_left_out() {
    let spoken = |line: &&String| line.starts_with("> ") || line.starts_with("< ");
    let mut found = 0;
    for block in blocks() {
        let count = block.lines.iter().filter(spoken).count();
        if block.info.split(' ').next() == Some("transcript") {
            assert_eq!(count, block.lines.len(), "{}: an odd line", block.place);
            found += 1;
        } else {
            assert_eq!(count, 0, "{}: not marked as a transcript", block.place);
        }
    }
    let transcripts = transcripts();
    assert_eq!(transcripts.len(), found);
    for game in BUILT_IN {
        let is_there = transcripts.iter().any(|one| one.setup.game() == game);
        assert!(is_there, "no transcript of {}", game.name());
    }
    for word in ["referee", "start", "did", "act", "end", "quit"] {
        let mut lines = transcripts.iter().flat_map(|one| one.after("> "));
        let is_there = lines.any(|line| line.split(' ').next() == Some(word));
        assert!(is_there, "no transcript has `{word}`");
    }
}

impl Transcript {
    fn new(block: Block) -> Self {
        let mut words: HashMap<&str, &str> = block
            .info
            .split(' ')
            .skip(1)
            .map(|word| word.split_once('=').expect("KEY=VALUE"))
            .collect();
        let mut take = |key: &str| words.remove(key);
        let time = |value: &str| humantime::parse_duration(value).expect("a time");
        let game = BUILT_IN
            .named(take("game").expect("a game"))
            .expect("a game");
        let seat = take("seat").expect("a seat");
        let seat = Seat::BOTH
            .into_iter()
            .find(|one| game.seat_name(*one) == seat)
            .expect("a seat of the game");
        let measured = take("measure").unwrap_or("wall");
        let mut transcript = Self {
            seat,
            seed: take("seed").map_or(0, |seed| seed.parse().expect("a seed")),
            opening_plies: take("opening-plies").map_or(0, |plies| plies.parse().expect("plies")),
            time: TimeControl {
                measure: [Measure::Wall, Measure::Cpu]
                    .into_iter()
                    .find(|measure| measure.name() == measured)
                    .expect("wall or cpu"),
                per_game: take("per-game").map(time),
                period: None,
                increment: take("increment").map_or(Duration::ZERO, time),
                per_move: take("per-move").map(time),
                margin: Duration::ZERO,
                wall_cap: Duration::from_secs(600),
            },
            took: take("took").map_or(Duration::ZERO, time),
            other_took: take("other-took").map_or(Duration::ZERO, time),
            setup: Setup::new(game),
            lines: block.lines,
            place: block.place.clone(),
        };
        for (key, value) in words {
            transcript.setup.set(key, value).expect("a game option");
        }
        transcript
    }

    /// The lines of one side, without its mark.
    fn after<'a>(&'a self, mark: &'static str) -> impl Iterator<Item = &'a str> {
        self.lines.iter().filter_map(move |l| l.strip_prefix(mark))
    }

    fn games(&self) -> usize {
        self.after("> ").filter(|l| l.starts_with("start ")).count()
    }

    /// What the opponent played in all games, without the openings.
    fn opponents_actions(&self) -> Vec<String> {
        let mut ply = 0;
        let mut me = "";
        let mut actions = Vec::new();
        for line in self.after("> ") {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["start", _, seat, ..] => (me, ply) = (seat, 0),
                ["did", seat, action, ..] => {
                    ply += 1;
                    if seat != me && ply > self.opening_plies {
                        actions.push(action.to_owned());
                    }
                }
                _ => {}
            }
        }
        actions
    }

    /// The opponent: it plays what the transcript says, and then its process ends.
    fn opponent(&self) -> Participant<Double<impl FnMut(&[String]) -> Reply>> {
        let mut actions = self.opponents_actions().into_iter();
        let took = self.other_took;
        Participant::new(Double::new(move |told| {
            let asked = told.last().expect("a request");
            let answer = match asked.split(' ').next() {
                Some("referee") => Some("bot 1 other".to_owned()),
                Some("start") => Some("ready".to_owned()),
                _ => actions.next(),
            };
            match answer {
                Some(line) => Reply::Line(line, took),
                None => Reply::Fault(Fault::Exited {
                    how: "exited with code 1".to_owned(),
                }),
            }
        }))
    }

    /// Plays all games, as a tournament would: two games from one start, the seats swapped.
    fn play_all(&self, bot: &mut Participant<dyn Player + '_>) {
        let mut other = self.opponent();
        let game = self.setup.game();
        for index in 0..self.games() {
            let seat = [self.seat, self.seat.other()][index % 2];
            let mut seeds = BlockSeeds::new(self.seed, game, index as u64 / 2);
            let mut position = self.setup.start(&mut seeds.chance).expect("built in");
            let mut players: [&mut Participant<dyn Player + '_>; 2] = [bot, &mut other];
            players.rotate_left(seat.index());
            // A conversation that breaks off is compared up to its end.
            let _ = play(
                &GameSpec {
                    game,
                    options: self.setup.public_options().into(),
                    bot_seeds: seeds.bots,
                    opening_plies: self.opening_plies,
                    adjudication: Adjudication::default(),
                    drops: false,
                    terms: [SeatTerms {
                        time: &self.time,
                        handshake: Duration::from_secs(60),
                        start: Duration::from_secs(60),
                    }; 2]
                        .into(),
                },
                position.as_mut(),
                players.into(),
                &mut seeds.chance,
                &mut Unwatched,
            );
        }
    }

    /// The conversation with a player inside this process that gives the bot's answers.
    fn play_inside(&self) -> Vec<String> {
        let mut spoken = Vec::new();
        let mut heard = 0;
        let mut lines = self.after("< ");
        let mut double = Participant::new(Double::new(|told| {
            spoken.extend(told[heard..].iter().map(|line| format!("> {line}")));
            heard = told.len();
            for line in lines.by_ref() {
                spoken.push(format!("< {line}"));
                if !line.starts_with('#') {
                    return Reply::Line(line.to_owned(), self.took);
                }
            }
            Reply::Fault(Fault::HungUp)
        }));
        self.play_all(&mut double);
        let told = double.player.received.clone();
        drop(double);
        spoken.extend(told[heard..].iter().map(|line| format!("> {line}")));
        spoken
    }

    /// Plays with a process that writes the bot's lines. Gives what it was sent, and its log.
    fn play_process(&self) -> (String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let sent = folder.path().join("sent");
        let mut script = String::new();
        for line in &self.lines {
            match line.strip_prefix("< ") {
                // A bot on another system may end its lines with CR LF.
                Some(line) => script.push_str(&format!("printf '%s\\r\\n' '{line}'\n")),
                None => script
                    .push_str("IFS= read -r line || exit 1; printf '%s\\n' \"$line\" >> sent\n"),
            }
        }
        script.push_str("cat >> sent\n");
        let launch = Launch {
            program: PathBuf::from("sh"),
            args: vec!["-c".to_owned(), script],
            dir: Some(folder.path().to_owned()),
            ..Launch::default()
        };
        let process = start_bot(&launch);
        let mut process = Participant::new(process);
        self.play_all(&mut process);
        let mut process = process.player;
        let log = String::from_utf8(process.take_log().kept).expect("text");
        process.dismiss();
        process.close(Duration::from_secs(60));
        let sent = std::fs::read_to_string(sent).expect("what was sent");
        (sent, log.replace('\r', ""))
    }
}

fn transcripts() -> Vec<Transcript> {
    let is_one = |block: &Block| block.info.split(' ').next() == Some("transcript");
    let blocks = blocks().into_iter().filter(is_one);
    blocks.map(Transcript::new).collect()
}

fn blocks() -> Vec<Block> {
    let pages = files_below(&root().join("docs")).into_iter();
    let pages = pages.filter(|file| has_extension(file, "md"));
    pages.flat_map(|page| blocks_of(&page)).collect()
}

fn blocks_of(path: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(path).expect("a page");
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(info) if !inside => {
                blocks.push(Block {
                    place: format!("{}:{}", path.display(), number + 1),
                    info: info.to_owned(),
                    lines: Vec::new(),
                });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line.to_owned());
                }
            }
            None => {}
        }
    }
    assert!(!inside, "{}: a block without an end", path.display());
    blocks
}
