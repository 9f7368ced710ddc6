import Testing

@testable import MachineHost

struct HistoryTests {
    private func event(_ version: Int, size: Int = 10) -> [UInt8] {
        let text = "event: \(version) "
        return Array((text + String(repeating: "x", count: max(0, size - text.utf8.count))).utf8)
    }

    private func text(_ history: History, after version: UInt64, limit: Int = .max) -> (
        text: String, version: UInt64
    ) {
        var (history, bytes): (History, [UInt8]) = (history, [])
        let reached = history.copy(after: version, limit: limit, into: &bytes)
        return (String(decoding: bytes, as: UTF8.self), reached)
    }

    @Test func `a new history is at version 0 and is empty`() {
        let history = History()
        #expect(history.newest == 0)
        #expect(history.capacity == 0)
        #expect(history.reaches(backTo: 0))
        #expect(!history.reaches(backTo: 1))
        #expect(text(history, after: 0).version == 0)
    }

    @Test func `a history replays up to its maximum number of changes`() {
        var history = History()
        for version in 1...10 { history.append(event(version), limits: .init(changes: 3, bytes: 1000)) }
        let versions: ClosedRange<UInt64> = 0...11
        #expect(versions.filter(history.reaches(backTo:)) == [7, 8, 9, 10])
        #expect(text(history, after: 7).text == "event: 8 xevent: 9 xevent: 10 ")
        #expect(text(history, after: 10).text.isEmpty)
    }

    @Test func `the size is bounded in bytes, except for the newest event`() {
        var history = History()
        let limits = History.Limits(changes: 100, bytes: 64)
        for version in 1...50 {
            history.append(event(version, size: 20), limits: limits)
            #expect(history.byteCount <= 64)
        }
        history.append(event(51, size: 5000), limits: limits)
        #expect(history.count == 1)
        #expect(text(history, after: 50).text.utf8.count == 5000)
        history.append(event(52, size: 20), limits: limits)
        #expect(history.capacity <= 256)
        #expect(text(history, after: 51).text == String(decoding: event(52, size: 20), as: UTF8.self))
    }

    @Test func `the size is bounded by the range of 32-bit positions`() {
        #expect(History.Limits(changes: 1, bytes: 5 << 30).bytes == 1 << 30)
        #expect(History.Limits(changes: 1, bytes: 4096).bytes == 4096)
    }

    @Test func `a copy holds only whole events and at least one`() {
        var history = History()
        for version in 1...5 { history.append(event(version), limits: .init(changes: 9, bytes: 999)) }
        #expect(text(history, after: 1, limit: 1).version == 2)
        #expect(text(history, after: 1, limit: 29).version == 3)
        #expect(text(history, after: 1, limit: 30).version == 4)
        #expect(text(history, after: 1, limit: 30).text == "event: 2 xevent: 3 xevent: 4 x")
    }

    @Test(arguments: 0..<20)
    func `random events are replayed unchanged`(seed: Int) {
        var random = Random(seed: UInt64(seed))
        let limits = History.Limits(
            changes: Int(random.next() % 20) + 1, bytes: Int(random.next() % 700) + 20)
        var history = History()
        var added: [[UInt8]] = []
        for version in 1...400 {
            added.append(event(version, size: Int(random.next() % 120) + 10))
            history.append(added[version - 1], limits: limits)
            let from = version - Int(random.next() % UInt64(history.count + 1))
            #expect(history.reaches(backTo: UInt64(from)))
            let expected = added[from...].joined()
            #expect(Array(text(history, after: UInt64(from)).text.utf8) == Array(expected))
        }
    }

    @Test func `a cleared history keeps its version`() {
        var history = History()
        history.append(event(1), limits: .init(changes: 3, bytes: 1000))
        history.removeAll()
        #expect(history.newest == 1)
        #expect(history.capacity == 0)
        #expect(!history.reaches(backTo: 0))
        history.append(event(2), limits: .init(changes: 3, bytes: 1000))
        #expect(text(history, after: 1).text == "event: 2 x")
    }
}
