/// The few system calls that the server's loops make, in a shape that Swift can call.
///
/// Swift sees neither `epoll_event` (a packed union) nor what hides behind `_GNU_SOURCE`, and reading `errno` after a
/// call is a race with whatever runs in between. So every function here answers a negative `errno` where it fails,
/// and repeats a call that a signal interrupted.
#ifndef GRANARY_CLINUX_H
#define GRANARY_CLINUX_H

#include <stddef.h>
#include <stdint.h>

/// What a descriptor in an epoll set is ready for, or is to be watched for.
static const uint32_t granary_readable = 0x001;
static const uint32_t granary_writable = 0x004;
static const uint32_t granary_failed = 0x008;
static const uint32_t granary_hung_up = 0x010;
static const uint32_t granary_peer_finished = 0x2000;
static const uint32_t granary_edge_triggered = 0x80000000;

/// One descriptor that is ready: the key under which it was added, and for what.
typedef struct {
    uint64_t key;
    uint32_t readiness;
} granary_event;

/// How a listening socket, and every connection that it accepts, behaves.
typedef struct {
    uint16_t port;
    int shares_port;
    int backlog;
    /// Bytes that the kernel keeps unsent before it calls a socket full; 0 for its own default.
    int unsent_limit;
    /// Milliseconds after which sent bytes that nobody acknowledges end the connection, and after which a silent peer that
    /// answers no probe is given up; 0 for the default, and no probes.
    int user_timeout;
} granary_listen_options;

/// Room for the longest numeric address, `%zone` included.
enum { GRANARY_ADDRESS_LENGTH = 64 };

typedef struct {
    char address[GRANARY_ADDRESS_LENGTH];
    uint16_t port;
} granary_peer;

/// Reads a numeric address into 16 bytes, IPv4 mapped into IPv6; 0, or -EINVAL where the text is none.
int granary_parse_address(const char *text, void *bytes);
/// Writes 16 such bytes as people do, IPv4 without its mapping; there has to be room for the longest address.
void granary_write_address(const void *bytes, char *text);

uint64_t granary_monotonic_nanoseconds(void);
/// Seconds since 1970.
int64_t granary_wall_seconds(void);
uint64_t granary_current_thread(void);
int granary_processor_count(void);

int granary_epoll_create(void);
int granary_epoll_add(int epoll, int descriptor, uint32_t readiness, uint64_t key);
int granary_epoll_modify(int epoll, int descriptor, uint32_t readiness, uint64_t key);
int granary_epoll_remove(int epoll, int descriptor);
/// Waits up to so many milliseconds; answers how many events it wrote, 0 also when a signal came.
int granary_epoll_wait(int epoll, granary_event *events, int capacity, int milliseconds);

int granary_event_descriptor(void);
void granary_event_signal(int descriptor);
int granary_timer_descriptor(void);
/// Makes the timer ready at a point of the monotonic clock.
int granary_timer_arm(int descriptor, uint64_t nanoseconds);

/// Binds and listens on a numeric IPv4 or IPv6 address; writes the port that it got.
int granary_listen(const char *address, const granary_listen_options *options, uint16_t *bound_port);
/// Takes the next connection, already non-blocking.
int granary_accept(int listener, granary_peer *peer);
/// A descriptor that stands in reserve for the moment when there are none left.
int granary_spare_descriptor(void);

/// Lets the process have as many descriptors as it may ask for.
void granary_raise_descriptor_limit(void);

long granary_receive(int descriptor, void *buffer, size_t count);
/// As `granary_receive`, and leaves the bytes where they are.
long granary_peek(int descriptor, void *buffer, size_t count);
long granary_send(int descriptor, const void *bytes, size_t count);
int granary_finish_sending(int descriptor);
void granary_close(int descriptor);

/// Connects to a numeric address. `receive_buffer` is the kernel's buffer in bytes, 0 for its default.
int granary_connect(const char *address, uint16_t port, int receive_buffer);
/// Waits up to so many milliseconds until there is something to read: 1 if so, 0 if not.
int granary_await_readable(int descriptor, int milliseconds);
/// Closes at once with a reset, whatever is under way.
void granary_reset(int descriptor);
/// Makes two connected sockets in memory, of which neither blocks; 0, or what went wrong. The first is given a receive buffer
/// of so many bytes, 0 for the kernel's default.
int granary_memory_pair(int *ends, int receive_buffer);
/// What no other open socket has; 0 where the descriptor is none.
uint64_t granary_socket_identity(int descriptor);
/// Closes one end of a pair so that the other is told of a reset instead of an end, if that is still the socket of that
/// identity.
void granary_reset_pair(int own, int other, uint64_t identity);

/// What an error number means, in words.
const char *granary_error_text(int error);

#endif
