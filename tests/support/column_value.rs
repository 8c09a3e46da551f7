//! A plain reader of blocks of the column store, as `docs/columns.md` specifies them.

use rusqlite::Connection;

/// The value of a game in a column.
pub(crate) fn value(connection: &Connection, column: i64, game: i64) -> u64 {
    // The values of 4096 games, whose numbers differ only in the lowest 12 bits, are a block.
    let block = column << 52 | game >> 12;
    let place = (game & 4095) as usize;
    let sql = "SELECT data FROM game_column WHERE id = ?1";
    let data: Vec<u8> = connection
        .query_row(sql, [block], |row| row.get(0))
        .expect("a block");

    // The header: the lowest value, the bits of a difference to it, the number of values, and of entries in the
    // dictionary.
    let least = number(&data[..8]);
    let width = usize::from(data[8]);
    let values = number(&data[9..11]) as usize;
    let entries = number(&data[11..13]) as usize;
    let dictionary_bytes = (width * entries).div_ceil(8);
    let (dictionary, list) = data[13..].split_at(dictionary_bytes);

    if entries == 0 {
        // Without a dictionary, the list has the differences themselves.
        assert_eq!(list.len(), (width * values).div_ceil(8));
        return least + bits(list, width * place, width);
    }

    // An index into the dictionary has as many bits as the highest one needs.
    let highest_index = entries - 1;
    let index_width = (usize::BITS - highest_index.leading_zeros()) as usize;
    assert_eq!(list.len(), (index_width * values).div_ceil(8));
    let index = bits(list, index_width * place, index_width) as usize;
    least + bits(dictionary, width * index, width)
}

/// A little-endian number.
fn number(bytes: &[u8]) -> u64 {
    let mut number = 0;
    for byte in bytes.iter().rev() {
        number = number << 8 | u64::from(*byte);
    }
    number
}

/// The number in some bits, from the lowest bits of the first byte on.
fn bits(bytes: &[u8], start: usize, width: usize) -> u64 {
    let mut number = 0;
    for place in 0..width {
        let at = start + place;
        let bit = bytes[at / 8] >> (at % 8) & 1;
        number |= u64::from(bit) << place;
    }
    number
}
