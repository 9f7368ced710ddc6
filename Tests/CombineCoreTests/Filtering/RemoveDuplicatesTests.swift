import CombineCore
import CombineTesting
import Testing

@Suite struct RemoveDuplicatesTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `it drops a value that equals the previous one`() {
        var got: [Int] = []
        _ = [1, 1, 2, 2, 1, 1].publisher.removeDuplicates().sink { got.append($0) }
        #expect(got == [1, 2, 1])
    }

    @Test func `it compares each value with the last delivered one, which is the first argument`() {
        var pairs: [[Int]] = []
        var got: [Int] = []
        _ = [1, 2, 3, 4].publisher.removeDuplicates { earlier, later in
            pairs.append([earlier, later])
            return later == 2
        }.sink { got.append($0) }
        #expect(pairs == [[1, 2], [1, 3], [3, 4]])
        #expect(got == [1, 3, 4])
    }

    @Test func `it requests one more value for each value it drops`() {
        let source = Source(.unruly)
        source.removeDuplicates().subscribe(Recorder(.init(demand: .max(1), onValue: { _, _ in .max(4) })))
        #expect([1, 1, 2].map { source.send($0) } == [.max(4), .max(1), .max(4)])
    }

    @Test func `it releases the last value when it is cancelled`() {
        let probe = LifetimeProbe()
        let subject = PassthroughSubject<LifetimeProbe.Token, Never>()
        let token = subject.removeDuplicates { $0 === $1 }.sink { _ in }
        subject.send(probe.token("the last value"))
        #expect(probe.alive == ["the last value"])
        token.cancel()
        #expect(probe.alive == [])
    }

    @Test func `deliveries of values from two threads do not overlap`() async {
        let source = Source(.unruly)
        let recorder = Recorder()
        source.removeDuplicates { _, _ in false }.subscribe(recorder)
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    for value in 0..<500 { source.send(value) }
                }
            }
        }
        #expect(recorder.values.count == 1_000)
        #expect(recorder.violations == [])
    }
}
