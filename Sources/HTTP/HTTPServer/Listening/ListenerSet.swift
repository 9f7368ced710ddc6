import CLinux
import Glibc
import HTTPModel

struct ListeningSocket: Sendable {
    let descriptor: Int32
    let isSecure: Bool
    let role: ListenerRole
    let isUnix: Bool
    /// Whether only processes of this machine can connect to it.
    let isLocal: Bool
    /// Whether its connections are for all loops.
    let isShared: Bool

    init(_ descriptor: Int32, of listener: HTTPListener, isShared: Bool) {
        self.descriptor = descriptor
        self.isShared = isShared
        (isSecure, role) = (listener.isSecure, listener.role)
        (isUnix, isLocal) = (listener.isUnix, listener.isLocal)
    }
}

/// The listening sockets of a server.
struct ListenerSet {
    /// The sockets that the server listens on.
    let bound: [BoundListener]
    /// A predecessor's sockets that this server does not use. To be closed when the start can no longer fail.
    let abandoned: [AdoptedSocket]

    /// The listeners, with their actual ports.
    var listeners: [HTTPListener] { bound.map(\.listener) }

    static func open(_ configuration: HTTPServerConfiguration, count: Int) throws(HTTPServerError) -> ListenerSet {
        var opening = ListenerOpener(configuration, count: count)
        do throws(HTTPServerError) {
            try opening.open()
        } catch {
            opening.closeOpened()
            throw error
        }
        return ListenerSet(bound: opening.bound, abandoned: opening.adopted)
    }

    /// Closes the sockets that were opened here, if the server does not start.
    func closeOpened() {
        for listener in bound { listener.closeOpened() }
    }

    /// The port of the first public TLS listener.
    var securePort: UInt16? {
        // Redirects need a port, which a Unix socket does not have.
        for case .address(_, let port) in listeners.filter({ $0.isSecure && $0.role == .public }).map(\.place) {
            return port
        }
        return nil
    }

    func duplicates(origin: InheritedSockets.Origin?) throws(HTTPServerError) -> InheritedSockets {
        var duplicates = FileDescriptorList()
        var names: [String] = []
        for listener in bound {
            for descriptor in listener.descriptors {
                let result = granary_duplicate(descriptor, 0)
                duplicates.append(try FileDescriptor(result, "duplicate its sockets for a successor"))
                names.append(listener.name)
            }
        }
        let sockets = zip(duplicates.take(), names).map { InheritedSockets.Socket(descriptor: $0, name: $1) }
        return InheritedSockets(origin: origin ?? .predecessor, sockets: sockets)
    }

    /// Removes the files of Unix sockets, so that no new client can connect.
    func removeFiles() {
        for listener in bound { listener.file?.remove() }
    }

    /// The number of loops that watch a shared socket: a second one, so that connections are accepted while the first
    /// is busy. Not more, because the kernel wakes every sleeping loop for each connection.
    private static let acceptorsPerSocket = 2

    /// Returns the sockets of each of `count` loops. A listener with at least as many sockets has one or more for each
    /// loop, and the kernel distributes connections over the sockets. Each socket of a listener with fewer is watched
    /// by two loops, which distribute the accepted connections over all loops.
    func sockets(forLoops count: Int) throws(HTTPServerError) -> [[ListeningSocket]] {
        var shares = [[ListeningSocket]](repeating: [], count: count)
        // Owned here until all of them exist: a failure must not leave the earlier ones open.
        var duplicates = FileDescriptorList()
        for (number, bound) in bound.enumerated() {
            let isShared = bound.descriptors.count < count
            for (index, descriptor) in bound.descriptors.enumerated() {
                for acceptor in 0..<(isShared ? ListenerSet.acceptorsPerSocket : 1) {
                    var own = descriptor
                    // Every loop closes its own descriptor.
                    if acceptor > 0 {
                        let result = granary_duplicate(descriptor, 0)
                        own = duplicates.append(try FileDescriptor(result, "duplicate a listening socket"))
                    }
                    // Offset by the listener's number, so that the shared sockets of several listeners do not all
                    // burden the first loops.
                    shares[(index + acceptor + (isShared ? number : 0)) % count].append(
                        ListeningSocket(own, of: bound.listener, isShared: isShared))
                }
            }
        }
        _ = duplicates.take()
        return shares
    }
}

/// Opens a server's listening sockets, or takes over the existing ones.
private struct ListenerOpener {
    private let configuration: HTTPServerConfiguration
    private let count: Int
    private let options: granary_listen_options
    /// Inherited sockets that no listener has taken yet.
    private(set) var adopted: [AdoptedSocket] = []
    private(set) var bound: [BoundListener] = []

    init(_ configuration: HTTPServerConfiguration, count: Int) {
        self.configuration = configuration
        self.count = count
        options = granary_listen_options(
            port: 0, shares_port: 0, one_family: 0, backlog: Int32(clamping: max(1, configuration.backlog)),
            unsent_limit: Int32(clamping: configuration.unsentBytes),
            user_timeout: Int32(clamping: configuration.writeTimeout.wholeMilliseconds))
    }

    mutating func open() throws(HTTPServerError) {
        for socket in configuration.inherited?.sockets ?? [] { adopted.append(try AdoptedSocket(socket, options)) }
        if configuration.inherited?.origin == .supervisor, !adopted.isEmpty {
            let listeners = try BoundListener.supervised(adopted)
            if let error = configuration.missingCertificate(for: listeners.map(\.listener)) { throw error }
            (bound, adopted) = (listeners, [])
        } else {
            let listeners = configuration.effectiveListeners
            if let error = configuration.missingCertificate(for: listeners) { throw error }
            if let error = configuration.conflict(among: listeners) { throw error }
            for listener in listeners { bound.append(try bind(listener)) }
        }
    }

    func closeOpened() {
        for listener in bound { listener.closeOpened() }
    }

    private mutating func bind(_ listener: HTTPListener) throws(HTTPServerError) -> BoundListener {
        let groups = AdoptedSocket.groups(adopted)
        if let group = groups.first(where: { $0[0].name == listener.name }) {
            // What remains in `adopted` belongs to listeners that are no longer configured.
            let taken = group.map(\.descriptor)
            adopted.removeAll { taken.contains($0.descriptor) }
            return BoundListener(listener, taking: group)
        }
        var options = options
        // An IPv6 wildcard socket would take the port for IPv4, too, and the other listener could not bind it.
        options.one_family = isLimited(listener) ? 1 : 0
        return try BoundListener(opening: listener, options, count: count)
    }

    /// Whether another listener uses IPv4 on the same port, so that `::` has to be limited to IPv6.
    private func isLimited(_ listener: HTTPListener) -> Bool {
        guard case .address(_, let port) = listener.place, port != 0 else { return false }
        return configuration.effectiveListeners.contains { other in
            guard case .address(let host, port) = other.place else { return false }
            return NumericAddress(host)?.isVersion4 == true
        }
    }
}
