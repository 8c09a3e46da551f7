//! The page for users of pgn-extract: it names all of that program's options, and none that Stamma does not have.

use std::collections::BTreeSet;
use std::fs;

use crate::support::program::{Workplace, games, messages};

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

    let cells = |row: &str| -> Vec<String> {
        row.trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().to_owned())
            .collect()
    };

    let rows: Vec<Vec<String>> = rows.map(cells).collect();
    assert!(
        rows.iter().all(|row| matches!(row.len(), 2 | 3)),
        "{rows:?}"
    );

    rows.into_iter()
        .filter(|row| row.len() == columns)
        .collect()
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
            let Some(word) = words.last_mut() else {
                continue;
            };
            match (at, is_quoted) {
                (0, _) => word.push_str(text),
                (_, true) => word.push_str(&format!(" {text}")),
                (_, false) => words.push(text.to_owned()),
            }
        }
    }

    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_option_has_a_row() {
    let named: Vec<String> = rows(3).iter().flat_map(|row| options(&row[0])).collect();
    let named: BTreeSet<&str> = named.iter().map(String::as_str).collect();
    let missing: Vec<&str> = OPTIONS
        .split_whitespace()
        .filter(|option| !named.contains(option))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_answer_is_an_option() {
    let work = Workplace::new();
    let help: String = ["convert", "search", "export"]
        .map(|name| work.output(&format!("help {name}")))
        .concat();
    let known: BTreeSet<&str> = help
        .split(|sign: char| sign.is_whitespace() || sign == ',')
        .filter(|word| word.starts_with("--"))
        .chain(["--version"])
        .collect();

    for row in rows(3) {
        for option in options(&row[1])
            .iter()
            .filter(|option| option.starts_with("--"))
        {
            assert!(known.contains(option.as_str()), "{option} in {row:?}");
        }
    }
}

#[test]
fn the_page_counts_its_rows() {
    let rows = rows(3);
    let is_missing = |row: &&Vec<String>| row[1] == "not here";
    let without_reason = |row: &&Vec<String>| row[2].is_empty();
    let missing: Vec<&Vec<String>> = rows.iter().filter(is_missing).collect();

    assert_eq!(
        missing.iter().copied().filter(without_reason).count(),
        0,
        "{missing:?}"
    );

    let better = rows
        .iter()
        .filter(|row| row[2].starts_with("better: "))
        .count();
    let same = rows.len() - better - missing.len();
    let counts = format!(
        "{} rows: {same} the same, {better} better, {} not here",
        rows.len(),
        missing.len()
    );
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
        let command = recipe[1].split('`').nth(1).expect("a command");
        let mut arguments = words(command);
        if arguments[0] == "stamma" {
            arguments.remove(0);
        } else {
            arguments.splice(..0, ["convert".to_owned(), "games.pgn".to_owned()]);
        }

        let run = work.run(&arguments);
        let code = run.get_output().status.code();
        assert!(
            matches!(code, Some(0 | 1)),
            "{recipe:?}: {}",
            messages(&run)
        );
    }
}
