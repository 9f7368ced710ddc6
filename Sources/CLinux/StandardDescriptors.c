#include <fcntl.h>
#include <unistd.h>

/// Opens those of the descriptors 0, 1 and 2 that are closed on `/dev/null`. Otherwise the next socket gets the number of
/// one, and what is printed goes to a client.
///
/// A constructor, as the runtime opens descriptors before the first line of a program.
__attribute__((constructor(101))) static void open_missing_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // The lowest free number is this one, as those below are open. A system without /dev/null has a root.
        if (open("/dev/null", O_RDWR) < 0) (void)open("/", O_RDONLY);
    }
}
