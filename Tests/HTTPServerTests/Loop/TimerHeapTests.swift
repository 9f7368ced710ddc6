import Testing

@testable import HTTPServer

@Suite struct TimerHeapTests {
    private final class Entry: TimerEntry {}

    @Test func `entries come out by time however they were put in, moved and removed`() {
        var generator = LinearGenerator(state: 42)
        for _ in 0..<50 {
            var heap = TimerHeap()
            var expected: [(entry: Entry, time: UInt64)] = []
            for _ in 0..<60 {
                let time = generator.next() % 1000
                switch generator.next() % 4 {
                case 0 where !expected.isEmpty:
                    let index = Int(generator.next() % UInt64(expected.count))
                    heap.remove(expected[index].entry)
                    #expect(!expected[index].entry.isQueued)
                    expected.remove(at: index)
                case 1 where !expected.isEmpty:
                    let index = Int(generator.next() % UInt64(expected.count))
                    heap.set(expected[index].entry, at: time)
                    expected[index].time = time
                default:
                    let entry = Entry()
                    heap.set(entry, at: time)
                    expected.append((entry, time))
                }
                #expect(heap.first == expected.map(\.time).min())
            }
            for (entry, time) in expected { #expect(heap.time(of: entry) == time) }
            var times: [UInt64] = []
            while let time = heap.first, heap.popDue(now: time) != nil { times.append(time) }
            #expect(times == expected.map(\.time).sorted())
        }
    }

    private func due(_ heap: inout TimerHeap, _ time: UInt64) -> TimerEntry? { heap.popDue(now: time) }

    @Test func `nothing is due before its time`() {
        var heap = TimerHeap()
        let entry = Entry()
        heap.set(entry, at: 10)
        #expect(due(&heap, 9) == nil)
        #expect(due(&heap, 10) === entry)
        #expect(due(&heap, 10) == nil)
        heap.remove(entry)
        #expect(heap.first == nil)
    }
}

/// The same numbers in every run (Knuth's MMIX).
struct LinearGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
