import Dispatch
import RxCore
import Testing

struct TimingTwinTests {
    private static let main = MainScheduler.instance

    @Test func `debounce keeps the element and its time`() {
        Twins.check { $0.a.debounce(.milliseconds(50), scheduler: Self.main).map(String.init) }
        Twins.check { $0.a.map { _ in () }.debounce(.milliseconds(50), scheduler: Self.main).map { "()" } }
    }

    @Test func `throttle keeps the interval`() {
        Twins.check { $0.a.throttle(.milliseconds(70), scheduler: Self.main).map(String.init) }
        Twins.check { $0.a.throttle(.milliseconds(70), latest: false, scheduler: Self.main).map(String.init) }
    }

    @Test func `delay keeps the elements and their times`() {
        Twins.check { $0.a.delay(.milliseconds(120), scheduler: Self.main).map(String.init) }
    }

    @Test func `delaySubscription subscribes at the same time`() {
        Twins.check {
            $0.a.scan(0, accumulator: +).delaySubscription(.milliseconds(150), scheduler: Self.main).map(String.init)
        }
    }

    @Test func `timeout switches at the same time`() {
        Twins.check {
            $0.a.timeout(.milliseconds(100), other: $0.b.scan(0, accumulator: +), scheduler: Self.main).map(String.init)
        }
        Twins.check { $0.a.timeout(.milliseconds(100), scheduler: Self.main).map(String.init).catchAndReturn("late") }
    }

    @Test func `buffer keeps the elements and the time`() {
        Twins.check { $0.a.buffer(timeSpan: .milliseconds(100), count: 3, scheduler: Self.main).map { "\($0)" } }
    }

    @Test func `window continues`() {
        // A window is no value that can be captured. The rest of an open one arrives in a new one.
        Twins.check(transient: ["concatMap"]) {
            $0.a.window(timeSpan: .milliseconds(100), count: 3, scheduler: Self.main).concatMap { $0 }.map(String.init)
        }
    }

    @Test func `timers continue at their times`() {
        Twins.check { _ in Observable<Int>.interval(.milliseconds(40), scheduler: Self.main).map(String.init) }
        Twins.check { _ in Observable<Int>.timer(.milliseconds(140), scheduler: Self.main).map(String.init) }
        Twins.check { inputs in
            Observable<Int>.timer(.milliseconds(90), period: .milliseconds(25), scheduler: Self.main)
                .take(4).concat(inputs.a).map(String.init)
        }
    }

    @Test func `a tick precedes what earlier ticks have scheduled for its time`() {
        Twins.check { _ in
            Observable<Int>.interval(.milliseconds(40), scheduler: Self.main).take(4)
                .debounce(.milliseconds(40), scheduler: Self.main).map(String.init)
        }
    }

    @Test func `events wait for their scheduler`() {
        Twins.check { $0.a.observe(on: MainScheduler.asyncInstance).map(String.init) }
        Twins.check { $0.a.scan(0, accumulator: +).subscribe(on: Self.main).map(String.init) }
        Twins.check { $0.a.scan(0, accumulator: +).subscribe(on: MainScheduler.asyncInstance).map(String.init) }
    }
}
