#include <fcntl.h>
#include <unistd.h>

/// Opens `/dev/null` for each of the descriptors 0, 1 and 2 that is closed. Otherwise the next socket would get its
/// number, and printed text would be sent to a client.
///
/// A constructor, because the runtime opens descriptors before the first line of a program.
__attribute__((constructor(101))) static void open_missing_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // This number is the lowest free one, because those below it are open. A system without /dev/null still has a
        // root directory.
        if (open("/dev/null", O_RDWR) < 0) (void)open("/", O_RDONLY);
    }
}
