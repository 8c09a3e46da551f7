//! The attributes of a game, derived from its texts.

use super::eco::eco_code;
use super::engine::{PlayerEvidence, engines};
use super::move_quality::MoveQuality;
use super::words::CommentSummary;
use super::{GameFlags, Speed, Title, tag_signature};
use crate::cleaning::twins::Fingerprint;
use crate::game::{Annotations, PartialDate, Ply, TagPair, Variant, tag_value};
use crate::pgn::{Commands, Termination};
use crate::replay::MaterialSignature;
use crate::storage::{elo_of_tag, split_site};

/// The texts of a game, as in its rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameTexts<'t> {
    pub(crate) event: Option<&'t str>,
    /// The site, or the part of it that is common to the addresses of many games.
    pub(crate) site: Option<&'t str>,
    /// White's name and Black's.
    pub(crate) players: [Option<&'t str>; 2],
    pub(crate) date: Option<&'t str>,
    pub(crate) round: Option<&'t str>,
    pub(crate) result: Termination,
    pub(crate) white_elo: Option<u16>,
    pub(crate) black_elo: Option<u16>,
    pub(crate) eco: Option<&'t str>,
    pub(crate) plies: u32,
    pub(crate) variant: Variant,
    pub(crate) fen: Option<&'t str>,
    pub(crate) is_played: bool,
    /// The value of the column `ending`.
    pub(crate) board_ending: Option<&'t str>,
    /// `true` for each rule by which the game could be drawn: fifty moves, seventy-five moves, threefold repetition,
    /// fivefold repetition.
    pub(crate) draws: [bool; 4],
    /// The tags of the game. Tags with a column in the table of games may be missing.
    pub(crate) tags: &'t [TagPair<'t>],
    pub(crate) annotations: &'t Annotations,
    /// The commands in the comments of the mainline, such as `[%eval 0.3]`, by half-move.
    pub(crate) commands: &'t [(Ply, Commands)],
    /// [`MaterialSignature::UNKNOWN`] unless the moves are in the form that an import writes.
    pub(crate) material_signature: MaterialSignature,
    /// The fingerprint of the moves of the mainline.
    pub(crate) fingerprint: Fingerprint,
}

impl<'t> GameTexts<'t> {
    /// A game of which only the tags and the annotations are known.
    pub(crate) fn of_tags(tags: &'t [TagPair<'t>], annotations: &'t Annotations) -> GameTexts<'t> {
        let tag = |name| tag_value(tags, name);
        GameTexts {
            event: tag("Event"),
            site: tag("Site").map(|site| split_site(site).0),
            players: [tag("White"), tag("Black")],
            date: tag("Date"),
            round: tag("Round"),
            result: tag("Result")
                .and_then(Termination::from_text)
                .unwrap_or(Termination::Unknown),
            white_elo: tag("WhiteElo").and_then(elo_of_tag),
            black_elo: tag("BlackElo").and_then(elo_of_tag),
            eco: tag("ECO"),
            plies: 0,
            variant: tag("Variant").map(Variant::from_tag).unwrap_or_default(),
            fen: None,
            is_played: false,
            board_ending: None,
            draws: [false; 4],
            tags,
            annotations,
            commands: &[],
            material_signature: MaterialSignature::UNKNOWN,
            fingerprint: Fingerprint::default(),
        }
    }
}

/// The attributes of a game, except its names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Description {
    pub(super) flags: GameFlags,
    pub(super) date: u32,
    pub(super) white_elo: u16,
    pub(super) black_elo: u16,
    pub(super) eco: u16,
    pub(super) plies: u32,
    pub(super) tags: u64,
    pub(super) material_signature: u64,
    pub(super) fingerprint: Fingerprint,
    pub(super) quality: MoveQuality,
    /// The indexed words of the comments, separated by single spaces.
    pub(super) words: String,
}

impl Description {
    /// Derives the attributes from the texts of a game.
    pub(crate) fn of(game: &GameTexts<'_>) -> Description {
        let tag = |name| tag_value(game.tags, name);
        let title = |name| tag(name)?.parse::<Title>().ok();

        let [white, black] = game.players;
        let white_evidence = PlayerEvidence {
            name: white,
            title: title("WhiteTitle"),
            kind: tag("WhiteType"),
        };
        let black_evidence = PlayerEvidence {
            name: black,
            title: title("BlackTitle"),
            kind: tag("BlackType"),
        };
        let engines = engines(game.event, game.site, [white_evidence, black_evidence]);

        let summary = CommentSummary::read(game.annotations);
        let speed = Speed::of_tags(tag("TimeControl"), game.event);
        let flags = GameFlags::of_game()
            .with_positions(game.is_played)
            .with_standard_start(game.fen.is_none())
            .with_annotations(summary.is_annotated)
            .with_words(summary.has_words)
            .with_result(game.result)
            .with_board_ending(game.board_ending)
            .with_draws(game.draws)
            .with_variant(game.variant)
            .with_speed(speed)
            .with_titles(white_evidence.title, black_evidence.title)
            .with_engines(engines);

        // In a column, 0 means that a game has no value.
        let date = game.date.and_then(PartialDate::from_tag);
        let quality = MoveQuality::read(game.commands, game.plies, game.fen, game.variant);
        Description {
            flags,
            date: date.map_or(0, PartialDate::code),
            white_elo: game.white_elo.unwrap_or(0),
            black_elo: game.black_elo.unwrap_or(0),
            eco: game.eco.map_or(0, eco_code),
            plies: game.plies,
            tags: signature(game),
            material_signature: game.material_signature.0,
            fingerprint: game.fingerprint,
            quality,
            words: summary.words,
        }
    }
}

/// The signature of the tag pairs.
fn signature(game: &GameTexts<'_>) -> u64 {
    // The round is a column of the table of games and so not in `tags`, but the column store has no column for it.
    let round = game.round.and_then(|round| tag_signature("Round", round));
    let mut signature = round.unwrap_or(0);
    for tag in game.tags {
        signature |= tag_signature(&tag.name, &tag.value).unwrap_or(0);
    }
    signature
}
