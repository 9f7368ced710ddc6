#define _GNU_SOURCE
#include "ReferenceCounter.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static void *(*next_retain)(void *);
static void (*next_release)(void *);
static void *(*next_alloc)(void *, size_t, size_t);
// Not atomic: an atomic operation for each retain would make the program several times slower. The counted server has one loop.
static volatile unsigned long retains, releases, objects;

static void print_sums(int signal_number) {
    char line[128];
    (void)signal_number;
    int length = snprintf(line, sizeof line, "retains %lu releases %lu objects %lu\n", retains, releases, objects);
    // Nobody can be told that the sums could not be written; the reader notices that they are missing.
    if (length > 0 && write(2, line, (size_t)length) < 0) return;
}

__attribute__((constructor)) static void begin(void) { signal(SIGURG, print_sums); }

// Looked up when first called: libraries call the runtime before the constructor above.
void *swift_retain(void *object) {
    if (!next_retain) next_retain = (void *(*)(void *))dlsym(RTLD_NEXT, "swift_retain");
    retains++;
    return next_retain(object);
}

void swift_release(void *object) {
    if (!next_release) next_release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_release");
    releases++;
    next_release(object);
}

void *swift_allocObject(void *metadata, size_t size, size_t alignment) {
    if (!next_alloc) next_alloc = (void *(*)(void *, size_t, size_t))dlsym(RTLD_NEXT, "swift_allocObject");
    objects++;
    return next_alloc(metadata, size, alignment);
}
