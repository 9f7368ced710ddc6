#define _GNU_SOURCE
#include "LoadKit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

enum { PORTS_PER_ADDRESS = 20000 };

void load_fail(const char *what) {
    perror(what);
    exit(1);
}

double load_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void load_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) load_fail("getrlimit");
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) load_fail("setrlimit");
}

int load_dial(int port, int index) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    if (descriptor < 0) load_fail("socket");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (index >= PORTS_PER_ADDRESS) {
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(index / PORTS_PER_ADDRESS));
        if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) load_fail("bind");
    }
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)port);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) load_fail("connect");
    return descriptor;
}

void load_send(int descriptor, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t sent = send(descriptor, next, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) load_fail("send");
        next += sent;
        count -= (size_t)sent;
    }
}

int load_number(const char *text) {
    char *end = NULL;
    long number = text ? strtol(text, &end, 10) : -1;
    if (!text || *end || end == text || number < 0 || number > 1000000000) {
        fprintf(stderr, "expected a whole number, got %s\n", text ? text : "nothing");
        exit(64);
    }
    return (int)number;
}

void load_add(load_durations *durations, double seconds) {
    if (durations->count == durations->capacity) {
        durations->capacity = durations->capacity ? durations->capacity * 2 : 1 << 16;
        durations->seconds = realloc(durations->seconds, durations->capacity * sizeof *durations->seconds);
        if (!durations->seconds) load_fail("realloc");
    }
    durations->seconds[durations->count++] = seconds;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double load_quantile(load_durations *durations, double part) {
    if (!durations->count) return 0;
    qsort(durations->seconds, durations->count, sizeof *durations->seconds, compare);
    return durations->seconds[(size_t)(part * (double)(durations->count - 1))] * 1e6;
}
