//! Gzip and zstd, all members or frames of an input one after the other.

use std::error::Error as _;
use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How many of the first bytes tell what an input is.
pub(crate) const TELLING: usize = 4;

/// RFC 1952, section 2.3.1: the first two bytes of a gzip member.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// RFC 8878, section 3.1.1: the first four bytes of a zstd frame.
const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// RFC 8878, section 3.1.2: those of a frame to be skipped, after its first, which
/// is from 0x50 to 0x5f.
const SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// How an input is packed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Packed {
    Gzip,
    Zstd,
}

impl Packed {
    /// What an input is that begins with these bytes.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        if start.starts_with(&MAGIC) {
            return Some(Self::Gzip);
        }
        (start.len() == TELLING && may_be_zstd(start)).then_some(Self::Zstd)
    }

    /// Whether an input may be packed that begins with these bytes, and more of them
    /// tell.
    pub(crate) fn may_be(start: &[u8]) -> bool {
        may_be_zstd(start)
    }

    /// The name of the form.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// What is packed in an input.
    pub(crate) fn open(self, input: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        match self {
            Self::Gzip => Box::new(Members(Some(GzDecoder::new(input)))),
            Self::Zstd => Box::new(Frames { input, decoder: FrameDecoder::new(), within: false }),
        }
    }
}

/// The contents of the members of a gzip stream, one after the other.
///
/// `flate2` takes whatever follows a member for the next one, and says of other
/// bytes that they are cut off.
struct Members<R>(Option<GzDecoder<R>>); // none at the end

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let next = member.get_mut().fill_buf()?;
            let ended = next.is_empty();
            if !ended && !MAGIC.starts_with(&next[..next.len().min(MAGIC.len())]) {
                return Err(after_the_end(Packed::Gzip));
            }
            let rest = self.0.take().map(GzDecoder::into_inner);
            self.0 = rest.filter(|_| !ended).map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// The contents of the frames of a zstd stream, one after the other.
struct Frames<R> {
    input: R,
    decoder: FrameDecoder,
    within: bool, // a frame
}

impl<R: BufRead> Frames<R> {
    /// Enters the next frame; `false` at the end.
    fn enter(&mut self) -> io::Result<bool> {
        loop {
            let next = self.input.fill_buf()?;
            if next.is_empty() {
                return Ok(false);
            }
            if !may_be_zstd(&next[..next.len().min(TELLING)]) {
                return Err(after_the_end(Packed::Zstd));
            }
            let length = match self.decoder.reset(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => u64::from(length),
                Err(error) => return Err(in_frame(&error)),
            };
            if io::copy(&mut self.input.by_ref().take(length), &mut io::sink())? < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.within {
                self.within = self.enter()?;
                if !self.within {
                    return Ok(0);
                }
            }
            if self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.input, one)
                    .map_err(|error| in_frame(&error))?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if self.decoder.is_finished() && self.decoder.can_collect() == 0 {
                let stated = self.decoder.get_checksum_from_data();
                if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "a wrong checksum"));
                }
                self.within = false;
            }
        }
    }
}

/// Whether a frame may begin so, as far as there are bytes.
fn may_be_zstd(start: &[u8]) -> bool {
    let skipped = |start: &[u8]| match start {
        [0x50..=0x5f, rest @ ..] => SKIPPED.starts_with(rest),
        _ => false,
    };
    FRAME.starts_with(start) || skipped(start)
}

fn after_the_end(packed: Packed) -> io::Error {
    let name = packed.name();
    io::Error::other(format!(
        "the {name} stream has ended, but bytes that are no {name} stand after it"
    ))
}

/// What the decoder says, as what it is: cut off, unreadable, or damaged.
fn in_frame(error: &FrameDecoderError) -> io::Error {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return io::Error::from(inner.kind());
        }
        cause = inner.source();
    }
    let text = error.to_string();
    io::Error::new(io::ErrorKind::InvalidData, text.trim_end_matches('.').to_owned())
}
