//! The links that each page of a run begins with.

use minijinja::value::Serde;
use minijinja::{Error, context};
use serde::Serialize;

use super::page::Templates;

/// A part of the pages of a run, with a page that leads to its others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunPart {
    Run,
    Players,
    Games,
    Plan,
}

impl RunPart {
    const ALL: [Self; 4] = [Self::Run, Self::Players, Self::Games, Self::Plan];

    pub fn file(self) -> &'static str {
        match self {
            Self::Run => "index.html",
            Self::Players => "players.html",
            Self::Games => "games.html",
            Self::Plan => "plan.html",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Players => "players",
            Self::Games => "games",
            Self::Plan => "plan",
        }
    }
}

/// How the page that is shown belongs to a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavigationPlace {
    /// It is the page of the part.
    Page(RunPart),
    /// It is another page of the part.
    Below(RunPart),
}

#[derive(Serialize)]
struct LinkView {
    file: &'static str,
    name: &'static str,
    /// Value of `aria-current`; empty elsewhere.
    current: &'static str,
}

/// The links to all parts, as HTML.
pub fn navigation(templates: &Templates, shown: NavigationPlace) -> Result<String, Error> {
    let links = RunPart::ALL.map(|part| LinkView {
        file: part.file(),
        name: part.name(),
        current: match shown {
            NavigationPlace::Page(own) if own == part => "page",
            NavigationPlace::Below(own) if own == part => "true",
            NavigationPlace::Page(_) | NavigationPlace::Below(_) => "",
        },
    });
    templates.render("navigation", context! { links => Serde(&links) })
}
