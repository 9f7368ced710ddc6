import CombineCore
import CombineTesting

extension OperatorTable {
    /// A side with more values than any test consumes.
    private static var sevens: Publishers.Map<Publishers.Sequence<ClosedRange<Int>, TestError>, Int> {
        numbers(1...1_100).map { _ in 7 }
    }

    private static func numbers(_ range: ClosedRange<Int>) -> Publishers.Sequence<ClosedRange<Int>, TestError> {
        Publishers.Sequence(sequence: range)
    }

    private static var none: Empty<Int, TestError> { Empty() }

    private static let merged = OperatorExpectations(
        all, demand: .own, keepsEveryValue: true, description: "Merge", linkMirror: ["parentSubscription"])

    static let combining: [OperatorCase] = [
        OperatorCase("merge with 1 others", merged) { $0.merge(with: none) },
        OperatorCase("merge with 2 others", merged) { $0.merge(with: none, none) },
        OperatorCase("merge with 3 others", merged) { $0.merge(with: none, none, none) },
        OperatorCase("merge with 4 others", merged) { $0.merge(with: none, none, none, none) },
        OperatorCase("merge with 5 others", merged) { $0.merge(with: none, none, none, none, none) },
        OperatorCase("merge with 6 others", merged) { $0.merge(with: none, none, none, none, none, none) },
        OperatorCase("merge with 7 others", merged) { $0.merge(with: none, none, none, none, none, none, none) },
        OperatorCase(
            "merge of many",
            .init(all, demand: .own, keepsEveryValue: true, description: "Merge", linkMirror: ["parentSubscription"])
        ) { Publishers.MergeMany([$0, Empty().eraseToAnyPublisher(), Empty().eraseToAnyPublisher()]) },
        OperatorCase("combineLatest of two", latest(all.map { "(7, \($0))" })) {
            numbers(7...7).combineLatest($0)
        },
        OperatorCase("combineLatest of two and a transform", latest(["8", "9", "10", "11", "12"])) {
            numbers(7...7).combineLatest($0) { $0 + $1 }
        },
        OperatorCase("combineLatest of three", latest(all.map { "(7, 7, \($0))" })) {
            numbers(7...7).combineLatest(numbers(7...7), $0)
        },
        OperatorCase("combineLatest of three and a transform", latest(["15", "16", "17", "18", "19"])) {
            numbers(7...7).combineLatest(numbers(7...7), $0) { $0 + $1 + $2 }
        },
        OperatorCase("combineLatest of four", latest(all.map { "(7, 7, 7, \($0))" })) {
            numbers(7...7).combineLatest(numbers(7...7), numbers(7...7), $0)
        },
        OperatorCase("combineLatest of four and a transform", latest(["22", "23", "24", "25", "26"])) {
            numbers(7...7).combineLatest(numbers(7...7), numbers(7...7), $0) { $0 + $1 + $2 + $3 }
        },
        OperatorCase("zip of two", zipped(all.map { "(7, \($0))" })) { sevens.zip($0) },
        OperatorCase("zip of two and a transform", zipped(["8", "9", "10", "11", "12"])) {
            sevens.zip($0) { $0 + $1 }
        },
        OperatorCase("zip of three", zipped(all.map { "(7, 7, \($0))" })) { sevens.zip(sevens, $0) },
        OperatorCase("zip of three and a transform", zipped(["15", "16", "17", "18", "19"])) {
            sevens.zip(sevens, $0) { $0 + $1 + $2 }
        },
        OperatorCase("zip of four", zipped(all.map { "(7, 7, 7, \($0))" })) { sevens.zip(sevens, sevens, $0) },
        OperatorCase("zip of four and a transform", zipped(["22", "23", "24", "25", "26"])) {
            sevens.zip(sevens, sevens, $0) { $0 + $1 + $2 + $3 }
        },
        OperatorCase(
            "zip with a short side",
            .init(
                ["(1, 1)", "(2, 2)"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed,
                finishesEarly: true, requestsMayWait: true, description: "Zip", linkMirror: ["parentSubscription"])
        ) { numbers(1...2).zip($0) },
    ]

    private static func latest(_ outputs: [String]) -> OperatorExpectations {
        OperatorExpectations(
            outputs, keepsEveryValue: true, dropsWithoutDemand: true, keepsReentrantValues: true,
            finishWaitsForDemand: true, requestsMayWait: true, description: "CombineLatest",
            linkMirror: ["parentSubscription"])
    }

    private static func zipped(_ outputs: [String]) -> OperatorExpectations {
        OperatorExpectations(
            outputs, keepsEveryValue: true, requestsMayWait: true, description: "Zip",
            linkMirror: ["parentSubscription"])
    }

    /// A merge with empty publishers.
    private static func merge(_ others: Int) -> OperatorCase {
        let expectations = OperatorExpectations(
            all, demand: .own, keepsEveryValue: true, description: "Merge", linkMirror: ["parentSubscription"])
        return OperatorCase("merge with \(others) others", expectations) { upstream in
            let none = Empty<Int, TestError>()
            return switch others {
            case 1: upstream.merge(with: none).eraseToAnyPublisher()
            case 2: upstream.merge(with: none, none).eraseToAnyPublisher()
            case 3: upstream.merge(with: none, none, none).eraseToAnyPublisher()
            case 4: upstream.merge(with: none, none, none, none).eraseToAnyPublisher()
            case 5: upstream.merge(with: none, none, none, none, none).eraseToAnyPublisher()
            case 6: upstream.merge(with: none, none, none, none, none, none).eraseToAnyPublisher()
            default: upstream.merge(with: none, none, none, none, none, none, none).eraseToAnyPublisher()
            }
        }
    }
}
