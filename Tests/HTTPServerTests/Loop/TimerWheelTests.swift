import Testing

@testable import HTTPServer

@Suite struct TimerWheelTests {
    private final class Entry: TimerEntry {
        var time: UInt64

        init(at time: UInt64) { self.time = time }
    }

    private static let second: UInt64 = 1_000_000_000

    /// From a microsecond to the maximum age: entries in one slot of the lowest wheel, and in all wheels.
    private static let spans: [UInt64] = [1000, 3_000_000, 60_000_000, 4 * second, 300 * second, 1 << 45, 1 << 61]

    @Test(arguments: spans)
    func `entries are popped in the order of their times, however they were added, moved and removed`(_ span: UInt64) {
        var generator = LinearGenerator(state: span)
        for _ in 0..<30 {
            var wheel = TimerWheel()
            var now = TimerWheelTests.second
            var expected: [Entry] = []
            for _ in 0..<200 {
                let index = expected.isEmpty ? 0 : Int(generator.next() % UInt64(expected.count))
                switch generator.next() % 6 {
                case 0 where !expected.isEmpty:
                    let entry = expected.remove(at: index)
                    wheel.remove(entry)
                    #expect(!entry.isQueued)
                case 1 where !expected.isEmpty:
                    expected[index].time = now + generator.next(below: span)
                    wheel.set(expected[index], at: expected[index].time)
                case 2:
                    now += generator.next(below: span / 4)
                    #expect(popAll(&wheel, now) == expected.map(\.time).filter { $0 <= now }.sorted())
                    expected.removeAll { $0.time <= now }
                default:
                    let entry = Entry(at: now + generator.next(below: span))
                    wheel.set(entry, at: entry.time)
                    expected.append(entry)
                }
                #expect(expected.allSatisfy { $0.isQueued && wheel.time(of: $0) == $0.time })
                #expect(wheel.first <= expected.map(\.time).min() ?? .max)
            }
            #expect(popAll(&wheel, .max) == expected.map(\.time).sorted())
            #expect(wheel.first == .max)
        }
    }

    private func popAll(_ wheel: inout TimerWheel, _ now: UInt64) -> [UInt64] {
        var times: [UInt64] = []
        while let entry = wheel.popDue(now: now) as? Entry {
            #expect(!entry.isQueued)
            times.append(entry.time)
        }
        #expect(wheel.first > now || wheel.first == .max)
        return times
    }

    @Test func `entries of the same time are popped in the order in which they were added`() {
        var wheel = TimerWheel()
        let time = 5 * TimerWheelTests.second + 7
        var entries: [Entry] = []
        // Some are added when the time is far in the future, some when it is near.
        for now in [0, 3, 4, 5] as [UInt64] {
            _ = wheel.popDue(now: now * TimerWheelTests.second)
            for _ in 0..<5 {
                entries.append(Entry(at: time))
                wheel.set(entries[entries.count - 1], at: time)
            }
        }
        for entry in entries { #expect(wheel.popDue(now: time) === entry) }
    }

    @Test func `nothing is due before its time, to the nanosecond`() {
        var wheel = TimerWheel()
        for time in TimerWheelTests.spans {
            let entry = Entry(at: time)
            wheel.set(entry, at: time)
            #expect(wheel.first == time)
            #expect(pop(&wheel, time - 1) == nil)
            #expect(pop(&wheel, time) === entry)
            #expect(pop(&wheel, time) == nil)
        }
    }

    private func pop(_ wheel: inout TimerWheel, _ now: UInt64) -> TimerEntry? { wheel.popDue(now: now) }

    @Test func `an entry with a past time is due immediately, before entries that are due later`() {
        var wheel = TimerWheel()
        let (later, late) = (Entry(at: 11 * TimerWheelTests.second), Entry(at: 1))
        wheel.set(later, at: later.time)
        #expect(pop(&wheel, 10 * TimerWheelTests.second) == nil)
        wheel.set(late, at: late.time)
        #expect(popAll(&wheel, 12 * TimerWheelTests.second) == [late.time, later.time])
    }

    @Test(arguments: [false, true])
    func `an entry that is set during a round to a past or present time is due in the next`(isMoved: Bool) {
        var wheel = TimerWheel()
        let now = 10 * TimerWheelTests.second
        let (due, late, present, removed) = (Entry(at: now - 5), Entry(at: 3), Entry(at: now), Entry(at: now))
        let next = Entry(at: now + 1)
        wheel.set(due, at: due.time)
        if isMoved { wheel.set(late, at: 11 * TimerWheelTests.second) }
        wheel.beginRound(at: now)
        for entry in [present, late, removed, next] { wheel.set(entry, at: entry.time) }
        #expect(wheel.first == 3)
        #expect(pop(&wheel, now) === due)
        #expect(pop(&wheel, now) == nil)
        // The next round must start immediately.
        #expect(wheel.first <= now)
        wheel.remove(removed)
        wheel.beginRound(at: now)
        #expect(pop(&wheel, now) === late)
        #expect(pop(&wheel, now) === present)
        #expect(pop(&wheel, now) == nil)
        #expect(wheel.first == now + 1)
        wheel.beginRound(at: now + 1)
        #expect(pop(&wheel, now + 1) === next)
    }

    @Test func `an entry that is due can be moved or removed before it is popped`() {
        var wheel = TimerWheel()
        let entries = (1...4).map { Entry(at: $0) }
        for entry in entries { wheel.set(entry, at: entry.time) }
        #expect(pop(&wheel, 10) === entries[0])
        wheel.remove(entries[1])
        wheel.set(entries[2], at: 20)
        #expect(pop(&wheel, 10) === entries[3])
        #expect(pop(&wheel, 10) == nil)
        #expect(wheel.first == 20)
        #expect(pop(&wheel, 20) === entries[2])
    }

    @Test func `an entry can have the maximum time`() {
        var wheel = TimerWheel()
        let entry = Entry(at: .max - 1)
        wheel.set(entry, at: entry.time)
        #expect(pop(&wheel, .max - 2) == nil)
        #expect(pop(&wheel, .max) === entry)
    }

    @Test func `slots are reused`() {
        var wheel = TimerWheel()
        var places: Set<Int32> = []
        for round in 0..<1000 as Range<UInt64> {
            let entries = (0..<3).map { Entry(at: round + $0) }
            for entry in entries {
                wheel.set(entry, at: entry.time)
                places.insert(entry.place)
            }
            #expect(popAll(&wheel, round + 3).count == 3)
        }
        #expect(places.count == 3)
    }

    @Test func `a popped entry is released`() {
        var wheel = TimerWheel()
        weak var gone: Entry?
        do {
            let (popped, removed) = (Entry(at: 1), Entry(at: 2))
            gone = popped
            wheel.set(popped, at: 1)
            wheel.set(removed, at: 2)
            _ = pop(&wheel, 1)
            wheel.remove(removed)
        }
        #expect(gone == nil)
    }
}

/// A generator that returns the same numbers in every run (Knuth's MMIX).
struct LinearGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func next(below limit: UInt64) -> UInt64 { (next() << 31 ^ next()) % limit }
}
