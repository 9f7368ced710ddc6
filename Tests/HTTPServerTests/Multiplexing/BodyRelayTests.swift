import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite struct BodyRelayTests {
    private let source = StepLoop(index: 0)
    private let target = StepLoop(index: 1)

    private func runAll() {
        while source.runOne() || target.runOne() {}
    }

    private final class Consumer: HTTPBodyConsumer {
        var readyCount = 0

        func bodyIsReady() { readyCount += 1 }
    }

    @Test func `only requested bytes are transferred`() {
        let body = HTTPTestStream("some content")
        let relay = BodyRelay.carry(body, from: source, to: target)
        let consumer = Consumer()
        relay.start(consumer)
        runAll()
        #expect(body.hasStarted)
        #expect(body.reads == 0)
        var buffer: [UInt8] = []
        #expect(relay.read(into: &buffer, limit: 4) == .waiting)
        #expect(relay.read(into: &buffer, limit: 4) == .waiting)
        #expect(buffer.isEmpty)
        runAll()
        #expect(body.bytesRead == 4)
        #expect(consumer.readyCount == 1)
        #expect(relay.read(into: &buffer, limit: 4) == .more)
        #expect(buffer == Array("some".utf8))
        runAll()
        #expect(body.bytesRead == 4)
    }

    @Test func `a body without content notifies its consumer when it has some`() {
        let body = HTTPTestStream()
        let relay = BodyRelay.carry(body, from: source, to: target)
        let consumer = Consumer()
        relay.start(consumer)
        var buffer: [UInt8] = []
        _ = relay.read(into: &buffer, limit: 100)
        runAll()
        #expect(consumer.readyCount == 0)
        body.append("now")
        body.append(" and now")
        runAll()
        #expect(consumer.readyCount == 1)
        _ = relay.read(into: &buffer, limit: 100)
        #expect(buffer == Array("now and now".utf8))
    }

    @Test func `the end follows the last bytes`() {
        let body = HTTPTestStream("last")
        body.finish()
        let relay = BodyRelay.carry(body, from: source, to: target)
        let consumer = Consumer()
        relay.start(consumer)
        var buffer: [UInt8] = []
        _ = relay.read(into: &buffer, limit: 100)
        runAll()
        #expect(relay.read(into: &buffer, limit: 100) == .finished)
        #expect(buffer == Array("last".utf8))
        #expect(!body.isStopped)
    }

    @Test func `a stop reaches the body once and nothing follows it`() {
        let body = HTTPTestStream()
        let relay = BodyRelay.carry(body, from: source, to: target)
        let consumer = Consumer()
        relay.start(consumer)
        var buffer: [UInt8] = []
        _ = relay.read(into: &buffer, limit: 100)
        relay.stop()
        relay.stop()
        runAll()
        #expect(body.isStopped)
        body.append("nobody reads this")
        runAll()
        #expect(consumer.readyCount == 0)
    }

    @Test func `both ends are released, however the relay ends`() {
        weak var finished: HTTPTestStream?
        weak var stopped: HTTPTestStream?
        do {
            let (one, other) = (HTTPTestStream("x"), HTTPTestStream())
            (finished, stopped) = (one, other)
            one.finish()
            let relays = [one, other].map { BodyRelay.carry($0, from: source, to: target) }
            let consumer = Consumer()
            for relay in relays {
                relay.start(consumer)
                var buffer: [UInt8] = []
                _ = relay.read(into: &buffer, limit: 10)
            }
            runAll()
            relays[1].stop()
            runAll()
        }
        #expect(finished == nil)
        #expect(stopped == nil)
    }

    @Test(arguments: [false, true]) func `the consumer is released at the end, although the relay is kept`(stops: Bool)
    {
        let body = HTTPTestStream("x")
        let relay = BodyRelay.carry(body, from: source, to: target)
        weak var released: Consumer?
        do {
            let consumer = Consumer()
            released = consumer
            relay.start(consumer)
            if stops {
                relay.stop()
            } else {
                body.finish()
                var buffer: [UInt8] = []
                #expect(relay.read(into: &buffer, limit: 10) == .waiting)
                runAll()
                #expect(relay.read(into: &buffer, limit: 10) == .finished)
            }
        }
        #expect(released == nil)
        withExtendedLifetime(relay) {}
    }

    // A size of the allocator's blocks, without the eight bytes that it adds.
    @Test func `the end on the sending loop keeps within its block`() {
        let relay = BodyRelay.carry(HTTPTestStream(), from: source, to: target)
        // The metadata of a class: the kind, the superclass, the flags and the address point of its instances, and their size.
        let relayClass: AnyClass = type(of: relay as AnyObject)
        let size = unsafeBitCast(relayClass, to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self)
        #expect(size <= 88)
    }
}

/// A loop whose tasks a test runs manually.
///
/// Sendable because a test uses it on one thread.
private final class StepLoop: EventLoop, @unchecked Sendable {
    let index: Int
    let count = 2
    let isCurrent = true
    let now = MonotonicTime(nanoseconds: 0)
    private var tasks: [@Sendable () -> Void] = []

    init(index: Int) { self.index = index }

    func execute(_ work: @escaping @Sendable () -> Void) { tasks.append(work) }

    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer {
        preconditionFailure("nothing is timed here")
    }

    func runOne() -> Bool {
        guard !tasks.isEmpty else { return false }
        tasks.removeFirst()()
        return true
    }
}
