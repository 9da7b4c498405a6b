//! Words of problems.

use std::fmt::{self, Display};

use super::{Difference, RequestKind, RulesFlaw, Variation};
use crate::bot::{mebibytes, seconds};
use crate::text::{counted, excerpt};

/// Maximum characters of a quoted action or reason.
const EXCERPT: usize = 60;

impl RequestKind {
    fn request(self) -> &'static str {
        match self {
            RequestKind::New => "new",
            RequestKind::Play => "play",
            RequestKind::Drop => "drop",
            RequestKind::Legal => "legal",
            RequestKind::Show => "show",
        }
    }
}

impl Display for Difference {
    /// Completes a sentence such as "in another process …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match (self.is_order, self.part) {
            (true, _) => "is in another order",
            (false, RequestKind::Legal) => "has other actions",
            (false, _) => "is another one",
        };
        write!(f, "the answer to `{}` {how}", self.part.request())
    }
}

impl Variation {
    fn surroundings(self) -> &'static str {
        match self {
            Variation::HashSeed => "in a process with another PYTHONHASHSEED",
            Variation::TimeZone => "in a process with another time zone",
            Variation::Locale => "in a process with another locale",
            Variation::Folder => "in a process in a copy of the folder",
        }
    }
}

fn seats(numbers: &[u8]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    match numbers.len() {
        0 => "no seat".to_owned(),
        1 => format!("seat {}", numbers[0]),
        _ => format!("seats {}", numbers.join(" and ")),
    }
}

impl Display for RulesFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str| excerpt(text, EXCERPT);
        match self {
            Self::Fault { fault, .. } => write!(f, "{fault}"),
            Self::HelloChanges => write!(f, "the hello is another one in a second process"),
            Self::OptionRefused { key, value, words } => {
                write!(
                    f,
                    "`new` refuses {key}={value}, which the hello allows: {}",
                    short(words)
                )
            }
            Self::NewRefused { words } => write!(f, "`new` is refused: {}", short(words)),
            Self::NoScore => write!(f, "a turn has no `score`, and the hello has `has score`"),
            Self::NoOffer { seat } => {
                write!(
                    f,
                    "seat {seat} acts and no `can` offers it an action, and the hello has `has offers`"
                )
            }
            Self::OfferDiffers { seat } => {
                write!(
                    f,
                    "`can` offers seat {seat} other actions than `legal {seat}` lists"
                )
            }
            Self::OfferToOther { seat } => {
                write!(f, "`can` offers seat {seat} actions, and it does not act")
            }
            Self::WrongNews { seat, action } => write!(
                f,
                "seat {seat} played `{}`, and no `did` tells of exactly that",
                short(action)
            ),
            Self::LegalEmpty { seat } => {
                write!(f, "seat {seat} acts, and `legal {seat}` lists no action")
            }
            Self::LegalDouble { seat, action } => {
                write!(f, "`legal {seat}` lists `{}` twice", short(action))
            }
            Self::LegalChanges { seat } => {
                write!(
                    f,
                    "`legal {seat}` has another answer when it is asked again"
                )
            }
            Self::LegalOfOther { seat } => {
                write!(
                    f,
                    "`legal {seat}` lists actions, and seat {seat} does not act"
                )
            }
            Self::LegalRefused {
                seat,
                action,
                words,
            } => write!(
                f,
                "`{}` of seat {seat} is refused, and `legal {seat}` lists it: {}",
                short(action),
                short(words)
            ),
            Self::Spelling {
                spelling, action, ..
            } => write!(
                f,
                "`{}` is accepted, and `legal` lists `{}`: one action has two spellings",
                short(spelling),
                short(action)
            ),
            Self::Unlisted { seat, action } => {
                write!(
                    f,
                    "`{}` is accepted, and `legal {seat}` does not list it",
                    short(action)
                )
            }
            Self::OtherSeat { seat } => {
                write!(
                    f,
                    "an action of seat {seat} is accepted, and seat {seat} does not act"
                )
            }
            Self::AfterEnd { seat } => {
                write!(
                    f,
                    "an action of seat {seat} is accepted after the end of the game"
                )
            }
            Self::WrongBlame { guilty, blamed } => {
                let (guilty, blamed) = (seats(guilty), seats(blamed));
                write!(
                    f,
                    "a refusal names {blamed}, and {guilty} had the wrong action"
                )
            }
            Self::RefusalChanges { difference } => {
                write!(f, "after a refused action, {difference}")
            }
            Self::Grows { bytes, games } => {
                let games = counted((*games).into(), "game", "games");
                write!(f, "{} more after {games}", mebibytes(*bytes))
            }
            _ => self.of_games(f),
        }
    }
}

impl RulesFlaw {
    /// Words of problems of whole games and processes.
    fn of_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str| excerpt(text, EXCERPT);
        match self {
            Self::Unseeded { difference } => {
                write!(
                    f,
                    "in a second process that was asked the same, {difference}"
                )
            }
            Self::AskingChanges { difference } => {
                write!(f, "if `legal` and `show` are not asked, {difference}")
            }
            Self::KeepsState { difference } => {
                write!(f, "after other games in the same process, {difference}")
            }
            Self::OneWrite {
                difference: Some(difference),
            } => {
                write!(f, "where all requests come in one write, {difference}")
            }
            Self::OneWrite { difference: None } => {
                write!(
                    f,
                    "where all requests come in one write, an answer is missing"
                )
            }
            Self::Surroundings {
                variation,
                difference,
            } => {
                write!(f, "{}, {difference}", variation.surroundings())
            }
            Self::LegalLeaks { seat, is_order } => {
                let how = match is_order {
                    true => "the same actions in another order",
                    false => "other actions",
                };
                write!(
                    f,
                    "seat {seat} heard the same in two games, and `legal {seat}` lists {how}"
                )
            }
            Self::RefusalLeaks { seat, action } => write!(
                f,
                "seat {seat} heard the same in two games, and the answers to its `{}` differ",
                short(action)
            ),
            Self::ShowLeaks { seat } => {
                write!(
                    f,
                    "seat {seat} heard the same in two games, and `show {seat}` differs"
                )
            }
            Self::NotSymmetric { ply } => write!(
                f,
                "with the seats exchanged, the answer to ply {ply} is not the exchanged one, and the hello has \
                 `has symmetric`"
            ),
            Self::DropRefused { seat, words } => {
                write!(f, "`drop {seat}` is refused: {}", short(words))
            }
            Self::DropGoesOn { seat } => {
                write!(f, "seat {seat} is left alone, and the game goes on")
            }
            Self::DroppedActs { seat } => {
                write!(f, "seat {seat} is to act after `drop {seat}`")
            }
            Self::NoEnd { plies } => write!(f, "a random game has no end after {plies} plies"),
            Self::NoneEnded { plies } => {
                write!(
                    f,
                    "no random game came to its end in the time; the longest has {plies} plies"
                )
            }
            Self::UnknownReason { reason } => write!(
                f,
                "a game ended by `{}`, and the hello has no `reason` of that name",
                short(reason)
            ),
            Self::NeverDecided { games } => {
                write!(f, "all seats had equal points in each of {games} games")
            }
            Self::StateDiffers { state } => write!(
                f,
                "two positions have the state `{}`, and do not go on in the same way",
                short(state)
            ),
            Self::Slow { took, limit } => {
                write!(
                    f,
                    "an answer took {} of {}",
                    seconds(*took),
                    seconds(*limit)
                )
            }
            Self::IgnoresQuit { waited } => {
                write!(f, "still there {} after `quit`", seconds(*waited))
            }
            Self::IgnoresEnd { waited } => {
                write!(
                    f,
                    "still there {} after the end of the input",
                    seconds(*waited)
                )
            }
            _ => Ok(()),
        }
    }
}
