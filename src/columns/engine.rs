//! The players of a game that are chess programs.
//!
//! The tags WhiteType and BlackType (PGN §9.1.4) and Lichess's title BOT decide first. If they are missing, the event,
//! the site and the names of the players decide. Names are weak evidence, since people are called Fritz and King and
//! users of servers call themselves Stockfish. So a surname with a given name behind a comma is a person, a user name
//! is no evidence, and a name that people bear needs a version, an event of programs or a program as its opponent.
//! Ratings are no evidence, since ratings on servers exceed 3000.

use super::Title;

/// The tags of a game that are evidence about one player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlayerEvidence<'t> {
    pub(super) name: Option<&'t str>,
    pub(super) title: Option<Title>,
    /// The value of the tag WhiteType or BlackType.
    pub(super) kind: Option<&'t str>,
}

/// For White and for Black, `true` if the player is a program.
pub(super) fn engines(
    event: Option<&str>,
    site: Option<&str>,
    players: [PlayerEvidence<'_>; 2],
) -> [bool; 2] {
    let place = Place::from_tags(event, site);
    let verdicts = players.map(|player| verdict(player, place));

    // The bare name of a program may be the name of a person. If both players have such a name, both are programs,
    // unless both names are surnames.
    let has_person = verdicts.contains(&Verdict::Person);
    let are_surnames = verdicts == [Verdict::SharedName, Verdict::SharedName];
    if has_person || are_surnames {
        verdicts.map(|verdict| verdict == Verdict::Engine)
    } else {
        [true, true]
    }
}

/// The place where a game was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Among programs only, such as the TCEC.
    EnginesOnly,
    /// In an event in which programs take part.
    EnginesAndPersons,
    /// On a server, under user names.
    Server,
    Elsewhere,
}

/// The classification of one player, without regard to the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Engine,
    /// The bare name of a program, which hardly anybody bears.
    EngineName,
    /// The bare name of a program, which is a surname too.
    SharedName,
    /// A person, or a player of whom nothing is known.
    Person,
}

/// Classifies one player, by the tags of the player and the place of the game.
fn verdict(player: PlayerEvidence<'_>, place: Place) -> Verdict {
    let is_kind = |text: &str| {
        player
            .kind
            .is_some_and(|kind| kind.eq_ignore_ascii_case(text))
    };

    // The tags decide, whatever the name is.
    if is_kind("human") {
        return Verdict::Person;
    }
    if is_kind("program") || player.title == Some(Title::Bot) {
        return Verdict::Engine;
    }

    let Some(name) = player.name.map(str::trim) else {
        return Verdict::Person;
    };
    if !name.contains(char::is_alphanumeric) || is_surname_first(name) {
        return Verdict::Person;
    }
    if place == Place::EnginesOnly {
        return Verdict::Engine;
    }
    // On a server, a name without a space is a user name. Any person may choose the name of a program.
    if place == Place::Server && !name.contains(' ') {
        return Verdict::Person;
    }

    verdict_by_name(&name.to_ascii_lowercase(), place)
}

/// `true` for names such as `Fritz, Nils`: a comma that is not within parentheses.
fn is_surname_first(name: &str) -> bool {
    let outside = name.split('(').next().unwrap_or(name);
    outside.contains(',')
}

impl Place {
    /// The place of a game, by its event and site.
    fn from_tags(event: Option<&str>, site: Option<&str>) -> Place {
        let event = event.unwrap_or_default().to_ascii_lowercase();
        let is_rated = ["rated ", "casual "]
            .iter()
            .any(|begin| event.starts_with(begin));

        // Lichess names its events "Rated Blitz game", Chess.com calls all of them "Live Chess" or "Let's Play!".
        if is_rated || event == "live chess" || event == "let's play!" {
            return Place::Server;
        }

        if has_only_engines(&event, site) {
            return Place::EnginesOnly;
        }
        if admits_engines(&event) {
            return Place::EnginesAndPersons;
        }
        Place::Elsewhere
    }
}

/// Words of events in which only programs play.
const ENGINE_EVENT_WORDS: [&str; 4] = ["tcec", "ntcec", "ccrl", "cegt"];
/// Phrases in the names of events in which only programs play.
const ENGINE_EVENT_PHRASES: [&str; 3] = [
    "computer chess championship",
    "chess.com ccc",
    "tiny bot challenge",
];
/// Chess.com's championship of programs.
const ENGINE_SITE: &str = "https://www.chess.com/computer-chess-championship";

/// Words of events in which programs take part. Some of them are also names of other events: the WCCC is the
/// championship of programs, but a world championship in correspondence chess, too.
const MIXED_EVENT_WORDS: [&str; 14] = [
    "wccc",
    "wmccc",
    "ipccc",
    "wcrcc",
    "csvn",
    "ccch",
    "icga",
    "aegon",
    "computer",
    "computers",
    "computerschach",
    "machine",
    "engine",
    "engines",
];

/// The runs of letters and digits of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// `true` for an event or a site at which only programs play. The event is in lower case.
fn has_only_engines(event: &str, site: Option<&str>) -> bool {
    let is_engine_site = site.is_some_and(|site| site.starts_with(ENGINE_SITE));
    if is_engine_site || is_ccc(event) {
        return true;
    }

    let has_word = words(event).any(|word| ENGINE_EVENT_WORDS.contains(&word));
    if has_word {
        return true;
    }

    let mut phrases = ENGINE_EVENT_PHRASES.iter();
    phrases.any(|phrase| event.contains(phrase))
}

/// `true` for the computer championships of chess.com, such as `CCC 3: Rapid Redux`, `CCCC 1`, `CCC v2 Testing` and
/// `CCC Blitz`. In other events, CCC is a club.
fn is_ccc(event: &str) -> bool {
    let mut words = words(event);
    let begins_with_ccc = matches!(words.next(), Some("ccc" | "cccc"));
    if !begins_with_ccc {
        return false;
    }
    let Some(second) = words.next() else {
        return false;
    };

    let number = second.trim_start_matches('v');
    let is_numbered = number.starts_with(|letter: char| letter.is_ascii_digit());
    let is_speed = matches!(second, "bullet" | "blitz" | "rapid" | "quartet");
    is_numbered || is_speed
}

/// `true` for an event in which programs take part. The event is in lower case.
fn admits_engines(event: &str) -> bool {
    words(event).any(|word| MIXED_EVENT_WORDS.contains(&word))
}

/// The strength of a program's name as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    /// Nobody has this name.
    Own,
    /// Hardly anybody has it, but it is a word.
    Word,
    /// A surname, too. With a version it is well known as a program's.
    Shared,
    /// A surname or an everyday word, too. Only a version such as `2.0` is evidence.
    Common,
}

use Strength::{Common, Own, Shared, Word};

/// Names of programs in lower case, sorted.
const ENGINE_NAMES: &[(&str, Strength)] = &[
    ("alliestein", Own),
    ("alphazero", Own),
    ("andscacs", Own),
    ("anmon", Own),
    ("antifish", Own),
    ("arasan", Own),
    ("baron", Common),
    ("battlechess", Own),
    ("berserk", Word),
    ("blackmarlin", Own),
    ("booot", Own),
    ("bouquet", Word),
    ("brutus", Common),
    ("caissa", Word),
    ("ceres", Common),
    ("chess genius", Own),
    ("chess tiger", Own),
    ("chessbrainvb", Own),
    ("chessfighter", Own),
    ("chessmachine", Own),
    ("chessmaster", Own),
    ("chesssystem", Own),
    ("chiron", Common),
    ("clover", Common),
    ("comet", Common),
    ("crafty", Word),
    ("critter", Word),
    ("deep blue", Own),
    ("deep fritz", Own),
    ("deep hiarcs", Own),
    ("deep junior", Own),
    ("deep rybka", Own),
    ("deep saros", Own),
    ("deep shredder", Own),
    ("deep sjeng", Own),
    ("deep thought", Own),
    ("deep tought", Own),
    ("deepsjeng", Own),
    ("defenchess", Own),
    ("deuterium", Word),
    ("diep", Common),
    ("dragon", Common),
    ("equisetum", Word),
    ("etabeta", Own),
    ("ethereal", Word),
    ("exchess", Own),
    ("falcon", Common),
    ("ferret", Common),
    ("fidelity", Common),
    ("fire", Common),
    ("fizbo", Own),
    ("floppychess", Own),
    ("fridolin", Common),
    ("fritz", Shared),
    ("fruit", Common),
    ("gambit tiger", Own),
    ("gandalf", Shared),
    ("genius", Common),
    ("ginkgo", Word),
    ("glaurung", Own),
    ("gnu chess", Own),
    ("gnuchess", Own),
    ("gogobello", Own),
    ("goliath", Common),
    ("gridchess", Own),
    ("gromit", Word),
    ("gull", Common),
    ("hannibal", Common),
    ("hiarcs", Own),
    ("hitech", Word),
    ("houdini", Word),
    ("hydra", Word),
    ("igel", Common),
    ("ikarus", Common),
    ("isichess", Own),
    ("ivanhoe", Common),
    ("jonny", Common),
    ("junior", Shared),
    ("king", Common),
    ("koivisto", Common),
    ("komodo", Word),
    ("komododragon", Own),
    ("komodomcts", Own),
    ("lc0", Own),
    ("lczero", Own),
    ("lczerocpu", Own),
    ("leela chess", Own),
    ("leela zero", Own),
    ("leelachess", Own),
    ("leelachesszero", Own),
    ("leelenstein", Own),
    ("lichess ai", Own),
    ("loop", Common),
    ("marvin", Common),
    ("mchess", Own),
    ("mephisto", Common),
    ("minic", Common),
    ("naum", Common),
    ("nemorino", Word),
    ("nightmare", Common),
    ("nimzo", Shared),
    ("nullmover", Own),
    ("obsidian", Word),
    ("octochess", Own),
    ("pandix", Own),
    ("parsos", Own),
    ("patzer", Common),
    ("pedone", Common),
    ("pharaon", Word),
    ("pirarucu", Word),
    ("plentychess", Own),
    ("pocket fritz", Own),
    ("protector", Common),
    ("quark", Common),
    ("quest", Common),
    ("rebel", Shared),
    ("rebel century", Own),
    ("redfish", Word),
    ("redqueen", Word),
    ("renegade", Word),
    ("rofchade", Own),
    ("rubi", Word),
    ("rubichess", Own),
    ("ruy lopez", Common),
    ("rybka", Shared),
    ("scorpio", Common),
    ("scorpionn", Own),
    ("shredder", Word),
    ("sjeng", Own),
    ("slowchess", Own),
    ("socrates", Common),
    ("spike", Common),
    ("stockfish", Own),
    ("stockfishclassical", Own),
    ("stockfishnnue", Own),
    ("stoofvlees", Own),
    ("stormphrax", Own),
    ("tao", Common),
    ("texel", Common),
    ("the baron", Word),
    ("the crazy bishop", Word),
    ("the king", Word),
    ("toga", Common),
    ("torch", Word),
    ("tucano", Common),
    ("turbostar", Own),
    ("twisted logic", Own),
    ("uralochka", Word),
    ("vajolet", Own),
    ("velvet", Word),
    ("viridithas", Own),
    ("virtual chess", Own),
    ("wchess", Own),
    ("weiss", Common),
    ("winter", Common),
    ("x3d fritz", Own),
    ("xiphos", Own),
    ("yace", Word),
    ("zappa", Common),
];

/// Words that follow the name of a program.
const NAME_SUFFIXES: [&str; 20] = [
    "ai",
    "alpha",
    "beta",
    "classic",
    "classical",
    "cpu",
    "dev",
    "exp",
    "gpu",
    "ii",
    "level",
    "master",
    "mcts",
    "nn",
    "nnue",
    "pro",
    "professional",
    "prototype",
    "x64",
    "zero",
];

/// Classifies a player by the name, in lower case, and the place of the game.
fn verdict_by_name(name: &str, place: Place) -> Verdict {
    if is_called_computer(name) {
        return Verdict::Engine;
    }
    let Some((strength, rest)) = longest_known_name(name) else {
        return Verdict::Person;
    };
    let next = rest.split(' ').next().unwrap_or_default();
    let is_bare = next.is_empty();

    // "King 2" and "Weiss 3" are persons with a number; "Weiss 2.0" is a version of a program.
    let is_unambiguous = strength != Common || next.contains('.');
    if is_version(next) && is_unambiguous {
        return Verdict::Engine;
    }

    // "Weiss O" in an event with programs is still a person.
    let is_common_with_more = strength == Common && !is_bare && !is_version(next);
    if place == Place::EnginesAndPersons && !is_common_with_more {
        return Verdict::Engine;
    }

    let has_suffix = NAME_SUFFIXES.contains(&next);
    match strength {
        Own if is_bare || has_suffix => Verdict::Engine,
        Word if is_bare || has_suffix => Verdict::EngineName,
        Shared | Common if is_bare => Verdict::SharedName,
        _ => Verdict::Person,
    }
}

/// `true` for `Comp Hitech`, `Computer` and `Fidelity S2 computer`.
fn is_called_computer(name: &str) -> bool {
    let first = words(name).next();
    let is_marked = matches!(first, Some("comp" | "compx")) && name.contains(' ');
    is_marked || words(name).any(|word| word == "computer")
}

/// The strength of the longest program's name with which a name begins, and the rest of the name behind it.
fn longest_known_name(name: &str) -> Option<(Strength, &str)> {
    let (first, _) = name.split_once(' ').unwrap_or((name, ""));
    let from = ENGINE_NAMES.partition_point(|(known, _)| *known < first);
    let candidates = ENGINE_NAMES[from..]
        .iter()
        .take_while(|(known, _)| known.starts_with(first));

    // A longer name is sorted after its prefixes, so the last match is the longest.
    let mut longest = None;
    for (known, strength) in candidates {
        let Some(rest) = name.strip_prefix(known) else {
            continue;
        };
        let is_whole_word = rest.is_empty() || rest.starts_with(' ');
        if is_whole_word {
            longest = Some((*strength, rest.trim_start()));
        }
    }
    longest
}

/// `true` for `8`, `5.32`, `6a` and `v0.21.1`.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    number.starts_with(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(ENGINE_NAMES.is_sorted_by_key(|(name, _)| *name));
    }

    fn named(name: &str) -> PlayerEvidence<'_> {
        PlayerEvidence {
            name: Some(name),
            ..PlayerEvidence::default()
        }
    }

    macro_rules! games {
        ($($test:ident: $event:expr, $white:expr, $black:expr => $engines:expr;)*) => {$(
            #[test]
            fn $test() {
                assert_eq!(engines(Some($event), None, [named($white), named($black)]), $engines);
            }
        )*};
    }

    games! {
        with_a_version: "?", "Stockfish 16.1", "Komodo 14" => [true, true];
        with_a_word_of_a_version: "?", "Lc0 GPU", "LCZero v0.21.1-nT40.T6.532" => [true, true];
        against_a_person: "Hoogeveen", "Van Wely, Loek", "Fritz 6" => [false, true];
        deep_blue: "New York", "Deep Blue", "Kasparov, Garry" => [true, false];
        marked: "Aegon", "Comp Now", "Bronstein, David I" => [true, false];
        computer: "It", "Computer", "Christiansen, Larry M" => [true, false];
        two_bare_names: "?", "Komodo", "Houdini" => [true, true];
        a_word_and_a_surname: "?", "Komodo", "Rybka" => [true, true];
        an_engine_and_a_surname: "?", "Stockfish", "Winter" => [true, true];
        a_championship: "TCEC Season 13 - Superfinal", "Winter 0.7", "Chat" => [true, true];
        of_chess_com: "CCC 13: Finals (15|5)", "Fire", "Clover" => [true, true];
        a_beta_of_chess_com: "CCC v2 Testing pt. 11", "Seer", "Igel" => [true, true];
        authors_in_parentheses: "Tiny Bot Challenge: Knockout 4", "smol.cs (by: A B, C D)", "drip"
            => [true, true];
        man_and_machine: "Man-Machine Match", "Xie Jun", "RYBKA" => [false, true];
        capitals: "15th WCCC", "THE KING", "DIEP" => [true, true];

        surnames: "Breslau", "Fritz", "Weiss" => [false, false];
        one_word: "Simul", "Komodo", "Smith" => [false, false];
        full_names: "Bundesliga", "Fritz, Nils", "Rybka,Simon" => [false, false];
        surname_and_initial: "?", "King D", "Winter W" => [false, false];
        given_name_first: "?", "Marvin C Palmer", "Minic Dragoljub (CRO)" => [false, false];
        numbered_persons: "?", "Li Chao2", "Fritz2" => [false, false];
        numbered_surnames: "?", "King 2", "Weiss 3" => [false, false];
        users: "Rated Blitz game", "Stockfish", "houdini_1" => [false, false];
        a_user_with_a_number: "Live Chess", "Rybka4", "Shredder" => [false, false];
        a_club: "87th Marshall CCC", "Fritz", "Ehlvest,J" => [false, false];
        correspondence: "10th WCCC", "Berliner, Hans", "King, A" => [false, false];
        a_person_among_programs: "Computer Match", "Weiss O", "Winter William" => [false, false];
        botswana: "ch-BOT", "Rebel", "Dzilani,Abel" => [false, false];
        a_junior: "WCh-Junior", "Junior,Ednasia", "Li Chao2" => [false, false];
        an_automaton: "London", "Mephisto", "Bird" => [false, false];
        nobody: "?", "?", "" => [false, false];
    }

    #[test]
    fn tags_come_first() {
        let kind = |kind| PlayerEvidence {
            kind: Some(kind),
            ..named("Stockfish 8")
        };
        let by_type = engines(None, None, [kind("human"), kind("Program")]);
        assert_eq!(by_type, [false, true]);

        let bot = PlayerEvidence {
            title: Some(Title::Bot),
            ..named("maia1")
        };
        let by_title = engines(Some("Rated Blitz game"), None, [bot, named("maia1")]);
        assert_eq!(by_title, [true, false]);
    }

    #[test]
    fn a_site_of_programs() {
        let players = [named("Winter"), named("Weiss")];

        let championship = Some("https://www.chess.com/computer-chess-championship");
        assert_eq!(engines(Some("?"), championship, players), [true, true]);

        let server = Some("Chess.com");
        assert_eq!(engines(Some("?"), server, players), [false, false]);
    }
}
