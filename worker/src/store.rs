//! The only access to files: whole reads, and writes that are whole or not there.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

/// A file or folder that could not be read or written.
#[derive(Debug, Error)]
#[error("cannot {action} {}", path.display())]
pub struct StoreError {
    /// What was tried, such as `read`.
    pub action: &'static str,
    /// On which path.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl StoreError {
    /// What to do about it, where that is not plain from the message.
    pub fn hint(&self) -> Option<String> {
        match self.source.kind() {
            io::ErrorKind::NotFound if self.action.starts_with("read") => {
                Some("check the path; relative paths start from the current folder".to_owned())
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Some(if self.action.starts_with("read") {
                    "give yourself the right to read it, or run this as who has it".to_owned()
                } else {
                    "give a place that you may write to, or yourself the right to write there"
                        .to_owned()
                })
            }
            io::ErrorKind::IsADirectory => Some("give a file, not a folder".to_owned()),
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => Some(
                "a file lies where a folder has to be: move it away, or give another place"
                    .to_owned(),
            ),
            io::ErrorKind::InvalidFilename => Some("give a shorter name".to_owned()),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Some("make room on the disk; what was written before is whole".to_owned())
            }
            _ => None,
        }
    }
}

fn failed<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |source| StoreError {
        action,
        path: path.to_owned(),
        source,
    }
}

/// The same of what needs a folder: where a file stands in that one's way, or it is not to be written to, the cause names it.
fn unwritten<'a>(
    action: &'static str,
    path: &'a Path,
    folder: &'a Path,
) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |source| {
        let nearest = nearest(folder);
        let why = match source.kind() {
            _ if !nearest.is_dir() => Some((io::ErrorKind::NotADirectory, "is no folder")),
            kind @ (io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
                Some((kind, "may not be written to"))
            }
            _ => None,
        };
        let source = match why {
            Some((kind, why)) => io::Error::new(kind, format!("{} {why}", nearest.display())),
            None => source,
        };
        failed(action, path)(source)
    }
}

/// What is there of a folder's path: itself, or the nearest above it.
fn nearest(folder: &Path) -> &Path {
    let mut ancestors = folder.ancestors();
    let there = ancestors.find(|place| fs::symlink_metadata(place).is_ok());
    there.unwrap_or(Path::new("."))
}

/// Fails where it shows that no file can be written at a path, for whoever works long on what is to stand there. Nothing is made.
pub fn check_place(path: &Path) -> Result<(), StoreError> {
    let wrong = |kind: io::ErrorKind| Err(failed("write", path)(kind.into()));
    if path.is_dir() || path.file_name().is_none() {
        return wrong(io::ErrorKind::IsADirectory);
    }
    // A name that is too long shows before there is a file.
    if let Err(error) = fs::symlink_metadata(path)
        && error.kind() == io::ErrorKind::InvalidFilename
    {
        return Err(failed("write", path)(error));
    }
    // Rights and the disk are asked at once; such a file has no name, and goes with its handle.
    tempfile::tempfile_in(nearest(above(path)))
        .map(drop)
        .map_err(unwritten("write", path, above(path)))
}

/// All bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(failed("read", path))
}

/// All bytes of a file, or `None` where there is none.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", path)(error)),
    }
}

/// Why a file that somebody else named was not read.
#[derive(Debug, Error)]
pub enum ConfinedError {
    /// It lies outside of the folder, by its own path or by where a link leads.
    #[error("outside of the folder")]
    Outside,
    /// Nothing lies there, or something that is no file: a folder, a pipe, a device.
    #[error("no file")]
    NoFile,
    /// It is larger than it may be.
    #[error("too large")]
    TooLarge,
    /// It cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// All bytes of a file that somebody else named: of a plain file in `folder`, wherever its links lead, and of no other.
pub fn read_confined(folder: &Path, path: &Path, largest: u64) -> Result<Vec<u8>, ConfinedError> {
    let folder = folder.canonicalize().map_err(failed("read", folder))?;
    let place = folder.join(path).canonicalize();
    let place = place.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ConfinedError::NoFile,
        _ => failed("read", path)(error).into(),
    })?;
    if !place.starts_with(&folder) {
        return Err(ConfinedError::Outside);
    }
    // Looked at before it is opened, since opening a pipe waits for whoever writes to it; and after, since it may change.
    if !place.metadata().map_err(failed("read", path))?.is_file() {
        return Err(ConfinedError::NoFile);
    }
    let file = File::open(&place).map_err(failed("read", path))?;
    let is_same = place.canonicalize().is_ok_and(|again| again == place);
    if !is_same || !file.metadata().map_err(failed("read", path))?.is_file() {
        return Err(ConfinedError::NoFile);
    }
    let mut bytes = Vec::new();
    file.take(largest + 1)
        .read_to_end(&mut bytes)
        .map_err(failed("read", path))?;
    if bytes.len() as u64 > largest {
        return Err(ConfinedError::TooLarge);
    }
    Ok(bytes)
}

/// A file that lines are added to as things happen.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens a log, and makes it where there is none. A last line that was cut short is ended, so that the next one is whole.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut options = File::options();
        let file = options.create(true).append(true).read(true).open(path);
        let mut file = file.map_err(failed("open", path))?;
        let mut last = [b'\n'];
        if file.metadata().map_err(failed("read", path))?.len() > 0 {
            file.seek(io::SeekFrom::End(-1))
                .and_then(|_| file.read_exact(&mut last))
                .map_err(failed("read", path))?;
        }
        if last != *b"\n" {
            file.write_all(b"\n").map_err(failed("write", path))?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Adds a line, in one piece: whoever reads the file sees whole lines, whenever this process ends.
    pub fn add(&mut self, mut line: Vec<u8>) -> Result<(), StoreError> {
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(failed("write", &self.path))
    }

    /// The file itself, for a process of ours to write to.
    pub fn into_file(self) -> File {
        self.file
    }
}

/// Paths of what lies directly in a folder, sorted; hidden entries are left out.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed("read folder", folder))? {
        let entry = entry.map_err(failed("read folder", folder))?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Paths of what lies directly in a folder, sorted; none where there is no such folder.
pub fn list_if_there(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match list(folder) {
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed,
    }
}

/// Makes a folder and those above it.
pub fn make_folder(folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(unwritten("create folder", folder, folder))
}

/// Removes a file, if it is there.
pub fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Removes a folder and all in it, if it is there.
pub fn remove_folder_if_there(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failed("remove", folder)(error))
        }
        _ => Ok(()),
    }
}

/// Writes a file so that whoever looks sees the old bytes or all of the new ones, whenever the power goes.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = above(path);
    make_folder(folder)?;
    let write = || -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".writing-");
        open_to_all(&mut builder, 0o666);
        let mut aside = builder.tempfile_in(folder)?;
        aside.write_all(bytes)?;
        aside.as_file().sync_all()?;
        aside.persist(path).map_err(|error| error.error)?;
        sync_folder(folder)
    };
    write().map_err(unwritten("write", path, folder))
}

/// Writes a file that is not there yet, whole; `false` where somebody else's is there, which stays as it is.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
    let folder = above(path);
    make_folder(folder)?;
    let write = || -> io::Result<bool> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".writing-");
        open_to_all(&mut builder, 0o666);
        let mut aside = builder.tempfile_in(folder)?;
        aside.write_all(bytes)?;
        aside.as_file().sync_all()?;
        match aside.persist_noclobber(path) {
            Ok(_) => {}
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            Err(error) => return Err(error.error),
        }
        sync_folder(folder)?;
        Ok(true)
    };
    write().map_err(unwritten("write", path, folder))
}

/// Makes what lies directly in a folder last, however it was written, and that it lies there.
pub fn sync_files(folder: &Path) -> Result<(), StoreError> {
    for path in list(folder)? {
        let synced = File::open(&path).and_then(|file| file.sync_all());
        synced.map_err(failed("write", &path))?;
    }
    sync_folder(folder).map_err(failed("write", folder))
}

/// Moves a finished folder into place; `false` where another one took the place first.
///
/// Everything in `aside` must have been written by [`write_whole`] or seen to by [`sync_files`], and both must lie in the
/// same file system.
pub fn place_folder(aside: &Path, place: &Path) -> Result<bool, StoreError> {
    let above = above(place);
    make_folder(above)?;
    match fs::rename(aside, place) {
        Ok(()) => {
            sync_folder(above).map_err(failed("write", place))?;
            Ok(true)
        }
        Err(_) if place.is_dir() => Ok(false),
        Err(error) => Err(failed("write", place)(error)),
    }
}

/// The folder that a path lies in; a bare name lies in the current one.
pub fn above(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Every file under a folder, relative to it, sorted; hidden entries are left out. A link may lead out of the folder, so
/// one that is met is an error, as is anything else that is neither file nor folder.
pub fn plain_files(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        for path in list(&folder.join(&inner))? {
            let Some(name) = path.file_name() else {
                continue;
            };
            let kind = fs::symlink_metadata(&path).map_err(failed("read", &path))?;
            if kind.is_dir() {
                folders.push(inner.join(name));
            } else if kind.is_file() {
                files.push(inner.join(name));
            } else {
                return Err(failed("copy", &path)(io::Error::other(
                    "a link or special file, which is not followed; put the file itself in its place",
                )));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Where a path leads once the links of what is there of it have been followed.
pub fn resolved(path: &Path) -> Result<PathBuf, StoreError> {
    match path.canonicalize() {
        Ok(place) => Ok(place),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match path.file_name() {
            Some(name) => Ok(resolved(above(path))?.join(name)),
            None => Err(failed("read", path)(error)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(unwritten("reach", path, path)(error))
        }
        Err(error) => Err(failed("read", path)(error)),
    }
}

/// Whether a folder holds nothing, or is not there.
pub fn is_vacant(folder: &Path) -> Result<bool, StoreError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(failed("read folder", folder)(error)),
    }
}

/// Puts the finished folder `new` of `scratch` in the place of another one. What lies in that one under a name that `new`
/// has not moves along, save for the names in `dropped`; the rest of it goes with `scratch`.
///
/// `place` is a resolved path in the file system of `scratch`. On failure everything is where it was.
pub fn replace_folder(
    scratch: Scratch,
    new: &Path,
    place: &Path,
    dropped: &[&str],
) -> Result<(), StoreError> {
    let old = scratch.path().join("old");
    let mut moves = Vec::new();
    if place.exists() {
        moves.push((place.to_owned(), old.clone()));
        for entry in fs::read_dir(place).map_err(failed("read folder", place))? {
            let name = entry.map_err(failed("read folder", place))?.file_name();
            let is_new = fs::symlink_metadata(new.join(&name)).is_ok();
            if !is_new && !dropped.iter().any(|dropped| name == *dropped) {
                moves.push((old.join(&name), new.join(&name)));
            }
        }
    }
    moves.push((new.to_owned(), place.to_owned()));
    for (done, (from, to)) in moves.iter().enumerate() {
        if let Err(error) = fs::rename(from, to) {
            let undone = moves.iter().take(done).rev();
            if undone
                .map(|(from, to)| fs::rename(to, from))
                .any(|undo| undo.is_err())
            {
                // What was there is nowhere else.
                let _ = scratch.keep();
            }
            return Err(failed("write", place)(error));
        }
    }
    sync_folder(above(place)).map_err(failed("write", place))
}

/// Writes one of many files of a folder that is not in place yet. Unlike [`write_whole`], it does not wait for the disk, which
/// would take minutes for ten thousand files: it is for what can be made again.
pub fn write_aside(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    fs::write(path, bytes).map_err(failed("write", path))
}

/// Puts the finished folder `new` of `scratch` in the place of another one, all of which goes with `scratch`.
///
/// `place` lies in the file system of `scratch`. On failure everything is where it was.
pub fn swap_folder(scratch: Scratch, new: &Path, place: &Path) -> Result<(), StoreError> {
    make_folder(above(place))?;
    let old = scratch.path().join("old");
    let was_there = place.exists();
    if was_there {
        fs::rename(place, &old).map_err(failed("write", place))?;
    }
    if let Err(error) = fs::rename(new, place) {
        if was_there && fs::rename(&old, place).is_err() {
            // What was there is nowhere else.
            let _ = scratch.keep();
        }
        return Err(failed("write", place)(error));
    }
    sync_folder(above(place)).map_err(failed("write", place))
}

/// The right to work in a folder, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

/// Takes a folder for this process alone; `None` where another one is at work in it.
pub fn lock_folder(folder: &Path) -> Result<Option<FolderLock>, StoreError> {
    make_folder(folder)?;
    let path = folder.join(".lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path);
    let file = file.map_err(failed("lock", &path))?;
    // Where there are no locks it is for the operator to start one process alone.
    let taken = locked(&file).map_err(failed("lock", &path))?;
    Ok((taken != Some(false)).then_some(FolderLock { _file: file }))
}

/// Takes a file for this process, if no other one has it; `None` where the file system, as some of the network, knows no locks.
fn locked(file: &File) -> io::Result<Option<bool>> {
    match file.try_lock() {
        Ok(()) => Ok(Some(true)),
        Err(TryLockError::WouldBlock) => Ok(Some(false)),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The right to do one piece of work, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct Claim {
    _file: File,
    path: PathBuf,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // While it is still locked, so that nobody has a claim of that name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Claims a piece of work by a file of its name; `None` where another process has it.
///
/// The file is made by one process alone, which locks it; what a dead process left is not locked, and goes to who comes next. Where
/// there are no locks, such a file has to be removed by hand.
pub fn claim(path: &Path) -> Result<Option<Claim>, StoreError> {
    make_folder(above(path))?;
    let made = match File::options().create_new(true).write(true).open(path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
        Err(error) => return Err(failed("claim", path)(error)),
    };
    let is_new = made.is_some();
    let file = match made {
        Some(file) => file,
        None => match File::options().write(true).open(path) {
            Ok(file) => file,
            // Just given back; it is there for the next time.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("claim", path)(error)),
        },
    };
    let taken = locked(&file).map_err(failed("claim", path))?;
    if !taken.unwrap_or(is_new) || !is_still(&file, path) {
        return Ok(None);
    }
    Ok(Some(Claim {
        _file: file,
        path: path.to_owned(),
    }))
}

/// Whether a file still lies where it was opened: who had it before may have removed it.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(file), Ok(there)) => place(file) == place(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Takes a folder as [`lock_folder`] does, and waits for whoever has it. The system's own waiting would hold up the whole thread, on
/// which it is heard that somebody wants to stop.
pub async fn wait_for_folder(folder: &Path) -> Result<FolderLock, StoreError> {
    loop {
        if let Some(lock) = lock_folder(folder)? {
            return Ok(lock);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A folder of a name that nobody else has, removed with all in it when dropped unless it was moved away; with it go the
/// folders that were made for it, where nothing else came into them.
#[derive(Debug)]
pub struct Scratch {
    // Dropped before the folders that it lies in.
    folder: tempfile::TempDir,
    _made: Made,
}

impl Scratch {
    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Leaves it where it is.
    fn keep(self) -> PathBuf {
        self.folder.keep()
    }
}

/// Folders that were made, the innermost first.
#[derive(Debug)]
struct Made(Vec<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        // Only an empty folder goes.
        let _ = self.0.iter().try_for_each(fs::remove_dir);
    }
}

/// Makes a folder to work in, and those above it.
pub fn scratch_folder(above: &Path) -> Result<Scratch, StoreError> {
    let missing = above.ancestors().take_while(|folder| !folder.exists());
    let missing = missing.filter(|folder| !folder.as_os_str().is_empty());
    let made = Made(missing.map(Path::to_owned).collect());
    make_folder(above)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix("unfinished-");
    open_to_all(&mut builder, 0o777);
    builder
        .tempdir_in(above)
        .map(|folder| Scratch {
            folder,
            _made: made,
        })
        .map_err(unwritten("create folder in", above, above))
}

/// A temporary file is its owner's alone; what it becomes is as open as the user's umask lets any other file be.
#[cfg(unix)]
fn open_to_all(builder: &mut tempfile::Builder<'_, '_>, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn open_to_all(_: &mut tempfile::Builder<'_, '_>, _: u32) {}

/// A rename lasts only once the folder itself has been written.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn who_waits_for_a_folder_holds_up_nobody_and_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock_folder(folder.path()).unwrap().unwrap();
        let mut second = Box::pin(wait_for_folder(folder.path()));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        let _second = second.await.unwrap();
        assert!(lock_folder(folder.path()).unwrap().is_none());
    }

    #[test]
    fn folders_made_for_a_scratch_folder_go_with_it_unless_something_else_is_in_them() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("a/b");
        drop(scratch_folder(&out).unwrap());
        assert!(home.path().exists() && !home.path().join("a").exists());

        let scratch = scratch_folder(&out).unwrap();
        fs::write(home.path().join("a/other"), "").unwrap();
        drop(scratch);
        assert!(home.path().join("a/other").exists() && !out.exists());

        fs::create_dir(&out).unwrap();
        drop(scratch_folder(&out).unwrap());
        assert!(out.exists());
    }

    #[test]
    fn what_is_in_the_way_of_a_place_is_named_and_nothing_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let place = |path: &str| folder.path().join(path);
        fs::create_dir(place("a")).unwrap();
        fs::write(place("a/file"), "mine").unwrap();
        let file = format!("{} is no folder", place("a/file").display());
        for path in ["a/file/b", "a/file/b/c"] {
            let path = place(path);
            for error in [
                check_place(&path),
                resolved(&path).map(drop),
                write_whole(&path, b"x"),
                write_new(&path, b"x").map(drop),
                make_folder(&path),
                scratch_folder(above(&path)).map(drop),
            ] {
                assert_eq!(error.unwrap_err().source.to_string(), file);
            }
        }
        for (path, kind) in [
            ("a", io::ErrorKind::IsADirectory),
            ("b/..", io::ErrorKind::IsADirectory),
            (&"b".repeat(300), io::ErrorKind::InvalidFilename),
        ] {
            assert_eq!(check_place(&place(path)).unwrap_err().source.kind(), kind);
        }
        for path in ["b", "b/c/d", "a/file"] {
            check_place(&place(path)).unwrap();
        }
        assert_eq!(list(folder.path()).unwrap(), [place("a")]);
        assert_eq!(list(&place("a")).unwrap(), [place("a/file")]);
        assert_eq!(fs::read(place("a/file")).unwrap(), b"mine");
    }

    /// In this folder of Linux nobody makes a file, whatever rights they have.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_may_not_be_written_to_is_named() {
        for path in ["/sys/b", "/sys/b/c"].map(Path::new) {
            for error in [
                check_place(path),
                write_whole(path, b"x"),
                write_new(path, b"x").map(drop),
                make_folder(path),
                scratch_folder(above(path)).map(drop),
            ] {
                let said = error.unwrap_err().source.to_string();
                assert_eq!(said, "/sys may not be written to");
            }
        }
    }

    #[test]
    fn a_claim_is_one_processs_alone_and_a_dead_ones_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work/a.claim");
        let first = claim(&path).unwrap().unwrap();
        assert!(claim(&path).unwrap().is_none());
        assert!(
            claim(&folder.path().join("work/b.claim"))
                .unwrap()
                .is_some()
        );
        drop(first);
        assert!(!path.exists());
        // As a process leaves it that was killed.
        fs::write(&path, "").unwrap();
        let second = claim(&path).unwrap().unwrap();
        assert!(claim(&path).unwrap().is_none());
        drop(second);
        assert!(!path.exists());
    }

    /// Many at once, over and over: never two at the same time.
    #[test]
    fn no_two_have_the_same_claim() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.claim");
        let held = std::sync::atomic::AtomicUsize::new(0);
        let taken = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Some(_claim) = claim(&path).unwrap() {
                            let before = held.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                            assert_eq!(before, 0);
                            std::thread::yield_now();
                            held.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                            taken.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(taken.into_inner() >= 1);
    }
}
