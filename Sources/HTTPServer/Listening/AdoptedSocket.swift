import CLinux
import Glibc
import HTTPModel

/// A listening socket that another process has opened, with the place where it listens.
struct AdoptedSocket {
    let descriptor: Int32
    /// What whoever has opened it calls it.
    let name: String
    /// Where it listens, with its port.
    let place: HTTPListener.Place

    init(_ socket: InheritedSockets.Socket, _ options: granary_listen_options) throws(HTTPServerError) {
        var options = options
        var found = granary_place()
        let result = granary_adopt_listener(socket.descriptor, &options, &found)
        guard result == 0 else {
            let reason = String(cString: granary_error_text(-result))
            throw HTTPServerError(
                reason: .socketInvalid,
                description: "Expected a stream socket that listens as descriptor \(socket.descriptor) "
                    + "(\"\(socket.name)\"), got something else: \(reason).")
        }
        descriptor = socket.descriptor
        name = socket.name
        let text = withUnsafeBytes(of: found.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        place = found.is_unix != 0 ? .unix(path: text) : .address(host: text, port: found.port)
    }
}

extension BoundListener {
    /// Those of a supervisor: each as its name says. Sockets of one name and place belong together.
    static func supervised(_ sockets: [AdoptedSocket]) throws(HTTPServerError) -> [BoundListener] {
        var bound: [BoundListener] = []
        for group in AdoptedSocket.groups(sockets) {
            var listener = HTTPListener(group[0].place)
            guard listener.understand(name: group[0].name) else {
                throw HTTPServerError(
                    reason: .socketInvalid,
                    description:
                        "The supervisor's socket for \(listener.address) is called \"\(group[0].name)\": expected "
                        + "http, https, admin+http or admin+https, or no name.")
            }
            bound.append(
                BoundListener(
                    listener: listener, name: group[0].name, descriptors: group.map(\.descriptor), file: nil,
                    isAdopted: true))
        }
        return bound
    }

    /// Those of a predecessor, as a listener that is configured has them now.
    init(_ listener: HTTPListener, taking sockets: [AdoptedSocket]) {
        var bound = listener
        var file: SocketFile?
        switch (listener.place, sockets[0].place) {
        case (.address(let host, _), .address(_, let port)): bound.place = .address(host: host, port: port)
        case (.unix(let path, let mode), _):
            file = SocketFile(at: path)
            // They may have been configured otherwise since.
            if file != nil { chmod(path, mode) }
        case (.address, .unix): break
        }
        self.init(
            listener: bound, name: listener.name, descriptors: sockets.map(\.descriptor), file: file, isAdopted: true)
    }
}

extension AdoptedSocket {
    /// Closes a socket that a predecessor listened on and nobody asks for any more.
    func abandon() {
        if case .unix(let path, _) = place { SocketFile(at: path)?.remove() }
        granary_close(descriptor)
    }

    /// Those that belong together, in the order in which they came: one listener had them, each for a loop of its own.
    static func groups(_ sockets: [AdoptedSocket]) -> [[AdoptedSocket]] {
        var groups: [[AdoptedSocket]] = []
        for socket in sockets {
            let place = groups.firstIndex { $0[0].name == socket.name && $0[0].place == socket.place }
            if let place { groups[place].append(socket) } else { groups.append([socket]) }
        }
        return groups
    }
}

extension HTTPListener {
    /// Takes from the name of a supervisor's socket what it is for; false if it says nothing. The name that a supervisor
    /// gives if nobody has chosen one is its unit's, which says nothing and means the public, in cleartext.
    mutating func understand(name: String) -> Bool {
        switch name {
        case "http", "public+http": break
        case "https", "public+https": isSecure = true
        case "admin", "admin+http": role = .admin
        case "admin+https": (role, isSecure) = (.admin, true)
        case "", "unknown": break
        default: return name.hasSuffix(".socket")
        }
        return true
    }
}
