import CLinux
import Glibc
import HTTPModel

/// A listener with its open sockets.
struct BoundListener {
    /// What was asked for, with the port that it got.
    let listener: HTTPListener
    /// What a successor finds it by.
    let name: String
    /// Its sockets: one for each loop where the kernel can spread connections over several, or one for all.
    let descriptors: [Int32]
    /// The file that is to go with it, if it is ours.
    let file: SocketFile?
    /// Whether another process has opened them.
    var isAdopted = false

    /// Closes what has been opened here, where the server does not come to listen. What was not is its opener's.
    func giveUp() {
        guard !isAdopted else { return }
        file?.remove()
        for descriptor in descriptors { granary_close(descriptor) }
    }
}

/// The file of a Unix socket.
struct SocketFile {
    private let path: String
    private let file: granary_file

    init(_ path: String, _ file: granary_file) {
        self.path = path
        self.file = file
    }

    /// The file of the socket that lies at a path, if one does.
    init?(at path: String) {
        var file = granary_file()
        guard granary_find_socket(path, &file) == 0 else { return nil }
        self.init(path, file)
    }

    /// Removes the file, unless another server has put its own in its place. While the socket is open: later its number may
    /// be another file's.
    func remove() {
        var file = file
        granary_remove_socket(path, &file)
    }
}

extension HTTPListener {
    /// What it is known by to a server that takes over: where it is asked to listen.
    var name: String { "\(address)" }
}

// Sockets that are opened here.
extension BoundListener {
    /// Opens a listener's sockets, one for each of so many loops if it can have them.
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
        // Sockets that share a port would join another server's without a word. So the port is asked for without
        // sharing first; that also finds a free one. This socket stays until the others are bound: in between, the
        // system could give its port to another server that asks for a free one, and the two would share it.
        var port: UInt16 = 0
        options.backlog = 0
        let reservation = try socket(host, &options, &port)
        defer { granary_close(reservation) }
        options.port = port
        options.shares_port = 1
        options.backlog = backlog
        var sockets: [Int32] = []
        do throws(HTTPServerError) {
            for _ in 0..<count { sockets.append(try socket(host, &options, &port)) }
        } catch {
            sockets.forEach(granary_close)
            throw error
        }
        return (port, sockets)
    }

    private static func socket(
        _ host: String, _ options: inout granary_listen_options, _ port: inout UInt16
    ) throws(HTTPServerError) -> Int32 {
        try HTTPServerError.check(
            granary_listen(host, &options, &port), "listen on \(host), port \(options.port)")
    }
}
