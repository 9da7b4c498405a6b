//! A chart as a picture of its own: an SVG that needs no font of ours and no page.

use minijinja::HtmlEscape;

use crate::pages::parts::page::{STYLE, unmarked};
use crate::pages::parts::svg::{Chart, Shape, round};
use crate::report::width;
use crate::text::visible;

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 20.0;

/// Baseline of the title, the height of a line of the legend, and the room of a swatch and between entries.
const TITLE: f64 = 30.0;
const LEGEND: f64 = 20.0;
const SWATCH: f64 = 16.0;
const GAP: f64 = 18.0;

/// Approximate width of a column of text at the size of the legend.
const COLUMN: f64 = 7.2;

/// The chart as SVG, on white, in the colours of a page in light.
pub fn picture(chart: &Chart) -> String {
    let mut drawing = Drawing {
        top: TITLE + 12.0,
        elements: String::new(),
    };
    drawing.words(
        &chart.title,
        "x=\"20\" y=\"30\" style=\"font-size: 16px; font-weight: bold\"",
    );
    drawing.legend(chart);
    for shape in &chart.shapes {
        drawing.shape(shape);
    }
    let height = drawing.top + chart.height + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         class=\"chart\" font-family=\"sans-serif\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n\
         <style>\n{}</style>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
        escaped(&chart.title),
        escaped(&chart.description),
        shapes_in_light(),
        drawing.elements
    )
}

/// The rules of the pages for shapes, as in light and without variables, which many programs do not know. Nor do they
/// know the ground around letters, and would draw it over them.
fn shapes_in_light() -> String {
    let mut parts = include_str!("../assets/shapes.css").split("var(");
    let mut rules = parts.next().unwrap_or_default().to_owned();
    for (name, rest) in parts.filter_map(|part| part.split_once(')')) {
        // The colours of the dark come later in the sheet.
        let values = STYLE.split_once(&format!("{name}: "));
        let value = values.and_then(|(_, after)| after.split_once(';'));
        rules.push_str(value.map_or("none", |(value, _)| value));
        rules.push_str(rest);
    }
    rules + ".chart text { stroke: none; }\n"
}

struct Drawing {
    /// Where the chart begins, below title and legend.
    top: f64,
    elements: String,
}

impl Drawing {
    fn legend(&mut self, chart: &Chart) {
        if !chart.legend.is_empty() {
            self.top += LEGEND;
        }
        let mut x = MARGIN;
        for (at, (class, words)) in chart.legend.iter().enumerate() {
            let room = SWATCH + COLUMN * width(words) as f64;
            if at > 0 && x + room > WIDTH - MARGIN {
                x = MARGIN;
                self.top += LEGEND;
            }
            let y = self.top;
            let place = format!(
                "x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"",
                round(x),
                round(y - 9.0)
            );
            self.element("rect", class, &place, None);
            let place = format!("x=\"{}\" y=\"{y}\"", round(x + SWATCH));
            self.words(words, &place);
            x += room + GAP;
        }
        self.top += 8.0;
    }

    fn shape(&mut self, shape: &Shape) {
        let across = |percent: &f64| round((WIDTH - 2.0 * MARGIN) * percent / 100.0);
        let left = |percent: &f64| round(MARGIN + (WIDTH - 2.0 * MARGIN) * percent / 100.0);
        let top = self.top;
        let down = |pixels: &f64| round(top + pixels);
        match shape {
            Shape::Line { class, x, y } => {
                let ([x1, x2], [y1, y2]) = (x.each_ref().map(left), y.each_ref().map(down));
                let place = format!("x1=\"{x1}\" x2=\"{x2}\" y1=\"{y1}\" y2=\"{y2}\"");
                self.element("line", class, &place, None);
            }
            Shape::Bar {
                class,
                x,
                y,
                width,
                height,
                tooltip,
            } => {
                let (x, y, width) = (left(x), down(y), across(width));
                let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
                self.element("rect", class, &place, Some(("title", tooltip)));
            }
            Shape::Dot { class, x, y } => {
                let place = format!("cx=\"{}\" cy=\"{}\" r=\"4\"", left(x), down(y));
                self.element("circle", class, &place, None);
            }
            Shape::Curve { class, points } => {
                let points = points.iter();
                let points = points.map(|[x, y]| format!("{},{}", left(x), down(y)));
                let points = points.collect::<Vec<_>>().join(" ");
                let element = match class.starts_with("area") {
                    true => "polygon",
                    false => "polyline",
                };
                self.element(element, class, &format!("points=\"{points}\""), None);
            }
            Shape::Text { class, x, y, text } => {
                let place = format!("x=\"{}\" y=\"{}\"", left(x), down(y));
                self.element("text", class, &place, Some(("", text)));
            }
        }
    }

    fn element(&mut self, element: &str, class: &str, place: &str, text: Option<(&str, &str)>) {
        let class = HtmlEscape(class);
        self.elements
            .push_str(&format!("<{element} class=\"{class}\" {place}"));
        match text {
            None => self.elements.push_str("/>\n"),
            Some(("", text)) => self
                .elements
                .push_str(&format!(">{}</{element}>\n", escaped(text))),
            Some((inner, text)) => {
                let text = escaped(text);
                self.elements
                    .push_str(&format!("><{inner}>{text}</{inner}></{element}>\n"));
            }
        }
    }

    fn words(&mut self, text: &str, attributes: &str) {
        let text = escaped(text);
        self.elements
            .push_str(&format!("<text {attributes}>{text}</text>\n"));
    }
}

/// A message as text of XML, without the backticks around code.
fn escaped(message: &str) -> String {
    HtmlEscape(&unmarked(&visible(message))).to_string()
}
