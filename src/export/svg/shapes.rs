//! SVG paths of pieces and coordinates.

use crate::board::Role;

/// The width and height of a piece's coordinate system.
pub(super) const PIECE_UNITS: u32 = 100;

/// A piece in side view.
pub(super) struct Shape {
    /// The path of the silhouette.
    pub(super) silhouette: &'static str,
    /// The path of the lines within the silhouette.
    pub(super) lines: &'static str,
}

/// The shape of a piece of either side.
pub(super) const fn shape(role: Role) -> &'static Shape {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    }
}

const PAWN: Shape = Shape {
    silhouette: "M27 87V81Q27 75 34 73Q43 66 44 51H39Q35 47 39 44L42 43A13.5 13.5 0 1 1 58 43L61 44\
        Q65 47 61 51H56Q57 66 66 73Q73 75 73 81V87Z",
    lines: "M34 78H66",
};

const KNIGHT: Shape = Shape {
    silhouette: "M25 87V81Q25 75 31 74Q32 64 42 56Q49 51 48 45Q41 50 34 51Q31 59 24 58Q17 56 19 48\
        Q22 40 28 34Q30 25 38 21L39 11L48 18Q66 21 72 43Q76 60 69 74Q75 75 75 81V87Z",
    lines: "M31 78H69M38 31L41 30M53 25Q64 36 63 56M24 51L26 50",
};

const BISHOP: Shape = Shape {
    silhouette: "M25 87V81Q25 75 32 74Q40 70 41 58H37Q33 54 37 51L39 50Q31 42 37 33Q41 26 46.5 22\
        A6 6 0 1 1 53.5 22Q59 26 63 33Q69 42 61 50L63 51Q67 54 63 58H59Q60 70 68 74Q75 75 75 81V87Z",
    lines: "M32 78H68M57 30L50 41M41 50H59",
};

const ROOK: Shape = Shape {
    silhouette: "M24 87V81Q24 76 30 75L33 70L36 43L27 37V19H38V27H45V19H55V27H62V19H73V37L64 43L67 70\
        L70 75Q76 76 76 81V87Z",
    lines: "M30 78H70M36 43H64",
};

const QUEEN: Shape = Shape {
    silhouette: "M25 87V81Q25 75 32 74Q40 67 41 56H37Q33 52 37 49L40 48L27 23L38 29L43 19\
        L46 22A6 6 0 1 1 54 22L57 19L62 29L73 23L60 48L63 49Q67 52 63 56H59Q60 67 68 74Q75 75 75 81V87Z",
    lines: "M32 78H68M40 48H60",
};

const KING: Shape = Shape {
    silhouette: "M25 87V81Q25 75 32 74Q40 67 41 56H37Q33 52 37 49L40 48L31 29Q38 24 47 23V19H41V13H47V7\
        H53V13H59V19H53V23Q62 24 69 29L60 48L63 49Q67 52 63 56H59Q60 67 68 74Q75 75 75 81V87Z",
    lines: "M32 78H68M40 48H60M36 34Q50 27 64 34",
};

/// The width and height of a letter's or digit's coordinate system, without descenders.
pub(super) const SIGN_UNITS: [u32; 2] = [6, 10];

/// The letters of the files, as strokes.
pub(super) const FILE_STROKES: [&str; 8] = [
    "M5.3 4V10M5.3 7Q5.3 10 2.8 10Q.3 10 .3 7Q.3 4 2.8 4Q5.3 4 5.3 7",
    "M.7 0V10M.7 7Q.7 4 3.2 4Q5.7 4 5.7 7Q5.7 10 3.2 10Q.7 10 .7 7",
    "M5.3 4.9Q4.4 4 3.1 4Q.4 4 .4 7Q.4 10 3.1 10Q4.4 10 5.3 9.1",
    "M5.3 0V10M5.3 7Q5.3 10 2.8 10Q.3 10 .3 7Q.3 4 2.8 4Q5.3 4 5.3 7",
    "M.4 6.9H5.6Q5.6 4 3 4Q.4 4 .4 7Q.4 10 3.1 10Q4.6 10 5.3 9.2",
    "M5 .2Q2.3 -.5 2.3 2.5V10M.5 4H4.7",
    "M5.3 4V10.5Q5.3 13 2.8 13Q1.3 13 .6 12.2M5.3 7Q5.3 10 2.8 10\
        Q.3 10 .3 7Q.3 4 2.8 4Q5.3 4 5.3 7",
    "M.7 0V10M.7 6.7Q.9 4 3.1 4Q5.3 4 5.3 6.7V10",
];

/// The digits of the ranks, as strokes.
pub(super) const RANK_STROKES: [&str; 8] = [
    "M1.2 2.3L3.6 0V10",
    "M.5 2.5Q.5 0 3 0Q5.5 0 5.5 2.5Q5.5 4.5 .5 10H5.7",
    "M.5 1Q1.5 0 3 0Q5.5 0 5.5 2.4Q5.5 4.8 2.5 4.8Q5.7 4.8 5.7 7.4\
        Q5.7 10 3 10Q1.2 10 .3 9",
    "M4.3 10V0L.2 7H6",
    "M5.2 0H1L.6 4.5Q1.6 3.8 3 3.8Q5.7 3.8 5.7 6.9Q5.7 10 3 10Q1.2 10 .3 9",
    "M5.1 .6Q4.2 0 3.3 0Q.4 .4 .4 6.6Q.4 10 3 10Q5.6 10 5.6 7Q5.6 4.2 3 4.2\
        Q.4 4.2 .4 7",
    "M.4 0H5.6L2.2 10",
    "M3 4.7Q.7 4.7 .7 2.35Q.7 0 3 0Q5.3 0 5.3 2.35Q5.3 4.7 3 4.7\
        Q.3 4.7 .3 7.35Q.3 10 3 10Q5.7 10 5.7 7.35Q5.7 4.7 3 4.7",
];
