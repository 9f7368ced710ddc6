import Glibc

/// A socket as a supervisor has one, at a path or under an abstract name.
final class DatagramSocket {
    /// The value of `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32

    init(abstract: Bool) throws {
        let path = "/tmp/granary-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        name = abstract ? "@" + path : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = abstract ? [0] + Array(path.utf8) : Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw DatagramSocketError(number: errno) }
    }

    deinit {
        close(descriptor)
        unlink(name)
    }

    /// What has come, in order.
    func received() -> [String] {
        var texts: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return texts }
            texts.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}

struct DatagramSocketError: Error {
    let number: Int32
}
