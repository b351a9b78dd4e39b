//! Numbers read from MD5 and SHA-1 digests.

use md5::Digest;

/// The MD5 digest of `bytes`, as a whole.
///
/// Source: R. Rivest, RFC 1321, "The MD5 Message-Digest Algorithm", 1992.
#[must_use]
pub fn md5(bytes: &[u8]) -> [u8; 16] {
    md5::Md5::digest(bytes).into()
}

/// The SHA-1 digest of `bytes`, as a whole.
///
/// Source: NIST, FIPS 180-4, "Secure Hash Standard", 2015, section 6.1.
#[must_use]
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    sha1::Sha1::digest(bytes).into()
}

/// The absolute value of the MD5 digest as a signed big-endian number, in
/// `0..=2^127`.
#[must_use]
pub fn md5_magnitude(bytes: &[u8]) -> u128 {
    i128::from_be_bytes(md5(bytes)).unsigned_abs()
}

/// The first `N` bytes of a digest, which has no fewer.
pub(super) fn first<const N: usize>(digest: &[u8]) -> [u8; N] {
    *digest.first_chunk().expect("a digest is longer than the number read from it")
}
