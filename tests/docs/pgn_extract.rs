//! The page for users of pgn-extract: it names all of that program's options, and none that Stamma does not have.

use std::collections::BTreeSet;
use std::fs;

use crate::support::program::Workplace;

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

/// The cells of the page's tables.
fn rows() -> Vec<Vec<String>> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pgn-extract.md");
    let page = fs::read_to_string(page).expect("the page");
    let rows =
        page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| pgn-extract"));
    let cells =
        |row: &str| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// The words of a cell in backticks that begin with a hyphen.
fn options(cell: &str) -> Vec<String> {
    let code = cell.split('`').skip(1).step_by(2);
    let words = code.flat_map(str::split_whitespace);
    words.filter(|word| word.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn every_option_has_a_row() {
    let named: Vec<String> = rows().iter().flat_map(|row| options(&row[0])).collect();
    let named: BTreeSet<&str> = named.iter().map(String::as_str).collect();
    let missing: Vec<&str> =
        OPTIONS.split_whitespace().filter(|option| !named.contains(option)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_answer_is_an_option() {
    let work = Workplace::new();
    let help: String =
        ["convert", "search", "export"].map(|name| work.output(&format!("help {name}"))).concat();
    let known: BTreeSet<&str> = help
        .split(|sign: char| sign.is_whitespace() || sign == ',')
        .filter(|word| word.starts_with("--"))
        .chain(["--version"])
        .collect();

    for row in rows() {
        assert_eq!(row.len(), 3, "{row:?}");
        for option in options(&row[1]).iter().filter(|option| option.starts_with("--")) {
            assert!(known.contains(option.as_str()), "{option} in {row:?}");
        }
    }
}
