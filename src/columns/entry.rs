//! The values of one game in all columns.

use super::{Column, Description, GameTexts};
use crate::storage::NameNumbers;

/// The values of a game, indexed by [`Column`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry(pub(super) [u64; Column::COUNT]);

impl Entry {
    /// The value of a column.
    pub(crate) fn get(&self, column: Column) -> u64 {
        self.0[column as usize]
    }

    /// The values of a game that is in no database, so that its names have no numbers.
    pub(crate) fn of_texts(game: &GameTexts<'_>) -> Entry {
        Entry::new(NameNumbers::default(), &Description::of(game))
    }

    /// The values of a game whose names have numbers.
    pub(super) fn new(names: NameNumbers, described: &Description) -> Entry {
        let mut entry = Entry::default();
        let mut set = |column: Column, value: u64| entry.0[column as usize] = value;

        // Other programs may insert names with negative numbers, which are stored in two's complement.
        let number = |name: Option<i64>| name.map_or(0, i64::cast_unsigned);
        set(Column::White, number(names.white));
        set(Column::Black, number(names.black));
        set(Column::Event, number(names.event));
        set(Column::Site, number(names.site));
        set(Column::TagOrder, number(names.tag_order));
        set(Column::Opening, number(names.opening));

        set(Column::GameFlags, described.flags.0.into());
        set(Column::Date, described.date.into());
        set(Column::WhiteElo, described.white_elo.into());
        set(Column::BlackElo, described.black_elo.into());
        set(Column::Eco, described.eco.into());
        set(Column::Plies, described.plies.into());
        set(Column::Tags, described.tags);
        set(Column::MaterialSignature, described.material_signature);

        let hashes = described.fingerprint.numbers();
        for (column, hash) in Column::FINGERPRINT.into_iter().zip(hashes) {
            set(column, hash.into());
        }

        let quality = described.quality;
        set(Column::Judgements, quality.judgements);
        set(Column::Swing, quality.swing);
        set(Column::Accuracy, quality.accuracy);
        set(Column::CentipawnLoss, quality.centipawn_loss);
        set(Column::TimeLeft, quality.time_left);
        set(Column::BlunderTime, quality.blunder_time);

        entry
    }
}
