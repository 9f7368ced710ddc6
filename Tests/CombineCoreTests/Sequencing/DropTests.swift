import CombineCore
import CombineTesting
import Testing

@Suite struct DropTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `it adds the dropped values to the demand requested during the subscription`() {
        let source = Source(.unruly)
        source.dropFirst(2).subscribe(Recorder(demand: .max(42)))
        #expect(source.latest?.requests == [.max(44)])
    }

    @Test func `it requests the dropped values even without downstream demand`() {
        let source = Source(.unruly)
        let recorder = Recorder(demand: .none)
        source.dropFirst(3).subscribe(recorder)
        #expect(source.latest?.requests == [.max(3)])
        recorder.request(.max(2))
        #expect(source.latest?.requests == [.max(3), .max(2)])
    }

    @Test func `it returns no demand for dropped values, and downstream's demand for the others`() {
        let source = Source(.unruly)
        let recorder = Recorder(.init(demand: .max(5), onValue: { _, _ in .max(3) }))
        source.dropFirst(2).subscribe(recorder)
        #expect((1...4).compactMap { source.send($0) } == [.none, .none, .max(3), .max(3)])
        #expect(recorder.values == [3, 4])
    }

    @Test func `it delivers its subscription before upstream has sent one`() {
        let source = Source(.silent)
        let recorder = Recorder(demand: .max(10))
        source.dropFirst(4).subscribe(recorder)
        #expect(recorder.subscription != nil)
        #expect(source.latest?.requests == [])
        source.latest?.sendSubscription()
        #expect(source.latest?.requests == [.max(14)])
    }

    @Test func `values of a subject are counted even without downstream demand`() {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder(demand: .none)
        subject.dropFirst(2).subscribe(recorder)
        for value in 1...2 { subject.send(value) }
        recorder.request(.unlimited)
        subject.send(3)
        #expect(recorder.values == [3])
    }

    @Test func `it counts correctly if a publisher sends from two threads`() async {
        let source = Source(.unruly)
        let recorder = Recorder()
        source.dropFirst(500).subscribe(recorder)
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    for value in 0..<500 { source.send(value) }
                }
            }
        }
        #expect(recorder.values.count == 500)
    }

    @Test func `publishers are equal if their upstreams and counts are`() {
        let empty = Empty<Int, Never>()
        #expect(empty.dropFirst(2) == empty.dropFirst(2))
        #expect(empty.dropFirst(2) != empty.dropFirst(3))
    }

    @Test func `a negative count is a programming error`() async {
        await #expect(processExitsWith: .failure) { _ = Just(1).dropFirst(-1) }
    }

    @Test func `a request for no values is a programming error`() async {
        await #expect(processExitsWith: .failure) {
            let recorder = RecordingSubscriber<Int, Never>(demand: .none)
            PassthroughSubject<Int, Never>().dropFirst().subscribe(recorder)
            recorder.subscription?.request(.none)
        }
    }
}
