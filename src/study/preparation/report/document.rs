//! The document of a preparation.

use super::line::{after, date, in_words, per_cent, trend, with_move};
use super::{PreparationReport, games, other_side_warning, tree};
use crate::board::Position;
use crate::game::Ply;
use crate::query::player::PlayerScore;
use crate::report::{
    Board, Cell, Column, Document, Span, Table, counted, elo, grouped, numbered_line, numbered_move,
};
use crate::study::preparation::advice::{AVOIDED_PER_CENT, COMMON_PER_CENT, MIN_WEAK_GAMES};
use crate::study::preparation::games_to_study::{
    DRAWN_POINTS, ELO_OF_POINT, LOST_POINTS, MAX_ELO_POINTS, MAX_LINE_POINTS, PLIES_OF_POINT,
    RECENT_POINTS,
};
use crate::study::preparation::habits::{BAND_ELO, MAX_SHORT_DRAW_PLIES};
use crate::study::preparation::tree::MAX_PLIES;
use crate::study::preparation::{HabitualMove, LineEnd, OpeningHabit, RepertoireMeeting, WeakLine};

/// The maximum number of boards of a section.
const MAX_BOARDS: usize = 4;

impl PreparationReport<'_> {
    /// The document.
    pub fn document(&self) -> Document {
        let preparation = self.preparation;
        let color = preparation.color.name();
        let opponent = self.opponent();
        let mut document = Document::new(format!("With {color} against {opponent}"));
        self.summary(&mut document);
        if preparation.score.all_games() == 0 {
            return document;
        }

        self.changes_section(&mut document);
        self.weak_section(&mut document);
        self.avoided_section(&mut document);
        if let Some(meeting) = &preparation.meeting {
            self.meeting_section(meeting, &mut document);
        }
        self.games_section(&mut document);
        self.openings_section(&mut document);
        self.lines_section(&mut document);
        self.habits_section(&mut document);
        document
    }

    fn summary(&self, document: &mut Document) {
        let preparation = self.preparation;
        let score = &preparation.score.score;
        let games = counted(preparation.score.all_games(), "game", "games");
        let color = (!preparation.color).name();
        let mut text = format!("{games} with {color}");

        match (score.first, score.last) {
            (Some(first), Some(last)) if first != last => {
                text.push_str(&format!(", {first} to {last}"));
            }
            (Some(date), _) => text.push_str(&format!(", {date}")),
            _ => {}
        }

        if let Some(points) = score.per_cent() {
            text.push_str(&format!(
                ". Score {points:.1} %: {} won, {} drawn, {} lost",
                grouped(score.won),
                grouped(score.drawn),
                grouped(score.lost)
            ));
        }

        if let (Some(mean), Some(performance)) = (score.opponent_elo.mean(), score.performance()) {
            text.push_str(&format!(
                ". Opposition {}, performance {}",
                elo(Some(mean)),
                elo(Some(performance))
            ));
        }

        text.push('.');
        document.paragraph([text.into()]);
        self.notes(document);
    }

    fn notes(&self, document: &mut Document) {
        let preparation = self.preparation;
        if preparation.names.len() > 1 {
            let spellings = counted(preparation.names.len() as u64, "spelling", "spellings");
            let names = names_with_games(&preparation.names);
            document.note(format!("{spellings} counted as one player: {names}"));
        }

        if !preparation.by_initials.is_empty() {
            let names = names_with_games(&preparation.by_initials);
            document.note(format!(
                "Counted though a given name is missing or short, with all games in the database: {names}"
            ));
        }

        if !preparation.others.is_empty() {
            let players = counted(
                preparation.others.len() as u64,
                "other player",
                "other players",
            );
            let names = names_with_games(&preparation.others);
            document.note(format!("Not counted, {players}: {names}"));
        }

        if preparation.score.all_games() > 0 {
            let mut note = format!(
                "All scores are from the point of view of {}",
                self.opponent()
            );
            if let Some(date) = preparation.recent_since {
                note.push_str(&format!("; recent games are those since {date}"));
            }
            document.note(note);
        }

        self.omissions(document);
    }

    /// Notes on the games that are left out, or count in an unusual way.
    fn omissions(&self, document: &mut Document) {
        let preparation = self.preparation;
        let omissions = [
            (
                preparation.undated,
                "game has no date, and counts as earlier than all others",
                "games have no date, and count as earlier than all others",
            ),
            (
                preparation.omitted.older,
                "earlier game is left out",
                "earlier games are left out",
            ),
            (
                preparation.omitted.duplicates,
                "game is marked as a duplicate, and left out",
                "games are marked as duplicates, and left out",
            ),
            (
                preparation.omitted.other_starts,
                "game of a variant, from another position or without moves is left out",
                "games of variants, from other positions or without moves are left out",
            ),
            (
                preparation.omitted.against_self,
                "game that names one player for both sides is left out",
                "games that name one player for both sides are left out",
            ),
        ];
        for (games, one, many) in omissions {
            if games > 0 {
                document.note(counted(games, one, many));
            }
        }
    }

    fn changes_section(&self, document: &mut Document) {
        let preparation = self.preparation;
        let changes = &preparation.habits.changes;
        let Some(since) = preparation.recent_since else {
            return;
        };
        if changes.is_empty() {
            return;
        }

        document.heading("What has changed");
        document.list(changes.iter().map(|change| {
            let line = &change.line;
            let place = after(line);
            let before = habitual_move(line, &change.before);
            let now = habitual_move(line, &change.since);
            let text = format!("{place}: {before} before {since}, {now} since then");
            vec![Span::text(text)]
        }));
    }

    fn weak_section(&self, document: &mut Document) {
        let weak = &self.preparation.weak_lines;
        if weak.is_empty() {
            return;
        }

        document.heading("Lines with the worst scores");
        document.note(format!(
            "Lines of at least {MIN_WEAK_GAMES} finished games, by the upper bound of the score \
             (Wilson interval, 95 % confidence)"
        ));
        let mut table = Table::new([
            Column::number("games"),
            Column::number("score"),
            Column::number("at most"),
            Column::text("results").extra(),
            Column::number("recent").extra(),
            Column::text("last").extra(),
            Column::text("trend").extra(),
            Column::text("line"),
        ]);
        for line in weak {
            table.rows.push(self.weak_row(line));
        }
        document.table(table);

        let boards = weak.iter().take(MAX_BOARDS).map(|line| {
            let caption = format!("{}: {}", numbered_line(&line.line), in_words(&line.score));
            self.board(&line.position, caption)
        });
        document.boards(boards.collect());
    }

    fn weak_row(&self, line: &WeakLine) -> Vec<Cell> {
        let text = numbered_line(&line.line);
        let mut moves = vec![Span::position(text, line.position.fen())];
        if let Some(opening) = self.opening(&line.line) {
            moves.push(Span::text(format!(" ({opening})")));
        }
        if let Some(known) = &line.evaluation {
            let evaluation = known.score.signed();
            moves.push(Span::text(format!(", evaluation {evaluation}")));
        }

        let score = &line.score.score;
        let upper_bound = line.score.interval().map(|(_, upper)| upper);
        vec![
            grouped(line.score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            per_cent(upper_bound).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            grouped(line.score.recent).into(),
            date(score.last).into(),
            trend(&line.score).into(),
            Cell::Spans(moves),
        ]
    }

    fn avoided_section(&self, document: &mut Document) {
        let avoided = &self.preparation.avoided;
        if avoided.is_empty() {
            return;
        }

        document.heading("Usual moves not played");
        document.note(format!(
            "Moves with at least {COMMON_PER_CENT} % among others and less than {AVOIDED_PER_CENT} % here"
        ));
        let mut table = Table::new([
            Column::number("games"),
            Column::number("of"),
            Column::number("others"),
            Column::text("move"),
        ]);
        for avoided_move in avoided {
            let line = with_move(&avoided_move.line, &avoided_move.san);
            table.rows.push(vec![
                grouped(avoided_move.games).into(),
                grouped(avoided_move.all_games).into(),
                crate::report::per_cent(avoided_move.others, avoided_move.all_others).into(),
                Cell::from(Span::position(line, avoided_move.position.fen())),
            ]);
        }
        document.table(table);
    }

    fn meeting_section(&self, meeting: &RepertoireMeeting, document: &mut Document) {
        document.heading("My repertoire");
        if meeting.seems_of_other_side {
            document.note(other_side_warning(self.preparation.color));
        }

        let met = grouped(meeting.met);
        let positions = counted(meeting.positions, "position", "positions");
        let games = counted(meeting.games, "game", "games");
        let opponent = self.opponent();
        let left = counted(meeting.left_by_opponent, "game leaves it", "games leave it");
        let color = self.preparation.color.name();
        let left_by_others = grouped(meeting.left_by_others);
        let ended = counted(meeting.ended, "game goes", "games go");
        let beyond = match meeting.beyond {
            0 => String::new(),
            games => {
                let following = grouped(games);
                format!("; {following} follow it beyond {MAX_PLIES} half-moves")
            }
        };
        let text = format!(
            "{met} of {positions} met in {games}. {left} by a move of {opponent}, \
            {left_by_others} by another move with {color}; {ended} to the end of a line{beyond}."
        );
        document.paragraph([text.into()]);

        self.gaps(meeting, document);
        self.ends(&meeting.ends, document);
        self.unmet(meeting, document);
    }

    fn gaps(&self, meeting: &RepertoireMeeting, document: &mut Document) {
        if meeting.gaps.is_empty() {
            return;
        }

        document.subheading("Moves that it does not answer");
        let mut table = Table::new([
            Column::number("games"),
            Column::number("score"),
            Column::number("recent"),
            Column::text("last").extra(),
            Column::text("others").extra(),
            Column::text("move"),
        ]);
        for gap in &meeting.gaps {
            let line = with_move(&gap.line, &gap.san);
            let score = &gap.score.score;
            table.rows.push(vec![
                grouped(gap.score.all_games()).into(),
                per_cent(score.per_cent()).into(),
                grouped(gap.score.recent).into(),
                date(score.last).into(),
                tree::others(&gap.others).into(),
                Cell::from(Span::position(line, gap.after.fen())),
            ]);
        }
        document.table(table);

        let boards = meeting.gaps.iter().take(MAX_BOARDS).map(|gap| {
            let line = with_move(&gap.line, &gap.san);
            self.board(&gap.after, format!("{line}: {}", in_words(&gap.score)))
        });
        document.boards(boards.collect());
    }

    fn ends(&self, ends: &[LineEnd], document: &mut Document) {
        if ends.is_empty() {
            return;
        }

        document.subheading("Ends of lines that games reach");
        document.list(ends.iter().map(|end| {
            let line = Span::position(numbered_line(&end.line), end.position.fen());
            vec![line, Span::text(format!(": {}", in_words(&end.score)))]
        }));
    }

    fn unmet(&self, meeting: &RepertoireMeeting, document: &mut Document) {
        if meeting.unmet.is_empty() {
            return;
        }

        document.subheading("Lines that no game has");
        document.list(meeting.unmet.iter().map(|unmet| {
            let moves = with_move(&unmet.line, &unmet.san);
            let games = counted(unmet.games, "game", "games");
            let positions = counted(unmet.positions, "position", "positions");
            let verb = if unmet.is_opponents { "played" } else { "met" };
            let text = format!(": not {verb} in {games}, {positions}");
            vec![
                Span::position(moves, unmet.position.fen()),
                Span::text(text),
            ]
        }));
    }

    fn games_section(&self, document: &mut Document) {
        if self.preparation.games.is_empty() {
            return;
        }

        document.heading("Games to look at first");
        let lines = if self.preparation.meeting.is_some() {
            "the repertoire"
        } else {
            "usual lines"
        };
        document.note(format!(
            "Points: {RECENT_POINTS} for a recent game; {LOST_POINTS} for a loss, {DRAWN_POINTS} for a draw; \
             1 for every {PLIES_OF_POINT} half-moves of {lines}, up to {MAX_LINE_POINTS}; \
             1 for every {ELO_OF_POINT} Elo above the mean opposition, up to {MAX_ELO_POINTS}"
        ));
        document.table(games::table(self));
    }

    fn openings_section(&self, document: &mut Document) {
        let preparation = self.preparation;
        for (color, habits) in [
            (!preparation.color, &preparation.habits.openings),
            (preparation.color, &preparation.habits.other_openings),
        ] {
            if !habits.is_empty() {
                document.heading(format!("Openings with {}", color.name()));
                document.note("Share and trend: the earlier and the later half of the games");
                document.table(openings(habits));
            }
        }
    }

    fn lines_section(&self, document: &mut Document) {
        let preparation = self.preparation;
        if preparation.lines.is_empty() {
            return;
        }

        document.heading("Lines");
        let games = counted(preparation.min_games, "game", "games");
        let cut = if preparation.meeting.is_some() {
            ", against the moves of the repertoire"
        } else {
            ""
        };

        let databases = if self.names.is_some() {
            "all databases"
        } else {
            "the database"
        };
        document.note(format!(
            "Moves of at least {games}{cut}; others: the share of the move among all other games of {databases}"
        ));
        document.table(tree::table(&preparation.lines));
    }

    fn habits_section(&self, document: &mut Document) {
        let habits = &self.preparation.habits;
        let lengths = &habits.lengths;
        let score = &self.preparation.score.score;

        document.heading("Lengths and results");
        let short_moves = MAX_SHORT_DRAW_PLIES / 2;
        let text = format!(
            "Mean length {} moves: won {}, drawn {}, lost {}. {} of finished games drawn, \
             {} in at most {short_moves} moves.",
            mean_moves(lengths.all),
            mean_moves(lengths.won),
            mean_moves(lengths.drawn),
            mean_moves(lengths.lost),
            crate::report::per_cent(score.drawn, score.finished()),
            grouped(lengths.short_draws),
        );
        document.paragraph([text.into()]);

        let speeds = habits
            .speeds
            .iter()
            .map(|(speed, score)| (speed.as_str().to_owned(), score));
        document.table(results("speed", speeds));

        let bands = habits.opposition.iter().map(|(from, score)| {
            let last = from + BAND_ELO - 1;
            (format!("{from} to {last}"), score)
        });
        document.table(results("opposition", bands));
    }

    /// A board of a position, seen from the side that is prepared.
    fn board(&self, position: &Position, caption: String) -> Board {
        Board {
            setup: position.setup(),
            is_flipped: !self.preparation.color.is_white(),
            moved: None,
            caption: vec![Span::position(caption, position.fen())],
        }
    }
}

/// A habitual move after a line, with its games: `1... c5 (12 games of 20)`.
fn habitual_move(line: &[String], habitual: &HabitualMove) -> String {
    let ply = Ply::new(line.len() as u32 + 1);
    let played = numbered_move(ply, &habitual.san);
    let games = counted(habitual.games, "game", "games");
    let all_games = grouped(habitual.all_games);
    format!("{played} ({games} of {all_games})")
}

/// The mean length in moves, of a number of games and the sum of their half-moves.
fn mean_moves((games, plies): (u64, u64)) -> String {
    if games == 0 {
        return "-".to_owned();
    }
    let mean_plies = plies as f64 / games as f64;
    let mean_moves = mean_plies / 2.0;
    format!("{:.0}", mean_moves.round())
}

/// The openings with their scores, and their shares in the earlier and the later half of the games.
fn openings(habits: &[OpeningHabit]) -> Table {
    let mut table = Table::new([
        Column::text("opening"),
        Column::number("games"),
        Column::number("score"),
        Column::text("results").extra(),
        Column::number("recent"),
        Column::text("last").extra(),
        Column::text("share"),
        Column::text("trend").extra(),
    ]);

    for habit in habits {
        let score = &habit.score.score;
        let [earlier_games, later_games] = habit.halves;
        let [all_earlier, all_later] = habit.all_halves;
        let earlier = crate::report::per_cent(earlier_games, all_earlier);
        let later = crate::report::per_cent(later_games, all_later);
        table.rows.push(vec![
            habit.name.clone().into(),
            grouped(habit.score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            grouped(habit.score.recent).into(),
            date(score.last).into(),
            format!("{earlier} → {later}").into(),
            trend(&habit.score).into(),
        ]);
    }
    table
}

/// The results in groups of games, one group a row.
fn results<'s>(name: &str, rows: impl Iterator<Item = (String, &'s PlayerScore)>) -> Table {
    let mut table = Table::new([
        Column::text(name),
        Column::number("games"),
        Column::number("score"),
        Column::text("results").extra(),
        Column::number("perf."),
    ]);
    for (name, score) in rows {
        table.rows.push(vec![
            name.into(),
            grouped(score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            elo(score.performance()).into(),
        ]);
    }
    table
}

/// The maximum number of names in a note.
const MAX_LISTED: usize = 5;

/// The first of some names with their games, and the number of the others.
fn names_with_games(names: &[(String, u64)]) -> String {
    let first = names.iter().take(MAX_LISTED);
    let mut listed: Vec<String> = first
        .map(|(name, games)| format!("{name} ({})", grouped(*games)))
        .collect();

    let more = names.len() - listed.len();
    if more > 0 {
        listed.push(format!("{} more", grouped(more as u64)));
    }

    listed.join("; ")
}
