//! Hints: remedies for problems.

use super::{Difference, RulesFlaw, Variation};
use crate::game::RulesFault;

const SEED: &str =
    "draw all randomness from the seed of `new`, and use no clock, process number or address";

impl RulesFlaw {
    /// Remedy for the problem.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Fault { fault, .. } => return of_fault(fault),
            Self::HelloChanges => "print a fixed text",
            Self::OptionRefused { .. } => {
                "let the hello name the values that `new` takes, or take them"
            }
            Self::NewRefused { .. } => "`new` must take the default values; --set sets others",
            Self::NoScore => {
                "print `score` with the points of each seat before each `act` and `end`"
            }
            Self::NoOffer { .. } | Self::OfferDiffers { .. } | Self::OfferToOther { .. } => {
                "print `can SEAT ACTION…` with the list of `legal` for each seat that acts, and for no other"
            }
            Self::WrongNews { .. } => {
                "print `did` with the seat and the action as they came; without `has hidden` no `did` is needed"
            }
            Self::LegalEmpty { .. } => {
                "let the game end, let another seat act, or list an action such as `pass`"
            }
            Self::LegalDouble { .. } => {
                "list each action once: two ways to one action have one name"
            }
            Self::LegalChanges { .. } => {
                "let `legal` list the position and change nothing; sort a set"
            }
            Self::LegalOfOther { .. } => "answer `can SEAT` alone for a seat that does not act",
            Self::LegalRefused { .. } => {
                "let `legal` and `play` use one function; a bot that trusts the list would lose by this"
            }
            Self::Spelling { .. } => {
                "compare the text with the list before it is read as a number: Python's int() takes `+4`, `04` and `٤`"
            }
            Self::Unlisted { .. } => {
                "accept an action only if the list has it: `-1` is an index in Python, and 0 may be one too"
            }
            Self::OtherSeat { .. } => "refuse an action whose seat does not act",
            Self::AfterEnd { .. } => "refuse every action once the game is over",
            Self::WrongBlame { .. } => {
                "name all seats with a wrong action, and no other: `illegal 0,1 WORDS`"
            }
            Self::RefusalChanges { .. } => {
                "look at the action whole before anything is changed, and forget the `with` lines of a refused turn"
            }
            Self::Unseeded { .. } => SEED,
            Self::AskingChanges { .. } => {
                "let `legal` and `show` change nothing, random numbers included"
            }
            Self::KeepsState { .. } => "make everything new at `new`, random numbers included",
            Self::OneWrite { .. } => {
                "read line by line, and keep what a read brings beyond the first line for the next request"
            }
            Self::Surroundings {
                variation,
                difference,
            } => of_surroundings(*variation, *difference),
            Self::LegalLeaks { .. } | Self::RefusalLeaks { .. } | Self::ShowLeaks { .. } => {
                "it depends on something that the seat cannot know: tell it by `see` or `did`, or leave it out"
            }
            Self::NotSymmetric { .. } => "leave `symmetric` out, or treat the seats alike",
            Self::DropRefused { .. } => {
                "`drop` is no request of a player: let any seat leave while the game goes on"
            }
            Self::DropGoesOn { .. } => "answer `drop` with `end` once one seat is left",
            Self::DroppedActs { .. } => "leave a seat that left out of every later turn",
            Self::NoEnd { .. } => {
                "end the game by a rule: a number of plies, or a position that comes back"
            }
            Self::NoneEnded { .. } => "give the check more time with --time, or end games sooner",
            Self::UnknownReason { .. } => "add a line `reason NAME WORDS…` to the hello",
            Self::NeverDecided { .. } => {
                "look at the points of `end`: random games are rarely all drawn"
            }
            Self::StateDiffers { .. } => {
                "put all that decides the future into `state`: the seat to act, a repetition, what was captured"
            }
            Self::Slow { .. } => {
                "on a busy machine it may take twice as long, and the game would be void"
            }
            Self::Grows { .. } => "forget the last game at `new`",
            Self::IgnoresQuit { .. } | Self::IgnoresEnd { .. } => {
                "leave the loop that reads: the program is killed otherwise, and each process costs the wait"
            }
        })
    }
}

fn of_fault(fault: &RulesFault) -> Option<&'static str> {
    match fault {
        RulesFault::TimedOut(_) => Some(
            "flush after each answer (print(..., flush=True)), and end it by the line `ok`; a tournament would call the \
             game void",
        ),
        RulesFault::Ended(_) => {
            Some("its standard error says why; a tournament would call the game void")
        }
        RulesFault::Malformed { .. } => {
            Some("docs/rules-protocol.md has the lines of each answer; debug lines begin with #")
        }
        RulesFault::WithLog { cause, .. } => of_fault(cause),
        _ => None,
    }
}

fn of_surroundings(variation: Variation, difference: Difference) -> &'static str {
    match variation {
        Variation::HashSeed if difference.is_order => "a set is printed: sort it",
        Variation::HashSeed => "the order of a set, or hash(), decides something: sort the set",
        Variation::TimeZone => "use no clock and no calendar of the machine",
        Variation::Locale => {
            "write numbers and letters without the locale: always UTF-8 and a decimal point"
        }
        Variation::Folder => "read files beside the program only, and print no path",
    }
}
