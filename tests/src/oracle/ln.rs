//! The logarithm of the weighted rendezvous score, operation by operation.

const L: [u64; 7] = [
    0x3FE5_5555_5555_5593,
    0x3FD9_9999_9997_FA04,
    0x3FD2_4924_9422_9359,
    0x3FCC_71C5_1D8E_78AF,
    0x3FC7_4664_96CB_03DE,
    0x3FC3_9A09_D078_C69F,
    0x3FC2_F112_DF3E_5244,
];
const B: u64 = 0x3FE6_2E42_FEE0_0000;
const C: u64 = 0x3DEA_39EF_3579_3C76;

/// Returns the natural logarithm of `u`, which is above 0 and below 1.
///
/// # Panics
///
/// Panics if `u` is below 0.
#[must_use]
#[expect(clippy::many_single_char_names, reason = "the names are the definition's")]
pub fn ln(u: f64) -> f64 {
    let [l1, l2, l3, l4, l5, l6, l7] = L.map(f64::from_bits);
    let t = u.to_bits() + 0x0009_5F62_0000_0000;
    let exponent = i32::try_from(t >> 52).expect("an exponent has eleven bits");
    let k = f64::from(exponent - 1023);
    let f = f64::from_bits((t & 0x000F_FFFF_FFFF_FFFF) + 0x3FE6_A09E_0000_0000) - 1.0;
    let h = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let y = z * z;
    let a = y * (l2 + y * (l4 + y * l6));
    let b = z * (l1 + y * (l3 + y * (l5 + y * l7)));
    let r = b + a;
    s * (h + r) + k * f64::from_bits(C) - h + f + k * f64::from_bits(B)
}
