//! The cells of a crosstable, the same on a page of text and of HTML.

use crate::cli::terminal::sign;
use stamma::board::Color;
use stamma::query::{Crosstable, Standing, System, TournamentGame};

/// Rows of cells below a header. Columns of numbers are aligned to the right.
pub(super) struct Grid {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) right_aligned: Vec<usize>,
}

/// The crosstable as cells: players against players, or against rounds.
pub(super) fn grid(crosstable: &Crosstable) -> Grid {
    let opponents = match crosstable.system {
        System::RoundRobin(_) => by_opponent(crosstable),
        System::Match => in_one_cell(crosstable),
        System::Swiss | System::Other | System::KnockOut => by_round(crosstable),
    };
    let tie_breaks = tie_breaks(crosstable.system);
    let mut header = vec!["#".to_owned(), "player".to_owned(), "Elo".to_owned()];
    header.extend(opponents.header);
    header.extend(["points", "games"].map(str::to_owned));
    header.extend(tie_breaks.iter().map(|tie_break| tie_break.name().to_owned()));
    header.push("perf.".to_owned());
    let first_number = header.len() - 3 - tie_breaks.len();
    let right_aligned = [0, 2].into_iter().chain(first_number..header.len()).collect();
    let mut rows = vec![header];
    for (standing, results) in crosstable.standings.iter().zip(opponents.rows) {
        let mut row = vec![
            standing.rank.to_string(),
            standing.name.clone(),
            standing.elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string()),
        ];
        row.extend(results);
        row.extend([halves(standing.half_points), standing.games().to_string()]);
        row.extend(tie_breaks.iter().map(|tie_break| tie_break.of(standing)));
        row.push(
            standing.performance().map_or_else(
                || "-".to_owned(),
                |performance| format!("{:.0}", performance.round()),
            ),
        );
        rows.push(row);
    }
    Grid { rows, right_aligned }
}

/// The matches of a knock-out, the last stage first.
pub(super) fn matches(crosstable: &Crosstable) -> Grid {
    let header = ["stage", "winner", "loser", "score", "games"].map(str::to_owned).to_vec();
    let last = crosstable.matches.iter().map(|one| one.stage).max().unwrap_or(0);
    let matches = crosstable.matches.iter().rev().map(|one| {
        let [winner, loser] = one.players.map(|player| crosstable.standings[player].name.clone());
        let games = crosstable.games_between(one.players[0], one.players[1]);
        let games: String = games.map(|game| result(game, one.players[0])).collect();
        let [first, second] = one.half_points.map(halves);
        let undecided = if one.is_decided { "" } else { " ?" };
        vec![stage(one.stage, last), winner, loser, format!("{first}:{second}{undecided}"), games]
    });
    Grid { rows: std::iter::once(header).chain(matches).collect(), right_aligned: Vec::new() }
}

fn stage(stage: u32, last: u32) -> String {
    match last - stage {
        0 => "final".to_owned(),
        1 => "semi-final".to_owned(),
        2 => "quarter-final".to_owned(),
        _ => stage.to_string(),
    }
}

/// A tie-break, which is printed as a column.
#[derive(Clone, Copy)]
enum TieBreak {
    SonnebornBerger,
    Buchholz,
    Wins,
}

fn tie_breaks(system: System) -> &'static [TieBreak] {
    match system {
        System::RoundRobin(_) => &[TieBreak::SonnebornBerger, TieBreak::Wins],
        System::Match | System::KnockOut => &[TieBreak::Wins],
        System::Swiss | System::Other => {
            &[TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins]
        }
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

/// Columns of results, with their header.
struct Results {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn by_opponent(crosstable: &Crosstable) -> Results {
    let players = crosstable.standings.len();
    let mut rows = vec![vec![String::new(); players]; players];
    for (player, row) in rows.iter_mut().enumerate() {
        row[player].push(sign('■', 'x'));
    }
    for game in &crosstable.games {
        let [white, black] = game.players;
        rows[white][black].push(result(game, white));
        rows[black][white].push(result(game, black));
    }
    Results { header: (1..=players).map(|place| place.to_string()).collect(), rows }
}

fn in_one_cell(crosstable: &Crosstable) -> Results {
    let results = |player| crosstable.games.iter().map(|game| result(game, player)).collect();
    let players = 0..crosstable.standings.len();
    Results {
        header: vec!["results".to_owned()],
        rows: players.map(|player| vec![results(player)]).collect(),
    }
}

/// A column for each round, or for the games of each player one after the other; `12w1` is a win with White against
/// the player in line 12.
fn by_round(crosstable: &Crosstable) -> Results {
    let mut rows: Vec<Vec<String>> = vec![Vec::new(); crosstable.standings.len()];
    for game in &crosstable.games {
        for player in game.players {
            let row = &mut rows[player];
            let round = game.round.number().filter(|_| crosstable.rounds.is_some());
            let column = round.map_or(row.len(), |round| usize::from(round).saturating_sub(1));
            row.resize(row.len().max(column + 1), String::new());
            let more = if row[column].is_empty() { "" } else { " " };
            row[column] += more;
            row[column] += &encounter(game, player);
        }
    }
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    rows.iter_mut().for_each(|row| row.resize(most, String::new()));
    Results { header: (1..=most).map(|round| round.to_string()).collect(), rows }
}

fn encounter(game: &TournamentGame, player: usize) -> String {
    let Some((opponent, side)) = game.opponent_of(player) else { return String::new() };
    let side = if side.is_white() { 'w' } else { 'b' };
    format!("{}{side}{}", opponent + 1, result(game, player))
}

/// The result of a game for a player.
pub(super) fn result(game: &TournamentGame, player: usize) -> char {
    let side = game.opponent_of(player).map_or(Color::White, |(_, side)| side);
    match game.half_points(side) {
        Some(2) => '1',
        Some(1) => sign('½', '='),
        Some(_) => '0',
        None => '*',
    }
}

/// Points, with a sign for a half: `8½`.
pub(super) fn halves(half_points: u32) -> String {
    let half = match half_points % 2 {
        0 => "",
        _ => sign("½", ".5"),
    };
    match half_points / 2 {
        0 if half == "½" => half.to_owned(),
        whole => format!("{whole}{half}"),
    }
}
