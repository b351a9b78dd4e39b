//! The names that a misspelt one may mean.

use alloc::string::String;
use alloc::vec::Vec;

/// How many names are offered.
const OFFERED: usize = 3;

/// Those of `names` that are like a text, the nearest first.
///
/// Like it is a name that begins with it, or holds it, or is no further from it than a
/// third of its length and one in characters that are put in, left out or changed.
pub(crate) fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let far = |name: &str| match name.find(&*text) {
        _ if text.is_empty() => None,
        Some(0) => Some(0),
        Some(_) => Some(1),
        None => {
            let steps = distance(&text, &name.to_lowercase());
            (steps <= 1 + text.chars().count() / 3).then_some(1 + steps)
        }
    };
    let mut found: Vec<(usize, &str)> = names.filter_map(|name| Some((far(name)?, name))).collect();
    found.sort_by_key(|&(far, _)| far);
    found.into_iter().map(|(_, name)| name).take(OFFERED).collect()
}

/// The names as a rule, to follow "must be": the nearest, then all.
pub(crate) fn one_of<'a>(text: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = nearest(text, names.clone()).join(" or ");
    let all = names.collect::<Vec<&str>>().join(", ");
    if near.is_empty() {
        alloc::format!("one of {all}")
    } else {
        alloc::format!("{near}, or one of {all}")
    }
}

/// How many characters are put in, left out or changed from one text to another.
///
/// Source: Robert A. Wagner and Michael J. Fischer, "The String-to-String Correction
/// Problem", Journal of the ACM 21, 1974.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let changed = corner + usize::from(from != to);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_the_fewest_edits() {
        // Worked by hand: k to s, e to i, a g more.
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!((distance("", "ab"), distance("ab", "ab")), (2, 0));
    }

    #[test]
    fn the_nearest_name_stands_first() {
        let names = ["libmemcached", "libketama", "libmemcached-ketama"];
        let near = |text| nearest(text, names.iter().copied());
        assert_eq!(near("libketma"), ["libketama"]);
        assert_eq!(near("ketama"), ["libketama", "libmemcached-ketama"]);
        assert_eq!(near("LIBMEM"), ["libmemcached", "libmemcached-ketama"]);
        assert!(near("zzzzzz").is_empty());
    }
}
