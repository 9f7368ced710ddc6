#define _GNU_SOURCE
/// Posts inputs to sessions and waits for the resulting events, on one thread.
///
///   session-load PORT SECONDS SESSIONS STREAMS POSTERS CREATE-BODY POST-PATH STREAM-PATH
///
/// It creates the sessions with POST /v1/sessions; if CREATE-BODY is empty, they are named s0, s1, …. In the paths, %s
/// is the session. It opens STREAMS streams for each, prints `ready`, waits for a line, and posts for SECONDS: each
/// poster has one POST in flight, to a session whose streams have all received the previous event. Then it prints a
/// line of JSON and holds the streams until its standard input ends.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "LoadKit.h"

enum { NAME_BYTES = 128, ANSWER_BYTES = 4096, REQUEST_BYTES = 2048, READ_BYTES = 1 << 16 };
/// The state of a stream's parser: at the start of a line, a number of letters into `data:`, or in any other line.
enum { LINE_START = 0, IS_DATA = 5, IS_OTHER = 6 };

struct session {
    char name[NAME_BYTES];
    int awaited;
    double posted;
};

struct stream {
    int descriptor, session;
    unsigned char line, has_status, has_head, has_data;
};

struct poster {
    int descriptor;
    size_t count;
    char answer[ANSWER_BYTES];
};

static int port, session_count, stream_count, poster_count, streams_each, epoll;
static const char *create_body, *post_path, *stream_path;
static struct session *sessions;
static struct stream *streams;
static struct poster *posters;
/// Sessions without a poster, and posters without a session.
static int *free_sessions, free_session_count, *free_posters, free_poster_count;
static load_durations trips;
static int heads, is_measuring;
static long events;
static double last_arrival;

static void request(int descriptor, const char *method, const char *path, const char *session, const char *body) {
    char target[512], text[REQUEST_BYTES];
    const char *place = strstr(path, "%s");
    if (place) snprintf(target, sizeof target, "%.*s%s%s", (int)(place - path), path, session, place + 2);
    else snprintf(target, sizeof target, "%s", path);
    int count = snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", method, target, port);
    size_t room = sizeof text - (size_t)count;
    if (body) {
        count += snprintf(text + count, room, "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          strlen(body), body);
    } else {
        count += snprintf(text + count, room, "Accept: text/event-stream\r\n\r\n");
    }
    load_send(descriptor, text, (size_t)count);
}

/// Returns the length of the first response, or 0 while it is incomplete. Ends the process unless its status is 2xx.
static size_t answer_length(char *bytes, size_t count) {
    bytes[count] = 0;
    char *end = strstr(bytes, "\r\n\r\n");
    if (!end) return 0;
    if (count < 12 || bytes[9] != '2') {
        fprintf(stderr, "expected a response with status 2xx, got: %.200s\n", bytes);
        exit(1);
    }
    *end = 0;
    const char *length = strcasestr(bytes, "\r\ncontent-length:");
    int is_chunked = strcasestr(bytes, "\r\ntransfer-encoding:") != NULL;
    *end = '\r';
    size_t head = (size_t)(end - bytes) + 4;
    if (is_chunked) {
        char *last = strstr(bytes + head, "0\r\n\r\n");
        return last ? (size_t)(last - bytes) + 5 : 0;
    }
    size_t whole = head + (length ? strtoul(length + 17, NULL, 10) : 0);
    return whole <= count ? whole : 0;
}

/// Reads a whole response and stores its `Location`.
static void read_location(int descriptor, char *name) {
    static char bytes[ANSWER_BYTES];
    size_t count = 0, whole = 0;
    while (!(whole = answer_length(bytes, count))) {
        ssize_t received = recv(descriptor, bytes + count, sizeof bytes - 1 - count, 0);
        if (received <= 0) load_fail("a connection was closed early");
        count += (size_t)received;
    }
    char *location = strcasestr(bytes, "\r\nlocation:");
    char *line_end = location ? strstr(location + 2, "\r\n") : NULL;
    if (!line_end) load_fail("expected a Location in the response");
    *line_end = 0;
    char *slash = strrchr(location, '/');
    snprintf(name, NAME_BYTES, "%s", slash ? slash + 1 : location + 11);
}

static void make_sessions(void) {
    int descriptor = load_dial(port, 0);
    for (int index = 0; index < session_count; index++) {
        if (!*create_body) {
            snprintf(sessions[index].name, NAME_BYTES, "s%d", index);
            continue;
        }
        request(descriptor, "POST", "/v1/sessions", "", create_body);
        read_location(descriptor, sessions[index].name);
    }
    close(descriptor);
}

static void watch(int descriptor, uint32_t key) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = key};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) load_fail("epoll_ctl");
}

static void open_connections(void) {
    for (int index = 0; index < stream_count; index++) {
        struct stream *stream = &streams[index];
        stream->session = index / streams_each;
        stream->descriptor = load_dial(port, index + 1);
        request(stream->descriptor, "GET", stream_path, sessions[stream->session].name, NULL);
        watch(stream->descriptor, (uint32_t)index);
    }
    for (int index = 0; index < poster_count; index++) {
        posters[index].descriptor = load_dial(port, stream_count + 1 + index);
        watch(posters[index].descriptor, (uint32_t)(stream_count + index));
    }
}

/// Pairs free sessions with free posters.
static void post(void) {
    while (is_measuring && free_session_count && free_poster_count) {
        struct session *session = &sessions[free_sessions[--free_session_count]];
        session->awaited = streams_each;
        session->posted = load_now();
        request(posters[free_posters[--free_poster_count]].descriptor, "POST", post_path, session->name, "null");
    }
}

static void event_came(struct stream *stream) {
    struct session *session = &sessions[stream->session];
    events++;
    if (!is_measuring || session->awaited == 0 || --session->awaited > 0) return;
    load_add(&trips, load_now() - session->posted);
    free_sessions[free_session_count++] = stream->session;
}

static void line_ended(struct stream *stream) {
    if (stream->line == LINE_START) {
        if (!stream->has_head) {
            stream->has_head = 1;
            heads++;
        } else if (stream->has_data) {
            event_came(stream);
        }
        stream->has_data = 0;
    } else if (stream->line == IS_DATA) {
        stream->has_data = 1;
    }
    stream->line = LINE_START;
}

/// Counts events: groups of lines that end with an empty line and have a line with `data:`. Lines with chunk sizes are
/// ignored.
static void read_stream(struct stream *stream) {
    static char bytes[READ_BYTES];
    ssize_t received = recv(stream->descriptor, bytes, sizeof bytes, 0);
    if (received <= 0) load_fail("a stream was closed early");
    if (!stream->has_status) {
        stream->has_status = 1;
        if (received < 12 || strncmp(bytes, "HTTP/1.1 200", 12)) {
            fprintf(stderr, "expected a stream with status 200, got: %.*s\n", (int)(received < 200 ? received : 200), bytes);
            exit(1);
        }
    }
    for (ssize_t index = 0; index < received; index++) {
        char byte = bytes[index];
        if (byte == '\n') line_ended(stream);
        else if (byte == '\r' || stream->line == IS_DATA || stream->line == IS_OTHER) continue;
        else stream->line = byte == "data:"[stream->line] ? stream->line + 1 : IS_OTHER;
    }
}

static void read_answer(struct poster *poster) {
    ssize_t received =
        recv(poster->descriptor, poster->answer + poster->count, sizeof poster->answer - 1 - poster->count, 0);
    if (received <= 0) load_fail("a connection was closed early");
    poster->count += (size_t)received;
    size_t whole = answer_length(poster->answer, poster->count);
    if (!whole) return;
    poster->count -= whole;
    memmove(poster->answer, poster->answer + whole, poster->count);
    free_posters[free_poster_count++] = (int)(poster - posters);
}

/// Handles the received data once.
static void turn(void) {
    struct epoll_event ready[256];
    int count = epoll_wait(epoll, ready, 256, 50);
    if (count < 0 && errno != EINTR) load_fail("epoll_wait");
    for (int index = 0; index < count; index++) {
        int key = (int)ready[index].data.u32;
        if (key < stream_count) read_stream(&streams[key]);
        else read_answer(&posters[key - stream_count]);
    }
    if (count > 0) last_arrival = load_now();
    post();
}

static void measure(double seconds) {
    for (int index = 0; index < session_count; index++) free_sessions[free_session_count++] = index;
    for (int index = 0; index < poster_count; index++) free_posters[free_poster_count++] = index;
    is_measuring = 1;
    events = 0;
    double start = load_now();
    post();
    while (load_now() - start < seconds) turn();
    double elapsed = load_now() - start;
    printf("{\"units\": %zu, \"events\": %ld, \"rate\": %.1f, \"p50\": %.1f, \"p99\": %.1f}\n", trips.count, events,
           (double)trips.count / elapsed, load_quantile(&trips, 0.5), load_quantile(&trips, 0.99));
    fflush(stdout);
}

int main(int count, char **arguments) {
    if (count != 9) {
        fprintf(stderr, "session-load PORT SECONDS SESSIONS STREAMS POSTERS CREATE-BODY POST-PATH STREAM-PATH\n");
        return 64;
    }
    port = load_number(arguments[1]);
    session_count = load_number(arguments[3]);
    streams_each = load_number(arguments[4]);
    poster_count = load_number(arguments[5]);
    create_body = arguments[6], post_path = arguments[7], stream_path = arguments[8];
    stream_count = session_count * streams_each;
    load_raise_descriptor_limit();
    epoll = epoll_create1(EPOLL_CLOEXEC);
    sessions = calloc((size_t)session_count, sizeof *sessions);
    streams = calloc((size_t)stream_count, sizeof *streams);
    posters = calloc((size_t)poster_count, sizeof *posters);
    free_sessions = calloc((size_t)session_count, sizeof *free_sessions);
    free_posters = calloc((size_t)poster_count, sizeof *free_posters);
    if (epoll < 0 || !sessions || !streams || !posters || !free_sessions || !free_posters)
        load_fail("epoll_create1 or calloc");
    make_sessions();
    open_connections();
    // The load is ready once every stream is open and has received its first events.
    double start = load_now();
    while (heads < stream_count || load_now() - last_arrival < 0.3) {
        turn();
        if (load_now() - start > 60) load_fail("waiting for the streams");
    }
    printf("ready\n");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    measure(atof(arguments[2]));
    while (getchar() != EOF) continue;
    return 0;
}
