//! Whom each player met.

use super::score::Tally;
use super::standings::Standings;

/// The meetings of each player. Unlike [`Standings::against`] it finds all opponents of a player at once.
#[derive(Debug)]
pub struct Opponents<'a> {
    standings: &'a Standings,
    /// Where the meetings of each player begin in `meetings`, and where the last one's end.
    begins: Vec<usize>,
    meetings: Vec<u32>,
}

impl<'a> Opponents<'a> {
    /// For the players of these standings.
    pub fn new(standings: &'a Standings) -> Self {
        let mut begins = vec![0; standings.players().len() + 1];
        for player in standings.meetings().iter().flat_map(|it| it.players) {
            begins[player + 1] += 1;
        }
        for player in 1..begins.len() {
            begins[player] += begins[player - 1];
        }
        let mut next = begins.clone();
        let mut meetings = vec![0; 2 * standings.meetings().len()];
        for (at, meeting) in standings.meetings().iter().enumerate() {
            for player in meeting.players {
                meetings[next[player]] = at as u32;
                next[player] += 1;
            }
        }
        Self {
            standings,
            begins,
            meetings,
        }
    }

    /// The opponents of a player, and its results against each. Games that both forfeited count as lost.
    pub fn of(&self, player: usize) -> impl Iterator<Item = (usize, Tally)> {
        let own = &self.meetings[self.begins[player]..self.begins[player + 1]];
        own.iter().map(move |at| {
            let meeting = &self.standings.meetings()[*at as usize];
            let is_low = meeting.players[0] == player;
            (
                meeting.players[usize::from(is_low)],
                meeting.tally_of(usize::from(!is_low)),
            )
        })
    }
}
