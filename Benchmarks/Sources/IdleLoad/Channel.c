#include "Channel.h"

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "LoadKit.h"

enum { FRAME_HEAD_BYTES = 9, MOST_FRAME_BYTES = 1 << 14 };

static void refuse(const char *what) {
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

channel channel_open(int port, int index, const char *protocol) {
    static SSL_CTX *context;
    channel channel = {.descriptor = load_dial(port, index)};
    if (!protocol) return channel;
    if (!context) context = SSL_CTX_new(TLS_client_method());
    unsigned char offer[32];
    offer[0] = (unsigned char)strlen(protocol);
    memcpy(offer + 1, protocol, offer[0]);
    channel.tls = SSL_new(context);
    if (!channel.tls || !SSL_set_fd(channel.tls, channel.descriptor)) refuse("no connection");
    if (SSL_set_alpn_protos(channel.tls, offer, offer[0] + 1u)) refuse("no protocol");
    if (SSL_connect(channel.tls) != 1) refuse("a handshake failed");
    return channel;
}

void channel_write(channel channel, const void *bytes, size_t count) {
    if (!channel.tls) return load_send(channel.descriptor, bytes, count);
    if (SSL_write(channel.tls, bytes, (int)count) != (int)count) refuse("a write failed");
}

size_t channel_read_some(channel channel, void *bytes, size_t room) {
    if (channel.tls) {
        int received = SSL_read(channel.tls, bytes, (int)room);
        if (received <= 0) refuse("a read failed");
        return (size_t)received;
    }
    ssize_t received = recv(channel.descriptor, bytes, room, 0);
    if (received <= 0) load_fail("the connection was closed early");
    return (size_t)received;
}

void channel_read(channel channel, void *bytes, size_t count) {
    for (size_t have = 0; have < count;) have += channel_read_some(channel, (char *)bytes + have, count - have);
}

static void write_frame(channel channel, frame frame, const void *content) {
    unsigned char bytes[FRAME_HEAD_BYTES + 512] = {
        (unsigned char)(frame.length >> 16), (unsigned char)(frame.length >> 8), (unsigned char)frame.length,
        frame.type, frame.flags,
        (unsigned char)(frame.stream >> 24), (unsigned char)(frame.stream >> 16),
        (unsigned char)(frame.stream >> 8), (unsigned char)frame.stream};
    if (frame.length > 512) refuse("a frame is too long");
    if (frame.length) memcpy(bytes + FRAME_HEAD_BYTES, content, frame.length);
    channel_write(channel, bytes, FRAME_HEAD_BYTES + frame.length);
}

void http2_begin(channel channel) {
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    static const unsigned char increment[] = {0x3f, 0xff, 0x00, 0x00};
    channel_write(channel, preface, sizeof preface - 1);
    write_frame(channel, (frame){.type = FRAME_SETTINGS}, NULL);
    write_frame(channel, (frame){.length = sizeof increment, .type = 8}, increment);
}

/// Writes a field with a name from the static table and a literal value (RFC 7541 §6.2.2).
static size_t put_field(unsigned char *block, unsigned char name, const char *value) {
    size_t length = strlen(value), index = 0;
    if (length > 126) refuse("a value is too long");
    if (name >= 15) {
        block[index++] = 0x0f;
        block[index++] = (unsigned char)(name - 15);
    } else {
        block[index++] = name;
    }
    block[index++] = (unsigned char)length;
    memcpy(block + index, value, length);
    return index + length;
}

void http2_request(channel channel, unsigned stream, const char *path, const char *accept) {
    enum { AUTHORITY = 1, METHOD_GET = 0x82, PATH = 4, SCHEME_HTTP = 0x86, SCHEME_HTTPS = 0x87, ACCEPT = 19 };
    unsigned char block[512];
    size_t length = 0;
    block[length++] = METHOD_GET;
    block[length++] = channel.tls ? SCHEME_HTTPS : SCHEME_HTTP;
    length += put_field(block + length, AUTHORITY, "localhost");
    length += put_field(block + length, PATH, path);
    length += put_field(block + length, ACCEPT, accept);
    // END_STREAM and END_HEADERS.
    write_frame(channel, (frame){.length = length, .type = FRAME_HEADERS, .flags = 5, .stream = stream}, block);
}

static void acknowledge(channel channel) {
    write_frame(channel, (frame){.type = FRAME_SETTINGS, .flags = FLAG_ACK}, NULL);
}

frame http2_read(channel channel) {
    unsigned char head[FRAME_HEAD_BYTES], content[MOST_FRAME_BYTES];
    channel_read(channel, head, sizeof head);
    frame frame = {
        .length = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2],
        .type = head[3],
        .flags = head[4],
        .stream = ((unsigned)head[5] << 24 | (unsigned)head[6] << 16 | (unsigned)head[7] << 8 | head[8]) & 0x7fffffff};
    if (frame.length > sizeof content) refuse("a frame is too long");
    channel_read(channel, content, frame.length);
    if (frame.type == FRAME_RST_STREAM || frame.type == FRAME_GOAWAY)
        refuse("the server reset a stream or closed the connection");
    if (frame.type == FRAME_SETTINGS && !(frame.flags & FLAG_ACK))
        acknowledge(channel);
    return frame;
}
