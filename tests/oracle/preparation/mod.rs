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

/// Compares a score with that of some games.
fn compare_score(found: &LineScore, twin: &Twin<'_>, places: &[usize], at: &str) {
    let games = || places.iter().map(|&place| &twin.own[place]);
    let count = |half_points: Option<u64>| {
        games()
            .filter(|game| game.half_points == half_points)
            .count() as u64
    };

    let expected = [Some(2), Some(1), Some(0), None].map(count);
    let score = &found.score;
    assert_eq!(
        [score.won, score.drawn, score.lost, score.unfinished],
        expected,
        "{at}"
    );

    let rated = games()
        .filter(|game| game.half_points.is_some())
        .filter_map(|game| game.opponent_elo);
    assert_eq!(
        score.opponent_elo.games,
        rated.clone().count() as u64,
        "{at}"
    );
    assert_eq!(score.opponent_elo.sum, rated.sum::<u64>(), "{at}");

    let recent = games().filter(|game| twin.is_recent(game)).count() as u64;
    assert_eq!(found.recent, recent, "{at}");

    let finished = games()
        .filter(|game| game.is_dated())
        .filter_map(|game| game.half_points);
    let finished: Vec<u64> = finished.collect();
    let (earlier, later) = finished.split_at(finished.len() / 2);

    for (half, expected) in found.halves.iter().zip([earlier, later]) {
        let expected = (expected.len() as u64, expected.iter().sum::<u64>());
        assert_eq!((half.games, half.half_points), expected, "{at}");
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

    for pair in lines.windows(2) {
        assert!(
            pair[0].score.all_games() >= pair[1].score.all_games(),
            "{epd}"
        );
    }

    for line in lines {
        let at = format!("{epd} {}", line.san);
        compare_score(&line.score, twin, expected[&line.san], &at);
        assert_eq!(line.is_opponents, twin.is_own_turn(epd), "{at}");
        assert_eq!(line.others.is_some(), line.is_opponents, "{at}");

        if let Some(others) = line.others {
            shown.insert(epd.to_owned());
            let (games, of) = twin.others(epd, &line.san);
            assert_eq!((others.games, others.of), (games, of), "{at}");

            let most = twin
                .all_moves(epd)
                .keys()
                .map(|san| twin.others(epd, san).0)
                .max();

            assert_eq!(others.is_most_played, most == Some(games), "{at}");
        }

        let next = twin.after(epd, &line.san);
        assert_eq!(twin::epd_of(&line.after.fen()), next, "{at}");

        if !line.is_transposition && line.ply < Ply::new(max_ply) {
            shown.extend(compare_lines(&line.next, &next, twin, found, max_ply));
        } else {
            assert!(line.next.is_empty(), "{at}");
        }
    }

    shown
}

/// A listed line has the lowest bound of those that share at most half of their games with lines before it.
fn compare_weak(found: &Preparation, twin: &Twin<'_>) {
    let all = twin
        .per_cent(&(0..twin.own.len()).collect::<Vec<_>>())
        .unwrap_or_default();
    let mut candidates: BTreeMap<String, f64> = BTreeMap::new();

    for (epd, places) in &twin.positions {
        let finished = twin.finished(places);
        let per_cent = twin.per_cent(places);
        let is_short = twin.ply[epd] <= 24;

        if epd != twin::START
            && is_short
            && twin.is_own_turn(epd)
            && finished >= 5
            && per_cent < Some(all)
        {
            candidates.insert(
                epd.clone(),
                twin::upper_bound(per_cent.unwrap_or_default(), finished),
            );
        }
    }

    let mut before: BTreeSet<usize> = BTreeSet::new();
    let is_covered = |epd: &String, before: &BTreeSet<usize>| {
        let places = &twin.positions[epd];
        2 * places.iter().filter(|place| before.contains(place)).count() > places.len()
    };

    for weak in &found.weak_lines {
        let epd = twin::epd_of(&weak.position.fen());
        assert_eq!(twin.after_all(&weak.line), epd);
        compare_score(&weak.score, twin, &twin.positions[&epd], &epd);

        let (_, high) = weak.score.interval().expect("finished games");
        assert!((high - candidates[&epd]).abs() < 1e-6, "{epd}");

        let open = candidates
            .iter()
            .filter(|(epd, _)| !is_covered(epd, &before));
        let least = open.map(|(_, bound)| *bound).fold(f64::MAX, f64::min);
        assert!((high - least).abs() < 1e-6, "{epd}: {high} {least}");

        before.extend(&twin.positions[&epd]);
    }

    if found.weak_lines.len() < 8 {
        assert!(candidates.keys().all(|epd| is_covered(epd, &before)));
    }
}

fn compare_avoided(found: &Preparation, twin: &Twin<'_>, shown: &BTreeSet<String>) {
    let mut expected = BTreeSet::new();
    for epd in shown {
        let of: usize = twin.moves[epd].values().map(Vec::len).sum();
        for san in twin.all_moves(epd).keys() {
            let (others, others_of) = twin.others(epd, san);
            let games = twin.moves[epd].get(san).map_or(0, Vec::len);
            let is_usual = others_of >= 20 && others * 5 >= others_of;
            if of >= 10 && is_usual && games * 20 < of {
                expected.insert((epd.clone(), san.clone(), games as u64, of as u64, others));
            }
        }
    }

    let avoided = found.avoided.iter().map(|one| {
        (
            twin::epd_of(&one.position.fen()),
            one.san.clone(),
            one.games,
            one.of,
            one.others,
        )
    });

    let avoided: BTreeSet<_> = avoided.collect();
    assert!(avoided.is_subset(&expected), "{avoided:?} {expected:?}");
    assert_eq!(avoided.len(), expected.len().min(8));
}

/// The points of each game by the stated rule.
fn compare_study(found: &Preparation, twin: &Twin<'_>, known: &[u32]) {
    let rated: Vec<u64> = twin
        .own
        .iter()
        .filter_map(|game| game.opponent_elo)
        .collect();

    let mean = rated.iter().sum::<u64>() / (rated.len() as u64).max(1);
    let points = |(place, game): (usize, &Play)| {
        let result = match game.half_points {
            Some(0) => 3,
            Some(1) => 1,
            _ => 0,
        };

        let elo = game
            .opponent_elo
            .map_or(0, |elo| (elo.saturating_sub(mean) / 50).min(3));
        let line = u64::from(known[place] / 4).min(4);
        let recent = if twin.is_recent(game) { 4 } else { 0 };

        (recent + result + line + elo, place)
    };

    let long = twin
        .own
        .iter()
        .enumerate()
        .filter(|(_, game)| game.plies >= 20);

    let mut expected: Vec<(u64, usize)> = long.map(points).collect();
    expected.sort_by_key(|&(points, place)| std::cmp::Reverse((points, place)));
    expected.truncate(10);

    let expected: Vec<(i64, u64, u32)> = expected
        .into_iter()
        .map(|(points, place)| (twin.own[place].game, points, known[place]))
        .collect();

    let games = found
        .games
        .iter()
        .map(|game| (game.game.game.get(), game.points, game.known_plies));
    assert_eq!(games.collect::<Vec<_>>(), expected);

    for game in &found.games {
        let is_lost = game.reasons.contains(&StudyReason::Lost);
        let own = twin
            .own
            .iter()
            .find(|own| own.game == game.game.game.get())
            .expect("a game");

        assert_eq!(is_lost, own.half_points == Some(0));
    }
}

fn compare_changes(found: &Preparation, twin: &Twin<'_>) {
    let mut expected = BTreeMap::new();
    for (epd, moves) in &twin.moves {
        if !twin.is_own_turn(epd) || twin.ply[epd] > 12 {
            continue;
        }

        let count = |san: &String, is_recent: bool| {
            let games = moves[san].iter().map(|&place| &twin.own[place]);
            games
                .filter(|game| game.is_dated() && twin.is_recent(game) == is_recent)
                .count() as u64
        };

        let all = [false, true].map(|at| moves.keys().map(|san| count(san, at)).sum::<u64>());
        expected.insert(epd.clone(), all);
    }

    for change in &found.habits.changes {
        let epd = twin.after_all(&change.line);
        let [earlier, recent] = expected[&epd];
        assert_eq!(
            (change.before.of, change.since.of),
            (earlier, recent),
            "{epd}"
        );
        assert!(
            earlier >= 5 && recent >= 5 && change.before.san != change.since.san,
            "{epd}"
        );

        let places = |san: &String| twin.moves[&epd][san].iter().map(|&place| &twin.own[place]);
        let of_since = places(&change.since.san)
            .filter(|game| twin.is_recent(game))
            .count();
        assert_eq!(change.since.games, of_since as u64, "{epd}");

        let most = twin.moves[&epd]
            .keys()
            .map(|san| places(san).filter(|game| twin.is_recent(game)).count());
        assert_eq!(most.max(), Some(of_since), "{epd}");
    }
}

/// Compares a preparation against a player with the plain counts; returns the number of games.
fn compare(games: &Games, database: &Database, name: &str, color: Color) -> u64 {
    let twin = Twin::new(games, name, color);
    let query = query(name, color);
    let found = prepare(database, &query);

    assert_eq!(found.score.all_games(), twin.own.len() as u64, "{name}");
    compare_score(
        &found.score,
        &twin,
        &(0..twin.own.len()).collect::<Vec<_>>(),
        name,
    );

    if !twin.own.is_empty() {
        let shown = compare_lines(
            &found.lines,
            twin::START,
            &twin,
            &found,
            query.max_ply.get(),
        );
        compare_avoided(&found, &twin, &shown);
    }

    compare_weak(&found, &twin);
    compare_changes(&found, &twin);

    let known = twin.known_plies(|_, games| games as u64 >= found.min_games);
    compare_study(&found, &twin, &known);

    found.score.all_games()
}

/// Compares the games beside a repertoire: the mainlines of some games, up to 16 half-moves.
fn compare_repertoire(games: &Games, database: &Database, name: &str, color: Color) -> u64 {
    let twin = Twin::new(games, name, color);
    let lines: Vec<&[String]> = twin
        .own
        .iter()
        .step_by(3)
        .map(|game| &game.sans[..game.sans.len().min(16)])
        .collect();

    let mut reader = RepertoireReader::new();
    let texts = lines
        .iter()
        .map(|line| format!("[Event \"?\"]\n\n{} *", line.join(" ")));
    reader.read("lines.pgn", &texts.collect::<Vec<String>>().join("\n\n"));

    let repertoire = reader.finish(Some(color)).expect("a repertoire");
    let known: BTreeMap<String, BTreeSet<String>> = twin::repertoire(&lines);

    let found = prepare(
        database,
        &PreparationQuery {
            repertoire: Some(repertoire),
            min_games: Some(1),
            ..query(name, color)
        },
    );

    let meeting = found.meeting.as_ref().expect("a repertoire");
    assert_eq!(meeting.positions, known.len() as u64);

    let met = known
        .keys()
        .filter(|epd| twin.positions.contains_key(*epd))
        .count();
    assert_eq!(meeting.met, met as u64);

    let way = twin::shared_way(&known);
    let is_own = |epd: &String| twin.is_own_turn(epd) && !way.contains(epd);
    let mut gaps: Vec<(u64, String)> = Vec::new();

    for (epd, moves) in twin.moves.iter().filter(|(epd, _)| is_own(epd)) {
        let is_answered = known.get(epd).is_some_and(|moves| !moves.is_empty());
        for (san, places) in moves.iter().filter(|_| is_answered) {
            let after = twin.after(epd, san);
            if !known.contains_key(&after) {
                gaps.push((places.len() as u64, format!("{epd} {san}")));
            }
        }
    }

    gaps.sort_by_key(|(games, _)| std::cmp::Reverse(*games));
    let counts = meeting.gaps.iter().map(|gap| gap.score.all_games());
    let expected = gaps.iter().take(20).map(|(games, _)| *games);

    assert_eq!(counts.collect::<Vec<_>>(), expected.collect::<Vec<_>>());

    let all: BTreeSet<&String> = gaps.iter().map(|(_, at)| at).collect();
    for gap in &meeting.gaps {
        let at = format!("{} {}", twin::epd_of(&gap.position.fen()), gap.san);
        assert!(all.contains(&at), "{at}");
        assert_eq!(twin.after_all(&gap.line), twin::epd_of(&gap.position.fen()));
    }

    let plies = twin.known_plies(|epd, _| known.contains_key(epd));
    compare_study(&found, &twin, &plies);

    let plies = twin.known_plies(|epd, _| known.contains_key(epd) && !way.contains(epd));
    assert_eq!(
        meeting.games,
        plies.iter().filter(|&&plies| plies > 0).count() as u64
    );
    compare_ways(meeting, &twin, &known, &plies);

    gaps.len() as u64
}

/// What follows the last of each game's positions that a repertoire has.
fn compare_ways(
    meeting: &RepertoireMeeting,
    twin: &Twin<'_>,
    known: &BTreeMap<String, BTreeSet<String>>,
    plies: &[u32],
) {
    let mut ways = [0; 4];
    for (play, &ply) in twin.own.iter().zip(plies).filter(|&(_, &ply)| ply > 0) {
        let epd = &play.epds[ply as usize];
        let way = match (known[epd].is_empty(), play.sans.get(ply as usize)) {
            (false, Some(_)) if twin.is_own_turn(epd) => 0,
            (false, Some(_)) => 1,
            (false, None) if play.plies > ply => 3,
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

fn players(connection: &Connection, least: u32) -> Vec<String> {
    let sql = "SELECT name FROM (SELECT white AS name FROM games UNION ALL SELECT black FROM games)
        WHERE name IS NOT NULL AND name <> '?' GROUP BY name HAVING count(*) >= ?1
        ORDER BY count(*) DESC, name LIMIT 6";
    let mut select = connection.prepare(sql).expect("the view of a database");
    let names = select.query_map([least], |row| row.get(0)).expect("rows");
    names.map(|name| name.expect("a name")).collect()
}

fn compare_players(file: &Path, least: u32) -> (u64, u64) {
    let work = Workplace::new();
    let database = database(&work, file);
    let connection = Connection::open(work.path("games.db")).expect("a database");
    let (mut games, mut gaps) = (0, 0);
    let names = players(&connection, least);
    let all = Games::read(&connection, &names);

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

/// A player with many games, so that lines, weak lines and avoided moves have enough of them.
#[test]
fn many_games_of_a_player() {
    let Some(path) = corpus::path("archive-100k.pgn") else {
        return;
    };
    let (games, gaps) = compare_players(&path, 200);
    assert!(games > 1_000 && gaps > 200, "{games} {gaps}");
}
