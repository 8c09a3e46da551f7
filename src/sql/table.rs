//! Table-valued functions as virtual tables with hidden columns for arguments.
//!
//! Only this file deals with C, apart from a connection that `scalar.rs` borrows. A [`TableFunction`] is plain Rust:
//! values in, rows out, lazily.

#![expect(
    unsafe_code,
    reason = "SQLite reaches virtual tables through structures of C"
)]

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
use rusqlite::{Connection, Result};

use super::failure::failure;

/// A table-valued function.
pub(super) trait TableFunction: 'static {
    /// The name in SQL.
    const NAME: &'static str;
    /// `CREATE TABLE x(…)` with the columns, then the arguments, which are `HIDDEN`. The name of an argument must
    /// differ from the columns of all tables that the function may be joined with, or their names become ambiguous.
    const SCHEMA: &'static CStr;
    /// The number of columns, without arguments.
    const COLUMNS: usize;
    /// The number of required arguments.
    const ARGUMENTS: usize;
    /// The error message for a missing argument.
    const NEEDS: &'static str;
    /// `true` if the first column ascends from row to row.
    const ASCENDS: bool;
    /// `true` if the row with a given value in the first column is found fast.
    const FINDS_ONE: bool;
    /// The number of rows to expect.
    const EXPECTED_ROWS: u32;
    /// The cost of a row, relative to a row of an ordinary table.
    const ROW_COST: f64;
    /// The rows, and the state of reading them.
    type Rows: Rows;

    /// Calls the function with its arguments, none of which is NULL.
    ///
    /// With `FINDS_ONE`, `first` may be the value that the first column will be compared with; rows with another value
    /// there may be left out.
    fn call(
        connection: &Connection,
        arguments: &[Value],
        first: Option<&Value>,
    ) -> Result<Self::Rows>;
}

/// A lazy cursor over rows.
pub(super) trait Rows {
    /// The next row, a value for each column; `None` at the end.
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>>;
}

/// Rows that are all made by the call of a function.
pub(super) type RowList = std::vec::IntoIter<Vec<Value>>;

impl Rows for RowList {
    fn next(&mut self, _connection: &Connection) -> Result<Option<Vec<Value>>> {
        Ok(Iterator::next(self))
    }
}

/// Adds a function to a connection.
pub(super) fn register<F: TableFunction>(connection: &Connection) -> Result<()> {
    let module = const { &Module::<'static, Table<F>>::eponymous_only_module() };
    connection.create_module(F::NAME, module, None)
}

/// The first version of SQLite in which a virtual table can require that all its rows come from one snapshot, even if
/// other programs write meanwhile.
const USES_ALL_SCHEMAS_VERSION: c_int = 3_041_000;

/// A table-valued function as a virtual table of one connection.
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
        // Innocuous functions may be used in views and triggers of databases that are not trusted.
        db.config(VTabConfig::Innocuous)?;
        if rusqlite::version_number() >= USES_ALL_SCHEMAS_VERSION {
            db.config(VTabConfig::UsesAllSchemas)?;
        }

        // SAFETY: SQLite disconnects its virtual tables before it closes the connection, and closes
        // their cursors before that, so the new `Connection` never outlives the handle. The new
        // `Connection` does not own the handle, and finalizes its statements when it is dropped.
        let connection = unsafe { Connection::from_handle(db.handle())? };
        let table = Table {
            base: sqlite3_vtab::default(),
            connection: Rc::new(connection),
            function: PhantomData,
        };
        Ok((Cow::Borrowed(F::SCHEMA), table))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        catch_panic(|| Ok(plan::<F>(info)))
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

/// The plan of a call that lacks an argument, which is an error.
const WITHOUT_ARGUMENTS: c_int = 0;
/// The plan of a call with all arguments.
const WITH_ARGUMENTS: c_int = 1;
/// The plan of a call with all arguments and a value for the first column.
const FOR_ONE_ROW: c_int = 2;

/// The estimated rows of a call that lacks an argument: more than of any other plan, so that SQLite chooses another
/// plan if there is one.
const DISCOURAGING_ROWS: u32 = i32::MAX as u32;

/// The constraints that a plan can use, by their indices in the list of all constraints.
struct UsableConstraints {
    /// The constraint of each argument; `None` if the call lacks the argument.
    arguments: Vec<Option<usize>>,
    first_column: Option<usize>,
    /// `true` if an argument becomes known only after the planned call, which is too early then.
    is_too_early: bool,
}

impl UsableConstraints {
    /// The constraints that compare an argument or the first column for equality.
    fn read<F: TableFunction>(info: &IndexInfo) -> UsableConstraints {
        let mut usable = UsableConstraints {
            arguments: vec![None; F::ARGUMENTS],
            first_column: None,
            is_too_early: false,
        };

        for (index, constraint) in info.constraints().enumerate() {
            if constraint.operator() != IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ {
                continue;
            }

            // The row number is column -1.
            let Ok(column) = usize::try_from(constraint.column()) else {
                continue;
            };

            // The columns of the arguments follow the other columns.
            let number = column.checked_sub(F::COLUMNS);
            let argument = number.and_then(|number| usable.arguments.get_mut(number));
            match (argument, constraint.is_usable()) {
                (Some(place), true) => *place = place.or(Some(index)),
                (Some(_), false) => usable.is_too_early = true,
                (None, true) if column == 0 => usable.first_column = Some(index),
                (None, _) => {}
            }
        }
        usable
    }
}

/// Plans a call; returns `false` if an argument is not yet known at the planned call.
///
/// A call that lacks an argument has a plan, too, because SQLite also plans the parts of a `WHERE` separately. This
/// plan is the most expensive plan. Its execution reports the missing argument.
fn plan<F: TableFunction>(info: &mut IndexInfo) -> bool {
    let usable = UsableConstraints::read::<F>(info);
    let Some(arguments) = usable.arguments.into_iter().collect::<Option<Vec<usize>>>() else {
        set_plan(info, WITHOUT_ARGUMENTS, DISCOURAGING_ROWS, 1.0);
        return !usable.is_too_early;
    };

    // SQLite counts the values that it passes to `filter` from 1.
    for (place, constraint) in (1..).zip(arguments) {
        let mut usage = info.constraint_usage(constraint);
        usage.set_argv_index(place);
        usage.set_omit(true);
    }

    match usable.first_column {
        Some(constraint) if F::FINDS_ONE => {
            // SQLite compares the value again, so the function may return rows with other values.
            let mut usage = info.constraint_usage(constraint);
            usage.set_argv_index(F::ARGUMENTS as c_int + 1);
            set_plan(info, FOR_ONE_ROW, 1, F::ROW_COST);
        }
        _ => set_plan(info, WITH_ARGUMENTS, F::EXPECTED_ROWS, F::ROW_COST),
    }

    info.set_order_by_consumed(F::ASCENDS && orders_by_first_column(info));
    true
}

/// Sets the number of a plan, with its estimated rows and cost.
fn set_plan(info: &mut IndexInfo, plan: c_int, rows: u32, row_cost: f64) {
    info.set_idx_num(plan);
    info.set_estimated_rows(i64::from(rows));
    info.set_estimated_cost(f64::from(rows) * row_cost);
}

/// `true` if the query orders by the first column alone, ascending.
fn orders_by_first_column(info: &IndexInfo) -> bool {
    // The function does not order rows with equal values in the first column, so it cannot serve a second key.
    if info.num_of_order_by() != 1 {
        return false;
    }

    let mut orders = info.order_bys();
    orders.all(|order| order.column() == 0 && !order.is_order_by_desc())
}

/// A running call of a function, and its current row.
#[repr(C)]
struct Cursor<F: TableFunction> {
    base: sqlite3_vtab_cursor,
    connection: Rc<Connection>,
    arguments: Vec<Value>,
    rows: Option<F::Rows>,
    row: Option<Vec<Value>>,
    /// The number of the current row, from 1.
    number: i64,
}

impl<F: TableFunction> Cursor<F> {
    /// Calls the function, and moves to its first row.
    fn start(&mut self, arguments: Vec<Value>, first: Option<&Value>) -> Result<()> {
        self.rows = None;
        self.row = None;
        self.number = 0;
        self.arguments = arguments;

        // A call with NULL has no rows.
        if !self.arguments.contains(&Value::Null) {
            self.rows = Some(F::call(&self.connection, &self.arguments, first)?);
        }
        self.advance()
    }

    /// Moves to the next row.
    fn advance(&mut self) -> Result<()> {
        self.number += 1;
        self.row = match &mut self.rows {
            Some(rows) => rows.next(&self.connection)?,
            None => None,
        };
        Ok(())
    }

    /// A value of the current row or an argument; `None` at the end of the rows.
    fn cell(&self, column: c_int) -> Option<&Value> {
        let column = usize::try_from(column).ok()?;

        // The hidden columns of the arguments follow the other columns.
        match column.checked_sub(F::COLUMNS) {
            Some(argument) => self.arguments.get(argument),
            None => {
                let row = self.row.as_ref()?;
                row.get(column)
            }
        }
    }
}

// SAFETY: the structure is `repr(C)` and begins with its `sqlite3_vtab_cursor`.
unsafe impl<F: TableFunction> VTabCursor for Cursor<F> {
    fn filter(&mut self, plan: c_int, _name: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        if plan == WITHOUT_ARGUMENTS {
            return Err(failure(F::NEEDS));
        }

        catch_panic(|| {
            let mut values = Vec::with_capacity(arguments.len());
            for i in 0..arguments.len() {
                values.push(arguments.get(i)?);
            }

            // With this plan, the value for the first column follows the arguments.
            let first = if plan == FOR_ONE_ROW {
                values.pop()
            } else {
                None
            };
            self.start(values, first.as_ref())
        })
    }

    fn next(&mut self) -> Result<()> {
        catch_panic(|| self.advance())
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

/// Turns a panic into an error. A panic that unwinds into C would abort the host program.
fn catch_panic<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(_) => Err(failure("a bug in Stamma has been met; please report it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let outcome = catch_panic::<()>(|| panic!("a bug"));

        let message = outcome.expect_err("a bug").to_string();
        assert_eq!(message, "a bug in Stamma has been met; please report it");
    }
}
