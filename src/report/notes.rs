//! What stands beside a table: what the games do not tell, in words.

use super::results::Rated;
use super::text::{counted, signed, visible};
use crate::rating::{Anchor, FEW_GAMES, SprtVerdict};

/// How many players are named before the rest is a number.
const NAMED: usize = 5;

/// What the ratings rest on: the advantage, draws, pairs.
pub(super) fn facts(one: &Rated<'_>) -> Vec<String> {
    let mut facts = Vec::new();
    let ratings = &one.ratings;
    facts.push(match one.anchor {
        Anchor::Mean(elo) => format!("Elo is relative to the mean of all players, at {elo:.0}."),
        Anchor::Player(player, elo) => {
            format!("Elo is relative to {}, at {elo:.0}.", name(one, player))
        }
    });
    let draws = match ratings.draw_rate() {
        0.0 => String::new(),
        rate => format!("; between equals {:.0} % are drawn", 100.0 * rate),
    };
    facts.push(match ratings.advantage() {
        Some(advantage) => format!(
            "The first seat is worth {} Elo, ± {:.0}{draws}.",
            signed(advantage.elo),
            advantage.margin()
        ),
        None => format!("Seats are taken to be equal{draws}."),
    });
    if ratings.pairs() > 0 {
        facts.push(format!(
            "{} whole game pairs; results within a pair correlate by {:+.2}, which the intervals \
             allow for.",
            ratings.pairs(),
            ratings.pair_correlation() + 0.0
        ));
    }
    facts.extend(sprt(one));
    facts
}

fn sprt(one: &Rated<'_>) -> Option<String> {
    let ((name, test), llr) = (one.sprt?, one.llr()?);
    let name = visible(name);
    let [low, high] = test.bounds();
    let (elo0, elo1) = (test.elo0, test.elo1);
    let verdict = match test.verdict(llr) {
        SprtVerdict::First => format!("{elo0} Elo is accepted"),
        SprtVerdict::Second => format!("{elo1} Elo is accepted"),
        SprtVerdict::Open => "not decided".to_owned(),
    };
    Some(format!(
        "SPRT of {name} being stronger by {elo0} against {elo1} Elo: LLR {llr:.2}, bounds {low:.2} \
         and {high:.2}: {verdict}."
    ))
}

/// What to be careful about.
pub(super) fn warnings(one: &Rated<'_>) -> Vec<String> {
    let found = &one.findings;
    let mut notes = Vec::new();
    let mut say = |note: String| notes.push(note);
    if !found.groups.is_empty() {
        let groups: Vec<String> = found
            .groups
            .iter()
            .take(NAMED)
            .map(|group| names(one, group))
            .collect();
        say(format!(
            "The players fall into {} groups that never met, so nothing is known about how the \
             groups compare: {}{}.",
            found.groups.len(),
            groups.join(" | "),
            if found.groups.len() > NAMED {
                " | …"
            } else {
                ""
            }
        ));
    }
    if !found.won_all.is_empty() {
        say(format!(
            "Won everything: {}. The games set no upper limit; the weak prior does.",
            names(one, &found.won_all)
        ));
    }
    if !found.lost_all.is_empty() {
        say(format!(
            "Lost everything: {}. The games set no lower limit; the weak prior does.",
            names(one, &found.lost_all)
        ));
    }
    let single = found.won_all.len() + found.lost_all.len() + 1;
    if found.tiers.len() > single.max(found.groups.len()) {
        say(format!(
            "There are {} tiers between which all results are one way; how far they lie apart is \
             known by the weak prior only.",
            found.tiers.len()
        ));
    }
    if !found.few.is_empty() {
        say(format!(
            "Fewer than {FEW_GAMES} games, so intervals are rough: {}.",
            names(one, &found.few)
        ));
    }
    if found.cycle_count > 0 {
        let cycles: Vec<String> = found
            .cycles
            .iter()
            .take(NAMED)
            .map(|cycle| {
                let [a, b, c] = cycle.0.map(|player| name(one, player));
                format!("{a} > {b} > {c} > {a}")
            })
            .collect();
        say(format!(
            "Not one order of strength, beyond chance: {}{}. A rating averages over this.",
            cycles.join("; "),
            match found.cycle_count as usize - cycles.len() {
                0 => String::new(),
                more => format!("; and {more} more"),
            }
        ));
    }
    let [forfeited, both] = found.forfeited;
    if forfeited > 0 {
        say(format!(
            "{} won by the opponent's forfeit, of {} points in all.",
            counted(forfeited, "point was", "points were"),
            one.standings.games() - both
        ));
    }
    if both > 0 {
        say(format!(
            "{} forfeited by both players: lost for both, and left out of the ratings.",
            counted(both, "game was", "games were")
        ));
    }
    if found.duplicates > 0 {
        let fate = match one.standings.duplicates_left_out() {
            true => "they were left out",
            false => "they count, but tell nothing new (`referee rate --once` leaves them out)",
        };
        // There are so many that nobody keeps them all in mind.
        let least = match one.standings.forgets() {
            true => "At least ",
            false => "",
        };
        say(format!(
            "{least}{} action by action what the same players had played before; {fate}.",
            counted(found.duplicates, "game repeats", "games repeat")
        ));
    }
    if found.seats_unclear {
        say(
            "Players hardly changed seats: the games do not tell an advantage of the first seat \
             from strength. If seats mean nothing, `referee rate --equal-seats` says so."
                .to_owned(),
        );
    }
    notes
}

fn name(one: &Rated<'_>, player: usize) -> String {
    visible(one.name(player))
}

fn names(one: &Rated<'_>, players: &[usize]) -> String {
    let mut names: Vec<String> = players
        .iter()
        .take(NAMED)
        .map(|player| name(one, *player))
        .collect();
    if players.len() > NAMED {
        names.push(format!("{} more", players.len() - NAMED));
    }
    names.join(", ")
}
