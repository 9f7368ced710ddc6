import CombineCore
import Dispatch
import Testing

@testable import ComposableArchitecture

@Suite(.serialized) struct EffectCancellationTests {
    private struct CancelToken: Hashable {}

    @Test func `cancelling by id completes an effect and removes it from the table`() {
        var events: [String] = []
        let subject = PassthroughSubject<Int, Never>()
        let token = Effect(subject).cancellable(id: CancelToken())
            .sink(receiveCompletion: { events.append("\($0)") }, receiveValue: { events.append("\($0)") })
        subject.send(1)
        #expect(cancellationCancellables[CancelToken()]?.count == 1)
        run(Effect<Never, Never>.cancel(id: CancelToken()))
        #expect(events == ["1", "finished"])
        #expect(cancellationCancellables[CancelToken()] == nil)
        subject.send(2)
        #expect(events.count == 2)
        withExtendedLifetime(token) {}
    }

    @Test func `an effect in flight is cancelled when the next is subscribed to, not when it is created`() {
        var values: [Int] = []
        var tokens: [AnyCancellable] = []
        let first = PassthroughSubject<Int, Never>()
        let second = PassthroughSubject<Int, Never>()
        Effect(first).cancellable(id: "flight", cancelInFlight: true).sink { values.append($0) }.store(in: &tokens)
        let next = Effect(second).cancellable(id: "flight", cancelInFlight: true)
        first.send(1)
        next.sink { values.append($0) }.store(in: &tokens)
        first.send(2)
        second.send(3)
        #expect(values == [1, 3])
    }

    @Test func `an effect that does nothing cancels nothing`() {
        var values: [Int] = []
        let subject = PassthroughSubject<Int, Never>()
        let token = Effect(subject).cancellable(id: "flight").sink { values.append($0) }
        run(Effect<Int, Never>.none.cancellable(id: "flight", cancelInFlight: true))
        subject.send(1)
        #expect(values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `an effect does not replace the one of which it is a part`() {
        var values: [Int] = []
        let subject = PassthroughSubject<Int, Never>()
        let part = Effect(subject).cancellable(id: "part", cancelInFlight: true)
        let first = part.cancellable(id: "part").sink { values.append($0) }
        subject.send(1)
        let second = part.map { $0 * 10 }.cancellable(id: "part", cancelInFlight: true).sink { values.append($0) }
        subject.send(2)
        run(Effect<Never, Never>.cancel(id: "part"))
        subject.send(3)
        #expect(values == [1, 20])
        #expect(cancellationCancellables["part"] == nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `all effects that share an id are cancelled`() {
        var values: [Int] = []
        var tokens: [AnyCancellable] = []
        let first = PassthroughSubject<Int, Never>()
        let second = PassthroughSubject<Int, Never>()
        for subject in [first, second] {
            Effect(subject).cancellable(id: "shared").sink { values.append($0) }.store(in: &tokens)
        }
        first.send(1)
        second.send(2)
        run(Effect<Never, Never>.cancel(id: "shared"))
        first.send(3)
        second.send(4)
        #expect(values == [1, 2])
    }

    @Test func `values of a synchronous source are not lost, and its entry is removed from the table`() {
        var values: [Int] = []
        let token = Just(7).eraseToEffect().cancellable(id: "now").sink { values.append($0) }
        #expect(values == [7])
        #expect(cancellationCancellables["now"] == nil)
        withExtendedLifetime(token) {}
    }

    @Test func `an effect whose token is released is removed from the table`() {
        let subject = PassthroughSubject<Int, Never>()
        var token: AnyCancellable? = Effect(subject).cancellable(id: "dropped").sink { _ in }
        #expect(cancellationCancellables["dropped"] != nil)
        token = nil
        #expect(cancellationCancellables["dropped"] == nil)
        withExtendedLifetime(token) {}
    }

    @Test func `an effect with two ids is cancelled once`() {
        var values: [Int] = []
        let subject = PassthroughSubject<Int, Never>()
        let token = Effect(subject).cancellable(id: "outer").cancellable(id: "inner").sink { values.append($0) }
        subject.send(1)
        run(Effect<Never, Never>.cancel(id: "inner"))
        run(Effect<Never, Never>.cancel(id: "outer"))
        subject.send(2)
        #expect(values == [1])
        #expect(cancellationCancellables["outer"] == nil)
        withExtendedLifetime(token) {}
    }

    @Test func `effects that are chained to a cancelled effect run`() {
        var values: [Int] = []
        let token = Effect<Int, Never>.concatenate(
            Effect(PassthroughSubject<Int, Never>()).cancellable(id: "stopped"), Effect(value: 2)
        )
        .sink { values.append($0) }
        #expect(values.isEmpty)
        run(Effect<Never, Never>.cancel(id: "stopped"))
        #expect(values == [2])
        withExtendedLifetime(token) {}
    }

    @Test func `local empty types are distinct ids, and types can be ids`() {
        func first() -> AnyHashable {
            struct ID: Hashable {}
            return ID()
        }
        func second() -> AnyHashable {
            struct ID: Hashable {}
            return ID()
        }
        #expect(first() != second())
        var values: [Int] = []
        let subject = PassthroughSubject<Int, Never>()
        let token = Effect(subject).cancellable(id: CancelToken.self).sink { values.append($0) }
        run(Effect<Never, Never>.cancel(id: first()))
        subject.send(1)
        run(Effect<Never, Never>.cancel(id: CancelToken.self))
        subject.send(2)
        #expect(values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `cancelling from many threads at once is safe`() async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        let id = "thread \(worker % 3)"
                        let token = Effect(PassthroughSubject<Int, Never>())
                            .cancellable(id: id, cancelInFlight: number % 2 == 0).sink { _ in }
                        run(Effect<Never, Never>.cancel(id: id))
                        token.cancel()
                    }
                }
            }
        }
        for number in 0..<3 { #expect(cancellationCancellables["thread \(number)"] == nil) }
    }

    @Test func `if one of a thousand stores cancels, the other 999 receive their response`() {
        let scheduler = DispatchQueue.test
        let stores = (0..<1000).map { _ in
            Store(initialState: Request(), reducer: requesting, environment: scheduler.eraseToAnyScheduler())
        }
        for store in stores { store.send(.start) }
        stores[500].send(.cancel)
        #expect(stores[500].effectCancellables.isEmpty)
        scheduler.advance(by: 1)
        #expect(stores.count { $0.state.answer == 42 } == 999)
        #expect(stores[500].state == Request())
    }

    @Test func `an id is scoped to the store, wherever an operator subscribes to the effect`() {
        let scheduler = DispatchQueue.test
        enum Action { case start, stop, answer(Int) }
        let late = Reducer<Int, Action, Void> { state, action, _ in
            switch action {
            case .start:
                return Just(())
                    .delay(for: 1, scheduler: scheduler)
                    .flatMap { Effect(PassthroughSubject<Action, Never>()).cancellable(id: CancelToken()) }
                    .append(Effect(value: .answer(1)))
                    .eraseToEffect()
            case .stop: return .cancel(id: CancelToken())
            case .answer(let value):
                state = value
                return .none
            }
        }
        let one = Store(initialState: 0, reducer: late, environment: ())
        let two = Store(initialState: 0, reducer: late, environment: ())
        one.send(.start)
        two.send(.start)
        scheduler.advance(by: 1)
        #expect(cancellationCancellables[CancelToken()] == nil)
        one.send(.stop)
        #expect([one.state, two.state] == [1, 0])
        two.send(.stop)
        #expect(two.state == 1)
    }
}

private func run<Output>(_ effect: Effect<Output, Never>) {
    _ = effect.sink { _ in }
}

private struct Request: Equatable {
    var answer: Int?
}

private enum RequestAction { case start, cancel, answer(Int) }

private let requesting = Reducer<Request, RequestAction, AnySchedulerOf<DispatchQueue>> { state, action, scheduler in
    struct ID: Hashable {}
    switch action {
    case .start:
        return Effect(value: .answer(42)).delay(for: 1, scheduler: scheduler).eraseToEffect().cancellable(id: ID())
    case .cancel: return .cancel(id: ID())
    case .answer(let answer):
        state.answer = answer
        return .none
    }
}
