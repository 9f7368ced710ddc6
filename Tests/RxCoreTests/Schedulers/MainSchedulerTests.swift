import CombineCore
import Dispatch
import RxCore
import Testing

/// A loop in place of the main queue that the test runs.
///
/// Unchecked because a test uses it on one thread only.
final class FakeMain: MainSubstitute, @unchecked Sendable {
    private(set) var now = Duration.zero
    /// One for all turns, like that of a session.
    private(set) lazy var box = MainSubstituteBox(self)
    private var actions: [() -> Void] = []
    private var timers: [(at: Duration, token: BooleanDisposable, action: () -> Void)] = []

    func schedule(_ action: @escaping () -> Void) {
        actions.append(action)
    }

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        let token = BooleanDisposable()
        timers.append((now + interval, token, action))
        return token.asCancellable()
    }

    func run() {
        MainContext.with(box) {
            while !actions.isEmpty { actions.removeFirst()() }
        }
    }

    func advance(by interval: Duration) {
        now += interval
        let due = timers.filter { $0.at <= now && !$0.token.isDisposed }
        timers.removeAll { $0.at <= now || $0.token.isDisposed }
        MainContext.with(box) { for timer in due { timer.action() } }
    }

    var waiting: Int { actions.count + timers.count { !$0.token.isDisposed } }
}

struct MainSchedulerTests {
    private let main = FakeMain()

    @Test func `an action scheduled in a turn runs in that turn`() {
        var order: [String] = []
        MainContext.with(main) {
            _ = MainScheduler.instance.schedule(()) {
                order.append("inside")
                return Disposables.create()
            }
            order.append("after")
        }
        #expect(order == ["inside", "after"])
    }

    @Test func `an action scheduled inside an action runs after it and after earlier ones`() {
        var order: [Int] = []
        func run(_ number: Int, _ body: @escaping () -> Void = {}) {
            _ = MainScheduler.instance.schedule(()) {
                order.append(number)
                body()
                return Disposables.create()
            }
        }
        MainContext.with(main.box) {
            run(1) {
                run(2) { run(4) }
                run(3)
            }
            run(5)
        }
        main.run()
        #expect(order == [1, 2, 3, 5, 4])
    }

    @Test func `an action of the asynchronous scheduler waits for the end of the turn`() {
        var order: [String] = []
        MainContext.with(main) {
            _ = MainScheduler.asyncInstance.schedule(()) {
                order.append("inside")
                return Disposables.create()
            }
            order.append("after")
        }
        main.run()
        #expect(order == ["after", "inside"])
    }

    @Test func `an operator that is subscribed in a turn stays on the session's loop`() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let subscription = MainContext.with(main) {
            relay.observe(on: MainScheduler.instance).subscribe(recorder)
        }
        relay.accept(1)
        #expect(recorder.elements == [])
        main.run()
        #expect(recorder.elements == [1])
        MainContext.with(main) { relay.accept(2) }
        #expect(recorder.elements == [1, 2])
        subscription.dispose()
    }

    @Test func `a scheduler that the program creates also runs on the session's loop`() {
        let recorder = Recorder<Int>()
        let subscription = MainContext.with(main) {
            Observable<Int>.interval(.seconds(10), scheduler: MainScheduler()).take(3)
                .debounce(.seconds(10), scheduler: MainScheduler()).subscribe(recorder)
        }
        for _ in 0..<3 { main.advance(by: .seconds(10)) }
        // A tick comes first among the actions of its time.
        #expect(recorder.events == [.next(2), .completed])
        subscription.dispose()
    }

    @Test func `a source whose steps run immediately stops when its subscription ends`() {
        var steps = 0
        let events: [Event<Int>] = MainContext.with(main.box) {
            let numbers = Observable.generate(
                initialState: 0, condition: { $0 < 1_000 }, scheduler: MainScheduler.instance
            ) { number in
                steps += 1
                return number + 1
            }
            return numbers.take(3).immediateEvents
        }
        #expect(events == [.next(0), .next(1), .next(2), .completed])
        #expect(steps == 2)
    }

    @Test func `timers follow the clock of the session's loop`() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let subscription = MainContext.with(main) {
            relay.debounce(.milliseconds(300), scheduler: MainScheduler.instance).subscribe(recorder)
        }
        relay.accept(1)
        main.advance(by: .milliseconds(299))
        relay.accept(2)
        main.advance(by: .milliseconds(299))
        #expect(recorder.elements == [])
        main.advance(by: .milliseconds(1))
        #expect(recorder.elements == [2])
        subscription.dispose()
        #expect(main.waiting == 0)
    }

    @Test func `two sessions are independent`() {
        let other = FakeMain()
        let relay = PublishRelay<Int>()
        let (one, two) = (Recorder<Int>(), Recorder<Int>())
        let subscriptions = [
            MainContext.with(main) { relay.delay(.seconds(1), scheduler: MainScheduler.instance).subscribe(one) },
            MainContext.with(other) { relay.delay(.seconds(1), scheduler: MainScheduler.instance).subscribe(two) },
        ]
        relay.accept(1)
        main.advance(by: .seconds(1))
        #expect(one.elements == [1])
        #expect(two.elements == [])
        other.advance(by: .seconds(1))
        #expect(two.elements == [1])
        subscriptions.forEach { $0.dispose() }
    }

    @Test func `an interval ticks on the session's loop until it is disposed of`() {
        let recorder = Recorder<Int>()
        let subscription = MainContext.with(main) {
            Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.asyncInstance).subscribe(recorder)
        }
        for _ in 0..<3 { main.advance(by: .seconds(1)) }
        subscription.dispose()
        main.advance(by: .seconds(1))
        #expect(recorder.elements == [0, 1, 2])
    }
}
