//! [`Aside`], an input that a thread of its own reads ahead.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

/// How many bytes are asked for at a time.
const BLOCK: usize = 1 << 16;

/// How many blocks may wait for who takes them.
const WAITING: usize = 4;

/// An input that a thread of its own reads, so that unpacking it and taking its lines
/// go on at the same time.
///
/// What was read before an error comes before the error.
pub(crate) struct Aside {
    blocks: Receiver<io::Result<Vec<u8>>>, // an empty one stands for the end
    block: Vec<u8>,
    at: usize, // block[at..] is not taken
    ended: bool,
}

impl Aside {
    /// Begins to read.
    ///
    /// # Errors
    ///
    /// Fails if the system grants no thread.
    pub(crate) fn read(input: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, blocks) = mpsc::sync_channel(WAITING);
        thread::Builder::new().name("input".to_owned()).spawn(move || send(input, &sender))?;
        Ok(Self { blocks, block: Vec::new(), at: 0, ended: false })
    }
}

/// Sends what there is to read, until there is no more or nobody who takes it.
fn send(mut input: impl Read, blocks: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK];
        let read = match input.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let last = !matches!(read, Ok(1..));
        let sent = blocks.send(read.map(|read| {
            block.truncate(read);
            block
        }));
        if last || sent.is_err() {
            return;
        }
    }
}

impl BufRead for Aside {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.block.len() && !self.ended {
            // A thread that panicked has not said that this is the end.
            let lost = |_| Err(io::Error::other("the thread that reads it has failed"));
            let block = self.blocks.recv().unwrap_or_else(lost);
            self.ended = !matches!(&block, Ok(block) if !block.is_empty());
            (self.block, self.at) = (block?, 0);
        }
        Ok(&self.block[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        debug_assert!(amount <= self.block.len() - self.at, "no more is taken than was shown");
        self.at = self.block.len().min(self.at + amount);
    }
}

impl Read for Aside {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut block = self.fill_buf()?;
        let read = block.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives what it holds in pieces of one to three bytes, and then an error, if it
    /// has one, or a panic.
    struct Pieces(Vec<u8>, Option<io::ErrorKind>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(1 + self.0.len() % 3);
            match (count, self.1.take()) {
                (0, Some(kind)) => Err(kind.into()),
                (0, None) => panic!("asked again after its error"),
                (_, kind) => {
                    self.1 = kind;
                    buffer[..count].copy_from_slice(&self.0[..count]);
                    self.0.drain(..count);
                    Ok(count)
                }
            }
        }
    }

    #[test]
    fn all_bytes_come_in_their_order_and_the_end_stays() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut aside = Aside::read(io::Cursor::new(text.clone())).unwrap();
        let mut read = Vec::new();
        aside.read_to_end(&mut read).unwrap();
        assert!(read == text);
        assert_eq!(aside.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn what_stands_before_an_error_comes_before_it() {
        let broken = Pieces(b"key-1\nkey-2".to_vec(), Some(io::ErrorKind::InvalidData));
        let mut aside = Aside::read(broken).unwrap();
        let mut read = Vec::new();
        let error = aside.read_to_end(&mut read).unwrap_err();
        assert_eq!(read, b"key-1\nkey-2");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_thread_that_fails_is_no_end() {
        let mut aside = Aside::read(Pieces(b"key".to_vec(), None)).unwrap();
        let mut read = Vec::new();
        let error = aside.read_to_end(&mut read).unwrap_err();
        assert_eq!((read, error.kind()), (b"key".to_vec(), io::ErrorKind::Other));
    }
}
