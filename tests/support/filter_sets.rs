//! Sets of filters, as people ask for games in a pipe.

/// Each as arguments separated by spaces, `+` standing for a space within one.
pub(crate) const FILTER_SETS: [&str; 44] = [
    "--player fischer",
    "--player carlsen --elo 2700..",
    "--player kasp --player karp",
    "--white tal --result 1-0",
    "--black =Karpov,+Anatoly",
    "--player Carlsen,+Magnus --exact",
    "--player petrosyan",
    "--player mueller",
    "--event world",
    "--site london --until 1900",
    "--date 1972",
    "--since 1990.05 --until 1995",
    "--date ..1860",
    "--result 0-1,1/2-1/2 --plies ..40",
    "--result *",
    "--opening najdorf",
    "--opening ruy+exchange --result 1/2-1/2",
    "--eco B90",
    "--eco A00-B19 --white-elo 2500..2700",
    "--black-elo =2600",
    "--mean-elo 2650 --limit 20",
    "--elo ..2300",
    "--plies 150",
    "--ending checkmate",
    "--ending stalemate,insufficient-material",
    "--ending threefold,fivefold",
    "--ending fifty-moves,seventy-five-moves",
    "--title GM",
    "--variant chess960",
    "--variant standard --speed blitz",
    "--speed classical --annotated",
    "--humans",
    "--engines",
    "--annotated",
    "--comment move",
    "--comment better* --player a",
    "--tag ECO --tag Round=1",
    "--tag EventDate --limit 3",
    "--line 1.+e4+c5+2.+Nf3",
    "--material KRPkr",
    "--material bishops=opposite+pieces<=14 --flip colour",
    "--pattern */*/*/*/???PP --for 10",
    "--moves-through Bxh7+Kxh7 --limit 2",
    "--limit 7",
];

/// The arguments of a set.
pub(crate) fn arguments(set: &str) -> Vec<String> {
    set.split(' ').map(|argument| argument.replace('+', " ")).collect()
}
