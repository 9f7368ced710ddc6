import Dispatch
import Glibc
import Synchronization

/// A TCP proxy on the loopback interface, whose connections a test can kill.
final class LoopbackProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let connections = Mutex<Set<Int32>>([])
    private let accepts = Atomic(true)

    init(to target: UInt16) throws {
        self.target = target
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        guard listener >= 0 else { throw ProxyError() }
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(listener, plain, length) + listen(listener, 64) + getsockname(listener, plain, &length)
            }
        }
        guard status == 0 else { throw ProxyError() }
        port = UInt16(bigEndian: address.sin_port)
        Self.thread { [self] in
            while accept() {}
        }
    }

    /// Whether new connections are passed on; otherwise they are closed immediately.
    var isOpen: Bool {
        get { accepts.load(ordering: .relaxed) }
        set { accepts.store(newValue, ordering: .relaxed) }
    }

    /// Kills all connections, as a crashing network device does.
    func cut() {
        connections.withLock { open in
            for descriptor in open {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Closes everything.
    func close() {
        isOpen = false
        cut()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() -> Bool {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else {
            Glibc.close(listener)
            return false
        }
        guard isOpen, let server = connect() else {
            Glibc.close(client)
            return true
        }
        connections.withLock { _ = ($0.insert(client), $0.insert(server)) }
        let isHalfDone = HalfDone()
        for (from, to) in [(client, server), (server, client)] {
            Self.thread { [self] in
                copy(from, to)
                guard isHalfDone.finish() else { return }
                connections.withLock { _ = ($0.remove(client), $0.remove(server)) }
                Glibc.close(client)
                Glibc.close(server)
            }
        }
        return true
    }

    private func connect() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: target)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            return nil
        }
        return descriptor
    }

    private func copy(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0, send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        // A queue of its own: the threads block, and the global queues have few.
        DispatchQueue(label: "granary.client.proxy").async(execute: body)
    }

    /// Whether one of two directions has ended.
    private final class HalfDone: Sendable {
        private let count = Atomic(0)

        /// Returns whether this was the second direction.
        func finish() -> Bool { count.add(1, ordering: .acquiringAndReleasing).newValue == 2 }
    }

    private struct ProxyError: Error {}
}
