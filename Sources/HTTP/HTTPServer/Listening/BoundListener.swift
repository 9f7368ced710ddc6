import CLinux
import Glibc

/// A listener with its open sockets.
struct BoundListener {
    /// The configured listener, with its actual port.
    let listener: HTTPListener
    /// The name by which a successor finds the listener.
    let name: String
    /// The sockets: one for each loop if the kernel can distribute connections over several, otherwise one for all.
    let descriptors: [Int32]
    /// The file of the Unix socket, if this server has created it.
    let file: SocketFile?
    /// Whether another process has opened the sockets.
    var isAdopted = false

    /// Closes the sockets that were opened here, if the server does not start. Adopted sockets belong to the process
    /// that opened them.
    func closeOpened() {
        guard !isAdopted else { return }
        file?.remove()
        for descriptor in descriptors { granary_close(descriptor) }
    }
}

struct SocketFile {
    private let path: String
    private let file: granary_file

    init(_ path: String, _ file: granary_file) {
        self.path = path
        self.file = file
    }

    /// Finds the socket file at a path, or returns `nil` if none exists.
    init?(at path: String) {
        var file = granary_file()
        guard granary_find_socket(path, &file) == 0 else { return nil }
        self.init(path, file)
    }

    /// Removes the file, unless another server has replaced it. Call it while the socket is open: afterwards the inode
    /// number may be reused for another file.
    func remove() {
        var file = file
        granary_remove_socket(path, &file)
    }
}

extension HTTPListener {
    /// The name by which a successor finds the listener: the configured address, not the actual port.
    var name: String { "\(address)" }
}

extension BoundListener {
    /// Opens a listener's sockets: one for each of `count` loops if possible.
    init(
        opening listener: HTTPListener, _ options: granary_listen_options, count: Int
    ) throws(HTTPServerError) {
        switch listener.place {
        case .unix(let path, let mode):
            var file = granary_file()
            let descriptor = try HTTPServerError.check(
                granary_listen_unix(path, mode, options.backlog, &file), "listen on \(path)")
            self.init(
                listener: listener, name: listener.name, descriptors: [descriptor], file: SocketFile(path, file))
        case .address(let host, let wanted):
            var options = options
            options.port = wanted
            let (port, descriptors) = try BoundListener.open(host, &options, count: count)
            var bound = listener
            bound.place = .address(host: host, port: port)
            self.init(listener: bound, name: listener.name, descriptors: descriptors, file: nil)
        }
    }

    private static func open(
        _ host: String, _ options: inout granary_listen_options, count: Int
    ) throws(HTTPServerError) -> (UInt16, [Int32]) {
        let backlog = options.backlog
        // With SO_REUSEPORT the sockets would silently join those of another server on the same port. The port is
        // therefore bound without it first, which also finds a free port. This reservation stays open until the others
        // are bound. Otherwise the kernel could meanwhile assign the port to another server that requests a free one,
        // and the two would share it.
        var port: UInt16 = 0
        options.backlog = 0
        let reservation = try socket(host, &options, &port)
        options.port = port
        options.shares_port = 1
        options.backlog = backlog
        var sockets = FileDescriptorList()
        for _ in 0..<count { sockets.append(try socket(host, &options, &port)) }
        // Closes the reservation, which has to outlive the loop above.
        _ = consume reservation
        return (port, sockets.take())
    }

    private static func socket(
        _ host: String, _ options: inout granary_listen_options, _ port: inout UInt16
    ) throws(HTTPServerError) -> FileDescriptor {
        try FileDescriptor(granary_listen(host, &options, &port), "listen on \(host), port \(options.port)")
    }
}
