import CombineCore
import CombineSchedulers
import Dispatch
import Testing

@testable import ComposableArchitecture

@Suite struct EffectTimingTests {
    private let scheduler = DispatchQueue.test

    @Test func `debounced work of a superseded effect never starts`() {
        var begun: [Int] = []
        var delivered: [Int] = []
        var tokens: [AnyCancellable] = []
        func run(_ value: Int) {
            Effect<Int, Never>.result {
                begun.append(value)
                return .success(value)
            }
            .debounce(id: "debounce", for: 1, scheduler: scheduler)
            .sink { delivered.append($0) }
            .store(in: &tokens)
        }
        run(1)
        scheduler.advance(by: 0.5)
        run(2)
        scheduler.advance(by: 0.75)
        #expect(begun.isEmpty)
        scheduler.advance(by: 0.25)
        #expect(begun == [2])
        #expect(delivered == [2])
        scheduler.advance(by: 5)
        #expect(delivered == [2])
    }

    @Test(arguments: [(true, [1, 4, 6]), (false, [1, 2, 5])])
    func `throttled effects let one value through in an interval`(latest: Bool, expected: [Int]) {
        let id = "throttle \(latest)"
        var values: [Int] = []
        var tokens: [AnyCancellable] = []
        func run(_ value: Int) {
            Just(value).eraseToEffect().throttle(id: id, for: 1, scheduler: scheduler, latest: latest)
                .sink { values.append($0) }.store(in: &tokens)
        }
        run(1)
        scheduler.advance()
        #expect(values == [1])
        for value in 2...4 {
            run(value)
            scheduler.advance(by: 0.25)
        }
        #expect(values == [1])
        scheduler.advance(by: 0.25)
        #expect(values == Array(expected.prefix(2)))
        for value in 5...6 {
            run(value)
            scheduler.advance(by: 0.25)
        }
        scheduler.advance(by: 1)
        #expect(values == expected)
    }

    @Test func `a value after a quiet interval is delivered immediately`() {
        var values: [Int] = []
        var tokens: [AnyCancellable] = []
        func run(_ value: Int) {
            Just(value).eraseToEffect().throttle(id: "quiet", for: 1, scheduler: scheduler, latest: true)
                .sink { values.append($0) }.store(in: &tokens)
        }
        run(1)
        scheduler.advance(by: 2)
        run(2)
        scheduler.advance()
        #expect(values == [1, 2])
    }

    @Test func `values without a delay are also delivered on the scheduler`() {
        var values: [Int] = []
        let token = Effect<Int, Never>(value: 1).throttle(id: "scheduler", for: 1, scheduler: scheduler, latest: true)
            .sink { values.append($0) }
        #expect(values == [])
        scheduler.advance()
        #expect(values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `a throttled effect cancels the one before it with the same id, and its id cancels it`() {
        let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
        var values: [Int] = []
        var tokens: [AnyCancellable] = []
        func run(_ subject: PassthroughSubject<Int, Never>) {
            subject.eraseToEffect().throttle(id: "cancel", for: 1, scheduler: scheduler, latest: true)
                .sink { values.append($0) }.store(in: &tokens)
        }
        run(subjects[0])
        subjects[0].send(1)
        scheduler.advance()
        subjects[0].send(2)
        run(subjects[1])
        scheduler.advance(by: 2)
        subjects[0].send(3)
        scheduler.advance(by: 2)
        #expect(values == [1])
        subjects[1].send(4)
        scheduler.advance()
        subjects[1].send(5)
        scheduler.advance()
        _ = Effect<Never, Never>.cancel(id: "cancel").sink { _ in }
        scheduler.advance(by: 2)
        #expect(values == [1, 4])
    }

    @Test func `a delayed value that is cancelled is not delivered`() {
        var values: [Int] = []
        var tokens: [AnyCancellable] = []
        func run(_ value: Int) {
            Effect<Int, Never>(value: value).throttle(id: "waiting", for: 1, scheduler: scheduler, latest: false)
                .sink { values.append($0) }.store(in: &tokens)
        }
        run(1)
        scheduler.advance(by: 0.5)
        run(2)
        scheduler.advance(by: 0.25)
        _ = Effect<Never, Never>.cancel(id: "waiting").sink { _ in }
        scheduler.advance(by: 2)
        #expect(values == [1])
        run(3)
        scheduler.advance()
        #expect(values == [1, 3])
    }

    @Test func `an effect may be throttled and cancellable with the same id`() {
        var values: [Int] = []
        let token = Effect<Int, Never>(value: 1).throttle(id: "both", for: 1, scheduler: scheduler, latest: true)
            .cancellable(id: "both").sink { values.append($0) }
        scheduler.advance()
        #expect(values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `the first tick follows after an interval, and a timer replaces another one with its id`() {
        var ticks = 0
        var tokens: [AnyCancellable] = []
        Effect.timer(id: "timer", every: 1, on: scheduler).sink { _ in ticks += 1 }.store(in: &tokens)
        scheduler.advance()
        #expect(ticks == 0)
        scheduler.advance(by: 3)
        #expect(ticks == 3)
        Effect.timer(id: "timer", every: 1, on: scheduler).sink { _ in ticks += 1 }.store(in: &tokens)
        scheduler.advance(by: 1)
        #expect(ticks == 4)
        _ = Effect<Never, Never>.cancel(id: "timer").sink { _ in }
        scheduler.advance(by: 5)
        #expect(ticks == 4)
    }

    @Test func `ticks without demand are dropped`() {
        var ticks: [DispatchQueue.SchedulerTimeType] = []
        var subscription: (any Subscription)?
        Effect.timer(id: "demand", every: 1, on: scheduler).receive(
            subscriber: AnySubscriber(
                receiveSubscription: { subscription = $0 },
                receiveValue: {
                    ticks.append($0)
                    return .none
                }))
        subscription?.request(.max(1))
        scheduler.advance(by: 3)
        #expect(ticks.count == 1)
        subscription?.request(.max(1))
        scheduler.advance(by: 1)
        #expect(ticks.count == 2)
        #expect(ticks.first?.distance(to: ticks[1]) == 3)
        subscription?.cancel()
    }

    @Test func `stores with the same throttling id do not throttle each other`() {
        let reducer = Reducer<Int, Bool, AnySchedulerOf<DispatchQueue>> { state, isAnswer, scheduler in
            if isAnswer {
                state += 1
                return .none
            }
            return Effect(value: true).throttle(id: "same", for: 10, scheduler: scheduler, latest: false)
        }
        let stores = (0..<2).map { _ in
            Store(initialState: 0, reducer: reducer, environment: scheduler.eraseToAnyScheduler())
        }
        for store in stores { store.send(false) }
        scheduler.advance()
        #expect(stores.map(\.state) == [1, 1])
    }
}
