//! What players are told, when, and what they are never told.

use crate::support::{Planned, SHUFFLE, legal, line, no_limits, told, watched_game};
use referee::bot::Double;
use referee::game::{Chance, Drawing, ForfeitedBy, News, Seat, Setup, dark_chess};
use referee::random::Stream;
use referee::referee::Participant;

/// Plays any legal action of a game of `setup`.
fn plays_anything(setup: Setup, seed: u64) -> Planned {
    let mut chance = Stream::new(seed, 1);
    Participant::new(Double::new(Box::new(move |told: &[String]| {
        let last = told.last().expect("a request");
        if last.starts_with("referee") {
            return line("bot 1 double");
        }
        if last.starts_with("start") {
            return line("ready");
        }
        let mut position = setup.start(&mut Stream::new(SHUFFLE, 0)).expect("built in");
        for did in told.iter().filter_map(|line| line.strip_prefix("did ")) {
            let action = did.split(' ').nth(1).expect("an action");
            position.act(action, &mut News::default()).expect("legal");
        }
        let legal = legal(position.as_ref());
        line(&legal[chance.below(legal.len() as u32) as usize])
    })))
}

#[test]
fn nothing_hidden_is_told() {
    let mut shuffled = Setup::new(dark_chess::GAME);
    let mut laid_out = shuffled.clone();
    let layout = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";
    for setup in [&mut shuffled, &mut laid_out] {
        setup.set("max-plies", "200").expect("a limit");
    }
    laid_out.set("layout", layout).expect("a layout");
    for setup in [shuffled, laid_out] {
        let (mut first, mut second) = (
            plays_anything(setup.clone(), 1),
            plays_anything(setup.clone(), 2),
        );
        let mut boards = Vec::new();
        let end = watched_game(
            &setup,
            &no_limits(),
            0,
            [&mut first, &mut second],
            |_, position| boards.extend(position.drawing(Some(Seat::FIRST))),
        );
        let end = end.expect("a game that counts");
        assert_eq!(end.forfeited_by(), ForfeitedBy::Nobody, "{end:?}");
        for lines in [&first.player.received, &second.player.received] {
            assert!(!told(lines, "start")[0].contains("layout"));
            follow(&told(lines, "did"), &boards);
        }
    }
}

/// Follows a game only by what a player is told. That must be enough to know the board as the player
/// may see it, and each piece must be named once, when it is first seen.
fn follow(news: &[&str], boards: &[Drawing]) {
    use referee::game::View as _;
    let mut view = dark_chess::View::new(&dark_chess::Options::default());
    let mut named = 0;
    assert_eq!(news.len(), boards.len());
    for (did, board) in news.iter().zip(boards) {
        let words: Vec<&str> = did.split(' ').collect();
        let public = words.get(3).copied().unwrap_or_default();
        assert!(words.len() <= 4 && public.len() <= 1, "{did}");
        let action: dark_chess::Action = words[2].parse().expect("an action");
        let flip = matches!(action, dark_chess::Action::Flip(_));
        let before = view.board().matches('?').count();
        view.observe(action, public.parse().expect("a piece"))
            .expect("legal");
        let turned = before - view.board().matches('?').count();
        assert_eq!(public.len(), turned, "{did}");
        assert!(!flip || turned == 1, "{did}");
        assert_eq!(view.drawing(), *board);
        named += turned;
    }
    assert!(named > 10, "the game shows something");
}
