//! A document with a block of each kind, as each renderer writes it.

use super::*;
use crate::board::{Color, Piece, Role, Setup, Square};
use crate::storage::GameId;

fn document() -> Document {
    let mut document = Document::new("Openings of <A&B> | 1*");
    document.paragraph([
        "1. e4 was ".into(),
        Span::strong("the_most"),
        " played.".into(),
    ]);

    document.heading("Numbers [x]");
    document.chart(Chart::of(
        "games by year",
        Unit::Count,
        ChartKind::Bars,
        [("1999", Some(3.0)), ("2000", None), ("2001", Some(7.0))]
            .map(|(year, value)| (year.to_owned(), value)),
    ));

    document.subheading("Lines");
    let mut table = Table::new([
        Column::text("move"),
        Column::number("games"),
        Column::text("results"),
        Column::text("trend").extra(),
    ]);

    let trend = || Cell::Trend(vec![Some(1.0), None, Some(2.0)]);
    table.rows.push(vec![
        Cell::Indented(0, vec![Span::position("1. e4|", "FEN")]),
        "1,234".into(),
        Cell::results([2, 1, 1]),
        trend(),
    ]);

    table.rows.push(vec![
        Cell::Indented(1, vec!["1... c5".into()]),
        "2".into(),
        Cell::score([1, 0, 1]),
        trend(),
    ]);

    table.rows.push(vec!["rest".into()]);
    document.table(table);
    document.note("2 games left out");
    document.heading("Games");
    document.list([
        vec![Span::game("Tal – Botvinnik", GameId::new(12))],
        vec![Span::Link(
            "page".into(),
            Target::Web("https://example.org/?a=1&b=2".into()),
        )],
    ]);

    document.heading("Boards");
    document.moves(["main line".into()], "1. e4 e5 2. Nf3");
    document.boards(vec![Board {
        setup: Setup::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").expect("a FEN"),
        is_flipped: false,
        moved: Some([Square::E2, Square::E4]),
        caption: vec!["after 1. e4".into()],
    }]);

    document.heat_boards(vec![HeatBoard {
        piece: Piece {
            color: Color::White,
            role: Role::Knight,
        },
        is_flipped: false,
        shares: vec![(Square::F3, 0.75), (Square::C3, 0.25)],
        caption: vec!["knights".into()],
    }]);

    document
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown(&document()), @r####"
    # Openings of \<A\&B\> \| 1\*

    1\. e4 was **the\_most** played.

    ## Numbers \[x\]

    games by year 1999–2001

    - `▄ █` most 7 (2001)

    ### Lines

    | move | games | results | trend |
    | --- | ---: | --- | --- |
    | 1. e4\| | 1,234 | 50 / 25 / 25 | ▅ █ |
    |  1... c5 | 2 | 50 / 0 / 50 | ▅ █ |
    | rest |  |  |  |

    2 games left out

    ## Games

    - Tal – Botvinnik
    - [page](https://example.org/?a=1&b=2)

    ## Boards

    main line 1. e4 e5 2. Nf3

    after 1. e4

    ```text
    8 · · · · ♚ · · ·
    7 · · · · · · · ·
    6 · · · · · · · ·
    5 · · · · · · · ·
    4 · · · ·[♙]· · ·
    3 · · · · · · · ·
    2 · · · · × · · ·
    1 · · · · ♔ · · ·
      a b c d e f g h
    ```

    - knights: f3 75 %, c3 25 %
    "####);
}

#[test]
fn as_html() {
    let addresses = |target: &Target| match target {
        Target::Game { game, .. } => Some(format!("#game?id={game}&x")),
        Target::Position(fen) => Some(format!("#explorer?fen={fen}")),
        _ => None,
    };
    let fragment = html_fragment(&document(), &addresses);

    // A strict Content-Security-Policy forbids style attributes.
    assert!(!fragment.contains("style="), "{fragment}");

    // The squares and shapes of boards are many.
    let is_shape = |line: &str| line.starts_with("<rect") || line.starts_with("<path");
    let lines: Vec<&str> = fragment.lines().filter(|line| !is_shape(line)).collect();
    insta::assert_snapshot!(lines.join("\n"), @r####"
    <article class="report">
    <h1>Openings of &lt;A&amp;B&gt; | 1*</h1>
    <p>1. e4 was <strong>the_most</strong> played.</p>
    <section>
    <h2>Numbers [x]</h2>
    <figure class="chart">
    <figcaption>games by year</figcaption>
    <svg viewBox="0 0 520 190" role="img" aria-label="games by year, 1999–2001">
    <line class="grid" x1="44" y1="168.0" x2="512" y2="168.0"/><text class="tick" x="38.0" y="172.0" font-size="11" text-anchor="end">0</text>
    <line class="grid" x1="44" y1="128.5" x2="512" y2="128.5"/><text class="tick" x="38.0" y="132.5" font-size="11" text-anchor="end">2</text>
    <line class="grid" x1="44" y1="89.0" x2="512" y2="89.0"/><text class="tick" x="38.0" y="93.0" font-size="11" text-anchor="end">4</text>
    <line class="grid" x1="44" y1="49.5" x2="512" y2="49.5"/><text class="tick" x="38.0" y="53.5" font-size="11" text-anchor="end">6</text>
    <line class="grid" x1="44" y1="10.0" x2="512" y2="10.0"/><text class="tick" x="38.0" y="14.0" font-size="11" text-anchor="end">8</text>
    <text class="tick" x="122.0" y="184.0" font-size="11" text-anchor="middle">1999</text>
    <text class="tick" x="278.0" y="184.0" font-size="11" text-anchor="middle">2000</text>
    <text class="tick" x="434.0" y="184.0" font-size="11" text-anchor="middle">2001</text>
    </svg>
    </figure>
    <div class="part">
    <h3>Lines</h3>
    <div class="wide"><table>
    <thead><tr><th scope="col">move</th><th scope="col" class="number">games</th><th scope="col">results</th><th scope="col" class="extra">trend</th></tr></thead>
    <tbody>
    <tr><td class="depth-0"><a href="#explorer?fen=FEN">1. e4|</a></td><td class="number">1,234</td><td><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="50 % White, 25 % draws, 25 % Black"><title>50 % White, 25 % draws, 25 % Black</title><rect class="white-part" x="0.00" y="0" width="50.00" height="10"/><rect class="draws-part" x="50.00" y="0" width="25.00" height="10"/><rect class="black-part" x="75.00" y="0" width="25.00" height="10"/></svg></td><td class="extra"><svg class="trend" viewBox="0 0 30 20" preserveAspectRatio="none" aria-hidden="true"><rect class="series-1" x="1" y="10.0" width="8" height="10.0"/><rect class="series-1" x="21" y="0.0" width="8" height="20.0"/></svg></td></tr>
    <tr><td class="depth-1">1... c5</td><td class="number">2</td><td><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="50 % won, 0 % drawn, 50 % lost"><title>50 % won, 0 % drawn, 50 % lost</title><rect class="wins-part" x="0.00" y="0" width="50.00" height="10"/><rect class="losses-part" x="50.00" y="0" width="50.00" height="10"/></svg></td><td class="extra"><svg class="trend" viewBox="0 0 30 20" preserveAspectRatio="none" aria-hidden="true"><rect class="series-1" x="1" y="10.0" width="8" height="10.0"/><rect class="series-1" x="21" y="0.0" width="8" height="20.0"/></svg></td></tr>
    <tr><td>rest</td><td colspan="3"></td></tr>
    </tbody>
    </table></div>
    <p class="note">2 games left out</p>
    </div>
    </section>
    <section>
    <h2>Games</h2>
    <ul>
    <li><a href="#game?id=12&amp;x">Tal – Botvinnik</a></li>
    <li><a href="https://example.org/?a=1&amp;b=2">page</a></li>
    </ul>
    </section>
    <section>
    <h2>Boards</h2>
    <p class="moves">main line <span>1. e4 e5 2. Nf3</span></p>
    <div class="boards">
    <figure class="board">
    <svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" viewBox="0 0 800 800" role="img">
    <title>4k3/8/8/8/4P3/8/8/4K3 b - - 0 1</title>
    <defs>
    <g id="board-1-K" transform="translate(-7 -4) scale(1.14)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">
    </g>
    <g id="board-1-P" transform="translate(-7 -4) scale(1.14)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">
    </g>
    <g id="board-1-k" transform="translate(-7 -4) scale(1.14)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">
    </g>
    </defs>
    <use href="#board-1-k" x="400" y="0"/>
    <use href="#board-1-P" x="400" y="400"/>
    <use href="#board-1-K" x="400" y="700"/>
    </svg>
    <figcaption>after 1. e4</figcaption>
    </figure>
    </div>
    <div class="boards heat">
    <figure class="board">
    <svg viewBox="0 0 160 160" width="240" height="240" role="img" aria-label="f3 75 %, c3 25 %">
    <g><title>f3: 75.0 %</title><rect class="heat-square" x="100" y="100" width="20" height="20" fill-opacity="0.89"/><text class="strong" x="110" y="113" font-size="8" text-anchor="middle">75</text></g>
    <g><title>c3: 25.0 %</title><rect class="heat-square" x="40" y="100" width="20" height="20" fill-opacity="0.57"/><text class="strong" x="50" y="113" font-size="8" text-anchor="middle">25</text></g>
    </svg>
    <figcaption>knights</figcaption>
    </figure>
    </div>
    </section>
    </article>
    "####);
}

#[test]
fn pages_need_no_other_file() {
    let page = html_page(&document());
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    assert!(page.ends_with("</html>\n"), "{page}");

    for foreign in ["<link", "<script", "src=", "@import", "url(", "style="] {
        assert!(!page.contains(foreign), "{foreign}");
    }

    assert_eq!(page.matches("<style>").count(), 1);
    assert_eq!(page.matches("<h2 id=\"s2\">Games</h2>").count(), 1);
    assert_eq!(page.matches("href=\"#s2\"").count(), 1);
}

#[test]
fn elements_are_closed() {
    let page = html_page(&document());
    for name in [
        "article", "table", "tr", "td", "th", "svg", "figure", "ul", "li", "p", "g", "a",
    ] {
        let without_attributes = page.matches(&format!("<{name}>")).count();
        let with_attributes = page.matches(&format!("<{name} ")).count();
        let closed = page.matches(&format!("</{name}>")).count();

        assert_eq!(without_attributes + with_attributes, closed, "{name}");
    }
}

#[test]
fn empty_blocks_are_left_out() {
    let without_rows = Table::new([Column::text("a")]);
    let without_values = Chart::of("", Unit::Count, ChartKind::Lines, []);

    let mut document = Document::new("");
    document.table(without_rows);
    document.list([]);
    document.boards(Vec::new());
    document.heat_boards(Vec::new());
    document.chart(without_values);

    assert_eq!(document.blocks, []);
    assert_eq!(markdown(&document), "# \n");
}
