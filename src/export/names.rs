//! Writes tags of names: canonical names, rounds, and facts about players from a list.

use super::remark::{Remark, RemarkKind};
use crate::cleaning::names::{ListedName, NameKind, NameList, NameQuery, canonical_round};
use crate::game::{Game, PartialDate};
use crate::storage::CanonicalNames;

/// The treatment of name tags.
#[derive(Clone, Debug, Default)]
pub struct NameTags {
    /// The canonical names of players, events and sites in a database.
    pub canonical: [CanonicalNames; 3],
    /// A list of names and of facts about players.
    pub list: Option<NameList>,
    /// The source of the names that are written.
    pub names: NamesWritten,
    /// The facts that are filled in from the list if a game does not have them.
    pub fill: Vec<PlayerFact>,
}

/// The source of the names that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamesWritten {
    /// The names in the games.
    #[default]
    AsWritten,
    /// The canonical names of a database, and canonical rounds.
    OfDatabase,
    /// The names of the list, and canonical rounds.
    OfList,
}

/// A fact about a player in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerFact {
    /// The rating at the date of the game.
    Elo,
    /// The title.
    Title,
    /// The FIDE id.
    FideId,
}

/// The tags of a player.
struct PlayerTags {
    name: &'static str,
    elo: &'static str,
    title: &'static str,
    fide_id: &'static str,
}

const PLAYERS: [PlayerTags; 2] = [
    PlayerTags {
        name: "White",
        elo: "WhiteElo",
        title: "WhiteTitle",
        fide_id: "WhiteFideId",
    },
    PlayerTags {
        name: "Black",
        elo: "BlackElo",
        title: "BlackTitle",
        fide_id: "BlackFideId",
    },
];

impl NameTags {
    /// `true` if nothing is changed.
    pub fn is_default(&self) -> bool {
        self.names == NamesWritten::AsWritten && self.fill.is_empty()
    }

    /// Changes the tags of a game, and adds a remark on each change.
    pub fn apply(&self, game: &mut Game<'_>, remarks: &mut Vec<Remark>) {
        let date = game.tag("Date").and_then(PartialDate::from_tag);

        for player in &PLAYERS {
            let listed = self.player(game, player, date);
            let facts = listed.map(|listed| ListedFacts::new(&listed, date));
            if let Some(facts) = &facts {
                self.fill(game, player, facts, remarks);
            }

            let listed_name = facts.map(|facts| facts.name);
            self.rename(game, player.name, NameKind::Player, listed_name, remarks);
        }

        let text_tags = [
            ("Event", NameKind::Event),
            ("Site", NameKind::Site),
            ("Round", NameKind::Round),
        ];
        for (tag, kind) in text_tags {
            let text = game.tag(tag).unwrap_or_default();
            let listed = self.look_up(&NameQuery::of(kind, text));
            let listed_name = listed.map(|listed| listed.name.to_owned());
            self.rename(game, tag, kind, listed_name, remarks);
        }
    }

    /// The entry of a player in the list, found by the spelling in the game or else by the canonical name.
    fn player(
        &self,
        game: &Game<'_>,
        tags: &PlayerTags,
        date: Option<PartialDate>,
    ) -> Option<ListedName<'_>> {
        let text = game.tag(tags.name)?;
        let year = date.map_or(0, PartialDate::year);
        let id_text = game.tag(tags.fide_id).unwrap_or_default();
        let query = NameQuery {
            kind: NameKind::Player,
            text,
            person: None,
            fide_id: id_text.trim().parse().unwrap_or(0),
            years: (year, year),
        };

        if let Some(listed) = self.look_up(&query) {
            return Some(listed);
        }
        let canonical = self.canonical_in_database(NameKind::Player, text)?;
        self.look_up(&NameQuery {
            text: canonical,
            ..query
        })
    }

    /// The entry of the list for a query; `None` without a list or without an entry.
    fn look_up(&self, query: &NameQuery<'_>) -> Option<ListedName<'_>> {
        if query.text.is_empty() {
            return None;
        }
        self.list.as_ref()?.look_up(query)
    }

    fn canonical_in_database(&self, kind: NameKind, text: &str) -> Option<&str> {
        let [players, events, sites] = &self.canonical;
        let names = match kind {
            NameKind::Player => players,
            NameKind::Event => events,
            NameKind::Site => sites,
            NameKind::Round => return None,
        };

        names.get(text).map(String::as_str)
    }

    /// Writes the canonical name into a tag. `listed` is the name of the list.
    fn rename(
        &self,
        game: &mut Game<'_>,
        tag: &'static str,
        kind: NameKind,
        listed: Option<String>,
        remarks: &mut Vec<Remark>,
    ) {
        let Some(written) = game.tag(tag) else { return };

        let known = match self.names {
            NamesWritten::AsWritten => return,
            NamesWritten::OfDatabase => {
                let canonical = self.canonical_in_database(kind, written);
                canonical.map(str::to_owned)
            }
            NamesWritten::OfList => listed,
        };
        let name = match known {
            Some(name) => name,
            None if kind == NameKind::Round => canonical_round(written),
            None => return,
        };

        if name != written {
            set_tag(game, tag, name, remarks);
        }
    }

    /// Writes the facts of the list about a player into tags that are missing or unknown.
    fn fill(
        &self,
        game: &mut Game<'_>,
        tags: &PlayerTags,
        facts: &ListedFacts,
        remarks: &mut Vec<Remark>,
    ) {
        for fact in &self.fill {
            let (tag, listed) = match fact {
                PlayerFact::Elo => (tags.elo, facts.elo.map(|elo| elo.to_string())),
                PlayerFact::Title => (tags.title, facts.title.clone()),
                PlayerFact::FideId => (tags.fide_id, facts.fide_id.map(|id| id.to_string())),
            };

            // For a missing rating or id, programs write 0. The standard has `-` (PGN §9.1.2).
            let is_missing = match game.tag(tag) {
                Some(value) => matches!(value.trim(), "" | "?" | "-" | "0"),
                None => true,
            };
            if is_missing && let Some(value) = listed {
                set_tag(game, tag, value, remarks);
            }
        }
    }
}

/// The facts about a player in a list, at the date of a game.
struct ListedFacts {
    name: String,
    elo: Option<u16>,
    title: Option<String>,
    fide_id: Option<u32>,
}

impl ListedFacts {
    fn new(listed: &ListedName<'_>, date: Option<PartialDate>) -> ListedFacts {
        let rating = match date {
            Some(date) => {
                // Without a month, the first list of the year counts.
                let month = date.month().max(1) as u8;
                listed.rating_at(date.year(), month)
            }
            None => None,
        };

        ListedFacts {
            name: listed.name.to_owned(),
            elo: rating,
            title: listed.title.as_deref().map(str::to_owned),
            fide_id: Some(listed.fide_id).filter(|&id| id > 0),
        }
    }
}

fn set_tag(game: &mut Game<'_>, tag: &'static str, value: String, remarks: &mut Vec<Remark>) {
    let before = game.tag(tag);
    let remark = Remark::of_tag(RemarkKind::NameTag, tag, before, Some(&value));
    remarks.push(remark);

    game.set_tag(tag, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    const LIST: &[u8] = b"@PLAYER \"., -_\"\nKorchnoi, Viktor #gm SUI [2695] 1931.03.23--\n= Kortschnoj\n\
        %Bio FIDEID 4\n%Elo 1990:2630,2610\n@EVENT \" \"\nZurich Open\n= Open Zuerich\n@ROUND \"\"\nFinal\n= F\n";

    /// The remarks on a game with some tags.
    fn remarks_on(tags: &str, names: NamesWritten, fill: &[PlayerFact]) -> String {
        let text = format!("{tags}\n1. e4 *");
        let replay = replay(&text);
        let mut game = replay.game.borrowed();
        let mut remarks = Vec::new();

        let one_name = |spelling: &str, name: &str| {
            CanonicalNames::from_iter([(spelling.to_owned(), name.to_owned())])
        };
        let canonical = [
            one_name("VK", "Kortschnoj"),
            one_name("O", "Open"),
            CanonicalNames::default(),
        ];
        let list = Some(NameList::read(LIST).expect("a list"));
        let name_tags = NameTags {
            canonical,
            list,
            names,
            fill: fill.to_vec(),
        };
        name_tags.apply(&mut game, &mut remarks);

        let sentences: Vec<String> = remarks.iter().map(Remark::to_string).collect();
        sentences.join("; ").replace("name-tag: ", "")
    }

    const ALL: [PlayerFact; 3] = [PlayerFact::Elo, PlayerFact::Title, PlayerFact::FideId];

    macro_rules! tells {
        ($($name:ident: $tags:literal, $names:ident, $fill:expr => $remarks:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(remarks_on($tags, NamesWritten::$names, &$fill), $remarks);
            }
        )*};
    }

    tells! {
        nothing_is_asked_for: "[White \"Kortschnoj\"]\n[Round \"01\"]\n", AsWritten, [] => "";
        names_of_the_list: "[Event \"Open Zuerich\"]\n[Round \"F\"]\n[White \"Kortschnoj\"]\n[Black \"X\"]\n", OfList, [] =>
            "White \"Kortschnoj\" is written as \"Korchnoi, Viktor\"; Event \"Open Zuerich\" is written as \"Zurich \
             Open\"; Round \"F\" is written as \"Final\"";
        names_of_the_database: "[Event \"O\"]\n[Round \"(01)\"]\n[White \"VK\"]\n[Black \"Kortschnoj\"]\n", OfDatabase, [] =>
            "White \"VK\" is written as \"Kortschnoj\"; Event \"O\" is written as \"Open\"; Round \"(01)\" is written as \
             \"1\"";
        facts: "[Date \"1990.08.01\"]\n[White \"X\"]\n[Black \"VK\"]\n", AsWritten, ALL =>
            "BlackElo is added as \"2610\"; BlackTitle is added as \"GM\"; BlackFideId is added as \"4\"";
        facts_that_are_there: "[Date \"1990.??.??\"]\n[White \"Kortschnoj\"]\n[WhiteElo \"?\"]\n[WhiteTitle \"IM\"]\n", AsWritten,
            ALL => "WhiteElo \"?\" is written as \"2630\"; WhiteFideId is added as \"4\"";
        a_year_without_a_list: "[Date \"1991.01.01\"]\n[White \"Kortschnoj\"]\n", AsWritten, [PlayerFact::Elo] => "";
        before_birth: "[Date \"1930.01.01\"]\n[White \"Kortschnoj\"]\n", OfList, ALL => "";
        by_fide_id: "[White \"V. K.\"]\n[WhiteFideId \"4\"]\n", OfList, [] =>
            "White \"V. K.\" is written as \"Korchnoi, Viktor\"";
    }
}
