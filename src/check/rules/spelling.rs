//! Texts that are no action: other spellings of an action, and nonsense.

/// Other spellings of an action, which a program may take for it: with a sign, leading zeros, other capitals, a
/// separator, decimals or digits of another script.
pub fn spellings(action: &str) -> Vec<String> {
    let wide: String = action.chars().map(wide_digit).collect();
    let mut all = vec![
        format!("+{action}"),
        format!("0{action}"),
        format!("{action}.0"),
        grouped(action),
        action.to_uppercase(),
        action.to_lowercase(),
        wide,
    ];
    if action.contains(' ') {
        all.push(action.replacen(' ', "  ", 1));
    }
    all.retain(|spelling| spelling != action);
    all.dedup();
    all
}

/// The first two neighbouring digits with an underscore between them.
fn grouped(action: &str) -> String {
    let is_pair = |pair: &[u8]| pair.iter().all(u8::is_ascii_digit);
    match action.as_bytes().windows(2).position(is_pair) {
        // Both are ASCII, so the cut is between characters.
        Some(at) => format!("{}_{}", &action[..=at], &action[at + 1..]),
        None => action.to_owned(),
    }
}

/// A digit of another script for a digit, which many languages read as a number too.
fn wide_digit(c: char) -> char {
    match c.to_digit(10) {
        Some(digit) if c.is_ascii_digit() => char::from_u32('\u{ff10}' as u32 + digit).unwrap_or(c),
        _ => c,
    }
}

/// Texts that are rarely an action of any game.
pub fn nonsense() -> Vec<String> {
    let mut texts: Vec<String> = [
        "-1",
        "0",
        "999",
        "99999999999999999999999",
        "none",
        "nan",
        "a0",
        "0,0",
        "-1,-1",
        "(0,0)",
        "../..",
        "%s",
        "\"",
        "é",
    ]
    .map(str::to_owned)
    .into();
    texts.push("a".repeat(4096));
    texts.push("9".repeat(4096));
    texts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, prop_assert, proptest};

    use super::*;

    #[test]
    fn numbers_have_the_spellings_that_languages_take() {
        let all = spellings("14");
        assert_eq!(all, ["+14", "014", "14.0", "1_4", "１４"]);
        assert!(spellings("b3").contains(&"B3".to_owned()));
        assert!(spellings("move b3").contains(&"move  b3".to_owned()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Each can be sent: it is one line, and one word if the action is.
        #[test]
        fn no_spelling_is_the_action_or_breaks_its_line(action in "[!-~é]{1,12}( [!-~]{1,5})?") {
            for spelling in spellings(&action) {
                prop_assert!(spelling != action && !spelling.is_empty());
                prop_assert!(!spelling.contains(['\n', '\r']));
                prop_assert!(action.contains(' ') || !spelling.contains(char::is_whitespace));
            }
        }
    }
}
