import CombineCore
import CombineTesting
import Testing

/// Tests of tokens, lifetimes, async values, futures, failure types and operators on concrete sources.
@Suite struct LifetimeSemanticsTests {
    @Test func `a token cancels once, either explicitly or when it is deallocated`() {
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

    @Test func `a token is equal only to itself`() {
        let token = AnyCancellable {}
        #expect(token == token)
        #expect(token != AnyCancellable {})
        #expect(Set([token, token]).count == 1)
    }

    @Test func `a token releases its closure when it is cancelled`() {
        let probe = LifetimeProbe()
        let token = AnyCancellable { [held = probe.token("held")] in held.touch() }
        #expect(probe.alive == ["held"])
        token.cancel()
        #expect(probe.alive == [])
    }

    @Test func `a token may be cancelled from inside its own cancellation`() {
        var token: AnyCancellable?
        var count = 0
        token = AnyCancellable {
            count += 1
            token?.cancel()
        }
        token?.cancel()
        #expect(count == 1)
    }

    @Test func `tokens can be stored in sets and other collections`() {
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

    @Test func `a sink retains its source until it is cancelled`() {
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

    @Test func `a sink releases its closures when the stream ends, even if its token is retained`() {
        let probe = LifetimeProbe()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.sink { [held = probe.token("closure")] _ in held.touch() }
        subject.send(completion: .finished)
        #expect(probe.alive == [])
        withExtendedLifetime((token, subject)) {}
    }

    @Test func `assign(to:on:) retains its target until the stream ends or is cancelled`() {
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

    @Test func `cancelling a chain releases all its links immediately`() {
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

    @Test func `an async sequence of values requests one value at a time and loses none`() async {
        let source = ScriptedPublisher<Int, Never>(onRequest: { attachment, _ in
            let sent = attachment.requests.count
            if sent <= 3 { attachment.send(sent) } else { attachment.send(completion: .finished) }
        })
        var got: [Int] = []
        for await value in source.values { got.append(value) }
        #expect(got == [1, 2, 3])
        #expect(source.latest?.requests == [.max(1), .max(1), .max(1), .max(1)])
    }

    @Test func `the async sequence of a failing publisher throws its error`() async {
        let publisher = [1, 2].publisher.setFailureType(to: TestError.self).append(Fail(error: TestError(8)))
        var got: [Int] = []
        await #expect(throws: TestError(8)) {
            for try await value in publisher.values { got.append(value) }
        }
        #expect(got == [1, 2])
    }

    @Test func `a future runs its closure once and immediately, and replays the result`() {
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

    @Test func `a future's value waits for demand, but its failure does not`() {
        let succeeded = RecordingSubscriber<Int, TestError>(demand: .none)
        Future { $0(.success(1)) }.subscribe(succeeded)
        #expect(succeeded.completion == nil)
        succeeded.request(.max(1))
        #expect(succeeded.values == [1])
        let failed = RecordingSubscriber<Int, TestError>(demand: .none)
        Future { $0(.failure(TestError(3))) }.subscribe(failed)
        #expect(failed.completion == .failure(TestError(3)))
    }

    @Test func `a future that is fulfilled later delivers to its subscribers in order`() {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        var order: [String] = []
        var tokens: [AnyCancellable] = []
        for name in ["a", "b", "c"] { future.sink { order.append("\(name)\($0)") }.store(in: &tokens) }
        tokens.remove(at: 1).cancel()
        promise?(.success(2))
        #expect(order == ["a2", "c2"])
    }

    @Test func `operators that change the failure type pass the completion on once`() {
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

    @Test func `operators on concrete sources run when the chain is built`() {
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
