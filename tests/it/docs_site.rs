//! The documentation as a site, made by `docs/site`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Browser, files_below, has_extension, root, skip};

/// A link of a page: the element, and where it leads.
struct Link {
    element: String,
    target: String,
}

/// The links of a page, and the places in it that a link can name.
fn read(page: &Path) -> (Vec<Link>, BTreeSet<String>) {
    let text = std::fs::read_to_string(page).expect("a page");
    let (mut links, mut places) = (Vec::new(), BTreeSet::new());
    for tag in text.split('<').skip(1) {
        let tag = tag.split('>').next().expect("its end");
        let element = tag.split_whitespace().next().unwrap_or_default();
        let attribute = |name: &str| {
            let (_, value) = tag.split_once(&format!(" {name}=\""))?;
            Some(value.split('"').next()?.replace("&amp;", "&"))
        };
        places.extend(attribute("id"));
        links.extend(
            ["href", "src"]
                .into_iter()
                .filter_map(attribute)
                .map(|target| Link {
                    element: element.to_owned(),
                    target,
                }),
        );
    }
    (links, places)
}

fn is_elsewhere(target: &str) -> bool {
    target.starts_with("//") || target.split('/').next().is_some_and(|it| it.contains(':'))
}

/// The site in a new folder; `None` without mdbook.
fn site() -> Option<tempfile::TempDir> {
    let mdbook = std::env::var_os("MDBOOK").unwrap_or_else(|| "mdbook".into());
    if Command::new(mdbook).arg("--version").output().is_err() {
        skip("mdbook");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new(root().join("docs/site"))
        .arg(folder.path())
        .output()
        .expect("the script");
    assert!(made.status.success(), "{made:?}");
    Some(folder)
}

#[test]
#[ignore = "slow"]
fn every_link_of_the_site_leads_somewhere_and_no_page_loads_from_elsewhere() {
    let site = needed!(site());
    let mut problems = Vec::new();
    let mut found = 0;
    let pages = files_below(site.path()).into_iter();
    let pages: Vec<PathBuf> = pages.filter(|file| has_extension(file, "html")).collect();
    for page in &pages {
        let folder = page.parent().expect("a folder");
        for Link { element, target } in read(page).0 {
            let mut say = |what| problems.push(format!("{}: {what}: {target}", page.display()));
            if is_elsewhere(&target) {
                // A link to another host is followed by a reader alone.
                if element != "a" && !target.starts_with("data:") {
                    say("is loaded from elsewhere");
                }
                continue;
            }
            found += 1;
            let (file, place) = target.split_once('#').unwrap_or((&target, ""));
            let file = match file {
                "" => page.clone(),
                file => folder.join(file),
            };
            // The board finds its games by itself.
            let is_of_script = file.ends_with("report/game.html");
            if !file.is_file() {
                say("there is no such file");
            } else if has_extension(&file, "html") && !place.is_empty() && !is_of_script {
                let (_, places) = read(&file);
                if !places.contains(place) {
                    say("there is no such place");
                }
            }
        }
    }
    assert_eq!(problems, [""; 0]);
    assert!(found > 1000, "{found} links were found");
    assert!(pages.contains(&site.path().join("results/sample/report/index.html")));

    let mut browser = needed!(Browser::start());
    for page in ["index.html", "docs/config.html", "docs/rules/chess.html"] {
        drop(browser.open(&site.path().join(page), "", [360, 740]));
    }
}

/// A page that the summary lacks is not in the site.
#[test]
fn every_page_is_in_the_summary() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("the summary");
    let linked = summary
        .split("](")
        .skip(1)
        .map(|link| docs.join(link.split(')').next().expect("its end")));
    let linked: BTreeSet<PathBuf> = linked.collect();
    let pages = files_below(&docs).into_iter();
    let pages = pages.filter(|file| has_extension(file, "md") && !file.ends_with("SUMMARY.md"));
    let missing: Vec<PathBuf> = pages.filter(|page| !linked.contains(page)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
