import CombineCore
import CombineTesting
import Testing

/// Points 32 to 37 of the semantics: tokens, lifetimes, async values, futures, failure types, concrete sources.
@Suite struct LifetimeSemanticsTests {
    @Test func `32 a token cancels once, when told to or when it goes away`() {
        var count = 0
        var token: AnyCancellable? = AnyCancellable { count += 1 }
        token?.cancel()
        token?.cancel()
        token = nil
        #expect(count == 1)
        token = AnyCancellable { count += 1 }
        token = nil
        #expect(count == 2)
        #expect(token == nil)
    }

    @Test func `32 tokens are equal when they are the same`() {
        let token = AnyCancellable {}
        #expect(token == token)
        #expect(token != AnyCancellable {})
        #expect(Set([token, token]).count == 1)
    }

    @Test func `32 a token lets go of what it cancels with`() {
        let probe = LifetimeProbe()
        let token = AnyCancellable { [held = probe.token("held")] in held.touch() }
        #expect(probe.alive == ["held"])
        token.cancel()
        #expect(probe.alive == [])
    }

    @Test func `32 a token may be cancelled from inside its own cancellation`() {
        var token: AnyCancellable?
        var count = 0
        token = AnyCancellable {
            count += 1
            token?.cancel()
        }
        token?.cancel()
        #expect(count == 1)
    }

    @Test func `32 tokens can be stored in sets and other collections`() {
        var set = Set<AnyCancellable>()
        var list: [AnyCancellable] = []
        var count = 0
        AnyCancellable { count += 1 }.store(in: &set)
        AnyCancellable { count += 1 }.store(in: &list)
        Just(1).subscribe(PassthroughSubject<Int, Never>()).store(in: &list)
        Counting { count += 1 }.store(in: &set)
        Counting { count += 1 }.store(in: &list)
        set.removeAll()
        list.removeAll()
        #expect(count == 4)
    }

    private struct Counting: Cancellable {
        let action: () -> Void
        func cancel() { action() }
    }

    @Test func `33 a live sink keeps its source alive, and a cancelled one does not`() {
        let probe = LifetimeProbe()
        var subject: PassthroughSubject<Int, Never>? = probe.watch(PassthroughSubject(), as: "subject")
        var got: [Int] = []
        let token = subject?.map { $0 }.sink { [held = probe.token("closure")] in
            held.touch()
            got.append($0)
        }
        weak let source = subject
        subject = nil
        source?.send(1)
        #expect(got == [1])
        #expect(probe.alive == ["subject", "closure"])
        token?.cancel()
        #expect(probe.alive == [])
    }

    @Test func `33 a sink lets go of its closures when the stream ends, though its token is held`() {
        let probe = LifetimeProbe()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.sink { [held = probe.token("closure")] _ in held.touch() }
        subject.send(completion: .finished)
        #expect(probe.alive == [])
        withExtendedLifetime((token, subject)) {}
    }

    @Test func `33 assign(to:on:) keeps its target until the stream ends or is cancelled`() {
        final class Target {
            var value = 0
        }
        for ends in [true, false] {
            let probe = LifetimeProbe()
            let subject = PassthroughSubject<Int, Never>()
            var target: Target? = probe.watch(Target(), as: "target")
            let token = target.map { subject.assign(to: \.value, on: $0) }
            subject.send(4)
            #expect(target?.value == 4)
            target = nil
            #expect(probe.alive == ["target"])
            if ends { subject.send(completion: .finished) } else { token?.cancel() }
            #expect(probe.alive == [])
        }
    }

    @Test func `33 every link of a cancelled chain goes at once`() {
        let probe = LifetimeProbe()
        func held(_ name: String) -> (Int) -> Int {
            let token = probe.token(name)
            return {
                token.touch()
                return $0
            }
        }
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.map(held("map")).filter { [keep = held("filter")] in keep($0) >= 0 }
            .tryMap(held("tryMap")).replaceError(with: 0).scan(0) { [keep = held("scan")] in keep($0 + $1) }
            .removeDuplicates { [keep = held("duplicates")] in keep($0) == $1 }
            .flatMap { [keep = held("flatMap")] in Just(keep($0)) }.eraseToAnyPublisher()
            .sink(receiveValue: { [keep = held("sink")] in _ = keep($0) })
        subject.send(1)
        #expect(probe.alive.count == 7)
        token.cancel()
        #expect(probe.alive == [])
    }

    @Test func `34 values asks for one element at a time and keeps none back`() async {
        let source = ScriptedPublisher<Int, Never>(onRequest: { attachment, _ in
            let sent = attachment.requests.count
            if sent <= 3 { attachment.send(sent) } else { attachment.send(completion: .finished) }
        })
        var got: [Int] = []
        for await value in source.values { got.append(value) }
        #expect(got == [1, 2, 3])
        #expect(source.latest?.requests == [.max(1), .max(1), .max(1), .max(1)])
    }

    @Test func `34 values of a failing publisher throw its error`() async {
        let publisher = [1, 2].publisher.setFailureType(to: TestError.self).append(Fail(error: TestError(8)))
        var got: [Int] = []
        await #expect(throws: TestError(8)) {
            for try await value in publisher.values { got.append(value) }
        }
        #expect(got == [1, 2])
    }

    @Test func `35 a future runs its closure at once, once, and replays the result`() {
        var runs = 0
        let future = Future<Int, TestError> { promise in
            runs += 1
            promise(.success(5))
            promise(.failure(TestError()))
        }
        #expect(runs == 1)
        for _ in 0..<2 {
            let recorder = RecordingSubscriber<Int, TestError>()
            future.subscribe(recorder)
            #expect(recorder.values == [5])
            #expect(recorder.completion == .finished)
        }
        #expect(runs == 1)
    }

    @Test func `35 a future's value waits for demand, its failure does not`() {
        let succeeded = RecordingSubscriber<Int, TestError>(demand: .none)
        Future { $0(.success(1)) }.subscribe(succeeded)
        #expect(succeeded.completion == nil)
        succeeded.request(.max(1))
        #expect(succeeded.values == [1])
        let failed = RecordingSubscriber<Int, TestError>(demand: .none)
        Future { $0(.failure(TestError(3))) }.subscribe(failed)
        #expect(failed.completion == .failure(TestError(3)))
    }

    @Test func `35 a future that is kept later tells everybody who waits, in their order`() {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        var order: [String] = []
        var tokens: [AnyCancellable] = []
        for name in ["a", "b", "c"] { future.sink { order.append("\(name)\($0)") }.store(in: &tokens) }
        tokens.remove(at: 1).cancel()
        promise?(.success(2))
        #expect(order == ["a2", "c2"])
    }

    @Test func `36 a completion goes through failure types unchanged, and once`() {
        let source = ScriptedPublisher<Int, Never>(.orderly)
        let recorder = RecordingSubscriber<Int, TestError>()
        source.setFailureType(to: TestError.self).mapError { TestError($0.code + 1) }.subscribe(recorder)
        source.send(1)
        source.send(completion: .finished)
        #expect(recorder.events.map(\.description).suffix(2) == ["1", "finished"])
        let failing = RecordingSubscriber<Int, TestError>()
        Fail<Int, TestError>(error: TestError(1)).mapError { TestError($0.code + 1) }.subscribe(failing)
        #expect(failing.completions == [.failure(TestError(2))])
    }

    @Test func `37 operators on concrete sources run when the chain is built`() {
        var runs = 0
        let mapped = Just(1).map { value -> Int in
            runs += 1
            return value + 1
        }
        #expect(runs == 1)
        #expect(mapped == Just(2))
        let filtered = [1, 2, 3].publisher.filter { value in
            runs += 1
            return value > 1
        }
        #expect(runs == 4)
        #expect(filtered == Publishers.Sequence<[Int], Never>(sequence: [2, 3]))
        #expect([3, 1, 2].publisher.max() == Optional.Publisher(3))
    }
}
