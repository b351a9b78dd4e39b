//! Cyclic redundancy checks of 16 bits, bit by bit.
//!
//! Their parameters are those of Ross N. Williams, "A Painless Guide to CRC Error
//! Detection Algorithms", 1993; the variants those of Greg Cook, "Catalogue of
//! parametrised CRC algorithms".

/// A check of some bytes.
pub(super) type Check = fn(&[u8]) -> u16;

/// The variants that are taken for CRC-16/XMODEM.
pub(super) const CHECKS: &[(&str, Check)] = &[
    ("CRC-16/MODBUS", |bytes| reflected(0xA001, 0xFFFF, bytes)),
    ("CRC-16/ARC", |bytes| reflected(0xA001, 0, bytes)),
    ("CRC-16/USB", |bytes| !reflected(0xA001, 0xFFFF, bytes)),
    ("CRC-16/KERMIT", |bytes| reflected(0x8408, 0, bytes)),
    ("CRC-16/MCRF4XX", |bytes| reflected(0x8408, 0xFFFF, bytes)),
    ("CRC-16/IBM-SDLC", |bytes| !reflected(0x8408, 0xFFFF, bytes)),
    ("CRC-16/IBM-3740", |bytes| straight(0x1021, 0xFFFF, bytes)),
    ("CRC-16/SPI-FUJITSU", |bytes| straight(0x1021, 0x1D0F, bytes)),
    ("CRC-16/GENIBUS", |bytes| !straight(0x1021, 0xFFFF, bytes)),
    ("CRC-16/UMTS", |bytes| straight(0x8005, 0, bytes)),
];

/// The greatest bit of a byte first.
fn straight(polynomial: u16, initial: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(initial, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            if crc >> 15 == 1 { (crc << 1) ^ polynomial } else { crc << 1 }
        })
    })
}

/// The least bit of a byte first; the polynomial is mirrored.
fn reflected(polynomial: u16, initial: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(initial, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ polynomial } else { crc >> 1 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_its_published_value() {
        // Greg Cook's catalogue: `check`, the value of the digits 1 to 9.
        let published = [
            ("CRC-16/MODBUS", 0x4B37),
            ("CRC-16/ARC", 0xBB3D),
            ("CRC-16/USB", 0xB4C8),
            ("CRC-16/KERMIT", 0x2189),
            ("CRC-16/MCRF4XX", 0x6F91),
            ("CRC-16/IBM-SDLC", 0x906E),
            ("CRC-16/IBM-3740", 0x29B1),
            ("CRC-16/SPI-FUJITSU", 0xE5CC),
            ("CRC-16/GENIBUS", 0xD64E),
            ("CRC-16/UMTS", 0xFEE8),
        ];
        let found: Vec<(&str, u16)> =
            CHECKS.iter().map(|&(name, check)| (name, check(b"123456789"))).collect();
        assert_eq!(found, published);
    }
}
