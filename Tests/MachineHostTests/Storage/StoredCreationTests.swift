import HTTPModel
import Locking
import Testing

@testable import MachineHost

/// The keys of requests that create sessions, in the next process.
struct StoredCreationTests {
    private let body = #"{"machine":"scripted"}"#
    private let key = "0b54b8a8-f3a1-4f2c-9f6e"

    private func create(_ host: StoredHost, body: String? = nil, key: String? = nil) -> PendingAnswer {
        host.send(.post, "/v1/sessions", body: body ?? self.body, key: key ?? self.key)
    }

    @Test func `a key repeats the first response in the next process`() throws {
        let host = try StoredHost()
        let first = create(host)
        #expect(first.status == 201)
        let next = try StoredHost(on: host.disk, after: 60)
        for _ in 0..<2 {
            let again = create(next)
            #expect(again.status == 201)
            #expect(again.text == first.text)
            #expect(again.response?.fields.value(.location) == first.response?.fields.value(.location))
            #expect(again.response?.fields.contains(.idempotencyReplayed) == true)
        }
        #expect(host.disk.entries.count == 1)
        #expect(next.send(.get, first.response?.fields.value(.location) ?? "").status == 200)
    }

    @Test func `a key is forgotten after its time`() throws {
        let host = try StoredHost()
        let first = create(host)
        let early = try StoredHost(on: host.disk, after: 599)
        #expect(create(early).text == first.text)
        let late = try StoredHost(on: host.disk, after: 601)
        let second = create(late)
        #expect(second.status == 201)
        #expect(second.text != first.text)
        #expect(host.disk.content.withLock { $0.notes.count } == 1)
    }

    @Test func `a key with another request is refused in the next process`() throws {
        let host = try StoredHost()
        _ = create(host)
        let next = try StoredHost(on: host.disk)
        #expect(create(next, body: #"{"machine": "scripted"}"#).status == 422)
    }

    @Test func `what is stored does not contain the session's id`() throws {
        let host = try StoredHost()
        let first = create(host)
        let id = Array((first.response?.fields.value(.location) ?? "").utf8.suffix(22))
        try #require(id.count == 22)
        let contents =
            host.disk.content.withLock { content in
                content.notes.values.map(\.content)
            } + host.disk.entries.compactMap { $0.snapshot?.content }
        #expect(contents.count == 2)
        #expect(!contents.contains { content in content.indices.contains { content[$0...].starts(with: id) } })
        let note = try #require(host.disk.content.withLock { $0.notes.values.first })
        let stored = try StoredCreation(note.content[...])
        let masked = SessionID(high: stored.maskedID.high, low: stored.maskedID.low)
        #expect(Array(masked.text.utf8) != id)
    }

    @Test func `a request that was refused leaves no note`() throws {
        let host = try StoredHost()
        #expect(create(host, body: #"{"machine":"unknown"}"#).status == 404)
        #expect(host.disk.content.withLock { $0.notes.isEmpty })
    }

    @Test func `a repeated key waits until the session is stored`() throws {
        let host = try StoredHost()
        _ = host.start(.post, "/v1/sessions", body: body, key: key)
        let other = host.start(.post, "/v1/sessions", body: body, key: key)
        #expect(other.response == nil)
        host.store()
        #expect(other.status == 201)
        #expect(host.disk.entries.count == 1)
    }

    @Test func `a damaged note does not keep a session from being created`() throws {
        let host = try StoredHost()
        _ = create(host)
        host.disk.content.withLock { content in
            for key in content.notes.keys { content.notes[key]?.content = [1] }
        }
        #expect(create(try StoredHost(on: host.disk)).status == 201)
    }

    @Test func `a note has the principal of a first visit, and notes of older builds have none`() throws {
        let key = CreationKey(digest: RequestDigest(low: 1, high: 2), mask: RequestDigest(low: 3, high: 4))
        let id = SessionID(high: 5, low: 6)
        let description = Array("{\"id\":\"\(id.text)\",\"version\":0}".utf8)
        for visitor in [[], [UInt8](0..<16)] {
            let creation = KeyedCreation(key: key, request: RequestDigest(low: 7, high: 8), visitor: visitor)
            let stored = StoredCreation(creation, id, description: description)
            let read = try StoredCreation(stored.content[...])
            #expect(read == stored)
            #expect(read.response(mask: key.mask) == visitor + Array(id.text.utf8) + description)
        }
        let damaged = KeyedCreation(key: key, request: RequestDigest(low: 7, high: 8), visitor: [1, 2])
        #expect(throws: RecordReader.Damaged.self) {
            try StoredCreation(StoredCreation(damaged, id, description: description).content[...])
        }
    }
}
