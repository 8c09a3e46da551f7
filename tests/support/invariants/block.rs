//! Whatever bytes the position index contains, queries are answered or refused, and soon.
//!
//! The bytes are written to an empty database by SQL, as any program could do, so that all paths from rows to answers
//! are covered.

use rusqlite::{Connection, params};
use stamma::board::Position;
use stamma::query::PositionSearch;

/// The tables, as the migration makes them.
const SCHEMA: &str = include_str!("../../../migrations/0001_games.sql");
/// Games that have changed since they were indexed.
const STALE: &str = "INSERT INTO stale_game VALUES
    (1, 0, '1-0', 2500, NULL, '1990'), (2, 1, '0-1', NULL, 2400, '2001'), (9, 1, '*', 1, 9999, NULL)";

thread_local! {
    static DATABASE: Connection = empty_database();
}

fn empty_database() -> Connection {
    let connection = Connection::open_in_memory().expect("memory");
    connection.execute_batch(SCHEMA).expect("the schema");
    connection
}

/// Checks any bytes: first the bytes of a [`Segment`], then the contents of its blocks.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((head, data)) = bytes.split_first_chunk() else {
        return;
    };
    let segment = Segment(*head);
    DATABASE.with(|connection| {
        let transaction = connection.unchecked_transaction().expect("a transaction");
        segment.insert(connection, data).expect("rows");
        assert_agree(connection, segment.has_stale_games());
        transaction.rollback().expect("no rows again");
    });
}

/// The parameters of a segment: flags, the bits of keys and of games, the distance of the first key.
struct Segment([u8; 4]);

impl Segment {
    /// The header before the start position in a first block that contains nothing else.
    const HEADER: [u8; 3] = [0, 1, 0];

    /// Whether the start position is a popular one, and the bytes are its data.
    fn begins_with_start(&self) -> bool {
        self.0[0] & 1 == 1
    }

    fn has_stale_games(&self) -> bool {
        self.0[0] & 2 == 2
    }

    /// Whether its games have the highest possible numbers.
    fn is_last(&self) -> bool {
        self.0[0] & 4 == 4
    }

    /// Whether its data are a chain of two blocks.
    fn is_chain(&self) -> bool {
        self.0[0] & 8 == 8
    }

    fn key_bits(&self) -> u32 {
        u32::from(self.0[1]) % 32 + 1
    }

    fn game_bits(&self) -> u8 {
        self.0[2] % 33
    }

    fn games(&self) -> (i64, i64) {
        if self.is_last() {
            (i64::MAX - 40, i64::MAX)
        } else {
            (1, 1 << 32)
        }
    }

    fn insert(&self, connection: &Connection, bytes: &[u8]) -> rusqlite::Result<()> {
        let (first, last) = self.games();
        let sql = "INSERT INTO position_segment VALUES (1, 1, 0, ?1, ?2, 100, ?3, ?4)";
        connection.execute(sql, params![first, last, self.key_bits(), self.game_bits()])?;
        if self.has_stale_games() {
            connection.execute(STALE, [])?;
        }

        // The second block of a chain continues the list of the first one.
        let data = self.data(bytes);
        let first_bytes = if self.is_chain() {
            data.len() / 2
        } else {
            data.len()
        };
        let (first_block, second_block) = data.split_at(first_bytes);

        let sql = "INSERT INTO position_block (id, data) VALUES (?1, ?2)";
        let id = self.block_id();
        connection.execute(sql, params![id, first_block])?;
        connection.execute(sql, params![id + 1, second_block])?;
        Ok(())
    }

    /// The segment in the bits from 50 on, then the first key in 32 bits, then the number in a chain.
    fn block_id(&self) -> i64 {
        // The key of the start position, as short as keys of this segment are.
        let start_key = Position::start().key() >> (64 - self.key_bits());
        let distance = u64::from(self.0[3]);
        let first_key = start_key.saturating_sub(distance);

        // A shorter key has the upper bits of the 32. The number in a chain is in the 18 bits below, and is 0.
        let key_in_id = first_key << (32 - self.key_bits()) << 18;
        let segment: i64 = 1 << 50;
        segment | key_in_id.cast_signed()
    }

    /// The bytes of the block, optionally after the bits that lead to the start position.
    fn data(&self, bytes: &[u8]) -> Vec<u8> {
        if !self.begins_with_start() {
            return bytes.to_vec();
        }

        let start = Position::start();
        let mut bits = vec![false, true, true, true];
        // The rest of the key, and the 14 bits of the check.
        push_bits(&mut bits, start.key(), 64 - self.key_bits());
        push_bits(&mut bits, start.check_key().into(), 14);
        for &byte in bytes {
            push_bits(&mut bits, byte.into(), 8);
        }

        let mut data = Segment::HEADER.to_vec();
        for eight in bits.chunks(8) {
            let mut byte = 0;
            for &bit in eight.iter().rev() {
                byte = byte << 1 | u8::from(bit);
            }
            data.push(byte);
        }
        data
    }
}

/// Appends the lowest bits of a number, beginning with the lowest one.
fn push_bits(bits: &mut Vec<bool>, number: u64, count: u32) {
    for place in 0..count {
        bits.push(number >> place & 1 == 1);
    }
}

/// All queries terminate, and agree on the number of games if none has changed.
fn assert_agree(connection: &Connection, has_stale_games: bool) {
    let wanted = [Position::start()];
    let Ok(search) = PositionSearch::new(connection) else {
        return;
    };
    let count = search.count(connection, &wanted);
    let moves = search.moves(connection, &wanted);

    // No game is stored, so none is listed.
    let listed = search.games(connection, &wanted, 10);
    assert!(listed.is_err() || listed.is_ok_and(|games| games.is_empty()));

    if let (Ok(count), Ok(moves), false) = (count, moves, has_stale_games) {
        let counted = moves.iter().map(|played| played.counts.all_games());
        assert_eq!(count, counted.sum::<u64>());
    }
}
