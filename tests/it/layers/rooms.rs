//! Which part of a module may know which of its siblings.

use std::collections::{BTreeSet, HashMap};

use super::source::Source;

/// The parts of one module, each a file or a folder, in reading order: a part knows only parts above it.
struct Rooms {
    of: &'static str,
    /// Each part, and those that it may know, separated by spaces.
    parts: &'static [(&'static str, &'static str)],
}

/// What is not listed is forbidden. What a module itself defines, all its parts may know.
const ROOMS: &[Rooms] = &[
    Rooms {
        of: "bot",
        parts: &[
            ("amounts", ""),
            ("output_limits", ""),
            ("late_answer", ""),
            ("fault", "amounts"),
            ("environment", ""),
            ("untrusted_folder", ""),
            ("pipes", ""),
            ("machine", ""),
            ("answer_wait", "machine"),
            ("values", ""),
            (
                "player",
                "answer_wait fault late_answer machine pipes values",
            ),
            ("at_once", "answer_wait fault pipes player"),
            ("supervise", "environment untrusted_folder pipes machine"),
            ("launch", "environment fault machine supervise"),
            ("engine", "fault pipes values"),
            (
                "process",
                "amounts answer_wait engine fault late_answer output_limits pipes machine player supervise launch values",
            ),
            ("double", "fault late_answer pipes machine player process"),
        ],
    },
    Rooms {
        of: "bot::supervise",
        parts: &[
            ("sys", ""),
            ("supervisor", ""),
            ("fd_passing", ""),
            ("virtual_env", ""),
            ("children", ""),
            ("messages", ""),
            ("limits", "sys messages"),
            ("bot_command", "sys virtual_env messages limits"),
            ("scratch", "limits"),
            (
                "sandbox",
                "sys fd_passing messages limits bot_command supervisor",
            ),
            ("tier_probe", "limits scratch sandbox"),
            (
                "shim",
                "sys fd_passing children messages limits bot_command scratch sandbox supervisor",
            ),
        ],
    },
    Rooms {
        of: "grade",
        parts: &[
            ("folder", ""),
            ("scheme", ""),
            ("intake", ""),
            ("config", "folder intake scheme"),
            ("error", "intake"),
            ("class", "config error intake"),
            ("lanes", "error"),
            ("marks", "class config error folder intake scheme"),
            ("bots", "class config error folder intake marks"),
            ("platforms", "bots class config intake marks"),
            ("setup", "config error folder"),
            ("steps", "intake"),
            (
                "games",
                "bots class config error folder intake lanes marks scheme steps",
            ),
            ("graded", "bots class games intake marks scheme"),
            (
                "precheck",
                "bots class config error folder intake lanes setup steps",
            ),
            (
                "feedback",
                "bots class config error folder games graded intake lanes marks",
            ),
            (
                "grader",
                "bots class config error feedback folder games graded lanes marks scheme setup steps",
            ),
            (
                "appeal",
                "class config error folder games graded grader marks steps",
            ),
            ("results", "config error folder graded marks"),
            (
                "class_page",
                "bots config error feedback folder graded marks results scheme",
            ),
        ],
    },
    Rooms {
        of: "rating",
        parts: &[
            ("math", ""),
            ("games", "math"),
            ("model", "games math"),
            ("intervals", "games math model"),
            ("order", "games intervals math model"),
            ("sequential", "games math"),
        ],
    },
    Rooms {
        of: "runs",
        parts: &[
            ("error", ""),
            ("files", "error"),
            ("identity", "files"),
            ("logs", "error files"),
            ("journal", "error files logs"),
            ("manifest", "error files identity"),
            ("reader", "error files journal logs manifest"),
            ("seal", "error files journal logs reader"),
            ("folder", "error files identity journal logs manifest seal"),
        ],
    },
    Rooms {
        of: "results",
        parts: &[
            ("row", ""),
            ("files", "row"),
            ("labels", "row"),
            ("programs", ""),
            ("settings", "files programs"),
            ("rated", "settings"),
            ("games", "rated row settings"),
        ],
    },
    Rooms {
        of: "schedule",
        parts: &[
            ("conclusion", ""),
            ("ticket", "conclusion"),
            ("sharding", ""),
            ("testing", "conclusion ticket"),
            ("seating", "conclusion testing ticket"),
            ("seat_problem", "testing"),
            ("formats", "conclusion seating testing ticket"),
        ],
    },
    Rooms {
        of: "report",
        parts: &[
            ("text", ""),
            ("table", "text"),
            ("stderr", "text"),
            ("mixtures", "text"),
            ("players", "table"),
            ("history", "table"),
            ("forfeits", ""),
            ("tables", "history players table"),
            ("notes", "table tables text"),
            ("json", "notes table tables"),
            ("screen", "forfeits notes table tables text"),
            ("progress", "forfeits notes stderr text"),
        ],
    },
    Rooms {
        of: "report::tables",
        parts: &[
            ("ratings", ""),
            ("pairings", "ratings"),
            ("matches", "ratings"),
            ("conclusions", "matches ratings"),
            ("games", ""),
            ("run", "conclusions matches pairings ratings"),
        ],
    },
    Rooms {
        of: "report::notes",
        parts: &[
            ("names", ""),
            ("sequential_test", ""),
            ("slow_rules", ""),
            ("planned_games", "names"),
            ("stopping", ""),
            ("facts", "names planned_games sequential_test"),
            ("warnings", "facts names stopping"),
            ("conclusion", "sequential_test"),
            ("strength", "names sequential_test"),
        ],
    },
    Rooms {
        of: "report::screen",
        parts: &[
            ("layout", ""),
            ("printer", "layout"),
            ("summary", "layout printer"),
            ("forfeits", "layout"),
            ("run_end", "forfeits layout printer summary"),
        ],
    },
    Rooms {
        of: "report::progress",
        parts: &[
            ("count", ""),
            ("line", "count"),
            ("run", "count line"),
            ("stages", "count line"),
            ("work", "stages"),
            ("open_work", "count line"),
        ],
    },
    Rooms {
        of: "pages",
        parts: &[
            ("error", ""),
            ("parts", ""),
            ("article", "error parts"),
            ("seats", "parts"),
            ("game", "error parts"),
            ("exports", "article parts"),
            ("context", "exports game parts seats"),
            ("run", "context error exports game parts seats"),
        ],
    },
    Rooms {
        of: "pages::parts",
        parts: &[
            ("svg", ""),
            ("cell_chart", "svg"),
            ("columns", "svg"),
            ("lines", "svg"),
            ("panels", "lines svg"),
            ("table", "cell_chart"),
            ("thinned", ""),
            ("test_history", "lines svg table thinned"),
            ("page", "svg table"),
            ("navigation", "page"),
        ],
    },
    Rooms {
        of: "pages::game",
        parts: &[
            ("board", ""),
            ("views", "board"),
            ("written", ""),
            ("data", "board views written"),
            ("reported", ""),
            ("files", "board data reported"),
        ],
    },
    Rooms {
        of: "pages::run",
        parts: &[
            ("openings", ""),
            ("usage", ""),
            ("places", ""),
            ("statistics", "openings places usage"),
            ("curves", ""),
            ("figures", "curves statistics"),
            ("games", "statistics"),
            ("index", "curves figures places statistics usage"),
            ("plan", ""),
            ("player", "figures places statistics usage"),
            ("players", "figures"),
        ],
    },
    Rooms {
        of: "pages::run::index",
        parts: &[
            ("bands", ""),
            ("charts", ""),
            ("conclusion", ""),
            ("forfeits", ""),
            ("matrix", ""),
            ("ratings_figure", ""),
            ("standings", "bands charts ratings_figure"),
            ("seats", ""),
            ("section", "charts conclusion matrix seats standings"),
        ],
    },
    Rooms {
        of: "runner",
        parts: &[
            ("queue", ""),
            ("error", "queue"),
            ("threads", "error"),
            ("host", ""),
            ("event", ""),
            ("engines", "host"),
            ("dispatch", "threads queue error host event"),
            ("builds", "threads error host event dispatch"),
            ("tournament", "queue error host event dispatch builds"),
        ],
    },
    Rooms {
        of: "shards",
        parts: &[
            ("plan", ""),
            ("scripts", "plan"),
            ("work", "plan"),
            ("merge", "plan"),
        ],
    },
    Rooms {
        of: "cli",
        parts: &[
            ("exit", ""),
            ("output", "exit"),
            ("arguments", "exit"),
            ("drawing", ""),
            ("legal", ""),
            ("shell", "exit output"),
            ("bot", "arguments exit"),
            ("rules", "arguments exit"),
            ("check", "arguments exit output"),
            ("new", "arguments exit output"),
            ("game", "arguments exit new output"),
            ("doctor", "arguments exit output"),
            ("games", "arguments exit output"),
            ("position", "arguments drawing exit legal output"),
            ("report", "arguments exit output"),
            ("verify", "arguments exit output"),
            ("rate", "arguments exit output"),
            ("run", "arguments exit games output report"),
            ("play", "arguments drawing exit output run"),
            ("replay", "arguments drawing exit games legal output"),
            ("grade", "arguments exit output run"),
            ("shards", "arguments exit games output"),
        ],
    },
    Rooms {
        of: "check::rules",
        parts: &[
            ("plan", ""),
            ("conversation", ""),
            ("problems", ""),
            ("report", "conversation problems"),
            ("session", "plan conversation problems report"),
            ("played", "conversation session"),
            (
                "progress",
                "plan conversation played problems report session",
            ),
            ("spelling", ""),
            ("turns", "conversation played problems session"),
            (
                "games",
                "conversation played problems progress report session turns",
            ),
            ("options", "conversation games problems progress session"),
            (
                "refusals",
                "conversation played problems progress session spelling",
            ),
            (
                "replays",
                "conversation played problems progress report session",
            ),
            ("secrets", "conversation played problems progress session"),
        ],
    },
    Rooms {
        of: "config",
        parts: &[
            ("error", ""),
            ("keep_logs", ""),
            ("rules_limits", ""),
            ("file", "error keep_logs rules_limits"),
            ("format", "error file"),
            ("games", "error file rules_limits"),
            ("limits", "error file rules_limits"),
            ("players", "error file limits"),
            ("plan", "games keep_logs limits players"),
            ("validate", "error file format games limits players plan"),
            ("without_file", "error file plan validate"),
        ],
    },
    Rooms {
        of: "game",
        parts: &[
            ("chance", ""),
            ("seat", ""),
            ("side", "seat"),
            ("name", ""),
            ("per_seat", "seat"),
            ("places", "per_seat seat"),
            ("result", "per_seat places seat"),
            ("drawing", ""),
            ("rules_points", ""),
            (
                "position",
                "drawing name per_seat result rules_points seat side",
            ),
            ("definition", "chance per_seat places position result seat"),
            ("watch_your_back", "chance definition drawing position side"),
            ("cachex", "chance definition drawing position side"),
            ("dark_chess", "chance definition drawing position side"),
            ("chess", "chance definition drawing position side"),
        ],
    },
    Rooms {
        of: "opponents",
        parts: &[
            ("house_bot", ""),
            ("brain", ""),
            ("random", "brain"),
            ("watch_your_back", "brain random"),
            ("cachex", "brain random"),
            ("dark_chess", "brain random"),
            ("chess", "brain random"),
            (
                "serve",
                "brain cachex chess dark_chess house_bot random watch_your_back",
            ),
        ],
    },
];

/// The part of `module` that `path` is or leads into.
fn part<'a>(module: &str, path: &'a str) -> Option<&'a str> {
    let inner = path.strip_prefix(module)?.strip_prefix("::")?;
    inner.split("::").next()
}

/// What the module lets out again of its parts, with the part that it comes from.
fn exports<'a>(rooms: &Rooms, sources: &'a [Source]) -> HashMap<&'a str, &'a str> {
    let own = sources.iter().filter(|source| source.place == rooms.of);
    own.flat_map(|source| &source.uses)
        .filter(|used| used.name.is_some())
        .filter_map(|used| {
            let mut names = used.path.split("::");
            let first = names.next()?;
            let is_part = rooms.parts.iter().any(|(name, _)| *name == first);
            is_part.then_some((names.last()?, first))
        })
        .collect()
}

fn problems(rooms: &Rooms, sources: &[Source]) -> Vec<String> {
    let exports = exports(rooms, sources);
    let mut problems = Vec::new();
    for source in sources {
        let own = part(rooms.of, &source.place);
        let Some((name, knows)) = rooms.parts.iter().find(|(name, _)| own == Some(*name)) else {
            continue;
        };
        for used in &source.uses {
            let path = used.path.strip_prefix("crate::").unwrap_or_default();
            let Some(known) = part(rooms.of, path) else {
                continue;
            };
            let known = exports.get(known).copied().unwrap_or(known);
            let is_part = rooms.parts.iter().any(|(part, _)| *part == known);
            let is_allowed = known == *name || knows.split(' ').any(|part| part == known);
            if known == "*" || is_part && !is_allowed {
                let (file, line) = (&source.file, used.line);
                problems.push(format!("{file}:{line}: `{name}` must not know `{known}`"));
            }
        }
    }
    problems
}

#[test]
fn every_part_of_a_module_keeps_to_the_parts_above_it() {
    let sources = Source::all();
    let problems: Vec<String> = ROOMS
        .iter()
        .flat_map(|rooms| problems(rooms, &sources))
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_part_has_a_line_below_those_that_it_knows() {
    let sources = Source::all();
    for rooms in ROOMS {
        let mut above = BTreeSet::new();
        for (name, knows) in rooms.parts {
            for known in knows.split_whitespace() {
                assert!(above.contains(known), "{}: {name} knows {known}", rooms.of);
            }
            above.insert(*name);
        }
        let places = sources.iter().map(|source| source.place.as_str());
        let parts: BTreeSet<&str> = places.filter_map(|place| part(rooms.of, place)).collect();
        assert_eq!(parts, above, "{}", rooms.of);
    }
}

#[test]
fn a_part_that_knows_too_much_is_found() {
    let own = Source::parse("src/bot/mod.rs", "pub use launch::{Launch, LaunchError};");
    for (file, text, count) in [
        ("machine/lane.rs", "use crate::bot::supervise::Tier;", 1),
        ("machine/lane.rs", "use super::super::supervise;", 1),
        ("machine/lane.rs", "fn f(l: &crate::bot::Launch) {}", 1),
        ("machine/mod.rs", "use super::*;", 1),
        (
            "machine/lane.rs",
            "use super::probe; use crate::bot::Fault;",
            0,
        ),
        ("process/mod.rs", "use super::Launch;", 0),
        ("mod.rs", "use machine::Lane;", 0),
    ] {
        let source = Source::parse(&format!("src/bot/{file}"), text);
        let sources = [own.clone(), source];
        assert_eq!(problems(&ROOMS[0], &sources).len(), count, "{file}: {text}");
    }
}
