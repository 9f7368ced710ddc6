import CLinux
import Glibc
import HTTPModel

/// A listening socket that another process has opened.
struct AdoptedSocket {
    let descriptor: Int32
    /// The name that the other process has given it.
    let name: String
    /// The place where it listens, with its port.
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
    /// Creates the listeners of a supervisor's sockets, as their names say. Sockets with the same name and place form
    /// one listener.
    static func supervised(_ sockets: [AdoptedSocket]) throws(HTTPServerError) -> [BoundListener] {
        var bound: [BoundListener] = []
        for group in AdoptedSocket.groups(sockets) {
            var listener = HTTPListener(group[0].place)
            guard listener.apply(name: group[0].name) else {
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

    /// Takes over the sockets of a predecessor for a configured listener.
    init(_ listener: HTTPListener, taking sockets: [AdoptedSocket]) {
        var bound = listener
        var file: SocketFile?
        switch (listener.place, sockets[0].place) {
        case (.address(let host, _), .address(_, let port)): bound.place = .address(host: host, port: port)
        // The file belongs to the listener that uses it, even if another process created it: this server removes it
        // when it ends.
        case (.unix(let path, let mode), _):
            file = SocketFile(at: path)
            // The configured permissions may have changed since the predecessor bound the socket.
            if file != nil { chmod(path, mode) }
        case (.address, .unix): break
        }
        self.init(
            listener: bound, name: listener.name, descriptors: sockets.map(\.descriptor), file: file, isAdopted: true)
    }
}

extension AdoptedSocket {
    /// Closes a predecessor's socket that the configuration no longer names.
    func abandon() {
        // Before the socket is closed: later the inode number may be reused, see `SocketFile.remove()`.
        if case .unix(let path, _) = place { SocketFile(at: path)?.remove() }
        granary_close(descriptor)
    }

    /// Groups sockets by listener, in their original order. A listener has several sockets if each loop had its own.
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
    /// Applies the name of a supervisor's socket; returns `false` if the name has no meaning. A supervisor names a
    /// socket after its unit if no name was chosen; such a name means a public cleartext listener.
    mutating func apply(name: String) -> Bool {
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
