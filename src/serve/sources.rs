//! The source texts of the page, which are compiled into the program.

/// A source text of the page.
pub(super) struct Source {
    /// The path on the server, if the text is served as a file of its own.
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

macro_rules! sources {
    ($($folder:literal as $path:literal: $($file:literal,)*;)*) => {
        &[$($(Source {
            path: concat!($path, $file),
            text: include_str!(concat!($folder, $file)),
        },)*)*]
    };
}

/// The files that are served unchanged.
pub(super) static FILES: &[Source] = sources! {
    "page/" as "/page/":
        "icon.svg",
        "index.html",
        "pieces.svg",
        "start.js",
        "words/de.js",
        "words/es.js",
        "words/fr.js",
    ;
    "third-party/chess-art-d8705d8/" as "/page/pieces/":
        "celtic.svg",
        "spatial.svg",
    ;
    "third-party/cm-chessboard-8.15.1/" as "/page/cm-chessboard/":
        "assets/extensions/arrows/arrows.svg",
    ;
};

/// The style sheets that are served as one file.
pub(super) static STYLES: &[Source] = sources! {
    "page/" as "/page/":
        "style.css",
        "board.css",
        "views.css",
    ;
};

/// The style sheet of the views that are loaded when they are shown.
pub(super) static LATER_STYLES: &[Source] = sources! {
    "page/" as "/page/":
        "later.css",
    ;
};

/// The scripts into which `build.rs` has joined the modules of the page and of its board.
pub(super) static SCRIPTS: &[Source] = &[
    Source {
        path: "/page/page.js",
        text: include_str!(concat!(env!("OUT_DIR"), "/page.js")),
    },
    Source {
        path: "/page/later.js",
        text: include_str!(concat!(env!("OUT_DIR"), "/later.js")),
    },
];
