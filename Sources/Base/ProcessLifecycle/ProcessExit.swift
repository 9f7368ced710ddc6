import Dispatch
import Glibc

/// Exits the process within a bounded time.
public enum ProcessExit {
    /// The time limit of `exit`, in seconds.
    private static let grace = 2

    /// Exits the process with a status.
    public static func exit(_ status: Int32) -> Never {
        // `exit` flushes the output of `print`, which blocks for as long as a reader of standard output has stalled.
        DispatchQueue(label: "granary.exit").asyncAfter(deadline: .now() + .seconds(grace)) { _exit(status) }
        Glibc.exit(status)
    }

    /// Exits the process with a status, without running exit handlers. May be called from any thread.
    public static func exitImmediately(_ status: Int32) -> Never {
        _exit(status)
    }
}
