//! The lines of a game: its mainline, and each variation as the moves before it and then its own.

use std::borrow::Cow;

use super::draft::Line;

/// A line that is being put together.
struct Open<'g> {
    moves: Vec<Cow<'g, str>>,
    /// How many of them stand before the line's own.
    before: usize,
    annotated: Vec<(u32, Cow<'g, str>)>,
}

impl<'g> Open<'g> {
    /// An alternative to the last move of this line; to what this line is one to, when it has none yet.
    fn variation(&self) -> Open<'g> {
        let has_own = self.moves.len() > self.before;
        let before = self.moves.len() - usize::from(has_own);
        Open { moves: self.moves[..before].to_vec(), before, annotated: Vec::new() }
    }

    fn has_content(&self) -> bool {
        self.moves.len() > self.before || !self.annotated.is_empty()
    }

    fn finish(self) -> Line<'g> {
        let moves = Cow::Owned(self.moves.join(" "));
        let mut line = Line { moves, annotations: Vec::new(), verbatim: None };
        for (ply, text) in self.annotated {
            line.annotate(ply, text);
        }
        line
    }
}

/// Takes the variations out of a mainline. A comment or NAG stays with the line in which it stands, so that
/// each stands in one of them; the moves before a variation have none.
pub(super) fn split<'g>(moves: &'g str, line: Line<'g>) -> Vec<Line<'g>> {
    let mut lines = vec![Open { moves: Vec::new(), before: 0, annotated: Vec::new() }];
    let mut annotations = line.annotations.into_iter().peekable();
    let mut moves = moves.split_ascii_whitespace();
    for ply in 0.. {
        while let Some(at) = annotations.next_if(|at| at.ply == ply) {
            add_texts(&mut lines, at.texts);
        }
        let Some(san) = moves.next() else { break };
        lines[0].moves.push(Cow::Borrowed(san));
    }
    annotations.for_each(|at| add_texts(&mut lines, at.texts));
    let mut lines = lines.into_iter();
    let mainline = lines.next().map(Open::finish);
    let mainline = mainline.map(|mainline| Line { verbatim: line.verbatim, ..mainline });
    mainline.into_iter().chain(lines.filter(Open::has_content).map(Open::finish)).collect()
}

/// Adds the texts at one number of half-moves of the mainline to the lines in which they stand.
fn add_texts<'g>(lines: &mut Vec<Open<'g>>, texts: Vec<Cow<'g, str>>) {
    let mut around = Vec::new();
    let mut here = 0;
    for text in texts {
        match text.as_bytes().first() {
            Some(b'(') => {
                around.push(here);
                let variation = lines[here].variation();
                here = lines.len();
                lines.push(variation);
            }
            Some(b')') => here = around.pop().unwrap_or(0),
            Some(b'{' | b'$' | b'%') => {
                let ply = lines[here].moves.len() as u32;
                lines[here].annotated.push((ply, text));
            }
            _ => lines[here].moves.push(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Annotations;

    /// Each line as its moves and, by half-moves, its annotations.
    fn lines(moves: &str, json: &str) -> Vec<String> {
        let annotations = Annotations::read(Some(json)).expect("annotations").0;
        let line = Line { moves: moves.into(), annotations, verbatim: None };
        let text = |line: &Line<'_>| {
            let at = line.annotations.iter().map(|at| format!(" {}{:?}", at.ply, at.texts));
            format!("{}{}", line.moves, at.collect::<String>()).replace('"', "")
        };
        split(moves, line).iter().map(text).collect()
    }

    macro_rules! splits {
        ($($name:ident: $moves:literal, $json:literal => $lines:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(lines($moves, $json), $lines);
            }
        )*};
    }

    splits! {
        no_variation: "e4 e5", r#"{"1":["{x"]}"# => ["e4 e5 1[{x]"];
        of_white: "e4 e5", r#"{"1":["(","d4","d5",")"]}"# => ["e4 e5", "d4 d5"];
        of_black: "e4 e5 Nf3", r#"{"2":["$1","(","c5","$2",")"]}"# =>
            ["e4 e5 Nf3 2[$1]", "e4 c5 2[$2]"];
        nested: "e4 e5", r#"{"1":["(","d4","d5","(","Nf6","c4",")","c4",")"]}"# =>
            ["e4 e5", "d4 d5 c4", "d4 Nf6 c4"];
        two: "e4 e5", r#"{"2":["(","c5",")","{then","(","e6",")"]}"# =>
            ["e4 e5 2[{then]", "e4 c5", "e4 e6"];
        comment_first: "e4 e5", r#"{"2":["(","{or","c5",")"]}"# => ["e4 e5", "e4 c5 1[{or]"];
        without_own_moves: "e4 e5", r#"{"2":["(","(","c5",")","e6",")","(",")"]}"# =>
            ["e4 e5", "e4 e6", "e4 c5"];
        before_the_first_move: "e4", r#"{"0":["(","d4",")"]}"# => ["e4", "d4"];
        not_closed: "e4 e5", r#"{"1":["(","d4"],"2":["{x"]}"# => ["e4 e5 2[{x]", "d4"];
    }
}
