//! The document of a preparation.

use super::line::{after, date, in_words, mover, numbered, per_cent, trend, with_move};
use super::{PreparationReport, games, named, taken_for, tree};
use crate::board::Position;
use crate::query::player::PlayerScore;
use crate::report::{Board, Cell, Column, Document, Span, Table, counted, elo, grouped};
use crate::study::preparation::{HabitualMove, LineEnd, OpeningHabit, RepertoireMeeting};

/// The most boards of a section.
const MOST_BOARDS: usize = 4;

impl PreparationReport<'_> {
    /// The document.
    pub fn document(&self) -> Document {
        let of = self.preparation;
        let mut document = Document::new(format!(
            "With {} against {}",
            named(of.color),
            self.opponent()
        ));
        self.summary(&mut document);
        if of.score.all_games() == 0 {
            return document;
        }
        self.changes_section(&mut document);
        self.weak_section(&mut document);
        self.avoided_section(&mut document);
        if let Some(meeting) = &of.meeting {
            self.meeting_section(meeting, &mut document);
        }
        self.games_section(&mut document);
        self.openings_section(&mut document);
        self.lines_section(&mut document);
        self.habits_section(&mut document);
        document
    }

    fn summary(&self, document: &mut Document) {
        let of = self.preparation;
        let score = &of.score.score;
        let mut text = format!(
            "{} with {}",
            counted(of.score.all_games(), "game", "games"),
            named(!of.color)
        );
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
        let of = self.preparation;
        if of.names.len() > 1 {
            let spellings = counted(of.names.len() as u64, "spelling", "spellings");
            let names = names_with_games(&of.names);
            document.note(format!("{spellings} counted as one player: {names}"));
        }
        if !of.by_initials.is_empty() {
            let names = names_with_games(&of.by_initials);
            document.note(format!(
                "Counted though a given name is missing or short, with all games in the database: {names}"
            ));
        }
        if !of.others.is_empty() {
            let players = counted(of.others.len() as u64, "other player", "other players");
            let names = names_with_games(&of.others);
            document.note(format!("Not counted, {players}: {names}"));
        }
        if of.score.all_games() > 0 {
            let scores = format!("All scores are those of {}", self.opponent());
            let recent = of
                .recent_since
                .map(|date| format!("; recent games are those since {date}"));
            document.note(scores + &recent.unwrap_or_default());
        }
        for (games, one, many) in [
            (
                of.undated,
                "game has no date, and counts as earlier than all others",
                "games have no date, and count as earlier than all others",
            ),
            (
                of.omitted.older,
                "earlier game is left out",
                "earlier games are left out",
            ),
            (
                of.omitted.duplicates,
                "game is marked as a duplicate, and left out",
                "games are marked as duplicates, and left out",
            ),
            (
                of.omitted.other_starts,
                "game of a variant, from another position or without moves is left out",
                "games of variants, from other positions or without moves are left out",
            ),
            (
                of.omitted.against_self,
                "game that names one player for both sides is left out",
                "games that name one player for both sides are left out",
            ),
        ] {
            if games > 0 {
                document.note(counted(games, one, many));
            }
        }
    }

    fn changes_section(&self, document: &mut Document) {
        let of = self.preparation;
        let (changes, Some(since)) = (&of.habits.changes, of.recent_since) else {
            return;
        };
        if changes.is_empty() {
            return;
        }
        document.heading("What has changed");
        document.list(changes.iter().map(|change| {
            let played = |choice: &HabitualMove| {
                let games = counted(choice.games, "game", "games");
                format!(
                    "{} ({games} of {})",
                    one_move(&change.line, &choice.san),
                    grouped(choice.of)
                )
            };
            let text = format!(
                "{}: {} before {since}, {} since then",
                after(&change.line),
                played(&change.before),
                played(&change.since)
            );
            vec![Span::text(text)]
        }));
    }

    fn weak_section(&self, document: &mut Document) {
        let weak = &self.preparation.weak_lines;
        if weak.is_empty() {
            return;
        }
        document.heading("Lines with the worst scores");
        document.note(
            "Lines of at least 5 finished games, by the upper bound of the score (Wilson interval, 95 % confidence)",
        );
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
            let score = &line.score.score;
            let mut moves = vec![Span::position(numbered(&line.line), line.position.fen())];
            if let Some(opening) = self.opening(&line.line) {
                moves.push(Span::text(format!(" ({opening})")));
            }
            if let Some(known) = &line.evaluation {
                moves.push(Span::text(format!(", evaluation {}", known.score.signed())));
            }
            table.rows.push(vec![
                grouped(line.score.all_games()).into(),
                per_cent(score.per_cent()).into(),
                per_cent(line.score.interval().map(|(_, high)| high)).into(),
                Cell::score([score.won, score.drawn, score.lost]),
                grouped(line.score.recent).into(),
                date(score.last).into(),
                trend(&line.score).into(),
                Cell::Spans(moves),
            ]);
        }
        document.table(table);
        let boards = weak.iter().take(MOST_BOARDS);
        let boards = boards.map(|line| {
            let caption = format!("{}: {}", numbered(&line.line), in_words(&line.score));
            self.board(&line.position, caption)
        });
        document.boards(boards.collect());
    }

    fn avoided_section(&self, document: &mut Document) {
        let avoided = &self.preparation.avoided;
        if avoided.is_empty() {
            return;
        }
        document.heading("Usual moves not played");
        document.note("Moves with at least 20 % among others and less than 5 % here");
        let mut table = Table::new([
            Column::number("games"),
            Column::number("of"),
            Column::number("others"),
            Column::text("move"),
        ]);
        for one in avoided {
            table.rows.push(vec![
                grouped(one.games).into(),
                grouped(one.of).into(),
                crate::report::per_cent(one.others, one.others_of).into(),
                Cell::from(Span::position(
                    with_move(&one.line, &one.san),
                    one.position.fen(),
                )),
            ]);
        }
        document.table(table);
    }

    fn meeting_section(&self, meeting: &RepertoireMeeting, document: &mut Document) {
        document.heading("My repertoire");
        if meeting.seems_of_other_side {
            document.note(taken_for(self.preparation.color));
        }
        let positions = counted(meeting.positions, "position", "positions");
        let beyond = match meeting.beyond {
            0 => String::new(),
            games => format!("; {} follow it beyond 60 half-moves", grouped(games)),
        };
        document.paragraph([format!(
            "{} of {positions} met in {}. {} by a move of {}, {} by another move with {}; {} to the end of a line{beyond}.",
            grouped(meeting.met),
            counted(meeting.games, "game", "games"),
            counted(meeting.left_by_opponent, "game leaves it", "games leave it"),
            self.opponent(),
            grouped(meeting.left_by_others),
            named(self.preparation.color),
            counted(meeting.ended, "game goes", "games go"),
        )
        .into()]);
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
            let score = &gap.score.score;
            table.rows.push(vec![
                grouped(gap.score.all_games()).into(),
                per_cent(score.per_cent()).into(),
                grouped(gap.score.recent).into(),
                date(score.last).into(),
                tree::others(&gap.others).into(),
                Cell::from(Span::position(
                    with_move(&gap.line, &gap.san),
                    gap.after.fen(),
                )),
            ]);
        }
        document.table(table);
        let boards = meeting.gaps.iter().take(MOST_BOARDS).map(|gap| {
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
            let line = Span::position(numbered(&end.line), end.position.fen());
            vec![line, Span::text(format!(": {}", in_words(&end.score)))]
        }));
    }

    fn unmet(&self, meeting: &RepertoireMeeting, document: &mut Document) {
        if meeting.unmet.is_empty() {
            return;
        }
        document.subheading("Lines that no game has");
        document.list(meeting.unmet.iter().map(|unmet| {
            let line = Span::position(with_move(&unmet.line, &unmet.san), unmet.position.fen());
            let who = match unmet.is_opponents {
                true => format!("not played in {}", counted(unmet.games, "game", "games")),
                false => format!("not met in {}", counted(unmet.games, "game", "games")),
            };
            let positions = counted(unmet.positions, "position", "positions");
            vec![line, Span::text(format!(": {who}, {positions}"))]
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
            "Points: 4 for a recent game; 3 for a loss, 1 for a draw; 1 for every 4 half-moves of {lines}, up to 4; 1 for every 50 Elo above the mean opposition, up to 3"
        ));
        document.table(games::table(self));
    }

    fn openings_section(&self, document: &mut Document) {
        let of = self.preparation;
        for (color, habits) in [
            (!of.color, &of.habits.openings),
            (of.color, &of.habits.other_openings),
        ] {
            if !habits.is_empty() {
                document.heading(format!("Openings with {}", named(color)));
                document.note("Share and trend: the earlier and the later half of the games");
                document.table(openings(habits));
            }
        }
    }

    fn lines_section(&self, document: &mut Document) {
        let of = self.preparation;
        if of.lines.is_empty() {
            return;
        }
        document.heading("Lines");
        let games = counted(of.min_games, "game", "games");
        let cut = if of.meeting.is_some() {
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
        document.table(tree::table(&of.lines));
    }

    fn habits_section(&self, document: &mut Document) {
        let habits = &self.preparation.habits;
        let lengths = &habits.lengths;
        document.heading("Lengths and results");
        let moves = |(games, plies): (u64, u64)| match games {
            0 => "-".to_owned(),
            _ => format!("{:.0}", (plies as f64 / games as f64 / 2.0).round()),
        };
        let drawn = self.preparation.score.score.drawn;
        let finished = self.preparation.score.score.finished();
        document.paragraph([format!(
            "Mean length {} moves: won {}, drawn {}, lost {}. {} of finished games drawn, {} in at most 25 moves.",
            moves(lengths.all),
            moves(lengths.won),
            moves(lengths.drawn),
            moves(lengths.lost),
            crate::report::per_cent(drawn, finished),
            grouped(lengths.short_draws),
        )
        .into()]);
        let speeds = habits
            .speeds
            .iter()
            .map(|(speed, score)| (speed.as_str().to_owned(), score));
        document.table(results("speed", speeds));
        let bands = habits.opposition.iter();
        let bands = bands.map(|(from, score)| (format!("{from} to {}", from + 199), score));
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

/// A move with its number: `1... c5`.
fn one_move(line: &[String], san: &str) -> String {
    let dots = if mover(line).is_white() { "." } else { "..." };
    format!("{}{dots} {san}", line.len() / 2 + 1)
}

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
        let share = |at: usize| crate::report::per_cent(habit.halves[at], habit.of[at]);
        table.rows.push(vec![
            habit.name.clone().into(),
            grouped(habit.score.all_games()).into(),
            per_cent(score.per_cent()).into(),
            Cell::score([score.won, score.drawn, score.lost]),
            grouped(habit.score.recent).into(),
            date(score.last).into(),
            format!("{} → {}", share(0), share(1)).into(),
            trend(&habit.score).into(),
        ]);
    }
    table
}

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

/// The most names in a note.
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
