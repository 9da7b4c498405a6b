//! Command lines of other tournament managers as configurations.

use std::fmt::{self, Display};
use std::path::Path;

use super::{Draft, LINE_OPTIONS, LineOption};
use crate::game::chess;

/// A tournament manager whose command lines can be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    Fastchess,
    Cutechess,
}

/// Options that change no configuration, or are read before all others.
const NEEDLESS: [&str; 16] = [
    "-rounds",
    "-games",
    "-tournament",
    "-seeds",
    "-recover",
    "-repeat",
    "-output",
    "-report",
    "-ratinginterval",
    "-scoreinterval",
    "-outcomeinterval",
    "-autosaveinterval",
    "-resultformat",
    "-debug",
    "-force-concurrency",
    "-concurrency",
];

/// The rounds that fastchess plays where it is given none.
const UNLIMITED_ROUNDS: u32 = 500_000;

/// An option with its values: each with its key, or with none.
#[derive(Debug)]
struct Group<'a> {
    name: &'a str,
    values: Vec<(&'a str, &'a str)>,
}

impl<'a> Group<'a> {
    fn get(&self, key: &str) -> Option<&'a str> {
        let mut values = self.values.iter().rev();
        values.find_map(|(known, value)| (*known == key).then_some(*value))
    }

    fn take(&mut self, key: &str) -> Vec<&'a str> {
        let taken = self.values.extract_if(.., |(known, _)| *known == key);
        taken.map(|(_, value)| value).collect()
    }
}

/// The words of a command line by options, which begin with `-` and a letter. An option of `joined` has all its values.
fn groups<'a>(words: &'a [String], joined: &[&str]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for word in words {
        let is_option = word.strip_prefix('-').is_some_and(|rest| {
            rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '-')
        });
        match groups.last_mut() {
            Some(group) if !is_option => {
                let (key, value) = word.split_once('=').unwrap_or(("", word));
                group.values.push((key, value));
            }
            _ => {
                let is_same =
                    |group: &mut Group<'_>| group.name == word && joined.contains(&group.name);
                let earlier = groups.extract_if(.., is_same);
                let values = earlier.flat_map(|group| group.values).collect();
                groups.push(Group { name: word, values });
            }
        }
    }
    groups
}

impl Manager {
    /// The configuration of a match of chess, and notes on words that it cannot say, or says otherwise.
    pub fn convert(self, words: &[String]) -> Result<(Draft, Vec<String>), String> {
        // fastchess fills in one record with each of these, and cutechess begins another.
        let (words, joined) = match self {
            Self::Fastchess => (
                without_quick(words),
                &["-draw", "-resign", "-sprt", "-openings"][..],
            ),
            Self::Cutechess => (words.to_vec(), &[][..]),
        };
        let mut groups = groups(&words, joined);
        let mut draft = Draft::new("match", chess::GAME);
        let mut notes = Vec::new();
        for engine in groups.iter_mut().filter(|group| group.name == "-engine") {
            add_engine(&mut draft, engine)?;
        }
        let names = draft.players().to_vec();
        if names.len() < 2 {
            let mut files = groups.iter().filter(|group| group.get("file").is_some());
            let config = files.find(|group| group.name == "-config");
            let problem = config.map_or_else(String::new, |config| {
                format!("{config}: a file of fastchess cannot be read: ")
            });
            return Err(problem + "expected two or more -engine");
        }
        notes.extend(self.set_games(&mut draft, &groups, &names)?);
        let mut engines = 0..names.len();
        // Both apply it last, so that it wins over the terms of one engine.
        let each = groups.iter().filter(|group| group.name == "-each");
        let each: Vec<(&str, &str)> = each.flat_map(|group| group.values.clone()).collect();
        for mut group in groups {
            let whole = group.to_string();
            if group.name == "-epdout" && group.take("append").last() != Some(&"false") {
                notes.push(format!(
                    "{whole}: a file that is there is refused, and not added to"
                ));
            }
            let is_known =
                match group.name {
                    "-engine" => {
                        let is_of_each =
                            |value: &mut (&str, &str)| each.iter().any(|it| it.0 == value.0);
                        let lost = group.values.extract_if(.., is_of_each);
                        let lost: Vec<_> = lost.filter(|value| !each.contains(value)).collect();
                        notes.extend(lost.iter().map(|(key, value)| {
                            format!("-each wins over {key}={value} of an engine")
                        }));
                        set_terms(&mut draft, engines.next(), &mut group)?
                    }
                    "-each" => set_terms(&mut draft, None, &mut group)?,
                    _ => self.set_option(&mut draft, &mut group)?,
                };
            group.values.retain(|(_, value)| *value != "false");
            match (is_known, group.values.is_empty()) {
                (false, _) => notes.push(without_counterpart(&whole)),
                (true, false) => notes.push(without_counterpart(&group.to_string())),
                (true, true) => {}
            }
        }
        Ok((draft, notes))
    }

    /// Sets who meets whom, and how often. Returns a note if there are more games.
    fn set_games(
        self,
        draft: &mut Draft,
        groups: &[Group<'_>],
        names: &[String],
    ) -> Result<Option<String>, String> {
        let value = |name: &str| {
            let group = groups.iter().rev().find(|group| group.name == name)?;
            group.get("")
        };
        let (rounds, games) = match self {
            Self::Fastchess => ("2", "2"),
            Self::Cutechess => ("1", "1"),
        };
        let number = |name: &str, default: &str| {
            let text = value(name).unwrap_or(default);
            text.parse::<u32>()
                .map_err(|_| format!("{name} {text}: expected a whole number"))
        };
        let [mut rounds, games] = [number("-rounds", rounds)?, number("-games", games)?];
        if self == Self::Fastchess && rounds == 0 {
            rounds = UNLIMITED_ROUNDS;
        }
        let wanted = rounds.saturating_mul(games);
        // A pair has an opening with both colours.
        let planned = wanted.next_multiple_of(2);
        draft.set_option("games", &planned.to_string())?;
        match value("-tournament").unwrap_or("roundrobin") {
            "roundrobin" | "round-robin" => {}
            "gauntlet" => {
                let seeds = number("-seeds", "1")? as usize;
                draft.set_option("gauntlet", &names[..seeds.min(names.len())].join(","))?;
            }
            "knockout" if self == Self::Cutechess => draft.set("format.kind", "knockout"),
            other => {
                let also = match self {
                    Self::Fastchess => " or gauntlet",
                    Self::Cutechess => ", gauntlet or knockout",
                };
                return Err(format!("-tournament {other}: expected roundrobin{also}"));
            }
        }
        let is_there = |name: &str| groups.iter().any(|group| group.name == name);
        let is_single = games % 2 == 1 && !is_there("-repeat");
        let is_more = planned != wanted || is_single && is_there("-rounds");
        Ok(is_more.then(|| {
            format!(
                "-rounds {rounds} -games {games}: all {planned} games are in pairs with one opening"
            )
        }))
    }

    /// Takes the values of an option that is not about engines. Returns whether it has a counterpart.
    fn set_option(self, draft: &mut Draft, group: &mut Group<'_>) -> Result<bool, String> {
        let name = group.name;
        refuse_unset(group)?;
        let order = group.get("order").or_else(|| group.get(""));
        let mut left = Vec::new();
        if name == "-openings" && order == Some("random") {
            left.extend(
                group
                    .take("start")
                    .into_iter()
                    .map(|start| ("start", start)),
            );
        }
        if name == "-sprt" && group.get("model") == Some("bayesian") {
            left.extend(
                group
                    .take("model")
                    .into_iter()
                    .map(|model| ("model", model)),
            );
        }
        let mut is_known = NEEDLESS.contains(&name);
        for option in LINE_OPTIONS.iter().filter(|option| option.peer.0 == name) {
            is_known = true;
            if let Some(mut typed) = typed(option, group) {
                // No draw comes before the first move.
                if name == "-draw" {
                    typed = typed.replace("@0", "@1");
                }
                if name == "-event" {
                    typed = safe_name(&typed);
                }
                // Its number of a move is the position's.
                if self == Self::Fastchess && name == "-draw" {
                    typed = typed.replace('@', "#");
                }
                draft.set_option(option.name, &typed)?;
            }
        }
        let bare = group.get("").unwrap_or_default().to_owned();
        match name {
            "-sprt" if self == Self::Fastchess => draft.set_default("format.model", "normalized"),
            "-startup-ms" => draft.set("limits.handshake", format!("{bare}ms")),
            "-ucinewgame-ms" => draft.set("limits.start", format!("{bare}ms")),
            "-tbignore50" => draft.set("game.syzygy-fifty-moves", false),
            "-variant" if bare == "fischerandom" => draft.set("game.variant", "fischer-random"),
            "-variant" if bare == "standard" => {}
            "-variant" => {
                return Err(format!(
                    "-variant {bare}: expected standard or fischerandom"
                ));
            }
            "-openings" => {
                group.take("format");
                group.values.extend(left);
                return Ok(true);
            }
            // Both add to a file that is there.
            "-pgnout" => {
                if group.take("append").last() != Some(&"false") {
                    draft.set("record.pgn-append", true);
                }
                return Ok(true);
            }
            _ if NEEDLESS.contains(&name) => {}
            _ => {
                group.values.extend(left);
                return Ok(is_known);
            }
        }
        if name != "-sprt" {
            group.values.clear();
        }
        group.values.extend(left);
        Ok(true)
    }
}

fn without_counterpart(words: &str) -> String {
    let instead = match words.ends_with("model=bayesian") {
        true => {
            ": the test is now of the Elo of `format.model`, logistic if not given, with other elo0 and elo1"
        }
        false => "",
    };
    format!("no counterpart: {words}{instead}")
}

/// The words with the options that `-quick` stands for.
fn without_quick(words: &[String]) -> Vec<String> {
    let mut is_quick = false;
    let options = words.iter().flat_map(|word| {
        is_quick = word == "-quick" || is_quick && !word.starts_with('-');
        match word.split_once('=') {
            _ if !is_quick => vec![word.as_str()],
            None if word == "-quick" => {
                let options =
                    "-each tc=10+0.1 -rounds 25000 -draw movenumber=30 movecount=8 score=8";
                options.split(' ').collect()
            }
            Some(("cmd", _)) => vec!["-engine", word],
            Some(("book", file)) => vec!["-openings", file, "order=random"],
            _ => vec!["-quick", word],
        }
    });
    options.map(str::to_owned).collect()
}

/// Refuses values without one that they need, or that no configuration can have.
fn refuse_unset(group: &Group<'_>) -> Result<(), String> {
    let value = |key| group.get(key).or_else(|| group.get(""));
    let expected = match group.name {
        "-resign" if value("score").is_none() => "score= too, such as score=600",
        "-pgnout" if value("file").is_none() => "file= too, such as file=games.pgn",
        "-tb" if value("").is_some_and(|paths| paths.contains([':', ';'])) => {
            "one folder with all tablebases"
        }
        _ => return Ok(()),
    };
    Err(format!("{group}: expected {expected}"))
}

fn typed(option: &LineOption, group: &mut Group<'_>) -> Option<String> {
    if option.is_of_names() {
        let names = option.peer.1.iter();
        let names: Vec<&str> = names
            .filter(|name| group.take(name).last() == Some(&"true"))
            .copied()
            .collect();
        return Some(names.join(",")).filter(|typed| !typed.is_empty());
    }
    let mut typed = String::new();
    for (index, key) in option.peer.1.iter().enumerate() {
        let (key, default) = key
            .split_once('=')
            .map_or((*key, None), |(key, it)| (key, Some(it)));
        let mut given = group.take(key);
        if index == 0 && given.is_empty() {
            given = group.take("");
            given.truncate(1);
        }
        let Some(value) = given.last().copied().or(default) else {
            break;
        };
        let sign = index
            .checked_sub(1)
            .and_then(|index| option.signs().chars().nth(index));
        typed.extend(sign);
        typed.push_str(match (key, value) {
            ("twosided", "true") => "2",
            ("twosided", _) => "1",
            (_, value) => value,
        });
    }
    Some(typed).filter(|typed| !typed.is_empty())
}

fn add_engine(draft: &mut Draft, engine: &mut Group<'_>) -> Result<(), String> {
    let command = engine.take("cmd");
    let command = command
        .last()
        .ok_or_else(|| match engine.get("conf") {
            Some(name) => format!("-engine conf={name}: expected cmd= with the program that this engine has in engines.json"),
            None => "-engine: expected cmd= with its program".to_owned(),
        })?;
    let shown = engine.take("name").last().map(|name| (*name).to_owned());
    let stem = || {
        Some(
            Path::new(command)
                .file_stem()?
                .to_string_lossy()
                .into_owned(),
        )
    };
    let shown = shown.or_else(stem).unwrap_or_default();
    let safe = safe_name(&shown);
    let name = draft.free_name(&safe);
    let lines = engine
        .take("args")
        .into_iter()
        .filter_map(shlex::split)
        .flatten();
    let args = engine.take("arg").into_iter().map(str::to_owned);
    let words: Vec<String> = std::iter::once((*command).to_owned())
        .chain(lines)
        .chain(args)
        .collect();
    let player = draft.players().len();
    draft.add_player(&name, [("command", words.into())]);
    if safe != shown {
        draft.set_of_player(player, "display-name", shown);
    }
    if let Some(dir) = engine.take("dir").last() {
        draft.set_of_player(player, "dir", *dir);
    }
    Ok(())
}

/// The text with `-` in place of what no name of a folder has.
fn safe_name(text: &str) -> String {
    let good = |c: char| match c.is_alphanumeric() || "-_.+".contains(c) {
        true => c,
        false => '-',
    };
    text.chars().map(good).collect()
}

/// Takes the terms of an engine, or of each. Others stay. Returns whether the option has a counterpart: it has.
fn set_terms(
    draft: &mut Draft,
    player: Option<usize>,
    group: &mut Group<'_>,
) -> Result<bool, String> {
    let whose = player.map(|player| format!("{}:", draft.players()[player]));
    let whose = whose.unwrap_or_default();
    let mut fresh = false;
    let mut set = |option: &str, value: &str| draft.set_option(option, &format!("{whose}{value}"));
    for (key, value) in std::mem::take(&mut group.values) {
        match key {
            "tc" => set("tc", value)?,
            "st" => set("per-move", value)?,
            "timemargin" => set("margin", &format!("{value}ms"))?,
            "nodes" | "depth" => set("go", &format!("{key}={value}"))?,
            "plies" => set("go", &format!("depth={value}"))?,
            "proto" if value == "uci" => {}
            "restart" if value != "on" => {}
            "restart" => fresh = true,
            _ => match key.strip_prefix("option.") {
                Some(option) => set("option", &format!("{option}={value}"))?,
                None => group.values.push((key, value)),
            },
        }
    }
    if fresh {
        match player {
            Some(player) => draft.set_of_player(player, "fresh-process", true),
            None => draft.set("each.fresh-process", true),
        }
    }
    Ok(true)
}

impl Display for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.values.iter().try_for_each(|(key, value)| match *key {
            "" => write!(f, " {value}"),
            key => write!(f, " {key}={value}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Command lines of testers after two engines, the options here that they stand for, and notes: `?` on words without a
    /// counterpart.
    const LINES: &str = "\
fastchess -openings file=b.epd format=epd order=random -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4
= --book b.epd --book-order random --tc 60+0.6 --option Hash=64 --games 400
fastchess nodes=1000000 option.Threads=2 -openings file=b.epd format=epd order=random -each tc=300+5 option.Threads=1 \
    -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 \
    -rounds 100000 -concurrency 3 -pgnout notation=san file=games/sprt.pgn
= --book b.epd --book-order random --tc 300+5 --go base:nodes=1000000 --option Threads=1 \
    --resign 600x3/1 --draw 20x8#34 --sprt 0,2 --errors 0.05,0.05 --model normalized --games 200000 --pgn games/sprt.pgn \
    --pgn-moves san
! -each wins over option.Threads=2 of an engine
fastchess -each tc=8+0.08 proto=uci timemargin=50 -openings file=b.epd format=epd order=sequential start=3 -tournament gauntlet \
    -seeds 1 -rounds 6 -games 2 -recover -ratinginterval 5
= --tc 8+0.08 --margin 50ms --book b.epd --book-order sequential --book-first 3 --gauntlet new --games 12
fastchess depth=5 -each tc=inf plies=6 -rounds 10 -games 2 -log file=x level=warn -testEnv
= --go base:depth=5 --tc none --go depth=6 --games 20
? -log file=x level=warn
? -testEnv
fastchess -each st=0.5 restart=on -openings file=b.pgn format=pgn plies=6 -rounds 8 -repeat -srand 7 -use-affinity
= --st 0.5 --book b.pgn --book-order sequential --book-plies 6 --games 16 --seed 7
? -use-affinity
fastchess -each tc=1:30+1 -resign movecount=3 score=400 twosided=true -draw movecount=8 score=10 -maxmoves 200 -tb syzygy
= --tc 1:30+1 --resign 400x3/2 --draw 10x8#1 --max-moves 200 --games 4 --syzygy syzygy
cutechess -each proto=uci tc=40/60 option.Hash=128 -openings file=b.pgn format=pgn order=random plies=16 -games 2 -rounds 500 \
    -repeat -recover -resign movecount=3 score=500 -draw movenumber=40 movecount=8 score=20 -pgnout out.pgn -ratinginterval 10
= --tc 40/60 --option Hash=128 --book b.pgn --book-order random --book-plies 16 --games 1000 --resign 500x3/1 --draw 20x8@40 \
    --pgn out.pgn
cutechess -each tc=10+0.1 ponder -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 -games 2 -rounds 20000 -wait 50 -tbpieces 6
= --tc 10+0.1 --sprt 0,5 --errors 0.05,0.1 --games 40000 --syzygy-pieces 6
? -each ponder
? -wait 50
cutechess tc=0:10 -each tc=inf whitepov -event duel -rounds 3 -maxmoves 100 -epdout e.epd
= --tc none --name duel --games 4 --max-moves 100 --epd e.epd
! -rounds 3 -games 1: all 4 games are in pairs with one opening
! -each wins over tc=0:10 of an engine
? -each whitepov
! -epdout e.epd: a file that is there is refused, and not added to
fastchess -each tc=0/10+0.1 -openings file=b.epd order=random start=2 -draw movenumber=0 -sprt elo0=0 elo1=5 model=bayesian \
    -event my/event -pgnout file=a.pgn append=false
= --tc 10+0.1 --book b.epd --book-order random --draw 0x1#1 --sprt 0,5 --errors 0.05,0.05 --games 4 --model normalized \
    --name my-event --pgn a.pgn
? -openings start=2
! no counterpart: -sprt model=bayesian: the test is now of the Elo of `format.model`, logistic if not given, with other elo0 and elo1
cutechess -each tc=60 nodes=5000 option.Ponder=false -openings file=b.epd policy=round -rounds 10 -games 2 -debug
= --tc 60 --go nodes=5000 --option Ponder=false --book b.epd --book-order sequential --games 20
? -openings policy=round
cutechess -each tc=1 -sprt elo0=0 elo1=5 model=bayesian
= --tc 1 --sprt 0,5 --errors 0.05,0.05 --games 2
! -rounds 1 -games 1: all 2 games are in pairs with one opening
! no counterpart: -sprt model=bayesian: the test is now of the Elo of `format.model`, logistic if not given, with other elo0 and elo1
fastchess -each tc=inf/10+1 -rounds 0 -sprt elo0=1 -draw movenumber=34 movecount=8 -sprt elo1=3 -draw score=20 movecount=6 \
    -resign score=600 -resign movecount=3 -epdout file=e.epd append=false
= --tc 10+1 --games 1000000 --sprt 1,3 --errors 0.05,0.05 --model normalized --draw 20x6#34 --resign 600x3/1 --epd e.epd
fastchess -quick book=b.epd
= --tc 10+0.1 --book b.epd --book-order random --draw 8x8#30 --games 50000
";

    fn table(draft: &mut Draft) -> toml::Table {
        draft.text().parse().expect("TOML")
    }

    fn convert(words: &str) -> Result<(Draft, Vec<String>), String> {
        let manager = match words.strip_prefix("fastchess ") {
            Some(_) => Manager::Fastchess,
            None => Manager::Cutechess,
        };
        let words = words.split_whitespace().skip(1).map(str::to_owned);
        manager.convert(&words.collect::<Vec<_>>())
    }

    #[test]
    fn formats_are_those_of_each() {
        let (mut draft, _) = convert("fastchess -quick cmd=./a cmd=./b").expect("two engines");
        assert_eq!(draft.players(), ["a", "b"]);
        assert!(draft.text().contains("\ngames-per-pairing = 50000\n"));
        let knockout = "-engine cmd=a -engine cmd=b -tournament knockout";
        let (mut draft, _) = convert(&format!("cutechess {knockout}")).expect("a format");
        assert!(draft.text().contains("\nkind = \"knockout\"\n"));
        assert_eq!(
            convert("fastchess -config file=a.json").expect_err("no engine"),
            "-config file=a.json: a file of fastchess cannot be read: expected two or more -engine"
        );
        for (words, expected) in [
            ("-tournament knockout", "roundrobin or gauntlet"),
            ("-resign movecount=3", "score= too, such as score=600"),
            ("-pgnout notation=lan", "file= too, such as file=games.pgn"),
            ("-tb /a:/b", "one folder with all tablebases"),
        ] {
            let line = format!("fastchess -engine cmd=a -engine cmd=b {words}");
            let problem = convert(&line).err();
            assert_eq!(problem, Some(format!("{words}: expected {expected}")));
        }
    }

    #[test]
    fn command_lines_of_testers_are_options() {
        let mut notes = Vec::new();
        let mut converted = None;
        for line in LINES.lines() {
            let (kind, words) = line.split_once(' ').expect("words");
            match kind {
                "=" => {
                    let mut draft = Draft::new("match", chess::GAME);
                    for name in ["new", "base"] {
                        draft.add_player(name, [("command", vec![name].into())]);
                    }
                    let words: Vec<&str> = words.split_whitespace().collect();
                    for option in words.chunks(2) {
                        let name = option[0].trim_start_matches("--");
                        let known = LINE_OPTIONS
                            .iter()
                            .find(|one| one.names().any(|it| it == name));
                        known
                            .expect(name)
                            .set(&mut draft, name, option[1])
                            .expect(line);
                    }
                    let mut theirs = converted.take().expect("a command line");
                    // No option stands for these.
                    let made = table(&mut theirs);
                    for [table, key] in [["each", "fresh-process"], ["record", "pgn-append"]] {
                        if made.get(table).is_some_and(|it| it.get(key).is_some()) {
                            draft.set(&format!("{table}.{key}"), true);
                        }
                    }
                    assert_eq!(table(&mut theirs), table(&mut draft), "{line}");
                }
                "!" => assert_eq!(notes.remove(0), words),
                "?" => assert_eq!(notes.remove(0), without_counterpart(words)),
                _ => {
                    assert_eq!(notes, [""; 0], "before {line}");
                    let line = format!("{kind} -engine cmd=new -engine cmd=base {words}");
                    let (draft, left) = convert(&line).expect(&line);
                    (converted, notes) = (Some(draft), left);
                }
            }
        }
    }
}
