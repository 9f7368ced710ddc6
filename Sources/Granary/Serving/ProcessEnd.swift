import Dispatch
import Glibc

/// The end of the process.
enum ProcessEnd {
    /// The seconds that `exit` has.
    private static let grace = 2

    /// Ends the process with that status, within a bounded time.
    ///
    /// `exit` also writes what machines have printed with `print`, and waits for whoever reads it.
    static func exit(_ status: Int32) -> Never {
        DispatchQueue(label: "granary.exit").asyncAfter(deadline: .now() + .seconds(grace)) { _exit(status) }
        Glibc.exit(status)
    }
}
