//! Functions that give a table, as SQLite has them: virtual tables with hidden columns for arguments.
//!
//! The only file of this room that knows C. A [`TableFunction`] is plain Rust: values in, rows out,
//! one after another as they are asked for.

#![expect(unsafe_code, reason = "SQLite reaches virtual tables through structures of C")]

use std::borrow::Cow;
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rusqlite::types::Value;
use rusqlite::vtab::{
    Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConfig, VTabConnection,
    VTabCursor, sqlite3_vtab, sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error, Result};

use super::failure;

/// A function that gives a table.
pub(super) trait TableFunction: 'static {
    /// Its name in SQL.
    const NAME: &'static str;
    /// `CREATE TABLE x(…)` with its columns, then its arguments, which are `HIDDEN`.
    const SCHEMA: &'static CStr;
    /// How many columns there are, without arguments.
    const COLUMNS: usize;
    /// How many arguments it needs.
    const ARGUMENTS: usize;
    /// What to say when an argument is missing.
    const NEEDS: &'static str;
    /// `true` when the first column ascends from row to row.
    const ASCENDS: bool;
    /// How many rows to expect.
    const USUAL_ROWS: u32;
    /// What a row costs, beside one of an ordinary table.
    const ROW_COST: f64;
    /// The rows, and how far they have been read.
    type Rows: Rows;

    /// Calls the function with its arguments, none of which is NULL.
    fn call(connection: &Connection, arguments: &[Value]) -> Result<Self::Rows>;
}

/// Rows that are worked out when they are asked for.
pub(super) trait Rows {
    /// The next row, a value for each column, nothing at the end.
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>>;
}

/// Adds a function to a connection.
pub(super) fn register<F: TableFunction>(connection: &Connection) -> Result<()> {
    let module = const { &Module::<'static, Table<F>>::eponymous_only_module() };
    connection.create_module(F::NAME, module, None)
}

/// A function in one connection.
#[repr(C)]
struct Table<F> {
    base: sqlite3_vtab,
    connection: Rc<Connection>,
    function: PhantomData<F>,
}

// SAFETY: the structure is `repr(C)` and begins with its `sqlite3_vtab`.
unsafe impl<'vtab, F: TableFunction> VTab<'vtab> for Table<F> {
    type Aux = ();
    type Cursor = Cursor<F>;

    fn connect(
        db: &mut VTabConnection,
        _aux: Option<&()>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Table<F>)> {
        db.config(VTabConfig::Innocuous)?;
        // SAFETY: SQLite disconnects its virtual tables before it closes the connection, and closes
        // their cursors before that, so what is made here never outlives the handle. The new
        // `Connection` does not own it, and its statements are finalized when it is dropped.
        let connection = unsafe { Connection::from_handle(db.handle())? };
        let (base, connection) = (sqlite3_vtab::default(), Rc::new(connection));
        Ok((Cow::Borrowed(F::SCHEMA), Table { base, connection, function: PhantomData }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        guarded(|| Ok(plan::<F>(info)))
    }

    fn open(&'vtab mut self) -> Result<Cursor<F>> {
        Ok(Cursor {
            base: sqlite3_vtab_cursor::default(),
            connection: Rc::clone(&self.connection),
            arguments: Vec::new(),
            rows: None,
            row: None,
            number: 0,
        })
    }
}

/// `false` when an argument is not known yet where SQLite thinks of calling the function.
///
/// Without an argument there is a plan, too: SQLite also asks for parts of a `WHERE` alone.
/// It is the last to be chosen, and running it says what is missing.
fn plan<F: TableFunction>(info: &mut IndexInfo) -> bool {
    let mut found: Vec<Option<usize>> = vec![None; F::ARGUMENTS];
    let mut is_unknown = false;
    for (i, constraint) in info.constraints().enumerate() {
        let column = usize::try_from(constraint.column()).ok();
        let argument = column.and_then(|column| column.checked_sub(F::COLUMNS));
        let is_equal = constraint.operator() == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ;
        let place = argument.filter(|_| is_equal).and_then(|argument| found.get_mut(argument));
        match place {
            Some(place) if constraint.is_usable() => *place = place.or(Some(i)),
            Some(_) => is_unknown = true,
            None => {}
        }
    }
    let Some(found) = found.into_iter().collect::<Option<Vec<usize>>>() else {
        info.set_idx_num(0);
        info.set_estimated_cost(f64::from(i32::MAX));
        info.set_estimated_rows(i64::from(i32::MAX));
        return !is_unknown;
    };
    for (argument, constraint) in (1..).zip(found) {
        let mut usage = info.constraint_usage(constraint);
        usage.set_argv_index(argument);
        usage.set_omit(true);
    }
    info.set_idx_num(1);
    info.set_estimated_cost(f64::from(F::USUAL_ROWS) * F::ROW_COST);
    info.set_estimated_rows(i64::from(F::USUAL_ROWS));
    info.set_order_by_consumed(F::ASCENDS && orders_by_first_column(info));
    true
}

fn orders_by_first_column(info: &IndexInfo) -> bool {
    info.num_of_order_by() == 1
        && info.order_bys().all(|order| order.column() == 0 && !order.is_order_by_desc())
}

/// A call of a function, and the row that it stands at.
#[repr(C)]
struct Cursor<F: TableFunction> {
    base: sqlite3_vtab_cursor,
    connection: Rc<Connection>,
    arguments: Vec<Value>,
    rows: Option<F::Rows>,
    row: Option<Vec<Value>>,
    number: i64,
}

impl<F: TableFunction> Cursor<F> {
    fn start(&mut self, arguments: Vec<Value>) -> Result<()> {
        self.rows = None;
        self.row = None;
        self.number = 0;
        self.arguments = arguments;
        if !self.arguments.contains(&Value::Null) {
            self.rows = Some(F::call(&self.connection, &self.arguments)?);
        }
        self.advance()
    }

    fn advance(&mut self) -> Result<()> {
        self.number += 1;
        self.row = match &mut self.rows {
            Some(rows) => rows.next(&self.connection)?,
            None => None,
        };
        Ok(())
    }

    fn cell(&self, column: c_int) -> Option<&Value> {
        let column = usize::try_from(column).ok()?;
        match column.checked_sub(F::COLUMNS) {
            Some(argument) => self.arguments.get(argument),
            None => self.row.as_ref()?.get(column),
        }
    }
}

// SAFETY: the structure is `repr(C)` and begins with its `sqlite3_vtab_cursor`.
unsafe impl<F: TableFunction> VTabCursor for Cursor<F> {
    fn filter(&mut self, plan: c_int, _name: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        if plan == 0 {
            return Err(failure(F::NEEDS));
        }
        guarded(|| {
            let arguments = (0..arguments.len()).map(|i| arguments.get(i));
            self.start(arguments.collect::<Result<Vec<Value>>>()?)
        })
    }

    fn next(&mut self) -> Result<()> {
        guarded(|| self.advance())
    }

    fn eof(&self) -> bool {
        self.row.is_none()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        context.set_result(self.cell(column).unwrap_or(&Value::Null))
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.number)
    }
}

/// A panic may not leave what C has called: it would end the host.
fn guarded<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    let bug = |_| Err::<R, Error>(failure("a bug in Stamma has been met; please report it"));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(bug)
}
