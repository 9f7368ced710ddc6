import CLinux
import Glibc

/// A connection on the control socket, with blocking reads and writes that time out.
struct ControlConnection: ~Copyable {
    private let descriptor: Int32
    /// How long the peer may be silent.
    private static let patience = 10

    /// Adopts a connected socket.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
    }

    /// Connects to the server of a directory.
    ///
    /// - Returns: nil if no server listens there.
    init?(directory: String) {
        let descriptor = granary_connect_unix(ControlServer.path(in: directory))
        guard descriptor >= 0 else { return nil }
        self.init(descriptor)
    }

    deinit { granary_close(descriptor) }

    /// `struct ucred`, which Swift does not import.
    private struct PeerCredentials {
        var process: Int32 = 0
        var user: UInt32 = .max
        var group: UInt32 = .max
    }

    /// Whether the peer runs as the user of this process, or as root.
    // The mode of the socket already excludes others; a directory whose owner was changed does not.
    var belongsToUser: Bool {
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return false }
        return peer.user == geteuid() || peer.user == 0
    }

    /// Sends bytes. Returns whether all were sent.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            bytes.writeAll { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Reads up to the end of a line. Returns nil if it is longer than a limit, or the peer closes or is silent before.
    func readLine(limit: Int) -> [UInt8]? {
        setPatience()
        var line: [UInt8] = []
        while line.count <= limit {
            guard let bytes = readSome() else { return nil }
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
                line += bytes
                continue
            }
            return line + bytes[..<end]
        }
        return nil
    }

    /// Reads until the peer closes the connection. Waits as long as it takes.
    func readAll() -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = readSome() { all += bytes }
        return all
    }

    private func setPatience() {
        // Seconds and microseconds as in `timeval`. Its initializer is invisible here, because headers that other files of the
        // module import declare the type again.
        var limit = (ControlConnection.patience, 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns nil at the end.
    private func readSome() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = recv(descriptor, &buffer, buffer.count, 0)
        while count < 0, errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
