import CLinux

/// A TCP port of the loopback that is reserved for a test. Nobody listens on it, so connections to it are refused, and the
/// system gives it to nobody who asks for any free port. A server that is told this very port can listen on it, again and
/// again: a port that one server has freed may belong to somebody else before the next one starts.
public final class HTTPTestHeldPort: Sendable {
    /// The port's number.
    public let number: UInt16
    private let descriptor: Int32

    /// Reserves a free port of 127.0.0.1 until this object is released.
    ///
    /// - Throws: ``HTTPTestError`` if the system has no port to give.
    public init() throws {
        var options = granary_listen_options()
        // A socket that is bound and does not listen. Linux lets others with SO_REUSEADDR bind the same port.
        options.backlog = 0
        var port: UInt16 = 0
        descriptor = granary_listen("127.0.0.1", &options, &port)
        guard descriptor >= 0 else { throw HTTPTestError("could not reserve a port: error \(-descriptor)") }
        number = port
    }

    deinit {
        granary_close(descriptor)
    }
}
