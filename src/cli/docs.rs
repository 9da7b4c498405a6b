//! `referee docs [PAGE]`: the documentation, which the program brings with it.

use super::exit::{Exit, Failure};
use super::output::print;
use crate::text::did_you_mean;

/// Show a page of the documentation, or list all pages
///
/// A page is text with Markdown. To read it page by page: `referee docs config | less`.
#[derive(Debug, clap::Args)]
pub(super) struct DocsArgs {
    /// The page, such as config or rules/cachex; the list of all pages if not given
    page: Option<String>,
}

macro_rules! page {
    ($name:literal) => {
        ($name, include_str!(concat!("../../docs/", $name, ".md")))
    };
}

const PAGES: [(&str, &str); 33] = [
    page!("architecture"),
    page!("config"),
    page!("design-decisions"),
    page!("engines"),
    page!("failures"),
    page!("feedback"),
    page!("formats"),
    page!("from-fastchess"),
    page!("glossary"),
    page!("grading"),
    page!("isolation"),
    page!("league"),
    page!("machines"),
    page!("marks"),
    page!("more-seats"),
    page!("packaging"),
    page!("pages"),
    page!("performance"),
    page!("protocol"),
    page!("ratings"),
    page!("reproduce"),
    page!("rules-protocol"),
    page!("rules/cachex"),
    page!("rules/chess"),
    page!("rules/chexers"),
    page!("rules/dark-chess"),
    page!("rules/watch-your-back"),
    page!("sequential-tests"),
    page!("shards"),
    page!("tuning"),
    page!("versions"),
    page!("wrapped-games"),
    page!("your-own-game"),
];

pub(super) fn run(args: &DocsArgs) -> Result<Exit, Failure> {
    match &args.page {
        Some(name) => page(name),
        None => print(&list()).map(|()| Exit::Done),
    }
}

pub(super) fn page(name: &str) -> Result<Exit, Failure> {
    let plain = name.trim_start_matches("docs/").trim_end_matches(".md");
    let (_, text) = PAGES
        .iter()
        .find(|(known, _)| *known == plain)
        .ok_or_else(|| {
            let meant = did_you_mean(plain, PAGES.map(|(known, _)| known));
            let meant = meant.map_or_else(String::new, |meant| format!(" ({meant})"));
            let problem =
                format!("there is no page `{name}`{meant}; `referee docs` lists the pages");
            Failure::usage(problem)
        })?;
    print(text).map(|()| Exit::Done)
}

fn list() -> String {
    let title = |text: &str| {
        let first = text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ").to_owned()
    };
    let lines = PAGES.map(|(name, text)| format!("{name:<22}  {}\n", title(text)));
    lines.concat()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_page_is_there() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        for (folder, prefix) in [(docs.clone(), ""), (docs.join("rules"), "rules/")] {
            for entry in folder.read_dir().expect("the folder").flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let page = name
                    .strip_suffix(".md")
                    .filter(|it| !["README", "SUMMARY"].contains(it));
                if let Some(page) = page {
                    let page = format!("{prefix}{page}");
                    assert!(PAGES.iter().any(|(known, _)| *known == page), "{page}");
                }
            }
        }
    }
}
