//! An authorizer that admits only statements that read.
//!
//! Opening a file for reading is not enough: `COMMIT; VACUUM INTO 'other.db'` writes another file, and `ATTACH` opens
//! one. So SQLite calls the authorizer for each action of a statement when it is prepared.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// Pragmas whose value only selects the result, or sets something for the connection.
const HARMLESS_PRAGMAS: [&str; 18] = [
    "automatic_index",
    "busy_timeout",
    "cache_size",
    "case_sensitive_like",
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "mmap_size",
    "quick_check",
    "reverse_unordered_selects",
    "table_info",
    "table_list",
    "table_xinfo",
    "temp_store",
    "threads",
];

/// Pragmas that change the file even without a value.
const CHANGING_PRAGMAS: [&str; 3] = ["incremental_vacuum", "optimize", "wal_checkpoint"];

/// Pragmas that return the folder of the database.
const FOLDER_PRAGMAS: [&str; 3] = [
    "database_list",
    "data_store_directory",
    "temp_store_directory",
];

/// Functions that create values as large as their argument.
const ALLOCATING_FUNCTIONS: [&str; 2] = ["randomblob", "zeroblob"];

/// Allows reading and writing temporary tables; nothing else.
pub(super) fn authorize(context: AuthContext<'_>) -> Authorization {
    let action = &context.action;
    let is_temporary = context.database_name == Some("temp");
    let changes_temporary = is_temporary && changes_tables(action);

    if only_reads(action) || changes_temporary {
        Authorization::Allow
    } else {
        Authorization::Deny
    }
}

/// Allows only reading, for people who must not learn where the database is on the machine. The paths of sources are
/// NULL for them.
pub(super) fn authorize_reads(context: AuthContext<'_>) -> Authorization {
    let action = context.action;
    let reads_path = matches!(
        action,
        AuthAction::Read {
            table_name: "source",
            column_name: "path",
        }
    );
    if reads_path {
        // SQLite reads NULL in place of the column.
        return Authorization::Ignore;
    }

    let is_denied = match action {
        AuthAction::Pragma { pragma_name, .. } => is_one_of(pragma_name, &FOLDER_PRAGMAS),
        AuthAction::Function { function_name } => is_one_of(function_name, &ALLOCATING_FUNCTIONS),
        _ => false,
    };
    if only_reads(&action) && !is_denied {
        Authorization::Allow
    } else {
        Authorization::Deny
    }
}

/// `true` if a name is one of several, ignoring case.
fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// `true` for an action that neither changes a file nor ends the transaction.
fn only_reads(action: &AuthAction<'_>) -> bool {
    match action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Recursive
        | AuthAction::Savepoint { .. } => true,
        AuthAction::Function { function_name } => {
            // An extension is code that may do anything.
            !function_name.eq_ignore_ascii_case("load_extension")
        }
        AuthAction::Pragma {
            pragma_name,
            pragma_value,
        } => {
            // Without a value, most pragmas only read.
            if pragma_value.is_some() {
                is_one_of(pragma_name, &HARMLESS_PRAGMAS)
            } else {
                !is_one_of(pragma_name, &CHANGING_PRAGMAS)
            }
        }
        // Actions of later versions of SQLite are unknown, so they are denied too.
        _ => false,
    }
}

/// The actions allowed in the database of temporary tables, where `CREATE TABLE temp.t` has the meaning of
/// `CREATE TEMP TABLE t`.
fn changes_tables(action: &AuthAction<'_>) -> bool {
    use AuthAction as A;

    matches!(
        action,
        A::Insert { .. }
            | A::Update { .. }
            | A::Delete { .. }
            | A::AlterTable { .. }
            | A::CreateTable { .. }
            | A::CreateTempTable { .. }
            | A::CreateIndex { .. }
            | A::CreateTempIndex { .. }
            | A::CreateView { .. }
            | A::CreateTempView { .. }
            | A::CreateTrigger { .. }
            | A::CreateTempTrigger { .. }
            | A::CreateVtable { .. }
            | A::DropVtable { .. }
            | A::DropTempTable { .. }
            | A::DropTempIndex { .. }
            | A::DropTempView { .. }
            | A::DropTempTrigger { .. }
    )
}
