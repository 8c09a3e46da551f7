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

/// The modules, which are served as two scripts: those of the page, and the board that it uses.
pub(super) static MODULES: &[Source] = sources! {
    "page/" as "/page/":
        "address.js",
        "annotations.js",
        "announce.js",
        "api.js",
        "autoplay.js",
        "bar-chart.js",
        "basket.js",
        "bidi.js",
        "board-cells.js",
        "board-hands.js",
        "board.js",
        "choices.js",
        "clipboard.js",
        "crosstable.js",
        "database.js",
        "download.js",
        "elements.js",
        "engine-panel.js",
        "evaluation-bar.js",
        "explorer.js",
        "file-view.js",
        "filter-form.js",
        "filters.js",
        "format.js",
        "game-tree.js",
        "game.js",
        "games-list.js",
        "graphs.js",
        "icons.js",
        "keys.js",
        "later-view.js",
        "later.js",
        "look-menu.js",
        "looks.js",
        "main.js",
        "menu.js",
        "mine.js",
        "moves-table.js",
        "movetext.js",
        "nags.js",
        "notice.js",
        "novelties.js",
        "open-text.js",
        "opened.js",
        "opening-report.js",
        "painter.js",
        "pattern.js",
        "pgn-reader.js",
        "pgn-writer.js",
        "placement.js",
        "player.js",
        "position-text.js",
        "prepare.js",
        "promotion.js",
        "repertoire-file.js",
        "repertoire.js",
        "report.js",
        "result-bar.js",
        "rules.js",
        "san.js",
        "scroll.js",
        "search.js",
        "setup.js",
        "shapes.js",
        "slices.js",
        "source-choice.js",
        "states.js",
        "steps.js",
        "store.js",
        "suggest.js",
        "tables.js",
        "theme-switch.js",
        "tournament.js",
        "tournaments.js",
        "words.js",
        "work-menu.js",
        "works.js",
        "write.js",
    ;
    "third-party/cm-chessboard-8.15.1/" as "/page/cm-chessboard/":
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
