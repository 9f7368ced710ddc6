/// The system's brotli, both directions.
#ifndef GRANARY_CBROTLI_H
#define GRANARY_CBROTLI_H

#include <brotli/decode.h>
#include <brotli/encode.h>

#endif
