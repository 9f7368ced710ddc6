import HTTPModel
import Testing

@testable import MachineHost

struct SessionIDTests {
    private func id(_ text: String) -> SessionID? {
        var text = text
        return text.withUTF8 { SessionID($0) }
    }

    @Test func `an ID is 22 characters of base64url, and each one is unique`() throws {
        var seen: Set<SessionID> = []
        for _ in 0..<1000 {
            let made = SessionID.random(onLoop: 0, of: 1)
            #expect(made.text.utf8.count == 22)
            #expect(made.text.utf8.allSatisfy { Base64URL.value(of: $0) != nil })
            #expect(id(made.text) == made)
            seen.insert(made)
        }
        #expect(seen.count == 1000)
    }

    @Test func `each bit of an ID is set in about half of all IDs`() {
        let ids = (0..<2_000).map { _ in SessionID.random(onLoop: 0, of: 1) }
        for half in [\SessionID.high, \SessionID.low] {
            for bit in 0..<64 {
                let count = ids.count { $0[keyPath: half] >> UInt64(bit) & 1 == 1 }
                // Nine standard deviations to either side.
                #expect((800...1_200).contains(count), "bit \(bit) is set in \(count) of 2,000 ids")
            }
            // A counter would pass the check above, but all consecutive values would be close to each other. Of random ones, two are
            // in every two thousandth run.
            let close = zip(ids, ids.dropFirst()).count { one, other in
                let (left, right) = (one[keyPath: half], other[keyPath: half])
                return min(left &- right, right &- left) < 1 << 40
            }
            #expect(close <= 1)
        }
    }

    @Test(arguments: [
        (high: UInt64.min, low: UInt64.min), (.max, .max), (1, 0), (0, 1), (0x0123_4567_89AB_CDEF, 3),
    ])
    func `any 128 bits survive a round trip through their text`(high: UInt64, low: UInt64) {
        let bits = SessionID(high: high, low: low)
        #expect(id(bits.text) == bits)
    }

    @Test(arguments: [
        "", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB",
        "AAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAA+AAAAAAAAAAA", "AAAAAAAAAA%41AAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAÄ",
        "AAAAAAAAAAAAAAAAAAAAA\u{0}",
    ])
    func `any other text is not an ID`(text: String) {
        #expect(id(text) == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func `an ID encodes the loop that owns its session`(count: Int) {
        for loop in 0..<count {
            #expect(SessionID.random(onLoop: loop, of: count).loop(of: count) == loop)
        }
    }

    @Test
    func `a session's name in the log is a stable eight-digit number that reveals no part of the ID`() {
        let (one, other) = (SessionID.random(onLoop: 0, of: 1), SessionID.random(onLoop: 0, of: 1))
        #expect(one.hash == one.hash)
        #expect(one.hash != other.hash)
        #expect(one.hash.utf8.count == 8)
        #expect(one.hash.allSatisfy { $0.isHexDigit })
        let high = String(one.high, radix: 16)
        let low = String(one.low, radix: 16)
        #expect(!high.contains(one.hash) && !low.contains(one.hash))
    }
}

struct StreamPositionTests {
    @Test(arguments: [UInt64(0), 1, 9, 10, 4095, .max])
    func `a position survives a round trip through its text`(version: UInt64) {
        let position = StreamPosition(epoch: .random(), version: version)
        var text: [UInt8] = []
        position.append(to: &text)
        #expect(StreamPosition(text) == position)
        #expect(text.count == 7 + String(version).utf8.count)
    }

    @Test(arguments: [
        "", ".", "AAAAAA", "AAAAAA.", "AAAAAA.-1", "AAAAAA.01", "AAAAAA.1 ", "AAAAA.1", "AAAAAAA.1",
        "AAAA+A.1",
        "AAAAAA.18446744073709551616", "AAAAAA.1.2", "AAAAAA.٣",
    ])
    func `an invalid position is rejected`(text: String) {
        #expect(StreamPosition(Array(text.utf8)) == nil)
    }
}

struct EndedSessionsTests {
    private let ids = (0..<6).map { SessionID(high: UInt64($0), low: 0) }

    @Test func `ended sessions are remembered up to a maximum number, dropping the oldest first`() {
        var ended = EndedSessions()
        for id in ids {
            ended.insert(id, StoredEnd(.deleted, owner: nil), of: .others, now: 0, window: 10, limit: 4)
        }
        #expect(ids.map(ended.contains) == [false, false, true, true, true, true])
        ended.insert(ids[5], StoredEnd(.deleted, owner: nil), of: .others, now: 0, window: 10, limit: 4)
        #expect(ended.count == 4)
    }

    @Test func `ended sessions are remembered for a limited time`() {
        var ended = EndedSessions()
        for (index, id) in ids.enumerated() {
            ended.insert(id, StoredEnd(.deleted, owner: nil), of: .others, now: Tick(index), window: 10, limit: 100)
        }
        ended.expire(now: 13)
        #expect(ids.map(ended.contains) == [false, false, false, true, true, true])
    }

    @Test func `a maximum number of zero remembers no ended session`() {
        var ended = EndedSessions()
        ended.insert(ids[0], StoredEnd(.deleted, owner: nil), of: .others, now: 0, window: 10, limit: 0)
        #expect(!ended.contains(ids[0]))
    }

    @Test func `the sessions of one client do not displace those of others`() {
        var ended = EndedSessions()
        let (loud, quiet) = (ClientTable.Client("192.0.2.1"), ClientTable.Client("192.0.2.2"))
        func insert(_ id: SessionID, _ client: ClientTable.Client, now: Tick = 0) {
            ended.insert(id, StoredEnd(.deleted, owner: nil), of: client, now: now, window: 10, limit: 4)
        }
        insert(ids[0], quiet)
        for number in 0..<1000 { insert(SessionID(high: 9, low: UInt64(number)), loud, now: 1) }
        #expect(ended.contains(ids[0]) && ended.count == 4)
        #expect((997..<1000).allSatisfy { ended.contains(SessionID(high: 9, low: $0)) })
        insert(ids[1], quiet, now: 1)
        #expect(ended.contains(ids[0]) && ended.contains(ids[1]) && !ended.contains(SessionID(high: 9, low: 997)))
        // One that was forgotten and has come back is remembered for its own time.
        insert(SessionID(high: 9, low: 0), loud, now: 5)
        ended.expire(now: 12)
        #expect(ended.count == 1 && ended.contains(SessionID(high: 9, low: 0)))
    }

    @Test func `a session that returns has not ended, and may end again`() {
        var ended = EndedSessions()
        let ids = (0..<3 as Range<UInt64>).map { SessionID(high: 7 << 32, low: $0 << 4) }
        func insert(_ id: SessionID, now: Tick) {
            ended.insert(id, StoredEnd(.deleted, owner: nil), of: .others, now: now, window: 10, limit: 10)
        }
        for (index, id) in ids.enumerated() { insert(id, now: Tick(index)) }
        ended.remove(StoredSessionID(of: ids[1]))
        #expect(ids.map(ended.contains) == [true, false, true])
        ended.remove(StoredSessionID(of: SessionID(high: 7 << 32, low: 9 << 4)))
        #expect(ended.count == 2)
        insert(ids[1], now: 8)
        // The time of its first end has passed, and that of the second has not.
        ended.expire(now: 13)
        #expect(ids.map(ended.contains) == [false, true, false])
        ended.expire(now: 19)
        #expect(ended.count == 0)
    }
}
