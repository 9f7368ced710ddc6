// A separate file: the kernel's header defines members of `tcp_info` that the header of the C library lacks, and the
// two headers cannot be included together.
#include "CLinux.h"

#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int granary_get_peer_progress(int descriptor, granary_peer_progress *progress) {
    int outstanding = 0;
    if (ioctl(descriptor, SIOCOUTQ, &outstanding) < 0) return -errno;
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) < 0) return -errno;
    if (length < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) return -ENOTSUP;
    progress->outstanding = outstanding;
    progress->acknowledged = info.tcpi_bytes_acked;
    return 0;
}
