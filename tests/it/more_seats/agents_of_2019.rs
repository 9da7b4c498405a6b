//! Agents of 2019 by the course adapter: three processes at a table, and the rules of `examples/rules/chexers.py`.
//!
//! An agent lies in `tests/agents/comp30024-2019/NAME/`; its comments say how its games end, as in `course_adapters.rs`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use referee::rules::{Answer, News, Next, Program};

use super::acting;
use crate::course_adapters::{Agent, agents};
use crate::support::program::root;
use crate::support::rules_program::{begin, example};

const SEATS: [&str; 3] = ["red", "green", "blue"];

/// An agent at the table, behind its adapter.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn sit_down(folder: &str, package: &str) -> Self {
        let adapters = root().join("bots/course-adapters");
        let mut child = Command::new("python3")
            .arg(adapters.join("adapter.py"))
            .args(["comp30024-2019", package])
            .current_dir(root().join(folder))
            .env("PYTHONPATH", adapters.join("examples"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            input,
            output,
        }
    }

    /// Sends lines. A player that has crashed reads no more.
    fn tell(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).ok();
    }

    /// The answer to a line; empty after a crash.
    fn ask(&mut self, line: &str) -> String {
        self.tell(&format!("{line}\n"));
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("text");
        answer.trim_end().to_owned()
    }

    /// Its log.
    fn leave(mut self) -> String {
        self.tell("quit\n");
        drop(self.input);
        let ended = self.child.wait_with_output().expect("it ends");
        String::from_utf8(ended.stderr).expect("text")
    }
}

/// Lines that all hear of a turn.
fn heard(news: &[News]) -> String {
    let lines = news.iter().filter_map(|item| match item {
        News::Did {
            seat,
            action,
            public,
        } => {
            let line = format!("did {} {action} {public}", SEATS[usize::from(*seat)]);
            Some(line.trim_end().to_owned() + "\n")
        }
        News::See { .. } => None,
    });
    lines.collect()
}

/// How a game of 30 turns of each seat ended: `plays`, or a termination with its words; and the agent's log.
fn play(rules: &mut Program, agent: &Agent, seat: usize) -> (String, String) {
    let options = "turns=30 points=winner seats=3";
    let mut players: Vec<Player> = (0..3)
        .map(|place| match place == seat {
            true => Player::sit_down(
                &format!("tests/agents/comp30024-2019/{}", agent.name),
                &agent.package,
            ),
            false => Player::sit_down("bots/course-adapters/examples", "wanderer_2019"),
        })
        .collect();
    for (place, player) in players.iter_mut().enumerate() {
        assert!(player.ask("referee 1").starts_with("bot 1 "));
        let start = format!(
            "start chexers {} seed={} {options}",
            SEATS[place],
            place + 1
        );
        assert_eq!(player.ask(&start), "ready");
    }
    let mut next = begin(rules, 1, &[("turns", "30")]);
    let mut said = "plays".to_owned();
    while let [place] = acting(&next)[..] {
        let answer = players[usize::from(place)].ask("act 60000 60000 60000");
        let failed = match answer.split_once(' ') {
            _ if answer.is_empty() => Some("crash".to_owned()),
            Some(("illegal", words)) => Some(format!("illegal_action: {words}")),
            _ => None,
        };
        let judged = failed.map_or_else(
            || match rules.play(&[(place, &answer)]).expect("an answer") {
                Answer::Turn(turn) => Ok(turn),
                Answer::Refused(refusal) => Err(format!("illegal_action: {}", refusal.words)),
            },
            Err,
        );
        match judged {
            Ok(turn) => next = turn,
            Err(words) => {
                assert_eq!(
                    usize::from(place),
                    seat,
                    "an honest agent at fault: {words}"
                );
                said = words;
                break;
            }
        }
        let lines = heard(&next.news);
        players.iter_mut().for_each(|player| player.tell(&lines));
    }
    if let Next::End { reason, .. } = &next.next {
        let lines = format!("points 0 0 0\nend none rules {reason}\n");
        players.iter_mut().for_each(|player| player.tell(&lines));
    }
    let mut logs: Vec<String> = players.into_iter().map(Player::leave).collect();
    (said, logs.swap_remove(seat))
}

#[test]
fn agents_end_as_they_expect_in_each_seat() {
    let Some(mut rules) = example("chexers.py") else {
        return;
    };
    let agents = agents("comp30024-2019");
    assert!(agents.len() > 5);
    for agent in agents {
        for (seat, name) in SEATS.iter().enumerate() {
            let (said, log) = play(&mut rules, &agent, seat);
            let place = format!("{} as {name}: {said}\n{log}", agent.name);
            let [expected] = &agent.expected[..] else {
                panic!("{place}");
            };
            // The words of a crash are in the log.
            let (termination, words) = expected.split_once(": ").unwrap_or((expected, ""));
            assert!(said.starts_with(termination), "{place}");
            assert!(said.contains(words) || log.contains(words), "{place}");
            for words in &agent.logged {
                assert!(log.contains(words), "{place}");
            }
        }
    }
}
