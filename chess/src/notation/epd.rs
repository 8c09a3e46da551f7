//! EPD: one position per line, with operations that describe it (PGN §16.2).
//!
//! `4k3/8/8/8/8/8/8/4K3 b - - bm Kd7 Ke7; id "two kings";` has four fields and two operations.
//! [`read_fen`](super::read_fen) parses and validates the fields. Strings have no escapes: they end at the next
//! quotation mark.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

/// The fields of a position in EPD: board, turn, castling rights and en passant square (PGN §16.2.3).
const EPD_FIELDS: usize = 4;

/// The fields of a FEN, which has two counters behind them (PGN §16.1.3).
const FEN_FIELDS: usize = 6;

/// Strings are shorter than 256 bytes (PGN §16.2.4.1).
const MAX_STRING_BYTES: usize = 255;

/// A line of EPD, or a FEN, which has no operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd<'l> {
    /// The fields of the position, separated by single spaces: four in an EPD, six in a FEN, fewer if some are missing.
    pub fen: String,
    /// The operations, in the order of the line.
    pub operations: Vec<Operation<'l>>,
}

/// An operation of an EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation<'l> {
    /// The opcode: `bm`, `id`, `c0`.
    pub opcode: &'l str,
    /// The operands, often none or one.
    pub operands: Vec<Operand<'l>>,
}

/// An operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'l> {
    /// A move, a number, or another text without spaces.
    Bare(&'l str),
    /// The text between quotation marks.
    String(&'l str),
}

impl<'l> Epd<'l> {
    /// Parses any line; odd texts become odd fields and operations, and none is lost.
    ///
    /// ```
    /// use stamma_chess::notation::Epd;
    /// let epd = Epd::read("4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id \"kings; two\";");
    /// assert_eq!(epd.fen, "4k3/8/8/8/8/8/8/4K3 b - -");
    /// assert_eq!(epd.operand("id"), Some("kings; two"));
    /// ```
    pub fn read(line: &'l str) -> Epd<'l> {
        let (fields, mut rest) = split_fields(line);

        let mut operations = Vec::new();
        while let Some((operation, after)) = read_operation(rest) {
            operations.push(operation);
            rest = after;
        }

        Epd {
            fen: fields.join(" "),
            operations,
        }
    }

    /// The first operand of the first operation with this opcode.
    pub fn operand(&self, opcode: &str) -> Option<&'l str> {
        let operation = self
            .operations
            .iter()
            .find(|operation| operation.opcode == opcode)?;
        let first = operation.operands.first()?;

        Some(first.text())
    }
}

impl<'l> Operand<'l> {
    /// The text, without quotation marks.
    pub fn text(self) -> &'l str {
        match self {
            Operand::Bare(text) | Operand::String(text) => text,
        }
    }
}

/// Splits off up to four fields, and the two counters of a FEN if present; a semicolon also ends them.
fn split_fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = line.trim_start();

    while let Some((field, after)) = split_word(rest) {
        // Behind four fields, a number is a counter of a FEN, and any other word is an opcode.
        let is_counter = field.bytes().all(|byte| byte.is_ascii_digit());
        let is_operation = fields.len() >= EPD_FIELDS && !is_counter;
        if fields.len() == FEN_FIELDS || is_operation {
            break;
        }

        fields.push(field);
        rest = after;
    }

    (fields, rest)
}

/// Splits off a word that ends at a space or semicolon, unless it is empty.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|c: char| c.is_whitespace() || c == ';')
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);

    if word.is_empty() {
        return None;
    }

    Some((word, rest.trim_start()))
}

/// Parses an operation; returns it with the rest of the text. `None` without an opcode.
fn read_operation(text: &str) -> Option<(Operation<'_>, &str)> {
    let from_opcode = text.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    let (opcode, mut rest) = split_word(from_opcode)?;

    let mut operands = Vec::new();
    while let Some((operand, after)) = read_operand(rest) {
        operands.push(operand);
        rest = after;
    }

    Some((Operation { opcode, operands }, rest))
}

/// Parses an operand. An unclosed string ends with its operation, so that later operations are not lost.
fn read_operand(text: &str) -> Option<(Operand<'_>, &str)> {
    let Some(after_quote) = text.strip_prefix('"') else {
        let (word, rest) = split_word(text)?;
        return Some((Operand::Bare(word), rest));
    };

    let (string, rest) = if let Some(closed) = after_quote.split_once('"') {
        closed
    } else if let Some(end) = after_quote.find(';') {
        after_quote.split_at(end)
    } else {
        (after_quote, "")
    };

    Some((Operand::String(string), rest.trim_start()))
}

/// Writes the line, with operations in the ASCII order of their opcodes (PGN §16.2.4.1). If fields are missing, a
/// semicolon separates them from the operations.
impl Display for Epd<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut operations: Vec<&Operation<'_>> = self.operations.iter().collect();
        operations.sort_by_key(|operation| operation.opcode);

        f.write_str(&self.fen)?;

        // Without the semicolon, an opcode would be read as a missing field.
        let lacks_fields = self.fen.split(' ').count() < EPD_FIELDS;
        if lacks_fields && !operations.is_empty() {
            f.write_str(";")?;
        }

        for operation in operations {
            write!(f, " {operation}")?;
        }

        Ok(())
    }
}

/// Writes the operation, including its semicolon.
impl Display for Operation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.opcode)?;

        for operand in &self.operands {
            write!(f, " {operand}")?;
        }

        f.write_str(";")
    }
}

/// Writes a string as EPD can represent it: truncated, and without quotation marks, control characters, and
/// backslashes, which many programs take for escapes.
impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Bare(text) => f.write_str(text),
            Operand::String(text) => write!(f, "\"{}\"", in_string(text)),
        }
    }
}

/// The text of a string, truncated and without the characters that EPD cannot represent.
fn in_string(text: &str) -> Cow<'_, str> {
    let truncated = &text[..text.floor_char_boundary(MAX_STRING_BYTES)];

    // EPD has no escape for these characters.
    let replaced = |c: char| match c {
        '"' => '\'',
        '\\' => '/',
        c if c.is_control() => ' ',
        c => c,
    };

    if truncated.chars().all(|c| replaced(c) == c) {
        Cow::Borrowed(truncated)
    } else {
        Cow::Owned(truncated.chars().map(replaced).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::Operand::{Bare, String};
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    macro_rules! fens {
        ($($name:ident: $line:literal => $fen:literal, $operations:literal;)*) => {$(
            #[test]
            fn $name() {
                let epd = Epd::read($line);
                assert_eq!((epd.fen.as_str(), epd.operations.len()), ($fen, $operations));
            }
        )*};
    }

    fens! {
        empty: " " => "", 0;
        fen: "4k3/8/8/8/8/8/8/4K3 w - - 3 17" => "4k3/8/8/8/8/8/8/4K3 w - - 3 17", 0;
        short: "4k3/8/8/8/8/8/8/4K3" => "4k3/8/8/8/8/8/8/4K3", 0;
        wide: "4k3/8/8/8/8/8/8/4K3\tw  - -" => "4k3/8/8/8/8/8/8/4K3 w - -", 0;
        epd: "4k3/8/8/8/8/8/8/4K3 b - - bm Kd7;" => "4k3/8/8/8/8/8/8/4K3 b - -", 1;
        fen_with_operations: "4k3/8/8/8/8/8/8/4K3 w - - 3 17 id a;"
            => "4k3/8/8/8/8/8/8/4K3 w - - 3 17", 1;
        short_with_operations: "4k3/8/8/8/8/8/8/4K3 w; id a;" => "4k3/8/8/8/8/8/8/4K3 w", 1;
        perft_counts: "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25"
            => "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 2;
    }

    macro_rules! operations {
        ($($name:ident: $text:literal => $($opcode:literal $operands:expr),*;)*) => {$(
            #[test]
            fn $name() {
                let line = format!("{KINGS} {}", $text);
                let expected: &[(&str, &[Operand<'_>])] = &[$(($opcode, &$operands)),*];
                let epd = Epd::read(&line);
                let read: Vec<(&str, &[Operand<'_>])> =
                    epd.operations.iter().map(|op| (op.opcode, &op.operands[..])).collect();
                assert_eq!(read, expected);
            }
        )*};
    }

    operations! {
        moves: "bm Kd1 Kd2; ce -12;" => "bm" [Bare("Kd1"), Bare("Kd2")], "ce" [Bare("-12")];
        no_operand: "draw_offer; resign;" => "draw_offer" [], "resign" [];
        semicolon_in_a_string: "c0 \"a; b\"; id \"c\";" => "c0" [String("a; b")], "id" [String("c")];
        empty_string: "id \"\";" => "id" [String("")];
        two_strings: "tcri \"a@b.c\" \"A B\";" => "tcri" [String("a@b.c"), String("A B")];
        no_last_semicolon: "id x7" => "id" [Bare("x7")];
        no_spaces: "bm Kd1;id\"a\";" => "bm" [Bare("Kd1")], "id\"a\"" [];
        unclosed_string: "id \"a b; ce 3;" => "id" [String("a b")], "ce" [Bare("3")];
        more_semicolons: ";; bm Kd1 ;; id a;;" => "bm" [Bare("Kd1")], "id" [Bare("a")];
        opcode_twice: "c0 \"a\"; c0 \"b\";" => "c0" [String("a")], "c0" [String("b")];
        unknown_opcode: "Stamma_x 1 é;" => "Stamma_x" [Bare("1"), Bare("é")];
    }

    #[test]
    fn an_operand_is_that_of_its_opcode() {
        let line = format!("{KINGS} c0 \"id a;\"; draw_offer; bm Kd1 Kd2;");
        let epd = Epd::read(&line);

        // An opcode within a string does not count.
        assert_eq!(epd.operand("c0"), Some("id a;"));
        assert_eq!(epd.operand("id"), None);

        assert_eq!(epd.operand("draw_offer"), None);
        assert_eq!(epd.operand("bm"), Some("Kd1"));
    }

    #[test]
    fn is_written_in_the_order_of_opcodes() {
        let line = format!("{KINGS}  id \"a; b\";bm  Kd1 Kd2 ; c1 x; acs 4; Zz;");
        let written = Epd::read(&line).to_string();
        assert_eq!(
            written,
            format!("{KINGS} Zz; acs 4; bm Kd1 Kd2; c1 x; id \"a; b\";")
        );
        assert_eq!(Epd::read(&written).to_string(), written);
    }

    #[test]
    fn a_short_fen_is_written_as_such() {
        let line = "4k3/8/8/8/8/8/8/4K3 w; id a;";
        assert_eq!(Epd::read(line).to_string(), line);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(line in "[ab1é /\";]{0,40}") {
            let without_separators = |text: &str| text.replace([' ', ';', '"'], "");

            let epd = Epd::read(&line);

            let mut read = without_separators(&epd.fen);
            for operation in &epd.operations {
                read.push_str(&without_separators(operation.opcode));
                for operand in &operation.operands {
                    read.push_str(&without_separators(operand.text()));
                }
            }
            prop_assert_eq!(read, without_separators(&line));
        }
    }

    macro_rules! strings {
        ($($name:ident: $text:expr => $written:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(String($text).to_string(), format!("\"{}\"", $written));
            }
        )*};
    }

    strings! {
        plain: "Réti; Bratislava" => "Réti; Bratislava";
        quotation_marks: "the \"Immortal\"" => "the 'Immortal'";
        backslashes: "a\\" => "a/";
        control_characters: "a\tb\nc" => "a b c";
        longest: &"x".repeat(255) => "x".repeat(255);
        too_long: &"é".repeat(200) => "é".repeat(127);
    }
}
