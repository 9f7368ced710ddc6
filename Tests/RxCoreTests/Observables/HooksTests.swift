import Foundation
import Locking
import RxCore
import Testing

/// Serialized because the hooks are global. Other tests may report errors at the same time.
@Suite(.serialized)
struct HooksTests {
    private struct Lost: Error, Equatable {
        let id = UUID()
    }

    /// Returns the call stacks that the default handler receives for `error` while `body` runs.
    private func reports(of error: Lost, _ body: () -> Void) -> [[String]] {
        let received = Lock<[[String]]>([])
        let former = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = former }
        Hooks.defaultErrorHandler = { callStack, reported in
            if reported as? Lost == error { received.withLock { $0.append(callStack) } }
        }
        body()
        return received.withLock { $0 }
    }

    @Test func `an error that no closure handles is reported once for each subscription`() {
        let lost = Lost()
        let failing = Observable<Int>.error(lost)
        let found = reports(of: lost) {
            _ = failing.subscribe()
            _ = failing.subscribe(onNext: { _ in }, onCompleted: {}, onDisposed: {})
            _ = failing.asSingle().subscribe(onSuccess: { _ in })
            _ = failing.asMaybe().subscribe(onSuccess: { _ in }, onCompleted: {})
            _ = failing.ignoreElements().asCompletable().subscribe(onCompleted: {})
        }
        #expect(found == [[], [], [], [], []])
    }

    @Test func `the subscription ends after the report`() {
        let lost = Lost()
        var order: [String] = []
        let former = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = former }
        let seen = Lock(0)
        Hooks.defaultErrorHandler = { _, error in if error as? Lost == lost { seen.withLock { $0 += 1 } } }
        _ = Observable<Int>.error(lost).subscribe(onDisposed: { order.append("disposed after \(seen.withLock { $0 })") }
        )
        #expect(order == ["disposed after 1"])
    }

    @Test func `an error that is handled, bound or passed with an object is not reported`() {
        let lost = Lost()
        let failing = Observable<Int>.error(lost)
        let owner = NSObject()
        let found = reports(of: lost) {
            _ = failing.subscribe(onError: { _ in })
            _ = failing.subscribe { _ in }
            _ = failing.subscribe(with: owner, onNext: { _, _ in })
            _ = failing.bind(onNext: { _ in })
            _ = failing.bind(with: owner, onNext: { _, _ in })
            _ = failing.bind(to: PublishRelay<Int>())
            _ = failing.bind(to: BehaviorRelay<Int?>(value: 0))
            _ = failing.bind(to: ReplayRelay<Int>.create(bufferSize: 1))
            _ = failing.asSingle().subscribe(onFailure: { _ in })
            _ = failing.asMaybe().subscribe(onError: { _ in })
            _ = failing.ignoreElements().asCompletable().subscribe(onError: { _ in })
        }
        #expect(found.isEmpty)
    }

    @Test func `the call stack of the subscription is recorded only if the hook is set`() {
        let lost = Lost()
        let subject = PublishSubject<Int>()
        let former = Hooks.customCaptureSubscriptionCallstack
        defer {
            Hooks.recordCallStackOnError = false
            Hooks.customCaptureSubscriptionCallstack = former
        }
        Hooks.customCaptureSubscriptionCallstack = { ["here"] }
        _ = subject.subscribe()
        Hooks.recordCallStackOnError = true
        #expect(Hooks.recordCallStackOnError)
        _ = subject.subscribe()
        _ = subject.asSingle().subscribe()
        #expect(reports(of: lost) { subject.onError(lost) } == [[], ["here"], ["here"]])
    }

    @Test func `a handler may read and change the hooks and subscribe`() {
        let (lost, second) = (Lost(), Lost())
        let former = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = former }
        let found = reports(of: second) {
            let inner = Hooks.defaultErrorHandler
            Hooks.defaultErrorHandler = { callStack, error in
                guard error as? Lost == lost else { return inner(callStack, error) }
                Hooks.defaultErrorHandler = inner
                _ = Observable<Int>.error(second).subscribe()
            }
            _ = Observable<Int>.error(lost).subscribe()
        }
        #expect(found == [[]])
    }
}
