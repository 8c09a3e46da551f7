//! The files of the page, which are in the program.

/// A file of the page.
pub(super) struct Asset {
    /// Its path on the server.
    pub(super) path: &'static str,
    pub(super) bytes: &'static [u8],
}

macro_rules! assets {
    ($($folder:literal as $path:literal: $($file:literal,)*;)*) => {
        &[$($(Asset {
            path: concat!($path, $file),
            bytes: include_bytes!(concat!($folder, $file)),
        },)*)*]
    };
}

/// All files: those of the page, and the board that it uses.
pub(super) static ASSETS: &[Asset] = assets! {
    "page/" as "/page/":
        "address.js",
        "announce.js",
        "api.js",
        "bar-chart.js",
        "board-cells.js",
        "board.css",
        "board.js",
        "clipboard.js",
        "database.js",
        "elements.js",
        "explorer.js",
        "filter-form.js",
        "filters.js",
        "format.js",
        "game-tree.js",
        "game.js",
        "games-list.js",
        "graphs.js",
        "icon.svg",
        "icons.js",
        "index.html",
        "keys.js",
        "main.js",
        "moves-table.js",
        "movetext.js",
        "painter.js",
        "pattern.js",
        "pieces.svg",
        "placement.js",
        "player.js",
        "position-text.js",
        "promotion.js",
        "result-bar.js",
        "scroll.js",
        "search.js",
        "setup.js",
        "states.js",
        "steps.js",
        "style.css",
        "suggest.js",
        "tables.js",
        "theme-switch.js",
        "theme.js",
        "views.css",
    ;
    "third-party/cm-chessboard-8.15.1/" as "/page/cm-chessboard/":
        "assets/extensions/arrows/arrows.svg",
        "src/Chessboard.js",
        "src/extensions/arrows/Arrows.js",
        "src/lib/Svg.js",
        "src/lib/Utils.js",
        "src/model/ChessboardState.js",
        "src/model/Extension.js",
        "src/model/Position.js",
        "src/view/ChessboardView.js",
        "src/view/PositionAnimationsQueue.js",
        "src/view/VisualMoveInput.js",
    ;
};

/// The file at a path; `/` is the page itself.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/" { "/page/index.html" } else { path };
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

    use stamma::board::Setup;
    use stamma::export::SvgBoard;
    use stamma::notation::Diagram;

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
        let mut served: Vec<&str> = ASSETS
            .iter()
            .filter_map(|asset| asset.path.strip_prefix("/page"))
            .filter(|path| !path.starts_with("/cm-chessboard/"))
            .collect();
        found.sort_unstable();
        served.sort_unstable();
        assert_eq!(served, found);
    }

    #[test]
    fn what_modules_import_is_served() {
        for module in ASSETS.iter().filter(|asset| asset.path.ends_with(".js")) {
            let text = std::str::from_utf8(module.bytes).expect("UTF-8");
            let imports = text.split(" from \"").skip(1).filter_map(|rest| rest.split('"').next());
            for import in imports {
                let path = absolute(module.path, import);
                assert!(asset(&path).is_some(), "{} imports {path}", module.path);
            }
        }
    }

    /// Without this, a browser would find modules one after another.
    #[test]
    fn the_page_names_its_modules_at_once() {
        let page = include_str!("page/index.html");
        for module in ASSETS.iter().filter(|asset| asset.path.ends_with(".js")) {
            let [preload, classic] =
                [("<link rel=\"modulepreload\" href", ">"), ("<script src", "></script>")]
                    .map(|(tag, end)| format!("{tag}=\"{}\"{end}", module.path));
            assert!(page.contains(&preload) || page.contains(&classic), "{}", module.path);
        }
    }

    /// The path of an import in the module at another path.
    fn absolute(module: &str, import: &str) -> String {
        if import.starts_with('/') {
            return import.to_owned();
        }
        let mut parts: Vec<&str> = module.split('/').collect();
        parts.pop();
        for part in import.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        parts.join("/")
    }

    /// The bound is that of compressed files; these are not compressed yet.
    #[test]
    fn all_files_have_less_than_400_kilobytes() {
        assert!(ASSETS.iter().map(|asset| asset.bytes.len()).sum::<usize>() < 400_000);
    }

    #[test]
    fn pieces_are_those_of_pictures() {
        let setup = Setup::from_fen("rnbqk3/p7/8/8/8/8/P7/RNBQK3 w - - 0 1").expect("a FEN");
        let picture = SvgBoard { diagram: Diagram::of(&setup), size: 400 }.to_string();
        let sprite = include_str!("page/pieces.svg");
        let (shapes, _) = picture.split_once("</defs>").expect("shapes before the board");
        let shapes: Vec<&str> = shapes.lines().filter(|line| line.starts_with("<path")).collect();
        assert_eq!(shapes.len(), 24);
        for shape in shapes {
            assert!(sprite.contains(shape), "{shape}");
        }
    }
}
