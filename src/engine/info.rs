//! Reads `info` lines. The moves of a line are texts, which `search` checks against the position.

use super::failure::EngineFailure;

/// The greatest plausible scores. Engines report at most some ten thousands.
const MAX_CENTIPAWNS: i32 = 1_000_000;
const MAX_MATE_MOVES: i32 = 10_000;

/// The relation of the real score to a reported score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// The real score is at least the reported score.
    AtLeast,
    /// The real score is at most the reported score.
    AtMost,
}

/// The score of a line, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawScore {
    Centipawns(i32),
    Mate(i32),
}

/// A line of `info`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Info<'l> {
    pub(super) depth: Option<u32>,
    pub(super) selective_depth: Option<u32>,
    pub(super) rank: Option<u32>,
    pub(super) score: Option<RawScore>,
    /// The relation of the real score to `score`, from the side to move.
    pub(super) bound: Bound,
    pub(super) nodes: Option<u64>,
    pub(super) milliseconds: Option<u64>,
    /// The moves of the line.
    pub(super) moves: Vec<&'l str>,
}

impl<'l> Info<'l> {
    /// Reads a whole line, which begins with `info`. Unknown words are ignored, as the UCI protocol demands.
    ///
    /// # Errors
    /// When a number is missing, malformed or out of range.
    pub(super) fn read(line: &'l str) -> Result<Info<'l>, EngineFailure> {
        let mut info = Info::default();
        let mut words = line.split_ascii_whitespace().skip(1);

        while let Some(word) = words.next() {
            match word {
                // The rest is text for people, or moves that do not belong to the line.
                "string" | "refutation" | "currline" => break,
                "depth" => info.depth = Some(number(line, words.next())?),
                "seldepth" => info.selective_depth = Some(number(line, words.next())?),
                "multipv" => info.rank = Some(number(line, words.next())?),
                "nodes" => info.nodes = Some(number(line, words.next())?),
                "time" => info.milliseconds = Some(number(line, words.next())?),
                "cp" => {
                    let score = score_within(line, words.next(), MAX_CENTIPAWNS)?;
                    info.score = Some(RawScore::Centipawns(score));
                }
                "mate" => {
                    let score = score_within(line, words.next(), MAX_MATE_MOVES)?;
                    info.score = Some(RawScore::Mate(score));
                }
                "lowerbound" => info.bound = Bound::AtLeast,
                "upperbound" => info.bound = Bound::AtMost,
                // All words behind `pv` are moves.
                "pv" => info.moves = words.by_ref().collect(),
                _ => {}
            }
        }
        Ok(info)
    }
}

/// The number that a word of an `info` line denotes.
fn number<N: std::str::FromStr>(line: &str, word: Option<&str>) -> Result<N, EngineFailure> {
    let number = word.and_then(|word| word.parse().ok());
    number.ok_or_else(|| EngineFailure::unreadable(line, "a number is missing or too large"))
}

/// A score that is not beyond `max` or `-max`.
fn score_within(line: &str, word: Option<&str>, max: i32) -> Result<i32, EngineFailure> {
    let score: i32 = number(line, word)?;
    if (-max..=max).contains(&score) {
        Ok(score)
    } else {
        Err(EngineFailure::unreadable(line, "this is no score"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_engines_are_read() {
        let line = "info depth 20 seldepth 31 multipv 2 score cp -35 upperbound nodes 123456 nps 900000 hashfull 12 \
            tbhits 0 time 137 pv e2e4 e7e5";
        let info = Info::read(line).expect("a line");
        assert_eq!(info.depth, Some(20));
        assert_eq!(info.rank, Some(2));
        assert_eq!(info.score, Some(RawScore::Centipawns(-35)));
        assert_eq!(info.bound, Bound::AtMost);
        assert_eq!(info.nodes, Some(123_456));
        assert_eq!(info.moves, ["e2e4", "e7e5"]);

        let mate = Info::read("info depth 3 score mate -1 wdl 0 0 1000 pv a1a2").expect("a line");
        assert_eq!(mate.score, Some(RawScore::Mate(-1)));
        assert_eq!(mate.bound, Bound::Exact);

        let text = Info::read("info string depth x score cp y").expect("a text");
        assert_eq!(text, Info::default());

        let current = Info::read("info depth 9 currmove e2e4 currmovenumber 1").expect("a line");
        assert_eq!(current.depth, Some(9));
        assert_eq!(current.score, None);
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for line in [
            "info depth",
            "info depth -1",
            "info depth x score cp 1",
            "info score cp",
            "info score cp 99999999999",
            "info score cp 1000001",
            "info score mate -2147483648",
            "info score mate nan",
            "info nodes 18446744073709551616",
            "info multipv \u{fffd}",
        ] {
            assert!(Info::read(line).is_err(), "{line}");
        }
    }
}
