import CombineCore
import CombineSchedulers
import Dispatch
import Testing

@Suite struct SequencingTests {
    struct Broken: Error {}

    @Test func `prefix finishes with its last value and cancels upstream`() {
        let subject = PassthroughSubject<Int, Never>()
        var log: [String] = []
        let token = subject.prefix(2).sink { _ in
            log.append("end")
        } receiveValue: {
            log.append("\($0)")
        }
        subject.send(1)
        #expect(log == ["1"])
        subject.send(2)
        #expect(log == ["1", "2", "end"])
        subject.send(3)
        #expect(log == ["1", "2", "end"])
        token.cancel()
    }

    @Test func `append passes unmet demand from the prefix to the suffix`() {
        var got: [Int] = []
        var subscription: (any Subscription)?
        [1, 2].publisher.append(3, 4).prepend(0).subscribe(
            AnySubscriber(
                receiveSubscription: { subscription = $0 },
                receiveValue: {
                    got.append($0)
                    return .none
                }, receiveCompletion: { _ in got.append(99) }))
        subscription?.request(.max(4))
        #expect(got == [0, 1, 2, 3])
        subscription?.request(.max(1))
        #expect(got == [0, 1, 2, 3, 4, 99])
    }

    @Test func `catch passes unmet demand to its replacement`() {
        var got: [Int] = []
        _ = [1, 2, 3].publisher.tryMap { if $0 == 3 { throw Broken() } else { return $0 } }
            .catch { _ in [8, 9].publisher }.sink { got.append($0) }
        #expect(got == [1, 2, 8, 9])
        _ = Fail<Int, Broken>(error: Broken()).replaceError(with: 7).sink { got.append($0) }
        #expect(got.last == 7)
    }

    @Test func `first delivers one value and finishes`() {
        let subject = CurrentValueSubject<Int, Never>(5)
        var log: [String] = []
        _ = subject.first().sink { _ in
            log.append("end")
        } receiveValue: {
            log.append("\($0)")
        }
        #expect(log == ["5", "end"])
    }

    @Test func `a future replays its result`() {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        var got: [Int] = []
        var tokens = Set<AnyCancellable>()
        future.sink { got.append($0) }.store(in: &tokens)
        promise?(.success(3))
        promise?(.success(4))
        future.scan(10, +).sink { got.append($0) }.store(in: &tokens)
        #expect(got == [3, 13])
    }

    @Test func `debounce delivers a value after an interval without newer ones`() {
        let scheduler = DispatchQueue.test
        let subject = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        let token = subject.debounce(for: .seconds(1), scheduler: scheduler).sink { got.append($0) }
        subject.send(1)
        scheduler.advance(by: .milliseconds(900))
        subject.send(2)
        scheduler.advance(by: .milliseconds(999))
        #expect(got == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(got == [2])
        token.cancel()
    }

    @Test func `delay and receive keep the order and postpone the completion`() {
        let scheduler = DispatchQueue.test
        var log: [String] = []
        let token = [1, 2].publisher.receive(on: scheduler).delay(for: 1, scheduler: scheduler)
            .sink { _ in
                log.append("end")
            } receiveValue: {
                log.append("\($0)")
            }
        scheduler.advance()
        #expect(log == [])
        scheduler.advance(by: 1)
        #expect(log == ["1", "2", "end"])
        token.cancel()
    }
}
