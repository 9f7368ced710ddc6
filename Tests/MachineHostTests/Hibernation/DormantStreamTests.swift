import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Streams of sessions that sleep.
struct DormantStreamTests {
    private let host: StoredHost
    private let session: String

    init() throws {
        host = try StoredHost.hibernating { $0.idleExpiry = .seconds(300) }
        session = host.makeSession()
    }

    /// Opens a stream and lets the session sleep.
    private func sleepWithStream() throws -> StreamFollower {
        let stream = try #require(host.stream(session))
        stream.read()
        host.advance(by: 70)
        stream.read()
        try #require(host.awakeCount == 0)
        return stream
    }

    @Test func `a stream continues through the sleep of its session`() throws {
        let stream = try sleepWithStream()
        #expect(host.harness.host.streamCount == 1)
        #expect(host.slots.count == 1)
        _ = host.send(.post, session + "/inputs/increment")
        stream.read()
        #expect(stream.events.map(\.event) == ["snapshot", "change"])
        #expect(stream.view.outputs["count"] == "1")
        #expect(host.slots.isEmpty)
        host.advance(by: 70)
        stream.read()
        #expect(host.awakeCount == 0)
        _ = host.send(.post, session + "/inputs/increment")
        stream.read()
        #expect(stream.view.version == 2)
        #expect(stream.view.violations.isEmpty)
    }

    @Test func `a silent stream gets comments while its session sleeps`() throws {
        let stream = try sleepWithStream()
        let count = stream.bytes.count
        for _ in 0..<4 {
            host.advance(by: 16)
            stream.read()
        }
        #expect(stream.text.dropFirst(count) == Substring(String(repeating: ": keep-alive\n\n", count: 4)))
        #expect(host.awakeCount == 0)
    }

    @Test func `a new stream of a session that sleeps needs no machine`() throws {
        let first = try #require(host.stream(session))
        first.read()
        let position = first.lastEventID
        first.cut()
        _ = host.send(.post, session + "/inputs/increment")
        _ = host.send(.post, session + "/inputs/complain", body: "1")
        host.advance(by: 70)
        let resumed = try #require(host.stream(session, after: position))
        let fresh = try #require(host.stream(session))
        let filtered = try #require(host.stream(session, query: "?only=isEven"))
        for stream in [resumed, fresh, filtered] { stream.read(limit: 10) }
        #expect(host.awakeCount == 0)
        #expect(host.slots.map(\.streamCount) == [3])
        #expect(resumed.events.map(\.event) == ["resume", "change", "change"])
        #expect(fresh.events.map(\.event) == ["snapshot"])
        #expect(fresh.view.outputs == ["count": "1", "isEven": "false"])
        #expect(filtered.view.outputs == ["isEven": "false"])
        _ = host.send(.post, session + "/inputs/increment")
        for stream in [resumed, fresh, filtered] { stream.read() }
        #expect(resumed.view.version == 3)
        #expect(fresh.view.outputs == ["count": "2", "isEven": "true"])
        #expect(filtered.view.outputs == ["isEven": "true"])
        #expect(fresh.view.violations.isEmpty)
    }

    @Test func `the limit of streams holds for a session that sleeps`() throws {
        host.advance(by: 70)
        let streams = (0..<16).compactMap { _ in host.stream(session) }
        #expect(streams.count == 16)
        #expect(host.stream(session) == nil)
        streams[0].cut()
        #expect(host.stream(session) != nil)
        #expect(host.awakeCount == 0)
    }

    @Test func `a stream that is about to be read when its session wakes misses nothing`() throws {
        host.advance(by: 70)
        let body = try #require(host.openStream(session))
        _ = host.send(.post, session + "/inputs/increment")
        host.advance(by: 100)
        // The stream has not begun, so its session must not sleep.
        #expect(host.awakeCount == 1)
        let stream = StreamFollower(body)
        stream.read()
        #expect(stream.events.map(\.event) == ["snapshot", "change"])
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        #expect(host.harness.host.streamCount == 1)
    }

    @Test func `a stream that is never read releases its place`() throws {
        host.advance(by: 70)
        var body = host.openStream(session)
        #expect(body != nil)
        #expect(host.harness.host.streamCount == 1)
        body = nil
        #expect(host.harness.host.streamCount == 0)
        #expect(host.slots.isEmpty)
        body = host.openStream(session)
        _ = host.send(.post, session + "/inputs/increment")
        body = nil
        #expect(host.harness.host.streamCount == 0)
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
    }

    @Test func `a client that has not received everything keeps the session awake`() throws {
        let stream = try #require(host.stream(session))
        stream.read()
        _ = host.send(.post, session + "/inputs/increment")
        host.advance(by: 200)
        #expect(host.awakeCount == 1)
        #expect(host.send(.get, session).text.hasSuffix(#""awake":{"because":"stream"}}"#))
        stream.read()
        host.advance(by: 80)
        #expect(host.awakeCount == 0)
    }

    @Test func `a deletion wakes the session and ends its streams`() throws {
        let stream = try sleepWithStream()
        #expect(host.send(.delete, session).status == 204)
        stream.read()
        #expect(stream.events.last?.data == #"{"reason":"deleted"}"#)
        #expect(stream.hasFinished)
        #expect(host.harness.host.streamCount == 0)
        #expect(host.send(.get, session).status == 410)
        #expect(host.openStream(session) == nil)
    }

    @Test func `an operator ends the streams of a session that sleeps when the end is stored`() throws {
        let stream = try sleepWithStream()
        let summary = try #require(host.disk.entries.first?.snapshot?.summary)
        let ended = host.end(summary)
        stream.read()
        #expect(!stream.hasFinished)
        host.store()
        stream.read()
        #expect(ended.withLock { $0 } == true)
        #expect(stream.events.last?.data == #"{"reason":"deleted"}"#)
        #expect(host.send(.get, session).status == 410)
        #expect(host.harness.host.streamCount == 0)
        #expect(host.slots.isEmpty)
    }

    @Test func `an open stream keeps a session that sleeps from expiring`() throws {
        let stream = try sleepWithStream()
        for _ in 0..<50 {
            host.advance(by: 20)
            stream.read()
        }
        #expect(host.send(.get, session).status == 200)
        stream.cut()
        #expect(host.slots.isEmpty)
        host.advance(by: 290)
        #expect(host.disk.entries.first?.snapshot?.summary.hasEnded == false)
        host.advance(by: 30)
        #expect(host.disk.entries.first?.snapshot?.summary.hasEnded == true)
        #expect(host.send(.get, session).status == 410)
        #expect(host.awakeCount == 0)
    }

    @Test func `a drain ends the streams of sessions that sleep`() throws {
        let stream = try sleepWithStream()
        host.harness.shard.drain()
        stream.read()
        #expect(stream.events.last?.data == #"{"reason":"draining"}"#)
        let late = try #require(host.stream(session))
        late.read()
        #expect(late.events.map(\.event) == ["snapshot", "end"])
        #expect(host.harness.host.streamCount == 0)
        #expect(host.slots.isEmpty)
    }

    @Test func `a stream ends at its age while its session sleeps`() throws {
        let host = try StoredHost.hibernating { $0.streamLifetime = .seconds(100) }
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        for _ in 0..<12 {
            stream.read()
            host.advance(by: 10)
        }
        stream.read()
        #expect(stream.events.last?.data == #"{"reason":"rotated"}"#)
        #expect(host.awakeCount == 0)
        #expect(host.slots.isEmpty)
    }

    @Test func `a stream of a sleeping session ends with its shard`() throws {
        var host: StoredHost? = try StoredHost.hibernating()
        let session = host?.makeSession() ?? ""
        let stream = try #require(host?.stream(session))
        stream.read()
        host?.advance(by: 70)
        #expect(host?.slots.count == 1)
        host = nil
        stream.read()
        #expect(stream.hasFinished)
    }

    // Each is a size of the allocator's blocks, without the eight bytes that it adds.
    @Test func `a slot and its stream keep within their blocks`() throws {
        let stream = try sleepWithStream()
        let slot = try #require(host.slots.first)
        #expect(MemoryInUse.instanceSize(of: slot) <= 120)
        #expect(MemoryInUse.instanceSize(of: try #require(slot.streams.all.first)) <= 104)
        withExtendedLifetime(stream) {}
    }

    @Test func `the streams of a sleeping session close in any order`() throws {
        let streams = try (0..<3).map { _ in try #require(host.stream(session)) }
        for stream in streams { stream.read() }
        host.advance(by: 70)
        let slot = try #require(host.slots.first)
        for (index, left) in [(1, 2), (0, 1), (2, 0)] {
            #expect(slot.streams.count == left + 1)
            #expect(slot.streams.all.count == left + 1)
            streams[index].cut()
            #expect(slot.streams.count == left)
        }
        #expect(host.slots.isEmpty)
        #expect(host.harness.host.streamCount == 0)
        // The update of the time of its last use leaves the rest of what is stored.
        host.advance(by: 1)
        let summary = try #require(host.disk.entries.first?.snapshot?.summary)
        #expect(summary.machine == "scripted" && summary.version == 0 && summary.wakesAt == nil && !summary.hasEnded)
    }
}
