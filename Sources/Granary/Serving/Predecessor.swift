import CLinux
import Glibc
import HTTPServer

/// The server that started this one in order to be replaced by it.
struct Predecessor: Sendable {
    /// The environment variable that describes the channel to the predecessor and its sockets.
    static let variable = "GRANARY_TAKEOVER"
    /// The byte that the new server sends when its start can no longer fail.
    static let readiness = UInt8(ascii: "R")
    /// The byte with which the old server leaves the sockets to the new one.
    static let consent = UInt8(ascii: "G")

    /// The listening sockets of the predecessor.
    let sockets: InheritedSockets
    private let channel: Int32

    /// Reads the environment. Returns `nil` if this server has no predecessor.
    ///
    /// - Throws: `TakeoverError` if the variable is malformed or its descriptors are not open.
    init?(environment: [String: String]) throws(TakeoverError) {
        guard let text = environment[Predecessor.variable] else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let channel = Int32(parts[0]), channel > 2, fcntl(channel, F_SETFD, FD_CLOEXEC) == 0,
            let sockets = InheritedSockets(text: String(parts[1]))
        else {
            throw TakeoverError(
                description: "\(Predecessor.variable) must be set only by a server for its successor, got \"\(text)\".")
        }
        self.channel = channel
        self.sockets = sockets
    }

    /// Returns the value of the variable for a successor that receives the channel as descriptor `first`, followed by
    /// the sockets.
    static func text(_ sockets: InheritedSockets, first: Int32) -> String {
        "\(first) \(sockets.text(first: first + 1))"
    }

    /// Reports that this server is ready, and waits until the predecessor has stopped accepting connections or has
    /// exited.
    func awaitConsent() {
        var byte = Predecessor.readiness
        _ = granary_send(channel, &byte, 1)
        // The channel also becomes readable when the predecessor has exited, and then no other process accepts
        // connections.
        while granary_await_readable(channel, -1) == 0 {}
        close(channel)
    }
}

/// The reason why a takeover failed.
struct TakeoverError: Error, Equatable, CustomStringConvertible {
    let description: String
}
