/// The system calls of the server's event loops, in a form that Swift can call.
///
/// Swift can import neither `epoll_event` (a packed union) nor declarations behind `_GNU_SOURCE`, and `errno` may
/// change between a call and its evaluation in Swift. Every function here therefore returns a negative `errno` on
/// failure, and repeats calls that a signal has interrupted.
#ifndef GRANARY_CLINUX_H
#define GRANARY_CLINUX_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/// The readiness of a descriptor in an epoll set, as an event or as an interest.
static const uint32_t granary_readable = 0x001;
static const uint32_t granary_urgent = 0x002;
static const uint32_t granary_writable = 0x004;
static const uint32_t granary_failed = 0x008;
static const uint32_t granary_hung_up = 0x010;
static const uint32_t granary_peer_finished = 0x2000;
static const uint32_t granary_edge_triggered = 0x80000000;
/// Wakes only one of the epoll sets that wait for a descriptor.
static const uint32_t granary_exclusive = 0x10000000;

/// A ready descriptor: the key with which it was added, and its readiness.
typedef struct {
    uint64_t key;
    uint32_t readiness;
} granary_event;

/// The properties of a listening socket and of the connections that it accepts.
typedef struct {
    uint16_t port;
    int shares_port;
    /// Whether an IPv6 socket leaves IPv4 to other sockets.
    int one_family;
    int backlog;
    /// The number of unsent bytes at which the kernel regards a socket as full; 0 for the default.
    int unsent_limit;
    /// The time in milliseconds after which unacknowledged bytes end the connection, and after which the connection to
    /// a silent peer that responds to no probes is closed; 0 for the default and no probes.
    int user_timeout;
} granary_listen_options;

/// The size of a buffer for any numeric address, including `%zone`.
enum { GRANARY_ADDRESS_LENGTH = 64 };

typedef struct {
    char address[GRANARY_ADDRESS_LENGTH];
    uint16_t port;
} granary_peer;

/// The time since the system was started, including the time for which it was suspended: the clock of the loops.
uint64_t granary_uptime_nanoseconds(void);
/// The time of a clock that stands still while the system is suspended.
uint64_t granary_monotonic_nanoseconds(void);
/// The time of the monotonic clock at the kernel's last tick: a few milliseconds old, and several times cheaper to read.
uint64_t granary_coarse_nanoseconds(void);
/// The processor time that the calling thread has used.
uint64_t granary_thread_nanoseconds(void);
/// Lets all other threads go before the calling one, which then runs on idle processors. Permanent.
void granary_lower_priority(void);
/// The idle time of all processors together, or 0 if it is unknown.
uint64_t granary_idle_nanoseconds(void);
/// The number of seconds since 1970.
int64_t granary_wall_seconds(void);
uint64_t granary_current_thread(void);
int granary_processor_count(void);

int granary_epoll_create(void);
int granary_epoll_add(int epoll, int descriptor, uint32_t readiness, uint64_t key);
int granary_epoll_modify(int epoll, int descriptor, uint32_t readiness, uint64_t key);
int granary_epoll_remove(int epoll, int descriptor);
/// Waits up to a number of milliseconds; returns the number of events, which is 0 if a signal arrived.
int granary_epoll_wait(int epoll, granary_event *events, int capacity, int milliseconds);

int granary_event_descriptor(void);
void granary_event_signal(int descriptor);
int granary_timer_descriptor(void);
/// Sets the timer to a time of `granary_uptime_nanoseconds`.
int granary_timer_arm(int descriptor, uint64_t nanoseconds);

/// Binds and listens on a numeric IPv4 or IPv6 address; stores the actual port.
int granary_listen(const char *address, const granary_listen_options *options, uint16_t *bound_port);

/// Returns whether this process could bind an address and port: -EADDRNOTAVAIL if the machine does not have the
/// address, -EACCES if the port is privileged. Does not affect TCP or its listeners.
int granary_check_address(const char *address, uint16_t port);

/// The maximum length of a Unix socket's path.
enum { GRANARY_PATH_LENGTH = 108 };

/// The place where a socket listens.
typedef struct {
    /// The numeric address or the path, terminated by a NUL; empty for a socket without a path.
    char text[GRANARY_PATH_LENGTH + 1];
    uint16_t port;
    int is_unix;
} granary_place;

/// Adopts a listening socket that another process has opened, stores its place, and sets the options that connections
/// inherit. Returns -ENOTSOCK if it is not a listening socket.
int granary_adopt_listener(int descriptor, const granary_listen_options *options, granary_place *place);

/// Identifies a file.
typedef struct {
    uint64_t device;
    uint64_t inode;
} granary_file;

/// Binds and listens at a path with the given permissions. Replaces a socket file on which no process listens. Returns
/// -EADDRINUSE if a server listens there, and -ENOTSOCK if there is another kind of file.
int granary_listen_unix(const char *path, uint32_t mode, int backlog, granary_file *file);
/// Returns whether `granary_listen_unix` could create the socket, regardless of a server that listens there. Creates
/// and removes nothing.
int granary_check_socket_path(const char *path);
/// Identifies the socket file at a path.
int granary_find_socket(const char *path, granary_file *file);
/// Removes a socket file, unless another one has replaced it.
void granary_remove_socket(const char *path, const granary_file *file);

/// Duplicates a descriptor with close-on-exec, with a number of at least `lowest`.
int granary_duplicate(int descriptor, int lowest);
/// Creates a pair of connected Unix sockets.
int granary_socket_pair(int *first, int *second);

/// Sends a byte with a copy of a descriptor over a Unix socket, or without one if it is negative.
int granary_send_descriptor(int socket, uint8_t byte, int descriptor);
/// Receives a byte and the descriptor that was sent with it, -1 if none exists. Returns 1, or 0 at the end.
int granary_receive_descriptor(int socket, uint8_t *byte, int *descriptor);

/// What a child process has of this process.
typedef struct {
    /// Its standard input, output and errors. A negative descriptor stands for the one of this process.
    int standard[3];
    /// Its descriptors 3 and following. It has no other ones.
    const int *descriptors;
    int count;
    /// Whether it leads a process group of its own, so that a key such as Control-C does not signal it.
    bool leads_group;
} granary_child;

/// Starts a program. Its signals are those of a program that a shell starts. `arguments` and `environment` end with
/// NULL. Returns the process identifier.
int granary_spawn(const char *path, char *const *arguments, char *const *environment, const granary_child *child);

/// Opens a socket that receives datagrams at a path, or under an abstract name if the path begins with `@`.
int granary_bind_datagrams(const char *path);
/// Receives a datagram of such a socket without waiting. Returns its size, 0 if another user has sent it, or a negative error number.
long granary_receive_own_datagram(int descriptor, void *bytes, size_t size);

/// Sends a datagram to a Unix socket. A path that begins with `@` is an abstract name.
int granary_send_datagram(const char *path, const void *bytes, size_t count);

/// Accepts a connection as a non-blocking socket.
int granary_accept(int listener, granary_peer *peer);
/// Opens a descriptor that is kept in reserve in case none are left.
int granary_spare_descriptor(void);

/// Raises the process's descriptor limit as far as permitted.
void granary_raise_descriptor_limit(void);

/// The progress of a peer in acknowledging the written bytes.
typedef struct {
    /// The number of unacknowledged bytes, including unsent ones.
    int64_t outstanding;
    /// The number of bytes acknowledged since the connection was established.
    uint64_t acknowledged;
} granary_peer_progress;

/// Returns the peer's progress; fails for sockets other than TCP.
int granary_get_peer_progress(int descriptor, granary_peer_progress *progress);

long granary_receive(int descriptor, void *buffer, size_t count);
/// Like `granary_receive`, but leaves the bytes in the socket.
long granary_peek(int descriptor, void *buffer, size_t count);
long granary_send(int descriptor, const void *bytes, size_t count);
/// Like `granary_send`, with the last byte as urgent data.
long granary_send_urgent(int descriptor, const void *bytes, size_t count);
int granary_finish_sending(int descriptor);
void granary_close(int descriptor);

/// Connects to a numeric address. `receive_buffer` is the size of the kernel's buffer in bytes, 0 for the default.
int granary_connect(const char *address, uint16_t port, int receive_buffer);
/// Connects to a Unix socket.
int granary_connect_unix(const char *path);
/// Sets how long a blocking socket waits to connect, to send, and to receive.
void granary_limit_waiting(int descriptor, int64_t milliseconds);
/// Waits up to a number of milliseconds for input: returns 1 if input is available, otherwise 0.
int granary_await_readable(int descriptor, int milliseconds);
/// Closes a socket immediately with a reset and discards unsent bytes.
void granary_reset(int descriptor);
/// Creates a pair of connected non-blocking sockets in memory. The first one gets a receive buffer of the given size in
/// bytes, 0 for the default.
int granary_memory_pair(int *ends, int receive_buffer);
/// A number that no other open socket has, or 0 if the descriptor is not a socket.
uint64_t granary_socket_identity(int descriptor);
/// Waits until the other end of a pair is closed everywhere, at most ten seconds. A process that another thread is starting has
/// copies of all descriptors until it runs its program, and as long as it has them, nothing is reported to this end.
void granary_await_hang_up(int descriptor);
/// Closes one end of a pair, and waits until the other end sees it, if that is still the socket with the given identity.
void granary_close_pair(int own, int other, uint64_t identity);
/// Closes one end of a pair so that the other end sees a reset, if that is still the socket with the given identity.
void granary_reset_pair(int own, int other, uint64_t identity);

/// Configures the C library to return large blocks to the system when they are freed. For the whole process; call it
/// before other threads start.
void granary_return_freed_memory(void);

/// Returns the number of bytes of the heap that are in use, without those that the C library keeps for further allocations; 0 if
/// it does not count them.
size_t granary_heap_bytes_in_use(void);

/// Returns the pages of the heap that contain only freed blocks to the system. Takes a few milliseconds for a hundred megabytes.
void granary_release_free_pages(void);

/// Gives a file blocks for a number of bytes from its beginning. Its size and its content stay. Returns 0.
int granary_reserve_blocks(int descriptor, int64_t count);
/// Decides whether writes to an open file go past the cache of the system, in whole blocks of the disk. Returns 0.
int granary_set_direct(int descriptor, bool is_direct);

/// Continues a CRC-32C (RFC 9260, appendix A) with bytes; 0 begins one. Processors with an instruction take three cycles for eight bytes.
uint32_t granary_crc32c(uint32_t checksum, const void *bytes, size_t count);
/// The same without that instruction.
uint32_t granary_portable_crc32c(uint32_t checksum, const void *bytes, size_t count);

/// The description of an error number.
const char *granary_error_text(int error);

#endif
