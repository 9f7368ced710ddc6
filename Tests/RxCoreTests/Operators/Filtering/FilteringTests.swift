import RxCore
import Testing

struct FilteringTests {
    private let numbers = Observable.of(1, 2, 2, 3, 1)

    @Test func `elements are filtered`() {
        #expect(numbers.filter { $0 > 1 }.immediateEvents == [.next(2), .next(2), .next(3), .completed])
        #expect(numbers.ignoreElements().immediateEvents.count == 1)
        #expect(numbers.element(at: 3).immediateEvents == [.next(3), .completed])
    }

    @Test func `a missing element is an error`() {
        guard case .error(RxError.argumentOutOfRange)? = numbers.element(at: 5).immediateEvents.first else {
            Issue.record("expected a failure for the element at 5")
            return
        }
    }

    @Test func `only consecutive repetitions are dropped`() {
        #expect(numbers.distinctUntilChanged().immediateEvents == [.next(1), .next(2), .next(3), .next(1), .completed])
        #expect(
            numbers.distinctUntilChanged { $0 / 2 }.immediateEvents == [.next(1), .next(2), .next(1), .completed])
        #expect(
            numbers.distinctUntilChanged { abs($0 - $1) < 2 }.immediateEvents == [
                .next(1), .next(3), .next(1), .completed,
            ])
        #expect(
            Observable.of("a", "b", "cc").distinctUntilChanged(at: \.count).immediateEvents
                == [.next("a"), .next("cc"), .completed])
    }

    @Test func `single requires exactly one element`() {
        #expect(Observable.just(1).single().immediateEvents == [.next(1), .completed])
        #expect(numbers.single { $0 == 3 }.immediateEvents == [.next(3), .completed])
        guard case .error(RxError.moreThanOneElement)? = numbers.single().immediateEvents.last else {
            Issue.record("expected a failure for the second element")
            return
        }
        guard case .error(RxError.noElements)? = Observable<Int>.empty().single().immediateEvents.last else {
            Issue.record("expected a failure for no element")
            return
        }
    }

    @Test func `an observable without elements can have a default or a replacement`() {
        #expect(Observable<Int>.empty().ifEmpty(default: 7).immediateEvents == [.next(7), .completed])
        #expect(numbers.ifEmpty(default: 7).immediateEvents.count == 6)
        #expect(
            Observable<Int>.empty().ifEmpty(switchTo: .of(8, 9)).immediateEvents == [.next(8), .next(9), .completed])
        #expect(Observable<Int>.error(Failure()).ifEmpty(default: 7).immediateEvents == [.error(Failure())])
        #expect(numbers.first().immediateEvents == [.next(1), .completed])
        #expect(Observable<Int>.empty().first().immediateEvents == [.next(nil), .completed])
    }
}
