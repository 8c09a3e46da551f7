//! Made-up games: copies of one game, and different games that resemble each other.

use super::*;
use crate::cleaning::names::{PersonName, Round, TextKey};
use crate::pgn::Termination;

/// A game before it has numbers.
#[derive(Clone, Debug)]
struct Game {
    white: &'static str,
    black: &'static str,
    date: &'static str,
    round: &'static str,
    event: &'static str,
    site: &'static str,
    result: Termination,
    elo: u16,
    moves: Vec<u16>,
}

/// Moves that look like the moves of a game, for each number another.
fn moves(number: u32, plies: usize) -> Vec<u16> {
    let mut state = number.wrapping_mul(0x9e37_79b9) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state % 4000 + 1) as u16
    };
    (0..plies).map(next).collect()
}

/// A game of Karpov and Kasparov with a number of half-moves.
fn game(plies: usize) -> Game {
    Game {
        white: "Karpov, Anatoly",
        black: "Kasparov, Garry",
        date: "1985.??.??",
        round: "?",
        event: "World Championship",
        site: "?",
        result: Termination::Draw,
        elo: 0,
        moves: moves(1, plies),
    }
}

impl Game {
    fn players(self, white: &'static str, black: &'static str) -> Game {
        Game {
            white,
            black,
            ..self
        }
    }
    fn date(self, date: &'static str) -> Game {
        Game { date, ..self }
    }
    fn round(self, round: &'static str) -> Game {
        Game { round, ..self }
    }
    fn event(self, event: &'static str) -> Game {
        Game { event, ..self }
    }
    fn site(self, site: &'static str) -> Game {
        Game { site, ..self }
    }
    fn result(self, result: Termination) -> Game {
        Game { result, ..self }
    }
    fn elo(self, elo: u16) -> Game {
        Game { elo, ..self }
    }
    fn stops(mut self, plies: usize) -> Game {
        self.moves.truncate(plies);
        self
    }
    /// Another move at a half-move.
    fn slip(mut self, ply: usize) -> Game {
        self.moves[ply] ^= 0x41;
        self
    }
    /// A move of both sides that is left out.
    fn gap(mut self, ply: usize) -> Game {
        self.moves.drain(ply..ply + 2);
        self
    }
    /// Other moves from a half-move on.
    fn other_from(mut self, ply: usize, number: u32) -> Game {
        let plies = self.moves.len();
        self.moves.truncate(ply);
        self.moves.extend(moves(number, plies - ply));
        self
    }
}

/// Each group with its kind, and the game that is kept.
fn found(
    games: &[Game],
    preference: Preference,
    new: Option<&[u32]>,
) -> Vec<(Vec<u32>, TwinKind, u32)> {
    let names: Vec<PersonName> = games
        .iter()
        .flat_map(|game| [game.white, game.black])
        .map(PersonName::parse)
        .collect();
    let texts: Vec<TextKey> = games
        .iter()
        .flat_map(|game| [game.event, game.site])
        .map(TextKey::new)
        .collect();
    let prints: Vec<Fingerprint> = games
        .iter()
        .map(|game| Fingerprint::new(game.moves.iter().copied()))
        .collect();
    let facts: Vec<GameFacts> = (0_u32..)
        .zip(games)
        .map(|(at, game)| facts(at, game))
        .collect();
    let search = TwinSearch {
        preference,
        ..TwinSearch::new(&facts, &prints, &names, &texts)
    };
    let groups = find_twins(&search, new, |at, moves| {
        moves.extend_from_slice(&games[at as usize].moves)
    });
    groups
        .into_iter()
        .map(|group| (group.games, group.kind, group.keep))
        .collect()
}

fn facts(at: u32, game: &Game) -> GameFacts {
    let hash = |hash: u64, code: &u16| (hash ^ u64::from(*code)).wrapping_mul(0x100_0000_01b3);
    GameFacts {
        moves_hash: game.moves.iter().fold(0xcbf2_9ce4_8422_2325, hash),
        plies: game.moves.len() as u32,
        white: 2 * at,
        black: 2 * at + 1,
        event: 2 * at,
        site: 2 * at + 1,
        date: GameDate::parse(game.date),
        round: Round::parse(game.round),
        result: game.result,
        white_elo: game.elo,
        black_elo: game.elo,
        source: at,
        ..GameFacts::default()
    }
}

macro_rules! twins {
    ($($name:ident: $($game:expr),+ => $kind:expr;)*) => {
        $(#[test] fn $name() {
            let games = [$($game),+];
            let kind: Option<TwinKind> = $kind;
            let all: Vec<u32> = (0..games.len() as u32).collect();
            let expected = kind.map(|kind| (all, kind));
            let groups = found(&games, Preference::First, None);
            assert_eq!(groups.into_iter().map(|(games, kind, _)| (games, kind)).collect::<Vec<_>>(), Vec::from_iter(expected));
        })*
    };
}

const SAME: Option<TwinKind> = Some(TwinKind::Same);
const PREFIX: Option<TwinKind> = Some(TwinKind::Prefix);
const VARIANT: Option<TwinKind> = Some(TwinKind::Variant);
const SHORT: Option<TwinKind> = Some(TwinKind::Short);

twins! {
    equal: game(60), game(60) => SAME;
    spelt_in_other_ways: game(60), game(60).players("Karpov A", "GM Kasparov Garry (RUS)") => SAME;
    no_names: game(60), game(60).players("?", "?") => SAME;
    other_year: game(60), game(60).date("1984.??.??") => SAME;
    wrong_headers_of_a_long_game: game(90), game(90).players("Short, Nigel", "Speelman, Jonathan") => SAME;
    strangers_in_theory: game(28), game(28).players("Short, Nigel", "Speelman, Jonathan").date("1990.??.??") => None;
    three_copies: game(60), game(60).stops(50), game(60) => PREFIX;
    stops_by_one: game(60), game(59) => PREFIX;
    stops_early: game(80), game(30).result(Termination::Unknown) => PREFIX;
    stranger_who_stops: game(80), game(30).players("Short, Nigel", "Speelman, Jonathan") => None;
    one_slip: game(60), game(60).slip(40) => VARIANT;
    slips_all_over: game(90), game(90).slip(3).slip(30).slip(60).slip(85) => VARIANT;
    a_move_left_out: game(60), game(60).gap(20) => VARIANT;
    slip_and_end: game(60), game(70).slip(30) => VARIANT;
    slip_and_misspelt_name: game(60), game(60).slip(40).players("Karpow, Anatoly", "Kasparof, Garry") => VARIANT;
    slip_of_strangers: game(60), game(60).slip(40).players("Short, Nigel", "Speelman, Jonathan") => None;
    short_and_agreed: game(12), game(12) => SHORT;
    short_in_another_year: game(12), game(12).date("1991.??.??") => None;
    short_on_another_day: game(12).date("1985.03.01"), game(12).date("1985.03.04") => None;
    short_with_another_opponent: game(12), game(12).players("Karpov, Anatoly", "Timman, Jan") => None;
    // The same players on the same day with the same twenty half-moves.
    blitz_rematch: game(70).date("2020.04.26").round("1.20"), game(70).date("2020.04.26").round("1.26").other_from(20, 9) => None;
    blitz_rematch_with_one_round: game(70).date("2020.04.26"), game(70).date("2020.04.26").other_from(24, 9) => None;
    armageddon: game(90).round("1.1"),
        game(60).round("1.2").other_from(30, 5).result(Termination::WhiteWins) => None;
    // A short draw, and a longer game of the same match that begins like it.
    draw_and_rematch: game(24).round("4"), game(80).round("6").result(Termination::WhiteWins) => None;
    simultaneous_games: game(18).players("Alekhine, Alexander", "Smith, John").date("1925.01.01"),
        game(18).players("Alekhine, Alexander", "Jones, Peter").date("1925.01.01") => None;
    engines_that_repeat: game(80).players("Stockfish 14", "Komodo 13.1").round("1"),
        game(80).players("Stockfish 14", "Komodo 13.1").round("2") => None;
    engines_of_one_round: game(80).players("Stockfish 14", "Komodo 13.1").round("1.3").elo(3500),
        game(80).players("Stockfish 14", "Komodo 13.1").round("1.3").elo(3500) => SAME;
    engines_of_other_versions: game(80).players("Stockfish 14", "Komodo 13.1"),
        game(80).players("Stockfish 15", "Komodo 13.2") => None;
    engines_that_repeat_with_other_ratings: game(80).players("Stockfish 14", "Komodo 13.1").elo(3500).date("2021.03.01"),
        game(80).players("Stockfish 14", "Komodo 13.1").elo(3400).date("2021.03.01") => None;
    engines_in_round_50: game(80).players("Stockfish 14", "Komodo 13.1").round("50").date("2021.03.01"),
        game(80).players("Stockfish 14", "Komodo 13.1").round("51").date("2021.03.01") => None;
    engines_of_no_list: game(60).players("Igel", "Pedone").round("1").date("2021.03.01").site("Bremen").elo(3100),
        game(60).players("Igel", "Pedone").round("2").date("2021.03.01").site("Bremen").elo(3100) => None;
    players_in_round_50: game(40).round("50"), game(40).round("51") => None;
    numbers_of_games_in_books: game(24).round("152"), game(24).round("17") => SAME;
    short_of_one_season: game(18).date("1994.??.??").site("Germany"), game(18).date("1995.??.??").site("Germany") => SHORT;
    pages_of_books: game(60).round("50").event("?"), game(60).round("212").event("?") => SAME;
    another_round_of_one_event: game(50).round("1").date("1985.03.01"), game(50).round("3").date("1985.03.01") => None;
    another_round_of_a_long_game: game(90).round("1").date("1985.03.01"), game(90).round("11").date("1985.03.01") => SAME;
    theory_of_one_day: game(28).date("2022.03.12").site("Chess.com").event("Rapid").round("1"),
        game(28).players("Short, Nigel", "Speelman, Jonathan").date("2022.03.12").site("Chess.com").event("Rapid").round("2") => None;
    longer_theory_of_one_day: game(44).date("2022.03.12").site("Chess.com"),
        game(44).players("Short, Nigel", "Speelman, Jonathan").date("2022.03.12").site("Chess.com") => None;
    colours_exchanged: game(34), game(34).players("Kasparov, Garry", "Karpov, Anatoly").site("Moscow") => SAME;
    colours_exchanged_in_another_round: game(34).round("3"), game(34).players("Kasparov, Garry", "Karpov, Anatoly").round("4") => None;
    both_names_misread: game(28).players("Steinitz, William", "Pitschel, Karl").round("2").site("Vienna"),
        game(28).players("Steinitz Wilhelm", "Pitschka Claus").round("2").site("Vienna (Austria)") => SAME;
    short_without_dates: game(12).date("????.??.??"), game(12).date("????.??.??") => None;
    short_without_names: game(12).players("?", "?").date("1985.03.01"), game(12).players("NN", "NN").date("1985.03.01") => None;
    theory_without_names: game(30).players("?", "?"), game(30).players("NN", "NN") => None;
    theory_without_names_of_one_day: game(36).players("NN", "?").date("1985.03.01"), game(36).players("?", "NN").date("1985.03.01") => SAME;
    guests: game(24).players("Guest1234", "Guest77").date("2019.03.08"), game(24).players("Guest5678", "Guest99").date("2019.03.08") => None;
    other_page_of_one_host: game(30).date("2019.03.08").site("https://example.org/abcd1234"),
        game(30).date("2019.03.08").site("https://example.org/efgh5678") => None;
    page_of_one_host: game(24).date("????.??.??").site("https://example.org/abcd1234"),
        game(24).date("????.??.??").site("https://example.org/abcd1234#24") => SAME;
    pages_of_two_hosts: game(30).date("2019.03.08").site("https://example.org/abcd1234"),
        game(30).date("2019.03.08").site("https://example.com/8") => SAME;
    other_games: game(60), game(60).other_from(0, 7) => None;
    cut_short_with_slips: game(84), game(46).slip(23).slip(39) => VARIANT;
    programs_in_another_round: game(969).players("Stockfish_15_1M", "Seer cc6f5c83").date("2025.05.16").round("1.43"),
        game(969).players("Stockfish_15_1M", "Seer cc6f5c83").date("2025.05.16").round("1.45") => None;
    another_program_in_one_event: game(969).players("Stockfish_15_1M", "Seer cc6f5c83").date("2025.05.16").round("1.43"),
        game(969).players("Stockfish_15_1M", "Revenge 20241013").date("2025.05.16").round("1.65") => None;
    programs_with_colours_exchanged: game(969).players("Stockfish_15_1M", "Seer cc6f5c83").date("2025.05.16").round("1.43"),
        game(969).players("Seer cc6f5c83", "Stockfish_15_1M").date("2025.05.16").round("1.44") => None;
    bots_in_one_event: game(93).players("Chark Bot V2 (by: Team Chark)", "Chessburger (by: A)").date("????.??.??").round("24"),
        game(93).players("Planck Bot (by: LadyOfSpades)", "Chessburger (by: A)").date("????.??.??").round("60") => None;
    programs_of_no_list_in_another_round: game(81).players("Torchy", "Etherea").round("1").date("2025.07.30"),
        game(81).players("Torchy", "Etherea").round("9").date("2025.07.30") => None;
    other_boards_of_one_round: game(103).players("Short, Nigel", "Speelman, Jonathan").round("3").date("2010.04.23"),
        game(103).players("Timman, Jan", "Hort, Vlastimil").round("3").date("2010.04.23") => None;
    another_opponent_in_another_round: game(106).round("10"), game(106).players("Karpov, Anatoly", "Timman, Jan").round("1") => None;
    another_opponent_on_another_day: game(77).date("2022.03.19"), game(77).players("Karpov, Anatoly", "Timman, Jan").date("2022.03.20") => None;
    another_opponent_in_the_same_round: game(110).round("12"), game(110).players("Karpov, Anatoly", "Timman, Jan").round("12") => SAME;
    events_say_the_same: game(22).event("Linares"), game(22).event("Linares 1985") => SAME;
}

#[test]
fn a_beginning_of_two_games_joins_neither_with_the_other() {
    let first = game(70).date("1985.03.01").round("1");
    let second = game(70).date("1985.09.01").round("9").other_from(30, 3);
    let begun = game(30).date("1985.??.??").result(Termination::Unknown);

    let groups = found(&[first, second, begun], Preference::First, None);

    assert_eq!(groups.len(), 1);
    let (games, ..) = &groups[0];
    assert_eq!(games.len(), 2);
}

#[test]
fn which_copy_is_kept() {
    let kept = |games: &[Game], preference: Preference| {
        let groups = found(games, preference, None);
        let (_, _, kept) = groups[0];
        kept
    };

    let games = [game(50), game(60), game(60)];
    assert_eq!(kept(&games, Preference::Longest), 1);
    assert_eq!(kept(&games, Preference::First), 0);
    assert_eq!(kept(&games, Preference::Source), 0);

    let dated = [game(60), game(60).date("1985.03.01")];
    assert_eq!(kept(&dated, Preference::Longest), 1);
}

#[test]
fn new_games_alone() {
    let other = || {
        game(60)
            .other_from(0, 7)
            .players("Short, Nigel", "Timman, Jan")
    };
    let games = [game(60), other(), game(60), other()];
    let groups = |new: &[u32]| -> Vec<Vec<u32>> {
        let new_groups = found(&games, Preference::First, Some(new));
        new_groups.into_iter().map(|(games, ..)| games).collect()
    };

    assert_eq!(groups(&[2]), [[0, 2]]);
    assert_eq!(groups(&[1]), [[1, 3]]);
    assert_eq!(groups(&[0, 3]), [[0, 2], [1, 3]]);
    assert_eq!(groups(&[]), Vec::<Vec<u32>>::new());
}

#[test]
fn nothing_and_games_without_moves() {
    assert_eq!(found(&[], Preference::First, None), []);
    assert_eq!(found(&[game(0), game(0)], Preference::First, None), []);
}
