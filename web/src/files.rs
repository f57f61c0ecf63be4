//! Reading the files that a reader chooses or drops, folders included.

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader,
    FileSystemEntry, FileSystemFileEntry,
};

/// A file as the reader gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its path below the folder that was given, or its name.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is looked at when a whole folder is given; a file given by itself is always taken.
const TABLE_ENDINGS: [&str; 4] = [".csv", ".tsv", ".txt", ".md"];

/// A folder of a whole sweep has a few thousand files; beyond this it is the wrong folder.
const MOST: usize = 10_000;

/// The files of a file chooser, in the order of their paths.
pub async fn chosen(list: &FileList) -> Vec<Given> {
    let files: Vec<File> = (0..list.length()).filter_map(|at| list.get(at)).collect();
    let mut given = Vec::new();
    for file in files.into_iter().take(MOST) {
        let path = relative_path(&file);
        if !path.contains('/') || is_table(&path) {
            given.extend(read(&file, path).await);
        }
    }
    given.sort_by(|a, b| a.path.cmp(&b.path));
    given
}

/// What was dropped. A transfer is emptied as soon as its event is over, so this is taken before anything is awaited.
pub fn take_dropped(transfer: &DataTransfer) -> Dropped {
    let items = transfer.items();
    let entries = (0..items.length())
        .filter_map(|at| items.get(at))
        .filter_map(|item| item.webkit_get_as_entry().ok().flatten())
        .collect();
    Dropped {
        entries,
        files: transfer.files(),
    }
}

/// Dropped files and folders, not read yet.
pub struct Dropped {
    entries: Vec<FileSystemEntry>,
    files: Option<FileList>,
}

impl Dropped {
    /// Reads everything, going down into folders, in the order of paths.
    pub async fn read(self) -> Vec<Given> {
        // Where the browser gives no entries, there are only the files themselves.
        if self.entries.is_empty() {
            return match self.files {
                Some(files) => chosen(&files).await,
                None => Vec::new(),
            };
        }
        let mut given = Vec::new();
        let mut open = self.entries;
        while let Some(entry) = open.pop() {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            if let Some(folder) = entry.dyn_ref::<FileSystemDirectoryEntry>() {
                open.extend(children(&folder.create_reader()).await);
            } else if let Some(file) = entry.dyn_ref::<FileSystemFileEntry>()
                && (!path.contains('/') || is_table(&path))
                && given.len() < MOST
                && let Some(file) = file_of(file).await
            {
                given.extend(read(&file, path).await);
            }
        }
        given.sort_by(|a, b| a.path.cmp(&b.path));
        given
    }
}

fn is_table(path: &str) -> bool {
    let path = path.to_lowercase();
    TABLE_ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// The bytes of a file; one that cannot be read, such as a folder in a plain list, is left out.
async fn read(file: &File, path: String) -> Option<Given> {
    let buffer = JsFuture::from(file.array_buffer()).await.ok()?;
    Some(Given {
        path,
        bytes: Uint8Array::new(&buffer).to_vec(),
    })
}

/// The path below the chosen folder, which web-sys does not know of.
fn relative_path(file: &File) -> String {
    Reflect::get(file, &JsValue::from_str("webkitRelativePath"))
        .ok()
        .and_then(|path| path.as_string())
        .filter(|path| !path.is_empty())
        .unwrap_or_else(|| file.name())
}

async fn file_of(entry: &FileSystemFileEntry) -> Option<File> {
    called_back(|done, failed| entry.file_with_callback_and_callback(done, failed))
        .await?
        .dyn_into()
        .ok()
}

/// A folder's entries. A reader gives them a hundred at a time, and an empty list at the end.
async fn children(reader: &FileSystemDirectoryReader) -> Vec<FileSystemEntry> {
    let mut children = Vec::new();
    loop {
        let batch = called_back(|done, failed| {
            reader
                .read_entries_with_callback_and_callback(done, failed)
                .ok();
        })
        .await;
        let batch: Vec<FileSystemEntry> = batch
            .map(|batch| Array::from(&batch))
            .unwrap_or_default()
            .iter()
            .filter_map(|entry| entry.dyn_into().ok())
            .collect();
        if batch.is_empty() {
            return children;
        }
        children.extend(batch);
    }
}

/// Waits for one of two callbacks; `None` for the one that reports failure.
async fn called_back(call: impl FnOnce(&Function, &Function)) -> Option<JsValue> {
    let mut call = Some(call);
    let promise = Promise::new(&mut |resolve, reject| {
        if let Some(call) = call.take() {
            call(&resolve, &reject);
        }
    });
    JsFuture::from(promise).await.ok()
}
