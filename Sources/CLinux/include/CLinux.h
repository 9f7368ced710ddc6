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
static const uint32_t granary_urgent = 0x002;
static const uint32_t granary_writable = 0x004;
static const uint32_t granary_failed = 0x008;
static const uint32_t granary_hung_up = 0x010;
static const uint32_t granary_peer_finished = 0x2000;
static const uint32_t granary_edge_triggered = 0x80000000;
/// Of the sets that wait for one descriptor, one is woken.
static const uint32_t granary_exclusive = 0x10000000;

/// One descriptor that is ready: the key under which it was added, and for what.
typedef struct {
    uint64_t key;
    uint32_t readiness;
} granary_event;

/// How a listening socket, and every connection that it accepts, behaves.
typedef struct {
    uint16_t port;
    int shares_port;
    /// Whether an IPv6 socket leaves IPv4 to others.
    int one_family;
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
/// The same clock as of the kernel's last tick: a few milliseconds late, and several times cheaper to read.
uint64_t granary_coarse_nanoseconds(void);
/// The processor time that the calling thread has taken.
uint64_t granary_thread_nanoseconds(void);
/// The time that the machine's processors have had nothing to do, all together; 0 where the system does not tell.
uint64_t granary_idle_nanoseconds(void);
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

/// Returns whether this process could bind that address and port: -EADDRNOTAVAIL where the address is not this machine's,
/// -EACCES where the port is for privileged processes only. TCP, and who listens there, is left alone.
int granary_check_address(const char *address, uint16_t port);

/// Room for the longest path of a Unix socket.
enum { GRANARY_PATH_LENGTH = 108 };

/// Where a socket listens.
typedef struct {
    /// The numeric address, or the path, which ends with a NUL; empty for a socket without one.
    char text[GRANARY_PATH_LENGTH + 1];
    uint16_t port;
    int is_unix;
} granary_place;

/// Takes over a listening socket that another process has opened, and tells where it listens; -ENOTSOCK where it is none.
/// Of the options those are set that connections inherit.
int granary_adopt_listener(int descriptor, const granary_listen_options *options, granary_place *place);

/// Which file it is that lies at a path.
typedef struct {
    uint64_t device;
    uint64_t inode;
} granary_file;

/// Binds and listens at a path, with these permissions. The file of a socket that nobody listens on is replaced, one of a
/// living server is -EADDRINUSE; anything else at the path is -ENOTSOCK.
int granary_listen_unix(const char *path, uint32_t mode, int backlog, granary_file *file);
/// Returns whether `granary_listen_unix` could make the socket, unless a server listens there. Makes and removes nothing.
int granary_check_socket_path(const char *path);
/// Which socket lies at the path.
int granary_find_socket(const char *path, granary_file *file);
/// Removes a socket from its path, unless another has taken its place.
void granary_remove_socket(const char *path, const granary_file *file);

/// Another descriptor for the same thing, closed in programs that are started; not below `lowest`.
int granary_duplicate(int descriptor, int lowest);
/// Two ends of a connection within the machine.
int granary_socket_pair(int *first, int *second);

/// Starts a program that gets standard input and output, and these descriptors in order as 3 and onward, and nothing else
/// of what is open. Its signals are as those of a program that a shell starts. `arguments` and `environment` end with NULL.
/// Answers the number of its process.
int granary_spawn(const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count);

/// Sends one datagram to a Unix socket; a path that begins with `@` is an abstract name.
int granary_send_datagram(const char *path, const void *bytes, size_t count);

/// Takes the next connection, already non-blocking.
int granary_accept(int listener, granary_peer *peer);
/// A descriptor that stands in reserve for the moment when there are none left.
int granary_spare_descriptor(void);

/// Lets the process have as many descriptors as it may ask for.
void granary_raise_descriptor_limit(void);

/// How far a peer has come with what was written to its socket.
typedef struct {
    /// Bytes that it has not acknowledged, unsent ones among them.
    int64_t outstanding;
    /// Bytes that it has acknowledged since the connection was made.
    uint64_t acknowledged;
} granary_peer_progress;

/// Looks how far the peer has come. Negative for an error; sockets that are not TCP's are one.
int granary_get_peer_progress(int descriptor, granary_peer_progress *progress);

long granary_receive(int descriptor, void *buffer, size_t count);
/// As `granary_receive`, and leaves the bytes where they are.
long granary_peek(int descriptor, void *buffer, size_t count);
long granary_send(int descriptor, const void *bytes, size_t count);
/// As `granary_send`, with the last byte as urgent data.
long granary_send_urgent(int descriptor, const void *bytes, size_t count);
int granary_finish_sending(int descriptor);
void granary_close(int descriptor);

/// Connects to a numeric address. `receive_buffer` is the kernel's buffer in bytes, 0 for its default.
int granary_connect(const char *address, uint16_t port, int receive_buffer);
/// Connects to a Unix socket.
int granary_connect_unix(const char *path);
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

/// Has the C library return large blocks to the system when they are freed. For the whole process, before its other
/// threads start.
void granary_return_freed_memory(void);

/// What an error number means, in words.
const char *granary_error_text(int error);

#endif
