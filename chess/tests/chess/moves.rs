//! Legal moves and their texts: cases that programs get wrong, by name.
//!
//! A row gives a FEN, a prefix of move texts, and all legal moves whose text has that prefix. Each position is also
//! compared with shakmaty.

use stamma_chess::notation::{San, san};

use crate::support::paired_position::Pair;

macro_rules! moves {
    ($($name:ident: $fen:literal, $beginning:literal => $moves:literal;)*) => {$(
        #[test]
        fn $name() {
            let pair = pair_of($fen);
            pair.assert_same();
            let expected = sorted($moves.split_whitespace().map(str::to_owned));
            assert_eq!(texts(&pair, $beginning), expected);
        }
    )*};
}

moves! {
    en_passant_uncovers_the_rank: "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "e" => "e6";
    en_passant_uncovers_the_rank_black: "7K/8/8/8/k2Pp2R/8/8/8 b - d3 0 1", "e" => "e3";
    en_passant_with_a_third_pawn_on_the_rank:
        "4k3/8/8/r1PpP2K/8/8/8/8 w - d6 0 1", "" => "Kg4 Kg5 Kg6 Kh4 Kh6 c6 cxd6 e6 exd6";
    en_passant_uncovers_the_captured_pawns_diagonal:
        "b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1", "e" => "e6";
    en_passant_pinned_on_its_diagonal:
        "4k2b/8/8/3pP3/8/2K5/8/8 w - d6 0 1", "e" => "";
    en_passant_along_the_pin: "4k3/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1", "e" => "exf6";
    en_passant_pinned_on_its_file: "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e" => "e6";
    en_passant_takes_the_checking_pawn:
        "4k3/8/8/2PpP3/4K3/8/8/8 w - d6 0 1", "" => "Kd3 Kd4 Ke3 Kf3 Kf4 Kf5 Kxd5 cxd6 exd6";
    en_passant_no_answer_to_an_uncovered_check:
        "4kb2/8/8/3Pp3/1K6/8/8/8 w - e6 0 1", "d" => "d6";
    en_passant_square_nobody_can_use: "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "d" => "";

    castling_both: "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O" => "O-O O-O-O";
    castling_into_check: "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O" => "O-O-O";
    castling_through_check: "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O" => "O-O-O";
    castling_through_check_long: "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O" => "O-O";
    castling_through_a_pawns_attack: "4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", "O" => "";
    castling_past_an_attacked_rook: "1r2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O" => "O-O O-O-O";
    castling_out_of_check: "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "O" => "";
    castling_over_a_piece: "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", "O" => "";
    castling_gives_check: "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O" => "O-O+";
    castling_long_mates: "2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "O" => "O-O-O#";
    castling_unmoved_king: "4k3/8/8/8/8/8/8/6KR w K - 0 1", "O" => "O-O";
    castling_king_and_rook_change_places: "4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "O" => "O-O";
    castling_takes_the_shield_away: "4k3/8/8/8/8/8/8/rR2K3 w Q - 0 1", "O" => "";
    castling_with_the_inner_rook: "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "O" => "O-O-O";
    castling_with_the_outer_rook_blocked: "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "O" => "";

    promotion_with_capture_and_mate: "k2r4/4P3/1K6/8/8/8/8/8 w - - 0 1", "e"
        => "e8=B e8=N e8=Q e8=R exd8=B exd8=N exd8=Q# exd8=R#";
    promotion_captures_only: "3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e"
        => "exd8=B exd8=N exd8=Q+ exd8=R+";
    promotion_to_a_knight_mates: "k7/8/8/8/8/6PP/5pRK/6BB b - - 0 1", "f1="
        => "f1=B f1=N# f1=Q f1=R";
    promotion_of_a_pinned_pawn: "8/1K1P3r/8/8/8/8/8/7k w - - 0 1", "d" => "";
    promotion_takes_the_pinning_piece: "1b5k/2P5/3K4/8/8/8/8/8 w - - 0 1", "c"
        => "cxb8=B cxb8=N cxb8=Q+ cxb8=R+";
    promotion_two_pawns_one_square: "3n3k/2P1P3/8/8/8/8/8/4K3 w - - 0 1", "cx"
        => "cxd8=B cxd8=N cxd8=Q+ cxd8=R+";

    two_pins_rook: "4r2k/8/8/8/8/6b1/4RP2/4K3 w - - 0 1", "R" => "Re3 Re4 Re5 Re6 Re7 Rxe8+";
    two_pins_pawn: "4r2k/8/8/8/8/6b1/4RP2/4K3 w - - 0 1", "f" => "fxg3";
    pinned_knights_stay: "4r2k/8/8/8/7b/8/4NN2/4K3 w - - 0 1", "N" => "";
    pinned_bishop_keeps_its_diagonal: "7k/8/8/8/7b/8/5B2/4K3 w - - 0 1", "B" => "Bg3 Bxh4";
    pinned_piece_answers_no_check: "4r2k/8/8/8/8/5n2/4B3/4K3 w - - 0 1", "B" => "";
    double_check_moves_the_king: "4r2k/8/8/8/8/3n4/8/3QK3 w - - 0 1", "" => "Kd2 Kf1";
    king_steps_back_along_the_line: "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", ""
        => "Kd3 Kd4 Kd5 Kf3 Kf4 Kf5";

    pinned_rival_needs_no_hint: "4r2k/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "N"
        => "Na1 Na5 Nc1 Nc5 Nd2 Nd4";
    free_rivals_by_file: "7k/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "N"
        => "Na1 Na5 Nbc1 Nbd4 Nc3 Nc5 Nd2 Nec1 Ned4 Nf4 Ng1 Ng3";
    rivals_on_one_file: "7k/8/8/R7/8/8/4K3/R7 w - - 0 1", "R1" => "R1a2 R1a3 R1a4";
    rivals_on_one_rank: "6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "Rh"
        => "Rh2 Rh3 Rh4 Rh5 Rh6 Rh7 Rh8+ Rhb1 Rhc1 Rhd1 Rhe1 Rhf1 Rhg1+";
    rivals_file_and_rank: "6k1/8/8/8/8/Q1Q5/8/Q1Q4K w - - 0 1", "Qa1" => "Qa1b2";
    rival_in_front_of_a_check: "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "N" => "Ne2 Nf3 Nh3";
    pawns_are_told_apart_by_file: "7k/8/8/3p4/2P1P3/8/8/7K w - - 0 1", "c"
        => "c5 cxd5";
}

macro_rules! after {
    ($($name:ident: $fen:literal, $san:literal => $after:literal;)*) => {$(
        #[test]
        fn $name() {
            let mut pair = pair_of($fen);
            let san = San::parse($san.as_bytes()).expect($san);
            pair.play(san.resolve(&pair.ours).expect($san).mv);
            pair.assert_same();
            assert_eq!(pair.to_string(), $after);
        }
    )*};
}

after! {
    captured_rook_ends_a_right: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxh8+"
        => "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1";
    promotion_takes_a_castling_rook: "r3k3/1P6/8/8/8/8/8/4K3 w q - 3 9", "bxa8=Q+"
        => "Q3k3/8/8/8/8/8/8/4K3 b - - 0 9";
    captured_outer_rook_leaves_the_inner: "rr2k3/8/8/8/8/8/8/R3K3 w Qb - 0 1", "Rxa8"
        => "Rr2k3/8/8/8/8/8/8/4K3 b q - 0 1";
    moved_outer_rook_leaves_the_inner: "4k3/8/8/8/8/8/8/RR2K3 w B - 7 9", "Ra8+"
        => "R3k3/8/8/8/8/8/8/1R2K3 b Q - 8 9";
    rook_beyond_the_castling_rook_makes_it_inner: "4k3/8/8/8/R7/8/8/1R2K3 w Q - 0 1", "Raa1"
        => "4k3/8/8/8/8/8/8/RR2K3 b B - 1 1";
    moved_king_ends_both_rights: "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "Kd7"
        => "r6r/3k4/8/8/8/8/8/R3K2R w KQ - 1 2";
    castling_ends_both_rights: "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 9", "O-O"
        => "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 5 10";
    castling_in_chess960: "k7/8/8/8/8/8/8/4RKR1 w KQ - 0 1", "O-O"
        => "k7/8/8/8/8/8/8/4RRK1 b - - 1 1";
    double_step_beside_a_pawn: "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4"
        => "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    double_step_beside_none: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4"
        => "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
    double_step_beside_a_pinned_pawn: "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e4"
        => "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1";
    null_move: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 5 9", "--" => "4k3/8/8/3pP3/8/8/8/4K3 b - - 6 9";
}

fn pair_of(fen: &str) -> Pair {
    Pair::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn texts(pair: &Pair, beginning: &str) -> Vec<String> {
    let legal = pair.ours.legal_moves();
    let texts = legal
        .into_iter()
        .map(|mv| san(&pair.ours, mv))
        .filter(|text| text.starts_with(beginning));
    sorted(texts)
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}
