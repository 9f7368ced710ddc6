import CombineCore
import Testing

@Suite struct FlatMapKeepingTests {
    @Test func `flatMap delivers buffered values in the order in which their publishers arrived`() {
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
        #expect(recorder.take() == ["1"])
        recorder.request(1)
        #expect(recorder.take() == ["11"])
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
