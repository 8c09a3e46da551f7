//! The files of the page, ready to be served: with content type, gzip and entity tag.

use std::sync::LazyLock;

use flate2::Compression;
use hyper::body::Bytes;
use stamma::report::STYLE;

use super::packed::{entity_tag, gzip};
use super::sources::{FILES, LATER_STYLES, SCRIPTS, STYLES};

/// A file of the page.
pub(super) struct Asset {
    /// The path on the server.
    pub(super) path: &'static str,
    pub(super) plain: Bytes,
    /// The content compressed with gzip.
    pub(super) packed: Bytes,
    pub(super) tag: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut assets = Vec::new();
    for file in FILES.iter().chain(SCRIPTS) {
        let text = Bytes::from_static(file.text.as_bytes());
        assets.push(Asset::new(file.path, text));
    }

    let styles: String = STYLES.iter().map(|style| style.text).collect();
    assets.push(Asset::new("/page/page.css", Bytes::from(styles)));

    // Reports are shown by a view that is loaded later, with the style sheet that reports in files have.
    let later_styles: String = LATER_STYLES.iter().map(|style| style.text).collect();
    let later_style = Bytes::from(later_styles + STYLE);
    assets.push(Asset::new("/page/later.css", later_style));
    assets
});

/// Hashes and compresses all files, so that the first request need not wait for that.
pub(super) fn prepare() {
    LazyLock::force(&ASSETS);
}

/// The file at a path; `/` is the page itself.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/" {
        "/page/index.html"
    } else {
        path
    };
    ASSETS.iter().find(|asset| asset.path == path)
}

/// `true` for the path of a page to which people follow links.
pub(super) fn is_page(path: &str) -> bool {
    asset(path).is_some_and(|asset| asset.content_type().starts_with("text/html"))
}

impl Asset {
    fn new(path: &'static str, plain: Bytes) -> Asset {
        // A file is compressed once, at the start of the server, so the best compression costs no request.
        let packed = Bytes::from(gzip(&plain, Compression::best()));

        Asset {
            path,
            packed,
            tag: entity_tag(&plain),
            plain,
        }
    }

    /// The content type, by the end of the path.
    pub(super) fn content_type(&self) -> &'static str {
        let (_, extension) = self.path.rsplit_once('.').unwrap_or_default();
        match extension {
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

    use stamma::board::Setup;
    use stamma::export::SvgBoard;
    use stamma::notation::Diagram;

    use super::*;
    use crate::serve::script::read_modules;

    /// A path with slashes, also on Windows.
    fn text_of(path: &Path) -> String {
        let text = path.to_str().expect("a name in UTF-8");
        text.replace('\\', "/")
    }

    fn files(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(text_of(&path));
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let serve = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve");
        let page = serve.join("page");

        let mut all_files = Vec::new();
        files(&page, &mut all_files);
        let page_text = text_of(&page);
        let mut found = Vec::new();
        for file in &all_files {
            found.extend(file.strip_prefix(page_text.as_str()));
        }

        let modules = read_modules(&serve).expect("the modules");
        let mut paths = Vec::new();
        for source in [FILES, STYLES, LATER_STYLES].into_iter().flatten() {
            paths.push(source.path);
        }
        for module in &modules {
            paths.push(&module.path);
        }

        // Files of third parties are in a separate folder.
        let mut served = Vec::new();
        for path in paths {
            let Some(name) = path.strip_prefix("/page") else {
                continue;
            };
            if !name.starts_with("/cm-chessboard/") && !name.starts_with("/pieces/") {
                served.push(name);
            }
        }

        found.sort_unstable();
        served.sort_unstable();
        assert_eq!(served, found);
    }

    #[test]
    fn the_first_view_has_less_than_130_kilobytes() {
        let later = ["/page/later.", "/page/words/", "/page/pieces/"];

        let mut bytes = 0;
        for asset in ASSETS.iter() {
            let is_later = later.iter().any(|start| asset.path.starts_with(start));
            if !is_later {
                bytes += asset.packed.len();
            }
        }

        assert!(bytes < 130_000, "{bytes} bytes");
    }

    #[test]
    fn all_files_have_less_than_200_kilobytes() {
        let sizes = ASSETS.iter().map(|asset| asset.packed.len());
        let bytes: usize = sizes.sum();

        assert!(bytes < 200_000, "{bytes} bytes");
    }

    #[test]
    fn pieces_of_the_page_have_the_shapes_of_pictures() {
        let setup = Setup::from_fen("rnbqk3/p7/8/8/8/8/P7/RNBQK3 w - - 0 1").expect("a FEN");
        let board = SvgBoard {
            diagram: Diagram::of(&setup),
            size: 400,
            ids: "",
        };
        let picture = board.to_string();
        let sprite = include_str!("page/pieces.svg");

        let (definitions, _) = picture
            .split_once("</defs>")
            .expect("shapes before the board");
        let lines = definitions.lines();
        let shapes: Vec<&str> = lines.filter(|line| line.starts_with("<path")).collect();

        assert_eq!(shapes.len(), 24);
        for shape in shapes {
            assert!(sprite.contains(shape), "{shape}");
        }
    }
}
