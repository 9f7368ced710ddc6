/// A connection of the client's, with TLS or without, and the few frames of HTTP/2 that a client needs.
#ifndef GRANARY_CHANNEL_H
#define GRANARY_CHANNEL_H

#include <openssl/ssl.h>
#include <stddef.h>

typedef struct {
    int descriptor;
    /// NULL in cleartext.
    SSL *tls;
} channel;

/// What the head of a frame says.
typedef struct {
    size_t length;
    unsigned char type, flags;
    unsigned stream;
} frame;

enum { FRAME_DATA = 0, FRAME_HEADERS = 1, FRAME_RST_STREAM = 3, FRAME_SETTINGS = 4, FRAME_GOAWAY = 7 };
enum { FLAG_END_STREAM = 1, FLAG_ACK = 1 };

/// A connection to a port of this machine; `protocol` is what ALPN offers, NULL in cleartext.
channel channel_open(int port, int index, const char *protocol);
void channel_write(channel channel, const void *bytes, size_t count);
/// Reads what is there, at least a byte.
size_t channel_read_some(channel channel, void *bytes, size_t room);
void channel_read(channel channel, void *bytes, size_t count);

/// Begins HTTP/2: the preface, settings, and a window for the connection that never closes.
void http2_begin(channel channel);
void http2_request(channel channel, unsigned stream, const char *path, const char *accept);
/// Reads a frame, and answers settings. Ends the process where the server gives a stream or the connection up.
frame http2_read(channel channel);

#endif
