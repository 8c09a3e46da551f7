//! An authorizer that admits only statements that read.
//!
//! Opening a file for reading is not enough: `COMMIT; VACUUM INTO 'other.db'` writes another file, and `ATTACH` opens
//! one. So SQLite calls the authorizer for each action of a statement when it is prepared.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// Pragmas whose value only selects the result, or sets something for the connection.
const WITH_VALUE: [&str; 18] = [
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
const CHANGING: [&str; 3] = ["incremental_vacuum", "optimize", "wal_checkpoint"];

/// Allows reading and writing temporary tables; nothing else.
pub(super) fn authorize(context: AuthContext<'_>) -> Authorization {
    let is_temporary = context.database_name == Some("temp");
    let is_allowed = only_reads(&context.action) || is_temporary && changes_tables(&context.action);
    if is_allowed {
        Authorization::Allow
    } else {
        Authorization::Deny
    }
}

/// Pragmas that return the folder of the database.
const OF_FOLDERS: [&str; 3] = [
    "database_list",
    "data_store_directory",
    "temp_store_directory",
];

/// Functions that create values as large as their argument.
const FROM_NOTHING: [&str; 2] = ["randomblob", "zeroblob"];

/// Allows only reading, for people who must not learn where the database is on the machine. The paths of sources are
/// NULL for them.
pub(super) fn authorize_reads(context: AuthContext<'_>) -> Authorization {
    let action = context.action;
    if let AuthAction::Read {
        table_name: "source",
        column_name: "path",
    } = action
    {
        return Authorization::Ignore;
    }

    let is_denied = match action {
        AuthAction::Pragma { pragma_name, .. } => is_one_of(pragma_name, &OF_FOLDERS),
        AuthAction::Function { function_name } => is_one_of(function_name, &FROM_NOTHING),
        _ => false,
    };
    if !is_denied && only_reads(&action) {
        Authorization::Allow
    } else {
        Authorization::Deny
    }
}

/// `true` if a name is one of several, ignoring case.
fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn only_reads(action: &AuthAction<'_>) -> bool {
    match action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Recursive
        | AuthAction::Savepoint { .. } => true,
        AuthAction::Function { function_name } => {
            !function_name.eq_ignore_ascii_case("load_extension")
        }
        AuthAction::Pragma {
            pragma_name,
            pragma_value,
        } => {
            // Without a value, most pragmas only read.
            if pragma_value.is_some() {
                is_one_of(pragma_name, &WITH_VALUE)
            } else {
                !is_one_of(pragma_name, &CHANGING)
            }
        }
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
