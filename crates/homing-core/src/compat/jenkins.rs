//! Hashes of Bob Jenkins and of Paul Hsieh.

/// `lookup3`, `hashlittle`: the word c.
///
/// Source: Bob Jenkins, "lookup3.c", 2006.
pub(super) fn lookup3(bytes: &[u8], seed: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the definition counts in 32 bits")]
    let length = bytes.len() as u32;
    let start = 0xDEAD_BEEF_u32.wrapping_add(length).wrapping_add(seed);
    let (mut a, mut b, mut c) = (start, start, start);
    let mut rest = bytes;
    // A last block of twelve bytes is not mixed but finished.
    while rest.len() > 12 {
        let (block, after) = rest.split_at(12);
        (a, b, c) = mix(add([a, b, c], block));
        rest = after;
    }
    if rest.is_empty() {
        return c;
    }
    finish(add([a, b, c], rest))
}

/// Adds up to twelve bytes to the three words, little-endian.
fn add(words: [u32; 3], bytes: &[u8]) -> [u32; 3] {
    let mut block = [0; 12];
    block[..bytes.len()].copy_from_slice(bytes);
    let (block, _) = block.as_chunks();
    core::array::from_fn(|i| words[i].wrapping_add(u32::from_le_bytes(block[i])))
}

const fn mix([mut a, mut b, mut c]: [u32; 3]) -> (u32, u32, u32) {
    a = a.wrapping_sub(c) ^ c.rotate_left(4);
    c = c.wrapping_add(b);
    b = b.wrapping_sub(a) ^ a.rotate_left(6);
    a = a.wrapping_add(c);
    c = c.wrapping_sub(b) ^ b.rotate_left(8);
    b = b.wrapping_add(a);
    a = a.wrapping_sub(c) ^ c.rotate_left(16);
    c = c.wrapping_add(b);
    b = b.wrapping_sub(a) ^ a.rotate_left(19);
    a = a.wrapping_add(c);
    c = c.wrapping_sub(b) ^ b.rotate_left(4);
    b = b.wrapping_add(a);
    (a, b, c)
}

const fn finish([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}

/// One-at-a-time.
///
/// Source: Bob Jenkins, "Algorithm Alley: Hash Functions", Dr. Dobb's Journal,
/// September 1997.
pub(super) fn one_at_a_time(bytes: impl Iterator<Item = u32>) -> u32 {
    let hash = bytes.fold(0_u32, |mut hash, byte| {
        hash = hash.wrapping_add(byte);
        hash = hash.wrapping_add(hash << 10);
        hash ^ (hash >> 6)
    });
    let mut hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 11;
    hash.wrapping_add(hash << 15)
}

/// SuperFastHash as memcached's clients have it: started at 0 and not at the
/// length, and of the bytes left over a third one is sign-extended, a lone one not.
///
/// Source: Paul Hsieh, "Hash functions", 2004.
pub(super) fn super_fast(bytes: &[u8]) -> u32 {
    let half = |bytes: &[u8]| u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
    let (words, rest) = bytes.as_chunks::<4>();
    let mut hash = 0_u32;
    for word in words {
        hash = hash.wrapping_add(half(word));
        hash = (hash << 16) ^ (half(&word[2..]) << 11) ^ hash;
        hash = hash.wrapping_add(hash >> 11);
    }
    match rest.len() {
        3 => {
            hash = hash.wrapping_add(half(rest));
            let third = i32::from(rest[2].cast_signed()).cast_unsigned();
            hash ^= (hash << 16) ^ (third << 18);
            hash = hash.wrapping_add(hash >> 11);
        }
        2 => {
            hash = hash.wrapping_add(half(rest));
            hash ^= hash << 11;
            hash = hash.wrapping_add(hash >> 17);
        }
        1 => {
            hash = hash.wrapping_add(rest[0].into());
            hash ^= hash << 10;
            hash = hash.wrapping_add(hash >> 1);
        }
        _ => {}
    }
    hash ^= hash << 3;
    hash = hash.wrapping_add(hash >> 5);
    hash ^= hash << 4;
    hash = hash.wrapping_add(hash >> 17);
    hash ^= hash << 25;
    hash.wrapping_add(hash >> 6)
}
