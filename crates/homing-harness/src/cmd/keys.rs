//! Keys as flags: generated, or read from a file.

use std::path::PathBuf;

use clap::Args;

use crate::workload::{Form, Generated, KeysFormat, Names, Sizes, Skew, Source};
use crate::{Error, Result};

/// Where keys are from.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Keys")]
pub struct KeysArgs {
    /// Your own keys: CSV, TSV or JSON lines with a column key and, where they
    /// exist, bytes and requests; else one key a line; gzip and zstd are known by
    /// their first bytes; - is standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["sample", "seed", "generate", "requests", "sizes"]
    )]
    pub keys: Option<PathBuf>,

    /// What the file is [default: by its name, else by its first line]
    #[arg(long, value_enum, value_name = "FORMAT")]
    keys_format: Option<KeysFormat>,

    /// The column of the keys [default: key]
    #[arg(long, value_name = "NAME")]
    key_column: Option<String>,

    /// The column of sizes [default: bytes, if there is one]
    #[arg(long, value_name = "NAME")]
    bytes_column: Option<String>,

    /// The column of requests [default: requests, if there is one]
    #[arg(long, value_name = "NAME")]
    requests_column: Option<String>,

    /// Stop at the first row of keys that cannot be read, instead of passing it
    /// over
    #[arg(long)]
    strict: bool,

    /// Hold N keys at most, whatever the file has: a sample of all, and those with
    /// the most requests, within a bound
    #[arg(long, value_name = "N")]
    sketch: Option<u64>,

    /// Generate N keys [default: 1000000]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// The seed of the generated keys; the seed of a hash is part of it: hash=xxh3:42
    /// [default: 0]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// What generated keys look like: random, numbered, uuid, words, or
    /// tagged:share=0.3,tags=100 [default: random]
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]")]
    generate: Option<String>,

    /// How many requests generated keys have: zipf:exponent=1.1 or hot:share=0.2,
    /// with total=N for all of them [default: not told]
    #[arg(long, value_name = "NAME:PARAMETER=VALUE,...")]
    requests: Option<String>,

    /// How large what is behind generated keys is:
    /// lognormal:median=1000,sigma=1.5 [default: not told]
    #[arg(long, value_name = "NAME:PARAMETER=VALUE,...")]
    sizes: Option<String>,
}

impl KeysArgs {
    /// The keys of the flags alone.
    ///
    /// # Errors
    ///
    /// As [`put_over`](Self::put_over).
    pub fn read(&self) -> Result<Source> {
        let mut source = Source::default();
        self.put_over(&mut source)?;
        Ok(source)
    }

    /// Puts what the command line says over what is there, each flag over its own
    /// field alone.
    ///
    /// # Errors
    ///
    /// Fails if a flag is for a file and the keys are generated, or the other way
    /// round, or a value is out of its range.
    pub fn put_over(&self, source: &mut Source) -> Result<()> {
        if let Some(path) = &self.keys {
            *source = Source::named(path, false);
        }
        match source {
            Source::Generated(generated) => self.put_over_generated(generated),
            Source::File { strict, form, .. } | Source::Stdin { strict, form } => {
                if self.sample.is_some() || self.seed.is_some() {
                    return Err(Error::Usage(
                        "sample and seed are for generated keys, but the scenario reads a file"
                            .into(),
                    ));
                }
                let shapes = [
                    ("generate", &self.generate),
                    ("requests", &self.requests),
                    ("sizes", &self.sizes),
                ];
                if let Some((name, _)) = shapes.iter().find(|(_, given)| given.is_some()) {
                    return Err(Error::Usage(format!(
                        "{name} is for generated keys, but the scenario reads a file"
                    )));
                }
                *strict |= self.strict;
                self.put_over_form(form)
            }
        }
    }

    /// How a file of keys is read.
    ///
    /// # Errors
    ///
    /// As [`Form::check`].
    pub fn form(&self) -> Result<Form> {
        let mut form = Form::default();
        self.put_over_form(&mut form)?;
        Ok(form)
    }

    fn put_over_form(&self, form: &mut Form) -> Result<()> {
        form.format = self.keys_format.or(form.format);
        for (over, column) in [
            (&self.key_column, &mut form.key_column),
            (&self.bytes_column, &mut form.bytes_column),
            (&self.requests_column, &mut form.requests_column),
        ] {
            if over.is_some() {
                column.clone_from(over);
            }
        }
        form.sketch = self.sketch.or(form.sketch);
        form.check()
    }

    fn put_over_generated(&self, generated: &mut Generated) -> Result<()> {
        let for_files = [
            ("strict", self.strict),
            ("keys-format", self.keys_format.is_some()),
            ("key-column", self.key_column.is_some()),
            ("bytes-column", self.bytes_column.is_some()),
            ("requests-column", self.requests_column.is_some()),
            ("sketch", self.sketch.is_some()),
        ];
        if let Some((name, _)) = for_files.iter().find(|(_, given)| *given) {
            return Err(Error::Usage(format!("{name} is for keys from a file")));
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
