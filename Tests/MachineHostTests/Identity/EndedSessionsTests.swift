import Testing

@testable import MachineHost

struct EndedSessionsTests {
    private let ending = StoredEnd(.deleted, owner: nil)

    @Test func `a session that returns has not ended, and may end again`() {
        var ended = EndedSessions()
        let ids = (0..<3 as Range<UInt64>).map { SessionID(high: 7 << 32, low: $0 << 4) }
        for (index, id) in ids.enumerated() {
            ended.insert(id, ending, now: Tick(index), window: 10, limit: 10)
        }
        ended.remove(StoredSessionID(of: ids[1]))
        #expect(ids.map(ended.contains) == [true, false, true])
        ended.remove(StoredSessionID(of: SessionID(high: 7 << 32, low: 9 << 4)))
        #expect(ended.count == 2)
        ended.insert(ids[1], ending, now: 8, window: 10, limit: 10)
        // The time of its first end has passed, and that of the second has not.
        ended.expire(now: 12)
        #expect(ids.map(ended.contains) == [false, true, false])
        ended.expire(now: 18)
        #expect(ended.count == 0)
    }
}
