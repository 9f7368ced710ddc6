/// The system's SQLite.
#ifndef GRANARY_CSQLITE_H
#define GRANARY_CSQLITE_H

#include <sqlite3.h>

#endif
