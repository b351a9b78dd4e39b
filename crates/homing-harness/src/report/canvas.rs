//! [`Canvas`]: lines, bars, dots and text on a white ground, as SVG; and the
//! scales that figures are drawn on.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBColor, TextStyle, WHITE};

use crate::error::printable;

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
/// Lines of the grid.
pub(super) const PALE: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// What is said of a row without figures.
pub(super) const GREY: RGBColor = RGBColor(0x70, 0x70, 0x70);

/// Colours that people who do not see all colours can tell apart: M. Okabe and
/// K. Ito, "Color universal design", 2008; its yellow left out, which is pale on
/// white.
pub(super) const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

const DRAWN: &str = "a string takes every shape";

/// A place on the canvas, in pixels from its upper left corner.
pub(super) type Place = (i32, i32);

/// Where a text stands from its place: `Start` to the right of it.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Draws a picture of this size, in pixels.
pub(super) fn drawn(width: u32, height: u32, draw: impl FnOnce(&Canvas<'_>)) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
    area.fill(&WHITE).expect(DRAWN);
    let canvas = Canvas { area };
    draw(&canvas);
    canvas.area.present().expect(DRAWN);
    drop(canvas);
    svg
}

impl<'a> Canvas<'a> {
    fn draw<E>(&self, element: &E)
    where
        for<'b> &'b E: PointCollection<'b, Place>,
        E: Drawable<SVGBackend<'a>>,
    {
        self.area.draw(element).expect(DRAWN);
    }

    /// A text in the middle of its line; control characters are escaped.
    pub(super) fn text(&self, at: Place, text: &str, size: u32, colour: RGBColor, side: Side) {
        self.written(at, text, size, colour, side, FontTransform::None);
    }

    /// A text to the right of `at`, on a ground of its own: lines may run behind.
    pub(super) fn label(&self, at: Place, text: &str, size: u32, colour: RGBColor) {
        let (x, y) = at;
        self.bar((x - 2, y - 8), (x + width(&fit_for_svg(text), size) + 2, y + 8), WHITE);
        self.text(at, text, size, colour, Side::Start);
    }

    /// A text that is read upwards, its middle at `at`.
    pub(super) fn upwards(&self, at: Place, text: &str, size: u32) {
        self.written(at, text, size, INK, Side::Middle, FontTransform::Rotate270);
    }

    fn written(
        &self,
        at: Place,
        text: &str,
        size: u32,
        colour: RGBColor,
        side: Side,
        turned: FontTransform,
    ) {
        let side = match side {
            Side::Start => HPos::Left,
            Side::Middle => HPos::Center,
            Side::End => HPos::Right,
        };
        // The backend writes a size divided by 1.24.
        let font = ("sans-serif", f64::from(size) * 1.24).into_font().transform(turned);
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(side, VPos::Center));
        self.draw(&Text::new(fit_for_svg(text), at, style));
    }

    /// Lines from point to point.
    pub(super) fn line(&self, points: &[Place], colour: RGBColor, width: u32) {
        self.draw(&PathElement::new(points.to_vec(), colour.stroke_width(width)));
    }

    /// The same, broken into dashes.
    pub(super) fn dashes(&self, points: &[Place], colour: RGBColor, width: u32) {
        for dash in dashes(points) {
            self.line(&dash, colour, width);
        }
    }

    /// A filled rectangle between two corners.
    pub(super) fn bar(&self, from: Place, to: Place, colour: RGBColor) {
        self.draw(&Rectangle::new([from, to], colour.filled()));
    }

    /// A dot; `alpha` from 0, not seen, to 1.
    pub(super) fn dot(&self, at: Place, radius: u32, colour: RGBColor, alpha: f64) {
        self.draw(&Circle::new(at, radius, colour.mix(alpha).filled()));
    }

    /// A filled area.
    pub(super) fn area(&self, points: &[Place], colour: RGBColor, alpha: f64) {
        self.draw(&Polygon::new(points.to_vec(), colour.mix(alpha)));
    }
}

/// What a figure is on an axis: from `low` to `high`, at `from` and `to` in
/// pixels.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: i32,
    to: i32,
    logarithmic: bool,
}

impl Scale {
    /// From 0 to the first round number that is not below `most`.
    pub(super) fn linear(most: f64, from: i32, to: i32) -> Self {
        let step = round_step(most);
        let high = (most / step).ceil().max(1.0) * step;
        Self { low: 0.0, high, from, to, logarithmic: false }
    }

    /// From `low` to `high`, both above 0.
    pub(super) fn logarithmic(low: f64, high: f64, from: i32, to: i32) -> Self {
        let high = if high > low { high } else { low * 10.0 };
        Self { low, high, from, to, logarithmic: true }
    }

    /// Where a figure is, in pixels.
    pub(super) fn place(&self, value: f64) -> i32 {
        let part = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        let length = f64::from(self.to - self.from);
        #[expect(clippy::cast_possible_truncation, reason = "it is cut to the axis")]
        let at = (part.clamp(0.0, 1.0) * length).round() as i32;
        self.from + at
    }

    /// The figures at which the axis is marked.
    pub(super) fn marks(&self) -> Vec<f64> {
        if !self.logarithmic {
            let step = round_step(self.high);
            return (0..=16_u32)
                .map(|i| f64::from(i) * step)
                .filter(|&at| at <= self.high * 1.001)
                .collect();
        }
        let inside = |&at: &f64| at >= self.low * 0.999 && at <= self.high * 1.001;
        let decades = self.low.log10().floor()..=self.high.log10().ceil();
        let mut exponents = Vec::new();
        let mut exponent = *decades.start();
        while exponent <= *decades.end() {
            exponents.push(exponent);
            exponent += 1.0;
        }
        let of = |steps: &[f64]| -> Vec<f64> {
            let all =
                exponents.iter().flat_map(|&e| steps.iter().map(move |step| step * 10_f64.powf(e)));
            all.filter(inside).collect()
        };
        let whole = of(&[1.0]);
        if whole.len() > 3 { whole } else { of(&[1.0, 2.0, 5.0]) }
    }
}

/// The step of 1, 2 or 5 times a power of ten that gives four to nine marks.
fn round_step(most: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf((most / 4.0).log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|step| step * power);
    steps.into_iter().find(|step| most / step >= 4.0).unwrap_or(power)
}

fn dashes(points: &[Place]) -> Vec<[Place; 2]> {
    const DASH: f64 = 6.0;
    const PERIOD: f64 = 10.0;
    let mut dashes = Vec::new();
    let mut gone = 0.0; // since the last period began
    for pair in points.windows(2) {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (x1 - x0).hypot(y1 - y0);
        #[expect(clippy::cast_possible_truncation, reason = "it is between two places")]
        let at = |t: f64| {
            let part = (t / length).clamp(0.0, 1.0);
            ((x0 + (x1 - x0) * part).round() as i32, (y0 + (y1 - y0) * part).round() as i32)
        };
        let mut start = -gone;
        while start < length {
            if start + DASH > 0.0 {
                dashes.push([at(start), at(start + DASH)]);
            }
            start += PERIOD;
        }
        gone = (length + gone) % PERIOD;
    }
    dashes
}

/// A text on one line, without the characters that XML does not have.
fn fit_for_svg(text: &str) -> String {
    printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// A text cut to a number of characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    let shown = printable(text);
    if shown.chars().count() <= most {
        return shown.into_owned();
    }
    shown.chars().take(most.saturating_sub(3)).collect::<String>() + "..."
}

/// About how wide a text is, in pixels.
pub(super) fn width(text: &str, size: u32) -> i32 {
    let characters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 64);
    characters * i32::try_from(size).unwrap_or(12) * 14 / 25
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_element() {
        let svg = drawn(100, 100, |canvas| {
            canvas.text((0, 0), "a<b>&\"'\u{1b}[2J\n\u{ffff}", 12, INK, Side::Start);
        });
        assert!(svg.contains("a&lt;b&gt;&amp;&quot;&apos;\\u{1b}[2J\\n\u{fffd}"), "{svg}");
        assert!(!svg.contains('\u{1b}'));
    }

    #[test]
    fn an_axis_ends_on_a_round_number() {
        for (most, last) in [(0.889, 1.0), (0.1112, 0.12), (1.27, 1.4), (8.0, 8.0), (0.0, 1.0)] {
            let scale = Scale::linear(most, 0, 100);
            let marks = scale.marks();
            assert!((marks.last().unwrap() - last).abs() < 1e-9, "{most}: {marks:?}");
            assert!(marks.len() <= 11, "{most}: {marks:?}");
        }
    }

    #[test]
    fn a_logarithmic_axis_is_marked_by_powers_of_ten() {
        let marks = Scale::logarithmic(10.0, 10_000.0, 0, 300).marks();
        assert_eq!(marks.len(), 4);
        assert!((marks[3] - 10_000.0).abs() < 1e-6);
        assert_eq!(Scale::logarithmic(10.0, 10_000.0, 0, 300).place(100.0), 100);
        assert_eq!(Scale::logarithmic(3.0, 30.0, 0, 300).marks().len(), 3);
    }

    #[test]
    fn dashes_go_on_around_a_corner() {
        // Fourteen pixels there and six down: dashes 0..6, 10..14 with 14..16, and 20.
        let dashes = dashes(&[(0, 0), (14, 0), (14, 6)]);
        assert_eq!(dashes, [[(0, 0), (6, 0)], [(10, 0), (14, 0)], [(14, 0), (14, 2)]]);
    }
}
