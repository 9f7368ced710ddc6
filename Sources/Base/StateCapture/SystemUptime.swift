import Glibc

/// The time since the system was started, including the time for which it was suspended. The server's event loops use the same clock.
package enum SystemUptime {
    /// The current time.
    package static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
