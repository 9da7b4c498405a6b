//! Openings that come again, and what they are worth to the first seat.

use crate::rate::rate;

/// Two openings that all of four players play with both seats: one favours the first seat, the other the second.
fn games() -> String {
    let mut rows = "first,second,score,block,opening\n".to_owned();
    let mut pair = 0;
    let players = ["ann", "bob", "cat", "dan"];
    for (at, one) in players.iter().enumerate() {
        for other in &players[..at] {
            for round in 0..6 {
                for (opening, won) in [("a1", 5), ("b2", 1)] {
                    let score = [0, 1].map(|game| u8::from((round + game) % 6 < won));
                    rows += &format!("{one},{other},{},{pair},{opening}\n", score[0]);
                    rows += &format!("{other},{one},{},{pair},{opening}\n", score[1]);
                    pair += 1;
                }
            }
        }
    }
    rows
}

fn in_one_line(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_note_says_whether_intervals_count_openings_or_blocks() {
    let two = games();
    let screen = |file: &str, options: &str| in_one_line(&rate(file, options).ok());
    let sample = screen(&two, "");
    for words in [
        "144 games in 72 blocks and 2 openings. The intervals count openings, which vary ",
        "Only 2 openings serve 72 blocks",
    ] {
        assert!(sample.contains(words), "{sample}");
    }
    let all = screen(&two, "--openings all");
    let words =
        "and 2 openings, which are taken for all that there are. The intervals count blocks";
    assert!(all.contains(words), "{all}");
    assert!(!all.contains("Only 2 openings"), "{all}");
    rate(&two, "--openings some").fails(2, "expected `sample` or `all`");

    // There is nothing to count but blocks of one opening.
    let one = two.lines().filter(|row| !row.ends_with("b2"));
    let one: String = one.map(|row| format!("{row}\n")).collect();
    let one = screen(&one, "");
    assert!(one.contains("The intervals count blocks"), "{one}");
}

/// Two openings that suit one of two players each, in both seats.
fn style_of_openings() -> String {
    let mut rows = "first,second,score,pair,opening\n".to_owned();
    for pair in 0..40 {
        // The first opening suits ann, and the other one bob.
        let at = usize::from(pair % 5 > 2);
        let (score, opening) = (1 - at, ["a1", "b2"][at]);
        rows += &format!("ann,bob,{score},{pair},{opening}\nbob,ann,{at},{pair},{opening}\n");
    }
    rows
}

#[test]
fn few_openings_that_suit_players_show_little_about_others() {
    let file = style_of_openings();
    let margin = |options: &str| -> f64 {
        let ran = rate(&file, &format!("--format json --table ratings {options}"));
        let json: serde_json::Value = serde_json::from_str(&ran.ok()).expect("JSON");
        json["tables"]["ratings"][0]["margin"]
            .as_f64()
            .expect("a number")
    };
    let (sample, all) = (margin(""), margin("--openings all"));
    assert!(sample > 3.0 * all, "{sample} {all}");
}
