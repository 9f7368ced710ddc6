import CLinux

/// Listening sockets that another process has opened and passed to this one at its start.
public struct InheritedSockets: Hashable, Sendable {
    /// The process that has opened the sockets.
    public enum Origin: String, Hashable, Sendable {
        /// A supervisor, which keeps the sockets open across restarts of the server. They replace the configured
        /// listeners, and their names state their purpose.
        case supervisor
        /// The server that this one replaces. The names are addresses in its configuration.
        case predecessor
    }

    /// One inherited socket.
    public struct Socket: Hashable, Sendable {
        /// The descriptor in this process.
        public let descriptor: Int32
        /// The name that the other process has given it.
        public let name: String

        /// Creates a socket from its descriptor, which the server eventually closes.
        public init(descriptor: Int32, name: String) {
            self.descriptor = descriptor
            self.name = name
        }
    }

    /// The process that has opened the sockets.
    public let origin: Origin
    /// The sockets, in their original order.
    public let sockets: [Socket]

    /// Creates a list of inherited sockets.
    public init(origin: Origin, sockets: [Socket]) {
        self.origin = origin
        self.sockets = sockets
    }

    /// Closes all sockets. For a process that will not serve them.
    public func close() {
        for socket in sockets { granary_close(socket.descriptor) }
    }
}

// The sockets that a supervisor passes to a server, as sd_listen_fds(3) describes.
extension InheritedSockets {
    /// The descriptor of the first socket.
    private static let first: Int32 = 3
    private static let maxCount = 4096
    /// The environment variables in which a supervisor names the sockets and the process they are for. Do not pass them
    /// on to child processes.
    public static let supervisorVariables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// Creates the sockets that a supervisor has opened for the process with the given number, or returns `nil` if
    /// there are none or they are for another process.
    ///
    /// - Throws: An error if the variables are invalid.
    public init?(environment: [String: String], process: Int32) throws(HTTPServerError) {
        guard let owner = environment["LISTEN_PID"], let number = environment["LISTEN_FDS"] else { return nil }
        guard let owner = Int32(owner), let count = Int(number), (0...InheritedSockets.maxCount).contains(count) else {
            throw HTTPServerError(
                reason: .socketInvalid,
                description: "Expected numbers in LISTEN_PID and LISTEN_FDS, got \"\(owner)\" and \"\(number)\".")
        }
        // A parent process may have passed on variables that were meant for itself.
        guard owner == process, count > 0 else { return nil }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard names.isEmpty || names.count == count else {
            throw HTTPServerError(
                reason: .socketInvalid,
                description: "Expected \(count) names in LISTEN_FDNAMES, one for each socket, got \(names.count).")
        }
        let sockets = (0..<count).map { index in
            Socket(
                descriptor: InheritedSockets.first + Int32(index), name: names.isEmpty ? "" : String(names[index]))
        }
        self.init(origin: .supervisor, sockets: sockets)
    }
}

// The sockets that a server passes to its successor.
extension InheritedSockets {
    /// Returns the text by which a successor finds the sockets if they are its descriptors from `first` on: the origin,
    /// then one word such as `3=127.0.0.1:8080` for each socket, separated by spaces.
    public func text(first: Int32) -> String {
        let words = sockets.enumerated().map { "\(first + Int32($0.offset))=\(PlaceName.escaped($0.element.name))" }
        return ([origin.rawValue] + words).joined(separator: " ")
    }

    /// Creates the sockets from such a text, or returns `nil` if the text is invalid.
    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let origin = words.first.flatMap({ Origin(rawValue: String($0)) }) else { return nil }
        var sockets: [Socket] = []
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // 0 to 2 are the standard streams and never sockets of a predecessor.
            guard parts.count == 2, let descriptor = Int32(parts[0]), descriptor > 2,
                let name = PlaceName.unescaped(parts[1])
            else { return nil }
            sockets.append(Socket(descriptor: descriptor, name: name))
        }
        self.init(origin: origin, sockets: sockets)
    }
}

/// Escapes names in a text whose words are separated by spaces.
private enum PlaceName {
    static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
                ? String(UnicodeScalar(byte)) : "%" + String(UInt16(byte) + 0x100, radix: 16).dropFirst()
        }
        .joined()
    }

    static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let number = UInt8(rest.prefix(2).map { String(UnicodeScalar($0)) }.joined(), radix: 16)
            else { return nil }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
