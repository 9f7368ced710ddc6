/// Opens TLS 1.3 connections one after the other on each of two threads, with one small request on each.
///
///   handshake-load PORT SECONDS full|resumed
///
/// Prints a line of JSON. Durations are from the first byte to the end of the handshake.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "LoadKit.h"

enum { THREADS = 2 };

static int port, resumes;
static double end;

struct work {
    pthread_t thread;
    SSL_CTX *context;
    SSL_SESSION *session;
    load_durations durations;
    long wrong;
};

static void refuse(const char *what) {
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

/// Stores the newest ticket.
static int remember(SSL *connection, SSL_SESSION *session) {
    struct work *work = SSL_get_app_data(connection);
    if (work->session) SSL_SESSION_free(work->session);
    work->session = session;
    return 1;
}

static void connect_once(struct work *work) {
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    char answer[1 << 14];
    int descriptor = load_dial(port, 0), received, total = 0;
    SSL *connection = SSL_new(work->context);
    if (!connection || !SSL_set_fd(connection, descriptor)) refuse("no connection");
    SSL_set_app_data(connection, work);
    int offers = resumes && work->session;
    if (offers) SSL_set_session(connection, work->session);
    double start = load_now();
    if (SSL_connect(connection) != 1) refuse("a handshake failed");
    load_add(&work->durations, load_now() - start);
    if (offers && !SSL_session_reused(connection)) work->wrong++;
    if (SSL_write(connection, request, sizeof request - 1) <= 0) refuse("a request failed");
    while ((received = SSL_read(connection, answer, sizeof answer)) > 0) {
        if (!total && (received < 12 || strncmp(answer, "HTTP/1.1 200", 12)))
            refuse("expected a response with status 200");
        total += received;
    }
    if (!total) refuse("no response was received");
    // Marks both directions as shut down: otherwise the library would discard the session.
    SSL_set_shutdown(connection, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    ERR_clear_error();
    SSL_free(connection);
    close(descriptor);
}

static void *run(void *argument) {
    struct work *work = argument;
    while (load_now() < end) connect_once(work);
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "handshake-load PORT SECONDS full|resumed\n");
        return 64;
    }
    port = load_number(arguments[1]);
    double seconds = atof(arguments[2]);
    resumes = strcmp(arguments[3], "resumed") == 0;
    struct work works[THREADS] = {0};
    double start = load_now();
    end = start + seconds;
    for (int index = 0; index < THREADS; index++) {
        SSL_CTX *context = SSL_CTX_new(TLS_client_method());
        if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)) refuse("no context");
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(context, remember);
        works[index].context = context;
        if (pthread_create(&works[index].thread, NULL, run, &works[index])) load_fail("pthread_create");
    }
    load_durations all = {0};
    long wrong = 0;
    for (int index = 0; index < THREADS; index++) {
        pthread_join(works[index].thread, NULL);
        for (size_t place = 0; place < works[index].durations.count; place++)
            load_add(&all, works[index].durations.seconds[place]);
        wrong += works[index].wrong;
    }
    printf("{\"units\": %zu, \"rate\": %.1f, \"p50\": %.1f, \"p99\": %.1f, \"wrong\": %ld}\n", all.count,
           (double)all.count / (load_now() - start), load_quantile(&all, 0.5), load_quantile(&all, 0.99), wrong);
    return 0;
}
