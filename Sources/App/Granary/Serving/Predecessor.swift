import CLinux
import Foundation
import Glibc
import HTTPServer

/// The server that started this one in order to be replaced by it.
struct Predecessor: Sendable {
    /// The environment variable that describes the channel to the predecessor and its sockets.
    static let variable = "GRANARY_TAKEOVER"
    /// The byte that the new server sends when its start can no longer fail.
    static let readiness = UInt8(ascii: "R")
    /// The byte with which the old server passes its sessions, together with the lock of their directory. It takes no turns, and
    /// takes them back if the new server does not confirm.
    static let sessions = UInt8(ascii: "L")
    /// The byte that the new server sends when it can continue the sessions.
    static let confirmation = UInt8(ascii: "C")
    /// The byte with which the old server leaves sockets and sessions to the new one.
    static let consent = UInt8(ascii: "G")

    /// The byte with which the old server passes a connection, on which it sends a request of one of its clients.
    static let request = UInt8(ascii: "F")

    /// The resources that a predecessor leaves.
    enum Legacy: Equatable {
        /// Its sessions, with the lock of their directory if it stores any. It waits for the confirmation.
        case sessions(lock: Int32?)
        /// Nothing but its sockets: it has ended, or is of a version that passes no sessions.
        case sockets
    }

    let sockets: InheritedSockets
    private let channel: Int32

    /// Reads the environment. Returns `nil` if this server has no predecessor.
    ///
    /// - Throws: `OperatorError` if the variable is malformed or its descriptors are not open.
    init?(environment: [String: String]) throws(OperatorError) {
        guard let text = environment[Predecessor.variable] else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let channel = Int32(parts[0]), channel > 2, fcntl(channel, F_SETFD, FD_CLOEXEC) == 0,
            let sockets = InheritedSockets(text: String(parts[1]))
        else {
            throw OperatorError(
                "\(Predecessor.variable) must be set only by a server for its successor, got \"\(text)\".")
        }
        self.channel = channel
        self.sockets = sockets
    }

    /// Returns the value of the variable for a successor that receives the channel as descriptor `first`, followed by
    /// the sockets.
    static func text(_ sockets: InheritedSockets, first: Int32) -> String {
        "\(first) \(sockets.text(first: first + 1))"
    }

    /// Reports that this server is ready, and waits until the predecessor has released its sessions or has exited.
    func awaitLegacy() -> Legacy {
        var byte = Predecessor.readiness
        _ = granary_send(channel, &byte, 1)
        var lock: Int32 = -1
        // The channel ends when the predecessor has exited, and then no other process accepts connections.
        guard granary_receive_descriptor(channel, &byte, &lock) == 1, byte == Predecessor.sessions else {
            close(channel)
            return .sockets
        }
        return .sessions(lock: lock < 0 ? nil : lock)
    }

    /// Confirms that this server can continue the sessions, and waits until the predecessor will not take them back.
    // A predecessor that has given up kills this process before it closes the channel. So the end of the channel means that the
    // predecessor has ended.
    func confirm() {
        var byte = Predecessor.confirmation
        _ = granary_send(channel, &byte, 1)
        while granary_await_readable(channel, -1) == 0 {}
    }

    /// Receives the connections that the predecessor passes until it ends, after ``confirm()``. Returns immediately.
    ///
    /// - Parameter receive: Called on a thread of its own with each connection, which then belongs to it.
    func receiveConnections(_ receive: @escaping @Sendable (Int32) -> Void) {
        Thread.detachNewThread { [channel] in
            var (byte, descriptor): (UInt8, Int32) = (0, -1)
            // The consent is the first byte.
            while granary_receive_descriptor(channel, &byte, &descriptor) == 1 {
                if descriptor < 0 { continue }
                if byte == Predecessor.request { receive(descriptor) } else { close(descriptor) }
            }
            close(channel)
        }
    }
}
