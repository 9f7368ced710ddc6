import RxCore
import Testing

struct FilteringTests {
    private let numbers = Observable.of(1, 2, 2, 3, 1)

    @Test func `elements are chosen`() {
        #expect(numbers.filter { $0 > 1 }.saidAtOnce == [.next(2), .next(2), .next(3), .completed])
        #expect(numbers.ignoreElements().saidAtOnce.count == 1)
        #expect(numbers.element(at: 3).saidAtOnce == [.next(3), .completed])
    }

    @Test func `an element that is not there is a failure`() {
        guard case .error(RxError.argumentOutOfRange)? = numbers.element(at: 5).saidAtOnce.first else {
            Issue.record("expected a failure for the element at 5")
            return
        }
    }

    @Test func `repetitions are dropped only where they follow each other`() {
        #expect(numbers.distinctUntilChanged().saidAtOnce == [.next(1), .next(2), .next(3), .next(1), .completed])
        #expect(
            numbers.distinctUntilChanged { $0 / 2 }.saidAtOnce == [.next(1), .next(2), .next(1), .completed])
        #expect(
            numbers.distinctUntilChanged { abs($0 - $1) < 2 }.saidAtOnce == [.next(1), .next(3), .next(1), .completed])
        #expect(
            Observable.of("a", "b", "cc").distinctUntilChanged(at: \.count).saidAtOnce
                == [.next("a"), .next("cc"), .completed])
    }

    @Test func `a single element is one, not none and not two`() {
        #expect(Observable.just(1).single().saidAtOnce == [.next(1), .completed])
        #expect(numbers.single { $0 == 3 }.saidAtOnce == [.next(3), .completed])
        guard case .error(RxError.moreThanOneElement)? = numbers.single().saidAtOnce.last else {
            Issue.record("expected a failure for the second element")
            return
        }
        guard case .error(RxError.noElements)? = Observable<Int>.empty().single().saidAtOnce.last else {
            Issue.record("expected a failure for no element")
            return
        }
    }

    @Test func `a stream without elements has a default or a stand-in`() {
        #expect(Observable<Int>.empty().ifEmpty(default: 7).saidAtOnce == [.next(7), .completed])
        #expect(numbers.ifEmpty(default: 7).saidAtOnce.count == 6)
        #expect(Observable<Int>.empty().ifEmpty(switchTo: .of(8, 9)).saidAtOnce == [.next(8), .next(9), .completed])
        #expect(Observable<Int>.error(Failure()).ifEmpty(default: 7).saidAtOnce == [.error(Failure())])
        #expect(numbers.first().saidAtOnce == [.next(1), .completed])
        #expect(Observable<Int>.empty().first().saidAtOnce == [.next(nil), .completed])
    }
}
