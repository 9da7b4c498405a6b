//! What version control has of the pages: those of the sample run, and the pictures in the README.
//! `SAMPLE=update cargo test --test it sample::` makes both anew.

use std::path::PathBuf;

use crate::support::{Browser, TestRun, referee, root};

/// How many bytes the pages together, and each picture, may have.
const MOST_PAGES: usize = 1 << 20;
const MOST_PICTURE: usize = 150_000;

const SIZE: [u32; 2] = [1100, 760];

fn is_update() -> bool {
    std::env::var_os("SAMPLE").is_some_and(|value| value == "update")
}

#[test]
fn the_pages_of_the_sample_are_those_that_the_program_makes() {
    let folder = TestRun::new("");
    let out = folder.path("pages");
    referee(&format!("report results/sample --out {}", out.display())).ok();
    if is_update() {
        let pages = root().join("results/sample/report");
        let _ = std::fs::remove_dir_all(&pages);
        referee("report results/sample").ok();
    }
    let made = folder.pages("pages");
    let kept = folder.pages(&root().join("results/sample/report").display().to_string());
    let stale = "SAMPLE=update cargo test --test it sample:: makes them anew";
    assert!(
        made == kept,
        "the pages in results/sample are stale: {stale}"
    );
    let bytes: usize = made.values().map(String::len).sum();
    assert!(bytes < MOST_PAGES, "{bytes}");
}

#[test]
fn the_pictures_of_the_readme_can_be_taken() {
    let mut browser = needed!(Browser::start());
    let folder = TestRun::new("");
    let pages = folder.path("pages");
    referee(&format!("report results/sample --out {}", pages.display())).ok();
    let pictures: PathBuf = match is_update() {
        true => root().join("docs/pictures"),
        false => folder.path("pictures"),
    };
    std::fs::create_dir_all(&pictures).expect("a folder");
    for (name, file, fragment) in [
        ("index", "index.html", ""),
        ("viewer", "game.html", "#g10p32"),
    ] {
        let mut page = browser.open(&pages.join(file), fragment, SIZE);
        if !fragment.is_empty() {
            page.wait_until("document.querySelectorAll('#plies li').length > 0");
        }
        page.show_as(false, false);
        let png = page.picture(false);
        assert!(png.len() < MOST_PICTURE, "{name}: {}", png.len());
        std::fs::write(pictures.join(format!("{name}.png")), png).expect("written");
    }
}
