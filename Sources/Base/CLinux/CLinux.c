#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// The header repeats the kernel's values, because Swift does not see the definitions in the headers that it would
// include.
_Static_assert(EPOLLIN == 0x001 && EPOLLOUT == 0x004 && EPOLLERR == 0x008, "as in the header");
_Static_assert(EPOLLEXCLUSIVE == 0x10000000, "as in the header");
_Static_assert(EPOLLHUP == 0x010 && EPOLLRDHUP == 0x2000 && EPOLLET == 0x80000000, "as in the header");

uint64_t granary_uptime_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t granary_monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t granary_coarse_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t granary_thread_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Of the thread and not of the process, unlike what POSIX says.
void granary_lower_priority(void) { setpriority(PRIO_PROCESS, 0, 19); }

uint64_t granary_idle_nanoseconds(void) {
    char text[256];
    int file = open("/proc/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    unsigned long long idle, waiting;
    // user, nice and system; then idle, and idle while waiting for a disk
    if (sscanf(text, "cpu %*u %*u %*u %llu %llu", &idle, &waiting) != 2) return 0;
    return (idle + waiting) * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

int64_t granary_wall_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return time.tv_sec;
}

uint64_t granary_current_thread(void) { return (uint64_t)pthread_self(); }

int granary_processor_count(void) {
    // The processors that this process may use. In a container, these can be fewer than the machine has.
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

static int checked(int result) { return result < 0 ? -errno : result; }

int granary_epoll_create(void) { return checked(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, uint32_t readiness, uint64_t key) {
    struct epoll_event event = {.events = readiness, .data.u64 = key};
    return checked(epoll_ctl(epoll, operation, descriptor, &event));
}

int granary_epoll_add(int epoll, int descriptor, uint32_t readiness, uint64_t key) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, readiness, key);
}

int granary_epoll_modify(int epoll, int descriptor, uint32_t readiness, uint64_t key) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, readiness, key);
}

int granary_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0); }

int granary_epoll_wait(int epoll, granary_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[256];
    if (capacity > 256) capacity = 256;
    int count = epoll_wait(epoll, ready, capacity, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        events[index].key = ready[index].data.u64;
        events[index].readiness = ready[index].events;
    }
    return count;
}

int granary_event_descriptor(void) { return checked(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

void granary_event_signal(int descriptor) {
    uint64_t one = 1;
    // Fails only if the counter is full, in which case the descriptor is already ready.
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

int granary_timer_descriptor(void) { return checked(timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC)); }

int granary_timer_arm(int descriptor, uint64_t nanoseconds) {
    struct itimerspec at = {.it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                                         .tv_nsec = (long)(nanoseconds % 1000000000u)}};
    return checked(timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &at, NULL));
}

_Static_assert(sizeof(((struct sockaddr_un *)0)->sun_path) == GRANARY_PATH_LENGTH, "as in the header");

union any_address {
    struct sockaddr plain;
    struct sockaddr_un local;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

/// Fills in a socket address from a numeric one; returns its length, or 0 if the text is invalid.
static socklen_t parse_address(const char *text, uint16_t port, union any_address *address) {
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &address->four.sin_addr) == 1) {
        address->four.sin_family = AF_INET;
        address->four.sin_port = htons(port);
        return sizeof address->four;
    }
    if (inet_pton(AF_INET6, text, &address->six.sin6_addr) == 1) {
        address->six.sin6_family = AF_INET6;
        address->six.sin6_port = htons(port);
        return sizeof address->six;
    }
    return 0;
}

static void write_address(const struct in6_addr *address, char *text) {
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        inet_ntop(AF_INET, &address->s6_addr[12], text, GRANARY_ADDRESS_LENGTH);
    } else {
        inet_ntop(AF_INET6, address, text, GRANARY_ADDRESS_LENGTH);
    }
}

static uint16_t port_of(const union any_address *address) {
    return ntohs(address->plain.sa_family == AF_INET6 ? address->six.sin6_port : address->four.sin_port);
}

static int set_option(int descriptor, int level, int name, int value) {
    return setsockopt(descriptor, level, name, &value, sizeof value);
}

/// Sets the time after which the connection to a peer that acknowledges nothing is closed: while there are
/// unacknowledged bytes, and otherwise with probes. The first probe is sent after a third of the time, and the others
/// follow at intervals of a third.
static int set_peer_timeout(int descriptor, int milliseconds) {
    if (set_option(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds) < 0) return -errno;
    int third = milliseconds / 3000 > 0 ? milliseconds / 3000 : 1;
    if (set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1) < 0) return -errno;
    if (set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, third) < 0) return -errno;
    if (set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, third) < 0) return -errno;
    return set_option(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 2) < 0 ? -errno : 0;
}

/// Sets options that accepted connections inherit from their listener, which saves these calls for each connection.
static int set_connection_options(int descriptor, const granary_listen_options *options) {
    // Urgent data is part of the stream (RFC 6093 §5). Otherwise a byte would be missing from a request.
    if (set_option(descriptor, SOL_SOCKET, SO_OOBINLINE, 1) < 0) return -errno;
    if (set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1) < 0) return -errno;
    if (options->unsent_limit && set_option(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, options->unsent_limit) < 0)
        return -errno;
    return options->user_timeout ? set_peer_timeout(descriptor, options->user_timeout) : 0;
}

static int set_listener_options(int descriptor, int family, const granary_listen_options *options) {
    if (set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1) < 0) return -errno;
    if (options->shares_port && set_option(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) < 0) return -errno;
    // Set explicitly, because the default is a system setting: `::` means both families unless another socket has the
    // port for IPv4.
    if (family == AF_INET6 && set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, options->one_family) < 0) return -errno;
    return set_connection_options(descriptor, options);
}

static int open_listener(int descriptor, const char *text, const granary_listen_options *options,
                         uint16_t *bound_port) {
    union any_address address;
    socklen_t length = parse_address(text, options->port, &address);
    int result = set_listener_options(descriptor, address.plain.sa_family, options);
    if (result < 0) return result;
    if (bind(descriptor, &address.plain, length) < 0) return -errno;
    if (options->backlog > 0 && listen(descriptor, options->backlog) < 0) return -errno;
    length = sizeof address;
    if (getsockname(descriptor, &address.plain, &length) < 0) return -errno;
    *bound_port = port_of(&address);
    return 0;
}

int granary_check_address(const char *text, uint16_t port) {
    union any_address address;
    socklen_t length = parse_address(text, port, &address);
    if (length == 0) return -EINVAL;
    // UDP has the same rules for addresses and privileged ports, but separate ports, so that no TCP listener is
    // disturbed.
    int descriptor = socket(address.plain.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
    if (address.plain.sa_family == AF_INET6) set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    int result = checked(bind(descriptor, &address.plain, length));
    close(descriptor);
    return result == -EADDRINUSE ? 0 : result;
}

int granary_listen(const char *text, const granary_listen_options *options, uint16_t *bound_port) {
    union any_address address;
    if (parse_address(text, 0, &address) == 0) return -EINVAL;
    int descriptor = socket(address.plain.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int result = open_listener(descriptor, text, options, bound_port);
    if (result < 0) {
        close(descriptor);
        return result;
    }
    return descriptor;
}

static void describe(const union any_address *address, granary_peer *peer) {
    if (address->plain.sa_family == AF_UNIX) {
        peer->port = 0;
        memcpy(peer->address, "unix", sizeof "unix");
        return;
    }
    peer->address[0] = 0;
    peer->port = port_of(address);
    if (address->plain.sa_family == AF_INET) {
        inet_ntop(AF_INET, &address->four.sin_addr, peer->address, sizeof peer->address);
    } else {
        write_address(&address->six.sin6_addr, peer->address);
    }
}

int granary_accept(int listener, granary_peer *peer) {
    union any_address address;
    socklen_t length = sizeof address;
    int descriptor;
    do {
        descriptor = accept4(listener, &address.plain, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -errno;
    // Unlike TCP sockets, these do not inherit the option. Kernels without urgent data for Unix sockets ignore it.
    if (address.plain.sa_family == AF_UNIX) set_option(descriptor, SOL_SOCKET, SO_OOBINLINE, 1);
    describe(&address, peer);
    return descriptor;
}

static int is_set(int descriptor, int name, int value) {
    int found = -1;
    socklen_t length = sizeof found;
    return getsockopt(descriptor, SOL_SOCKET, name, &found, &length) == 0 && found == value;
}

/// Returns the place where a socket is bound. A path that fills its address need not end with a NUL.
static int describe_place(int descriptor, granary_place *place) {
    union any_address address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, &address.plain, &length) < 0) return -errno;
    memset(place, 0, sizeof *place);
    place->is_unix = address.plain.sa_family == AF_UNIX;
    if (place->is_unix) {
        size_t count = length - offsetof(struct sockaddr_un, sun_path);
        memcpy(place->text, address.local.sun_path, count < GRANARY_PATH_LENGTH ? count : GRANARY_PATH_LENGTH);
        return 0;
    }
    if (address.plain.sa_family != AF_INET && address.plain.sa_family != AF_INET6) return -EAFNOSUPPORT;
    granary_peer peer;
    describe(&address, &peer);
    memcpy(place->text, peer.address, sizeof peer.address);
    place->port = peer.port;
    return 0;
}

int granary_adopt_listener(int descriptor, const granary_listen_options *options, granary_place *place) {
    if (!is_set(descriptor, SO_TYPE, SOCK_STREAM) || !is_set(descriptor, SO_ACCEPTCONN, 1)) return -ENOTSOCK;
    int result = describe_place(descriptor, place);
    if (result < 0) return result;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0) return -errno;
    return place->is_unix ? 0 : set_connection_options(descriptor, options);
}

int granary_duplicate(int descriptor, int lowest) { return checked(fcntl(descriptor, F_DUPFD_CLOEXEC, lowest)); }

int granary_spare_descriptor(void) { return checked(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

void granary_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    // If the call fails, the old limit remains, and the code that accepts connections handles the shortage.
    setrlimit(RLIMIT_NOFILE, &limit);
}

static long receive(int descriptor, void *buffer, size_t count, int flags) {
    ssize_t received;
    do received = recv(descriptor, buffer, count, flags);
    while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

long granary_receive(int descriptor, void *buffer, size_t count) { return receive(descriptor, buffer, count, 0); }

long granary_peek(int descriptor, void *buffer, size_t count) { return receive(descriptor, buffer, count, MSG_PEEK); }

static long send_with(int descriptor, const void *bytes, size_t count, int flags) {
    ssize_t sent;
    do sent = send(descriptor, bytes, count, flags | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

long granary_send(int descriptor, const void *bytes, size_t count) { return send_with(descriptor, bytes, count, 0); }

long granary_send_urgent(int descriptor, const void *bytes, size_t count) {
    return send_with(descriptor, bytes, count, MSG_OOB);
}

int granary_finish_sending(int descriptor) { return checked(shutdown(descriptor, SHUT_WR)); }

void granary_close(int descriptor) { close(descriptor); }

int granary_connect(const char *text, uint16_t port, int receive_buffer) {
    union any_address address;
    socklen_t length = parse_address(text, port, &address);
    if (length == 0) return -EINVAL;
    int descriptor = socket(address.plain.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
    if (receive_buffer > 0) set_option(descriptor, SOL_SOCKET, SO_RCVBUF, receive_buffer);
    if (connect(descriptor, &address.plain, length) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

// In C, because Swift code may not use the members of `timeval` if a release build has imported the structure with a module of
// the toolchain.
void granary_limit_waiting(int descriptor, int64_t milliseconds) {
    struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    // On Linux, the limit for sending also applies to `connect`.
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

int granary_await_readable(int descriptor, int milliseconds) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    int count = poll(&entry, 1, milliseconds);
    return count < 0 ? (errno == EINTR ? 0 : -errno) : count;
}

void granary_reset(int descriptor) {
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(descriptor);
}

int granary_memory_pair(int *ends, int receive_buffer) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    set_option(ends[1], SOL_SOCKET, SO_OOBINLINE, 1);
    // For Unix sockets, the sender's buffer limits the unread bytes.
    if (receive_buffer > 0) set_option(ends[1], SOL_SOCKET, SO_SNDBUF, receive_buffer);
    return 0;
}

uint64_t granary_socket_identity(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) < 0 || !S_ISSOCK(status.st_mode)) return 0;
    return status.st_ino;
}

void granary_await_hang_up(int descriptor) {
    struct pollfd entry = {.fd = descriptor};
    while (poll(&entry, 1, 10000) < 0 && errno == EINTR) continue;
}

void granary_close_pair(int own, int other, uint64_t identity) {
    close(own);
    if (granary_socket_identity(other) == identity) granary_await_hang_up(other);
}

void granary_reset_pair(int own, int other, uint64_t identity) {
    // Closing a socket with unread bytes resets its peer.
    if (granary_socket_identity(other) == identity) granary_send(other, "", 1);
    granary_close_pair(own, other, identity);
}

int granary_reserve_blocks(int descriptor, int64_t count) {
    int result;
    do {
        result = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, count);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int granary_set_direct(int descriptor, bool is_direct) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return -errno;
    // Swift does not see O_DIRECT.
    flags = is_direct ? flags | O_DIRECT : flags & ~O_DIRECT;
    return fcntl(descriptor, F_SETFL, flags) < 0 ? -errno : 0;
}

const char *granary_error_text(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}
