//! The CRC by tables: the plain form, for every processor.

/// The polynomial of CRC-16/XMODEM without its x^16: x^12 + x^5 + 1.
pub(crate) const POLYNOMIAL: u16 = 0x1021;

/// `TABLES[i][byte]` is the CRC of `byte` followed by i zero bytes.
///
/// A table a place lets the sixteen loads of a block go side by side: "slicing", from
/// Michael E. Kounavis and Frank L. Berry, "Novel Table Lookup-Based Algorithms for
/// High-Performance CRC Generation", IEEE Transactions on Computers 57 (11), 2008.
static TABLES: [[u16; 256]; 16] = {
    let mut tables = [[0; 256]; 16];
    let mut byte = 0_u16;
    while byte < 256 {
        let mut crc = byte << 8;
        let mut place = 0;
        while place < 16 {
            crc = times_x(crc, 8);
            tables[place][byte as usize] = crc;
            place += 1;
        }
        byte += 1;
    }
    tables
};

/// `crc` times x^n, modulo the polynomial.
pub(crate) const fn times_x(mut crc: u16, n: u32) -> u16 {
    let mut i = 0;
    while i < n {
        crc = (crc << 1) ^ (if crc >> 15 == 1 { POLYNOMIAL } else { 0 });
        i += 1;
    }
    crc
}

/// The CRC-16/XMODEM of `bytes`.
#[inline]
pub(crate) fn crc16(bytes: &[u8]) -> u16 {
    if bytes.len() <= 16 { of_short(right_aligned(bytes), bytes.len()) } else { of_long(bytes) }
}

/// The CRC of the `length` bytes that are right-aligned in `block`, at most 16.
#[inline]
pub(crate) fn of_short(block: u128, length: usize) -> u16 {
    let [first, second, third, fourth] = quarters(block);
    let mut crc = of_quarter(fourth, 0) ^ of_quarter(third, 4);
    if length > 8 {
        crc ^= of_quarter(second, 8);
        if length > 12 {
            crc ^= of_quarter(first, 12);
        }
    }
    crc
}

fn of_long(bytes: &[u8]) -> u16 {
    let (head, blocks) = bytes.as_rchunks();
    blocks.iter().fold(of_short(right_aligned(head), head.len()), |crc, block| {
        of_short(u128::from_be_bytes(*block) ^ u128::from(crc) << 112, 16)
    })
}

#[inline]
fn of_quarter(quarter: u32, place: usize) -> u16 {
    let [a, b, c, d] = quarter.to_le_bytes();
    TABLES[place][usize::from(a)]
        ^ TABLES[place + 1][usize::from(b)]
        ^ TABLES[place + 2][usize::from(c)]
        ^ TABLES[place + 3][usize::from(d)]
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each takes its own 32 bits")]
fn quarters(block: u128) -> [u32; 4] {
    [(block >> 96) as u32, (block >> 64) as u32, (block >> 32) as u32, block as u32]
}

/// At most 16 bytes as the low bytes of a number, the last byte lowest.
///
/// The zeros in front do not change a CRC whose initial value is 0.
#[inline]
pub(crate) fn right_aligned(bytes: &[u8]) -> u128 {
    let length = bytes.len();
    // Where the first and the last bytes overlap they are the same.
    if length > 8
        && let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk())
    {
        let first = u64::from_be_bytes(*first) >> (8 * (16 - length));
        u128::from(first) << 64 | u128::from(u64::from_be_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let first = u64::from(u32::from_be_bytes(*first)) << (8 * (length - 4));
        (first | u64::from(u32::from_be_bytes(*last))).into()
    } else {
        bytes.iter().fold(0_u32, |block, &byte| block << 8 | u32::from(byte)).into()
    }
}

/// Whether one of the bytes of `block` is `{`.
///
/// Source: Alan Mycroft's test for a zero byte, 1987, which Sean Eron Anderson gives
/// in "Bit Twiddling Hacks", "Determine if a word has a zero byte".
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each half has its own 64 bits")]
pub(crate) fn has_brace(block: u128) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let zeros = |half: u64| {
        let half = half ^ (ONES * u64::from(b'{'));
        half.wrapping_sub(ONES) & !half & (ONES << 7)
    };
    zeros(block as u64) | zeros((block >> 64) as u64) != 0
}
