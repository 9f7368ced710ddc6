#include "CBuildInformation.h"

#include <stddef.h>

#define GRANARY_TEXT_OF(value) #value
#define GRANARY_TEXT(value) GRANARY_TEXT_OF(value)

const char *granary_build_commit(void) {
#ifdef GRANARY_BUILD_COMMIT
    return GRANARY_TEXT(GRANARY_BUILD_COMMIT);
#else
    return NULL;
#endif
}

const char *granary_build_compiler(void) { return __VERSION__; }
