//! The lines of rules programs are read back as they were written, for any content.

use proptest::prelude::*;
use referee::game::Points;
use referee::rules::{
    Answer, AnswerReader, Board, Capabilities, Hello, News, Next, OptionValues, Piece, Refusal,
    RulesOption, SeatNames, Shown, ShownReader, To, Turn,
};

const TOKEN: &str = "[!-~à-ž]{1,12}";
const WORDS: &str = "([!-~à-ž]{1,6}( [!-~à-ž]{1,6}){0,3})?";
const NAME: &str = "[A-Za-z0-9._-]{1,8}";

fn points() -> impl Strategy<Value = Points> {
    "-?[0-9]{1,18}(\\.[0-9]{1,9})?".prop_map(|text| Points::parse(&text).expect("points"))
}

fn seat_names() -> impl Strategy<Value = SeatNames> {
    prop_oneof![
        (1..4u8, 0..4u8).prop_map(|(least, more)| SeatNames::Range {
            least,
            most: least + more
        }),
        prop::collection::btree_set("[A-Za-z0-9_-]{1,8}", 1..4)
            .prop_map(|names| SeatNames::Named(names.into_iter().collect())),
    ]
}

/// Values, and one of them.
fn values() -> impl Strategy<Value = (OptionValues, String)> {
    prop_oneof![
        (any::<i64>(), any::<i64>())
            .prop_map(|(a, b)| { (OptionValues::Numbers(a.min(b), a.max(b)), b.to_string()) }),
        prop::collection::vec("x[a-z]{0,5}", 1..4)
            .prop_map(|words| (OptionValues::OneOf(words.clone()), words[0].clone())),
        "[a-z0-9]{1,6}".prop_map(|word| (OptionValues::Text, word)),
    ]
}

fn option() -> impl Strategy<Value = RulesOption> {
    (values(), WORDS, any::<bool>()).prop_map(|((values, default), meaning, secret)| RulesOption {
        key: String::new(),
        values,
        default,
        meaning,
        secret,
    })
}

fn capabilities() -> impl Strategy<Value = Capabilities> {
    any::<[bool; 7]>().prop_map(|[legal, hidden, drop, offers, lines, score, symmetric]| {
        Capabilities {
            legal,
            hidden,
            drop,
            offers,
            lines,
            score,
            symmetric,
        }
    })
}

fn news() -> impl Strategy<Value = News> {
    prop_oneof![
        (0..2u8, TOKEN, WORDS).prop_map(|(seat, action, public)| News::Did {
            seat,
            action,
            public
        }),
        (0..2u8, WORDS).prop_map(|(seat, words)| News::See {
            to: To::Seat(seat),
            words
        }),
        WORDS.prop_map(|words| News::See { to: To::All, words }),
    ]
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        Just(Next::Act(vec![0])),
        Just(Next::Act(vec![0, 1])),
        (points(), points(), NAME).prop_map(|(a, b, reason)| Next::End {
            points: vec![a, b],
            reason
        }),
    ]
}

fn board() -> impl Strategy<Value = Board> {
    (any::<bool>(), 1..5usize, 1..5usize).prop_flat_map(|(is_hex, columns, rows)| {
        let letter = prop::char::ranges(vec!['A'..='Z', 'a'..='z', 'à'..='ž'].into());
        let row = prop::collection::vec(letter, columns).prop_map(String::from_iter);
        prop::collection::vec(row, rows).prop_map(move |rows| Board {
            is_hex,
            columns,
            rows,
        })
    })
}

fn piece() -> impl Strategy<Value = Piece> {
    (any::<char>(), TOKEN, TOKEN, prop::option::of(TOKEN))
        .prop_filter("a letter", |(letter, ..)| {
            !letter.is_whitespace() && !letter.is_control()
        })
        .prop_map(|(letter, shape, colour, glyph)| Piece {
            letter,
            shape,
            colour,
            glyph,
        })
}

/// The answer that `text` is, for a game of two seats in which the first acted.
fn read_answer(text: &str) -> Answer {
    let mut reader = AnswerReader::new(2, false, &[0]);
    let mut lines = text.lines();
    let answer = lines
        .by_ref()
        .find_map(|line| reader.take(line).expect(line));
    assert_eq!(lines.next(), None, "a line after the answer");
    answer.expect("an answer")
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    #[test]
    fn a_hello(
        name in NAME, version in NAME, seats in seat_names(), has in capabilities(),
        mut options in prop::collection::vec(option(), 0..4),
        reasons in prop::collection::btree_map(NAME, WORDS, 0..4),
    ) {
        for (number, option) in options.iter_mut().enumerate() {
            option.key = format!("key-{number}");
        }
        let reasons = reasons.into_iter().collect();
        let hello = Hello { name, version, seats, options, reasons, has };
        let text = hello.to_string();
        prop_assert_eq!(Hello::parse(text.lines()), Ok(hello), "{}", text);
    }

    #[test]
    fn a_turn(
        news in prop::collection::vec(news(), 0..4),
        offers in prop::collection::vec((0..2u8, prop::collection::vec(TOKEN, 0..3)), 0..3),
        score in prop::option::of(prop::collection::vec(points(), 2)), next in next(),
    ) {
        let answer = Answer::Turn(Turn { news, offers, score, next });
        let text = answer.to_string();
        prop_assert_eq!(read_answer(&text), answer, "{}", text);
    }

    #[test]
    fn a_refusal(unparsable: bool, words in WORDS) {
        let answer = Answer::Refused(Refusal { unparsable, seats: vec![0], words });
        prop_assert_eq!(read_answer(&answer.to_string()), answer);
    }

    #[test]
    fn a_board(
        board in prop::option::of(board()), text in prop::collection::vec("[ -~]{0,20}", 0..3),
        pieces in prop::collection::vec(piece(), 0..4), marks in prop::collection::vec(TOKEN, 0..4),
        state in prop::option::of(TOKEN),
    ) {
        let shown = Shown { board, text, pieces, marks, state };
        let lines = shown.to_string();
        let mut reader = ShownReader::default();
        for line in lines.lines() {
            prop_assert_eq!(reader.take(line), Ok(()));
        }
        prop_assert_eq!(reader.finish(), shown, "{}", lines);
    }
}
