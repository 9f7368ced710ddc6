import CombineCore
import CombineTesting
import Testing

@Suite struct DropTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `it asks for what it leaves out at once, together with what was asked inside the subscription`() {
        let source = Source(.unruly)
        source.dropFirst(2).subscribe(Recorder(demand: .max(42)))
        #expect(source.latest?.requests == [.max(44)])
    }

    @Test func `it asks for what it leaves out although nobody asks for anything`() {
        let source = Source(.unruly)
        let recorder = Recorder(demand: .none)
        source.dropFirst(3).subscribe(recorder)
        #expect(source.latest?.requests == [.max(3)])
        recorder.request(.max(2))
        #expect(source.latest?.requests == [.max(3), .max(2)])
    }

    @Test func `it answers what it leaves out with no demand, and the rest with downstream's`() {
        let source = Source(.unruly)
        let recorder = Recorder(.init(demand: .max(5), onValue: { _, _ in .max(3) }))
        source.dropFirst(2).subscribe(recorder)
        #expect((1...4).compactMap { source.send($0) } == [.none, .none, .max(3), .max(3)])
        #expect(recorder.values == [3, 4])
    }

    @Test func `the subscription comes before upstream has sent one`() {
        let source = Source(.silent)
        let recorder = Recorder(demand: .max(10))
        source.dropFirst(4).subscribe(recorder)
        #expect(recorder.subscription != nil)
        #expect(source.latest?.requests == [])
        source.latest?.sendSubscription()
        #expect(source.latest?.requests == [.max(14)])
    }

    @Test func `a subject's values count although nobody has asked`() {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder(demand: .none)
        subject.dropFirst(2).subscribe(recorder)
        for value in 1...2 { subject.send(value) }
        recorder.request(.unlimited)
        subject.send(3)
        #expect(recorder.values == [3])
    }

    @Test func `it serialises the count for a publisher that sends from two threads`() async {
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

    @Test func `equal ones are equal`() {
        let empty = Empty<Int, Never>()
        #expect(empty.dropFirst(2) == empty.dropFirst(2))
        #expect(empty.dropFirst(2) != empty.dropFirst(3))
    }

    @Test func `a negative count is refused`() async {
        await #expect(processExitsWith: .failure) { _ = Just(1).dropFirst(-1) }
    }

    @Test func `a request for nothing is refused`() async {
        await #expect(processExitsWith: .failure) {
            let recorder = RecordingSubscriber<Int, Never>(demand: .none)
            PassthroughSubject<Int, Never>().dropFirst().subscribe(recorder)
            recorder.subscription?.request(.none)
        }
    }
}
