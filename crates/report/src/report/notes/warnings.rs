//! Warnings about the ratings of a game, in words.

use super::facts::openings_come_again;
use super::{NAMED, NotesOn, name, names};
use crate::rating::{Diagnostics, FEW_GAMES, Openings, Totals};
use crate::report::notes;
use crate::report::table::Cell;
use crate::report::text::listed;
use crate::results::{ByResults, Rated};
use crate::text::counted;

pub fn warnings(one: &Rated<'_>, on: NotesOn) -> Vec<String> {
    let mut warnings = connections(one, &one.diagnostics);
    warnings.extend(misfit(&one.diagnostics));
    let players = one.standings.players().len();
    warnings.extend(notes::stopping(one.settings.by_results, players, on));
    warnings.extend(few_openings(one));
    warnings.extend(forfeits(one));
    warnings.extend(repeated(one.standings.totals()));
    if let Some(won) = one.diagnostics.seat_won_all {
        let seat = ["first", "second"][won.index()];
        warnings.push(format!(
            "The {seat} seat won every game. The games set no limit on what that is worth, only the weak prior does."
        ));
    }
    if one.diagnostics.seats_unclear {
        warnings.push(
            "Players hardly changed seats, so the games do not separate the first seat's advantage \
             from strength. If the seats are equal in this game, use `referee rate --equal-seats`."
                .to_owned(),
        );
    }
    warnings
}

fn connections(one: &Rated<'_>, found: &Diagnostics) -> Vec<String> {
    let mut warnings = Vec::new();
    // The prior of an anchor's rating is not weak.
    let without_anchors = |players: &[usize]| -> Vec<usize> {
        let mut players = players.to_vec();
        players.retain(|player| one.anchors.iter().all(|(anchor, _)| anchor != player));
        players
    };
    warnings.extend(groups(one, found));
    let cases = [
        (
            &found.won_all,
            "Beat all opponents in every game",
            0,
            "at least",
        ),
        (
            &found.lost_all,
            "Beat no opponent in any game",
            2,
            "at most",
        ),
    ];
    for (players, words, end, limit) in cases {
        let players = without_anchors(players);
        let count = players.len();
        let named = listed(&players, count, NAMED, ", ", |player| {
            let end = Cell::Elo(one.interval(*player)[end]);
            format!("{} ({limit} {})", name(one, *player), end.shown())
        });
        if count > 0 {
            let other = ["upper", "lower"][end / 2];
            warnings.push(format!(
                "{words}: {named}. The games set no {other} limit on such a rating, only the weak prior does."
            ));
        }
    }
    let single = found.won_all.len() + found.lost_all.len() + 1;
    if found.tiers.len() > single.max(found.groups.len()) {
        warnings.push(format!(
            "The players form {} tiers: whenever players of two tiers met, the one of the higher tier \
             won. Only the weak prior says how far the tiers are apart.",
            found.tiers.len()
        ));
    }
    if one
        .order
        .iter()
        .any(|player| one.rating(*player).margin().is_infinite())
    {
        warnings.push(format!(
            "There are too few blocks, {}, for an interval around each rating.",
            one.standings.blocks().block_count()
        ));
    }
    if !found.few.is_empty() {
        warnings.push(format!(
            "Fewer than {FEW_GAMES} games, so the intervals are rough: {}.",
            names(one, &found.few)
        ));
    }
    warnings
}

fn groups(one: &Rated<'_>, found: &Diagnostics) -> Option<String> {
    let count = found.groups.len();
    // In a tuning they are the iterations and the confirmation.
    if count == 0 || one.settings.by_results == ByResults::Values {
        return None;
    }
    let named = listed(&found.groups, count, NAMED, " | ", |group| {
        names(one, group)
    });
    Some(format!(
        "The players fall into {count} groups that never met, so the games do not show how the groups compare: {named}."
    ))
}

fn p_value(probability: f64) -> String {
    match probability {
        small if small < 0.001 => "< 0.001".to_owned(),
        probability => format!("= {probability:.3}"),
    }
}

fn misfit(found: &Diagnostics) -> Option<String> {
    found.misfit.map(|misfit| {
        format!(
            "The results between players do not fit the model, which has one strength for each player and one share of \
             draws for all: they are {:.1} times as far from the ratings as chance makes them (p {}).",
            misfit.ratio.sqrt(),
            p_value(misfit.probability)
        )
    })
}

/// Number of openings from which their sample is not small.
const SOME_OPENINGS: usize = 10;

/// More blocks of an opening than these on average are many.
const MANY_BLOCKS: u64 = 4;

pub fn few_openings(one: &Rated<'_>) -> Option<String> {
    let (blocks, openings) = (
        one.standings.blocks().block_count(),
        one.standings.blocks().openings,
    );
    let is_small = openings_come_again(one)
        && openings < SOME_OPENINGS
        && blocks > MANY_BLOCKS * openings as u64
        && one.settings.openings_of(&one.game) == Openings::Sample;
    is_small.then(|| {
        format!(
            "Only {openings} openings serve {blocks} blocks, and others could suit other players. So the intervals count \
             openings and are wide. If these are all openings that there are, say so by `referee rate --openings all`, \
             or `openings-are = \"all\"` in the configuration: the intervals then count blocks."
        )
    })
}

fn forfeits(one: &Rated<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let totals = one.standings.totals();
    let by_all = totals.forfeited_by_all;
    let decided = totals.forfeited - by_all;
    if decided > 0 {
        warnings.push(format!(
            "{} decided by forfeit, of {} in all.",
            counted(decided, "game was", "games were"),
            totals.games,
        ));
    }
    if by_all > 0 {
        warnings.push(format!(
            "{} forfeited by all players: a loss for each in the standings, and not part of the ratings.",
            counted(by_all, "game was", "games were")
        ));
    }
    warnings
}

/// Each game counts as new evidence, also one that repeats another: said where a tenth of them do.
pub fn many_repeats(one: &Rated<'_>) -> Option<String> {
    let totals = one.standings.totals();
    let is_much = !totals.duplicates_left_out && 10 * totals.duplicates > totals.games;
    let taken = match one.settings.by_results {
        ByResults::Test => "the test took",
        _ => "the figures take",
    };
    is_much.then(|| {
        format!(
            "{} of {} repeat an earlier one action by action, and {taken} them for new evidence: more openings, or a clock \
             in place of nodes, make other games.",
            totals.duplicates,
            counted(totals.games, "game", "games")
        )
    })
}

fn repeated(totals: Totals) -> Option<String> {
    let treatment = if totals.duplicates_left_out {
        "they were left out"
    } else {
        "`referee rate --once` leaves such games out, as they add no information"
    };
    let at_least = if totals.may_miss_duplicates {
        "At least "
    } else {
        ""
    };
    (totals.duplicates > 0).then(|| {
        format!(
            "{at_least}{} action by action an earlier game of the same players; {treatment}.",
            counted(totals.duplicates, "game repeats", "games repeat")
        )
    })
}
