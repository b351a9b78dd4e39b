//! What it costs to read keys: a gzipped CSV, beside `gzip -dc FILE | wc -l` and
//! one pass of the `csv` crate over the same rows; and how much memory is held at
//! most, of a file with and without a sketch, and of generated keys.
//!
//! Each pair is taken in turn, and the ratio is that of the medians. The variable
//! `HOMING_ROWS` says how many rows, a million if it is not there. Memory is the
//! peak of the process as Linux tells it, and not told elsewhere.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use csv::{ByteRecord, Reader};
use flate2::Compression;
use flate2::write::GzEncoder;
use homing_core::mix64;
use homing_harness::workload::{Form, Generated, KeysFormat, Source, Workload};

/// The rows of the file.
const ROWS: u64 = 1_000_000;

/// The runs of each kind that the ratio is a median of.
const RUNS: usize = 5;

/// The keys that the sketch holds.
const HELD: u64 = 16_384;

fn main() {
    let rows = std::env::var("HOMING_ROWS").ok().and_then(|rows| rows.parse().ok());
    let rows = rows.unwrap_or(ROWS);
    let folder = tempfile::tempdir().expect("a folder for the file can be made");
    let (plain, packed) = (folder.path().join("keys.csv"), folder.path().join("keys.csv.gz"));
    write(&plain, &packed, rows).expect("the file can be written");

    let (mut ours, mut theirs, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.push(timed(|| load(&packed, None).count()));
        let unpacked = timed(|| unpack(&packed));
        let passed = timed(|| pass(&plain));
        theirs.push(unpacked + passed);
        parts.push(passed);
    }
    let (ours, theirs, passed) = (median(ours), median(theirs), median(parts));
    println!(
        "reading {rows} rows of gzipped CSV: {:.3} s, {:.2} times the {:.3} s of gzip -dc | wc -l and one pass of csv ({:.3} s)",
        ours.as_secs_f64(),
        ours.as_secs_f64() / theirs.as_secs_f64(),
        theirs.as_secs_f64(),
        passed.as_secs_f64(),
    );

    for rows in [rows, 4 * rows] {
        write(&plain, &packed, rows).expect("the file can be written");
        let sketch = peak(|| load(&packed, Some(HELD)).count());
        let held = peak(|| load(&packed, None).count());
        tell(&format!("{rows} rows of a file, a sketch of {HELD}"), sketch);
        tell(&format!("{rows} rows of a file, every key held"), held);
    }
    for keys in [10 * rows, 40 * rows] {
        let generated = Source::Generated(Generated { keys, ..Generated::default() });
        let load = || Workload::load(&generated).expect("generated keys need no file");
        tell(&format!("{keys} generated keys"), peak(|| sum(&load())));
    }
}

/// Writes the rows, plain and gzipped: half of them of keys of their own, half of
/// a hundredth as many.
fn write(plain: &Path, packed: &Path, rows: u64) -> std::io::Result<()> {
    let mut plain = BufWriter::new(File::create(plain)?);
    let mut packed = GzEncoder::new(File::create(packed)?, Compression::default());
    let mut line = Vec::new();
    writeln!(plain, "timestamp,key,bytes")?;
    writeln!(packed, "timestamp,key,bytes")?;
    for i in 0..rows {
        let draw = mix64(i + 1);
        let key = if draw.is_multiple_of(2) { i } else { draw % (rows / 100 + 1) };
        line.clear();
        writeln!(line, "{},objects/{:016x},{}", 1_700_000_000 + i / 50, mix64(key), draw >> 44)?;
        plain.write_all(&line)?;
        packed.write_all(&line)?;
    }
    plain.flush()?;
    packed.finish()?.flush()
}

fn load(path: &Path, sketch: Option<u64>) -> Workload {
    let form = Form { format: Some(KeysFormat::Csv), sketch, ..Form::default() };
    let source = Source::named(path, true).read_as(form).expect("the form is allowed");
    Workload::load(&source).expect("every row can be read")
}

fn unpack(path: &Path) -> u64 {
    let output = Command::new("sh")
        .args(["-c", "gzip -dc \"$0\" | wc -l"])
        .arg(path)
        .output()
        .expect("there is a shell with gzip");
    assert!(output.status.success(), "gzip reads what was written");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("wc tells a number")
}

fn pass(path: &Path) -> usize {
    let mut reader = Reader::from_path(path).expect("the file is there");
    let mut record = ByteRecord::new();
    let mut fields = 0;
    while reader.read_byte_record(&mut record).expect("every row can be read") {
        fields += black_box(&record).len();
    }
    fields
}

/// Makes every key, and takes its first byte.
fn sum(workload: &Workload) -> u64 {
    workload.fold(
        || 0_u64,
        |sum, block| *sum += block.keys.iter().map(|key| u64::from(key[0])).sum::<u64>(),
        |a, b| a + b,
    )
}

fn tell(what: &str, peak: Option<u64>) {
    if let Some(kib) = peak {
        println!("{what}: {} MiB more at the peak", kib / 1024);
    }
}

/// How much higher than before the memory of the process is at most, in KiB.
fn peak<T>(run: impl FnOnce() -> T) -> Option<u64> {
    // Linux, proc(5): 5 resets the peak to what is held now.
    fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = status("VmRSS:")?;
    black_box(run());
    Some(status("VmHWM:")?.saturating_sub(before))
}

fn status(field: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(run());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
