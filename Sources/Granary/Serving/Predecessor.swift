import CLinux
import Glibc
import HTTPServer

/// The server that has started this one to take over from it: what it has handed over, and a line to it.
struct Predecessor: Sendable {
    /// The variable by which it tells of both.
    static let variable = "GRANARY_TAKEOVER"
    /// What the new server says when nothing can fail any more.
    static let readiness = UInt8(ascii: "R")
    /// What the old one says when it leaves the sockets to the new one.
    static let consent = UInt8(ascii: "G")

    /// Its listening sockets.
    let sockets: InheritedSockets
    private let line: Int32

    /// The server that the environment tells of; nil if this one has no predecessor.
    init?(environment: [String: String]) throws(TakeoverError) {
        guard let text = environment[Predecessor.variable] else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let line = Int32(parts[0]), line > 2, fcntl(line, F_SETFD, FD_CLOEXEC) == 0,
            let sockets = InheritedSockets(text: String(parts[1]))
        else {
            throw TakeoverError(
                description: "\(Predecessor.variable) is set by a server for the one that takes over, got \"\(text)\".")
        }
        self.line = line
        self.sockets = sockets
    }

    /// The variable's value for a successor that gets the line as `first` and the sockets behind it.
    static func text(_ sockets: InheritedSockets, first: Int32) -> String {
        "\(first) \(sockets.text(first: first + 1))"
    }

    /// Says that this server is ready, and returns once the old one accepts no more connections; also where it has died,
    /// since there is nobody else then.
    func awaitConsent() {
        var byte = Predecessor.readiness
        _ = granary_send(line, &byte, 1)
        while granary_await_readable(line, -1) == 0 {}
        close(line)
    }
}

/// Why a server cannot take over, or be taken over from.
struct TakeoverError: Error, Equatable, CustomStringConvertible {
    let description: String
}
