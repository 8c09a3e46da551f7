//! The texts of which the page is made, which are in the program.

/// A text of which the page is made.
pub(super) struct Source {
    /// Its path on the server, if it is served by itself.
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

/// The files that are served as they are.
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

/// The style sheets, which are served as one.
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
