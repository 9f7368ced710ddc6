/// The system's libnghttp2, of which only the interface that works on memory is used.
#ifndef GRANARY_CNGHTTP2_H
#define GRANARY_CNGHTTP2_H

#include <nghttp2/nghttp2.h>

#endif
