//! The lines of rules programs are read back as they were written, for any content.

use std::borrow::Cow;

use proptest::prelude::*;
use referee::game::{
    Board, Cells, Colour, Drawing, EngineProtocol, Labels, NewsLine, Piece, RulesPoints, Seat,
    Shape, Slant,
};
use referee::rules::{
    Answer, AnswerReader, Capabilities, Hello, Next, OptionValues, Refusal, RulesOption, SeatNames,
    ShownPosition, ShownReader, Turn,
};

const TOKEN: &str = "[!-~à-ž]{1,12}";
const WORDS: &str = "([!-~à-ž]{1,6}( [!-~à-ž]{1,6}){0,3})?";
const NAME: &str = "[A-Za-z0-9._-]{1,8}";

fn points() -> impl Strategy<Value = RulesPoints> {
    "-?[0-9]{1,18}(\\.[0-9]{1,9})?".prop_map(|text| RulesPoints::parse(&text).expect("points"))
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
    any::<[bool; 6]>().prop_map(|[legal, hidden, drop, offers, lines, score]| Capabilities {
        legal,
        hidden,
        drop,
        offers,
        lines,
        score,
    })
}

fn news() -> impl Strategy<Value = (Option<Seat>, NewsLine)> {
    let did = |(seat, action, public)| NewsLine::Did {
        seat: Seat::numbered(seat),
        action,
        public,
    };
    let to = prop::option::of((0..2u8).prop_map(Seat::numbered));
    prop_oneof![
        (0..2u8, TOKEN, WORDS).prop_map(move |it| (None, did(it))),
        (to, WORDS.prop_map(NewsLine::See)),
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

fn labels() -> impl Strategy<Value = Labels> {
    let words = prop::collection::vec("[!-~à-ž]{1,4}", 5);
    words.prop_map(Labels::Words)
}

fn colour() -> impl Strategy<Value = Colour> {
    prop::sample::select(&Colour::ALL[..])
}

fn board() -> impl Strategy<Value = Board> {
    let cells = prop::sample::select(vec![
        Cells::Squares,
        Cells::Points,
        Cells::Hexagons(Slant::Left),
        Cells::Hexagons(Slant::Right),
    ]);
    let letter = prop::char::ranges(vec!['A'..='Z', 'a'..='z', 'à'..='ž'].into());
    let letters = prop::collection::vec(letter, 25);
    let sides = prop::option::of([colour(), colour(), colour(), colour()]);
    let parts = (
        cells,
        1..5usize,
        1..5usize,
        letters,
        sides,
        [labels(), labels()],
    );
    parts.prop_map(|(cells, columns, rows, letters, sides, labels)| {
        let [column_labels, row_labels] = labels;
        let first = |labels: Labels, count| Labels::Words(labels.list(count));
        Board {
            sides,
            column_labels: first(column_labels, columns),
            row_labels: first(row_labels, rows),
            ..Board::new(cells, columns, letters[..columns * rows].iter().collect())
        }
    })
}

fn piece() -> impl Strategy<Value = Piece> {
    let shape = prop::sample::select(&Shape::ALL[..]);
    let glyph = prop_oneof![Just(String::new()), "[.-~à-ž]{1,4}"];
    let parts = (shape, colour(), glyph, "[!-~à-ž]{1,6}( [!-~à-ž]{1,6}){0,3}");
    parts.prop_map(|(shape, colour, glyph, name)| Piece {
        letter: ' ',
        shape,
        colour,
        glyph: Cow::Owned(glyph),
        name: Cow::Owned(name),
    })
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let letter = any::<char>().prop_filter("a letter", |letter| {
        !letter.is_whitespace() && !letter.is_control()
    });
    let pieces = prop::collection::btree_map(letter, piece(), 0..4);
    pieces.prop_map(|pieces| {
        let pieces = pieces.into_iter();
        let pieces = pieces.map(|(letter, piece)| Piece { letter, ..piece });
        pieces.collect()
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
        notation in prop::sample::select(vec![None, Some(EngineProtocol::Gtp), Some(EngineProtocol::Usi)]),
        mut options in prop::collection::vec(option(), 0..4),
        reasons in prop::collection::btree_map(NAME, WORDS, 0..4),
    ) {
        for (number, option) in options.iter_mut().enumerate() {
            option.key = format!("key-{number}");
        }
        let reasons = reasons.into_iter().collect();
        let seats = match notation {
            None => seats,
            _ => SeatNames::Named(vec!["white".to_owned(), "black".to_owned()]),
        };
        let hello = Hello { name, version, seats, options, reasons, has, notation };
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
        pieces in pieces(), marks in prop::collection::vec(any::<usize>(), 0..4),
        state in prop::option::of(TOKEN),
    ) {
        let cells = board.as_ref().map_or(0, |board| board.letters.chars().count());
        let marks = marks.into_iter().filter_map(|mark| mark.checked_rem(cells)).collect();
        let drawing = Drawing { board, pieces: pieces.into(), marks, changed: vec![], text };
        let shown = ShownPosition { drawing, state };
        let lines = shown.to_string();
        let mut reader = ShownReader::default();
        for line in lines.lines() {
            prop_assert_eq!(reader.take(line), Ok(()));
        }
        prop_assert_eq!(reader.finish(), shown, "{}", lines);
    }
}
