import CLinux
import Glibc

/// What a supervisor has for its services to tell it how they are: a socket for datagrams, at a path or under an abstract
/// name.
public final class SupervisorSocket: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    public let name: String
    private let descriptor: Int32

    /// Opens it under a name that nobody else has.
    public init(isAbstract: Bool = false) throws {
        let path = "/tmp/granary-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        name = isAbstract ? "@" + path : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
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

    /// What has come and was not taken, in order.
    public func received() -> [String] {
        var texts: [String] = []
        while let text = take() { texts.append(text) }
        return texts
    }

    /// Waits for what comes next. Blocking; what does not come in time is thrown.
    public func next(within patience: Duration = .seconds(120)) throws -> String {
        let limit = ContinuousClock.now + patience
        while granary_await_readable(descriptor, 100) <= 0 {
            guard ContinuousClock.now < limit else { throw HTTPTestError("nothing was told to \(name)") }
        }
        return take() ?? ""
    }

    private func take() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
