import CLinux
import Glibc

/// The notification socket of a supervisor (sd_notify), at a path or with an abstract name.
public final class SupervisorSocket: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    public let name: String
    private let descriptor: Int32

    /// Opens a socket with a unique name.
    public init(isAbstract: Bool = false) throws {
        let path = "/tmp/granary-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        name = isAbstract ? "@" + path : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a zero byte (unix(7)).
        let bytes = isAbstract ? [0] + Array(path.utf8) : Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw HTTPTestError("could not bind \(name): \(errno)") }
    }

    deinit {
        granary_close(descriptor)
        unlink(name)
    }

    /// Returns the pending notifications in order.
    public func received() -> [String] {
        var texts: [String] = []
        while let text = take() { texts.append(text) }
        return texts
    }

    /// Waits for the next notification, blocking the thread.
    ///
    /// - Throws: ``HTTPTestError`` if none arrives in time.
    public func next(within patience: Duration = .seconds(300)) throws -> String {
        let limit = ContinuousClock.now + patience
        while granary_await_readable(descriptor, 100) <= 0 {
            guard ContinuousClock.now < limit else {
                throw HTTPTestError("expected a notification on \(name), got nothing")
            }
        }
        return take() ?? ""
    }

    private func take() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
