//! Parsing of FENs: errors and faults by name, short and odd forms by the FEN written back.

use crate::support::positions::position;
use stamma_chess::board::{
    Color, FenError, Position, Rank, Setup, SetupFault, SetupFaults, Square,
};

macro_rules! errors {
    ($($name:ident: $fen:literal => $error:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(Setup::from_fen($fen), Err($error));
            assert_eq!(Position::from_fen($fen), Err($error));
        }
    )*};
}

errors! {
    empty: "" => FenError::Empty;
    only_spaces: " \t " => FenError::Empty;
    seven_ranks: "4k3/8/8/8/8/8/4K3 w - - 0 1" => FenError::Ranks(7);
    nine_ranks: "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1" => FenError::Ranks(9);
    rank_too_long: "4k4/8/8/8/8/8/8/4K3 w - - 0 1" => FenError::Squares { rank: Rank::EIGHT, squares: 9 };
    rank_too_short: "4k3/8/8/8/8/ppp4/8/4K3 w - - 0 1" => FenError::Squares { rank: Rank::THREE, squares: 7 };
    rank_empty: "4k3/8/8/8//8/8/4K3 w - - 0 1" => FenError::Squares { rank: Rank::FOUR, squares: 0 };
    rank_digits_too_many: "4k3/8/8/8/88/8/8/4K3 w" => FenError::Squares { rank: Rank::FOUR, squares: 16 };
    nine_empty_squares: "4k3/9/8/8/8/8/8/4K3 w - - 0 1" => FenError::Piece('9');
    no_empty_squares: "4k3/08/8/8/8/8/8/4K3 w - - 0 1" => FenError::Piece('0');
    unknown_piece: "4k3/8/8/8/8/7x/8/4K3 w - - 0 1" => FenError::Piece('x');
    unknown_letter: "4k3/8/8/8/8/7é/8/4K3 w - - 0 1" => FenError::Piece('é');
    figurine: "4k3/8/8/8/8/7♟/8/4K3 w - - 0 1" => FenError::Piece('♟');
    no_turn: "4k3/8/8/8/8/8/8/4K3 x - - 0 1" => FenError::Turn("x".to_owned());
    turn_in_words: "4k3/8/8/8/8/8/8/4K3 white - - 0 1" => FenError::Turn("white".to_owned());
    no_castling_right: "4k3/8/8/8/8/8/8/4K3 w KX - 0 1" => FenError::Castling("KX".to_owned());
    castling_and_dash: "4k3/8/8/8/8/8/8/4K3 w K- - 0 1" => FenError::Castling("K-".to_owned());
    no_square: "4k3/8/8/8/8/8/8/4K3 w - i6 0 1" => FenError::EnPassant("i6".to_owned());
    en_passant_on_the_pawns_square: "4k3/8/8/8/8/8/8/4K3 w - e5 0 1"
        => FenError::EnPassant("e5".to_owned());
    en_passant_file_only: "4k3/8/8/8/8/8/8/4K3 w - e 0 1" => FenError::EnPassant("e".to_owned());
    clock_in_words: "4k3/8/8/8/8/8/8/4K3 w - - none 1"
        => FenError::Number { field: "half-move clock", text: "none".to_owned() };
    clock_below_zero: "4k3/8/8/8/8/8/8/4K3 w - - -1 1"
        => FenError::Number { field: "half-move clock", text: "-1".to_owned() };
    number_in_words: "4k3/8/8/8/8/8/8/4K3 w - - 0 first"
        => FenError::Number { field: "move number", text: "first".to_owned() };
    seventh_field: "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +00" => FenError::TooLong("+00".to_owned());
    checks_twice: "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +0+0 +0+0" => FenError::TooLong("+0+0".to_owned());
    checks_of_one_side: "4k3/8/8/8/8/8/8/4K3 w - - 3 0 1" => FenError::TooLong("1".to_owned());
}

macro_rules! faults {
    ($($name:ident: $fen:literal => [$($fault:expr),*];)*) => {$(
        #[test]
        fn $name() {
            let faults = vec![$($fault),*];
            assert_eq!(Setup::from_fen($fen).map(|setup| setup.faults()), Ok(faults.clone()));
            assert_eq!(Position::from_fen($fen), Err(FenError::Position(SetupFaults(faults))));
        }
    )*};
}

use Color::{Black, White};
use SetupFault::{
    ImpossibleCheck, NoKing, OpponentInCheck, PawnOnBackRank, SeveralKings, TooManyPawns,
    TooManyPieces,
};

faults! {
    empty_board: "8/8/8/8/8/8/8/8 w - - 0 1" => [NoKing(White), NoKing(Black)];
    no_white_king: "4k3/8/8/8/8/8/8/8 w - - 0 1" => [NoKing(White)];
    no_black_king: "8/8/8/8/8/8/8/4K3 w - - 0 1" => [NoKing(Black)];
    two_white_kings: "4k3/8/8/8/8/8/8/3KK3 w - - 0 1" => [SeveralKings(White)];
    three_black_kings: "k3k2k/8/8/8/8/8/8/4K3 w - - 0 1" => [SeveralKings(Black)];
    pawn_on_the_first_rank: "4k3/8/8/8/8/8/8/P3K3 w - - 0 1" => [PawnOnBackRank(square("a1"))];
    pawns_on_both_ranks: "4k2P/8/8/8/8/8/8/p3K3 w - - 0 1"
        => [PawnOnBackRank(square("a1")), PawnOnBackRank(square("h8"))];
    seventeen_pieces: "rnbqkbnr/pppppppp/8/8/4N3/8/PPPPPPPP/RNBQKBNR w - - 0 1"
        => [TooManyPieces(White)];
    nine_pawns: "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1" => [TooManyPawns(Black)];
    opponent_in_check: "4k3/8/8/8/8/8/8/K3R3 w - - 0 1" => [OpponentInCheck(Black)];
    opponent_in_a_pawns_check: "8/8/8/4k3/3P4/8/8/K7 w - - 0 1" => [OpponentInCheck(Black)];
    kings_side_by_side: "8/8/8/3kK3/8/8/8/8 b - - 0 1" => [OpponentInCheck(White)];
    three_checks: "4k3/8/3N4/8/B7/8/8/K3R3 b - - 0 1" => [ImpossibleCheck(Black)];
    two_knights_check: "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1" => [ImpossibleCheck(Black)];
    two_pawns_check: "8/8/8/8/3p1p2/4K3/8/4k3 w - - 0 1" => [ImpossibleCheck(White)];
    both_in_check: "4k3/8/3N1N2/8/8/8/4r3/4K3 b - - 0 1"
        => [OpponentInCheck(White), ImpossibleCheck(Black)];
    all_at_once: "P3k2k/pppppppp/p7/8/8/8/QQQQQQQQ/QQQQQQQQ w KQkq e6 0 1"
        => [
            NoKing(White), TooManyPieces(White), SeveralKings(Black), TooManyPawns(Black),
            PawnOnBackRank(square("a8"))
        ];
    checks_are_named_last: "4k3/8/8/8/8/8/8/P3R2K w - - 0 1" => [PawnOnBackRank(square("a1"))];
}

#[test]
fn every_fault_is_in_the_message() {
    let error = Position::from_fen("4k2k/8/8/8/8/8/8/P7 w - - 0 1").map(|_| ());
    let message = "no legal position: White has no king; Black has more than one king; \
                   a pawn stands on a1";
    assert_eq!(
        error.map_err(|error| error.to_string()),
        Err(message.to_owned())
    );
}

macro_rules! written {
    ($($name:ident: $fen:literal => $written:literal;)*) => {$(
        #[test]
        fn $name() {
            let position = position($fen);
            assert_eq!(position.fen(), $written);
            let again = self::position($written);
            assert_eq!((again.fen(), again.key()), (position.fen(), position.key()));
            assert_eq!(again, position);
        }
    )*};
}

written! {
    one_field: "4k3/8/8/8/8/8/8/4K2R" => "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    two_fields: "4k3/8/8/8/8/8/8/4K2R b" => "4k3/8/8/8/8/8/8/4K2R b - - 0 1";
    three_fields: "4k3/8/8/8/8/8/8/4K2R w K" => "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    four_fields: "4k3/8/8/3pP3/8/8/8/4K2R w K d6" => "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1";
    five_fields: "4k3/8/8/8/8/8/8/4K2R w K - 12" => "4k3/8/8/8/8/8/8/4K2R w K - 12 1";
    six_fields: "4k3/8/8/8/8/8/8/4K2R w K - 12 34" => "4k3/8/8/8/8/8/8/4K2R w K - 12 34";
    checks_left: "4k3/8/8/8/8/8/8/4K2R w K - 3+2 12 34" => "4k3/8/8/8/8/8/8/4K2R w K - 12 34";
    checks_left_without_counters: "4k3/8/8/8/8/8/8/4K2R w K - 3+2" => "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    checks_given: "4k3/8/8/8/8/8/8/4K2R w K - 12 34 +0+1" => "4k3/8/8/8/8/8/8/4K2R w K - 12 34";
    spaces_and_tabs: "  4k3/8/8/8/8/8/8/4K3\tb  -  -  3\t4  " => "4k3/8/8/8/8/8/8/4K3 b - - 3 4";
    capital_turn: "4k3/8/8/8/8/8/8/4K3 B - - 0 1" => "4k3/8/8/8/8/8/8/4K3 b - - 0 1";
    single_empty_squares: "1111k3/8/8/8/8/8/8/22K21 w - - 0 1" => "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    unknown_counters: "4k3/8/8/8/8/8/8/4K3 w - - - -" => "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    move_zero: "4k3/8/8/8/8/8/8/4K3 w - - 0 0" => "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    bishops_from_both_sides_check: "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1"
        => "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1";
    largest_counters: "4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295"
        => "4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295";

    shredder_rights: "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"
        => "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    shredder_and_x_fen_mixed: "r3k2r/8/8/8/8/8/8/R3K2R w KAhq - 0 1"
        => "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    rights_in_any_order: "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"
        => "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    rights_named_twice: "r3k2r/8/8/8/8/8/8/R3K2R w KKHkk - 0 1"
        => "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1";
    rights_of_a_chess960_start: "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
        => "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1";
    inner_rook_long: "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1" => "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
    outer_rook_long: "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1" => "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1";
    inner_rook_short: "4k1rr/8/8/8/8/8/8/4K3 w g - 0 1" => "4k1rr/8/8/8/8/8/8/4K3 w g - 0 1";
    inner_and_outer: "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBgq - 0 1"
        => "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBgq - 0 1";
    two_rooks_of_one_side: "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1" => "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1";

    right_without_rook: "r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1" => "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
    right_of_a_foreign_rook: "4k3/8/8/8/8/8/8/R3K2r w KQ - 0 1"
        => "4k3/8/8/8/8/8/8/R3K2r w Q - 0 1";
    right_away_from_home: "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1" => "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
    right_of_a_rook_away_from_home: "4k3/8/8/8/8/8/R6R/4K3 w KQ - 0 1"
        => "4k3/8/8/8/8/8/R6R/4K3 w - - 0 1";
    right_on_the_kings_square: "4k3/8/8/8/8/8/8/R3K2R w E - 0 1"
        => "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    right_on_the_wrong_side_of_the_king: "4k3/8/8/8/8/8/8/R3K3 w K - 0 1"
        => "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";

    en_passant: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1" => "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    en_passant_black: "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1" => "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
    en_passant_nobody_beside: "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"
        => "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1";
    en_passant_without_pawn: "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1"
        => "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1";
    en_passant_of_the_side_to_move: "4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1"
        => "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1";
    en_passant_square_taken: "4k3/8/3n4/3pP3/8/8/8/K7 w - d6 0 1"
        => "4k3/8/3n4/3pP3/8/8/8/K7 w - - 0 1";
    en_passant_origin_taken: "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1"
        => "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1";
    en_passant_pinned: "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1" => "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    en_passant_uncovers_the_rank: "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1"
        => "7k/8/8/K2pP2r/8/8/8/8 w - - 0 1";

    check_by_two_at_once: "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1" => "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1";
    check_by_two_rooks_in_a_corner: "8/8/8/3k3R/8/8/8/K2R4 b - - 0 1"
        => "8/8/8/3k3R/8/8/8/K2R4 b - - 0 1";
    nine_queens: "4k3/8/8/8/8/8/QQQQQQQQ/Q3K3 b - - 0 1"
        => "4k3/8/8/8/8/8/QQQQQQQQ/Q3K3 b - - 0 1";
}

/// Equality depends on the board and the castling rights, not on how they were written.
#[test]
fn inner_and_outer_rook_are_different_positions() {
    let [outer, inner] =
        ["Q", "B"].map(|right| position(&format!("4k3/8/8/8/8/8/8/RR2K3 w {right} - 0 1")));
    assert_ne!(outer, inner);
}

fn square(name: &str) -> Square {
    let &[file, rank] = name.as_bytes() else {
        panic!("{name} is no square")
    };
    Square::from_ascii(file, rank).expect(name)
}
