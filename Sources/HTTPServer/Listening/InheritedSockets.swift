import CLinux

/// Listening sockets that another process has opened and has started this one with.
public struct InheritedSockets: Hashable, Sendable {
    /// Who has opened them.
    public enum Origin: String, Hashable, Sendable {
        /// A supervisor, who keeps them for longer than a server lives. They are served in place of what is configured, and
        /// their names say what for.
        case supervisor
        /// The server that this one takes over from. Their names are places of its configuration.
        case predecessor
    }

    /// One of them.
    public struct Socket: Hashable, Sendable {
        /// What it is known by in this process.
        public let descriptor: Int32
        /// What it was called by whoever has opened it.
        public let name: String

        /// A socket by its descriptor, which the server closes in the end.
        public init(descriptor: Int32, name: String) {
            self.descriptor = descriptor
            self.name = name
        }
    }

    /// Who has opened them.
    public let origin: Origin
    /// The sockets, in the order in which they came.
    public let sockets: [Socket]

    /// Sockets by their descriptors.
    public init(origin: Origin, sockets: [Socket]) {
        self.origin = origin
        self.sockets = sockets
    }

    /// Closes them, where they are not served after all.
    public func close() {
        for socket in sockets { granary_close(socket.descriptor) }
    }
}

// Between a supervisor and a server, as sd_listen_fds(3) describes it.
extension InheritedSockets {
    /// The descriptor of the first socket.
    private static let first: Int32 = 3
    private static let most = 4096
    /// The variables by which a supervisor says which sockets it has opened, and for whom. They are no others' business.
    public static let supervisorVariables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// The sockets that a supervisor has opened for the process of that number; `nil` where there are none, or where they
    /// are another process's. Throws if the variables make no sense.
    public init?(environment: [String: String], process: Int32) throws(HTTPServerError) {
        guard let owner = environment["LISTEN_PID"], let number = environment["LISTEN_FDS"] else { return nil }
        guard let owner = Int32(owner), let count = Int(number), (0...InheritedSockets.most).contains(count) else {
            throw HTTPServerError(
                reason: .socketInvalid,
                description: "Expected numbers in LISTEN_PID and LISTEN_FDS, got \"\(owner)\" and \"\(number)\".")
        }
        guard owner == process, count > 0 else { return nil }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard names.isEmpty || names.count == count else {
            throw HTTPServerError(
                reason: .socketInvalid,
                description: "LISTEN_FDNAMES has \(names.count) names for \(count) sockets.")
        }
        let sockets = (0..<count).map { index in
            Socket(
                descriptor: InheritedSockets.first + Int32(index), name: names.isEmpty ? "" : String(names[index]))
        }
        self.init(origin: .supervisor, sockets: sockets)
    }
}

// Between a server and the one that takes over from it.
extension InheritedSockets {
    /// What a successor gets them by, if they are the descriptors from `first` on there: who has opened them, then
    /// each as `3=127.0.0.1:8080`, between spaces, which names do not have here.
    public func text(first: Int32) -> String {
        let words = sockets.enumerated().map { "\(first + Int32($0.offset))=\(PlaceName.escaped($0.element.name))" }
        return ([origin.rawValue] + words).joined(separator: " ")
    }

    /// The sockets of such a text; `nil` if it is none.
    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let origin = words.first.flatMap({ Origin(rawValue: String($0)) }) else { return nil }
        var sockets: [Socket] = []
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let descriptor = Int32(parts[0]), descriptor > 2,
                let name = PlaceName.unescaped(parts[1])
            else { return nil }
            sockets.append(Socket(descriptor: descriptor, name: name))
        }
        self.init(origin: origin, sockets: sockets)
    }
}

/// Names of places in a text whose words stand between spaces.
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
