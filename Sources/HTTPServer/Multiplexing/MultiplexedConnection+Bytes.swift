import CLinux
import Glibc
import HTTP2
import HTTPModel

// Between the socket and the engine.
extension MultiplexedConnection {
    /// Bytes that are made before the socket is asked to take them.
    private static let writeBytes = 64 << 10
    /// Bytes of a peer that goes on sending after its connection has ended that are dropped before it is cut off.
    private static let mostDropped = 1 << 20
    /// Frames that the engine takes before what they ask for is answered.
    private static let framesAtOnce = 16

    /// Whether the connection has had its share and is to go on after the others.
    var isYielding: Bool { isMarked && flags.contains(.yields) }

    /// Takes a part of what has been read, or reads once; returns whether something came. A peer that does not read its answers
    /// is not read either.
    func read() -> Bool {
        guard unsent.isEmpty, !flags.contains(.isClosed) else { return false }
        if !unread.isEmpty {
            takeUnread()
            return true
        }
        guard flags.contains(.canRead), !flags.contains(.hasEnded) else { return false }
        let count: Int
        if let secure {
            switch secure.read(descriptor, into: context.input) {
            case .content(let content, let socketIsEmpty):
                if secure.hasPeerFinished {
                    flags.insert(.peerFinished)
                } else if socketIsEmpty {
                    socketWasEmptied()
                }
                count = content
            case .nothing: count = -Int(EAGAIN)
            case .end: count = 0
            case .failure: count = -Int(EPROTO)
            }
        } else {
            count = granary_receive(descriptor, context.input.baseAddress, context.input.count)
            if count > 0, count < context.input.count { socketWasEmptied() }
        }
        guard count > 0 else {
            flags.remove(.canRead)
            if count == 0 { peerEnded() } else if count != -Int(EAGAIN) { close(abruptly: true) }
            return false
        }
        take(count)
        return true
    }

    /// The client sends no more. What it has asked for is still answered, as far as its windows are open.
    private func peerEnded() {
        guard !flags.contains(.hasHungUp), !flags.contains(.isLingering) else { return close() }
        flags.insert(.hasEnded)
        waitStart = context.loop.nanoseconds
        engine.clientFinished()
    }

    /// When a client that sends no more, and to which there is nothing to send, is taken for gone: only sending to it would show
    /// whether it is. `nil` where this is not the case.
    var silenceEnd: UInt64? {
        flags.contains(.hasEnded) && unsent.isEmpty && engine.awaitsContent ? waitStart + context.times.firstLook : nil
    }

    /// Whether the client sends no more and has all that it can get.
    var isDone: Bool {
        flags.contains(.hasEnded) && engine.streamCount == 0 && !engine.hasOutput && unsent.isEmpty
    }

    /// Less came than was asked for: the next byte is a new event. This does not hold for the end, which is reported once,
    /// and for what is behind urgent data.
    private func socketWasEmptied() {
        if flags.isDisjoint(with: [.peerFinished, .urgent]) { flags.remove(.canRead) }
    }

    private func take(_ count: Int) {
        guard !flags.contains(.isLingering) else {
            dropped += count
            if dropped > MultiplexedConnection.mostDropped { close(abruptly: true) }
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: context.input[..<count])
        let taken = engine.receive(
            bytes, now: context.loop.now, frameLimit: MultiplexedConnection.framesAtOnce)
        // The loop's buffer is another connection's next.
        if taken < count { unread = Array(bytes[taken...]) }
    }

    /// Has the engine take more of what was read.
    func takeUnread() {
        let taken = unread.withUnsafeBytes { bytes in
            engine.receive(
                UnsafeRawBufferPointer(rebasing: bytes[unreadStart...]), now: context.loop.now,
                frameLimit: MultiplexedConnection.framesAtOnce)
        }
        unreadStart += taken
        guard unreadStart == unread.count else { return }
        unread = []
        unreadStart = 0
    }

    /// Sends what there is to send; answers whether there may be more.
    func write() -> Bool {
        guard !flags.contains(.isClosed) else { return false }
        if !unsent.isEmpty { return sendUnsent() }
        guard engine.hasOutput || secure?.hasOutput == true else { return false }
        var output = context.output.take()
        engine.write(into: &output, limit: MultiplexedConnection.writeBytes)
        defer { context.output.recycle(&output) }
        if let secure, !secure.seal(&output, on: context) {
            close(abruptly: true)
            return false
        }
        guard !output.isEmpty else { return false }
        flush(&output)
        return unsent.isEmpty
    }

    func flush(_ output: inout [UInt8]) {
        guard !output.isEmpty else { return }
        let sent = output.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
        if flags.contains(.hasEnded) { waitStart = context.loop.nanoseconds }
        if sent == output.count { return output.removeAll(keepingCapacity: true) }
        guard sent >= 0 || sent == -Int(EAGAIN) else { return close(abruptly: true) }
        unsent = Array(output[max(0, sent)...])
        unsentStart = 0
        waitStart = context.loop.nanoseconds
        awaitWriting()
    }

    private func sendUnsent() -> Bool {
        let start = unsentStart
        let sent = unsent.withUnsafeBytes { bytes in
            granary_send(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        }
        if sent == -Int(EAGAIN) { return false }
        guard sent >= 0 else {
            close(abruptly: true)
            return false
        }
        // The peer has taken something: its time starts again.
        waitStart = context.loop.nanoseconds
        unsentStart += sent
        guard unsentStart == unsent.count else { return false }
        unsent = []
        unsentStart = 0
        if flags.contains(.isLingering) { _ = granary_finish_sending(descriptor) }
        return true
    }

    /// Has the loop tell when the socket takes bytes again, from now on.
    private func awaitWriting() {
        guard !flags.contains(.watchesWriting) else { return }
        flags.insert(.watchesWriting)
        context.loop.watch(self, for: Connection.watched | granary_writable)
    }
}
