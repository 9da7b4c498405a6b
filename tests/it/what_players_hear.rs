//! What players are told, when, and what they are never told.

use crate::support::doubles::{
    BLUE, MS, Planned, RED, SHUFFLE, game, legal, line, no_limits, plays, replies, small_cachex,
    told, watched_game,
};
use crate::support::writes::{Watched, Write, news, request};
use referee::bot::Double;
use referee::clock::TimeControl;
use referee::game::{Blame, Chance, Drawing, GameResult, News, Seat, Setup, dark_chess};
use referee::random::Stream;
use referee::referee::{Participant, Termination};

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
fn a_game_as_both_players_hear_it() {
    let (mut red, mut blue) = (plays(&RED, &[]), plays(&BLUE, &[]));
    let end = game(&no_limits(), [&mut red, &mut blue]);
    assert_eq!(end.termination, Termination::Rules);
    assert_eq!(end.result, GameResult::Won(Seat::FIRST));
    assert_eq!(
        red.player.received(),
        [
            "referee 1",
            "start cachex red seed=41 measure=wall per-game=none increment=0 per-move=none size=3",
            "act none none",
            "did red a1",
            "did blue c1",
            "act none none",
            "did red a2",
            "did blue c2",
            "act none none",
            "did red a3",
            "end red rules connection",
        ]
    );
    assert_eq!(
        blue.player.received(),
        [
            "referee 1",
            "start cachex blue seed=42 measure=wall per-game=none increment=0 per-move=none size=3",
            "did red a1",
            "act none none",
            "did blue c1",
            "did red a2",
            "act none none",
            "did blue c2",
            "did red a3",
            "end red rules connection",
        ]
    );
}

#[test]
fn a_player_is_greeted_once_for_many_games() {
    let twice = |actions: &[&str]| {
        let mut all = vec![line("bot 1 double")];
        for _ in 0..2 {
            all.push(line("ready"));
            all.extend(actions.iter().map(|action| line(action)));
        }
        replies(all)
    };
    let (mut red, mut blue) = (twice(&RED), twice(&BLUE));
    for _ in 0..2 {
        game(&no_limits(), [&mut red, &mut blue]);
    }
    for lines in [red.player.received(), blue.player.received()] {
        assert_eq!(told(lines, "referee").len(), 1);
        assert_eq!(told(lines, "start").len(), 2);
        assert_eq!(told(lines, "end").len(), 2);
    }
}

#[test]
fn the_opening_is_told_to_both_and_charged_to_nobody() {
    let time = TimeControl {
        per_game: Some(100 * MS),
        ..no_limits()
    };
    let opening = |seat: usize| {
        let setup = small_cachex();
        let (mut red, mut blue) = (
            plays_anything(setup.clone(), 1),
            plays_anything(setup.clone(), 2),
        );
        let (mut timed, mut left) = (Vec::new(), Vec::new());
        let end = watched_game(&setup, &time, 3, [&mut red, &mut blue], |ply, _| {
            for (_, played) in ply.played() {
                timed.push(played.spent.is_some());
                left.push(played.left);
            }
        });
        let end = end.expect("a game that counts");
        assert_eq!(end.blame(), Blame::Nobody, "{end:?}");
        assert_eq!(timed[..4], [false, false, false, true]);
        assert_eq!(left[..3], [Some(100 * MS); 3]);
        let lines = [red.player.received(), blue.player.received()][seat].to_vec();
        // Blue acts after the three plies. Red also hears of that action before it acts.
        let first = lines.iter().position(|line| line.starts_with("act"));
        let heard = &lines[2..first.expect("a request")];
        assert_eq!(heard.len(), 4 - seat);
        assert!(heard.iter().all(|line| line.starts_with("did ")));
        heard[..3].to_vec()
    };
    assert_eq!(opening(0), opening(1), "the same chance, the same opening");
}

/// The writes to blue after the start of a game in which it sends this introduction.
fn writes_to(hello: &str) -> Vec<Write> {
    let mut red = plays(&RED, &[]);
    let blue = replies(vec![line(hello), line("ready"), line("c1"), line("c2")]);
    let mut blue = Participant::new(Watched::new(blue.player));
    game(&no_limits(), [&mut red, &mut blue]);
    blue.player.writes.split_off(2)
}

#[test]
fn news_waits_for_the_next_request() {
    assert_eq!(
        writes_to("bot 1 patient"),
        [
            request(&["did red a1", "act none none"]),
            request(&["did blue c1", "did red a2", "act none none"]),
            news(&["did blue c2", "did red a3", "end red rules connection"]),
        ]
    );
}

#[test]
fn an_eager_player_hears_of_the_opponents_action_at_once() {
    assert_eq!(
        writes_to("bot 1 keen eager"),
        [
            news(&["did red a1"]),
            request(&["act none none"]),
            news(&["did blue c1", "did red a2"]),
            request(&["act none none"]),
            news(&["did blue c2", "did red a3"]),
            news(&["end red rules connection"]),
        ]
    );
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
        assert_eq!(end.blame(), Blame::Nobody, "{end:?}");
        for lines in [first.player.received(), second.player.received()] {
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
