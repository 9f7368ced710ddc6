#include <fcntl.h>
#include <unistd.h>

/// Opens `/dev/null` for those of the descriptors 0, 1 and 2 that are closed. Otherwise the next socket gets such a
/// number, and printed text is sent to a client.
///
/// A constructor, because the runtime opens descriptors before the first line of a program.
__attribute__((constructor(101))) static void open_missing_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // This is the lowest free number, since the ones below are open. A system without /dev/null still has a root
        // directory.
        if (open("/dev/null", O_RDWR) < 0) (void)open("/", O_RDONLY);
    }
}
