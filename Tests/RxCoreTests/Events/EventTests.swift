import Foundation
import RxCore
import Testing

struct EventTests {
    @Test func `the descriptions of errors are those of RxSwift`() {
        let object = PublishSubject<Int>()
        let errors: [RxError] = [
            .unknown, .disposed(object: object), .overflow, .argumentOutOfRange, .noElements, .moreThanOneElement,
            .timeout,
        ]
        let descriptions = [
            "Unknown error occurred.", "Object `\(object)` was already disposed.", "Arithmetic overflow occurred.",
            "Argument out of range.", "Sequence doesn't contain any elements.",
            "Sequence contains more than one element.", "Sequence timeout.",
        ]
        #expect(errors.map(\.debugDescription) == descriptions)
        #expect(errors.map(\.localizedDescription) == descriptions)
    }

    @Test func `an event has the properties of its kind`() {
        #expect(Event.next(1).element == 1)
        #expect(Event<Int>.completed.element == nil)
        #expect(Event<Int>.error(Failure()).error as? Failure == Failure())
        #expect(Event<Int>.completed.isCompleted)
        #expect(!Event.next(1).isStopEvent)
        #expect(Event<Int>.error(Failure()).isStopEvent)
    }

    @Test func `a closure that throws turns an element into an error`() {
        #expect(Event.next(1).map { $0 + 1 } == .next(2))
        #expect(Event.next(1).map { _ -> Int in throw Failure() } == .error(Failure()))
        #expect(Event<Int>.completed.map { $0 + 1 } == .completed)
    }

    @Test func `different events are not equal`() {
        #expect(Event.next(1) != .next(2))
        #expect(Event<Int>.error(Failure()) != .error(Failure(name: "other")))
        #expect(Event<Int>.completed != .error(Failure()))
    }

    @Test func `an observer can be created from a relay as in the slides`() {
        let relay = BehaviorRelay(value: 0)
        let observer: AnyObserver<Int> = AnyObserver { $0.element.map(relay.accept) }
        observer.onNext(1)
        observer.onCompleted()
        observer.onNext(2)
        #expect(relay.value == 2)
    }

    @Test func `a closure maps the elements for an observer of another type`() {
        let recorder = Recorder<Int>()
        let observer: AnyObserver<String> = recorder.mapObserver { text in
            guard let number = Int(text) else { throw Failure() }
            return number
        }
        observer.onNext("1")
        observer.onNext("x")
        #expect(recorder.events == [.next(1), .error(Failure())])
    }
}
