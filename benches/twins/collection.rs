//! A PGN file as input of the search.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use rayon::prelude::*;
use stamma::cleaning::names::Round;
use stamma::cleaning::twins::{Fingerprint, GameDate, GameFacts};
use stamma::pgn::{Span, split};
use stamma::replay::replay;

/// The size of a read.
const PIECE_BYTES: usize = 32 << 20;

/// All games of a file.
#[derive(Default)]
pub(crate) struct Collection {
    pub(crate) facts: Vec<GameFacts>,
    pub(crate) prints: Vec<Fingerprint>,
    pub(crate) names: Vec<String>,
    pub(crate) texts: Vec<String>,
    codes: Vec<u16>,
    ends: Vec<u32>,
    name_ids: HashMap<String, u32>,
    text_ids: HashMap<String, u32>,
}

/// A game before its texts have numbers.
struct Game {
    facts: GameFacts,
    print: Fingerprint,
    codes: Vec<u16>,
    texts: [String; 4],
}

impl Collection {
    pub(crate) fn read(path: &Path) -> Collection {
        let mut games = Collection::default();
        let mut file =
            File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut text = Vec::new();
        loop {
            let read = file
                .by_ref()
                .take(PIECE_BYTES as u64)
                .read_to_end(&mut text)
                .expect("a file that can be read");

            // The last game of a piece may continue in the next one.
            let end = if read == 0 {
                text.len()
            } else {
                memchr::memmem::rfind(&text, b"\n[Event ").map_or(0, |at| at + 1)
            };
            games.add(&text[..end]);
            text.drain(..end);
            if read == 0 {
                break;
            }
        }

        // The memory of a search is measured, and the search needs none of these.
        games.name_ids = HashMap::new();
        games.text_ids = HashMap::new();
        games.codes.shrink_to_fit();
        games.facts.shrink_to_fit();
        games
    }

    fn add(&mut self, text: &[u8]) {
        let mut spans = Vec::new();
        for span in split(text) {
            if let Span::Game(range) = span {
                spans.push(&text[range]);
            }
        }

        let games: Vec<Game> = spans.par_iter().map(|game| read_game(game)).collect();
        for game in games {
            let [white, black, event, site] = game.texts;
            let facts = GameFacts {
                white: id(&mut self.name_ids, &mut self.names, white),
                black: id(&mut self.name_ids, &mut self.names, black),
                event: id(&mut self.text_ids, &mut self.texts, event),
                site: id(&mut self.text_ids, &mut self.texts, site),
                ..game.facts
            };
            self.facts.push(facts);
            self.prints.push(game.print);
            self.codes.extend_from_slice(&game.codes);
            self.ends.push(self.codes.len() as u32);
        }
    }

    /// The moves of a game as codes.
    pub(crate) fn moves(&self, game: u32) -> &[u16] {
        let game = game as usize;
        let begin = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.codes[begin as usize..self.ends[game] as usize]
    }
}

fn id(ids: &mut HashMap<String, u32>, texts: &mut Vec<String>, text: String) -> u32 {
    *ids.entry(text).or_insert_with_key(|text| {
        texts.push(text.clone());
        texts.len() as u32 - 1
    })
}

fn read_game(text: &[u8]) -> Game {
    let text = String::from_utf8_lossy(text);
    let replay = replay(&text);
    let game = &replay.game;
    let of = |name| game.tag(name).unwrap_or_default();
    let elo = |name| of(name).trim().parse().unwrap_or(0);

    let codes: Vec<u16> = replay.played.iter().map(|mv| mv.code()).collect();
    // Tags without a value are no evidence.
    let tags = game.tags.iter();
    let tags_with_value = tags.filter(|tag| !matches!(tag.value.as_ref(), "" | "?" | "-"));
    let facts = GameFacts {
        moves_hash: replay.moves_hash,
        plies: replay.plies(),
        date: GameDate::parse(of("Date")),
        round: Round::parse(of("Round")),
        result: game.result,
        white_elo: elo("WhiteElo"),
        black_elo: elo("BlackElo"),
        annotations: game.annotations.iter().count() as u32,
        tags: tags_with_value.count() as u16,
        ..GameFacts::default()
    };

    let texts = ["White", "Black", "Event", "Site"].map(|name| of(name).to_owned());
    Game {
        facts,
        print: Fingerprint::new(codes.iter().copied()),
        codes,
        texts,
    }
}

/// A line of the process's status, in megabytes.
pub(crate) fn megabytes(name: &str) -> u64 {
    kibibytes(name).unwrap_or(0) / 1000
}

fn kibibytes(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let number = value.split_whitespace().next()?;
    number.parse().ok()
}

/// The CPU time of all threads, which is independent of other processes.
pub(crate) fn cpu_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    // Fields 14 and 15 of proc_pid_stat(5). The first field after the name is the third.
    const USER: usize = 11;
    const SYSTEM: usize = 12;

    // The name of the program is in parentheses, and may contain spaces.
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |at: usize| {
        let field = fields.get(at).copied().unwrap_or_default();
        field.parse::<f64>().unwrap_or(0.0)
    };
    (ticks(USER) + ticks(SYSTEM)) / TICKS_PER_SECOND
}
