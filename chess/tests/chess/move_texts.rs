//! Move texts as found in the wild: traps, slips, and remarks on moves.
//!
//! A row gives a position, the letters, the system, and texts; then the move in SAN, and the notes on the text.

use crate::support::positions::position;
use stamma_chess::board::Position;
use stamma_chess::notation::Note::{self, *};
use stamma_chess::notation::System::{self, *};
use stamma_chess::notation::{
    MoveFault, PieceLetters, ReadMove, Reading, UnreadMove, is_continuation, read, san,
};

fn read_in(fen: &str, code: &str, system: System, text: &str) -> Result<ReadMove, UnreadMove> {
    let letters = PieceLetters::parse(code).unwrap_or_else(|error| panic!("{code}: {error}"));
    let reading = Reading {
        letters: &letters,
        system,
    };
    read(text, reading, &position(fen))
}

macro_rules! reads {
    ($($name:ident: $fen:expr, $code:literal, $system:ident,
        $($text:literal)+ => $san:literal $([$($note:ident),+])?;)*) => {$(
        #[test]
        fn $name() {
            for text in [$($text),+] {
                let found = read_in($fen, $code, $system, text)
                    .unwrap_or_else(|error| panic!("{text}: {error:?}"));
                assert_eq!(san(&position($fen), found.mv()), $san, "{text}");
                let expected: &[Note] = &[$($($note),+)?];
                assert_eq!(found.notes, expected, "{text}");
            }
        }
    )*};
}

const OPEN: &str = "rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3";
const ROOKS: &str = "4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1";
const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PASSED: &str = "rnbqkbnr/ppp1pppp/8/8/3pP3/P7/1PPP1PPP/RNBQKBNR b KQkq e3 0 3";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const PROMOTION: &str = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
const BLACK_PROMOTION: &str = "7k/8/8/8/8/8/4p3/1K1R4 b - - 0 1";
const BISHOP_OR_PAWN: &str = "4k3/8/8/8/8/2n5/1P1B4/4K3 w - - 0 1";
const BISHOP: &str = "4k3/8/8/8/8/2n5/3B4/4K3 w - - 0 1";
const FISCHER: &str = "4k3/8/8/8/8/8/8/R4KR1 w KQ - 0 1";

reads! {
    pawn: OPEN, "en", Algebraic, "dxe5" "dxe5!" "d4xe5" "de5" "dxe" "de" "d:e5" "d:e" "de:" "d×e5"
        "dXe5" "d4-e5" "d4e5" "dxе5" "Pdxe5" => "dxe5";
    more_than_needed: OPEN, "en", Algebraic, "Nf3" "Ngf3" "N1f3" "Ng1f3" "Ng1-f3" "N-f3" "♘f3" "♞g1-f3"
        "g1f3" "g1-f3" "g1–f3" => "Nf3";
    french: OPEN, "fr", Algebraic, "Cf3" "Cg1-f3" "Cf3 (=)" "Cf3(=)" "Cf3," => "Nf3";
    russian: OPEN, "ru", Algebraic, "Кf3" "Кg1-f3" "Кg1f3" => "Nf3";
    russian_king: OPEN, "ru", Algebraic, "Крd2" "КРe1-d2" => "Kd2";
    russian_bishop: OPEN, "ru", Algebraic, "Сb5+" "Сf1-b5+" "Сb5†" "Сb5 ch" => "Bb5+";
    russian_with_latin_letters: OPEN, "ru", Algebraic, "Cb5+" => "Bb5+" [Slip];
    lithuanian_decomposed: OPEN, "lt", Algebraic, "Žf3" "Z\u{30c}f3" => "Nf3";
    lithuanian_bare: OPEN, "lt", Algebraic, "Zf3" => "Nf3" [Slip];
    german_pawn: OPEN, "de", Algebraic, "Ba4" "a4" => "a4";
    ones_own: OPEN, "К,Q,Тур,L,Kon", Algebraic, "Konf3" "KONg1-f3" => "Nf3";
    cyrillic_squares: OPEN, "en", Algebraic, "а4" "a2-а4" => "a4";
    greek_squares: OPEN, "en", Algebraic, "α4" => "a4";
    capital_files: OPEN, "en", Algebraic, "DXE5" "D4XE5" "D4-E5" "D4E5" => "dxe5" [Slip];
    capital_that_could_be_a_queen: PASSED, "fr", Algebraic, "D3" => "d3" [Slip];
    capital_that_is_a_queen: PASSED, "fr", Algebraic, "Dd6" => "Qd6";
    letter_for_one: ROOKS, "fr", Algebraic, "Tabl" "TabI" "Ta1-bl" => "Rab1" [Slip];
    lower_case_piece: OPEN, "en", Algebraic, "nf3" "ng1-f3" => "Nf3" [Slip];
    pawn_before_bishop: BISHOP_OR_PAWN, "en", Algebraic, "bxc3" "bc3" "bxc" => "bxc3";
    bishop_before_pawn: BISHOP_OR_PAWN, "en", Algebraic, "Bxc3" => "Bxc3";
    bishop_in_lower_case: BISHOP, "en", Algebraic, "bxc3" => "Bxc3" [Slip];

    castling: CASTLES, "en", Algebraic, "O-O" "0-0" "o-o" "О-О" "Ο-Ο" "O–O" "0-0!" "e1g1" "Ke1-g1"
        "e1h1" "o-0" => "O-O";
    castling_long: CASTLES, "en", Algebraic, "O-O-O" "0-0-0" "o-o-o" "e1c1" "e1-c1" "e1a1" => "O-O-O";
    castling_false_check: CASTLES, "en", Algebraic, "O-O+" => "O-O" [FalseCheck];
    castling_960: FISCHER, "en", Algebraic, "O-O" "f1g1" => "O-O";
    castling_960_long: FISCHER, "en", Algebraic, "O-O-O" "f1c1" "f1a1" => "O-O-O";
    null: OPEN, "fr", Algebraic, "--" "Z0" "null" "0000" => "--";

    en_passant: EN_PASSANT, "fr", Algebraic, "exd6" "exd6ep" "exd6 e.p." "exd6 e. p." "exd6 ep" "exd"
        "ed" "exdep" "e5xd6ep" "ed6 e.p" => "exd6";
    false_en_passant: OPEN, "en", Algebraic, "dxe5 e.p." => "dxe5" [FalseEnPassant];
    promotion: PROMOTION, "fr", Algebraic, "exd8D+" "exd8=D+" "exd8(D)+" "exd8/D+" "exd8d+" "e7d8d"
        "e7xTd8=D+" "exdD+" "exd=D" "ed8D" "exd8D" => "exd8=Q+";
    promotion_uci: PROMOTION, "en", Algebraic, "e7d8q" "e7d8Q" "e7d8=q" => "exd8=Q+";
    captured_piece: PROMOTION, "de", Algebraic, "e7xTd8=T+" => "exd8=R+";
    false_captured_piece: PROMOTION, "de", Algebraic, "e7xLd8=T+" => "exd8=R+" [FalseCaptured];
    false_capture: OPEN, "en", Algebraic, "Nxf3" "Nf3:" => "Nf3" [FalseCapture];
    false_mate: OPEN, "en", Algebraic, "Bb5#" "Bb5 mate" "Bb5mat" => "Bb5+" [FalseMate];
    false_double_check: OPEN, "en", Algebraic, "Bb5++" "Bb5dblch" => "Bb5+" [FalseDoubleCheck];
    by_its_check: "4k3/8/8/8/8/8/4N1N1/K3R3 w - - 0 1", "en", Algebraic, "Nf4+" "Nf4 dis ch"
        => "Nef4+" [DecidedByMark];
    by_what_it_takes: "7k/8/2p1n3/3P4/8/8/8/4K3 w - - 0 1", "en", Algebraic, "dxe" "dxe6" => "dxe6";

    descriptive: "start", "en", Descriptive, "P-K4" "P – K4" "P - K 4" "P to K4"
        => "e4";
    descriptive_in_lower_case: "start", "en", Descriptive, "p-k4" => "e4" [Slip];
}

reads! {
    knight: "start", "en", Descriptive, "N-KB3" "Kt-KB3" "N(KN1)-KB3" "N/KN1-KB3" "Kt-KB3!"
        "N(N1)-KB3" => "Nf3";
    knight_of_a_wing: "start", "en", Descriptive, "KN-B3" "KKt-B3" => "Nf3" [DecidedByWing];
    wrong_wing: "start", "en", Descriptive, "QN-KB3" => "Nf3" [FalseWing];
    by_the_black_side: PASSED, "en", Descriptive, "P-Q6" "QP-Q6" "P/Q5-Q6" => "d3";
    pawn_in_passing: PASSED, "en", Descriptive, "PxP" "PxPep" "PxP ep" "P x P e.p." "PxKP" "QPxP"
        "P takes P" "PxP/K6" "PxP(K6)" => "dxe3";
    pawn_takes: OPEN, "en", Descriptive, "QPxP" "PxKP" "P/Q4xKP" "PxP/5K" "PxP/K5" => "dxe5";
    wing: ROOKS, "en", Descriptive, "QR-Q1" "QR-1Q" => "Rad1" [DecidedByWing];
    wing_of_the_king: ROOKS, "en", Descriptive, "KR-Q1" => "Rfd1" [DecidedByWing];
    wing_with_check: "4k3/8/8/8/8/8/4N1N1/K3R3 w - - 0 1", "en", Descriptive, "QN-KB4ch"
        => "Nef4+" [DecidedByWing];
    check_before_wing: "4k3/8/8/8/8/8/4N1N1/K3R3 w - - 0 1", "en", Descriptive, "KN-KB4ch"
        => "Nef4+" [DecidedByMark, FalseWing];
    in_passing_of_two: "4k3/8/8/1p1pP3/P7/8/8/4K3 w - d6 0 1", "en", Descriptive, "PxPep" "PxP e.p."
        => "exd6";
    place: ROOKS, "en", Descriptive, "R(R1)-Q1" "R/R1-Q1" "R(QR1)-Q1" => "Rad1";
    ranks: "3k4/8/8/8/4R3/8/8/K3R3 w - - 0 1", "en", Descriptive, "R(4)-K3ch" "R/4-K3 ch" "R(K4)-K3ch"
        => "R4e3" [FalseCheck];
    castles: "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", "en", Descriptive, "Castles" "O-O" "Castles K"
        "Castles KR" "Castles (KR)" "castles" => "O-O";
    castles_long: CASTLES, "en", Descriptive, "Castles QR" "Castles Q" "O-O-O" "0-0-0" => "O-O-O";
    promotes: PROMOTION, "en", Descriptive, "P-K8(Q)" "P-K8=Q" "P-K8Q" "P-K8/Q" "P-K8(Q) ch"
        => "e8=Q+";
    promotes_taking: PROMOTION, "en", Descriptive, "PxR(Q)ch" "PxR=Q ch" "PxRQ" "PxR/Q8=Q"
        => "exd8=Q+";
    with_check: "4k3/8/8/3n4/8/5B2/8/4K3 w - - 0 1", "en", Descriptive, "BxKt" "B x Kt" "BxN" "BxKN"
        "B takes Kt" => "Bxd5";
    spanish: "start", "es", Descriptive, "P4R" "P-4R" => "e4";
    spanish_knight: "start", "es", Descriptive, "C3AR" "C(1CR)3AR" => "Nf3";
    spanish_wing: "start", "es", Descriptive, "CR3A" => "Nf3" [DecidedByWing];
    spanish_bishop: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "es", Descriptive,
        "A5C" "A5CD" => "Bb5";
    spanish_takes: OPEN, "es", Descriptive, "PDxP" "PxPR" "P(4D)xP(5R)" => "dxe5";
    french_number_first: "start", "fr", Descriptive, "P4R" => "e4";
    french_knight_number_first: "start", "fr", Descriptive, "C3FR" => "Nf3";
    spanish_promotion: PROMOTION, "es", Descriptive, "P8R=D" "P8R(D)" "P8RD" "P8R=D+" => "e8=Q+";

    numeric: "start", "en", Numeric, "5254" "52-54" "5254!" => "e4";
    numeric_knight: "start", "en", Numeric, "7163" => "Nf3";
    numeric_castling: CASTLES, "en", Numeric, "5171" "5181" "0-0" "O-O" => "O-O";
    numeric_castling_long: CASTLES, "en", Numeric, "5131" "5111" => "O-O-O";
    numeric_queen: PROMOTION, "en", Numeric, "57581" => "e8=Q+";
    numeric_knight_promotion: PROMOTION, "en", Numeric, "57484" => "exd8=N";
    numeric_without_piece: PROMOTION, "en", Numeric, "5758" => "e8=Q+" [QueenAssumed];
    numeric_without_rank: PROMOTION, "en", Numeric, "5752" => "e8=R+" [Slip];
    numeric_six: PROMOTION, "en", Numeric, "575802" "575820" => "e8=R+" [Slip];
    numeric_black: BLACK_PROMOTION, "en", Numeric, "52412" => "exd1=R+";
    numeric_black_without_rank: BLACK_PROMOTION, "en", Numeric, "5242" => "exd1=R+" [Slip];
}

macro_rules! refuses {
    ($($name:ident: $fen:expr, $code:literal, $system:ident, $($text:literal)+ => $why:ident;)*) => {$(
        #[test]
        fn $name() {
            for text in [$($text),+] {
                let error = read_in($fen, $code, $system, text).expect_err(text);
                assert_eq!(error.why, MoveFault::$why, "{text}");
            }
        }
    )*};
}

refuses! {
    ambiguous_rooks: ROOKS, "en", Algebraic, "Rd1" "Rd1!" "Rxd1" => Ambiguous;
    ambiguous_castling: CASTLES, "en", Descriptive, "Castles" => Ambiguous;
    ambiguous_knights: "4k3/8/8/8/8/8/8/KN3N2 w - - 0 1", "en", Descriptive, "N-Q2" => Ambiguous;
    capital_of_another_language: "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", "en", Algebraic, "Dd5" "Dxd5"
        => NoMoveText;
    bishop_that_is_no_pawn: "4k3/8/8/8/8/2n5/1P6/4K3 w - - 0 1", "en", Algebraic, "Bxc3" "Bbxc3"
        => Illegal;
    capitals_that_mean_two: BISHOP_OR_PAWN, "en", Algebraic, "BXC3" => Ambiguous;
    no_such_move: OPEN, "en", Algebraic, "Nf5" "e6" "O-O" "exd6" "e8=Q" "e4e6" "Ke3" "Rxd5" => Illegal;
    dash_where_it_takes: OPEN, "en", Descriptive, "P-K5" "Q-Q5" => Illegal;
    takes_what_is_not_there: OPEN, "en", Descriptive, "BxKt" "PxB" "NxP" => Illegal;
    no_promotion: PROMOTION, "en", Algebraic, "e8" "exd8" => Illegal;
    wrong_letters: OPEN, "en", Algebraic, "Sf3" "Cf3" "Кf3" "Тd1" => NoMoveText;
    no_moves: OPEN, "en", Algebraic, "" "1-0" "0-1" "1/2-1/2" "*" "resigns" "N" "+-" "±" "12." "e" "4"
        "x" "-" "=" "()" "e4e" "Nf9" "i4" "mate" "ch" "e8=K" => NoMoveText;
    no_numbers: "start", "en", Numeric, "52" "525" "5259" "0054" "e2e4" "52540" "5254541" => NoMoveText;
    no_words: "start", "en", Descriptive, "Castling" "K" "PK" "P-" "-K4" "P-K9" "P(Q" => NoMoveText;
}

macro_rules! judged {
    ($($name:ident: $text:literal => $nags:expr;)*) => {$(
        #[test]
        fn $name() {
            let found = read_in(OPEN, "en", Algebraic, $text).expect($text);
            assert_eq!(found.nags, $nags);
            assert!(found.notes.is_empty());
        }
    )*};
}

judged! {
    good: "Nf3!" => [1];
    decisive: "Bb5+-" => [18];
    decisive_with_check: "Bb5++-" => [18];
    better: "Nf3±" => [16];
    decisive_with_a_minus_sign: "Nf3+−" => [18];
    attack: "Nf3→" => [40];
    good_and_equal: "Nf3!=" => [1, 10];
}

/// The moves of a line in SAN; move numbers are skipped.
fn line(code: &str, system: System, movetext: &str) -> String {
    let is_number = |word: &&str| {
        let digits = word.strip_suffix('.');
        digits.is_some_and(|digits| digits.parse::<u32>().is_ok())
    };

    // A move may have several words, such as a promotion or a mark of check.
    let mut texts: Vec<String> = Vec::new();
    for word in movetext.split_whitespace().filter(|word| !is_number(word)) {
        match texts.last_mut() {
            Some(last) if is_continuation(last, word) => *last = format!("{last} {word}"),
            _ => texts.push(word.to_owned()),
        }
    }

    let letters = PieceLetters::of_language(code).expect(code);
    let reading = Reading { letters, system };
    let mut position = Position::start();
    let mut moves = Vec::new();
    for text in texts {
        let result = read(&text, reading, &position);
        let found = result.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        moves.push(san(&position, found.mv()));
        position.play(found.mv());
    }
    moves.join(" ")
}

macro_rules! lines {
    ($($name:ident: $code:literal, $system:ident, $movetext:literal => $san:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(line($code, $system, $movetext), $san);
        }
    )*};
}

lines! {
    alekhine_opocensky_paris_1925: "fr", Descriptive,
        "1. P.4D P.4D 2. P.4FD P.3FD 3. C.3FD C. 3FR 4. P.3R F.4FR 5. P pr PD C pr PD 6. F.4FD P.3R"
        => "d4 d5 c4 c6 Nc3 Nf6 e3 Bf5 cxd5 Nxd5 Bc4 e6";
    fischer_tukmakov_buenos_aires_1970: "es", Descriptive,
        "1. P3CD P4R 2. A2C C3AD 3. P4AD C3A 4. P3R A2R 5. P3TD"
        => "b3 e5 Bb2 Nc6 c4 Nf6 e3 Be7 a3";
    scholars_mate: "en", Descriptive, "1. P-K4 P-K4 2. B-B4 Kt-QB3 3. Q-R5 Kt-B3 4. Q x BP mate"
        => "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#";
    scholars_mate_in_digits: "en", Numeric, "1. 5254 5755 2. 6134 2836 3. 4185 7866 4. 8567"
        => "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#";
    evergreen: "en", Descriptive,
        "1. P-K4 P-K4 2. N-KB3 N-QB3 3. B-B4 B-B4 4. P-QN4 BxNP 5. P-B3 B-R4 6. P-Q4 PxP 7. O-O P-Q6
         8. Q-N3 Q-B3 9. P-K5 Q-N3 10. R-K1 KN-K2 11. B-R3 P-N4 12. QxP R-QN1 13. Q-R4 B-N3
         14. QN-Q2 B-N2 15. N-K4 Q-B4 16. BxQP Q-R4 17. N-B6ch PxN 18. PxP R-N1 19. QR-Q1 QxN
         20. RxNch NxR 21. QxPch KxQ 22. B-B5 dbl ch K-K1 23. B-Q7ch K-B1 24. BxN mate"
        => "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 \
            Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ \
            Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#";
}

#[test]
fn several_squares_are_listed() {
    // Two knights go to one square.
    let knights = "4k3/8/8/8/8/8/8/KN3N2 w - - 0 1";
    let two_origins = read_in(knights, "en", Descriptive, "N-Q2").expect_err("two knights");
    let origins = two_origins.what_was_legal(&position(knights));
    assert_eq!(origins.as_deref(), Some("Knight to d2: from b1 or f1"));

    // Descriptive notation has one name for the third squares of both bishops' files.
    let two_targets = read_in("start", "en", Descriptive, "N-B3").expect_err("two knights");
    let targets = two_targets.what_was_legal(&position("start"));
    assert_eq!(targets.as_deref(), Some("Knight: b1-c3 or g1-f3"));
}

#[test]
fn the_longest_descriptive_text() {
    let fen = "4k3/8/8/1p6/2P5/8/8/4K3 w - - 0 1";
    let found = read_in(fen, "en", Descriptive, "QBP(QB4)xQNP(QN5)").expect("a move");
    assert_eq!(san(&position(fen), found.mv()), "cxb5");
}

#[test]
fn a_mate_sign_is_not_an_evaluation() {
    let fen = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";

    // As an evaluation, `±` would be the NAG 16.
    let with_sign = read_in(fen, "fr", Algebraic, "Te8±").expect("mate");
    assert!(with_sign.nags.is_empty(), "{:?}", with_sign.nags);
    assert!(with_sign.notes.is_empty(), "{:?}", with_sign.notes);

    for text in ["Te8++", "Te8#", "Te8mat", "Te8 mat", "Te8‡", "Te1-e8mat."] {
        let mate = read_in(fen, "fr", Algebraic, text).expect(text);
        assert_eq!(mate.notes, [], "{text}");
    }
}

#[test]
fn a_draw_offer_is_kept() {
    // The Laws of FIDE have the offer of a draw marked as `(=)`.
    let with_offer = read_in(OPEN, "fr", Algebraic, "Cf3 (=)").expect("a move");
    assert!(with_offer.draw_offer);

    let without_offer = read_in(OPEN, "fr", Algebraic, "Cf3").expect("a move");
    assert!(!without_offer.draw_offer);
}

macro_rules! explains {
    ($($name:ident: $fen:expr, $text:literal => $legal:expr, $nearest:expr;)*) => {$(
        #[test]
        fn $name() {
            let position = position($fen);
            let error = read_in($fen, "en", Algebraic, $text).expect_err($text);
            assert_eq!(error.what_was_legal(&position).as_deref(), $legal);
            let nearest = error.nearest(&position).map(|mv| san(&position, mv));
            assert_eq!(nearest.as_deref(), $nearest);
        }
    )*};
}

explains! {
    two_rooks: ROOKS, "Rd1" => Some("Rook to d1: from a1 or f1"), None;
    wrong_origin: ROOKS, "Rfa5" => Some("Rook to a5: from a1"), Some("Ra5");
    no_knight: ROOKS, "Nd1" => Some("no knight can go to d1"), None;
    no_promotion_said: "8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8"
        => Some("Pawn to e8: from e7; it must become something"), Some("e8=Q");
    one_side_only: "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O-O" => Some("Castling short is legal"), None;
    no_castling: OPEN, "O-O" => Some("no castling is legal"), None;
    text: OPEN, "resigns" => None, None;
}
