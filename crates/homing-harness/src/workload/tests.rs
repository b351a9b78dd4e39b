mod formats;
mod generated;
mod limits;
mod read;
mod shapes;

use super::*;

/// Every key with its requests and bytes, in order, as blocks give them.
fn rows_of(workload: &Workload) -> Vec<(Vec<u8>, Option<u64>, Option<u64>)> {
    workload.fold(
        Vec::new,
        |rows, block| {
            assert_eq!(block.first % BLOCK, 0);
            for (i, key) in block.keys.iter().enumerate() {
                let requests = block.requests.map(|requests| requests[i]);
                rows.push((key.to_vec(), requests, block.bytes.map(|bytes| bytes[i])));
            }
        },
        |mut rows, more| {
            rows.extend(more);
            rows
        },
    )
}

#[test]
fn large_numbers_are_told_in_groups_of_three_digits() {
    let told: Vec<_> = [0, 999, 1000, 48_975, 1_234_567].into_iter().map(grouped).collect();
    assert_eq!(told, ["0", "999", "1,000", "48,975", "1,234,567"]);
}
