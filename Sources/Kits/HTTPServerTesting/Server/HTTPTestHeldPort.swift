import CLinux

/// A reserved TCP port of the loopback interface.
///
/// Connections to the port are refused, and the system does not assign it to sockets that bind to any free port. A
/// server that is configured with this port can listen on it repeatedly. Without the reservation, another process could
/// get the port between two starts of a server.
public final class HTTPTestHeldPort: Sendable {
    /// The number of the port.
    public let number: UInt16
    private let descriptor: Int32

    /// Reserves a free port of 127.0.0.1 until this object is released.
    ///
    /// - Throws: ``HTTPTestError`` if there is no free port.
    public init() throws {
        var options = granary_listen_options()
        // The socket is bound but does not listen, so Linux lets other sockets with SO_REUSEADDR bind to the same port.
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
