/// The system's zlib, of which only the streams over memory are used.
#ifndef GRANARY_CZLIB_H
#define GRANARY_CZLIB_H

#include <zlib.h>

#endif
