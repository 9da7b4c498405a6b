//! `referee new class NAME`: a folder with a grading, a roster and submissions.

use super::folder::{NewFile, parse_name, tell, write};
use super::kits::{CONFIG, GAMES, Kit, SKELETON_PYTHON, STARTER_PYTHON, game_tables, with_games};
use crate::cli::exit::{Exit, Failure};

/// Make a folder with the grading of a class, to begin with
///
/// It has a scheme of ten marks against house bots, a roster, and the submissions of two students in Python: one plays,
/// and one fails, so that you see both. Remove them, and put yours there.
#[derive(Debug, clap::Args)]
pub(super) struct ClassArgs {
    /// The name of the grading and of the folder: a-z, 0-9 and -, such as spring
    #[arg(value_parser = parse_name)]
    name: String,
    /// The game
    #[arg(long, value_parser = GAMES, default_value = "cachex")]
    game: String,
}

const SCHEME: &str = include_str!("../../../examples/kits/class/class.toml");
const ROSTER: &str = include_str!("../../../examples/kits/class/roster.csv");

/// The name of the grading in its file.
const NAME: &str = "my-class";

/// A student who plays, and one whose bot knows no game and fails.
const STUDENTS: [(&str, Kit); 2] = [("s1001", STARTER_PYTHON), ("s1002", SKELETON_PYTHON)];

pub(super) fn run(args: &ClassArgs) -> Result<Exit, Failure> {
    let name = &args.name;
    let scheme = with_games(SCHEME, &format!("[game]\nname = \"{}\"\n", args.game));
    let mut files: Vec<NewFile> = vec![
        ("class.toml".to_owned(), scheme.replace(NAME, name)),
        ("roster.csv".to_owned(), ROSTER.to_owned()),
    ];
    for (student, kit) in STUDENTS {
        let (program, text) = kit.program;
        let config = with_games(kit.config, &game_tables(&[&args.game]));
        for (file, text) in [(program, text), (CONFIG, &config)] {
            let path = format!("submissions/{student}/{file}");
            files.push((path, kit.named(text, student)));
        }
    }
    write(name, &files)?;
    tell(
        &format!("{name}/ has a scheme of marks, a roster, and the submissions of two students."),
        &format!("cd {name} && referee grade class.toml"),
        &format!(
            "Then open {name}/results/{name}/class.html. {name}/class.toml explains the scheme; put your students in the \
             place of these two."
        ),
    )
}
