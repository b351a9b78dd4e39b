//! Keys as flags: generated, or read from a file.

use std::path::PathBuf;

use clap::Args;

use crate::quantity::whole;
use crate::workload::{Form, Generated, KeysFormat, MOST_KEYS, Names, Sizes, Skew, Source};
use crate::{Error, Result};

/// A file of keys.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Keys")]
pub struct FileArgs {
    /// Your own keys: CSV, TSV or JSON lines with a column key and, where they
    /// exist, bytes and requests; else one key a line; gzip and zstd are known by
    /// their first bytes; - is standard input
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,

    /// What the file is [default: by its name, else by its first line]
    #[arg(long, value_enum, value_name = "FORMAT")]
    keys_format: Option<KeysFormat>,

    /// The column of the keys [default: key]
    #[arg(long, value_name = "NAME")]
    key_column: Option<String>,

    /// Stop at the first row of keys that cannot be read, instead of passing it
    /// over
    #[arg(long)]
    pub strict: bool,
}

impl FileArgs {
    /// How the file is read.
    #[must_use]
    pub fn form(&self) -> Form {
        let mut form = Form::default();
        self.put_over(&mut form);
        form
    }

    /// Checks that nothing is said of a file where there is none.
    ///
    /// # Errors
    ///
    /// Fails if something is, naming it.
    pub fn check_unused(&self) -> Result<()> {
        let said = [
            ("strict", self.strict),
            ("keys-format", self.keys_format.is_some()),
            ("key-column", self.key_column.is_some()),
        ];
        said.iter().find(|(_, given)| *given).map_or(Ok(()), |(name, _)| Err(for_files(name)))
    }

    fn put_over(&self, form: &mut Form) {
        form.format = self.keys_format.or(form.format);
        if self.key_column.is_some() {
            form.key_column.clone_from(&self.key_column);
        }
    }
}

/// Where keys are from.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Keys")]
pub struct KeysArgs {
    /// The file, if there is one.
    #[command(flatten)]
    pub file: FileArgs,

    /// The column of sizes [default: bytes, if there is one]
    #[arg(long, value_name = "NAME")]
    bytes_column: Option<String>,

    /// The column of requests [default: requests, if there is one]
    #[arg(long, value_name = "NAME")]
    requests_column: Option<String>,

    /// Generate N keys [default: 1000000]
    #[arg(long, value_name = "N", conflicts_with = "keys",
        value_parser = whole::<u64>(1..=MOST_KEYS))]
    sample: Option<u64>,

    /// The seed of the generated keys; the seed of a hash is part of it: hash=xxh3:42
    /// [default: 0]
    #[arg(long, value_name = "SEED", value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,

    /// What generated keys look like: random, numbered, uuid, words, or
    /// tagged:share=0.3,tags=100 [default: random]
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]", conflicts_with = "keys")]
    generate: Option<String>,

    /// How many requests generated keys have: zipf:exponent=1.1 or hot:share=0.2,
    /// with total=N for all of them [default: not told]
    #[arg(long, value_name = "NAME:PARAMETER=VALUE,...", conflicts_with = "keys")]
    requests: Option<String>,

    /// How large what is behind generated keys is:
    /// lognormal:median=1000,sigma=1.5 [default: not told]
    #[arg(long, value_name = "NAME:PARAMETER=VALUE,...", conflicts_with = "keys")]
    sizes: Option<String>,
}

impl KeysArgs {
    /// The keys of the flags alone; `count` of them where they are generated and
    /// nothing says how many.
    ///
    /// # Errors
    ///
    /// As [`put_over`](Self::put_over).
    pub fn read(&self, count: u64) -> Result<Source> {
        let mut source = Source::Generated(Generated { keys: count, ..Generated::default() });
        self.put_over(&mut source)?;
        Ok(source)
    }

    /// Whether the command line says which keys there are, rather than how many
    /// stand for all there could be.
    #[must_use]
    pub fn given(&self) -> bool {
        let shapes = [&self.generate, &self.requests, &self.sizes];
        self.file.keys.is_some() || shapes.iter().any(|shape| shape.is_some())
    }

    /// Puts what the command line says over what is there, each flag over its own
    /// field alone.
    ///
    /// # Errors
    ///
    /// Fails if a flag is for a file and the keys are generated, or the other way
    /// round, or a value is out of its range.
    pub fn put_over(&self, source: &mut Source) -> Result<()> {
        let named = self.file.keys.as_deref();
        if let Some(path) = named {
            *source = Source::named(path, false);
        }
        match source {
            Source::Generated(generated) => self.put_over_generated(generated),
            Source::File { strict, form, .. } | Source::Stdin { strict, form } => {
                let for_generated = [
                    ("sample", self.sample.is_some()),
                    ("seed", self.seed.is_some()),
                    ("generate", self.generate.is_some()),
                    ("requests", self.requests.is_some()),
                    ("sizes", self.sizes.is_some()),
                ];
                if let Some((name, _)) = for_generated.iter().find(|(_, given)| *given) {
                    let who = if named.is_some() { "--keys" } else { "the scenario" };
                    return Err(Error::Usage(format!(
                        "{name} is for generated keys, but {who} reads a file"
                    )));
                }
                *strict |= self.file.strict;
                self.file.put_over(form);
                for (over, column) in [
                    (&self.bytes_column, &mut form.bytes_column),
                    (&self.requests_column, &mut form.requests_column),
                ] {
                    if over.is_some() {
                        column.clone_from(over);
                    }
                }
                form.check()
            }
        }
    }

    fn put_over_generated(&self, generated: &mut Generated) -> Result<()> {
        self.file.check_unused()?;
        let columns = [
            ("bytes-column", self.bytes_column.is_some()),
            ("requests-column", self.requests_column.is_some()),
        ];
        if let Some((name, _)) = columns.iter().find(|(_, given)| *given) {
            return Err(for_files(name));
        }
        generated.keys = self.sample.unwrap_or(generated.keys);
        generated.seed = self.seed.unwrap_or(generated.seed);
        if let Some(text) = &self.generate {
            generated.names = Names::parse(text)?;
        }
        if let Some(text) = &self.requests {
            generated.skew = Some(Skew::parse(text, generated.keys)?);
        }
        if let Some(text) = &self.sizes {
            generated.sizes = Some(Sizes::parse(text)?);
        }
        Ok(())
    }
}

/// That something is said of a file of keys where there is none.
pub(super) fn for_files(name: &str) -> Error {
    Error::Usage(format!("{name} is for keys from a file"))
}
