//! The moves of a game as a tree: each move with its annotations and its alternatives.

use schemars::JsonSchema;
use serde::Serialize;
use stamma::board::{Move, Position};
use stamma::export::{EvaluatedMainline, text_of_comment};
use stamma::game::{Annotation, Game, Ply, Step};
use stamma::notation::{San, Uci};
use stamma::pgn::{Commands, Evaluation};

/// The deepest nesting of variations. Deeper variations are left out.
const MAX_DEPTH: usize = 40;
/// The maximum number of moves of a tree, including the moves of variations. No game of people has a tenth of this
/// number.
const MAX_MOVES: usize = 50_000;

/// A move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Node {
    /// The half-moves played with this one, from 1.
    ply: usize,
    san: String,
    uci: String,
    fen: String,
    nags: Vec<u8>,
    before: Option<String>,
    comment: Option<String>,
    clock: Option<f64>,
    eval: Option<i32>,
    mate: Option<i32>,
    /// `inaccuracy`, `mistake` or `blunder`, for a bad move of the mainline. The evaluations before and after the move
    /// decide.
    judgement: Option<&'static str>,
    /// Alternatives to this move.
    variations: Vec<Vec<Node>>,
}

/// The moves of a game.
#[derive(Debug)]
pub(super) struct Tree {
    /// The comment before the first move.
    pub(super) comment: Option<String>,
    pub(super) moves: Vec<Node>,
}

/// A mainline or variation while it is read.
struct Branch {
    nodes: Vec<Node>,
    before: Position,
    here: Position,
    /// The number of half-moves before the first move of the line.
    plies: usize,
    /// The comment for the next move.
    pending: Option<String>,
    /// `true` when a variation has ended since the last move.
    is_after_variation: bool,
    /// `true` after a text that is no legal move. The moves after it are dropped, since their positions are unknown.
    is_lost: bool,
}

impl Branch {
    fn new(here: Position, plies: usize) -> Branch {
        Branch {
            nodes: Vec::new(),
            before: here.clone(),
            here,
            plies,
            pending: None,
            is_after_variation: false,
            is_lost: false,
        }
    }

    /// Plays a move in SAN. After a text that is no legal move, the line is lost.
    fn play(&mut self, text: &str, uci: Uci) {
        if self.is_lost {
            return;
        }

        let Some(san) = San::parse(text.as_bytes()) else {
            self.is_lost = true;
            return;
        };
        match san.resolve(&self.here) {
            Ok(resolved) => self.push(text, resolved.mv, uci),
            Err(_) => self.is_lost = true,
        }
    }

    fn push(&mut self, san: &str, mv: Move, uci: Uci) {
        self.before.clone_from(&self.here);
        self.here.play(mv);
        self.is_after_variation = false;
        self.nodes.push(Node {
            ply: self.plies + self.nodes.len() + 1,
            san: san.to_owned(),
            uci: uci.text(mv),
            fen: self.here.fen(),
            nags: Vec::new(),
            before: self.pending.take(),
            comment: None,
            clock: None,
            eval: None,
            mate: None,
            judgement: None,
            variations: Vec::new(),
        });
    }

    /// Adds a comment to the last move, or keeps it for the next move.
    fn comment(&mut self, comment: &str) {
        let text = text_of_comment(comment);

        // A comment behind a variation is about the move that follows.
        match self.nodes.last_mut() {
            Some(node) if !self.is_after_variation => {
                node.add_commands(Commands::read(comment));
                append_text(&mut node.comment, text.as_deref());
            }
            _ => append_text(&mut self.pending, text.as_deref()),
        }
    }
}

impl Tree {
    /// Adds evaluations to the moves of the mainline whose comments have none, and a judgement to bad moves.
    pub(super) fn add_evaluations(&mut self, mainline: &EvaluatedMainline) {
        for node in &mut self.moves {
            if node.eval.is_none() && node.mate.is_none() {
                let evaluation = mainline.evaluations.get(Ply::new(node.ply as u32));
                node.eval = evaluation.and_then(Evaluation::centipawns);
                node.mate = evaluation.and_then(Evaluation::mate);
            }
        }

        for (ply, _, judgement) in mainline.evaluations.judgements() {
            // Plies count from 1.
            let Some(at) = ply.get().checked_sub(1) else {
                continue;
            };
            if let Some(node) = self.moves.get_mut(at as usize) {
                node.judgement = Some(judgement.name());
            }
        }
    }
}

impl Node {
    /// Adds the clock and the evaluation of a comment, unless an earlier comment has them.
    fn add_commands(&mut self, commands: Commands) {
        // Of several comments behind a move, the first command of a kind counts.
        self.clock = self.clock.or(commands.clock_seconds);

        let centipawns = commands.evaluation.and_then(Evaluation::centipawns);
        let mate = commands.evaluation.and_then(Evaluation::mate);
        self.eval = self.eval.or(centipawns);
        self.mate = self.mate.or(mate);
    }
}

/// Appends a text to a comment, after a space. Blank texts are ignored.
fn append_text(comment: &mut Option<String>, text: Option<&str>) {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return;
    };
    match comment {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(text);
        }
        None => *comment = Some(text.to_owned()),
    }
}

/// The moves of a game from its start position.
pub(super) fn tree(game: &Game<'_>, start: &Position) -> Tree {
    let uci = Uci::of(start);
    let mut branches = vec![Branch::new(start.clone(), 0)];
    let mut comment = None;
    let mut too_deep = 0_usize;
    let mut move_count = 0;

    for (_, step) in game.steps() {
        let annotation = match step {
            Step::Mainline(san) => Annotation::Move(san),
            Step::Annotation(annotation) => annotation,
        };

        if matches!(annotation, Annotation::Move(_)) {
            move_count += 1;
        }
        if move_count > MAX_MOVES {
            break;
        }
        if skip_if_too_deep(annotation, &mut too_deep, branches.len()) {
            continue;
        }

        // A comment before the first move belongs to the game.
        let is_start = matches!(&branches[..], [mainline] if mainline.nodes.is_empty());
        match annotation {
            Annotation::Comment(text) if is_start => {
                append_text(&mut comment, text_of_comment(text).as_deref());
            }
            _ => annotate(&mut branches, annotation, uci),
        }
    }

    // Variations of a broken text, or of a tree with too many moves, may be open at the end.
    while branches.len() > 1 {
        end_variation(&mut branches);
    }

    let moves = match branches.pop() {
        Some(mainline) => mainline.nodes,
        None => Vec::new(),
    };
    Tree { comment, moves }
}

/// Adds an annotation to the innermost line.
fn annotate(branches: &mut Vec<Branch>, annotation: Annotation<'_>, uci: Uci) {
    let Some(branch) = branches.last_mut() else {
        return;
    };

    match annotation {
        Annotation::Move(san) => branch.play(san, uci),
        Annotation::Comment(text) => branch.comment(text),
        Annotation::Nag(nag) => {
            if let Some(node) = branch.nodes.last_mut() {
                node.nags.push(nag);
            }
        }
        Annotation::BeginVariation => {
            // A variation replaces the last move, so it has the number of this move.
            let plies = (branch.plies + branch.nodes.len()).saturating_sub(1);
            let variation = Branch::new(branch.before.clone(), plies);
            branches.push(variation);
        }
        Annotation::EndVariation => end_variation(branches),
        Annotation::EscapedLine(_) => {}
    }
}

/// Returns `true` for an annotation in a variation that is nested too deeply. Updates `too_deep`, the number of open
/// variations that are too deep.
fn skip_if_too_deep(annotation: Annotation<'_>, too_deep: &mut usize, depth: usize) -> bool {
    match annotation {
        Annotation::BeginVariation if *too_deep > 0 || depth > MAX_DEPTH => *too_deep += 1,
        Annotation::EndVariation if *too_deep > 0 => {
            *too_deep -= 1;
            return true;
        }
        _ => {}
    }
    *too_deep > 0
}

/// Adds the innermost variation to the move that it replaces.
fn end_variation(branches: &mut Vec<Branch>) {
    if branches.len() < 2 {
        return;
    }
    let Some(variation) = branches.pop() else {
        return;
    };
    let Some(branch) = branches.last_mut() else {
        return;
    };

    // A variation of illegal moves alone has no node, but still stands between a move and a comment.
    branch.is_after_variation = true;
    if variation.nodes.is_empty() {
        return;
    }
    if let Some(node) = branch.nodes.last_mut() {
        node.variations.push(variation.nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stamma::replay::replay;

    /// Moves as text: `1.e4$1{a comment}`, a comment before a move in `<>`, variations in `()`.
    fn text_of(nodes: &[Node]) -> String {
        let mut words = Vec::with_capacity(nodes.len());
        for node in nodes {
            words.push(word_of(node));
        }
        words.join(" ")
    }

    fn word_of(node: &Node) -> String {
        let mut word = format!("{}.{}", node.ply, node.san);
        for nag in &node.nags {
            word += &format!("${nag}");
        }

        if let Some(before) = &node.before {
            word = format!("<{before}>{word}");
        }
        if let Some(comment) = &node.comment {
            word += &format!("{{{comment}}}");
        }

        for variation in &node.variations {
            word += &format!("({})", text_of(variation));
        }
        word
    }

    macro_rules! trees {
        ($($name:ident: $pgn:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                let replay = replay($pgn);
                let tree = tree(&replay.game, &Position::start());
                assert_eq!(text_of(&tree.moves), $expected);
            }
        )*};
    }

    trees! {
        a_mainline: "1. e4 e5 2. Nf3 *" => "1.e4 2.e5 3.Nf3";
        glyphs_and_comments: "1. e4! {best} e5 $6 *" => "1.e4$1{best} 2.e5$6";
        variations: "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5)) (1... e6) 2. Nf3 *"
            => "1.e4 2.e5(2.c5 3.Nf3(3.c3 4.d5))(2.e6) 3.Nf3";
        comments_before_moves: "1. e4 ({a gambit} 1. f4) {back} e5 *"
            => "1.e4(<a gambit>1.f4) <back>2.e5";
    }

    #[test]
    fn clocks_and_evaluations_are_numbers() {
        let replay = replay("{Paris} 1. e4 {[%clk 0:01:00] [%eval -0.3] fine} e5 {[%eval #-3]} *");

        let tree = tree(&replay.game, &Position::start());
        let [first, second] = tree.moves.as_slice() else {
            panic!("two moves")
        };

        assert_eq!(tree.comment.as_deref(), Some("Paris"));
        assert_eq!(first.comment.as_deref(), Some("fine"));
        assert_eq!(first.clock, Some(60.0));
        assert_eq!((first.eval, first.mate), (Some(-30), None));
        assert_eq!((second.eval, second.mate), (None, Some(-3)));
    }

    #[test]
    fn long_games_end_somewhere() {
        let pgn = format!("1. e4 e5 {} *", "(1... c5) ".repeat(MAX_MOVES));
        let replay = replay(&pgn);

        let tree = tree(&replay.game, &Position::start());
        assert_eq!(tree.moves[1].variations.len(), MAX_MOVES - 2);
    }

    #[test]
    fn deep_variations_end_somewhere() {
        let mut pgn = "1. e4 ".to_owned();
        pgn.push_str(&"(1. d4 ".repeat(5000));
        pgn.push_str(&")".repeat(5000));
        pgn.push_str(" e5 *");
        let replay = replay(&pgn);

        let tree = tree(&replay.game, &Position::start());
        let mut depth = 0;
        let mut nodes = &tree.moves;
        while let Some(inner) = nodes.first().and_then(|node| node.variations.first()) {
            nodes = inner;
            depth += 1;
        }

        // The mainline goes on behind the variations.
        assert_eq!(tree.moves.len(), 2);
        assert_eq!(depth, MAX_DEPTH);
    }
}
