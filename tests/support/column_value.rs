//! A plain reader of blocks of the column store, as `docs/columns.md` specifies them.

use rusqlite::Connection;

/// The value of a game in a column.
pub(crate) fn value(connection: &Connection, column: i64, game: i64) -> u64 {
    let sql = "SELECT data FROM game_column WHERE id = ?1";
    let data: Vec<u8> = connection
        .query_row(sql, [column << 52 | game >> 12], |row| row.get(0))
        .expect("a block");
    let (place, values) = ((game & 4095) as usize, number(&data[9..11]) as usize);
    let least = number(&data[..8]);
    let (width, entries) = (usize::from(data[8]), number(&data[11..13]) as usize);
    let (dictionary, list) = data[13..].split_at((width * entries).div_ceil(8));
    if entries == 0 {
        assert_eq!(list.len(), (width * values).div_ceil(8));
        return least + bits(list, width * place, width);
    }
    let place_width = (usize::BITS - (entries - 1).leading_zeros()) as usize;
    assert_eq!(list.len(), (place_width * values).div_ceil(8));
    let entry = bits(list, place_width * place, place_width) as usize;
    least + bits(dictionary, width * entry, width)
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

fn bits(bytes: &[u8], start: usize, width: usize) -> u64 {
    let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
    (0..width).map(|at| bit(start + at) << at).sum()
}
