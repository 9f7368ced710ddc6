/// The client library of PostgreSQL.
#ifndef GRANARY_CPOSTGRESQL_H
#define GRANARY_CPOSTGRESQL_H

#include <libpq-fe.h>

#endif
