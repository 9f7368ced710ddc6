import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Who follows a topic, and a session.
struct PresenceTests {
    private let host: RestartableHost

    init() throws {
        host = try RestartableHost([.meeting])
    }

    private func enter(_ name: String) -> String {
        let session = host.harness.makeSession()
        _ = host.send(.post, session + "/inputs/enter", body: "\"\(name)\"")
        return session
    }

    /// Lets the time pass for which changes are collected.
    private func wait() {
        host.harness.loop.advance(by: .milliseconds(100))
        host.harness.loop.run()
    }

    private func there(_ session: String) -> String {
        let text = host.send(.get, session + "/outputs").text
        return text.split(separator: "\"there\":\"").dropFirst().first?.split(separator: "\"").first.map(String.init)
            ?? ""
    }

    @Test func `a session is there while it has a stream`() {
        let (ada, bob) = (enter("Ada"), enter("Bob"))
        wait()
        #expect(there(ada) == "")
        let (one, other) = (host.harness.follow(ada), host.harness.follow(bob))
        wait()
        #expect(there(ada) == "2: Ada,Bob")
        #expect(there(bob) == "2: Ada,Bob")
        one.cut()
        wait()
        #expect(there(ada) == "1: Bob")
        other.cut()
        wait()
        #expect(there(ada) == "0: ")
    }

    @Test func `two streams of a session are one member`() {
        let ada = enter("Ada")
        let streams = [host.harness.follow(ada), host.harness.follow(ada)]
        wait()
        #expect(there(ada) == "1: Ada")
        streams[0].cut()
        wait()
        #expect(there(ada) == "1: Ada")
    }

    @Test func `a session states something else, and leaves`() {
        let ada = enter("Ada")
        let stream = host.harness.follow(ada)
        _ = host.send(.post, ada + "/inputs/enter", body: "\"Countess\"")
        wait()
        #expect(there(ada) == "1: Countess")
        _ = host.send(.post, ada + "/inputs/goOut")
        wait()
        #expect(there(ada) == "0: ")
        withExtendedLifetime(stream) {}
    }

    @Test func `changes that follow each other arrive as one`() {
        let ada = enter("Ada")
        let stream = host.harness.follow(ada)
        wait()
        stream.read()
        let before = stream.events.count
        let guests = (0..<20).map { host.harness.follow(enter("Guest \($0)")) }
        wait()
        stream.read()
        #expect(stream.events.count == before + 1)
        withExtendedLifetime(guests) {}
    }

    @Test func `a session that is deleted is not there`() {
        let (ada, bob) = (enter("Ada"), enter("Bob"))
        let streams = [host.harness.follow(ada), host.harness.follow(bob)]
        wait()
        #expect(host.send(.delete, bob).status == .noContent)
        wait()
        #expect(there(ada) == "1: Ada")
        withExtendedLifetime(streams) {}
    }

    @Test func `a restored session is there again when it has a stream`() throws {
        let ada = enter("Ada")
        try host.restart()
        let stream = host.harness.follow(ada)
        wait()
        #expect(there(ada) == "1: Ada")
        withExtendedLifetime(stream) {}
    }

    @Test func `a session knows the number of its streams`() {
        let ada = enter("Ada")
        #expect(host.send(.get, ada + "/outputs").text.contains(#""followers":0"#))
        let streams = [host.harness.follow(ada), host.harness.follow(ada)]
        host.harness.loop.run()
        #expect(host.send(.get, ada + "/outputs").text.contains(#""followers":2"#))
        streams[1].cut()
        host.harness.loop.run()
        #expect(host.send(.get, ada + "/outputs").text.contains(#""followers":1"#))
        withExtendedLifetime(streams) {}
    }

    @Test func `the list and the number of streams are replayed from the record`() throws {
        let ada = enter("Ada")
        let stream = host.harness.follow(ada)
        wait()
        stream.cut()
        wait()
        try assertReplays(host.recording(of: ada), .meeting)
    }
}
