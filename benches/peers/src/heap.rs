//! [`Counting`], the allocator of this program, and [`measured`], which reads it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator; while [`measured`] runs it also counts bytes.
///
/// Otherwise an allocation costs one load more than the system's.
pub(crate) struct Counting;

/// What a call did to the heap, in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Heap {
    /// Held after the call, and not before it.
    pub(crate) held: u64,
    /// The greatest that was held at one time during the call, and not before it.
    pub(crate) peak: u64,
}

/// Bytes since counting began.
#[derive(Clone, Copy, Default)]
struct Count {
    held: i64, // below 0 where more was freed
    peak: i64, // the greatest of `held`, at least 0
}

thread_local! {
    // Without a destructor, so that it can be asked as long as the thread allocates.
    static COUNT: Cell<Option<Count>> = const { Cell::new(None) };
}

/// Returns what `call` returns and what it did to the heap, on this thread.
pub(crate) fn measured<T>(call: impl FnOnce() -> T) -> (T, Heap) {
    COUNT.set(Some(Count::default()));
    let result = call();
    let Count { held, peak } = COUNT.take().unwrap_or_default();
    (result, Heap { held: held.max(0).unsigned_abs(), peak: peak.unsigned_abs() })
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one hands on to the system's"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let block = unsafe { System.alloc(layout) };
        count(!block.is_null(), layout.size(), 0);
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let block = unsafe { System.alloc_zeroed(layout) };
        count(!block.is_null(), layout.size(), 0);
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) };
        count(true, 0, layout.size());
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let moved = unsafe { System.realloc(block, layout, size) };
        // Both blocks may exist while the bytes are copied.
        count(!moved.is_null(), size, layout.size());
        moved
    }
}

/// Counts `taken` bytes, then `freed` ones.
#[inline]
fn count(done: bool, taken: usize, freed: usize) {
    if !done {
        return;
    }
    if let Some(Count { held, peak }) = COUNT.get() {
        let held = held + taken.cast_signed() as i64;
        let count = Count { held: held - freed.cast_signed() as i64, peak: peak.max(held) };
        COUNT.set(Some(count));
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn what_stays_is_held_and_what_went_was_at_the_peak() {
        let (kept, heap) = measured(|| {
            drop(black_box(Vec::<u8>::with_capacity(3_000_000)));
            black_box(Vec::<u8>::with_capacity(1_000_000))
        });
        assert_eq!(kept.capacity(), 1_000_000);
        assert_eq!(heap, Heap { held: 1_000_000, peak: 3_000_000 });
    }

    #[test]
    fn what_was_there_before_is_not_counted() {
        let before = black_box(vec![0_u8; 1_000]);
        let ((), heap) = measured(|| drop(before));
        assert_eq!(heap, Heap { held: 0, peak: 0 });
    }
}
