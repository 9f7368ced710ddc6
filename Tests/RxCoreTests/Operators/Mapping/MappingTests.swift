import RxCore
import Testing

struct MappingTests {
    private let numbers = Observable.of(1, 2, 3)

    @Test func `elements are mapped`() {
        #expect(numbers.map { $0 * 2 }.immediateEvents == [.next(2), .next(4), .next(6), .completed])
        #expect(numbers.compactMap { $0 == 2 ? nil : $0 }.immediateEvents == [.next(1), .next(3), .completed])
        #expect(numbers.map(String.init).immediateEvents == [.next("1"), .next("2"), .next("3"), .completed])
        #expect(numbers.enumerated().map { $0.index * $0.element }.immediateEvents.compactMap(\.element) == [0, 2, 6])
    }

    @Test func `a closure that throws terminates the observable with its error`() {
        func refuseTwo(_ number: Int) throws -> Int {
            if number == 2 { throw Failure() }
            return number
        }
        let expected: [Event<Int>] = [.next(1), .error(Failure())]
        #expect(numbers.map(refuseTwo).immediateEvents == expected)
        #expect(numbers.compactMap(refuseTwo).immediateEvents == expected)
        #expect(numbers.filter { try refuseTwo($0) == $0 }.immediateEvents == expected)
        #expect(numbers.scan(0) { try refuseTwo($1) }.immediateEvents == expected)
        #expect(
            numbers.flatMap { .just(try refuseTwo($0)) as Observable<Int> }.immediateEvents.last == .error(Failure()))
        #expect(numbers.concatMap { .just(try refuseTwo($0)) as Observable<Int> }.immediateEvents == expected)
    }

    @Test func `elements are accumulated`() {
        #expect(numbers.scan(10, accumulator: +).immediateEvents == [.next(11), .next(13), .next(16), .completed])
        #expect(numbers.scan(into: []) { $0.append($1) }.immediateEvents.last == .completed)
        #expect(numbers.reduce(10, accumulator: +).immediateEvents == [.next(16), .completed])
        #expect(numbers.reduce(0, accumulator: +) { "\($0)" }.immediateEvents == [.next("6"), .completed])
        #expect(numbers.toArray().immediateEvents == [.next([1, 2, 3]), .completed])
        #expect(Observable<Int>.empty().toArray().immediateEvents == [.next([]), .completed])
    }

    @Test func `the state of an operator belongs to one subscription`() {
        let sums = numbers.scan(0, accumulator: +)
        #expect(sums.immediateEvents == sums.immediateEvents)
    }

    @Test func `errors are materialized and dematerialized`() {
        let failing = numbers.take(1).concat(Observable.error(Failure()))
        #expect(
            failing.materialize().immediateEvents == [.next(.next(1)), .next(.error(Failure())), .completed])
        #expect(failing.materialize().dematerialize().immediateEvents == [.next(1), .error(Failure())])
        #expect(failing.materialize().elements().immediateEvents == [.next(1), .completed])
        #expect(failing.materialize().errors().immediateEvents.compactMap { $0.element as? Failure } == [Failure()])
    }

    @Test func `elements are grouped by key`() {
        var groups: [Bool: [Int]] = [:]
        let bag = DisposeBag()
        var hasCompleted = false
        Observable.of(1, 2, 3, 4).groupBy { $0.isMultiple(of: 2) }
            .subscribe(
                onNext: { group in
                    group.subscribe(onNext: { groups[group.key, default: []].append($0) }).disposed(by: bag)
                }, onCompleted: { hasCompleted = true }
            ).disposed(by: bag)
        #expect(groups == [false: [1, 3], true: [2, 4]])
        #expect(hasCompleted)
    }
}
