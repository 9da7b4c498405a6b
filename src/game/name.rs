//! Names of games, seats and reasons.

/// Whether `text` can name a game, a seat or a reason: 1 to 64 characters of `A-Z a-z 0-9 . _ -`.
pub fn is_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}
