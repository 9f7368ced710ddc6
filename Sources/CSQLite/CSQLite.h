/// The system's SQLite.
#ifndef GRANARY_CSQLITE_H
#define GRANARY_CSQLITE_H

#include <sqlite3.h>

/// Prevents that closing a connection writes to the database or deletes its write-ahead log. Returns a result code.
///
/// Swift cannot call `sqlite3_db_config`, which has a variable number of arguments.
static inline int granary_sqlite_keep_log_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Returns the number of the last error of a system call for the log or the database; 0 if there was none.
///
/// `sqlite3_system_errno` does not know the errors of a commit.
static inline int granary_sqlite_system_error(sqlite3 *connection) {
    int number = 0;
    sqlite3_file *log = 0;
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
    if (number == 0) sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
    return number != 0 ? number : sqlite3_system_errno(connection);
}

#endif
