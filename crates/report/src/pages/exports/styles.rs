//! The style of a shape, from the style sheet of the pages. A picture of its own has it as attributes, because many programs
//! know no variables of style sheets, and some no style sheets.

use std::collections::{BTreeMap, HashMap};

use crate::pages::parts::page::STYLE;

/// The properties that are also attributes of SVG.
const KEPT: [&str; 11] = [
    "fill",
    "fill-opacity",
    "font-size",
    "font-weight",
    "opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-width",
    "text-anchor",
];

/// The ground around letters, by which a browser keeps them readable above lines. Some programs draw it over the letters.
const HALO: [&str; 2] = ["stroke", "stroke-width"];

/// Rules for shapes in charts, in the order of the sheet, as in light.
#[derive(Debug)]
pub struct Styles(Vec<StyleRule>);

#[derive(Debug)]
struct StyleRule {
    /// The element; empty for any.
    element: String,
    classes: Vec<String>,
    /// Classes, then elements, of the whole selector.
    weight: (usize, usize),
    properties: Vec<(&'static str, String)>,
}

impl Styles {
    pub fn of_pages() -> Self {
        Self::parse(STYLE)
    }

    fn parse(sheet: &str) -> Self {
        let mut variables: HashMap<&str, &str> = HashMap::new();
        let mut blocks = Vec::new();
        let mut rest = sheet;
        while let Some((selectors, after)) = rest.split_once('{') {
            let selectors = selectors.trim();
            if selectors.starts_with('@') {
                rest = after_block(after);
                continue;
            }
            let (body, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            let declarations = body.split(';').filter_map(|it| it.split_once(':'));
            let declarations: Vec<(&str, &str)> = declarations
                .map(|(name, value)| (name.trim(), value.trim()))
                .collect();
            if selectors == ":root" {
                variables.extend(declarations);
            } else {
                blocks.push((selectors, declarations));
            }
        }
        let rules = blocks.iter().flat_map(|(selectors, declarations)| {
            let properties = declarations.iter().filter_map(|(name, value)| {
                let name = KEPT.into_iter().find(|kept| kept == name)?;
                Some((name, resolved(value, &variables)?))
            });
            let properties: Vec<_> = properties.collect();
            let selectors = selectors.split(',');
            selectors.filter_map(move |selector| rule(selector, properties.clone()))
        });
        Self(rules.collect())
    }

    pub fn of(&self, element: &str, classes: &str) -> BTreeMap<&'static str, &str> {
        let classes: Vec<&str> = classes.split(' ').collect();
        let mut rules: Vec<&StyleRule> = self
            .0
            .iter()
            .filter(|rule| rule.matches(element, &classes))
            .collect();
        // The sort is stable: of equal weight, the later rule wins.
        rules.sort_by_key(|rule| rule.weight);
        let all = rules.into_iter().flat_map(|rule| &rule.properties);
        let all = all.map(|(name, value)| (*name, value.as_str()));
        all.filter(|(name, _)| element != "text" || !HALO.contains(name))
            .collect()
    }
}

impl StyleRule {
    fn matches(&self, element: &str, classes: &[&str]) -> bool {
        let has = |class: &String| classes.contains(&class.as_str());
        (self.element.is_empty() || self.element == element) && self.classes.iter().all(has)
    }
}

/// The text after a block whose `{` was read.
fn after_block(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

/// The rule of a selector; `None` if it is not for shapes of charts alone.
fn rule(selector: &str, properties: Vec<(&'static str, String)>) -> Option<StyleRule> {
    let selector = selector.trim();
    if properties.is_empty() || selector.contains([':', '[', '>', '*', '#', '+', '~']) {
        return None;
    }
    let mut compounds = selector.split_whitespace().rev();
    let last = compounds.next()?;
    let mut weight = (
        last.matches('.').count(),
        usize::from(!last.starts_with('.')),
    );
    for outer in compounds {
        match outer {
            ".chart" => weight.0 += 1,
            "svg" => weight.1 += 1,
            _ => return None,
        }
    }
    let (element, classes) = last.split_once('.').unwrap_or((last, ""));
    Some(StyleRule {
        element: element.to_owned(),
        classes: classes
            .split('.')
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect(),
        weight,
        properties,
    })
}

/// A value without variables and units; `None` if it has another function.
fn resolved(value: &str, variables: &HashMap<&str, &str>) -> Option<String> {
    let name = value
        .strip_prefix("var(")
        .and_then(|it| it.strip_suffix(')'));
    let value = match name {
        Some(name) => variables.get(name.trim())?,
        None => value,
    };
    let value = value.strip_suffix("px").unwrap_or(value);
    (!value.contains('(')).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_apply_as_in_a_browser() {
        let sheet = ":root { --a: #123; --b: #456; }\n@media (x) { :root { --a: #fff; } .c { fill: red; } }\n\
                     .chart .d { fill: var(--a); }\n.d { fill: var(--b); stroke-width: 2px; }\n.x .d { fill: blue; }\n\
                     .chart text.d { fill: #789; stroke: white; }\n.e, .f { fill: color-mix(in srgb, red, blue); opacity: .5 }\n\
                     .e.g { fill: none; }\n.d:hover { fill: blue; }";
        let styles = Styles::parse(sheet);
        let of = |element, classes| {
            let found = styles.of(element, classes);
            let words = found.iter().map(|(name, value)| format!("{name}={value}"));
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("rect", "d"), "fill=#123 stroke-width=2");
        assert_eq!(of("text", "d other"), "fill=#789");
        assert_eq!(of("rect", "e"), "opacity=.5");
        assert_eq!(of("rect", "g e"), "fill=none opacity=.5");
        assert_eq!(of("rect", "c"), "");
    }
}
