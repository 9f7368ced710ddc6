import Testing

@testable import MachineHost

struct DueTimesTests {
    private func id(_ number: UInt64) -> StoredSessionID { StoredSessionID(high: number, low: 0) }

    @Test
    func `sessions are due by time, and by id if their times are equal`() {
        var times = DueTimes()
        for (number, time) in [(4, 10), (3, 10), (2, 5), (1, 20)] as [(UInt64, Int64)] { times.set(id(number), time) }
        #expect(times.sessions(dueAt: 10, limit: 9) == [id(2), id(3), id(4)])
        #expect(times.sessions(dueAt: 10, limit: 2) == [id(2), id(3)])
        #expect(times.sessions(dueAt: 4, limit: 9) == [])
        #expect(times.next() == 5)
    }

    @Test
    func `an outdated time counts no more`() {
        var times = DueTimes()
        times.set(id(1), 10)
        times.set(id(2), 20)
        times.set(id(1), 30)
        #expect(times.next() == 20)
        times.set(id(1), 10)
        #expect(times.sessions(dueAt: 99, limit: 9) == [id(1), id(2)])
        times.set(id(1), nil)
        times.set(id(2), nil)
        #expect(times.next() == nil)
        #expect(times.sessions(dueAt: 99, limit: 9) == [])
    }

    @Test
    func `many changes of the time agree with a sorted list`() {
        var times = DueTimes()
        var current: [UInt64: Int64] = [:]
        for step in 0..<5000 as Range<UInt64> {
            let number = step &* 7919 % 100
            let time = step % 11 == 0 ? nil : Int64(step &* 104_729 % 1000)
            times.set(id(number), time)
            current[number] = time
            guard step % 50 == 0 else { continue }
            let expected = current.filter { $0.value <= 500 }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            #expect(times.sessions(dueAt: 500, limit: .max) == expected.map { id($0.key) })
            #expect(times.next() == current.values.min())
        }
    }
}
