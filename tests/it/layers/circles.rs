//! Circles of files: each file uses a part of the next.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::source::Source;

/// Re-exports behind one name, at most.
const MOST_EXPORTS: usize = 20;

/// The files of a crate by module, and the paths behind the names that modules re-export.
struct Crate<'a> {
    files: BTreeMap<&'a str, &'a Source>,
    exports: HashMap<(&'a str, &'a str), String>,
}

impl<'a> Crate<'a> {
    fn new(sources: &'a [Source]) -> Self {
        let files = sources.iter().map(|source| (source.place.as_str(), source));
        let mut all = Self {
            files: files.collect(),
            exports: HashMap::new(),
        };
        for source in sources {
            for used in source.uses.iter().filter(|used| used.is_export) {
                if let Some(name) = &used.name {
                    let path = all.absolute(source, &used.path);
                    all.exports.insert((&source.place, name), path);
                }
            }
        }
        all
    }

    /// A path from `crate`, also if it begins with a part of the module that uses it.
    fn absolute(&self, source: &Source, path: &str) -> String {
        let first = path.split("::").next().unwrap_or_default();
        let own = format!("{}::{first}", source.place);
        if self.files.contains_key(own.as_str()) {
            format!("crate::{}::{path}", source.place)
        } else {
            path.to_owned()
        }
    }

    /// The module that defines the item at a path; `None` for a module, and for other crates.
    fn definer(&self, mut path: String) -> Option<&'a str> {
        for _ in 0..MOST_EXPORTS {
            let inner = path.strip_prefix("crate::")?;
            if self.files.contains_key(inner) {
                return None;
            }
            let mut ends = inner.rmatch_indices("::").map(|(end, _)| end);
            let known = ends.find_map(|end| self.files.get_key_value(&inner[..end]));
            let (place, _) = known?;
            let rest = &inner[place.len() + 2..];
            let name = rest.split("::").next()?;
            match self.exports.get(&(*place, name)) {
                Some(behind) => path = format!("{behind}{}", &rest[name.len()..]),
                None => return Some(*place),
            }
        }
        None
    }

    /// The modules that each module uses.
    fn edges(&self) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
        let edges = self.files.iter().map(|(place, source)| {
            let uses = source.uses.iter().filter(|used| !used.is_export);
            let known = uses.filter_map(|used| self.definer(self.absolute(source, &used.path)));
            (*place, known.filter(|known| known != place).collect())
        });
        edges.collect()
    }
}

/// All modules that lead on from one.
fn reached<'a>(from: &'a str, edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut all = BTreeSet::new();
    let mut open = vec![from];
    while let Some(place) = open.pop() {
        let next = edges.get(place).into_iter().flatten();
        open.extend(next.copied().filter(|next| all.insert(*next)));
    }
    all
}

/// The circles, each as its modules in order.
fn circles(sources: &[Source]) -> Vec<Vec<&str>> {
    let edges = Crate::new(sources).edges();
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|place| (*place, reached(place, &edges)))
        .collect();
    let mut circles = BTreeSet::new();
    for (place, all) in &reached {
        let back = all.iter().filter(|other| reached[**other].contains(place));
        let circle: Vec<&str> = back.copied().collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

#[test]
fn no_file_is_in_a_circle() {
    let sources = Source::all();
    let lines: Vec<String> = circles(&sources)
        .iter()
        .map(|circle| circle.join(" "))
        .collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
}

#[test]
fn circles_are_found_through_re_exports_and_names_in_code() {
    let parsed = |files: &[(&str, &str)]| -> Vec<Source> {
        let files = files.iter();
        files
            .map(|(file, text)| Source::parse(&format!("src/{file}"), text))
            .collect()
    };
    let module = ("a/mod.rs", "mod b; mod c; pub use b::B; pub use c::C;");
    let c = ("a/c.rs", "pub struct C;");
    let b = ("a/b.rs", "use super::C; pub struct B(C);");
    assert_eq!(circles(&parsed(&[module, b, c])), [[""; 0]; 0]);
    let c = ("a/c.rs", "use crate::a::B; pub struct C(B);");
    assert_eq!(circles(&parsed(&[module, b, c])), [["a::b", "a::c"]]);
    let c = ("a/c.rs", "pub struct C(super::b::B);");
    assert_eq!(circles(&parsed(&[module, b, c])), [["a::b", "a::c"]]);
    let owner = (
        "a/mod.rs",
        "mod b; pub use b::B; pub struct C; fn f(b: B) {}",
    );
    assert_eq!(circles(&parsed(&[owner, b])), [["a", "a::b"]]);
}
