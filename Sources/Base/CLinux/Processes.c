#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

/// The first descriptor after the three standard ones.
enum { FIRST = 3 };

/// Resets the signals for the new program. Otherwise they would be blocked, as in Dispatch's threads, or ignored, as in
/// a server that receives them through a queue.
static int set_attributes(posix_spawnattr_t *attributes, const granary_child *child) {
    sigset_t none, ordinary;
    sigemptyset(&none);
    sigemptyset(&ordinary);
    int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaddset(&ordinary, numbers[index]);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &ordinary);
    // Zero stands for the child's own identifier.
    if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (child->leads_group) flags |= POSIX_SPAWN_SETPGROUP;
    if (error == 0) error = posix_spawnattr_setflags(attributes, flags);
    return error;
}

/// Returns the descriptor that the child has at a place, -1 if it inherits the one of this process.
static int source(const granary_child *child, int place) {
    return place < FIRST ? child->standard[place] : child->descriptors[place - FIRST];
}

/// Moves the descriptors to their places. The descriptors are copies with higher numbers, so that none is overwritten
/// before it is moved.
static int place_all(posix_spawn_file_actions_t *actions, const int *copies, int places) {
    for (int place = 0; place < places; place++) {
        if (copies[place] < 0) continue;
        int error = posix_spawn_file_actions_adddup2(actions, copies[place], place);
        if (error != 0) return error;
    }
    return posix_spawn_file_actions_addclosefrom_np(actions, places);
}

static int spawn(const char *path, char *const *arguments, char *const *environment, const granary_child *child,
                 const int *copies, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_attributes(&attributes, child);
        if (error == 0) error = place_all(&actions, copies, FIRST + child->count);
        if (error == 0) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int granary_spawn(const char *path, char *const *arguments, char *const *environment, const granary_child *child) {
    int places = FIRST + child->count;
    int *copies = calloc((size_t)places, sizeof *copies);
    if (!copies) return -ENOMEM;
    int made = 0;
    int error = 0;
    for (; made < places && error == 0; made++) {
        int descriptor = source(child, made);
        copies[made] = descriptor < 0 ? -1 : granary_duplicate(descriptor, places);
        if (descriptor >= 0 && copies[made] < 0) error = -copies[made];
    }
    pid_t process = -1;
    if (error == 0) error = spawn(path, arguments, environment, child, copies, &process);
    while (made > 0) {
        made -= 1;
        if (copies[made] >= 0) close(copies[made]);
    }
    free(copies);
    return error == 0 ? process : -error;
}
