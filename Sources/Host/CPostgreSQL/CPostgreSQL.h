/// The client library of PostgreSQL.
#ifndef GRANARY_CPOSTGRESQL_H
#define GRANARY_CPOSTGRESQL_H

// Debian's place first: without pkg-config, nothing else names it.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#endif
