/// Shared code of the load generators. They work over loopback only and end the process on any failure, because a
/// failed measurement has no result.
#ifndef GRANARY_LOADKIT_H
#define GRANARY_LOADKIT_H

#include <stddef.h>

/// Ends the process with the failed operation and the current `errno`.
void load_fail(const char *what) __attribute__((noreturn));
/// The time of the monotonic clock, in seconds.
double load_now(void);
/// Raises the limit of descriptors to the hard limit.
void load_raise_descriptor_limit(void);
/// Opens a blocking connection to a port of 127.0.0.1. The index is the number of earlier connections: once the ports
/// of one client address are used up, the next address of the loopback network is used.
int load_dial(int port, int index);
void load_send(int descriptor, const void *bytes, size_t count);
/// Parses an option as a whole number, or ends the process.
int load_number(const char *text);

/// Recorded durations, for quantiles.
typedef struct {
    double *seconds;
    size_t count, capacity;
} load_durations;

void load_add(load_durations *durations, double seconds);
/// A quantile in microseconds; 0 if there are no durations. Sorts the durations.
double load_quantile(load_durations *durations, double part);

#endif
