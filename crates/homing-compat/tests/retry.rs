//! Keys that are hashed again until a server is up.

use homing_compat::{Server, nginx_hash};

const UP: Server = Server { weight: 1, down: false };
const DOWN: Server = Server { weight: 1, down: true };

#[test]
fn keys_whose_server_is_down_go_where_the_vectors_say() {
    // nginx/nginx_hash.jsonl: `one-down`, the second of four; `user:1` and those after it are
    // hashed again.
    let servers = [UP, DOWN, UP, UP];
    for (key, owner) in [
        ("foo", 3),
        ("bar", 3),
        ("hello", 0),
        ("user:1", 0),
        ("user:10086", 3),
        ("session:abc", 0),
        ("12345", 0),
    ] {
        assert_eq!(nginx_hash(key.as_bytes(), &servers), Some(owner), "{key}");
    }
}

#[test]
fn weights_are_places_in_a_row() {
    // nginx/nginx_hash.jsonl: `w123`.
    let servers = [1, 2, 3].map(|weight| Server { weight, ..UP });
    for (key, owner) in [("foo", 1), ("bar", 1), ("hello", 2), ("user:1", 2), ("user:10086", 1)] {
        assert_eq!(nginx_hash(key.as_bytes(), &servers), Some(owner), "{key}");
    }
}

#[test]
fn nobody_owns_a_key_that_is_empty_or_whose_servers_are_all_down() {
    assert_eq!(nginx_hash(b"", &[UP; 3]), None);
    assert_eq!(nginx_hash(b"foo", &[DOWN; 3]), None);
    assert_eq!(nginx_hash(b"foo", &[]), None);
    assert_eq!(nginx_hash(b"foo", &[Server { weight: 0, ..UP }]), None);
}
