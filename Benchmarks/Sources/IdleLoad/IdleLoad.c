#define _GNU_SOURCE
/// Holds idle connections and streams, so that the server's memory per connection can be measured.
///
///   idle-load connections PORT COUNT http1|http1-tls|http2|http2-tls
///   idle-load streams PORT CONNECTIONS STREAMS PATH [PATH-OF-SESSIONS BODY]
///
/// `connections` opens COUNT connections, exchanges one request on each, prints `ready` and holds them until its
/// standard input ends. `streams` creates a session for each stream, prints `sessions`, waits for a line, opens STREAMS
/// streams over HTTP/2 on each connection, prints `ready` after the first event of each, and holds them. In PATH, %s is
/// the session; without PATH-OF-SESSIONS, the sessions are named s0, s1, … and their streams have no first event.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "Channel.h"
#include "LoadKit.h"

enum { NAME_BYTES = 128 };

static void say(const char *word) {
    printf("%s\n", word);
    fflush(stdout);
}

static void hold(void) {
    say("ready");
    while (getchar() != EOF) continue;
}

/// Reads a response over HTTP/1.1 with a Content-Length and stores its head in `bytes`.
static void read_answer(channel channel, char *bytes, size_t room) {
    size_t count = 0;
    char *end = NULL;
    while (!end) {
        if (count == room - 1) load_fail("expected the end of the response's head");
        count += channel_read_some(channel, bytes + count, room - 1 - count);
        bytes[count] = 0;
        end = strstr(bytes, "\r\n\r\n");
    }
    if (bytes[9] != '2') load_fail("expected a response with status 2xx");
    const char *length = strcasestr(bytes, "\r\ncontent-length:");
    size_t whole = (size_t)(end - bytes) + 4 + (length && length < end ? strtoul(length + 17, NULL, 10) : 0);
    char rest[1 << 14];
    while (count < whole) count += channel_read_some(channel, rest, sizeof rest);
    *end = 0;
}

static channel open_idle(int port, int index, int speaks_http2, int is_secure) {
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    channel channel = channel_open(port, index, !is_secure ? NULL : speaks_http2 ? "h2" : "http/1.1");
    if (speaks_http2) {
        http2_begin(channel);
        http2_request(channel, 1, "/", "*/*");
        for (;;) {
            frame frame = http2_read(channel);
            if (frame.stream == 1 && frame.flags & FLAG_END_STREAM && frame.type <= FRAME_HEADERS) return channel;
        }
    }
    char answer[1 << 13];
    channel_write(channel, request, sizeof request - 1);
    read_answer(channel, answer, sizeof answer);
    return channel;
}

static void hold_connections(int port, int count, const char *kind) {
    int speaks_http2 = strncmp(kind, "http2", 5) == 0, is_secure = strstr(kind, "tls") != NULL;
    for (int index = 0; index < count; index++) open_idle(port, index, speaks_http2, is_secure);
    hold();
}

static void make_session(channel channel, const char *path, const char *body, char *name) {
    char text[1024], answer[1 << 13];
    int count = snprintf(text, sizeof text,
                         "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         "Content-Length: %zu\r\n\r\n%s", path, strlen(body), body);
    channel_write(channel, text, (size_t)count);
    read_answer(channel, answer, sizeof answer);
    char *location = strcasestr(answer, "\r\nlocation:"), *end = location ? strstr(location + 2, "\r\n") : NULL;
    if (!location) load_fail("expected a Location in the response");
    if (end) *end = 0;
    snprintf(name, NAME_BYTES, "%s", strrchr(location, '/') + 1);
}

/// Opens the streams of one connection and waits for the first event of each.
static void open_streams(int port, int index, int count, const char *path, char (*names)[NAME_BYTES], int shows) {
    channel channel = channel_open(port, index, NULL);
    http2_begin(channel);
    const char *place = strstr(path, "%s");
    if (!place) load_fail("expected %s in the path");
    for (int stream = 0; stream < count; stream++) {
        char target[256];
        snprintf(target, sizeof target, "%.*s%s%s", (int)(place - path), path, names[stream], place + 2);
        http2_request(channel, 1 + 2 * (unsigned)stream, target, "text/event-stream");
    }
    for (int awaited = count; awaited > 0;) {
        frame frame = http2_read(channel);
        if (frame.type == (shows ? FRAME_DATA : FRAME_HEADERS)) awaited--;
    }
}

static void hold_streams(int port, int connections, int each, const char *path, const char *sessions, const char *body) {
    char(*names)[NAME_BYTES] = calloc((size_t)connections * (size_t)each, NAME_BYTES);
    if (!names) load_fail("calloc");
    if (sessions) {
        channel channel = channel_open(port, 0, NULL);
        for (int index = 0; index < connections * each; index++) make_session(channel, sessions, body, names[index]);
        close(channel.descriptor);
    } else {
        for (int index = 0; index < connections * each; index++) snprintf(names[index], NAME_BYTES, "s%d", index);
    }
    say("sessions");
    if (getchar() == EOF) return;
    for (int index = 0; index < connections; index++)
        open_streams(port, index + 1, each, path, names + index * each, sessions != NULL);
    hold();
}

int main(int count, char **arguments) {
    load_raise_descriptor_limit();
    if (count == 5 && strcmp(arguments[1], "connections") == 0) {
        hold_connections(load_number(arguments[2]), load_number(arguments[3]), arguments[4]);
    } else if ((count == 6 || count == 8) && strcmp(arguments[1], "streams") == 0) {
        hold_streams(load_number(arguments[2]), load_number(arguments[3]), load_number(arguments[4]), arguments[5],
                     count == 8 ? arguments[6] : NULL, count == 8 ? arguments[7] : NULL);
    } else {
        fprintf(stderr, "idle-load connections PORT COUNT KIND | streams PORT CONNECTIONS STREAMS PATH [SESSIONS BODY]\n");
        return 64;
    }
    return 0;
}
