import Foundation
import Glibc
import Locking
import StateCapture
import Testing

/// A proxy between a driver and its engine, whose connections break as a test wants.
final class FaultyProxy: Sendable {
    /// What happens to the next request of a driver.
    enum Fault: CaseIterable {
        /// The connection is reset, and the engine receives nothing.
        case cutBefore
        /// The connection is reset when the engine has received a part of the request.
        case cutWithin
        /// The connection is reset when the engine has responded, and the response is dropped.
        case cutAfter
        /// As before, and so is the next connection, as soon as the driver opens it.
        case cutAfterAndRefuse
        /// The engine responds, and the driver receives the end of the stream instead. Its own direction stays open.
        case halfClose
        /// The connection is reset, and the engine receives the request later (``FaultyProxy/deliver()``).
        case keepBack
    }

    private struct State {
        /// The faults of the next requests; nil for one that does not fail.
        var next: [Fault?] = []
        var refusals = 0
        /// Chooses faults for requests; nil if only those happen that are requested.
        var random: SeededGenerator?
        var kept: (engine: Int32, request: [UInt8])?
        var faults = 0
        var isPaused = false
    }

    let port: UInt16
    private let listener: Int32
    private let engine: String
    private let state = Lock(State())

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - engine: The path of the engine's socket.
    ///   - seed: With which some requests fail at random; nil for none.
    init(to engine: String, seed: UInt64? = nil) throws {
        self.engine = engine
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutableBytes(of: &address) { bytes -> Bool in
            guard let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return bind(descriptor, name, length) == 0 && getsockname(descriptor, name, &length) == 0
        }
        (listener, port) = (descriptor, UInt16(bigEndian: address.sin_port))
        try #require(bound && listen(listener, 16) == 0)
        state.withLock { $0.random = seed.map { SeededGenerator(seed: $0) } }
        start { [self] in accept() }
    }

    /// Makes the next requests fail, except those for which there is nil.
    func fail(_ faults: Fault?...) { state.withLock { $0.next = faults } }

    /// Refuses or accepts connections; those that are open are reset by their next request.
    func refuse(_ refuses: Bool) {
        state.withLock { state in
            state.isPaused = refuses
            state.next = refuses ? [.cutBefore] : []
        }
    }

    /// The number of requests that have failed.
    var faults: Int { state.withLock { $0.faults } }

    /// Sends the request that was kept back to the engine, and returns when the engine has ended that connection or responded.
    func deliver() throws {
        let kept = try #require(state.withLock { $0.kept })
        #expect(send(kept.engine, kept.request, kept.request.count, Int32(MSG_NOSIGNAL)) == kept.request.count)
        var byte: UInt8 = 0
        _ = recv(kept.engine, &byte, 1, 0)
        close(kept.engine)
    }

    /// Ends the proxy.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let refuses = state.withLock { state in
                if state.isPaused { return true }
                guard state.refusals > 0 else { return false }
                state.refusals -= 1
                return true
            }
            if refuses { reset(client) } else { start { [self] in forward(client) } }
        }
        close(listener)
    }

    private func connectToEngine() -> Int32 {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: engine.utf8) }
        _ = withUnsafeBytes(of: &address) { bytes in
            connect(socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        return socket
    }

    private func forward(_ client: Int32) {
        let engine = connectToEngine()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var entries = [client, engine].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&entries, 2, -1)
            if entries[0].revents != 0 {
                let count = recv(client, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                if let fault = takeFault() { return fail(fault, client, engine, Array(buffer[..<count])) }
                guard sendAll(engine, buffer[..<count]) else { break }
            } else {
                let count = recv(engine, &buffer, buffer.count, 0)
                guard count > 0, sendAll(client, buffer[..<count]) else { break }
            }
        }
        close(client)
        close(engine)
    }

    private func takeFault() -> Fault? {
        state.withLock { state in
            var fault = state.next.isEmpty ? nil : state.next.removeFirst()
            if var random = state.random {
                if Int.random(in: 0..<50, using: &random) == 0 {
                    fault = Fault.allCases.filter { $0 != .keepBack }.randomElement(using: &random)
                }
                state.random = random
            }
            if fault != nil { state.faults += 1 }
            return fault
        }
    }

    private func fail(_ fault: Fault, _ client: Int32, _ engine: Int32, _ request: [UInt8]) {
        switch fault {
        case .cutBefore: break
        case .cutWithin: _ = sendAll(engine, request[..<(request.count / 2)])
        case .cutAfter, .cutAfterAndRefuse, .halfClose:
            forwardUntilResponse(request, client, engine)
            if fault == .cutAfterAndRefuse { state.withLock { $0.refusals += 1 } }
            guard fault == .halfClose else { break }
            shutdown(client, Int32(SHUT_WR))
            // Until the driver closes its own direction.
            var byte: UInt8 = 0
            while recv(client, &byte, 1, 0) > 0 {}
        case .keepBack:
            state.withLock { $0.kept = (engine, request) }
            return reset(client)
        }
        reset(client)
        close(engine)
    }

    /// Forwards a request, of which a part has arrived, until the engine responds. It responds to a pipeline when it has committed.
    private func forwardUntilResponse(_ part: [UInt8], _ client: Int32, _ engine: Int32) {
        guard sendAll(engine, part[...]) else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var entries = [client, engine].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&entries, 2, -1)
            if entries[1].revents != 0 { return }
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0, sendAll(engine, buffer[..<count]) else { return }
        }
    }

    private func sendAll(_ socket: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Closes a socket so that the other side gets an error.
    private func reset(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(socket)
    }
}

/// Starts a thread, which nothing else has to be free for.
func start(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
}
