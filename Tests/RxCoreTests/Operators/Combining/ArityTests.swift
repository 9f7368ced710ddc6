import RxCore
import Testing

/// Calls of `combineLatest` and `zip` that compile without type annotations, in reasonable time. Signatures with parameter
/// packs would fail here.
struct ArityTests {
    private struct Profile: Equatable {
        let name: String
        let age: Int
    }

    private let names = BehaviorRelay(value: "a")
    private let ages = BehaviorSubject(value: 1)
    private let flags = Observable.just(true)

    private func first<Element>(_ source: some ObservableConvertibleType<Element>) -> Element? {
        source.asObservable().immediateEvents.first?.element
    }

    @Test func `sources of different types are combined by closures, operators and initializers`() {
        #expect(first(Observable.combineLatest(names, ages) { "\($0)\($1)" }) == "a1")
        #expect(
            first(Observable.combineLatest(names, ages, resultSelector: Profile.init)) == Profile(name: "a", age: 1))
        #expect(first(Observable.zip(ages, ages, resultSelector: +)) == 2)
        #expect(
            first(Observable.combineLatest(names, ages, flags) { name, age, flag in flag ? name : "\(age)" }) == "a")
        let lengths = Observable.combineLatest(names.map { $0.count }, ages.asObservable()) { (length: Int, age: Int) in
            let sum = length + age
            return sum * 10
        }
        #expect(first(lengths) == 20)
        #expect(first(Observable.combineLatest(names, names, ages) { $0 + " " + $1 + String($2) }) == "a a1")
        #expect(first(Observable.zip(ages, ages, ages, ages, ages) { $0 + $1 + $2 + $3 + $4 }) == 5)
    }

    @Test func `tuples of sources are destructured by later closures`() {
        let pairs = Observable.combineLatest(names, ages)
        #expect(first(pairs.map { name, age in "\(name)\(age)" }) == "a1")
        let texts = Observable.combineLatest(names, names, ages).map { $0 + " " + $1 + String($2) }
        #expect(first(texts) == "a a1")
        #expect(first(pairs.map { $0.0 + "\($0.1)" }) == "a1")
        #expect(first(pairs.filter { $1 > 0 }.map { $0 }) ?? ("", 0) == ("a", 1))
        #expect(first(Observable.zip(names, ages, flags).map { "\($0)\($1)\($2)" }) == "a1true")
        // The members of a tuple that comes from a parameter pack have no positions in closures.
        #expect(first(Observable.zip(names, ages, flags).map { "\($0.0)\($0.1)\($0.2)" }) == "a1true")
        var seen: [String] = []
        pairs.subscribe(onNext: { name, age in seen.append("\(name)\(age)") }).dispose()
        #expect(seen == ["a1"])
    }

    @Test func `every arity up to eight has a closure and a tuple`() throws {
        let (s, i) = (names, ages)
        #expect(first(Observable.combineLatest(s, i, s, i) { "\($0)\($1)\($2)\($3)" }) == "a1a1")
        #expect(first(Observable.zip(s, i, s, i, s) { "\($0)\($1)\($2)\($3)\($4)" }) == "a1a1a")
        #expect(first(Observable.combineLatest(s, i, s, i, s, i) { "\($0)\($1)\($2)\($3)\($4)\($5)" }) == "a1a1a1")
        #expect(first(Observable.zip(s, i, s, i, s, i, s) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)" }) == "a1a1a1a")
        let eight = Observable.combineLatest(s, i, s, i, s, i, s, i) { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }
        #expect(first(eight) == "a1a1a1a1")
        let tuple = try #require(first(Observable.zip(s, i, s, i, s, i, s, i)))
        #expect(tuple.6 == "a")
        #expect(tuple.7 == 1)
    }

    @Test func `traits and infallibles are combined without annotations`() {
        let (single, maybe) = (Single.just(1), Maybe.just("a"))
        #expect(first(Single.zip(single, Single.just("b")) { "\($0)\($1)" }) == "1b")
        #expect(first(Single.zip(single, single, single, single) { $0 + $1 + $2 + $3 }) == 4)
        #expect(first(Maybe.zip(maybe, Maybe.just(2), maybe) { "\($0)\($1)\($2)" }) == "a2a")
        #expect(first(Single.zip(single, Single.just("b"))).map { "\($0)" } == "(1, \"b\")")
        #expect(first(Maybe.zip(maybe, Maybe.just(2))).map { "\($0)" } == "(\"a\", 2)")
        let (left, right) = (names.asInfallible(), Infallible.just(2))
        #expect(first(Infallible.combineLatest(left, right) { "\($0)\($1)" }) == "a2")
        #expect(first(Infallible.zip(left, right, left) { "\($0)\($1)\($2)" }) == "a2a")
        #expect(first(Infallible.combineLatest(left, right).map { "\($0)\($1)" }) == "a2")
    }
}
