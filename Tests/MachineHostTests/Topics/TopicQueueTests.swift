import Synchronization
import Testing

@testable import MachineHost

struct TopicQueueTests {
    private let bytes = TopicBytes()
    private var queue = TopicQueue()

    private mutating func add(_ topic: String, _ number: UInt64, _ rule: TopicRule = .dropOldest) -> TopicQueue.Loss? {
        let publication = Publication(topic: topic, rule: rule, json: [0])
        return queue.add(TopicValue(publication, number: number, in: bytes), limit: 2)
    }

    private mutating func takeAll() -> [String] {
        var taken: [String] = []
        while let value = queue.removeFirst() { taken.append("\(value.topic)\(value.number)") }
        return taken
    }

    @Test mutating func `values leave in the order in which they came`() {
        #expect(add("a", 1) == nil)
        #expect(add("b", 1) == nil)
        #expect(add("a", 2) == nil)
        #expect(takeAll() == ["a1", "b1", "a2"])
        #expect(queue.isEmpty)
    }

    @Test mutating func `the oldest value makes room for a new one of its topic`() {
        for number in 1...4 { _ = add("a", UInt64(number)) }
        #expect(add("a", 5) == .dropped)
        #expect(add("b", 1) == nil)
        #expect(takeAll() == ["a4", "a5", "b1"])
    }

    @Test mutating func `the newest value is lost if the topic says so`() {
        #expect(add("a", 1, .dropNewest) == nil)
        #expect(add("a", 2, .dropNewest) == nil)
        #expect(add("a", 3, .dropNewest) == .dropped)
        #expect(takeAll() == ["a1", "a2"])
    }

    @Test mutating func `only the latest value waits in the place of the first one`() {
        #expect(add("a", 1, .latest) == nil)
        #expect(add("b", 1) == nil)
        #expect(add("a", 2, .latest) == .conflated)
        #expect(add("a", 3, .latest) == .conflated)
        #expect(takeAll() == ["a3", "b1"])
    }

    @Test mutating func `a topic whose values have left has room again`() {
        for number in 1...3 { _ = add("a", UInt64(number)) }
        _ = takeAll()
        #expect(add("a", 4) == nil)
        #expect(takeAll() == ["a4"])
    }

    @Test mutating func `values that are lost or taken no longer count`() {
        for number in 1...3 { _ = add("a", UInt64(number)) }
        #expect(bytes.count.load(ordering: .relaxed) == 2 * (1 + TopicQueue.bytesPerPlace))
        _ = takeAll()
        #expect(bytes.count.load(ordering: .relaxed) == 0)
    }
}
