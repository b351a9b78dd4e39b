//! [`nginx_hash`], where a key is hashed again until a server is up.

use alloc::string::ToString;

use homing_core::compat::Algorithm;

/// A server in the order of the configuration, as [`nginx_hash`] takes it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Server {
    /// How many times it stands in the list, in a row.
    pub weight: u32,
    /// Whether it is down. It keeps its place in the list.
    pub down: bool,
}

/// Returns the place of the server that owns a key under `hash` without `consistent`, or
/// `None` where nginx takes turns instead: for the empty key, and after 21 servers that
/// are down; or if no weight is above 0.
///
/// The sum of the hashes so far, mod the sum of the weights, is a place in the list: at
/// first that of the key, then those of the key after the number of the try, in decimal.
/// As long as no server is down, this is `homing-modulo` with buckets `repeated`; what
/// hashes again is no placement, as a key then has no position.
///
/// # Examples
///
/// ```
/// use homing_compat::{Server, nginx_hash};
///
/// let up = Server { weight: 1, down: false };
/// assert_eq!(nginx_hash(b"foo", &[up; 3]), Some(1));
/// assert_eq!(nginx_hash(b"", &[up; 3]), None);
/// ```
#[must_use]
pub fn nginx_hash(key: &[u8], servers: &[Server]) -> Option<usize> {
    const RETRIES: u32 = 20;
    let total: u64 = servers.iter().map(|server| u64::from(server.weight)).sum();
    if key.is_empty() || total == 0 {
        return None;
    }
    let mut sum = 0;
    for retry in 0..=RETRIES {
        let hash = if retry == 0 {
            Algorithm::Crc32Bits15.hash(key)
        } else {
            Algorithm::Crc32Bits15.hash(&[retry.to_string().as_bytes(), key].concat())
        };
        sum += hash;
        let mut rest = sum % total;
        let place = servers.iter().position(|server| {
            let within = rest < u64::from(server.weight);
            rest = rest.saturating_sub(u64::from(server.weight));
            within
        })?;
        if !servers[place].down {
            return Some(place);
        }
    }
    None
}
