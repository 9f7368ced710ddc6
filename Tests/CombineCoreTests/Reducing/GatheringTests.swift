import CombineCore
import Testing

@Suite struct GatheringTests {
    @Test func `values are gathered by count and the rest comes with the end`() {
        let numbers = (1...5).publisher.eraseToAnyPublisher()
        #expect(numbers.collect(2).events() == ["[1, 2]", "[3, 4]", "[5]", "finished"])
        #expect(numbers.collect(2).events(.max(1)) == ["[1, 2]"])
        #expect(numbers.collect(2).events(.max(1), more: .max(1)).count == 4)
    }

    @Test func `a failure passes by what has been gathered`() {
        let failing = Record<Int, Mishap>(output: [1, 2, 3], completion: .failure(.first))
        #expect(failing.collect(2).events() == ["[1, 2]", "failure first"])
    }

    @Test func `ignoring asks for everything and delivers the end`() {
        var requests: [Subscribers.Demand] = []
        let publisher = (1...3).publisher.handleEvents(receiveRequest: { requests.append($0) }).ignoreOutput()
        #expect(publisher.events(.none) == ["finished"])
        #expect(requests == [.unlimited])
    }
}
