//! Lines about forfeits at the end of a run.

use std::path::Path;

use super::layout::Style;
use crate::report::forfeits::Forfeits;
use crate::report::text::{shell_word, wrap};
use crate::text::{DisplayNames, counted};

/// Upper bound on the lines.
const SHOWN: usize = 10;

/// For each player and reason: the number of games, the first game, and the command that shows it. Empty without
/// forfeits.
pub fn forfeit_lines(
    forfeits: &Forfeits,
    run: &Path,
    names: &DisplayNames,
    style: Style,
) -> String {
    let mut text = String::new();
    let run = shell_word(run);
    let all = forfeits.each();
    let more = all.len().saturating_sub(SHOWN);
    for (player, termination, forfeit) in all.take(SHOWN) {
        let (first, detail) = (forfeit.first, &forfeit.detail);
        let line = format!(
            "{} forfeited {} by {termination}, first game {first}: {detail}",
            names.shown(player),
            counted(forfeit.count, "game", "games")
        );
        wrap(&mut text, "! ", &line, style.paragraph_width());
        text.push_str(&format!("  see: referee replay {run} {first}\n"));
    }
    if more > 0 {
        text.push_str(&format!(
            "! and {more} more such lines: referee games {run} --forfeited\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_player_and_reason() {
        let mut forfeits = Forfeits::default();
        assert_eq!(
            forfeit_lines(
                &forfeits,
                Path::new("out"),
                &DisplayNames::default(),
                Style::default()
            ),
            ""
        );
        for (player, termination, id) in
            [("eve", "time", 7), ("bob", "crash", 3), ("eve", "time", 4)]
        {
            forfeits.count(player, termination, id, &format!("detail {id}"));
        }
        let names = DisplayNames::from_iter([("bob", Some("José"))]);
        assert_eq!(
            forfeit_lines(&forfeits, Path::new("my out"), &names, Style::default()),
            "! José forfeited 1 game by crash, first game 3: detail 3\n\
             \x20 see: referee replay 'my out' 3\n\
             ! eve forfeited 2 games by time, first game 4: detail 4\n\
             \x20 see: referee replay 'my out' 4\n"
        );
    }
}
