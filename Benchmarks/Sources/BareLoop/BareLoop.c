#define _GNU_SOURCE
/// The minimum cost of an input and its event: one thread, one epoll set, no routing, no sessions, no limits.
///
///   bare-loop PORT
///
/// `GET /streams/sN` opens stream N, `POST /inputs/sN` sends an event to it and returns 204.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "LoadKit.h"

enum { MOST_DESCRIPTORS = 1 << 16, REQUEST_BYTES = 2048 };

/// The incomplete request of each connection.
static struct request {
    size_t count;
    char bytes[REQUEST_BYTES];
} *requests[MOST_DESCRIPTORS];
/// The descriptor of each stream and the number of its events.
static struct {
    int descriptor;
    unsigned long events;
} streams[MOST_DESCRIPTORS];

static int listen_on(int port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) load_fail("bind");
    if (listen(descriptor, 1024) < 0) load_fail("listen");
    return descriptor;
}

static void begin_stream(int descriptor, unsigned long stream) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    streams[stream].descriptor = descriptor;
    load_send(descriptor, head, sizeof head - 1);
}

static void send_event(unsigned long stream) {
    char event[128], chunk[160];
    unsigned long number = ++streams[stream].events;
    int length = snprintf(event, sizeof event, "id: %lu\ndata: {\"count\":%lu}\n\n", number, number);
    int count = snprintf(chunk, sizeof chunk, "%x\r\n%s\r\n", length, event);
    load_send(streams[stream].descriptor, chunk, (size_t)count);
}

static void answer(int descriptor, const char *bytes) {
    static const char done[] = "HTTP/1.1 204 No Content\r\n\r\n";
    const char *name = strstr(bytes, "/s");
    while (name && (name[2] < '0' || name[2] > '9')) name = strstr(name + 1, "/s");
    unsigned long stream = name ? strtoul(name + 2, NULL, 10) : MOST_DESCRIPTORS;
    if (stream >= MOST_DESCRIPTORS) load_fail("expected a stream in the request");
    if (bytes[0] == 'G') return begin_stream(descriptor, stream);
    send_event(stream);
    load_send(descriptor, done, sizeof done - 1);
}

/// Reads once and returns whether the connection is still open.
static int read_requests(int descriptor) {
    struct request *request = requests[descriptor];
    ssize_t received = recv(descriptor, request->bytes + request->count, REQUEST_BYTES - 1 - request->count, 0);
    if (received <= 0) return received < 0 && errno == EAGAIN;
    request->count += (size_t)received;
    while (request->count) {
        request->bytes[request->count] = 0;
        char *end = strstr(request->bytes, "\r\n\r\n");
        if (!end) return 1;
        char *length = strstr(request->bytes, "Content-Length: ");
        size_t whole = (size_t)(end - request->bytes) + 4 + (length && length < end ? strtoul(length + 16, NULL, 10) : 0);
        if (whole > request->count) return 1;
        answer(descriptor, request->bytes);
        request->count -= whole;
        memmove(request->bytes, request->bytes + whole, request->count);
    }
    return 1;
}

static void welcome(int epoll, int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC), one = 1;
    if (descriptor < 0) return;
    if (descriptor >= MOST_DESCRIPTORS) load_fail("expected a descriptor within the table");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (!requests[descriptor]) requests[descriptor] = malloc(sizeof **requests);
    if (!requests[descriptor]) load_fail("malloc");
    requests[descriptor]->count = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) load_fail("epoll_ctl");
}

int main(int count, char **arguments) {
    int listener = listen_on(load_number(count > 1 ? arguments[1] : NULL)), epoll = epoll_create1(EPOLL_CLOEXEC);
    load_raise_descriptor_limit();
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0) load_fail("epoll_ctl");
    for (;;) {
        int arrived = epoll_wait(epoll, ready, 256, -1);
        if (arrived < 0 && errno != EINTR) load_fail("epoll_wait");
        for (int index = 0; index < arrived; index++) {
            int descriptor = ready[index].data.fd;
            if (descriptor == listener) welcome(epoll, listener);
            else if (!read_requests(descriptor)) close(descriptor);
        }
    }
}
