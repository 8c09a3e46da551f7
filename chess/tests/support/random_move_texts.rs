//! Well-formed move texts, which may or may not mean a move.

use shakmaty::san::San as TheirSan;
use shakmaty::{
    CastlingSide as TheirSide, File as TheirFile, Rank as TheirRank, Role as TheirRole,
    Square as TheirSquare,
};
use stamma_chess::board::{CastlingSide, File, Move, Rank, Role, Square};

use crate::support::random::Random;

/// The parts of a well-formed move text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Words {
    Castle(CastlingSide),
    Piece {
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Role>,
    },
}

impl Words {
    /// A text with any piece and any square.
    pub(crate) fn any(random: &mut Random) -> Words {
        if random.once_in(20) {
            return Words::Castle(*random.choose(&CastlingSide::ALL));
        }
        let role = *random.choose(&Role::ALL);
        let to = Square::new(random.below(64) as u8);
        let from = Square::new(random.below(64) as u8);
        Words::hinted(Move::normal(role, from, to), random)
    }

    /// A legal move, with or without parts of its origin and its promotion.
    pub(crate) fn near(mv: Move, random: &mut Random) -> Words {
        match mv.castling_side() {
            Some(side) => Words::Castle(side),
            None => Words::hinted(mv, random),
        }
    }

    fn hinted(mv: Move, random: &mut Random) -> Words {
        let has_file = random.once_in(2);
        // No pawn move text has a rank without a file.
        let has_rank = random.once_in(3) && (mv.role != Role::Pawn || has_file);
        let file = has_file.then(|| mv.from.file());
        let rank = has_rank.then(|| mv.from.rank());

        let promotion = if random.once_in(8) {
            *random.choose(&[None, Some(Role::Queen), Some(Role::Knight)])
        } else {
            mv.promotion
        };
        Words::Piece {
            role: mv.role,
            file,
            rank,
            to: mv.to,
            promotion,
        }
    }

    /// The text without and with a capture sign.
    pub(crate) fn texts(self) -> Vec<String> {
        match self {
            Words::Castle(side) => vec![side.san().to_owned()],
            Words::Piece {
                role: Role::Pawn,
                file: None,
                ..
            } => vec![self.text("")],
            Words::Piece { .. } => vec![self.text(""), self.text("x")],
        }
    }

    fn text(self, capture: &str) -> String {
        let Words::Piece {
            role,
            file,
            rank,
            to,
            promotion,
        } = self
        else {
            return String::new();
        };

        let mut text = String::new();
        if role != Role::Pawn {
            text.push(char::from(role.letter()));
        }
        if let Some(file) = file {
            text += &file.to_string();
        }
        if let Some(rank) = rank {
            text += &rank.to_string();
        }
        text += &format!("{capture}{to}");
        if let Some(promotion) = promotion {
            text.push('=');
            text.push(char::from(promotion.letter()));
        }
        text
    }

    /// shakmaty's parse of the text without a capture sign.
    pub(crate) fn theirs(self) -> TheirSan {
        match self {
            Words::Castle(CastlingSide::King) => TheirSan::Castle(TheirSide::KingSide),
            Words::Castle(CastlingSide::Queen) => TheirSan::Castle(TheirSide::QueenSide),
            Words::Piece {
                role,
                file,
                rank,
                to,
                promotion,
            } => TheirSan::Normal {
                role: their_role(role),
                file: file.map(|file| TheirFile::new(file.number().into())),
                rank: rank.map(|rank| TheirRank::new(rank.number().into())),
                capture: false,
                to: TheirSquare::new(to.index() as u32),
                promotion: promotion.map(their_role),
            },
        }
    }
}

fn their_role(role: Role) -> TheirRole {
    TheirRole::ALL[role.index()]
}
