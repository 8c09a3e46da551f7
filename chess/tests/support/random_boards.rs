//! Random boards: few pieces anywhere, kings and rooks often at home.

use stamma_chess::board::{Color, File, Piece, Rank, Role, Setup, Square};

use crate::support::random::Random;

/// A FEN that may or may not be a legal position.
pub(crate) fn fen(random: &mut Random) -> String {
    let turn = *random.choose(&Color::ALL);
    let mut setup = Setup {
        turn,
        ..Setup::EMPTY
    };
    for _ in 0..random.below(12) {
        let piece = Piece {
            color: *random.choose(&Color::ALL),
            role: any_role(random),
        };
        put(&mut setup, Square::new(random.below(64) as u8), piece);
    }
    for color in Color::ALL {
        put_home(&mut setup, color, random);
    }
    let en_passant = put_passed_pawn(&mut setup, random);

    // Rights and squares that a `Setup` cannot have are written into the text.
    let valid_fen = setup.to_string();
    let board = valid_fen.split(' ').next().unwrap_or_default();
    let turn = turn.letter();
    let castling = castling(random);
    let clock = random.below(101);
    format!("{board} {turn} {castling} {en_passant} {clock} 1")
}

/// Rarely a king, since each side gets one at the end.
fn any_role(random: &mut Random) -> Role {
    if random.once_in(60) {
        Role::King
    } else {
        *random.choose(&Role::ALL[..5])
    }
}

fn put(setup: &mut Setup, square: Square, piece: Piece) {
    setup.pieces[square.index()] = Some(piece);
}

/// Usually a king, and sometimes rooks; half the time on the home rank.
fn put_home(setup: &mut Setup, color: Color, random: &mut Random) {
    let rook = Piece {
        color,
        role: Role::Rook,
    };
    let king = Piece {
        color,
        role: Role::King,
    };
    let home = Rank::ONE.of_side(color);

    if random.once_in(2) {
        for _ in 0..random.below(4) {
            let square = Square::at(any_file(random), home);
            put(setup, square, rook);
        }
    }

    // After the rooks, so that no rook replaces the king.
    if !random.once_in(30) {
        let rank = if random.once_in(2) {
            home
        } else {
            Rank::new(random.below(8) as u8)
        };
        let square = Square::at(any_file(random), rank);
        put(setup, square, king);
    }
}

/// Often a pawn that may have made a double step, with one beside it; occasionally a wrong square.
fn put_passed_pawn(setup: &mut Setup, random: &mut Random) -> String {
    if random.once_in(2) {
        return "-".to_owned();
    }

    let us = setup.turn;
    let our_pawn = Piece {
        color: us,
        role: Role::Pawn,
    };
    let their_pawn = Piece {
        color: !us,
        role: Role::Pawn,
    };
    let rank = Rank::FIVE.of_side(us);
    let passed_rank = Rank::SIX.of_side(us);
    let file = File::new(random.below(7) as u8);
    let beside = File::new(file.number() + 1);
    put(setup, Square::at(file, rank), their_pawn);
    put(setup, Square::at(beside, rank), our_pawn);

    let named_file = if random.once_in(10) {
        any_file(random)
    } else {
        file
    };
    let named_rank = if random.once_in(20) {
        passed_rank.mirrored()
    } else {
        passed_rank
    };
    Square::at(named_file, named_rank).to_string()
}

/// At most two rights per side, since shakmaty refuses more.
fn castling(random: &mut Random) -> String {
    const RIGHTS: [&str; 9] = ["", "KQ", "KQ", "K", "Q", "HA", "GB", "FD", "C"];
    let white = *random.choose(&RIGHTS);
    let black = random.choose(&RIGHTS).to_ascii_lowercase();

    let rights = format!("{white}{black}");
    if rights.is_empty() {
        "-".to_owned()
    } else {
        rights
    }
}

fn any_file(random: &mut Random) -> File {
    File::new(random.below(8) as u8)
}
