import CombineCore
import Testing

@Suite struct GatheringTests {
    @Test func `collect by count delivers full arrays, and a partial one when the stream finishes`() {
        let numbers = (1...5).publisher.eraseToAnyPublisher()
        #expect(numbers.collect(2).events() == ["[1, 2]", "[3, 4]", "[5]", "finished"])
        #expect(numbers.collect(2).events(.max(1)) == ["[1, 2]"])
        #expect(numbers.collect(2).events(.max(1), more: .max(1)).count == 4)
    }

    @Test func `a failure discards the collected values`() {
        let failing = Record<Int, Mishap>(output: [1, 2, 3], completion: .failure(.first))
        #expect(failing.collect(2).events() == ["[1, 2]", "failure first"])
    }

    @Test func `ignoreOutput makes an unlimited request and delivers only the completion`() {
        var requests: [Subscribers.Demand] = []
        let publisher = (1...3).publisher.handleEvents(receiveRequest: { requests.append($0) }).ignoreOutput()
        #expect(publisher.events(.none) == ["finished"])
        #expect(requests == [.unlimited])
        // As in Combine, downstream receives the subscription of upstream.
        #expect(publisher.record(.none).log == ["subscription HandleEvents", "finished"])
    }
}
