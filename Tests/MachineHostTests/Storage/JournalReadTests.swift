import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// What one client's requests cost another one, counted in pieces of work.
struct JournalReadTests {
    // Of this machine, because the number of new sessions of other clients is limited.
    private let flooding = HTTPPeer(address: "127.0.0.1", port: 1)
    private let beside = HTTPPeer(address: "127.0.0.1", port: 2)

    private static let creation = #"{"machine":"scripted"}"#

    /// Returns the path of a session that does not exist.
    private func unknown(_ index: Int) -> String { "/v1/sessions/\(SessionID(high: 0, low: UInt64(index)).text)" }

    /// A key that is long enough for a client without a principal.
    private func key(_ index: Int) -> String { "\"0123456789-0123456789-\(index)\"" }

    @Test func `a client's look-up waits for a few of another client's`() throws {
        let host = try StoredHost()
        let flood = (0..<500).map { host.start(.get, unknown($0), from: flooding) }
        for index in 500..<510 {
            let before = flood.count { $0.response != nil }
            let answer = host.start(.get, unknown(index), from: beside)
            while answer.response == nil { host.step() }
            #expect(answer.status == 404)
            #expect(flood.count { $0.response != nil } - before <= 2 * JournalReads.maxInProgress)
        }
        #expect(flood.contains { $0.response == nil })
        host.store()
        #expect(flood.allSatisfy { $0.status == 404 })
        #expect(host.harness.shard.pending.count == 0)
    }

    @Test func `a new session waits for a few of another client's with keys`() throws {
        let host = try StoredHost()
        let flood = (0..<500).map { index in
            host.start(.post, "/v1/sessions", body: Self.creation, key: key(index), from: flooding)
        }
        let answer = host.start(.post, "/v1/sessions", body: Self.creation, key: key(999), from: beside)
        while answer.response == nil { host.step() }
        #expect(answer.status == 201)
        #expect(flood.count { $0.response != nil } <= 4 * JournalReads.maxInProgress)
        host.store()
        #expect(flood.allSatisfy { $0.status == 201 })
    }

    @Test func `a single look-up does not wait for another one`() throws {
        let host = try StoredHost()
        let answers = (0..<JournalReads.maxInProgress).map { host.start(.get, unknown($0), from: flooding) }
        host.step()
        #expect(answers.allSatisfy { $0.status == 404 })
    }

    @Test func `results that a round has no time for are handled in later ones`() throws {
        let host = try StoredHost()
        let loop = host.harness.loop
        loop.hasShortRounds = true
        let answers = (0..<40).map { index in host.start(.get, unknown(index), from: flooding) }
        while answers.contains(where: { $0.response == nil }) {
            let before = answers.count { $0.response != nil }
            host.runJournal()
            loop.runRound()
            #expect(answers.count { $0.response != nil } - before <= JournalReads.maxInProgress)
            var last = answers.count { $0.response != nil }
            while loop.runRound() {
                let now = answers.count { $0.response != nil }
                #expect(now - last <= 1)
                last = now
            }
        }
        #expect(answers.allSatisfy { $0.status == 404 })
    }

    @Test func `requests whose results are not handled yet wait again when the sessions are passed on`() throws {
        let host = try StoredHost()
        let loop = host.harness.loop
        loop.hasShortRounds = true
        let answers = (0..<40).map { index in
            host.start(.post, "/v1/sessions", body: Self.creation, key: key(index), from: flooding)
        }
        host.runJournal()
        loop.runRound()
        #expect(answers.contains { $0.response == nil })
        host.suspend()
        host.store()
        let answered = answers.count { $0.response != nil }
        host.resume()
        host.store()
        #expect(answers.allSatisfy { $0.status == 201 })
        #expect(answered < 40)
        #expect(host.disk.failures.withLock { $0 } == [])
    }

    @Test func `responses that a round has no time for are sent in later ones, in order`() throws {
        let host = try StoredHost()
        let loop = host.harness.loop
        let session = host.makeSession()
        let answers = (0..<20).map { _ in host.start(.post, session + "/inputs/increment", from: flooding) }
        #expect(answers.allSatisfy { $0.response == nil })
        loop.hasShortRounds = true
        host.runJournal()
        var last = 0
        while loop.runRound() {
            let now = answers.count { $0.response != nil }
            #expect(now - last <= 1)
            #expect(answers.prefix(now).allSatisfy { $0.response != nil })
            last = now
        }
        #expect(last == 20)
    }

    @Test func `requests that a session was loaded for are answered over several rounds, before later ones`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        let next = try StoredHost(on: host.disk)
        let loop = next.harness.loop
        var answers = (0..<20).map { _ in next.start(.post, session + "/inputs/increment", from: flooding) }
        loop.hasShortRounds = true
        next.runJournal()
        loop.runRound()
        let version = try #require(next.harness.shard.sessions.values.first?.version)
        #expect(version <= 2)
        answers.append(next.start(.post, session + "/inputs/increment", from: flooding))
        next.store()
        for (index, answer) in answers.enumerated() {
            #expect(answer.text.hasPrefix(#"{"version":\#(index + 1),"#))
        }
        #expect(next.harness.shard.pending.count == 0)
    }
}
