//! The targets of links between pages, and of links to files of the repository, exist.

use std::path::{Path, PathBuf};

use crate::support::{files_below, has_extension, root};

/// All pages: those in the root, in `docs/`, in `bots/`, and of the results.
fn pages() -> Vec<PathBuf> {
    let first = [
        "SECURITY.md",
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "results/README.md",
    ];
    let mut pages = first.map(|page| root().join(page)).to_vec();
    for folder in ["docs", "bots"] {
        let files = files_below(&root().join(folder)).into_iter();
        pages.extend(files.filter(|file| has_extension(file, "md")));
    }
    pages.retain(|page| page.exists());
    pages
}

/// The text outside fenced blocks, and the headings as a link names them.
fn read(page: &Path) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut prose = String::new();
    let mut headings = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            prose.push_str(line);
            prose.push('\n');
            if line.starts_with('#') {
                let title = line.trim_start_matches('#').trim().to_lowercase();
                let kept = title.chars().filter_map(|c| match c {
                    ' ' => Some('-'),
                    c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                    _ => None,
                });
                headings.push(kept.collect());
            }
        }
    }
    (prose, headings)
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = 0;
    for page in pages() {
        let (prose, _) = read(&page);
        let folder = page.parent().expect("a folder");
        for link in prose.split("](").skip(1) {
            let link = link.split(')').next().expect("its end");
            if link.starts_with("http") {
                continue;
            }
            found += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => folder.join(file),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            if !heading.is_empty() {
                let (_, headings) = read(&target);
                assert!(
                    headings.iter().any(|one| one == heading),
                    "{}: {link}: {headings:?}",
                    page.display()
                );
            }
        }
    }
    assert!(found > 5, "{found} links were found");
}

#[test]
fn every_page_that_the_source_names_is_there() {
    let mut found = 0;
    for path in ["src", "crates", "configs", "tests"]
        .map(|folder| files_below(&root().join(folder)))
        .concat()
    {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        for rest in text.split("docs/").skip(1) {
            let is_of_name = |c: char| c.is_alphanumeric() || "-_/.".contains(c);
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let name = rest[..end].trim_end_matches('.');
            if name.ends_with(".md") {
                found += 1;
                let page = root().join("docs").join(name);
                assert!(page.exists(), "{}: docs/{name}", path.display());
            }
        }
    }
    assert!(found > 5, "{found} names were found");
}

#[test]
fn the_glossary_is_in_order() {
    let page = root().join("docs/glossary.md");
    let text = std::fs::read_to_string(page).expect("the glossary");
    let words: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next())
        .skip(1)
        .map(str::to_lowercase)
        .collect();
    assert!(words.len() > 20);
    assert!(words.is_sorted_by(|a, b| a < b), "{words:?}");
}

#[test]
fn the_example_bot_is_the_one_in_bots() {
    let page = std::fs::read_to_string(root().join("docs/protocol.md")).expect("the page");
    let (_, rest) = page.split_once("```python\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let bot = std::fs::read_to_string(root().join("bots/twenty-lines/bot.py")).expect("the bot");
    assert_eq!(example, bot);
}
