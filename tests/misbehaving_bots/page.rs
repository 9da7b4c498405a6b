//! The table of attacks in `docs/isolation.md`.

use referee::bot::Tier;

use crate::catalogue;

/// The bots of the table, each with its row.
pub fn attacks() -> impl Iterator<Item = (&'static str, &'static str)> {
    let page = include_str!("../../docs/isolation.md");
    let (_, table) = page.split_once("| its name there |").expect("the table");
    let rows = table.lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let bot = row.split('|').nth(2).expect("a name");
        (bot.trim().trim_matches('`'), row)
    })
}

/// The table has for each bot the tiers in which it is played.
pub fn promises_what_is_tested() {
    let mut count = 0;
    for (bot, row) in attacks() {
        let promises = row.trim_matches('|').split('|').skip(2).map(str::trim);
        for (tier, promise) in Tier::ALL.iter().zip(promises) {
            let expected = match catalogue::find(bot).tiers.contains(tier) {
                true => "held",
                false => "open",
            };
            assert_eq!(promise, expected, "{row}");
        }
        count += 1;
    }
    assert!(count > 15, "{count} rows");
}
