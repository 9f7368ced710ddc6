import CLinux
import Glibc
import HTTPServer

/// The transport of a client: a network socket, or one end of an in-memory socket pair whose server runs only when the
/// client runs it.
final class HTTPTestSocket {
    /// Whether the server has closed the connection.
    private(set) var hasEnded = false
    private(set) var wasReset = false
    /// Whether a fault has cut off the client's bytes.
    private(set) var isCut = false
    /// The fault that is injected. Setting it restarts the count of bytes.
    var fault: HTTPTestFault? {
        didSet { (position, isCut) = (0, false) }
    }

    private var position = 0
    private var descriptor: Int32
    private let memory: (server: HTTPVirtualServer, socket: VirtualSocket)?

    init(host: String, port: UInt16, receiveBuffer: Int) throws {
        descriptor = granary_connect(host, port, Int32(receiveBuffer))
        memory = nil
        guard descriptor >= 0 else {
            throw HTTPTestError("could not connect to port \(port): \(HTTPTestSocket.text(of: -descriptor))")
        }
    }

    init(unixSocket path: String) throws {
        descriptor = granary_connect_unix(path)
        memory = nil
        guard descriptor >= 0 else {
            throw HTTPTestError("could not connect to \(path): \(HTTPTestSocket.text(of: -descriptor))")
        }
    }

    init(_ socket: VirtualSocket, of server: HTTPVirtualServer) {
        descriptor = socket.client
        memory = (server, socket)
    }

    deinit {
        close()
    }

    // Sending

    func send(_ bytes: [UInt8]) throws {
        guard let fault else { return try sendAll(bytes[...]) }
        guard !isCut else { return }
        let start = position
        position += bytes.count
        for step in fault.steps(for: bytes.count, from: start) {
            switch step {
            case .send(let range):
                try sendAll(bytes[range])
                // The server must process each piece separately.
                if fault.pieces != nil { letServerLook() }
            case .meet(let incident): meet(incident)
            }
        }
    }

    /// Runs an in-memory server. A server on the network runs by itself.
    func letServerLook() { memory?.server.run() }

    private func meet(_ incident: HTTPTestFault.Incident) {
        isCut = incident.isCut
        switch incident {
        case .delay(let duration):
            if let memory { memory.server.advance(by: duration) } else { HTTPTestSocket.pause(duration) }
        case .finishSending: finishSending()
        case .close: close()
        case .reset: reset()
        }
    }

    private func sendAll(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if sent == -Int(EAGAIN), let memory {
                let rounds = memory.server.rounds
                memory.server.run()
                // `run` always ends with a round in which nothing happens. If it was the only round, the server does
                // not read.
                guard memory.server.rounds > rounds + 1 else {
                    throw HTTPTestError("the server does not read any more bytes")
                }
            } else {
                throw HTTPTestError("could not send: \(HTTPTestSocket.text(of: Int32(-sent)))")
            }
        }
    }

    func sendUrgent(_ bytes: [UInt8]) throws {
        let sent = bytes.withUnsafeBytes { granary_send_urgent(descriptor, $0.baseAddress, $0.count) }
        guard sent == bytes.count else { throw HTTPTestError("could not send urgent data") }
    }

    func finishSending() {
        if descriptor >= 0 { _ = granary_finish_sending(descriptor) }
    }

    func reset() {
        if descriptor >= 0 {
            if let memory { memory.server.reset(memory.socket) } else { granary_reset(descriptor) }
        }
        descriptor = -1
        hasEnded = true
    }

    func close() {
        if descriptor >= 0 {
            if let memory { memory.server.close(memory.socket) } else { granary_close(descriptor) }
        }
        descriptor = -1
        hasEnded = true
    }

    // Receiving

    /// Waits for bytes. Returns `nil` if none arrived in time or the connection was closed. In memory, bytes that are
    /// not available after running the server will not arrive later, so this method does not wait.
    func receive(until limit: ContinuousClock.Instant) -> [UInt8]? {
        guard !hasEnded else { return nil }
        if let memory {
            memory.server.run()
        } else {
            while granary_await_readable(descriptor, HTTPTestSocket.milliseconds(to: limit)) <= 0 {
                guard ContinuousClock.now < limit else { return nil }
            }
        }
        return receiveNow()
    }

    /// Returns the bytes that have arrived, or `nil` if there are none.
    func receiveNow() -> [UInt8]? {
        guard !hasEnded, memory != nil || granary_await_readable(descriptor, 0) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var received = receive(&buffer)
        if received == -Int(EAGAIN), memory?.socket.isClosedByServer == true {
            granary_await_hang_up(descriptor)
            received = receive(&buffer)
        }
        if received == -Int(EAGAIN) { return nil }
        guard received > 0 else {
            hasEnded = true
            wasReset = received < 0
            return nil
        }
        return Array(buffer[..<received])
    }

    private func receive(_ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { granary_receive(descriptor, $0.baseAddress, $0.count) }
    }

    private static func text(of error: Int32) -> String { String(cString: granary_error_text(error)) }

    /// Returns the time of a single wait.
    private static func milliseconds(to limit: ContinuousClock.Instant) -> Int32 {
        // Bounded, because a signal can interrupt a wait at any time and the loop then checks the limit.
        let left = ContinuousClock.now.duration(to: limit) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 1), 100))
    }

    private static func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var whole = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&whole, &left) != 0 { whole = left }
    }
}
