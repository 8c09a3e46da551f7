//! A table of openings in memory: from a position's key to its name.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::fault::{LineFault, ParseOpeningsError};
use crate::board::Position;
use crate::game::Variant;
use crate::notation::San;
use crate::replay::{Mainline, PositionKey, Replay};

/// Positions after more half-moves than this are not named, unless the table has a longer line.
///
/// The limit is Lichess's.
pub const MAX_NAMED_PLY: usize = 40;

/// The maximum number of openings in a table, so that an [`OpeningId`] can number each.
const MAX_OPENINGS: u16 = u16::MAX;

/// The number of leading bits of a key by which keys are found: with the library's table, about four keys begin alike.
const PREFIX_BITS: u32 = 10;
const PREFIXES: usize = 1 << PREFIX_BITS;

/// The number of bits after the prefix that number a bit in the prefix's word of the filter.
const FILTER_BITS: u32 = u64::BITS.ilog2();

/// The default table, for databases that store no table.
static STANDARD: LazyLock<Openings> = LazyLock::new(|| {
    Openings::from_lines(Openings::STANDARD_LINES).expect("the lines of the table are legal moves")
});

/// An opening: its code in the Encyclopaedia of Chess Openings and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opening<'t> {
    /// The code, `B90`; tables with finer codes have `B90j`.
    pub eco: &'t str,
    /// The whole name, `Sicilian Defense: Najdorf Variation, English Attack`.
    pub name: &'t str,
}

impl<'t> Opening<'t> {
    /// The first part of the name, for the `Opening` tag: `Sicilian Defense`.
    pub fn family(&self) -> &'t str {
        self.name
            .split_once(": ")
            .map_or(self.name, |(family, _)| family)
    }

    /// The second part of the name, for the `Variation` tag: `Najdorf Variation`.
    pub fn variation(&self) -> Option<&'t str> {
        let (_, rest) = self.name.split_once(": ")?;
        match rest.split_once(", ") {
            Some((variation, _)) => Some(variation),
            None => Some(rest),
        }
    }

    /// The rest of the name, for the `SubVariation` tag: `English Attack`.
    pub fn sub_variation(&self) -> Option<&'t str> {
        let (_, rest) = self.name.split_once(": ")?;
        let (_, sub_variation) = rest.split_once(", ")?;
        Some(sub_variation)
    }
}

/// The number of an [`Opening`] in its table, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpeningId(pub u16);

/// Names of positions.
///
/// ```
/// use stamma_chess::openings::Openings;
/// use stamma_chess::replay::replay;
/// let openings = Openings::standard();
/// let game = replay("1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 *");
/// let opening = openings.get(openings.of_game(&game).expect("a name"));
/// assert_eq!((opening.eco, opening.family()), ("B90", "Sicilian Defense"));
/// assert_eq!(opening.variation(), Some("Najdorf Variation"));
/// ```
#[derive(Debug)]
pub struct Openings {
    /// Each pair of a code and a name, once.
    openings: Vec<(Box<str>, Box<str>)>,
    /// Keys of positions in ascending order, each with its opening.
    by_key: Vec<(PositionKey, OpeningId)>,
    /// For each prefix, the index in `by_key` of the first key with this prefix or a higher one; at the end, the number
    /// of keys.
    starts: Box<[u32; PREFIXES + 1]>,
    /// One bit for each value of a key's prefix and the bits after it, set if a position whose key has this value has a
    /// name.
    filter: Box<[u64; PREFIXES]>,
    /// The number of half-moves of the longest line, at least [`MAX_NAMED_PLY`].
    max_ply: usize,
}

impl Openings {
    /// The lines of the table of the library, as [`Openings::from_lines`] takes them.
    pub const STANDARD_LINES: &str = include_str!("openings.tsv");

    /// The table of the library.
    pub fn standard() -> &'static Openings {
        &STANDARD
    }

    /// A table of lines with three columns, separated by tabs: moves in SAN without numbers, code, name.
    ///
    /// If two lines lead to one position, the later line names the position.
    ///
    /// # Errors
    /// The first line that has other columns or a move that is not legal.
    pub fn from_lines(text: &str) -> Result<Openings, ParseOpeningsError> {
        let mut builder = Builder::default();
        for (line, columns) in (1..).zip(text.lines()) {
            builder.add_line(columns).map_err(|fault| fault.at(line))?;
        }
        Ok(builder.finish())
    }

    /// The opening with a number.
    ///
    /// # Panics
    /// If the number is not less than the number of openings in this table.
    pub fn get(&self, id: OpeningId) -> Opening<'_> {
        let (eco, name) = &self.openings[usize::from(id.0)];
        Opening { eco, name }
    }

    /// All openings in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Opening<'_>> {
        self.openings
            .iter()
            .map(|(eco, name)| Opening { eco, name })
    }

    /// The name of a position of standard chess by its key.
    #[inline]
    pub fn at(&self, key: PositionKey) -> Option<OpeningId> {
        // Most positions have no name, and nearly all of them are recognized by the filter, which has 8 KiB.
        let prefix = prefix_of(key);
        let may_have_name = self.filter[prefix] >> bit_of(key) & 1 != 0;
        if !may_have_name {
            return None;
        }

        // Keys are as good as random, so few keys have equal beginnings.
        let start = self.starts[prefix] as usize;
        let end = self.starts[prefix + 1] as usize;
        let candidates = &self.by_key[start..end];
        let named = candidates.iter().find(|&&(known, _)| known == key);
        named.map(|&(_, id)| id)
    }

    /// The name of a position of standard chess.
    pub fn of_position(&self, position: &Position) -> Option<OpeningId> {
        self.at(PositionKey::new(position, Variant::Standard))
    }

    /// The name of the last named position of a replayed game's mainline, within [`MAX_NAMED_PLY`] half-moves; `None`
    /// for games of other variants.
    pub fn of_game(&self, replay: &Replay<'_>) -> Option<OpeningId> {
        if replay.game.variant != Variant::Standard {
            return None;
        }

        // Without a repeated position, each half-move has a visit, whose key is known.
        let plies = replay.played.len().min(self.max_ply);
        if let Some(visits) = replay.visits.get(..=plies)
            && let Some(last) = visits.last()
            && usize::from(last.ply) == plies
        {
            return visits.iter().rev().find_map(|visit| self.at(visit.key));
        }

        self.of_moves(replay, plies)
    }

    /// The name of a game of standard chess by its stored mainline; equal to the result of [`Openings::of_game`].
    pub fn of_mainline(&self, mut mainline: Mainline<'_>) -> Option<OpeningId> {
        let mut name = self.of_position(mainline.position());
        while (mainline.ply().get() as usize) < self.max_ply {
            let Some((_, mv)) = mainline.step() else {
                break;
            };
            mainline.play(mv);
            name = self.of_position(mainline.position()).or(name);
        }
        name
    }

    /// The name of a game that repeats positions: [`Replay::visits`] has only the first visit of each position, so its
    /// moves are played again.
    fn of_moves(&self, replay: &Replay<'_>, plies: usize) -> Option<OpeningId> {
        let mut position = replay.start.clone().unwrap_or_else(Position::start);
        let mut name = self.of_position(&position);
        for &mv in &replay.played[..plies] {
            position.play(mv);
            name = self.of_position(&position).or(name);
        }
        name
    }
}

/// The prefix of a key, less than [`PREFIXES`].
#[inline(always)]
fn prefix_of(key: PositionKey) -> usize {
    (key.0 >> (u64::BITS - PREFIX_BITS)) as usize
}

/// The bits after the prefix of a key: the number of a bit in a word of the filter.
#[inline(always)]
fn bit_of(key: PositionKey) -> u64 {
    key.0 >> (u64::BITS - PREFIX_BITS - FILTER_BITS) & ((1 << FILTER_BITS) - 1)
}

/// Builds a table from its lines, which are mostly sorted.
#[derive(Default)]
struct Builder<'t> {
    /// The moves of the last line, each with the position after it. The next line mostly begins with some of these
    /// moves.
    line: Vec<(&'t str, Position)>,
    ids: HashMap<(&'t str, &'t str), OpeningId>,
    openings: Vec<(Box<str>, Box<str>)>,
    by_key: HashMap<PositionKey, OpeningId>,
    max_ply: usize,
}

impl<'t> Builder<'t> {
    /// Adds a line: moves, ECO code and name, separated by tabs.
    fn add_line(&mut self, line: &'t str) -> Result<(), LineFault> {
        let mut columns = line.split('\t');
        let first_four: [Option<&str>; 4] = std::array::from_fn(|_| columns.next());
        let [Some(moves), Some(eco), Some(name), None] = first_four else {
            return Err(LineFault::Columns);
        };

        let id = self.intern(eco, name)?;
        let key = self.play(moves)?;
        self.by_key.insert(key, id);
        self.max_ply = self.max_ply.max(self.line.len());
        Ok(())
    }

    /// The number of an opening, which is added if it is new.
    fn intern(&mut self, eco: &'t str, name: &'t str) -> Result<OpeningId, LineFault> {
        if let Some(&id) = self.ids.get(&(eco, name)) {
            return Ok(id);
        }

        let id = match u16::try_from(self.openings.len()) {
            Ok(number) if number < MAX_OPENINGS => OpeningId(number),
            _ => return Err(LineFault::TooMany),
        };
        self.ids.insert((eco, name), id);
        self.openings.push((eco.into(), name.into()));
        Ok(id)
    }

    /// Plays the moves of a line, and returns the key of its last position.
    fn play(&mut self, moves: &'t str) -> Result<PositionKey, LineFault> {
        let texts = moves.split_ascii_whitespace();
        let shared_moves = self
            .line
            .iter()
            .zip(texts.clone())
            .take_while(|((played, _), text)| played == text)
            .count();
        self.line.truncate(shared_moves);

        for text in texts.skip(shared_moves) {
            let mut position = self.last_position().into_owned();
            let san = San::parse(text.as_bytes());
            let Some(resolved) = san.and_then(|san| san.resolve(&position).ok()) else {
                return Err(LineFault::Move(text.to_owned()));
            };

            position.play(resolved.mv);
            self.line.push((text, position));
        }

        Ok(PositionKey::new(&self.last_position(), Variant::Standard))
    }

    /// The position at the end of the line.
    fn last_position(&self) -> Cow<'_, Position> {
        match self.line.last() {
            Some((_, position)) => Cow::Borrowed(position),
            None => Cow::Owned(Position::start()),
        }
    }

    /// The table of all lines that have been added.
    fn finish(self) -> Openings {
        let mut filter = Box::new([0; PREFIXES]);
        for &key in self.by_key.keys() {
            filter[prefix_of(key)] |= 1 << bit_of(key);
        }

        let mut by_key: Vec<(PositionKey, OpeningId)> = self.by_key.into_iter().collect();
        by_key.sort_unstable();

        let first_with_prefix =
            |prefix: usize| by_key.partition_point(|&(key, _)| prefix_of(key) < prefix) as u32;
        let starts = Box::new(std::array::from_fn(first_with_prefix));

        Openings {
            openings: self.openings,
            by_key,
            starts,
            filter,
            max_ply: self.max_ply.max(MAX_NAMED_PLY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    fn name(moves: &str) -> String {
        let openings = Openings::standard();

        let Some(id) = openings.of_game(&replay(moves)) else {
            return String::new();
        };
        let Opening { eco, name } = openings.get(id);
        format!("{eco} {name}")
    }

    macro_rules! names {
        ($($test:ident: $moves:expr => $name:expr;)*) => {$(
            #[test]
            fn $test() {
                assert_eq!(name($moves), $name);
            }
        )*};
    }

    names! {
        the_start_has_no_name: "*" => "";
        one_move: "1. e4 *" => "B00 King's Pawn Game";
        by_transposition: "1. Nf3 Nf6 2. d4 e6 3. c4 Bb4+ *" => "E11 Bogo-Indian Defense";
        the_last_named_position_counts: "1. e4 c5 2. a3 Nc6 3. h4 h5 4. Rh3 *" => "B20 Sicilian Defense: Mengarini Variation";
        a_repeated_position_counts_again: "1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. a4 *" => "C20 King's Pawn Game";
        other_variants_have_none: "[Variant \"Chess960\"]\n[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\"]\n\n1. e4 e5 *" => "";
        from_a_position: "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Nf3 d6 *" => "B50 Sicilian Defense: Modern Variations";
    }

    #[test]
    fn names_have_parts() {
        let name = "Sicilian Defense: Najdorf Variation, English Attack, Main Line";
        let opening = Opening { eco: "B90", name };
        assert_eq!(opening.family(), "Sicilian Defense");
        assert_eq!(opening.variation(), Some("Najdorf Variation"));
        assert_eq!(opening.sub_variation(), Some("English Attack, Main Line"));
        let opening = Opening {
            eco: "A00",
            name: "Amar Opening",
        };
        assert_eq!(
            (opening.family(), opening.variation()),
            ("Amar Opening", None)
        );
    }

    #[test]
    fn the_table_is_sorted_and_each_position_has_one_name() {
        let text = include_str!("openings.tsv");
        assert!(text.lines().is_sorted());
        assert_eq!(text.lines().count(), 3807);
        assert_eq!(Openings::standard().by_key.len(), 3807);
    }

    #[test]
    fn faults_have_their_line() {
        let fault = |text| Openings::from_lines(text).expect_err("a fault").to_string();
        assert_eq!(
            fault("e4\tB00\tKing's Pawn\ne4 e4\tC20\tx\n"),
            "line 2: e4 is not a legal move here"
        );
        assert_eq!(
            fault("e4 B00 King's Pawn"),
            "line 1: a line has three columns, separated by tabs: moves, ECO code, name"
        );
    }
}
