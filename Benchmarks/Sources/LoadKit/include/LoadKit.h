/// What the load generators have in common. They are for loopback only, and end the process where something fails: a
/// measurement that went wrong is none.
#ifndef GRANARY_LOADKIT_H
#define GRANARY_LOADKIT_H

#include <stddef.h>

/// Ends the process with what was being done and the present `errno`.
void load_fail(const char *what) __attribute__((noreturn));
/// Seconds of the monotonic clock.
double load_now(void);
/// Lets the process have as many descriptors as it may ask for.
void load_raise_descriptor_limit(void);
/// A blocking connection to a port of 127.0.0.1. The index says how many the process has made before: beyond what one address
/// has in ports, others of the loopback network are taken as the client's.
int load_dial(int port, int index);
void load_send(int descriptor, const void *bytes, size_t count);
/// A whole number that an option has, or the end of the process.
int load_number(const char *text);

/// Durations, of which quantiles are asked for in the end.
typedef struct {
    double *seconds;
    size_t count, capacity;
} load_durations;

void load_add(load_durations *durations, double seconds);
/// Microseconds; 0 where there are none. Sorts.
double load_quantile(load_durations *durations, double part);

#endif
