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
static int set_signals(posix_spawnattr_t *attributes) {
    sigset_t none, ordinary;
    sigemptyset(&none);
    sigemptyset(&ordinary);
    int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaddset(&ordinary, numbers[index]);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &ordinary);
    if (error == 0) error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

/// Moves the descriptors to their places. The descriptors are copies with higher numbers, so that none is overwritten
/// before it is moved.
static int place(posix_spawn_file_actions_t *actions, const int *copies, int count) {
    for (int index = 0; index < count; index++) {
        int error = posix_spawn_file_actions_adddup2(actions, copies[index], FIRST + index);
        if (error != 0) return error;
    }
    return posix_spawn_file_actions_addclosefrom_np(actions, FIRST + count);
}

static int spawn(const char *path, char *const *arguments, char *const *environment, const int *copies, int count,
                 pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_signals(&attributes);
        if (error == 0) error = place(&actions, copies, count);
        if (error == 0) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int granary_spawn(const char *path, char *const *arguments, char *const *environment, const int *descriptors,
                  int count) {
    int *copies = calloc((size_t)count + 1, sizeof *copies);
    if (!copies) return -ENOMEM;
    int made = 0;
    int error = 0;
    for (; made < count; made++) {
        copies[made] = granary_duplicate(descriptors[made], FIRST + count);
        if (copies[made] < 0) {
            error = -copies[made];
            break;
        }
    }
    pid_t process = -1;
    if (error == 0) error = spawn(path, arguments, environment, copies, count, &process);
    while (made > 0) close(copies[--made]);
    free(copies);
    return error == 0 ? process : -error;
}
