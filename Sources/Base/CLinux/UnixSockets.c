#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/// Fills in the address of a path; returns its length, or 0 if the path is empty or too long.
static socklen_t address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t count = strlen(path);
    if (count == 0 || count >= sizeof address->sun_path) return 0;
    memcpy(address->sun_path, path, count);
    // An abstract name begins with a NUL and ends with its last byte.
    if (path[0] != '@') return sizeof *address;
    address->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count);
}

static int open_socket(int type) {
    int descriptor = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    return descriptor < 0 ? -errno : descriptor;
}

/// Closes a descriptor and returns an earlier error.
static int give_up(int descriptor, int error) {
    close(descriptor);
    return -error;
}

int granary_find_socket(const char *path, granary_file *file) {
    struct stat status;
    if (lstat(path, &status) < 0) return -errno;
    if (!S_ISSOCK(status.st_mode)) return -ENOTSOCK;
    file->device = status.st_dev;
    file->inode = status.st_ino;
    return 0;
}

void granary_remove_socket(const char *path, const granary_file *file) {
    granary_file present;
    if (granary_find_socket(path, &present) < 0) return;
    if (present.device == file->device && present.inode == file->inode) unlink(path);
}

/// Removes a socket file on which no process listens.
static int remove_stale(const char *path, const struct sockaddr_un *address, socklen_t length) {
    granary_file file;
    int result = granary_find_socket(path, &file);
    if (result < 0) return result == -ENOENT ? 0 : result;
    int probe = open_socket(SOCK_STREAM | SOCK_NONBLOCK);
    if (probe < 0) return probe;
    result = connect(probe, (const struct sockaddr *)address, length);
    int error = errno;
    close(probe);
    // A full backlog or missing permissions also indicate a server.
    if (result == 0 || error != ECONNREFUSED) return -EADDRINUSE;
    return unlink(path) < 0 ? -errno : 0;
}

static int bind_and_listen(const char *path, uint32_t mode, int backlog, granary_file *file) {
    struct sockaddr_un address;
    socklen_t length = address_of(path, &address);
    int result = remove_stale(path, &address, length);
    if (result < 0) return result;
    int descriptor = open_socket(SOCK_STREAM | SOCK_NONBLOCK);
    if (descriptor < 0) return descriptor;
    // The file never has more permissions than configured, not even initially, and has all of them regardless of the
    // umask.
    if (fchmod(descriptor, mode) < 0) return give_up(descriptor, errno);
    if (bind(descriptor, (const struct sockaddr *)&address, length) < 0) return give_up(descriptor, errno);
    if (chmod(path, mode) < 0 || listen(descriptor, backlog) < 0) {
        int error = errno;
        unlink(path);
        return give_up(descriptor, error);
    }
    result = granary_find_socket(path, file);
    return result < 0 ? give_up(descriptor, -result) : descriptor;
}

/// Writes the directory of a path, which is shorter than GRANARY_PATH_LENGTH.
static void folder_of(const char *path, char *folder) {
    const char *slash = strrchr(path, '/');
    size_t count = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    memcpy(folder, count ? path : ".", count ? count : 1);
    folder[count ? count : 1] = 0;
}

/// Prevents other servers that start at the same time from regarding the same file as stale.
static int lock_folder(const char *path) {
    char folder[GRANARY_PATH_LENGTH];
    folder_of(path, folder);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    for (int attempt = 0; flock(descriptor, LOCK_EX | LOCK_NB) < 0; attempt++) {
        if (errno != EWOULDBLOCK || attempt == 100) return give_up(descriptor, errno);
        nanosleep(&pause, NULL);
    }
    return descriptor;
}

int granary_check_socket_path(const char *path) {
    struct sockaddr_un address;
    if (path[0] == '@' || address_of(path, &address) == 0) return -ENAMETOOLONG;
    char folder[GRANARY_PATH_LENGTH];
    folder_of(path, folder);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    close(descriptor);
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) < 0) return -errno;
    granary_file file;
    int result = granary_find_socket(path, &file);
    return result == -ENOENT ? 0 : result;
}

int granary_listen_unix(const char *path, uint32_t mode, int backlog, granary_file *file) {
    struct sockaddr_un address;
    if (path[0] == '@' || address_of(path, &address) == 0) return -ENAMETOOLONG;
    int lock = lock_folder(path);
    if (lock < 0) return lock;
    int result = bind_and_listen(path, mode, backlog, file);
    close(lock);
    return result;
}

int granary_connect_unix(const char *path) {
    struct sockaddr_un address;
    socklen_t length = address_of(path, &address);
    if (length == 0) return -ENAMETOOLONG;
    int descriptor = open_socket(SOCK_STREAM);
    if (descriptor < 0) return descriptor;
    if (connect(descriptor, (struct sockaddr *)&address, length) < 0) return give_up(descriptor, errno);
    return descriptor;
}

int granary_send_datagram(const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address;
    socklen_t length = address_of(path, &address);
    if (length == 0) return -ENAMETOOLONG;
    int descriptor = open_socket(SOCK_DGRAM);
    if (descriptor < 0) return descriptor;
    // A receiver that does not read its datagrams must not block the sender.
    struct timeval limit = {.tv_sec = 1};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ssize_t sent = sendto(descriptor, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    int error = errno;
    close(descriptor);
    return sent < 0 ? -error : 0;
}

int granary_bind_datagrams(const char *path) {
    struct sockaddr_un address;
    socklen_t length = address_of(path, &address);
    if (length == 0) return -ENAMETOOLONG;
    int descriptor = open_socket(SOCK_DGRAM | SOCK_NONBLOCK);
    if (descriptor < 0) return descriptor;
    int yes = 1;
    if (setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) < 0) return give_up(descriptor, errno);
    if (bind(descriptor, (struct sockaddr *)&address, length) < 0) return give_up(descriptor, errno);
    return descriptor;
}

long granary_receive_own_datagram(int descriptor, void *bytes, size_t size) {
    struct iovec content = {.iov_base = bytes, .iov_len = size};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control = {0};
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    if (count < 0) return -errno;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (!head || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_CREDENTIALS) return 0;
    struct ucred sender;
    memcpy(&sender, CMSG_DATA(head), sizeof sender);
    return sender.uid == geteuid() ? count : 0;
}

int granary_socket_pair(int *first, int *second) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
    *first = pair[0];
    *second = pair[1];
    return 0;
}

int granary_send_descriptor(int socket, uint8_t byte, int descriptor) {
    struct iovec content = {.iov_base = &byte, .iov_len = 1};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
    }
    ssize_t count;
    do count = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : 0;
}

int granary_receive_descriptor(int socket, uint8_t *byte, int *descriptor) {
    struct iovec content = {.iov_base = byte, .iov_len = 1};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *descriptor = -1;
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(head), sizeof(int));
    return (int)count;
}
