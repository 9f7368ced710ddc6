import RxCore
import Testing

struct MappingTests {
    private let numbers = Observable.of(1, 2, 3)

    @Test func `elements are mapped`() {
        #expect(numbers.map { $0 * 2 }.saidAtOnce == [.next(2), .next(4), .next(6), .completed])
        #expect(numbers.compactMap { $0 == 2 ? nil : $0 }.saidAtOnce == [.next(1), .next(3), .completed])
        #expect(numbers.map(String.init).saidAtOnce == [.next("1"), .next("2"), .next("3"), .completed])
        #expect(numbers.enumerated().map { $0.index * $0.element }.saidAtOnce.compactMap(\.element) == [0, 2, 6])
    }

    @Test func `a closure that throws ends the stream with its error`() {
        func refuseTwo(_ number: Int) throws -> Int {
            if number == 2 { throw Failure() }
            return number
        }
        let expected: [Event<Int>] = [.next(1), .error(Failure())]
        #expect(numbers.map(refuseTwo).saidAtOnce == expected)
        #expect(numbers.compactMap(refuseTwo).saidAtOnce == expected)
        #expect(numbers.filter { try refuseTwo($0) == $0 }.saidAtOnce == expected)
        #expect(numbers.scan(0) { try refuseTwo($1) }.saidAtOnce == expected)
        #expect(numbers.flatMap { .just(try refuseTwo($0)) as Observable<Int> }.saidAtOnce.last == .error(Failure()))
        #expect(numbers.concatMap { .just(try refuseTwo($0)) as Observable<Int> }.saidAtOnce == expected)
    }

    @Test func `elements are added up`() {
        #expect(numbers.scan(10, accumulator: +).saidAtOnce == [.next(11), .next(13), .next(16), .completed])
        #expect(numbers.scan(into: []) { $0.append($1) }.saidAtOnce.last == .completed)
        #expect(numbers.reduce(10, accumulator: +).saidAtOnce == [.next(16), .completed])
        #expect(numbers.reduce(0, accumulator: +) { "\($0)" }.saidAtOnce == [.next("6"), .completed])
        #expect(numbers.toArray().saidAtOnce == [.next([1, 2, 3]), .completed])
        #expect(Observable<Int>.empty().toArray().saidAtOnce == [.next([]), .completed])
    }

    @Test func `state of an operator belongs to one subscription`() {
        let sums = numbers.scan(0, accumulator: +)
        #expect(sums.saidAtOnce == sums.saidAtOnce)
    }

    @Test func `an error becomes an element and back`() {
        let failing = numbers.take(1).concat(Observable.error(Failure()))
        #expect(
            failing.materialize().saidAtOnce == [.next(.next(1)), .next(.error(Failure())), .completed])
        #expect(failing.materialize().dematerialize().saidAtOnce == [.next(1), .error(Failure())])
        #expect(failing.materialize().elements().saidAtOnce == [.next(1), .completed])
        #expect(failing.materialize().errors().saidAtOnce.compactMap { $0.element as? Failure } == [Failure()])
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
