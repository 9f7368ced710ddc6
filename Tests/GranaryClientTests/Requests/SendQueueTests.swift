import Testing

@testable import GranaryClient

struct SendQueueTests {
    @Test func `one input is in flight, and the others follow in order`() {
        var queue = SendQueue(limit: 3)
        #expect(queue.add(1) == .start)
        #expect(queue.add(2) == .wait)
        #expect(queue.add(3) == .wait)
        #expect(queue.add(4) == .full)
        #expect(queue.finish(1) == 2)
        #expect(queue.add(4) == .wait)
        #expect(queue.finish(2) == 3)
        #expect(queue.finish(3) == 4)
        #expect(queue.finish(4) == nil)
        #expect(queue.add(5) == .start)
    }

    @Test func `an input that was not started can be withdrawn`() {
        var queue = SendQueue(limit: 10)
        _ = (queue.add(1), queue.add(2), queue.add(3))
        #expect(queue.withdraw(1) == false)
        #expect(queue.withdraw(2) == true)
        #expect(queue.withdraw(2) == false)
        #expect(queue.finish(1) == 3)
    }

    @Test func `all inputs that were not started can be withdrawn`() {
        var queue = SendQueue(limit: 10)
        _ = (queue.add(1), queue.add(2), queue.add(3))
        #expect(queue.withdrawAll() == [2, 3])
        #expect(queue.withdrawAll() == [])
        #expect(queue.finish(1) == nil)
    }

    @Test func `the end of an input that is not in flight starts nothing`() {
        var queue = SendQueue(limit: 10)
        _ = (queue.add(1), queue.add(2))
        #expect(queue.finish(2) == nil)
        #expect(queue.finish(1) == 2)
    }
}
