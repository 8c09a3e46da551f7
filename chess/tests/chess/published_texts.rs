//! The examples of five texts on chess notation, each under its text.
//!
//! 1. The Laws of FIDE, annex E, in French.
//! 2. The rules of chess, an encyclopedia's article in French.
//! 3. A page in French on notation, PGN, FEN and EPD.
//! 4. A page in French on long notation as written at the board.
//! 5. An article on algebraic notation, put into English from French.
//!
//! These are not readable move texts:
//! - "Le cavalier roi va sur la case f3" (4): a sentence, given as a permitted form;
//! - pat, abandon, nulle, "etc." (2, 5): plain words, which a result or a comment keeps;
//! - the letters R D F C T for Russian (3): the French ones, a printing error;
//! - FENs with French letters (3): positions, not moves.

use crate::support::positions::position;
use stamma_chess::board::MoveKind;
use stamma_chess::notation::{
    MoveFault, Note, PieceLetters, Reading, System, is_continuation, read, san,
};

fn reading(code: &str) -> Reading<'static> {
    let letters = PieceLetters::of_language(code).unwrap_or_else(|| panic!("{code}"));
    Reading {
        letters,
        system: System::Algebraic,
    }
}

/// The moves of a line in SAN; move numbers are skipped, and `etc.` ends it.
fn line(fen: &str, code: &str, movetext: &str) -> String {
    let mut texts: Vec<String> = Vec::new();
    for word in movetext.split_whitespace() {
        if word.starts_with("etc") {
            break;
        }
        let is_move_number = word.trim_end_matches('.').parse::<u32>().is_ok();
        if is_move_number {
            continue;
        }

        match texts.last_mut() {
            Some(last) if is_continuation(last, word) => *last = format!("{last} {word}"),
            _ => texts.push(word.to_owned()),
        }
    }

    let mut position = position(fen);
    let mut moves = Vec::new();
    for text in texts {
        let found = read(&text, reading(code), &position);
        let found = found.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert!(found.notes.is_empty(), "{text}: {:?}", found.notes);
        moves.push(san(&position, found.mv()));
        position.play(found.mv());
    }
    moves.join(" ")
}

macro_rules! examples {
    ($($name:ident: $code:literal, $fen:literal, $($text:literal)+ => $($san:literal)+;)*) => {$(
        #[test]
        fn $name() {
            let found = [$($text),+].map(|text| line($fen, $code, text));
            assert_eq!(found, [$($san),+]);
        }
    )*};
}

/// Texts that mean a move with a slip.
macro_rules! slips {
    ($($name:ident: $code:literal, $fen:literal, $text:literal => $san:literal;)*) => {$(
        #[test]
        fn $name() {
            let position = position($fen);
            let found = read($text, reading($code), &position).expect($text);
            assert_eq!(san(&position, found.mv()), $san);
            assert_eq!(found.notes, [Note::Slip]);
        }
    )*};
}

mod laws_annex_e {
    use super::*;

    examples! {
        letters_of_the_country: "nl", "start", "1. e4 e5 2. Lc4" => "e4 e5 Bc4";
        bishop_in_english: "en", "start", "1. e4 e5 2. Bc4" => "e4 e5 Bc4";
        pawns: "fr", "rnbqkbnr/1ppp1ppp/p7/P3p3/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1", "d4" => "d4";
        pawn_e5: "fr", "4k3/8/8/8/P3P3/8/8/4K3 w - - 0 1", "e5" "a5" => "e5" "a5";
        pieces: "fr", "4k3/8/8/8/8/6B1/8/3K2NR w - - 0 1", "Fe5" "Cf3" => "Be5" "Nf3";
        rook: "fr", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Tf1" => "Rf1";
        rook_d1: "fr", "4k3/8/8/8/8/8/8/R4K2 w - - 0 1", "Td1" => "Rd1";
        captures: "fr", "3bk3/8/8/4p3/8/5pB1/8/3R2NK w - - 0 1", "Fxe5" "Cxf3" => "Bxe5" "Nxf3";
        pawn_captures: "fr", "4k3/8/8/1p2p3/P2P4/5p2/6P1/4K3 w - - 0 1", "dxe5" "gxf3" "axb5"
            => "dxe5" "gxf3" "axb5";
        in_passing: "fr", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p." => "exd6";
        knights_on_a_rank: "fr", "4k3/8/8/8/8/8/3N4/K5N1 w - - 0 1", "Cgf3" "Cdf3" => "Ngf3" "Ndf3";
        knights_on_a_file: "fr", "4k3/8/8/6N1/8/8/8/K5N1 w - - 0 1", "C5f3" "C1f3" => "N5f3" "N1f3";
        knights_apart: "fr", "4k3/8/8/8/3N4/8/7N/K7 w - - 0 1", "Chf3" "Cdf3" => "Nhf3" "Ndf3";
        knights_on_a_rank_take: "fr", "4k3/8/8/8/8/5p2/3N4/K5N1 w - - 0 1", "Cgxf3" "Cdxf3"
            => "Ngxf3" "Ndxf3";
        knights_on_a_file_take: "fr", "4k3/8/8/6N1/8/5p2/8/K5N1 w - - 0 1", "C5xf3" "C1xf3"
            => "N5xf3" "N1xf3";
        knights_apart_take: "fr", "4k3/8/8/8/3N4/5p2/7N/K7 w - - 0 1", "Chxf3" "Cdxf3"
            => "Nhxf3" "Ndxf3";
        two_pawns: "fr", "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5" "exd5" => "cxd5" "exd5";
        promotions: "fr", "8/3P1P2/8/7k/8/8/8/K7 w - - 0 1", "d8D" "f8C" => "d8=Q" "f8=N";
        promotions_of_black: "fr", "8/8/8/7k/8/8/1p4p1/4K3 b - - 0 1", "b1F" "g1T+"
            => "b1=B" "g1=R+";
        an_offer: "fr", "start", "1. e4 (=) e5" => "e4 e5";
        castling: "fr", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0" "0-0-0" "0-0 0-0-0"
            => "O-O" "O-O-O" "O-O O-O-O";
        check_and_mate: "fr", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "Te8#" => "Re8#";
        game: "fr", "start",
            "1. d4 Cf6 2. c4 e6 3. Cc3 Fb4 4. Fd2 0-0 5. e4 d5 6. exd5 exd5 7. cxd5 Fxc3 8. Fxc3
             Cxd5 9. Cf3 b6 10. Db3 Cxc3 11. bxc3 c5 12. Fe2 cxd4 13. Cxd4 Te8 14. 0-0 Cd7 15. a4
             Cc5 16. Db4 Fb7 17. a5 etc."
            => "d4 Nf6 c4 e6 Nc3 Bb4 Bd2 O-O e4 d5 exd5 exd5 cxd5 Bxc3 Bxc3 Nxd5 Nf3 b6 Qb3 Nxc3 \
                bxc3 c5 Be2 cxd4 Nxd4 Re8 O-O Nd7 a4 Nc5 Qb4 Bb7 a5";
    }

    slips! {
        a_letter_for_one: "fr", "4k3/8/8/8/8/8/8/3b1R1K w - - 0 1", "Txdl" => "Rxd1";
    }
}

mod rules_of_chess {
    use super::*;

    examples! {
        long: "fr", "start", "1. e2-e4 Cg8-f6 2. d2-d4 Cf6xe4 3. etc." => "e4 Nf6 d4 Nxe4";
        short: "fr", "start", "1. e4 Cf6 2. d4 Cxe4 3. etc." => "e4 Nf6 d4 Nxe4";
        by_file: "fr", "3k4/8/8/8/8/8/6K1/R3R3 w - - 0 1", "Ted1+" "Tad1+" => "Red1+" "Rad1+";
        by_rank: "fr", "4k3/8/8/8/8/3R4/6K1/3R4 w - - 0 1", "T1d2" "T3d2" => "R1d2" "R3d2";
        pawn_takes: "fr", "start", "1. e4 d5 2. exd5" => "e4 d5 exd5";
        in_passing: "fr", "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "cxd3 e.p." => "cxd3";
        an_offer: "fr", "start", "1. e4 (=)" => "e4";
        // The diagrams.
        castling_both_sides: "fr", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "O-O O-O-O"
            => "O-O O-O-O";
        double_step_and_capture: "fr", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7-d5 exd6 e.p."
            => "d5 exd6";
    }

    #[test]
    fn one_rook_of_two() {
        let position = position("3k4/8/8/8/8/8/6K1/R3R3 w - - 0 1");
        let error = read("Td1", reading("fr"), &position).expect_err("two rooks");
        assert_eq!(error.why, MoveFault::Ambiguous);

        let legal = error.what_was_legal(&position);
        assert_eq!(legal.as_deref(), Some("Rook to d1: from a1 or e1"));
    }

    #[test]
    fn castling_through_an_attack() {
        let position = position("r3k3/8/8/1b6/8/8/8/4K2R w K - 0 1");
        let error = read("O-O", reading("fr"), &position).expect_err("f1 is attacked");
        assert_eq!(error.why, MoveFault::Illegal);
    }

    #[test]
    fn a_pinned_pawn() {
        let position = position("4k3/8/1b6/8/8/8/5P2/6K1 w - - 0 1");
        for text in ["f3", "f4", "f2-f4"] {
            assert_eq!(
                read(text, reading("fr"), &position).expect_err(text).why,
                MoveFault::Illegal
            );
        }
    }

    #[test]
    fn mate_and_stalemate() {
        assert!(position("7k/8/8/6b1/8/8/3q4/3K4 w - - 0 1").is_checkmate());
        assert!(position("8/8/8/1k6/8/b1n5/8/K7 w - - 0 1").is_stalemate());
    }
}

mod page_on_notation {
    use super::*;

    examples! {
        coordinates: "fr", "start", "1. e2-e4 d7-d5 2. e4xd5 d8xd5" => "e4 d5 exd5 Qxd5";
        short: "fr", "start", "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6"
            => "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6";
        without_a_dot: "fr", "start", "1. e4 e5 2 Cf3" => "e4 e5 Nf3";
        promotion: "fr", "8/4P3/8/7k/8/8/8/K7 w - - 0 1", "e7-e8=D" "e8=D" "e8D"
            => "e8=Q+" "e8=Q+" "e8=Q+";
        by_file: "fr", "4k3/8/8/8/8/8/6K1/R4R2 w - - 0 1", "Tfe1+" => "Rfe1+";
        castling: "fr", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O" "O-O-O" => "O-O" "O-O-O";
        english: "en", "start", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7" => "Nf3 Nf6 g3 g6 Bg2 Bg7";
        italian: "it", "start", "1. Cf3 Cf6 2. g3 g6 3. Ag2 Ag7" => "Nf3 Nf6 g3 g6 Bg2 Bg7";
        spanish: "es", "start", "1. Cf3 Cf6 2. g3 g6 3. Ag2 Ag7" => "Nf3 Nf6 g3 g6 Bg2 Bg7";
        german: "de", "start", "1. Sf3 Sf6 2. g3 g6 3. Lg2 Lg7" => "Nf3 Nf6 g3 g6 Bg2 Bg7";
        russian: "ru-Latn", "start", "1. Kf3 Kf6 2. g3 g6 3. Sg2 Sg7 4. O-O Krf8"
            => "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O Kf8";
        double_check: "fr", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Cf6++" => "Nf6+";
        example: "en", "start",
            "1. d4 d5 2. c4 c6 3. Nc3 Nf6 4. e3 e6 5. Nf3 Nbd7 6. Qc2 b6 7. cxd5 exd5 8. Bd3 Be7
             9. Bd2 O-O 10. g4 Nxg4 11. Rg1 Ndf6 12. h3 Nh6 13. e4 dxe4 14. Bxh6 exd3 15. Rxg7+
             Kh8 16. Qxd3 Rg8 17. Rxg8+ Nxg8 18. Bf4 f6 19. O-O-O Bd6 20. Qe3 Bxf4 21. Qxf4 Bxh3
             22. Rg1 Qb8 23. Qe3 Qd6 24. Nh4 Be6 25. Rh1 Rd8 26. Ng6+ Kg7 27. Nf4 Bf5 28. Nce2 Ne7
             29. Ng3 Kh8 30. Nxf5 Nxf5 31. Qe4 Qd7 32. Rh5 Nxd4 33. Ng6+ Kg8 34. Ne7+ Kf8 35. Nd5
             Qg7 36. Qxd4 Rxd5"
            => "d4 d5 c4 c6 Nc3 Nf6 e3 e6 Nf3 Nbd7 Qc2 b6 cxd5 exd5 Bd3 Be7 Bd2 O-O g4 Nxg4 Rg1 Ndf6 \
                h3 Nh6 e4 dxe4 Bxh6 exd3 Rxg7+ Kh8 Qxd3 Rg8 Rxg8+ Nxg8 Bf4 f6 O-O-O Bd6 Qe3 Bxf4 \
                Qxf4 Bxh3 Rg1 Qb8 Qe3 Qd6 Nh4 Be6 Rh1 Rd8 Ng6+ Kg7 Nf4 Bf5 Nce2 Ne7 Ng3 Kh8 Nxf5 \
                Nxf5 Qe4 Qd7 Rh5 Nxd4 Ng6+ Kg8 Ne7+ Kf8 Nd5 Qg7 Qxd4 Rxd5";
    }
}

mod page_on_fen {
    use stamma_chess::notation::read_fen;

    macro_rules! fens {
        ($($name:ident: $fen:literal => $english:literal;)*) => {$(
            #[test]
            fn $name() {
                let (setup, language) = read_fen($fen).expect("a FEN");
                assert_eq!(setup.to_string(), $english);
                assert_eq!(language.map(|language| language.codes[0]), Some("fr"));
            }
        )*};
    }

    fens! {
        // The text calls it the start position, which it is, with Black to move.
        start: "tcfdrfct/pppppppp/8/8/8/8/PPPPPPPP/TCFDRFCT b KQkq"
            => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        rook_ending: "5r2/p1p2p2/5C1P/1p4t1/8/1P6/5T2/7R"
            => "5k2/p1p2p2/5N1P/1p4r1/8/1P6/5R2/7K w - - 0 1";
    }
}

mod page_on_long_notation {
    use super::*;

    examples! {
        knight: "fr", "start", "Cg1-f3" => "Nf3";
        pawn: "fr", "start", "e2-e4" => "e4";
        takes_a_bishop: "fr", "4k3/8/8/8/8/5b2/8/4K1N1 w - - 0 1", "Cg1xFf3" => "Nxf3";
        castling: "fr", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0" "0-0-0" => "O-O" "O-O-O";
        check: "fr", "8/8/8/6k1/8/8/8/4K1N1 w - - 0 1", "Cg1-f3+" => "Nf3+";
        double_check: "fr", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Ce4-f6++" => "Nf6+";
        promotion: "fr", "8/4P3/8/7k/8/8/8/K7 w - - 0 1", "e7-e8=D+" => "e8=Q+";
        takes_and_promotes: "fr", "4n2k/3P4/8/8/8/8/8/K7 w - - 0 1", "d7xCe8=T+" => "dxe8=R+";
        in_passing: "fr", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "bxa6ep" => "bxa6";
        mate: "fr", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "Te1-e8±" "Te1-e8mat" "Te1-e8 mat"
            => "Re8#" "Re8#" "Re8#";
    }
}

mod article_on_algebraic_notation {
    use super::*;

    examples! {
        pawn: "fr", "start", "e2-e4" => "e4";
        promotion: "fr", "8/4P3/8/7k/8/8/8/K7 w - - 0 1", "e7-e8=C" => "e8=N";
        long: "fr", "start", "1. e2-e4 Cg8-f6 2. d2-d4 Cf6xe4 3. etc" => "e4 Nf6 d4 Nxe4";
        short: "fr", "start", "1. e4 Cf6 2. d4 Cxe4 3. etc" => "e4 Nf6 d4 Nxe4";
        by_file_or_rank: "fr", "k7/8/8/8/8/8/3R4/4R1K1 w - - 0 1", "Ted1" "T1d1" "Tdd1" "T2d1"
            => "Red1" "Red1" "Rdd1" "Rdd1";
        pawn_takes: "fr", "start", "1. e4 d5 2. exd5" "1. e4 d5 2. exd" "1. e4 d5 2. ed"
            => "e4 d5 exd5" "e4 d5 exd5" "e4 d5 exd5";
        in_passing: "fr", "4k3/8/8/8/1pP5/8/8/4K3 b - c3 0 1", "bxc3 e.p." => "bxc3";
        a_letter_for_the_pawn: "fr", "start", "1. Pe4 Pe5" => "e4 e5";
    }

    slips! {
        in_capitals: "fr", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "ED"
            => "exd5";
    }

    #[test]
    fn one_rook_of_two() {
        let position = position("k7/8/8/8/8/8/3R4/4R1K1 w - - 0 1");
        let error = read("Td1", reading("fr"), &position).expect_err("two rooks");
        assert_eq!(error.why, MoveFault::Ambiguous);
    }

    #[test]
    fn en_passant_with_its_mark() {
        let position = position("4k3/8/8/8/1pP5/8/8/4K3 b - c3 0 1");
        let found = read("bxc3 e.p.", reading("fr"), &position).expect("a move");
        assert_eq!(found.mv().kind, MoveKind::EnPassant);
    }
}
