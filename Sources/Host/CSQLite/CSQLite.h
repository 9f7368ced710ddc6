/// The system's SQLite.
#ifndef GRANARY_CSQLITE_H
#define GRANARY_CSQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

static int granary_store_frames(void *frames, sqlite3 *connection, const char *name, int count) {
    (void)connection, (void)name;
    *(int32_t *)frames = count;
    return SQLITE_OK;
}

/// Has each commit store the number of frames that the write-ahead log has up to it. Replaces automatic checkpoints.
static inline void granary_sqlite_watch_frames(sqlite3 *connection, int32_t *frames) {
    sqlite3_wal_hook(connection, granary_store_frames, frames);
}

/// Continues the checksum of a write-ahead log with a number of bytes that is a multiple of eight.
///
/// Its words have the byte order that the header of the log states.
static inline void granary_log_checksum(
    const void *bytes, size_t count, bool is_big_endian, uint32_t *first, uint32_t *second) {
    const bool swaps = is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    uint32_t one = *first, two = *second;
    for (const uint32_t *word = bytes, *end = word + count / 4; word < end; word += 2) {
        one += (swaps ? __builtin_bswap32(word[0]) : word[0]) + two;
        two += (swaps ? __builtin_bswap32(word[1]) : word[1]) + one;
    }
    *first = one;
    *second = two;
}

#endif
