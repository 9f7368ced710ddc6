import CombineCore
import Testing

@Suite struct QueueTests {
    @Test func `elements leave in the order in which they came`() {
        var queue = Queue<Int>()
        #expect(queue.isEmpty)
        for number in 1...3 { queue.append(number) }
        #expect(queue.count == 3)
        #expect(queue.first == 1)
        #expect((0..<4).map { _ in queue.removeFirst() } == [1, 2, 3, nil])
        #expect(queue.isEmpty)
        #expect(queue.first == nil)
    }

    @Test(arguments: [1, 2, 3, 70, 500]) func `the order survives the moves of a long queue`(surplus: Int) {
        var queue = Queue<Int>()
        var expected = 0
        for number in 0..<1_000 {
            queue.append(number)
            guard number % surplus == 0 else { continue }
            #expect(queue.removeFirst() == expected)
            expected += 1
        }
        while let number = queue.removeFirst() {
            #expect(number == expected)
            expected += 1
        }
        #expect(expected == 1_000)
    }

    @Test func `a removed element is released at once`() {
        final class Element {}
        var queue = Queue<Element>()
        queue.append(Element())
        queue.append(Element())
        weak let first = queue.first
        #expect(first != nil)
        _ = queue.removeFirst()
        #expect(first == nil)
        #expect(queue.count == 1)
    }
}
