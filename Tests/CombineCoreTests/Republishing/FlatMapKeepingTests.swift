import CombineCore
import Testing

@Suite struct FlatMapKeepingTests {
    @Test func `flatMap delivers buffered values in the order of their arrival`() {
        let outer = PassthroughSubject<Int, Never>()
        let inner = [CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(10)]
        let recorder = outer.flatMap { inner[$0] }.record(.max(2))
        outer.send(0)
        outer.send(1)
        #expect(recorder.take().dropFirst() == ["0", "10"])
        inner[1].send(11)
        inner[0].send(1)
        #expect(recorder.take() == [])
        recorder.request(1)
        #expect(recorder.take() == ["11"])
        recorder.request(1)
        #expect(recorder.take() == ["1"])
    }

    @Test func `a value that arrives while its publisher is asked for it waits behind earlier ones`() {
        let recorder = [[1, 2, 3].publisher, [10, 20, 30].publisher].publisher.flatMap { $0 }.record(.max(3))
        #expect(recorder.take().dropFirst() == ["1", "2", "3"])
        let late = [[1, 2, 3].publisher, [10, 20, 30].publisher].publisher.flatMap { $0 }.record(.none)
        late.request(3)
        #expect(late.take().dropFirst() == ["1", "10", "2"])
        late.request(3)
        #expect(late.take() == ["20", "3", "30", "finished"])
    }

    @Test func `flatMap delivers all values of a finished publisher that has sent more than was requested`() {
        let recorder = Just(0).flatMap { _ in [1, 2, 3].publisher.replaceEmpty(with: 0) }.record(.max(1))
        #expect(recorder.take().dropFirst() == ["1"])
        recorder.request(1)
        #expect(recorder.take() == ["2"])
        recorder.request(1)
        #expect(recorder.take() == ["3", "finished"])
    }

    @Test func `flatMap finishes after it has delivered the buffered value of a finished publisher`() {
        let outer = PassthroughSubject<Int, Never>()
        let recorder = outer.flatMap(maxPublishers: .max(1)) { Just($0) }.record(.max(1))
        outer.send(1)
        outer.send(2)
        outer.send(completion: .finished)
        #expect(recorder.take().dropFirst() == ["1"])
        recorder.request(1)
        #expect(recorder.take() == ["2", "finished"])
    }
}
