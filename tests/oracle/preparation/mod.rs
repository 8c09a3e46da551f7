//! Preparations, compared with plain counts over all positions of all games.

mod twin;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::novelties::database;
use crate::support::corpus;
use crate::support::program::{Workplace, games};
use rusqlite::Connection;
use stamma::board::Color;
use stamma::game::Ply;
use stamma::query::{NameQuery, Watch};
use stamma::storage::Database;
use stamma::study::preparation::{
    LineScore, Preparation, PreparationQuery, PreparedMove, RepertoireMeeting, StudyReason,
};
use stamma::study::repertoire::RepertoireReader;
use twin::{Games, Play, Twin};

fn prepare(database: &Database, query: &PreparationQuery) -> Preparation {
    Preparation::read(&[database], query, &Watch::new()).expect("a preparation")
}

fn query(name: &str, color: Color) -> PreparationQuery {
    let player = NameQuery {
        text: name.to_owned(),
        is_exact: true,
    };
    PreparationQuery::new(player, color)
}

/// Compares a score with the results of some games.
fn compare_score(found: &LineScore, twin: &Twin<'_>, places: &[usize], at: &str) {
    let games: Vec<&Play> = places.iter().map(|&place| &twin.own[place]).collect();
    let score = &found.score;

    let count = |half_points: Option<u64>| {
        let of_result = games.iter().filter(|game| game.half_points == half_points);
        of_result.count() as u64
    };
    let results = [score.won, score.drawn, score.lost, score.unfinished];
    let expected = [Some(2), Some(1), Some(0), None].map(count);
    assert_eq!(results, expected, "{at}");

    let mut ratings = Vec::new();
    for game in &games {
        if game.half_points.is_some() {
            ratings.extend(game.opponent_elo);
        }
    }
    assert_eq!(score.opponent_elo.games, ratings.len() as u64, "{at}");
    assert_eq!(score.opponent_elo.sum, ratings.iter().sum::<u64>(), "{at}");

    let recent = games.iter().filter(|game| twin.is_recent(game));
    assert_eq!(found.recent, recent.count() as u64, "{at}");

    let mut half_points = Vec::new();
    for game in &games {
        if game.is_dated() {
            half_points.extend(game.half_points);
        }
    }
    let (earlier, later) = half_points.split_at(half_points.len() / 2);

    for (half, expected) in found.halves.iter().zip([earlier, later]) {
        let games = expected.len() as u64;
        let sum = expected.iter().sum::<u64>();
        assert_eq!((half.games, half.half_points), (games, sum), "{at}");
    }
}

/// Compares the moves of a position and all that follow; returns the positions in which the opponent's moves are shown.
fn compare_lines(
    lines: &[PreparedMove],
    epd: &str,
    twin: &Twin<'_>,
    found: &Preparation,
    max_ply: u32,
) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    let expected: BTreeMap<&String, &Vec<usize>> = twin.moves[epd]
        .iter()
        .filter(|(_, places)| places.len() as u64 >= found.min_games)
        .collect();

    let sans: BTreeSet<&String> = lines.iter().map(|line| &line.san).collect();
    assert_eq!(sans, expected.keys().copied().collect(), "{epd}");

    // The most frequent move is first.
    let games: Vec<u64> = lines.iter().map(|line| line.score.all_games()).collect();
    assert!(games.is_sorted_by(|one, next| one >= next), "{epd}");

    for line in lines {
        let at = format!("{epd} {}", line.san);
        compare_score(&line.score, twin, expected[&line.san], &at);
        assert_eq!(line.is_opponents, twin.is_own_turn(epd), "{at}");
        assert_eq!(line.others.is_some(), line.is_opponents, "{at}");

        // A move of the opponent has the games of all other players beside it.
        if let Some(others) = line.others {
            shown.insert(epd.to_owned());

            let (games, of) = twin.others(epd, &line.san);
            assert_eq!((others.games, others.all_games), (games, of), "{at}");

            let sans = twin.all_moves(epd).keys();
            let max_games = sans.map(|san| twin.others(epd, san).0).max();
            assert_eq!(others.is_most_played, max_games == Some(games), "{at}");
        }

        let next = twin.after(epd, &line.san);
        assert_eq!(twin::epd_of(&line.after.fen()), next, "{at}");

        // A position that was shown before, or that is deep enough, is not continued.
        if !line.is_transposition && line.ply < Ply::new(max_ply) {
            shown.extend(compare_lines(&line.next, &next, twin, found, max_ply));
        } else {
            assert!(line.next.is_empty(), "{at}");
        }
    }

    shown
}

/// Compares the weak lines. Each listed line has the lowest bound of all lines that share at most half of their games
/// with the lines before it.
fn compare_weak(found: &Preparation, twin: &Twin<'_>) {
    let candidates = weak_candidates(twin);
    let mut before: BTreeSet<usize> = BTreeSet::new();

    let is_covered = |epd: &String, before: &BTreeSet<usize>| {
        let places = &twin.positions[epd];
        let shared = places.iter().filter(|place| before.contains(place));
        2 * shared.count() > places.len()
    };

    for weak in &found.weak_lines {
        let epd = twin::epd_of(&weak.position.fen());
        assert_eq!(twin.after_all(&weak.line), epd);
        compare_score(&weak.score, twin, &twin.positions[&epd], &epd);

        let (_, high) = weak.score.interval().expect("finished games");
        assert!((high - candidates[&epd]).abs() < 1e-6, "{epd}");

        let mut lowest = f64::MAX;
        for (candidate, bound) in &candidates {
            if !is_covered(candidate, &before) {
                lowest = lowest.min(*bound);
            }
        }
        assert!((high - lowest).abs() < 1e-6, "{epd}: {high} {lowest}");

        before.extend(&twin.positions[&epd]);
    }

    if found.weak_lines.len() < 8 {
        assert!(candidates.keys().all(|epd| is_covered(epd, &before)));
    }
}

/// The positions that may be weak, each with the upper bound of its score in per cent: up to 24 half-moves, with the
/// player to move, at least five finished games, and a score below the score of all games.
fn weak_candidates(twin: &Twin<'_>) -> BTreeMap<String, f64> {
    let all_places: Vec<usize> = (0..twin.own.len()).collect();
    let all_per_cent = twin.per_cent(&all_places).unwrap_or_default();
    let mut candidates = BTreeMap::new();

    for (epd, places) in &twin.positions {
        let is_line = epd != twin::START && twin.ply[epd] <= 24;
        if !is_line || !twin.is_own_turn(epd) {
            continue;
        }

        let finished = twin.finished(places);
        let per_cent = twin.per_cent(places);
        if finished >= 5 && per_cent < Some(all_per_cent) {
            let bound = twin::upper_bound(per_cent.unwrap_or_default(), finished);
            candidates.insert(epd.clone(), bound);
        }
    }

    candidates
}

/// Compares the avoided moves. A fifth of 20 or more games of others has an avoided move, and less than a twentieth of
/// 10 or more games of the player.
fn compare_avoided(found: &Preparation, twin: &Twin<'_>, shown: &BTreeSet<String>) {
    let mut expected = BTreeSet::new();
    for epd in shown {
        let own_moves = &twin.moves[epd];
        let of: usize = own_moves.values().map(Vec::len).sum();

        for san in twin.all_moves(epd).keys() {
            let games = own_moves.get(san).map_or(0, Vec::len);
            let is_avoided = of >= 10 && games * 20 < of;

            let (others, others_of) = twin.others(epd, san);
            let is_usual = others_of >= 20 && others * 5 >= others_of;

            if is_usual && is_avoided {
                expected.insert((epd.clone(), san.clone(), games as u64, of as u64, others));
            }
        }
    }

    let mut avoided = BTreeSet::new();
    for one in &found.avoided {
        let epd = twin::epd_of(&one.position.fen());
        avoided.insert((epd, one.san.clone(), one.games, one.all_games, one.others));
    }

    // Eight moves are listed at most.
    assert!(avoided.is_subset(&expected), "{avoided:?} {expected:?}");
    assert_eq!(avoided.len(), expected.len().min(8));
}

/// Compares the games to study, with the points of each game by the stated rule.
fn compare_study(found: &Preparation, twin: &Twin<'_>, known: &[u32]) {
    let ratings: Vec<u64> = twin
        .own
        .iter()
        .filter_map(|game| game.opponent_elo)
        .collect();
    let mean = ratings.iter().sum::<u64>() / (ratings.len() as u64).max(1);

    let mut expected: Vec<(u64, usize)> = Vec::new();
    for (place, game) in twin.own.iter().enumerate() {
        // Ten moves of both sides: the minimum of a game to look at.
        if game.plies < 20 {
            continue;
        }

        // Points for a loss or a draw, for a strong opponent, for a long known line, and for a recent date.
        let for_result = match game.half_points {
            Some(0) => 3,
            Some(1) => 1,
            _ => 0,
        };
        let for_elo = game
            .opponent_elo
            .map_or(0, |elo| (elo.saturating_sub(mean) / 50).min(3));
        let for_line = u64::from(known[place] / 4).min(4);
        let for_date = if twin.is_recent(game) { 4 } else { 0 };

        expected.push((for_date + for_result + for_line + for_elo, place));
    }

    // Of equal points, the later game is first.
    expected.sort_by_key(|&(points, place)| std::cmp::Reverse((points, place)));
    expected.truncate(10);

    let expected: Vec<(i64, u64, u32)> = expected
        .into_iter()
        .map(|(points, place)| (twin.own[place].game, points, known[place]))
        .collect();

    let mut games = Vec::new();
    for game in &found.games {
        games.push((game.game.game.get(), game.points, game.known_plies));
    }
    assert_eq!(games, expected);

    for game in &found.games {
        let number = game.game.game.get();
        let own = twin.own.iter().find(|own| own.game == number);
        let own = own.expect("a game of the player");

        let is_lost = game.reasons.contains(&StudyReason::Lost);
        assert_eq!(is_lost, own.half_points == Some(0));
    }
}

fn compare_changes(found: &Preparation, twin: &Twin<'_>) {
    let mut expected = BTreeMap::new();
    for (epd, moves) in &twin.moves {
        if !twin.is_own_turn(epd) || twin.ply[epd] > 12 {
            continue;
        }

        let mut counts = [0, 0];
        for &place in moves.values().flatten() {
            let game = &twin.own[place];
            if game.is_dated() {
                counts[usize::from(twin.is_recent(game))] += 1;
            }
        }

        expected.insert(epd.clone(), counts);
    }

    for change in &found.habits.changes {
        let epd = twin.after_all(&change.line);
        let [earlier, recent] = expected[&epd];
        assert_eq!(
            (change.before.all_games, change.since.all_games),
            (earlier, recent),
            "{epd}"
        );
        assert!(earlier >= 5 && recent >= 5, "{epd}");
        assert_ne!(change.before.san, change.since.san, "{epd}");

        let moves = &twin.moves[&epd];
        let recent_games = |san: &String| {
            let games = moves[san].iter().map(|&place| &twin.own[place]);
            games.filter(|game| twin.is_recent(game)).count()
        };

        let games = recent_games(&change.since.san);
        assert_eq!(change.since.games, games as u64, "{epd}");

        let max_games = moves.keys().map(recent_games).max();
        assert_eq!(max_games, Some(games), "{epd}");
    }
}

/// Compares a preparation against a player with the plain counts; returns the number of games.
fn compare(games: &Games, database: &Database, name: &str, color: Color) -> u64 {
    let twin = Twin::new(games, name, color);
    let query = query(name, color);
    let found = prepare(database, &query);

    let all_places: Vec<usize> = (0..twin.own.len()).collect();
    assert_eq!(found.score.all_games(), twin.own.len() as u64, "{name}");
    compare_score(&found.score, &twin, &all_places, name);

    if !twin.own.is_empty() {
        let max_ply = query.max_ply.get();
        let shown = compare_lines(&found.lines, twin::START, &twin, &found, max_ply);
        compare_avoided(&found, &twin, &shown);
    }

    compare_weak(&found, &twin);
    compare_changes(&found, &twin);

    let known = twin.known_plies(|_, games| games as u64 >= found.min_games);
    compare_study(&found, &twin, &known);

    found.score.all_games()
}

/// Compares a preparation with a repertoire: the mainlines of some games, up to 16 half-moves. Returns the number of
/// gaps.
fn compare_repertoire(games: &Games, database: &Database, name: &str, color: Color) -> u64 {
    let twin = Twin::new(games, name, color);
    let lines: Vec<&[String]> = twin
        .own
        .iter()
        .step_by(3)
        .map(|game| &game.sans[..game.sans.len().min(16)])
        .collect();

    let mut pgn = String::new();
    for line in &lines {
        pgn += &format!("[Event \"?\"]\n\n{} *\n\n", line.join(" "));
    }

    let mut reader = RepertoireReader::new();
    reader.read("lines.pgn", &pgn);
    let repertoire = reader.finish(Some(color)).expect("a repertoire");
    let known: BTreeMap<String, BTreeSet<String>> = twin::repertoire(&lines);

    let query = PreparationQuery {
        repertoire: Some(repertoire),
        min_games: Some(1),
        ..query(name, color)
    };
    let found = prepare(database, &query);

    let meeting = found.meeting.as_ref().expect("a repertoire");
    assert_eq!(meeting.positions, known.len() as u64);

    let met = known
        .keys()
        .filter(|epd| twin.positions.contains_key(*epd))
        .count();
    assert_eq!(meeting.met, met as u64);

    let way = twin::shared_way(&known);
    let gaps = gaps(&twin, &known, &way);
    compare_gaps(meeting, &twin, &gaps);

    let known_plies = twin.known_plies(|epd, _| known.contains_key(epd));
    compare_study(&found, &twin, &known_plies);

    let met_plies = twin.known_plies(|epd, _| known.contains_key(epd) && !way.contains(epd));
    let games = met_plies.iter().filter(|&&plies| plies > 0).count();
    assert_eq!(meeting.games, games as u64);
    compare_ways(meeting, &twin, &known, &met_plies);

    gaps.len() as u64
}

/// The opponent's moves that a repertoire does not answer, each with its games, the most frequent first.
fn gaps(
    twin: &Twin<'_>,
    known: &BTreeMap<String, BTreeSet<String>>,
    way: &BTreeSet<String>,
) -> Vec<(u64, String)> {
    let mut gaps: Vec<(u64, String)> = Vec::new();

    for (epd, moves) in &twin.moves {
        // A game that leaves the way that all lines share has never come to the repertoire.
        if !twin.is_own_turn(epd) || way.contains(epd) {
            continue;
        }

        // Behind the end of a line, nothing is prepared.
        let goes_on = known.get(epd).is_some_and(|moves| !moves.is_empty());
        if !goes_on {
            continue;
        }

        for (san, places) in moves {
            let after = twin.after(epd, san);
            if !known.contains_key(&after) {
                gaps.push((places.len() as u64, format!("{epd} {san}")));
            }
        }
    }

    gaps.sort_by_key(|(games, _)| std::cmp::Reverse(*games));
    gaps
}

/// Compares the gaps of a meeting, of which the 20 most frequent are listed. The order of equally frequent gaps is
/// open.
fn compare_gaps(meeting: &RepertoireMeeting, twin: &Twin<'_>, gaps: &[(u64, String)]) {
    let mut counts = Vec::new();
    for gap in &meeting.gaps {
        counts.push(gap.score.all_games());
    }
    let most_frequent = gaps.iter().take(20);
    let expected: Vec<u64> = most_frequent.map(|(games, _)| *games).collect();
    assert_eq!(counts, expected);

    // Each of them is a gap, at the place where its line ends.
    let all: BTreeSet<&String> = gaps.iter().map(|(_, at)| at).collect();
    for gap in &meeting.gaps {
        let epd = twin::epd_of(&gap.position.fen());
        let at = format!("{epd} {}", gap.san);
        assert!(all.contains(&at), "{at}");
        assert_eq!(twin.after_all(&gap.line), epd);
    }
}

/// Compares the ways in which games continue behind their last position of a repertoire.
fn compare_ways(
    meeting: &RepertoireMeeting,
    twin: &Twin<'_>,
    known: &BTreeMap<String, BTreeSet<String>>,
    plies: &[u32],
) {
    let mut ways = [0; 4];
    for (play, &ply) in twin.own.iter().zip(plies) {
        // A game that never meets the repertoire.
        if ply == 0 {
            continue;
        }

        let epd = &play.epds[ply as usize];
        let has_moves = !known[epd].is_empty();
        let next = play.sans.get(ply as usize);

        // Left by the opponent, by the other side, at the end of a line or a game, or beyond the compared half-moves.
        let way = match (has_moves, next) {
            (true, Some(_)) if twin.is_own_turn(epd) => 0,
            (true, Some(_)) => 1,
            (true, None) if play.plies > ply => 3,
            _ => 2,
        };

        ways[way] += 1;
    }

    let RepertoireMeeting {
        left_by_opponent,
        left_by_others,
        ended,
        beyond,
        ..
    } = meeting;

    assert_eq!([*left_by_opponent, *left_by_others, *ended, *beyond], ways);
    assert_eq!(meeting.games, ways.iter().sum::<u64>());
}

/// The six players with the most games.
fn players(connection: &Connection, min_games: u32) -> Vec<String> {
    let sql = "SELECT name FROM (SELECT white AS name FROM games UNION ALL SELECT black FROM games)
        WHERE name IS NOT NULL AND name <> '?' GROUP BY name HAVING count(*) >= ?1
        ORDER BY count(*) DESC, name LIMIT 6";
    let mut select = connection.prepare(sql).expect("the view of a database");
    let names = select
        .query_map([min_games], |row| row.get(0))
        .expect("rows");
    names.map(|name| name.expect("a name")).collect()
}

fn compare_players(file: &Path, min_games: u32) -> (u64, u64) {
    let work = Workplace::new();
    let database = database(&work, file);
    let connection = Connection::open(work.path("games.db")).expect("a database");
    let names = players(&connection, min_games);
    let all = Games::read(&connection, &names);

    let (mut games, mut gaps) = (0, 0);

    for name in &names {
        for color in [Color::White, Color::Black] {
            games += compare(&all, &database, name, color);
            gaps += compare_repertoire(&all, &database, name, color);
        }
    }

    (games, gaps)
}

#[test]
fn historical_games() {
    let (games, gaps) = compare_players(&games(), 4);
    assert!(games > 50 && gaps > 10, "{games} {gaps}");
}

#[test]
fn ten_thousand_games() {
    let Some(path) = corpus::path("archive-10k.pgn") else {
        return;
    };
    let (games, gaps) = compare_players(&path, 10);
    assert!(games > 100 && gaps > 50, "{games} {gaps}");
}

/// Players with many games, so that lines, weak lines and avoided moves have enough games.
#[test]
fn many_games_of_a_player() {
    let Some(path) = corpus::path("archive-100k.pgn") else {
        return;
    };
    let (games, gaps) = compare_players(&path, 200);
    assert!(games > 1_000 && gaps > 200, "{games} {gaps}");
}
