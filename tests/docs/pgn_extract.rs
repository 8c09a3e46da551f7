//! The page for users of pgn-extract: it names all of that program's options, and none that Stamma does not have.

use std::collections::BTreeSet;
use std::fs;

use crate::support::program::{Workplace, games, stderr_of};

/// The options of pgn-extract 26, in the order of its help.
const OPTIONS: &str = "-7 -# -a -A -b -c -C -d -D -e -E -F -f -H -h -l -L -M -n -N -o -p -P -R -r -S -s -t -Tw -U -v -V -w -W
    -Wcm -Wepd -Wfen -Wsan -Whalg -Wlalg -Welalg -Wxlalg -Wxolalg -Wuci -x -y -z -Z --50 --75 --addelotags
    --addfencastling --addfideidtags --addhashcode --addlabeltag --addmatchtag --allownullmoves --append --btm
    --checkfile --checkmate --commented --commentlines --deletesamesetup --detag --dropbefore --dropply --duplicates
    --evaluation --fencommentformat --fencomments --fenpattern --fenpatterni --fifty --firstgame --fixresulttags
    --fixtagstrings --fuzzydepth --gamelimit --hashcomments --help --higherratedwinner --insufficient --json
    --keepbroken --lichesscommentfix --linelength --linenumbers --lowerratedwinner --matchplylimit --markmatches
    --materialy --materialz --minmoves --minply --maxmoves --maxply --nestedcomments --nobadresults --nochecks
    --nocomments --noduplicates --nofauxep --nomovenumbers --nonags --noresults --nosetuptags --notags --nounique
    --novars --odds --onlysetuptags --output --piececount --plycount --plylimit --quiescent --quiet --repetition
    --repetition5 --selectonly --seven --seventyfive --skipmatching --splitvariants --stalemate --startply --stopafter
    --summary --suppressmatched --tagsubstr --totalplycount --underpromotion --version --vanywhere --wtm --xroster";

/// The cells of the rows of the page's tables that have so many columns: three for options, two for recipes.
fn rows(columns: usize) -> Vec<Vec<String>> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pgn-extract.md");
    let page = fs::read_to_string(page).expect("the page");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| pgn-extract"));

    let mut found = Vec::new();
    for row in rows {
        let cells = row.trim_matches('|').split(" | ");
        let cells: Vec<String> = cells.map(|cell| cell.trim().to_owned()).collect();
        assert!(matches!(cells.len(), 2 | 3), "{cells:?}");
        if cells.len() == columns {
            found.push(cells);
        }
    }

    found
}

/// The words of a cell in backticks that begin with a hyphen.
fn options(cell: &str) -> Vec<String> {
    let code = cell.split('`').skip(1).step_by(2);
    let words = code.flat_map(str::split_whitespace);
    words
        .filter(|word| word.starts_with('-'))
        .map(str::to_owned)
        .collect()
}

/// The words of a command line, in which single quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (at, part) in line.split('\'').enumerate() {
        let is_quoted = at % 2 == 1;
        for (at, text) in part.split(' ').enumerate() {
            // A space ends a word, unless it stands between quotes. The list is never empty.
            let Some(word) = words.last_mut() else {
                continue;
            };
            if at == 0 {
                word.push_str(text);
            } else if is_quoted {
                word.push(' ');
                word.push_str(text);
            } else {
                words.push(text.to_owned());
            }
        }
    }

    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_option_has_a_row() {
    let mut named: BTreeSet<String> = BTreeSet::new();
    for row in rows(3) {
        named.extend(options(&row[0]));
    }

    for option in OPTIONS.split_whitespace() {
        assert!(named.contains(option), "{option} has no row");
    }
}

#[test]
fn every_answer_is_an_option() {
    let work = Workplace::new();
    let help: String = ["convert", "search", "export"]
        .map(|name| work.output(&format!("help {name}")))
        .concat();
    let words = help.split(|sign: char| sign.is_whitespace() || sign == ',');
    let mut known: BTreeSet<&str> = words.filter(|word| word.starts_with("--")).collect();
    known.insert("--version");

    for row in rows(3) {
        for option in options(&row[1]) {
            if option.starts_with("--") {
                assert!(known.contains(option.as_str()), "{option} in {row:?}");
            }
        }
    }
}

#[test]
fn the_page_counts_its_rows() {
    let rows = rows(3);
    let mut missing = 0;
    let mut better = 0;
    for row in &rows {
        let [_, answer, reason] = &row[..] else {
            panic!("{row:?}")
        };
        if answer == "not here" {
            missing += 1;
            assert!(!reason.is_empty(), "{row:?}");
        }
        if reason.starts_with("better: ") {
            better += 1;
        }
    }

    let all = rows.len();
    let same = all - better - missing;
    let counts = format!("{all} rows: {same} the same, {better} better, {missing} not here");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pgn-extract.md");
    let page = fs::read_to_string(page).expect("the page");

    assert!(page.contains(&counts), "{counts}");
}

#[test]
fn every_recipe_runs() {
    let work = Workplace::new();
    let games = fs::read_to_string(games().join("today.pgn")).expect("games");
    work.write("games.pgn", &games);
    work.import(&games);

    let recipes = rows(2);
    assert!(recipes.len() >= 60, "{}", recipes.len());

    for recipe in recipes {
        // A cell has a whole command, or only the options of a conversion.
        let command = recipe[1].split('`').nth(1).expect("a command");
        let mut arguments = words(command);
        if arguments[0] == "stamma" {
            arguments.remove(0);
        } else {
            arguments.splice(..0, ["convert".to_owned(), "games.pgn".to_owned()]);
        }

        // The exit code is 1 if games have problems.
        let run = work.run(&arguments);
        let code = run.get_output().status.code();
        let stderr = stderr_of(&run);
        assert!(matches!(code, Some(0 | 1)), "{recipe:?}: {stderr}");
    }
}
