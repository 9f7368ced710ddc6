import Testing

@testable import MachineHost

struct DeadlineBucketsTests {
    private func seconds(_ buckets: inout DeadlineBuckets<String>, until end: Tick) -> [Tick:
        [String]]
    {
        var found: [Tick: [String]] = [:]
        while buckets.now < end {
            let due = buckets.advance()
            if !due.isEmpty { found[buckets.now] = due }
        }
        return found
    }

    @Test func `each element is due in its own second`() {
        var buckets = DeadlineBuckets<String>(horizon: 8)
        #expect(buckets.insert("b", deadline: 3) == 3)
        #expect(buckets.insert("a", deadline: 1) == 1)
        #expect(buckets.insert("c", deadline: 3) == 3)
        #expect(seconds(&buckets, until: 5) == [1: ["a"], 3: ["b", "c"]])
        #expect(buckets.count == 0)
    }

    @Test func `overdue elements are due in the next second, and distant ones are returned early`() {
        var buckets = DeadlineBuckets<String>(horizon: 8)
        buckets.skip(to: 100)
        #expect(buckets.insert("late", deadline: 5) == 101)
        #expect(buckets.insert("far", deadline: 1000) == 107)
        #expect(seconds(&buckets, until: 110) == [101: ["late"], 107: ["far"]])
    }
}
