//! Keys: unique names for folders and players, safe on any file system.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::runs::hex;

/// Maximum bytes of a key, and of the stem in a key with a digest.
const LONGEST_KEY: usize = 60;
const LONGEST_STEM: usize = 48;

/// A key for each name: the name itself if it is a safe and, without regard to case, unique name; otherwise a
/// stem with a digest. The order of the roster has no influence.
pub(super) fn keys<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    taken: &[&'a str],
) -> Vec<String> {
    let mut uses: HashMap<String, u32> = HashMap::new();
    let taken = taken.iter().copied();
    for name in names.clone().chain(taken.clone()) {
        *uses.entry(name.to_lowercase()).or_default() += 1;
    }
    let is_plain = |name: &str| is_key(name) && uses.get(&name.to_lowercase()) == Some(&1);
    let mut used: HashSet<String> = uses.keys().cloned().collect();
    let made = names.map(|name| {
        if is_plain(name) {
            return name.to_owned();
        }
        let digest = hex(&Sha256::digest(name));
        let stem = stem(name);
        let mut key = format!("{stem}-{digest}");
        for length in (8..digest.len()).step_by(8) {
            let short = format!("{stem}-{}", &digest[..length]);
            if !used.contains(&short.to_lowercase()) {
                key = short;
                break;
            }
        }
        used.insert(key.to_lowercase());
        key
    });
    made.collect()
}

fn is_key_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}

/// Whether a name can be a key. `both` has a meaning in results.
fn is_key(name: &str) -> bool {
    (1..=LONGEST_KEY).contains(&name.len())
        && !name.starts_with('.')
        && !name.eq_ignore_ascii_case("both")
        && name.chars().all(is_key_character)
}

/// Prefix of a name, with `-` for unsafe characters.
fn stem(name: &str) -> String {
    let mut stem = String::new();
    for c in name.chars() {
        let c = match c {
            '.' if stem.is_empty() => '-',
            c if is_key_character(c) => c,
            _ => '-',
        };
        if stem.len() + c.len_utf8() > LONGEST_STEM {
            break;
        }
        stem.push(c);
    }
    stem
}
