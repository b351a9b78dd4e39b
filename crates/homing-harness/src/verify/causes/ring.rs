//! The ring, as others write it.

mod labels;

use std::sync::Arc;

use homing_core::{Members, draw};
use homing_ring::{Config, Points, Ring};

use self::labels::{Join, Label, formats};
use super::hashes::{self, Hashing};
use super::nodes::{self, Nodes};
use super::texts::{self, Texts};
use crate::verify::{Cause, Part, Program, Suspect};

/// Numbers of points a weight unit that are common.
const COUNTS: [u32; 22] = [
    1, 3, 10, 16, 20, 32, 40, 50, 64, 100, 120, 128, 150, 160, 200, 250, 256, 300, 400, 500, 512,
    1000,
];

/// The most points of all nodes that are tried.
const MOST: u64 = 1 << 22;

/// Which of the points, ascending, owns a position; there is at least one.
type Rule = fn(&[(u64, usize)], u64) -> usize;

#[derive(Clone)]
pub(crate) struct Recipe {
    hashing: Hashing,
    nodes: Nodes, // in order of id
    thrown: Thrown,
    first: u64, // the number of the first copy
    count: u32, // points a weight unit
    rule: Rule,
}

#[derive(Clone)]
enum Thrown {
    Drawn,
    Labelled(Label),
    Assigned(Arc<[(u64, usize)]>), // a position, and the place in `nodes`
}

const RULES: &[(&str, Rule)] = &[
    ("the first point strictly above the position owns it", |points, position| {
        let after = points.partition_point(|&(point, _)| point <= position);
        if after < points.len() { after } else { 0 }
    }),
    ("the last point at or below the position owns it", |points, position| {
        let after = points.partition_point(|&(point, _)| point <= position);
        after.checked_sub(1).unwrap_or(points.len() - 1)
    }),
    ("the nearest point owns the position", |points, position| {
        let after = at_or_above(points, position);
        let before = after.checked_sub(1).unwrap_or(points.len() - 1);
        let up = points[after].0.wrapping_sub(position);
        if up <= position.wrapping_sub(points[before].0) { after } else { before }
    }),
    ("the last point owns what is above it", |points, position| {
        let at = points.partition_point(|&(point, _)| point < position);
        at.min(points.len() - 1)
    }),
];

impl Suspect for Ring {
    type Recipe = Recipe;

    fn recipe(config: &Config, members: &Members) -> Recipe {
        let nodes = Nodes::by_id(members);
        let (thrown, count) = match &config.points {
            Points::Drawn { per_weight } => (Thrown::Drawn, *per_weight),
            Points::Labelled { prefix, separator, per_weight } => {
                let join = Join::Separator(separator.clone());
                (Thrown::Labelled(Label { prefix: prefix.clone(), join }), *per_weight)
            }
            Points::Assigned(list) => {
                let place = |id: &str| nodes.0.iter().position(|node| node.id == id);
                let points = list.iter().filter_map(|(at, id)| Some((*at, place(id.as_str())?)));
                (Thrown::Assigned(points.collect()), 1)
            }
            // Another kind of points is not thrown here: no cause will agree.
            _ => (Thrown::Assigned(Arc::new([])), 1),
        };
        let hashing = Hashing::of(config.hash);
        Recipe { hashing, nodes, thrown, first: 0, count, rule: at_or_above }
    }

    fn causes(recipe: &Recipe) -> Vec<Cause<Recipe>> {
        let mut causes: Vec<Cause<Recipe>> = RULES
            .iter()
            .map(|&(name, rule)| {
                Cause::new(name, Part::Rule, move |recipe: &mut Recipe| recipe.rule = rule)
            })
            .collect();
        if !matches!(recipe.thrown, Thrown::Assigned(_)) {
            causes.extend(of_points(recipe));
            causes.extend(texts::of_all());
        }
        causes.extend(hashes::causes().chain([hashes::absolute()]).chain(texts::of_keys()));
        causes
    }

    fn program(recipe: Recipe) -> Program {
        let points = points(&recipe);
        let Recipe { hashing, nodes, rule, .. } = recipe;
        Box::new(move |key| {
            if points.is_empty() {
                return None;
            }
            let (_, place) = points[rule(&points, hashing.position(key))];
            Some(nodes.0[place].index)
        })
    }
}

/// The causes of a ring whose points are drawn or labelled.
fn of_points(recipe: &Recipe) -> Vec<Cause<Recipe>> {
    let weight: u64 = recipe.nodes.0.iter().map(|node| u64::from(node.weight)).sum();
    let mut prefixes = vec![String::new()];
    let mut causes = Vec::new();
    if let Thrown::Labelled(Label { prefix, .. }) = &recipe.thrown {
        prefixes.push(prefix.clone());
        causes.push(Cause::new(
            "points drawn, not labelled",
            Part::Label,
            |recipe: &mut Recipe| {
                recipe.thrown = Thrown::Drawn;
            },
        ));
    }
    prefixes.dedup();
    for prefix in prefixes {
        causes.extend(formats().into_iter().map(|(name, join)| {
            let label = Label { prefix: prefix.clone(), join };
            let change = move |recipe: &mut Recipe| {
                recipe.thrown = Thrown::Labelled(label.clone());
            };
            Cause::new(format!("points labelled {prefix}{name}"), Part::Label, change)
        }));
    }
    causes.push(Cause::new("copies counted from 1", Part::First, |recipe: &mut Recipe| {
        recipe.first = 1;
    }));
    let counts = COUNTS.into_iter().filter(|&count| u64::from(count) * weight <= MOST);
    causes.extend(counts.map(|count| {
        let change = move |recipe: &mut Recipe| recipe.count = count;
        Cause::new(format!("points={count}"), Part::Count, change)
    }));
    causes.push(nodes::weights());
    causes
}

/// The points, ascending, of equal ones that of the least id.
fn points(recipe: &Recipe) -> Vec<(u64, usize)> {
    let Recipe { hashing, nodes, thrown, first, count, .. } = recipe;
    let mut points = Vec::new();
    for (place, node) in nodes.0.iter().enumerate() {
        let copies = *first..*first + u64::from(*count) * u64::from(node.weight);
        match thrown {
            Thrown::Drawn => {
                let hash = hashing.of_id(node.id.as_bytes());
                points.extend(copies.map(|i| (draw(hash, i), place)));
            }
            Thrown::Labelled(label) => {
                points.extend(copies.map(|i| (hashing.of_id(&label.of(&node.id, i)), place)));
            }
            Thrown::Assigned(list) => {
                points.extend(list.iter().copied().filter(|&(_, of)| of == place));
            }
        }
    }
    if !matches!(thrown, Thrown::Assigned(_)) {
        for (point, _) in &mut points {
            *point = (hashing.kept)(*point);
        }
    }
    points.sort_unstable();
    points.dedup_by_key(|&mut (point, _)| point);
    points
}

fn at_or_above(points: &[(u64, usize)], position: u64) -> usize {
    let at = points.partition_point(|&(point, _)| point < position);
    if at < points.len() { at } else { 0 }
}

shares_parts!(Recipe);
