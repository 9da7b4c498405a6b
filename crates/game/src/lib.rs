//! The rules, the notation and the drawing of games, and reproducible random numbers.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// Defines an enum whose values have names: `ALL`, `name` and `from_name`.
#[macro_export]
macro_rules! named {
    (
        $(#[$of_type:meta])*
        $vis:vis enum $type:ident { $($(#[$of_value:meta])* $value:ident = $name:literal),+ $(,)? }
    ) => {
        $(#[$of_type])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $type {
            $($(#[$of_value])* $value),+
        }

        impl $type {
            /// All values, in the order of their definition.
            $vis const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The name in configurations, on the command line, in protocols and in records.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            $vis fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.name() == name)
            }
        }
    };
}

pub mod game;
pub mod random;
