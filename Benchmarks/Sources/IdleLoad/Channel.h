/// A client connection with or without TLS, and the few HTTP/2 frames that a client needs.
#ifndef GRANARY_CHANNEL_H
#define GRANARY_CHANNEL_H

#include <openssl/ssl.h>
#include <stddef.h>

typedef struct {
    int descriptor;
    /// NULL in cleartext.
    SSL *tls;
} channel;

/// The header of a frame.
typedef struct {
    size_t length;
    unsigned char type, flags;
    unsigned stream;
} frame;

enum { FRAME_DATA = 0, FRAME_HEADERS = 1, FRAME_RST_STREAM = 3, FRAME_SETTINGS = 4, FRAME_GOAWAY = 7 };
enum { FLAG_END_STREAM = 1, FLAG_ACK = 1 };

/// Connects to a local port. `protocol` is the protocol that ALPN offers; NULL means cleartext.
channel channel_open(int port, int index, const char *protocol);
void channel_write(channel channel, const void *bytes, size_t count);
/// Reads the available bytes, at least one.
size_t channel_read_some(channel channel, void *bytes, size_t room);
void channel_read(channel channel, void *bytes, size_t count);

/// Starts HTTP/2: sends the preface, settings, and a connection window that is never exhausted.
void http2_begin(channel channel);
void http2_request(channel channel, unsigned stream, const char *path, const char *accept);
/// Reads a frame and acknowledges settings. Ends the process if the server resets a stream or closes the connection.
frame http2_read(channel channel);

#endif
