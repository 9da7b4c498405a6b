//! The checks of a rules program, and a row for each problem that they may find.

use std::fmt::Display;

use crate::check::CheckVerdict;
use crate::text::excerpt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    Hello,
    Options,
    Games,
    Legal,
    /// Refuses all other actions, and changes nothing by that.
    Refused,
    Replay,
    /// Gives the same answers in other surroundings.
    Twin,
    /// Tells seats nothing that is hidden from them.
    Secrets,
    /// Memory does not grow from game to game.
    Memory,
}

use Check::{Games, Hello, Legal, Memory, Options, Refused, Replay, Secrets, Twin};

impl Check {
    pub const ALL: [Check; 9] = [
        Hello, Options, Games, Legal, Refused, Replay, Twin, Secrets, Memory,
    ];

    pub fn name(self) -> &'static str {
        // In the order of the variants.
        let names = [
            "hello", "options", "games", "legal", "refused", "replay", "twin", "secrets", "memory",
        ];
        names[self as usize]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    /// The check that it belongs to. A fault belongs to the check that met it.
    pub check: Check,
    /// Name in reports for programs.
    pub code: &'static str,
    /// Its words, with the names of values in braces.
    words: &'static str,
    pub hint: &'static str,
    pub verdict: CheckVerdict,
}

impl Check {
    /// A problem that makes games void, unfair or impossible to verify.
    const fn fails(self, code: Text, words: Text, hint: Text) -> Problem {
        Problem {
            check: self,
            code,
            words,
            hint,
            verdict: CheckVerdict::Failed,
        }
    }

    const fn warns(self, code: Text, words: Text, hint: Text) -> Problem {
        Problem {
            verdict: CheckVerdict::Warn,
            ..self.fails(code, words, hint)
        }
    }
}

type Text = &'static str;

const VALUE: usize = 300;

pub type Value<'a> = (&'static str, &'a dyn Display);

impl Problem {
    pub(super) fn filled(&self, values: &[Value<'_>]) -> String {
        let mut text = String::new();
        for part in self.words.split_inclusive(['{', '}']) {
            let value = part
                .strip_suffix('}')
                .and_then(|name| values.iter().find(|(of, _)| *of == name));
            match value {
                Some((_, value)) => text.push_str(&excerpt(&value.to_string(), VALUE)),
                None => text.push_str(part.trim_end_matches('{')),
            }
        }
        text
    }
}

pub const NO_ANSWER: Problem = Games.fails(
    "no-answer",
    "{fault}",
    "flush after each answer (print(..., flush=True)) and end it by the line `ok`, or answer sooner: a tournament waits \
     10 s, and then calls the game void",
);
pub const MALFORMED: Problem = Games.fails(
    "malformed",
    "{fault}",
    "`referee docs rules-protocol` has the lines of each answer; debug lines begin with #",
);
pub const ENDED: Problem = Games.fails(
    "ended",
    "{fault}",
    "its standard error says why; a tournament would call the game void",
);

pub const HELLO_CHANGES: Problem = Hello.fails(
    "hello-changes",
    "the hello is another one in a second process",
    "print a fixed text",
);
pub const OPTION_REFUSED: Problem = Options.fails(
    "option-refused",
    "`new` refuses {key}={value}, which the hello allows: {refusal}",
    "let the hello name the values that `new` takes, or take them",
);

pub const NEW_REFUSED: Problem = Games.fails(
    "new-refused",
    "`new` is refused: {refusal}",
    "`new` must take the default values; --set sets others",
);
pub const NO_SCORE: Problem = Games.fails(
    "no-score",
    "a turn has no `score`, and the hello has `has score`",
    "print `score` with the points of each seat before each `act` and `end`",
);
pub const WRONG_NEWS: Problem = Games.fails(
    "wrong-news",
    "seat {seat} played `{action}`, and no `did` tells of exactly that",
    "print `did` with the seat and the action as they came; without `has hidden` no `did` is needed",
);
pub const NO_END: Problem = Games.fails(
    "no-end",
    "a random game has no end after {plies} plies",
    "end the game by a rule: a number of plies, or a position that comes back",
);
pub const NONE_ENDED: Problem = Games.warns(
    "none-ended",
    "no random game came to its end in the time; the longest has {plies} plies",
    "give the check more time with --time, or end games sooner",
);
pub const UNKNOWN_REASON: Problem = Games.warns(
    "unknown-reason",
    "a game ended by `{reason}`, and the hello has no `reason` of that name",
    "add a line `reason NAME WORDS…` to the hello",
);
pub const NEVER_DECIDED: Problem = Games.warns(
    "never-decided",
    "all seats had equal points in each of {games} games",
    "look at the points of `end`: random games are rarely all drawn",
);

const OFFER: &str =
    "print `can SEAT ACTION…` with the list of `legal` for each seat that acts, and for no other";

pub const NO_OFFER: Problem = Legal.fails(
    "no-offer",
    "seat {seat} acts and no `can` offers it an action, and the hello has `has offers`",
    OFFER,
);
pub const OFFER_DIFFERS: Problem = Legal.fails(
    "offer-differs",
    "`can` offers seat {seat} other actions than `legal {seat}` lists",
    OFFER,
);
pub const OFFER_TO_OTHER: Problem = Legal.fails(
    "offer-to-other-seat",
    "`can` offers seat {seat} actions, and it does not act",
    OFFER,
);
pub const LEGAL_EMPTY: Problem = Legal.fails(
    "legal-empty",
    "seat {seat} acts, and `legal {seat}` lists no action",
    "let the game end, let another seat act, or list an action such as `pass`",
);
pub const LEGAL_DOUBLE: Problem = Legal.fails(
    "legal-double",
    "`legal {seat}` lists `{action}` twice",
    "list each action once: two ways to one action have one name",
);
pub const LEGAL_CHANGES: Problem = Legal.fails(
    "legal-changes",
    "`legal {seat}` has another answer when it is asked again",
    "let `legal` list the position and change nothing; sort a set",
);
pub const LEGAL_OF_OTHER: Problem = Legal.fails(
    "legal-of-other-seat",
    "`legal {seat}` lists actions, and seat {seat} does not act",
    "answer `can SEAT` alone for a seat that does not act",
);
pub const LEGAL_REFUSED: Problem = Legal.fails(
    "legal-refused",
    "`{action}` of seat {seat} is refused, and `legal {seat}` lists it: {refusal}",
    "let `legal` and `play` use one function; a bot that trusts the list would lose by this",
);

pub const RECORDED_REFUSED: Problem = Games.fails(
    "recorded-refused",
    "`{action}` of seat {seat}, which was played in the run, is refused: {refusal}",
    "the rules have changed since the run, or depend on more than the seed of `new` and the actions",
);

pub const SPELLING: Problem = Refused.fails(
    "spelling",
    "`{action}` is accepted, and `legal` lists `{listed}`: one action has two spellings",
    "compare the text with the list before it is read as a number: Python's int() takes `+4`, `04` and `٤`",
);
pub const UNLISTED: Problem = Refused.fails(
    "unlisted",
    "`{action}` is accepted, and `legal {seat}` does not list it",
    "accept an action only if the list has it: `-1` is an index in Python, and 0 may be one too",
);
pub const NOT_NOW: Problem = Refused.fails(
    "not-now",
    "`{action}` of seat {seat} is accepted, an action of another turn or another seat that is not legal here",
    "let `play` look whether the list has the action: the cell may be taken, the card in another hand",
);
pub const OTHER_SEAT: Problem = Refused.fails(
    "other-seat",
    "an action of seat {seat} is accepted, and seat {seat} does not act",
    "refuse an action whose seat does not act",
);
pub const AFTER_END: Problem = Refused.fails(
    "after-end",
    "an action of seat {seat} is accepted after the end of the game",
    "refuse every action once the game is over",
);
pub const WRONG_BLAME: Problem = Refused.fails(
    "wrong-refusal",
    "a refusal names {blamed}, and {guilty} had the wrong action",
    "name all seats with a wrong action, and no other: `illegal 0,1 WORDS`",
);
pub const REFUSAL_CHANGES: Problem = Refused.fails(
    "refusal-changes",
    "after a refused action, {difference}",
    "look at the action whole before anything is changed, and forget the `with` lines of a refused turn",
);

pub const UNSEEDED: Problem = Replay.fails(
    "unseeded",
    "in a second process that was asked the same, {difference}",
    "draw all randomness from the seed of `new`, and use no clock, process number or address",
);
pub const ASKING_CHANGES: Problem = Replay.fails(
    "asking-changes",
    "if `legal` and `show` are not asked, {difference}",
    "let `legal` and `show` change nothing, random numbers included",
);
pub const KEEPS_STATE: Problem = Replay.fails(
    "keeps-state",
    "after other games in the same process, {difference}",
    "make everything new at `new`, random numbers included",
);
pub const ONE_WRITE: Problem = Replay.fails(
    "one-write",
    "where all requests come in one write, {difference}",
    "read line by line, and keep what a read brings beyond the first line for the next request",
);

pub const HASH_ORDER: Problem = Twin.fails(
    "hash-order",
    "in a process with another PYTHONHASHSEED, {difference}",
    "a set is printed, or its order or hash() decides something: sort it",
);
pub const TIME_ZONE: Problem = Twin.fails(
    "time-zone",
    "in a process with another time zone, {difference}",
    "use no clock and no calendar of the machine",
);
pub const LOCALE: Problem = Twin.fails(
    "locale",
    "in a process with another locale, {difference}",
    "write numbers and letters without the locale: always UTF-8 and a decimal point",
);
pub const FOLDER: Problem = Twin.fails(
    "folder",
    "in a process in a copy of the folder, {difference}",
    "read files beside the program only, and print no path",
);

const LEAK: &str =
    "it depends on something that the seat cannot know: tell it by `see` or `did`, or leave it out";

pub const LEGAL_LEAKS: Problem = Secrets.fails(
    "legal-leaks",
    "seat {seat} heard the same in two games, and `legal {seat}` differs",
    LEAK,
);
pub const REFUSAL_LEAKS: Problem = Secrets.fails(
    "refusal-leaks",
    "seat {seat} heard the same in two games, and the answers to its `{action}` differ",
    LEAK,
);
pub const SHOW_LEAKS: Problem = Secrets.fails(
    "show-leaks",
    "seat {seat} heard the same in two games, and `show {seat}` differs",
    LEAK,
);

pub const GROWS: Problem = Memory.warns(
    "grows",
    "{size} more after {games}",
    "forget the last game at `new`",
);
