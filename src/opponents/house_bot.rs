//! The house bots and their arguments.

/// The house bots. Each plays every game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HouseBot {
    /// Plays a uniformly random legal action.
    Random,
    /// Searches one ply.
    Greedy,
    /// Searches as deep as its budget allows.
    Search,
}

impl HouseBot {
    /// All house bots, weakest first.
    pub const ALL: [HouseBot; 3] = [HouseBot::Random, HouseBot::Greedy, HouseBot::Search];

    /// Name in configs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            HouseBot::Random => "random",
            HouseBot::Greedy => "greedy",
            HouseBot::Search => "search",
        }
    }

    /// The house bot with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bot| bot.name() == name)
    }
}

/// Parses the value of `--nodes`, the only argument of a house bot: a number, or `none` for no limit.
pub fn parse_nodes(text: &str) -> Option<u64> {
    match text {
        "none" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}

/// The first argument that a house bot does not understand.
pub fn wrong_argument(args: &[String]) -> Option<&str> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = match arg.as_str() {
            "--nodes" => args.next().map(String::as_str),
            other => other.strip_prefix("--nodes="),
        };
        if value.and_then(parse_nodes).is_none() {
            return Some(value.unwrap_or(arg));
        }
    }
    None
}
