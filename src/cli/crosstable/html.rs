//! A crosstable as a page of HTML, which needs no other file.

use super::cells::{Grid, grid, matches};
use super::heading::heading;
use super::notes::system;
use crate::cli::terminal::counted;
use stamma::query::{Crosstable, System, Tournament};

const STYLE: &str =
    "body{font:16px/1.4 system-ui,sans-serif;margin:1.5rem auto;max-width:75rem;padding:0 1rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .5rem;border-bottom:1px solid #8884;text-align:left;white-space:nowrap}
.number{text-align:right}:root{color-scheme:light dark}";

/// The page.
pub(super) fn page(tournament: &Tournament, crosstable: &Crosstable, notes: &[String]) -> String {
    let title = escaped(&heading(tournament));
    let players = counted(crosstable.standings.len() as u64, "player", "players");
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{}</h1>\n<p>{title}: {players}, {}</p>\n",
        escaped(&tournament.event),
        escaped(&system(crosstable)),
    );
    if crosstable.system == System::KnockOut {
        page += &table(&matches(crosstable));
    }
    page += &table(&grid(crosstable));
    if !notes.is_empty() {
        page += "<ul>\n";
        notes.iter().for_each(|note| page += &format!("<li>{}\n", escaped(note)));
        page += "</ul>\n";
    }
    page + "</html>\n"
}

fn table(grid: &Grid) -> String {
    let mut text = String::from("<div class=\"wide\"><table>\n");
    for (line, row) in grid.rows.iter().enumerate() {
        let tag = if line == 0 { "th" } else { "td" };
        text += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let class = if grid.right_aligned.contains(&column) { " class=\"number\"" } else { "" };
            text += &format!("<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        text += "</tr>\n";
    }
    text + "</table></div>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_not_markup() {
        assert_eq!(escaped("<b>\"A&B\""), "&lt;b&gt;&quot;A&amp;B&quot;");
    }
}
