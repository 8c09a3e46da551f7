//! Games as a month of online games has them: an address for each, two million accounts by a power law, 17 tags,
//! openings of real games and random legal moves behind them.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, Skip, Visitor};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use crate::random::Random;

/// The accounts that play, most of them rarely.
const ACCOUNTS: f64 = 2_000_000.0;
/// The half-moves of a real game that are kept.
const OPENING: std::ops::Range<usize> = 8..25;
/// The step between games that are looked up by their addresses.
const LOOKED_UP: u64 = 50_000;
/// The bytes that are written to the file at once.
const BUFFER_BYTES: usize = 1 << 20;

/// The expected contents of a month.
#[derive(Default)]
pub(crate) struct Month {
    pub(crate) games: u64,
    /// The different accounts.
    pub(crate) accounts: HashSet<u32>,
    /// The addresses of some games, and the numbers of these.
    pub(crate) addresses: Vec<(String, u64)>,
}

/// Writes a month made of all games of a file, `copies` times with other moves; with clocks after each move, if asked.
pub(crate) fn write_month(
    source: &Path,
    copies: u64,
    has_clocks: bool,
    path: &Path,
) -> io::Result<Month> {
    let file = File::create(path)?;
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
    let mut month = Month::default();
    for copy in 0..copies {
        // Each copy has a seed of its own, so that its games differ from those of the other copies.
        let mut random = Random::new(copy);
        let mut reader = Reader::new(File::open(source)?);
        while let Some(opening) = reader.read_game(&mut Openings)? {
            // Games from a FEN have no opening, and are omitted.
            let opening = opening.unwrap_or_default();
            if !opening.is_empty() {
                month.write_game(&opening, has_clocks, &mut random, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(month)
}

impl Month {
    /// Writes a game with an opening.
    fn write_game(
        &mut self,
        opening: &[SanPlus],
        has_clocks: bool,
        random: &mut Random,
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.games += 1;
        let id = id(random);
        let white = account(random);
        let black = account(random);
        self.accounts.extend([white, black]);

        let white_elo = 900 + random.below(1700);
        let black_elo = 900 + random.below(1700);
        let day = 1 + random.below(28);
        let hour = random.below(24);
        let minute = random.below(60);
        let second = random.below(60);
        let date = format!("2026.01.{day:02}");
        // More games are won than drawn.
        let result = *random.choose(&["1-0", "0-1", "1-0", "0-1", "1/2-1/2"]);
        let speed = *random.choose(&["60+0", "180+0", "180+2", "300+3", "600+0"]);

        // The tags of the games that Lichess publishes.
        write!(
            out,
            "[Event \"Rated game\"]\n[Site \"https://lichess.org/{id}\"]\n[Date \"{date}\"]\n[Round \"-\"]\n\
             [White \"account{white}\"]\n[Black \"account{black}\"]\n[Result \"{result}\"]\n\
             [UTCDate \"{date}\"]\n[UTCTime \"{hour:02}:{minute:02}:{second:02}\"]\n\
             [WhiteElo \"{white_elo}\"]\n[BlackElo \"{black_elo}\"]\n[WhiteRatingDiff \"+6\"]\n\
             [BlackRatingDiff \"-6\"]\n[ECO \"A00\"]\n[Opening \"Irregular Opening\"]\n\
             [TimeControl \"{speed}\"]\n[Termination \"Normal\"]\n\n"
        )?;
        write_moves(opening, has_clocks, random, out)?;
        write!(out, "{result}\n\n")?;

        if self.games.is_multiple_of(LOOKED_UP) {
            self.addresses.push((id, self.games));
        }
        Ok(())
    }
}

/// Some of the opening, and random moves up to the length of the real game.
fn write_moves(
    opening: &[SanPlus],
    has_clocks: bool,
    random: &mut Random,
    out: &mut impl Write,
) -> io::Result<()> {
    let kept = OPENING.start + random.below(OPENING.len());
    let mut position = Chess::default();
    for (ply, san) in opening.iter().enumerate() {
        let real = if ply < kept {
            san.san.to_move(&position).ok()
        } else {
            None
        };
        let legal = position.legal_moves();
        let mv = match real {
            Some(mv) => mv,
            // Mate or stalemate.
            None if legal.is_empty() => break,
            None => *random.choose(&legal),
        };

        let number = ply / 2 + 1;
        let is_white = ply % 2 == 0;
        if is_white {
            write!(out, "{number}. ")?;
        } else if has_clocks {
            // PGN §8.2.2.2: a comment stands before Black's move.
            write!(out, "{number}... ")?;
        }
        let played = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        write!(out, "{played} ")?;

        if has_clocks {
            write_clock(ply, random, out)?;
        }
    }
    Ok(())
}

/// Writes the time that is left on a clock: ten minutes at first, and about three seconds less after each half-move.
fn write_clock(ply: usize, random: &mut Random, out: &mut impl Write) -> io::Result<()> {
    let used = 3 * ply + random.below(9);
    let left = 600_usize.saturating_sub(used);
    let minutes = left / 60;
    let seconds = left % 60;
    write!(out, "{{ [%clk 0:{minutes:02}:{seconds:02}] }} ")
}

/// The end of an address: eight letters and digits.
fn id(random: &mut Random) -> String {
    const LETTERS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const LENGTH: usize = 8;

    let mut id = String::new();
    for _ in 0..LENGTH {
        let letter = *random.choose(LETTERS);
        id.push(char::from(letter));
    }
    id
}

/// An account by a power law: few accounts have most of the games.
fn account(random: &mut Random) -> u32 {
    const PARTS: u32 = 1 << 30;

    let part = random.below(PARTS as usize);
    let share = part as f64 / f64::from(PARTS);
    (ACCOUNTS * share.powi(3)) as u32
}

/// Reads the mainlines of games with the usual start.
struct Openings;

impl Visitor for Openings {
    type Tags = bool;
    type Movetext = (bool, Vec<SanPlus>);
    type Output = Option<Vec<SanPlus>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, bool> {
        ControlFlow::Continue(true)
    }

    fn tag(
        &mut self,
        is_usual: &mut bool,
        name: &[u8],
        _value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        *is_usual &= name != b"FEN";
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, is_usual: bool) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((is_usual, Vec::new()))
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (_, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        moves.push(san);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (is_usual, moves): Self::Movetext) -> Self::Output {
        is_usual.then_some(moves)
    }
}
