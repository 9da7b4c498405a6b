//! Random games of rules programs, played again, and compared by what their seats heard.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use referee::game::{Chance, NewsLine, Seat};
use referee::random::Stream;
use referee::rules::{Next, Program};

use super::rules_program::{self, begin, fewest_seats};

/// A game that was played to its end: the actions of each turn, and the digest of the answers after it.
#[derive(Debug)]
pub struct RandomGame {
    seed: u64,
    turns: Vec<Vec<(u8, String)>>,
    digests: Vec<String>,
    pub points: Vec<f64>,
}

impl RandomGame {
    /// Plays legal actions drawn from the seed. `heard` learns what each seat could know when it acted.
    pub fn play(program: &mut Program, seed: u64, heard: &mut Heard) -> Self {
        let mut stream = Stream::new(seed, 1);
        let (mut turns, mut digests) = (Vec::new(), Vec::new());
        let mut turn = begin(program, seed, &[]);
        let mut transcripts = Transcripts::new(usize::from(fewest_seats(program)));
        loop {
            transcripts.hear(&turn.news);
            let seats = match turn.next {
                Next::Act(seats) => seats,
                Next::End { points, .. } => {
                    let points = points
                        .iter()
                        .map(|it| it.to_string().parse().expect("a number"));
                    let points = points.collect();
                    return Self {
                        seed,
                        turns,
                        digests,
                        points,
                    };
                }
            };
            let mut actions = Vec::new();
            for seat in seats {
                let legal = program.legal(seat).expect("a list");
                heard.add(seat, &transcripts, &legal);
                let index = stream.below(u32::try_from(legal.len()).expect("few actions"));
                let action = legal[index as usize].clone();
                transcripts.act(seat, &action);
                actions.push((seat, action));
            }
            let played: Vec<(u8, &str)> = actions.iter().map(|(s, a)| (*s, a.as_str())).collect();
            turn = rules_program::turn(program.play(&played));
            digests.push(program.answers());
            turns.push(actions);
        }
    }

    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Plays the game again and compares the digests. It goes out in one write.
    pub fn replay(&self, program: &mut Program) {
        begin(program, self.seed, &[]);
        let acted = |turn: &[(u8, String)]| turn.iter().map(|(seat, _)| *seat).collect::<Vec<u8>>();
        for turn in &self.turns {
            let actions: Vec<(u8, &str)> = turn.iter().map(|(s, a)| (*s, a.as_str())).collect();
            program.queue_play(&actions);
        }
        for (turn, digest) in self.turns.iter().zip(&self.digests) {
            rules_program::turn(program.next_answer(&acted(turn)));
            assert_eq!(&program.answers(), digest);
        }
    }
}

/// Hashes of what each seat has heard and done, and of what it has done alone.
#[derive(Debug, Clone)]
struct Transcripts {
    heard: Vec<DefaultHasher>,
    done: Vec<DefaultHasher>,
}

impl Transcripts {
    fn new(seats: usize) -> Self {
        Self {
            heard: vec![DefaultHasher::new(); seats],
            done: vec![DefaultHasher::new(); seats],
        }
    }

    fn hear(&mut self, news: &[(Option<Seat>, NewsLine)]) {
        for (to, line) in news {
            for (seat, heard) in self.heard.iter_mut().enumerate() {
                if to.is_none_or(|to| to.index() == seat) {
                    (to, line).hash(heard);
                }
            }
        }
    }

    fn act(&mut self, seat: u8, action: &str) {
        action.hash(&mut self.heard[usize::from(seat)]);
        action.hash(&mut self.done[usize::from(seat)]);
    }
}

/// Legal actions by the transcript of a seat. Where something is hidden, equal transcripts must have equal actions.
#[derive(Debug, Default)]
pub struct Heard {
    by_transcript: HashMap<(u8, u64), Vec<String>>,
    by_actions: HashMap<(u8, u64), Vec<String>>,
    /// Positions whose transcript had come before.
    pub repeated: usize,
    /// Positions whose actions differ from an earlier one with an equal transcript.
    pub leaks: usize,
    /// The same, if seats heard nothing.
    pub leaks_of_the_deaf: usize,
}

impl Heard {
    fn add(&mut self, seat: u8, transcripts: &Transcripts, legal: &[String]) {
        let of = |hashers: &[DefaultHasher]| (seat, hashers[usize::from(seat)].finish());
        let differs = |map: &mut HashMap<_, Vec<String>>, key| {
            let known = map.get(&key).map(|known| known != legal);
            map.entry(key).or_insert_with(|| legal.to_vec());
            known
        };
        let heard = differs(&mut self.by_transcript, of(&transcripts.heard));
        self.repeated += usize::from(heard.is_some());
        self.leaks += usize::from(heard == Some(true));
        let deaf = differs(&mut self.by_actions, of(&transcripts.done));
        self.leaks_of_the_deaf += usize::from(deaf == Some(true));
    }
}
