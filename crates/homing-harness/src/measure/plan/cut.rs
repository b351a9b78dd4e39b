//! A way cut into stretches, each as long as may be.

use homing_core::Placement;

use super::Counter;
use crate::Result;
use crate::measure::difference::Amount;
use crate::progress::Progress;

/// How near to the limit a stretch is long enough, so that fewer layouts are built.
const NEAR: f64 = 0.95;

/// A stretch: up to which place, what it moves, and whether that is too much.
pub(super) struct Stretch {
    pub(super) to: usize,
    pub(super) layout: Box<dyn Placement>,
    pub(super) moved: Amount,
    pub(super) exceeds: bool,
}

/// Cuts the way from `before` (place 0) over the layouts at places 1 and on to
/// `after` (place `length`) into stretches that move at most `limit`.
///
/// A stretch of one place that moves more is told as such. A place may have no
/// layout, and is then passed over.
///
/// # Errors
///
/// Fails if a layout cannot be built.
pub(super) fn cut(
    counter: &Counter<'_>,
    before: &dyn Placement,
    after: &dyn Placement,
    length: usize,
    limit: f64,
    layout_at: impl Fn(usize) -> Result<Option<Box<dyn Placement>>>,
) -> Result<Vec<Stretch>> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut at, mut here) = (0, before.dyn_clone());
    let progress = Progress::new(length);
    loop {
        progress.step("cutting the plan into steps");
        let moved = counter.moved(&*here, after);
        let rest = counter.of(&moved);
        if rest <= limit || at + 1 >= length {
            let exceeds = rest > limit;
            stretches.push(Stretch { to: length, layout: after.dyn_clone(), moved, exceeds });
            return Ok(stretches);
        }
        let next = stretch(counter, &*here, at..length, limit, rest, &layout_at)?;
        let Some(next) = next else {
            let exceeds = rest > limit;
            stretches.push(Stretch { to: length, layout: after.dyn_clone(), moved, exceeds });
            return Ok(stretches);
        };
        at = next.to;
        here = next.layout.clone();
        stretches.push(next);
    }
}

/// The longest stretch found from `way.start`, where all of `way` moves `rest`,
/// more than the limit; `None` if no place before the end has a layout.
fn stretch(
    counter: &Counter<'_>,
    here: &dyn Placement,
    way: std::ops::Range<usize>,
    limit: f64,
    rest: f64,
    layout_at: &impl Fn(usize) -> Result<Option<Box<dyn Placement>>>,
) -> Result<Option<Stretch>> {
    let (mut fits, mut too_far) = (way.start, way.end);
    let mut best: Option<Stretch> = None;
    // What moves grows about evenly along the way.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place")]
    let guess = ((way.len() as f64 * limit / rest) * 0.98) as usize;
    let mut probe = (way.start + guess).clamp(way.start + 1, way.end - 1);
    while too_far - fits > 1 {
        let Some((to, layout)) = first_from(probe, too_far, layout_at)? else {
            too_far = probe;
            probe = fits + (too_far - fits) / 2;
            continue;
        };
        let moved = counter.moved(here, &*layout);
        let count = counter.of(&moved);
        if count <= limit {
            fits = to;
            best = Some(Stretch { to, layout, moved, exceeds: false });
            if count >= limit * NEAR {
                break;
            }
        } else {
            too_far = probe;
        }
        probe = fits + (too_far - fits) / 2;
    }
    if best.is_some() {
        return Ok(best);
    }
    let next = first_from(way.start + 1, way.end, layout_at)?;
    Ok(next.map(|(to, layout)| {
        let moved = counter.moved(here, &*layout);
        Stretch { to, layout, moved, exceeds: true }
    }))
}

/// The first place from `from`, below `end`, that has a layout.
fn first_from(
    from: usize,
    end: usize,
    layout_at: &impl Fn(usize) -> Result<Option<Box<dyn Placement>>>,
) -> Result<Option<(usize, Box<dyn Placement>)>> {
    for place in from..end {
        if let Some(layout) = layout_at(place)? {
            return Ok(Some((place, layout)));
        }
    }
    Ok(None)
}
