//! Generated games that cover all filters.

use shakmaty::Position as _;
use shakmaty::san::SanPlus;

use super::games::{after, start};
use crate::support::chess960;
use crate::support::program::text_of_games;
use crate::support::random::Random;

const PLAYERS: [&str; 16] = [
    "Tal, Mikhail",
    "Tal, M.",
    "tal mikhail",
    "Carlsen,Magnus",
    "Carlsen, Magnus (GM)",
    "Müller, Jürgen",
    "Mueller, Juergen",
    "Непомнящий, Ян",
    "O'Kelly de Galway, Alberic",
    "Ñandú, José María",
    "Łukasz, Żak",
    "Ødegård, Bjørn",
    "SmallPawn_99",
    "?",
    "",
    "हिन्दी, विश्वनाथन",
];

const EVENTS: [&str; 10] = [
    "Rated Blitz game",
    "Rated Bullet game",
    "World Rapid Championship",
    "Blitzkrieg Memorial",
    "Zürich Open 1953",
    "Correspondence cup, classical style",
    "UltraBullet arena",
    "Casual game",
    "?",
    "",
];

const SITES: [&str; 6] = [
    "Zürich SUI",
    "https://lichess.org/7Ftxabcd",
    "https://lichess.org/7fTxzgpb",
    "https://lichess.org/",
    "Riga LAT",
    "Rīga",
];

const DATES: [&str; 14] = [
    "1950.??.??",
    "????.??.??",
    "1950.06",
    "1950.06.??",
    "1950.06.02",
    "1950-12-31",
    "October 2023",
    "2023.10.32",
    "2023.13.01",
    "2023.??.15",
    "2023",
    "20231015",
    "",
    "2024.02.29",
];

const ELOS: [&str; 12] = [
    "2500", "2501", "2651", "1200", "2100", "2851", "0", "", "?", "2500?", "10000", "02500",
];

const CODES: [&str; 9] = [
    "B90", "B90j", "b20", "C50/03", "A00", "E99", "?", "F10", "Sicilian",
];

const CLOCKS: [&str; 14] = [
    "60+0",
    "15",
    "180+2",
    "300+3",
    "600",
    "900+10",
    "40/7200:3600",
    "5400+30",
    "1/86400",
    "-",
    "?",
    "",
    "1/30",
    "abc+1",
];

const TITLES: [&str; 6] = ["GM", "IM", "wgm", "BOT", "-", "Grandmaster"];

const VARIANTS: [&str; 6] = [
    "Three-check",
    "King of the Hill",
    "Atomic",
    "crazyhouse",
    "Standard",
    "From Position",
];

const COMMENTS: [&str; 16] = [
    "[%clk 0:05:00]",
    "[%clk 0:05:00] a good move",
    "A Novelty! by Tal",
    "Überraschend, c'est l’été",
    "+0.35/12 1.2s",
    "theoretical novelty [%eval 0.3] indeed",
    "Nf3 was better than Nf6",
    "...",
    " he said \"no\" \\ and went ",
    "[%csl Gd4] [%cal Gd2d4]",
    "white is better [%clk 0:01",
    "Непомнящий зевнул",
    "good [%emt 3] move",
    "[%eval #-3,20]",
    "[%clk 0:00:09.5] in haste",
    "[%eval 240] [%eval 1.5]",
];

/// Opening lines of games: some that are queried, some that transpose into them, and some that repeat positions.
const BEGINNINGS: [&str; 12] = [
    "e4 e5 Nf3 Nc6 Bb5",
    "Nf3 Nc6 e4 e5 Bb5",
    "e4 c5 Nf3 d6 d4",
    "Nf3 c5 e4 d6 d4",
    "d4 d5 c4 e6 Nc3",
    "c4 e6 d4 d5 Nc3",
    "Nf3 Nf6 Ng1 Ng8 e4 e5",
    "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 d4",
    "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
    "f3 e5 g4 Qh4#",
    "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#",
    "",
];

/// Start positions with moves played from them.
const ENDINGS: [(&str, &str); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
        "e4 e5",
    ),
    ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7"),
    ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "Kxe2"),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 97 80", "Ra2 Kd8 Ra3 Kc8"),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 147 120", "Ra2 Kd8 Ra3 Kc8"),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e4 e5 Nf3",
    ),
];

/// The project's own games and generated games as one text.
pub(crate) fn real_and_made_up_games() -> String {
    text_of_games() + "\n\n" + &made_up_games(400, 5)
}

/// Generated games as PGN.
pub(crate) fn made_up_games(count: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    (0..count).map(|_| game(&mut random)).collect()
}

/// A comment with an evaluation near the last one, and a clock time.
fn analysed(evaluation: &mut i64, random: &mut Random) -> String {
    // Most changes are small, and some are blunders.
    let max_change = match random.below(6) {
        0 => 500,
        1 => 150,
        _ => 40,
    };
    *evaluation += random.below(2 * max_change + 1) as i64 - max_change as i64;

    let score = match random.below(12) {
        0 => format!("#{}", random.below(9) as i64 - 4),
        _ => {
            let sign = if *evaluation < 0 { "-" } else { "" };
            let pawns = evaluation.abs() / 100;
            let hundredths = evaluation.abs() % 100;
            format!("{sign}{pawns}.{hundredths:02}")
        }
    };
    let minutes = random.below(3);
    let seconds = random.below(60);
    format!("{{ [%eval {score}] [%clk 0:{minutes:02}:{seconds:02}] }} ")
}

/// Tag pairs as they are written.
struct Tags(String);

impl Tags {
    fn add(&mut self, name: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.0 += &format!("[{name} \"{value}\"]\n");
    }

    fn maybe(&mut self, random: &mut Random, name: &str, values: &[&str]) {
        if !random.once_in(4) {
            let value = *random.choose(values);
            self.add(name, value);
        }
    }
}

fn game(random: &mut Random) -> String {
    let mut tags = Tags(String::new());
    let result = *random.choose(&["1-0", "0-1", "1/2-1/2", "*"]);
    let event = *random.choose(&EVENTS);
    tags.add("Event", event);
    tags.maybe(random, "Site", &SITES);
    tags.maybe(random, "Date", &DATES);
    tags.maybe(random, "Round", &["1", "1.2", "?", "-"]);
    tags.maybe(random, "White", &PLAYERS);
    tags.maybe(random, "Black", &PLAYERS);
    if !random.once_in(5) {
        tags.add("Result", result);
    }

    tags.maybe(random, "WhiteElo", &ELOS);
    tags.maybe(random, "BlackElo", &ELOS);
    tags.maybe(random, "ECO", &CODES);
    tags.maybe(random, "TimeControl", &CLOCKS);
    tags.maybe(random, "WhiteTitle", &TITLES);
    if random.once_in(3) {
        let annotators = ["Müller", "Tal, Mikhail", "\"he\" \\ she"];
        tags.maybe(random, "BlackTitle", &TITLES);
        tags.maybe(random, "Annotator", &annotators);
    }

    // Repeated tags, of which filters by tag must find each.
    if random.once_in(9) {
        tags.maybe(random, "TimeControl", &CLOCKS);
        tags.maybe(random, "Annotator", &["again", "Tal, Mikhail"]);
        tags.maybe(random, "White", &PLAYERS);
    }

    let (fen, moves) = beginning(random, &mut tags);
    let movetext = movetext(fen.as_deref(), &moves, random);
    tags.0 + "\n" + &movetext + result + "\n\n"
}

/// The start of a game, and its first moves.
fn beginning(random: &mut Random, tags: &mut Tags) -> (Option<String>, String) {
    let (fen, moves) = match random.below(10) {
        0 => {
            tags.add("Variant", "Chess960");
            (Some(chess960::fen(random.below(960))), "")
        }
        1 => {
            let (fen, moves) = *random.choose(&ENDINGS);
            (Some(fen.to_owned()), moves)
        }
        2 => {
            let variant = *random.choose(&VARIANTS);
            tags.add("Variant", variant);
            (None, *random.choose(&BEGINNINGS[..6]))
        }
        _ => (None, *random.choose(&BEGINNINGS)),
    };

    if let Some(fen) = &fen {
        tags.add("SetUp", "1");
        tags.add("FEN", fen);
    }
    (fen, moves.to_owned())
}

fn movetext(fen: Option<&str>, beginning: &str, random: &mut Random) -> String {
    let mut position = start(fen).expect("a legal start");
    let mut text = String::new();
    let is_annotated = random.once_in(2);
    let is_analysed = random.once_in(4);
    let mut evaluation = 20;
    let mut first_moves = beginning.split_whitespace();
    let mut random_moves = random.below(30);

    // The first moves are given, the others are random.
    loop {
        if is_annotated && random.once_in(6) {
            text += &format!("{{{}}} ", random.choose(&COMMENTS));
        }

        let san = match first_moves.next() {
            Some(san) => san.to_owned(),
            None if random_moves == 0 || position.legal_moves().is_empty() => return text,
            None => {
                random_moves -= 1;
                let mv = *random.choose(&position.legal_moves());
                SanPlus::from_move(position.clone(), mv).to_string()
            }
        };
        let next = after(&position, &san).expect("a legal move");
        text += &format!("{san} ");

        // A gap in the evaluations, now and then.
        if is_analysed && !random.once_in(60) {
            text += &analysed(&mut evaluation, random);
        }
        if is_annotated && random.once_in(15) {
            text += *random.choose(&["$1 ", "$14 ", "$146 "]);
        }
        // A variation with the move itself is as good as any other.
        if is_annotated && random.once_in(15) {
            let comment = random.choose(&COMMENTS);
            text += &format!("( {{instead}} {san} {{{comment}}} ) ");
        }
        position = next;
    }
}
