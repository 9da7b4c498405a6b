//! Two engines that speak UCI play one game again and again over bare pipes: blocking writes and reads, no clock, no
//! rules, no logs. This is the least that any harness can take, with the lines that `referee` sends.
//!
//! `bare_engines GAMES ENGINE ENGINE`

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running engine.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    line: String,
}

impl Engine {
    fn start(program: &str) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take().ok_or("it has no stdin")?;
        let stdout = BufReader::new(child.stdout.take().ok_or("it has no stdout")?);
        Ok(Self {
            child,
            stdin,
            stdout,
            line: String::new(),
        })
    }

    /// Sends lines, and reads until a line begins with this word. Returns what follows it.
    fn ask(&mut self, lines: &[u8], word: &str) -> Result<&str, Box<dyn Error>> {
        self.stdin.write_all(lines)?;
        loop {
            self.line.clear();
            if self.stdout.read_line(&mut self.line)? == 0 {
                return Err("an engine has ended".into());
            }
            if self.line.starts_with(word) {
                return Ok(self.line[word.len()..].trim());
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [games, one, other] = &args[..] else {
        return Err("expected GAMES ENGINE ENGINE".into());
    };
    let mut engines = [Engine::start(one)?, Engine::start(other)?];
    for engine in &mut engines {
        engine.ask(b"uci\n", "uciok")?;
    }
    let (mut moves, mut lines) = (String::new(), Vec::new());
    for _ in 0..games.parse()? {
        for engine in &mut engines {
            engine.ask(b"ucinewgame\nisready\n", "readyok")?;
        }
        moves.clear();
        for ply in 0.. {
            lines.clear();
            let list = if moves.is_empty() { "" } else { " moves" };
            writeln!(lines, "position startpos{list}{moves}")?;
            writeln!(lines, "go wtime 100000 btime 100000 winc 1000 binc 1000")?;
            let action = engines[ply % 2].ask(&lines, "bestmove")?;
            // The scripted engine knows no further move.
            if action == "0000" || ply == 118 {
                break;
            }
            moves.push(' ');
            moves.push_str(action);
        }
    }
    for mut engine in engines {
        engine.stdin.write_all(b"quit\n")?;
        engine.child.wait()?;
    }
    Ok(())
}
