#define _GNU_SOURCE
#include "HeapRecorder.h"

#include <dlfcn.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *memory);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { SLOTS = 1 << 21 };
#define REMOVED ((void *)1)

// The addresses of the recorded blocks, in a hash table with open addressing that is never full.
static void **blocks;
static volatile bool is_recording;
// A lock that a signal handler may take: it interrupts no thread that holds it, because the handler runs where signals are awaited.
static volatile char is_locked;

static void lock(void) { while (__atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE)) {} }
static void unlock(void) { __atomic_clear(&is_locked, __ATOMIC_RELEASE); }
static size_t first_slot(void *memory) { return ((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15 >> 43; }

static void *add(void *memory) {
    if (!memory || !is_recording) return memory;
    lock();
    size_t slot = first_slot(memory);
    while (blocks[slot] && blocks[slot] != REMOVED) slot = (slot + 1) % SLOTS;
    blocks[slot] = memory;
    unlock();
    return memory;
}

static void drop(void *memory) {
    if (!memory || !is_recording) return;
    lock();
    for (size_t slot = first_slot(memory); blocks[slot]; slot = (slot + 1) % SLOTS) {
        if (blocks[slot] != memory) continue;
        blocks[slot] = REMOVED;
        break;
    }
    unlock();
}

void *malloc(size_t size) { return add(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return add(__libc_calloc(count, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return add(__libc_memalign(alignment, size)); }

void free(void *memory) {
    drop(memory);
    __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
    drop(memory);
    return add(__libc_realloc(memory, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = add(__libc_memalign(alignment, size));
    return *memory ? 0 : 12;
}

// Returns whether memory at an address, which need not be one, could be read.
static bool read_memory(uintptr_t address, void *into, size_t size) {
    struct iovec here = {into, size}, there = {(void *)address, size};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

struct name {
    const char *text;
    uintptr_t length;
};

// Writes the type of a block as the metadata that begins an object states it (`Metadata.h` of the Swift runtime).
static void write_type(FILE *file, void *block) {
    static struct name (*name_of)(uintptr_t metadata, bool qualified);
    if (!name_of) name_of = (struct name(*)(uintptr_t, bool))dlsym(RTLD_DEFAULT, "swift_getTypeName");
    uintptr_t metadata = 0, kind = 0, description = 0;
    uint32_t flags = 0;
    if (!read_memory((uintptr_t)block, &metadata, sizeof metadata) || !read_memory(metadata, &kind, sizeof kind)) {
        fputs("block\n", file);
    } else if (kind == 0x400 || kind == 0x500) {
        fputs("closure\n", file);
    } else if (name_of && kind == 0 && read_memory(metadata + 40, &description, sizeof description)
        && read_memory(description, &flags, sizeof flags) && (flags & 31) == 16) {
        struct name name = name_of(metadata, true);
        fprintf(file, "%.*s\n", (int)name.length, name.text);
    } else {
        fputs("block\n", file);
    }
}

static void write_blocks(void) {
    const char *path = getenv("HEAP_RECORD");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        void *block = blocks[slot];
        if (!block || block == REMOVED) continue;
        fprintf(file, "%zu ", malloc_usable_size(block) + sizeof(size_t));
        write_type(file, block);
    }
    fputs("end\n", file);
    fclose(file);
}

static void handle(int signal_number) {
    (void)signal_number;
    if (is_recording) {
        is_recording = false;
        write_blocks();
    } else if (!blocks && (blocks = __libc_calloc(SLOTS, sizeof *blocks))) {
        is_recording = true;
    }
}

__attribute__((constructor)) static void begin(void) { signal(SIGURG, handle); }
