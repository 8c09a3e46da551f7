//! The cells of a crosstable.

use super::letters::Letters;
use super::report::CrosstableReport;
use crate::board::Color;
use crate::report::{Cell, Column, Span, Table, Target, elo};
use crate::study::tournament::{Crosstable, Match, Standing, System, TournamentGame};

/// The crosstable: players against players, or against rounds.
pub(super) fn standings(report: CrosstableReport<'_>) -> Table {
    let crosstable = report.crosstable;
    let grid = match crosstable.system {
        System::RoundRobin(_) => results_by_opponent(report),
        System::Match => results_in_one_cell(report),
        System::Swiss | System::Other | System::KnockOut | System::Teams => {
            results_by_round(report)
        }
    };
    let tie_breaks = tie_breaks(crosstable.system);
    let has_accuracies = crosstable
        .standings
        .iter()
        .any(|standing| standing.accuracy.games > 0);

    let mut columns = vec![
        Column::number("#"),
        Column::text("player"),
        Column::number("Elo"),
    ];
    columns.extend(grid.header);
    columns.extend(["points", "games"].map(Column::number));
    for tie_break in tie_breaks {
        columns.push(Column::number(tie_break.name()));
    }
    columns.push(Column::number("perf."));
    if has_accuracies {
        columns.extend(["accuracy", "loss"].map(Column::number));
    }

    let mut table = Table::new(columns);
    for (standing, results) in crosstable.standings.iter().zip(grid.rows) {
        let mut row = player_row(standing, results, tie_breaks, report.letters);
        if has_accuracies {
            row.extend(accuracy_cells(standing));
        }
        table.rows.push(row);
    }
    table
}

/// The row of a player without the accuracy; `results` are the cells of the grid.
fn player_row(
    standing: &Standing,
    results: Vec<Vec<Span>>,
    tie_breaks: &[TieBreak],
    letters: Letters,
) -> Vec<Cell> {
    let known_elo = match standing.elo {
        Some(elo) => elo.to_string(),
        None => "-".to_owned(),
    };
    let mut row: Vec<Cell> = vec![
        standing.rank.to_string().into(),
        player_link(&standing.name).into(),
        known_elo.into(),
    ];

    row.extend(results.into_iter().map(Cell::Spans));
    row.push(points_text(letters, standing.half_points).into());
    row.push(standing.all_games().to_string().into());
    for tie_break in tie_breaks {
        row.push(Cell::text(tie_break.text(standing)));
    }
    row.push(elo(standing.performance()).into());
    row
}

/// The accuracy of a player in per cent, and the mean centipawn loss.
fn accuracy_cells(standing: &Standing) -> [Cell; 2] {
    let percent = match standing.accuracy.percent() {
        Some(percent) => format!("{percent:.0} %"),
        None => "-".to_owned(),
    };
    let loss = elo(standing.accuracy.centipawn_loss());
    [percent.into(), loss.into()]
}

fn player_link(name: &str) -> Span {
    Span::Link(name.to_owned(), Target::Player(name.to_owned()))
}

/// The teams of a team event, each with its players in the order of boards.
pub(super) fn teams(crosstable: &Crosstable, letters: Letters) -> Table {
    let mut table = Table::new([
        Column::number("#"),
        Column::text("team"),
        Column::number("match points"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
        Column::number("board points"),
        Column::number("games"),
        Column::text("players"),
    ]);
    for team in &crosstable.teams {
        let mut players = Vec::new();
        for &(player, _) in &team.players {
            if !players.is_empty() {
                players.push(Span::text("; "));
            }
            players.push(player_link(&crosstable.standings[player].name));
        }

        let count = |number: u32| Cell::from(number.to_string());
        table.rows.push(vec![
            count(team.rank),
            team.name.as_str().into(),
            count(team.match_points()),
            count(team.won),
            count(team.drawn),
            count(team.lost),
            points_text(letters, team.half_points).into(),
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
    for tie in crosstable.matches.iter().rev() {
        let [winner, loser] = tie.players;
        let [first, second] = tie
            .half_points
            .map(|half_points| points_text(letters, half_points));
        let undecided = if tie.is_decided { "" } else { " ?" };
        let score = format!("{first}:{second}{undecided}");

        let games = crosstable.games_between(winner, loser);
        let results = games
            .map(|game| result_link(report, game, winner))
            .collect();
        table.rows.push(vec![
            stage_name(tie, last).into(),
            player_link(&crosstable.standings[winner].name).into(),
            player_link(&crosstable.standings[loser].name).into(),
            score.into(),
            Cell::Spans(results),
        ]);
    }
    table
}

/// The stage of the final; `None` if the final is missing, so that several matches have the last stage.
fn final_stage(crosstable: &Crosstable) -> Option<u32> {
    let mut stages: Vec<u32> = Vec::new();
    for tie in &crosstable.matches {
        // The match for the third place mostly has the stage of the final.
        if !tie.is_for_third_place {
            stages.push(tie.stage);
        }
    }

    let last = stages.iter().max().copied()?;
    let last_matches = stages.iter().filter(|&&stage| stage == last).count();
    if last_matches == 1 { Some(last) } else { None }
}

/// The name of a stage, counted back from the final; its number if there is no final.
fn stage_name(tie: &Match, last: Option<u32>) -> String {
    if tie.is_for_third_place {
        return "third place".to_owned();
    }
    let stages_left = last.and_then(|last| last.checked_sub(tie.stage));
    match stages_left {
        Some(0) => "final".to_owned(),
        Some(1) => "semi-final".to_owned(),
        Some(2) => "quarter-final".to_owned(),
        _ => tie.stage.to_string(),
    }
}

/// A tie-break. Each tie-break of a system has a column.
#[derive(Clone, Copy)]
enum TieBreak {
    SonnebornBerger,
    Buchholz,
    Wins,
}

/// The tie-breaks of a system, in the order in which they decide.
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

    /// The value of the tie-break for a player, as text.
    fn text(self, standing: &Standing) -> String {
        match self {
            TieBreak::SonnebornBerger => format!("{:.2}", standing.sonneborn_berger_points()),
            TieBreak::Buchholz => format!("{:.1}", standing.buchholz_points()),
            TieBreak::Wins => standing.won.to_string(),
        }
    }
}

/// Columns of results.
struct Results {
    header: Vec<Column>,
    rows: Vec<Vec<Vec<Span>>>,
}

/// Columns with the headings 1, 2, 3 and so on.
fn numbered_columns(columns: usize) -> Vec<Column> {
    (1..=columns)
        .map(|number| Column::text(number.to_string()))
        .collect()
}

/// The maximum number of a round, which bounds the number of columns. A game with a higher number is in the next free
/// column.
const MAX_ROUNDS: u16 = 99;

/// A column for each player.
fn results_by_opponent(report: CrosstableReport<'_>) -> Results {
    let crosstable = report.crosstable;
    let players = crosstable.standings.len();
    let mut rows: Vec<Vec<Vec<Span>>> = vec![vec![Vec::new(); players]; players];

    let own_cell = report.letters.choose("■", "x");
    for (player, row) in rows.iter_mut().enumerate() {
        row[player].push(Span::text(own_cell));
    }

    for game in &crosstable.games {
        let [white, black] = game.players;
        rows[white][black].push(result_link(report, game, white));
        rows[black][white].push(result_link(report, game, black));
    }
    Results {
        header: numbered_columns(players),
        rows,
    }
}

/// One column for all games of a match.
fn results_in_one_cell(report: CrosstableReport<'_>) -> Results {
    let crosstable = report.crosstable;
    let mut rows = Vec::new();
    for player in 0..crosstable.standings.len() {
        let games = crosstable.games.iter();
        let results = games
            .map(|game| result_link(report, game, player))
            .collect();
        rows.push(vec![results]);
    }
    Results {
        header: vec![Column::text("results")],
        rows,
    }
}

/// A column for each round, or for the games of each player one after the other; `12w1` is a win with White against
/// the player in line 12.
fn results_by_round(report: CrosstableReport<'_>) -> Results {
    let crosstable = report.crosstable;
    let has_rounds = crosstable.rounds.is_some();
    let mut rows: Vec<Vec<Vec<Span>>> = vec![Vec::new(); crosstable.standings.len()];
    for game in &crosstable.games {
        for player in game.players {
            let row = &mut rows[player];
            let column = match game.round.number() {
                Some(round) if has_rounds && round <= MAX_ROUNDS => {
                    usize::from(round).saturating_sub(1)
                }
                _ => row.len(),
            };
            if column >= row.len() {
                row.resize(column + 1, Vec::new());
            }

            // A player may have two games in a round.
            if !row[column].is_empty() {
                row[column].push(Span::text(" "));
            }
            row[column].extend(encounter_link(report, game, player));
        }
    }

    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in &mut rows {
        row.resize(columns, Vec::new());
    }
    Results {
        header: numbered_columns(columns),
        rows,
    }
}

/// The opponent's line, the colour and the result of a player in a game: `12w1`; `None` if the player is not in the
/// game.
fn encounter_link(
    report: CrosstableReport<'_>,
    game: &TournamentGame,
    player: usize,
) -> Option<Span> {
    let (opponent, side) = game.opponent_of(player)?;
    let line = opponent + 1;
    let color = if side.is_white() { 'w' } else { 'b' };
    let result = result_link(report, game, player);
    let text = format!("{line}{color}{}", result.as_text());
    Some(Span::game_of(
        text,
        report.database(game.game),
        game.game.game,
    ))
}

/// The result of a game for a player, which leads to the game.
fn result_link(report: CrosstableReport<'_>, game: &TournamentGame, player: usize) -> Span {
    let side = match game.opponent_of(player) {
        Some((_, side)) => side,
        None => Color::White,
    };
    let sign = match game.half_points(side) {
        Some(2) => "1",
        Some(1) => report.letters.choose("½", "="),
        Some(_) => "0",
        None => "*",
    };
    Span::game_of(sign, report.database(game.game), game.game.game)
}

/// Points, with a sign for a half: `8½`.
fn points_text(letters: Letters, half_points: u32) -> String {
    let whole = half_points / 2;
    let half = if half_points.is_multiple_of(2) {
        ""
    } else {
        letters.choose("½", ".5")
    };
    // Half a point is `½` in Unicode, but `0.5` in ASCII.
    if whole == 0 && half == "½" {
        return half.to_owned();
    }
    format!("{whole}{half}")
}
