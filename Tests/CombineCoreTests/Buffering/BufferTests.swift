import CombineCore
import CombineTesting
import Testing

@Suite struct BufferTests {
    private func fill(
        _ whenFull: Publishers.BufferingStrategy<Mishap>, _ prefetch: Publishers.PrefetchStrategy = .byRequest
    ) -> (PassthroughSubject<Int, Mishap>, SurfaceRecorder<Int, Mishap>) {
        let subject = PassthroughSubject<Int, Mishap>()
        let recorder = subject.buffer(size: 2, prefetch: prefetch, whenFull: whenFull).record(.none)
        for value in 1...4 { subject.send(value) }
        #expect(recorder.take() == ["subscription Buffer"])
        return (subject, recorder)
    }

    @Test func `each policy handles a value that exceeds the buffer`() {
        let (_, newest) = fill(.dropNewest)
        newest.request(3)
        #expect(newest.log == ["1", "2"])
        let (_, oldest) = fill(.dropOldest)
        oldest.request(3)
        #expect(oldest.log == ["3", "4"])
        let (_, failing) = fill(.customError { .second })
        failing.request(1)
        #expect(failing.take() == ["1", "failure second"])
        let (_, patient) = fill(.customError { .second })
        patient.request(2)
        #expect(patient.take() == ["1", "2", "failure second"])
    }

    @Test(arguments: [Publishers.PrefetchStrategy.byRequest, .keepFull])
    func `values beyond the demand are not delivered before the error of a full buffer`(
        prefetch: Publishers.PrefetchStrategy
    ) {
        let source = ScriptedPublisher<Int, Mishap>(.unruly)
        let recorder = source.buffer(size: 5, prefetch: prefetch, whenFull: .customError { .second }).record(.none)
        for value in 0..<10 { source.send(value) }
        #expect(recorder.take() == ["subscription Buffer"])
        #expect(source.latest?.cancellations == 1)
        recorder.request(3)
        recorder.request(1)
        #expect(recorder.take() == ["0", "1", "2", "failure second"])
    }

    @Test func `a buffer that is kept full requests its size and one more value for each it delivers`() {
        var requests: [Subscribers.Demand] = []
        let recorder = (1...5).publisher.handleEvents(receiveRequest: { requests.append($0) })
            .buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record(.none)
        recorder.request(1)
        #expect(requests == [.max(2), .max(1)])
        recorder.request(4)
        #expect(recorder.take().dropFirst() == ["1", "2", "3", "4", "5"])
        recorder.request(1)
        #expect(recorder.take() == ["finished"])
    }

    @Test func `a failure is delivered immediately, but a finish waits until the buffer is empty`() {
        let (failing, first) = fill(.dropNewest)
        failing.send(completion: .failure(.first))
        #expect(first.log == ["failure first"])
        let (finishing, second) = fill(.dropNewest)
        finishing.send(completion: .finished)
        second.request(2)
        #expect(second.log == ["1", "2"])
        second.request(1)
        #expect(second.log == ["1", "2", "finished"])
    }
}
