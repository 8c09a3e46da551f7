//! A PGN file as input of the search.

use std::collections::HashMap;
use std::fs::File;
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
    /// The codes of all moves, game after game.
    codes: Vec<u16>,
    /// The end of each game in the codes.
    ends: Vec<u32>,
    /// The places of the names.
    name_ids: HashMap<String, u32>,
    /// The places of the texts.
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

        // Piece by piece: the whole text would count as memory of the search.
        let mut text = Vec::new();
        loop {
            let read = file
                .by_ref()
                .take(PIECE_BYTES as u64)
                .read_to_end(&mut text)
                .expect("a file that can be read");

            // The last game of a piece may continue in the next one.
            let is_last_piece = read == 0;
            let end = if is_last_piece {
                text.len()
            } else {
                let last_game = memchr::memmem::rfind(&text, b"\n[Event ");
                last_game.map_or(0, |line_feed| line_feed + 1)
            };

            games.add(&text[..end]);
            text.drain(..end);
            if is_last_piece {
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

    /// Adds the games of a text.
    fn add(&mut self, text: &[u8]) {
        let mut spans = Vec::new();
        for span in split(text) {
            if let Span::Game(range) = span {
                spans.push(&text[range]);
            }
        }

        // Games are replayed on all threads, and get their numbers in the order of the file.
        let games: Vec<Game> = spans.par_iter().map(|game| read_game(game)).collect();
        for game in games {
            let [white, black, event, site] = game.texts;
            let facts = GameFacts {
                white: intern(&mut self.name_ids, &mut self.names, white),
                black: intern(&mut self.name_ids, &mut self.names, black),
                event: intern(&mut self.text_ids, &mut self.texts, event),
                site: intern(&mut self.text_ids, &mut self.texts, site),
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
        // A game begins where the game before it ends.
        let begin = match game.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        let end = self.ends[game];
        &self.codes[begin as usize..end as usize]
    }
}

/// The number of a text, which is its place in a list; a new text is added to the list.
fn intern(ids: &mut HashMap<String, u32>, texts: &mut Vec<String>, text: String) -> u32 {
    *ids.entry(text).or_insert_with_key(|text| {
        let id = texts.len() as u32;
        texts.push(text.clone());
        id
    })
}

fn read_game(text: &[u8]) -> Game {
    let text = String::from_utf8_lossy(text);
    let replay = replay(&text);
    let game = &replay.game;
    let value = |name| game.tag(name).unwrap_or_default();
    let elo = |name| value(name).trim().parse().unwrap_or(0);

    // Tags without a value are no evidence.
    let mut tag_count: u16 = 0;
    for tag in &game.tags {
        if !matches!(tag.value.as_ref(), "" | "?" | "-") {
            tag_count += 1;
        }
    }

    // The numbers of players, event and site are set when the texts get them.
    let facts = GameFacts {
        moves_hash: replay.moves_hash,
        plies: replay.plies(),
        date: GameDate::parse(value("Date")),
        round: Round::parse(value("Round")),
        result: game.result,
        white_elo: elo("WhiteElo"),
        black_elo: elo("BlackElo"),
        annotations: game.annotations.iter().count() as u32,
        tags: tag_count,
        ..GameFacts::default()
    };

    let codes: Vec<u16> = replay.played.iter().map(|mv| mv.code()).collect();
    let texts = ["White", "Black", "Event", "Site"].map(|name| value(name).to_owned());
    Game {
        facts,
        print: Fingerprint::new(codes.iter().copied()),
        codes,
        texts,
    }
}
