//! The cells of a crosstable.

use super::letters::Letters;
use super::report::CrosstableReport;
use crate::board::Color;
use crate::report::{Cell, Column, Span, Table, Target, elo};
use crate::study::tournament::{Crosstable, Match, Standing, System, TournamentGame};

/// The crosstable: players against players, or against rounds.
pub(super) fn standings(report: CrosstableReport<'_>) -> Table {
    let CrosstableReport {
        crosstable,
        letters,
        ..
    } = report;
    let opponents = match crosstable.system {
        System::RoundRobin(_) => by_opponent(report),
        System::Match => in_one_cell(report),
        System::Swiss | System::Other | System::KnockOut | System::Teams => by_round(report),
    };
    let tie_breaks = tie_breaks(crosstable.system);
    let first = [
        Column::number("#"),
        Column::text("player"),
        Column::number("Elo"),
    ];
    let counts = ["points", "games"].map(Column::number);
    let mut table = Table::new(first.into_iter().chain(opponents.header).chain(counts));
    table.columns.extend(
        tie_breaks
            .iter()
            .map(|tie_break| Column::number(tie_break.name())),
    );
    table.columns.push(Column::number("perf."));
    let has_accuracies = crosstable
        .standings
        .iter()
        .any(|standing| standing.accuracy.games > 0);
    if has_accuracies {
        table
            .columns
            .extend(["accuracy", "loss"].map(Column::number));
    }
    for (standing, results) in crosstable.standings.iter().zip(opponents.rows) {
        let known_elo = standing
            .elo
            .map_or_else(|| "-".to_owned(), |elo| elo.to_string());
        let player = Span::Link(standing.name.clone(), Target::Player(standing.name.clone()));
        let mut row: Vec<Cell> = vec![
            standing.rank.to_string().into(),
            player.into(),
            known_elo.into(),
        ];
        row.extend(results.into_iter().map(Cell::Spans));
        let points = halves(letters, standing.half_points);
        row.extend([points.into(), standing.all_games().to_string().into()]);
        row.extend(
            tie_breaks
                .iter()
                .map(|tie_break| Cell::text(tie_break.of(standing))),
        );
        row.push(elo(standing.performance()).into());
        if has_accuracies {
            let percent = standing.accuracy.percent();
            row.push(
                percent
                    .map_or_else(|| "-".to_owned(), |found| format!("{found:.0} %"))
                    .into(),
            );
            row.push(elo(standing.accuracy.centipawn_loss()).into());
        }
        table.rows.push(row);
    }
    table
}

/// The teams of a team event, each with its players in the order of boards.
pub(super) fn teams(crosstable: &Crosstable, letters: Letters) -> Table {
    let first = [Column::number("#"), Column::text("team")];
    let counts = [
        "match points",
        "won",
        "drawn",
        "lost",
        "board points",
        "games",
    ];
    let counts = counts.map(Column::number);
    let columns = first
        .into_iter()
        .chain(counts)
        .chain([Column::text("players")]);
    let mut table = Table::new(columns);
    for team in &crosstable.teams {
        let mut players = Vec::new();
        for &(player, _) in &team.players {
            if !players.is_empty() {
                players.push(Span::text("; "));
            }
            let name = &crosstable.standings[player].name;
            players.push(Span::Link(name.clone(), Target::Player(name.clone())));
        }
        let count = |number: u32| Cell::from(number.to_string());
        table.rows.push(vec![
            count(team.rank),
            team.name.as_str().into(),
            count(team.match_points()),
            count(team.won),
            count(team.drawn),
            count(team.lost),
            halves(letters, team.half_points).into(),
            count(team.games),
            Cell::Spans(players),
        ]);
    }
    table
}

/// The matches of a knock-out, the last stage first.
pub(super) fn matches(report: CrosstableReport<'_>) -> Table {
    let CrosstableReport {
        crosstable,
        letters,
        ..
    } = report;
    let last = final_stage(crosstable);
    let mut table = Table::new(["stage", "winner", "loser", "score", "games"].map(Column::text));
    table
        .rows
        .extend(crosstable.matches.iter().rev().map(|one| {
            let player = |player: usize| {
                let name = &crosstable.standings[player].name;
                Cell::from(Span::Link(name.clone(), Target::Player(name.clone())))
            };
            let [winner, loser] = one.players.map(player);
            let games = crosstable.games_between(one.players[0], one.players[1]);
            let games: Vec<Span> = games
                .map(|game| result(report, game, one.players[0]))
                .collect();
            let [first, second] = one
                .half_points
                .map(|half_points| halves(letters, half_points));
            let undecided = if one.is_decided { "" } else { " ?" };
            let score = format!("{first}:{second}{undecided}");
            vec![
                stage(one, last).into(),
                winner,
                loser,
                score.into(),
                Cell::Spans(games),
            ]
        }));
    table
}

/// The stage of the final; `None` if it is missing, so that several matches are the last.
fn final_stage(crosstable: &Crosstable) -> Option<u32> {
    let stages = crosstable
        .matches
        .iter()
        .filter(|one| !one.is_for_third_place);
    let stages: Vec<u32> = stages.map(|one| one.stage).collect();
    let last = stages.iter().max().copied()?;
    let is_one = stages.iter().filter(|stage| **stage == last).count() == 1;
    is_one.then_some(last)
}

fn stage(one: &Match, last: Option<u32>) -> String {
    match last.map(|last| last - one.stage) {
        _ if one.is_for_third_place => "third place".to_owned(),
        Some(0) => "final".to_owned(),
        Some(1) => "semi-final".to_owned(),
        Some(2) => "quarter-final".to_owned(),
        _ => one.stage.to_string(),
    }
}

/// A tie-break, which is a column.
#[derive(Clone, Copy)]
enum TieBreak {
    SonnebornBerger,
    Buchholz,
    Wins,
}

fn tie_breaks(system: System) -> &'static [TieBreak] {
    match system {
        System::RoundRobin(_) => &[TieBreak::SonnebornBerger, TieBreak::Wins],
        System::Match | System::KnockOut | System::Teams => &[TieBreak::Wins],
        System::Swiss | System::Other => &[
            TieBreak::Buchholz,
            TieBreak::SonnebornBerger,
            TieBreak::Wins,
        ],
    }
}

impl TieBreak {
    const fn name(self) -> &'static str {
        match self {
            TieBreak::SonnebornBerger => "S-B",
            TieBreak::Buchholz => "Buchh.",
            TieBreak::Wins => "wins",
        }
    }

    fn of(self, standing: &Standing) -> String {
        match self {
            TieBreak::SonnebornBerger => {
                format!("{:.2}", f64::from(standing.sonneborn_berger) / 4.0)
            }
            TieBreak::Buchholz => format!("{:.1}", f64::from(standing.buchholz) / 2.0),
            TieBreak::Wins => standing.won.to_string(),
        }
    }
}

/// Columns of results.
struct Results {
    header: Vec<Column>,
    rows: Vec<Vec<Vec<Span>>>,
}

fn numbered(columns: usize) -> Vec<Column> {
    (1..=columns)
        .map(|number| Column::text(number.to_string()))
        .collect()
}

/// A round of a higher number is none: the column of the next game is taken.
const MOST_ROUNDS: u16 = 99;

fn by_opponent(report: CrosstableReport<'_>) -> Results {
    let crosstable = report.crosstable;
    let players = crosstable.standings.len();
    let mut rows: Vec<Vec<Vec<Span>>> = vec![vec![Vec::new(); players]; players];
    for (player, row) in rows.iter_mut().enumerate() {
        row[player].push(Span::text(report.letters.choose("■", "x")));
    }
    for game in &crosstable.games {
        let [white, black] = game.players;
        rows[white][black].push(result(report, game, white));
        rows[black][white].push(result(report, game, black));
    }
    Results {
        header: numbered(players),
        rows,
    }
}

fn in_one_cell(report: CrosstableReport<'_>) -> Results {
    let crosstable = report.crosstable;
    let games = &crosstable.games;
    let results = |player| {
        games
            .iter()
            .map(|game| result(report, game, player))
            .collect()
    };
    let players = 0..crosstable.standings.len();
    Results {
        header: vec![Column::text("results")],
        rows: players.map(|player| vec![results(player)]).collect(),
    }
}

/// A column for each round, or for the games of each player one after the other; `12w1` is a win with White against
/// the player in line 12.
fn by_round(report: CrosstableReport<'_>) -> Results {
    let crosstable = report.crosstable;
    let mut rows: Vec<Vec<Vec<Span>>> = vec![Vec::new(); crosstable.standings.len()];
    for game in &crosstable.games {
        for player in game.players {
            let row = &mut rows[player];
            let round = game
                .round
                .number()
                .filter(|&round| crosstable.rounds.is_some() && round <= MOST_ROUNDS);
            let column = round.map_or(row.len(), |round| usize::from(round).saturating_sub(1));
            row.resize(row.len().max(column + 1), Vec::new());
            if !row[column].is_empty() {
                row[column].push(Span::text(" "));
            }
            row[column].extend(encounter(report, game, player));
        }
    }
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    rows.iter_mut().for_each(|row| row.resize(most, Vec::new()));
    Results {
        header: numbered(most),
        rows,
    }
}

fn encounter(report: CrosstableReport<'_>, game: &TournamentGame, player: usize) -> Option<Span> {
    let (opponent, side) = game.opponent_of(player)?;
    let side = if side.is_white() { 'w' } else { 'b' };
    let result = result(report, game, player);
    let text = format!("{}{side}{}", opponent + 1, result.as_text());
    Some(Span::game_of(
        text,
        report.database(game.game),
        game.game.game,
    ))
}

/// The result of a game for a player, which leads to the game.
fn result(report: CrosstableReport<'_>, game: &TournamentGame, player: usize) -> Span {
    let side = game
        .opponent_of(player)
        .map_or(Color::White, |(_, side)| side);
    let sign = match game.half_points(side) {
        Some(2) => "1",
        Some(1) => report.letters.choose("½", "="),
        Some(_) => "0",
        None => "*",
    };
    Span::game_of(sign, report.database(game.game), game.game.game)
}

/// Points, with a sign for a half: `8½`.
fn halves(letters: Letters, half_points: u32) -> String {
    let half = match half_points % 2 {
        0 => "",
        _ => letters.choose("½", ".5"),
    };
    match half_points / 2 {
        0 if half == "½" => half.to_owned(),
        whole => format!("{whole}{half}"),
    }
}
