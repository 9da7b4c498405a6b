//! Bare blocking pipes, as a floor for what is measured beside them.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use referee::bot::Launch;
use referee::game::{Game, Seat};
use referee::protocol::ToBot;

use crate::refereed::median;

/// A bot behind bare blocking pipes.
pub struct Bare {
    pub child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Bare {
    pub fn start(launch: &Launch) -> Self {
        let mut child = Command::new(&launch.program)
            .args(&launch.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the bot starts");
        Self {
            input: child.stdin.take().expect("piped"),
            output: BufReader::new(child.stdout.take().expect("piped")),
            child,
            line: String::new(),
        }
    }

    /// Ends the bot by the end of its input.
    pub fn end(mut self) {
        drop(self.input);
        self.child.wait().expect("ends");
    }

    fn exchange(&mut self, request: &str) -> &str {
        self.input.write_all(request.as_bytes()).expect("written");
        self.line.clear();
        self.output.read_line(&mut self.line).expect("answered");
        &self.line
    }
}

/// The same exchanges by bare pipes: the same bytes in the same order, and nothing else.
pub fn bare_game(bots: &mut [Bare; 2], game: Game, script: &[String], requests: &[String]) {
    for (bot, seat) in bots.iter_mut().zip(game.seat_names()) {
        bot.exchange(&format!("start {} {seat} seed=0\n", game.name()));
    }
    for (ply, (request, action)) in requests.iter().zip(script).enumerate() {
        let answer = bots[ply % 2].exchange(request);
        assert_eq!(answer.trim_end(), action);
    }
}

/// The request to the player of each ply, with two plies of news.
pub fn requests(game: Game, script: &[String]) -> Vec<String> {
    (0..script.len())
        .map(|ply| {
            let mut request = String::new();
            let first = ply.saturating_sub(2);
            for (told, action) in (first..).zip(&script[first..ply]) {
                let seat = game.seat_name(Seat::BOTH[told % 2]);
                let did = ToBot::Did {
                    seat,
                    action,
                    public: "",
                };
                let _ = writeln!(request, "{did}");
            }
            request.push_str("act 59999 59999\n");
            request
        })
        .collect()
}

/// The time since then.
pub fn micros(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e6
}

/// The medians of both, and the median of their ratios round by round.
pub fn show(what: &str, one: &str, other: &str, ours: &[f64], floor: &[f64]) {
    let ratios: Vec<f64> = ours.iter().zip(floor).map(|(a, b)| a / b).collect();
    println!(
        "{what}: {:.2} µs {one}, {:.2} µs {other}; ratio {:.2} (rounds: {:.2} to {:.2})",
        median(ours),
        median(floor),
        median(&ratios),
        ratios.iter().copied().fold(f64::INFINITY, f64::min),
        ratios.iter().copied().fold(0.0, f64::max),
    );
}
