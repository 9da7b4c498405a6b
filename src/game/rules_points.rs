//! Points of a seat: a decimal number, kept exactly.

use std::fmt;
use std::ops::Sub;

/// Points: a decimal number with at most nine decimals, kept exactly.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RulesPoints(i128);

impl RulesPoints {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(Self::UNIT / 2);
    /// One point.
    pub const ONE: Self = Self(Self::UNIT);

    /// One point, in the unit of the number inside.
    const UNIT: i128 = 1_000_000_000;

    /// Reads `-?digits[.digits]`, with at most 18 digits before the point and nine after it.
    pub fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, part) = match unsigned.split_once('.') {
            Some((whole, part)) if !part.is_empty() => (whole, part),
            Some(_) => return None,
            None => (unsigned, ""),
        };
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !(1..=18).contains(&whole.len())
            || part.len() > 9
            || !are_digits(whole)
            || !are_digits(part)
        {
            return None;
        }
        let whole: i128 = whole.parse().ok()?;
        let part: i128 = format!("{part:0<9}").parse().ok()?;
        let amount = whole * Self::UNIT + part;
        Some(Self(if unsigned.len() < text.len() {
            -amount
        } else {
            amount
        }))
    }

    /// The number, if it is whole.
    pub fn whole(self) -> Option<i64> {
        let is_whole = self.0 % Self::UNIT == 0;
        is_whole.then(|| (self.0 / Self::UNIT).try_into().ok())?
    }

    /// The nearest floating-point number.
    pub fn approximate(self) -> f64 {
        self.0 as f64 / Self::UNIT as f64
    }
}

impl Sub for RulesPoints {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl From<u32> for RulesPoints {
    fn from(whole: u32) -> Self {
        Self(i128::from(whole) * Self::UNIT)
    }
}

impl fmt::Display for RulesPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (amount, one) = (self.0.unsigned_abs(), Self::UNIT.unsigned_abs());
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", amount / one)?;
        match amount % one {
            0 => Ok(()),
            part => write!(f, ".{}", format!("{part:09}").trim_end_matches('0')),
        }
    }
}

impl fmt::Debug for RulesPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_exact_and_bounded() {
        for (text, shown) in [
            ("0", "0"),
            ("-0.5", "-0.5"),
            ("007", "7"),
            ("1.500000000", "1.5"),
            (
                "999999999999999999.999999999",
                "999999999999999999.999999999",
            ),
            ("-0", "0"),
        ] {
            assert_eq!(RulesPoints::parse(text).expect(text).to_string(), shown);
        }
        for text in [
            "",
            "-",
            ".5",
            "1.",
            "1.0000000001",
            "+1",
            "1e3",
            "--1",
            "1234567890123456789",
            "½",
        ] {
            assert_eq!(RulesPoints::parse(text), None, "{text}");
        }
    }
}
