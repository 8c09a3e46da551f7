//! The files of the page, which are in the program.

/// A file of the page.
pub(super) struct Asset {
    /// Its path on the server.
    pub(super) path: &'static str,
    pub(super) bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal,)*) => {
        &[$(Asset { path: concat!("/", $path), bytes: include_bytes!(concat!("page/", $path)) },)*]
    };
}

/// All files, by their paths below `page/`.
pub(super) static ASSETS: &[Asset] = assets!["index.html",];

/// The file at a path; `/` is the page itself.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/" { "/index.html" } else { path };
    ASSETS.iter().find(|asset| asset.path == path)
}

impl Asset {
    /// The type of its content, by the end of its name.
    pub(super) fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map_or("", |(_, end)| end) {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" | "mjs" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "png" => "image/png",
            "ico" => "image/vnd.microsoft.icon",
            "woff2" => "font/woff2",
            _ => "text/plain; charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn files(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(path.to_str().expect("a name in UTF-8").replace('\\', "/"));
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
        let mut found = Vec::new();
        files(&page, &mut found);
        let page = page.to_str().expect("a name in UTF-8").replace('\\', "/");
        let mut found: Vec<&str> =
            found.iter().filter_map(|path| path.strip_prefix(&*page)).collect();
        let mut served: Vec<&str> = ASSETS.iter().map(|asset| asset.path).collect();
        found.sort_unstable();
        served.sort_unstable();
        assert_eq!(served, found);
    }
}
