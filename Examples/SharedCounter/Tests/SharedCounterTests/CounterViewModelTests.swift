import Combine
import SharedCounter
import Testing

@Suite struct CounterViewModelTests {
    @Test func `the count does not go below zero`() {
        let model = CounterViewModel(
            input: .init(), store: .init(), extra: .init { _ in Empty().eraseToAnyPublisher() })
        var counts: [Int] = []
        let watching = model.output.$count.sink { counts.append($0) }
        model.input.increment.send()
        model.input.decrement.send()
        model.input.decrement.send()
        watching.cancel()
        #expect(counts == [0, 1, 0, 0])
    }
}
