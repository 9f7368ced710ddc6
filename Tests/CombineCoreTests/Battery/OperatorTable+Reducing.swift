import CombineCore
import CombineTesting

extension OperatorTable {
    private static let reductionMirror: [String?] = ["downstream", "result", "initial", "status"]

    /// An operator that makes one value of all, at the end.
    private static func atTheEnd(
        _ output: String, ofNothing: [String] = [], _ description: String, mirror: [String?] = reductionMirror
    ) -> OperatorExpectations {
        OperatorExpectations(
            [output], outputsBeforeFailure: [], outputsOfNothing: ofNothing, demand: .unlimited,
            finishWaitsForDemand: true, description: description, mirror: mirror)
    }

    /// An operator that knows its one value before the end.
    private static func early(_ output: String, ofNothing: [String] = [], _ description: String) -> OperatorExpectations
    {
        OperatorExpectations(
            [output], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, outputsOfNothing: ofNothing,
            demand: .unlimited, finishesEarly: true, finishWaitsForDemand: true, description: description,
            mirror: reductionMirror)
    }

    /// An operator whose closure throws at the third value.
    private static func throwing(_ description: String) -> OperatorExpectations {
        OperatorExpectations(
            [], ending: .failed, demand: .unlimited, finishesEarly: true, finishWaitsForDemand: true,
            description: description, mirror: reductionMirror)
    }

    /// Throws at the third value.
    @Sendable private static func refuse(_ value: Int) throws {
        if value == 3 { throw TestError(3) }
    }

    static let reducing: [OperatorCase] = [
        OperatorCase("collect", atTheEnd("[1, 2, 3, 4, 5]", ofNothing: ["[]"], "Collect", mirror: ["count"])) {
            $0.collect()
        },
        OperatorCase("count", atTheEnd("5", ofNothing: ["0"], "Count")) { $0.count() },
        OperatorCase("reduce", atTheEnd("15", ofNothing: ["0"], "Reduce")) { $0.reduce(0, +) },
        OperatorCase("tryReduce", atTheEnd("15", ofNothing: ["0"], "TryReduce")) { $0.tryReduce(0, +) },
        OperatorCase(
            "tryReduce that throws",
            {
                var expectations = throwing("TryReduce")
                expectations.outputsOfNothing = ["0"]
                return expectations
            }()
        ) {
            $0.tryReduce(0) {
                try refuse($1)
                return $0 + $1
            }
        },
        OperatorCase("max", atTheEnd("5", "Comparison")) { $0.max() },
        OperatorCase("max(by:)", atTheEnd("1", "Comparison")) { $0.max { $0 > $1 } },
        OperatorCase("tryMax(by:)", atTheEnd("5", "TryComparison")) { $0.tryMax { $0 < $1 } },
        OperatorCase("tryMax(by:) that throws", throwing("TryComparison")) {
            $0.tryMax {
                try refuse($0)
                try refuse($1)
                return $0 < $1
            }
        },
        OperatorCase("min", atTheEnd("1", "Comparison")) { $0.min() },
        OperatorCase("min(by:)", atTheEnd("5", "Comparison")) { $0.min { $0 > $1 } },
        OperatorCase("tryMin(by:)", atTheEnd("1", "TryComparison")) { $0.tryMin { $0 < $1 } },
        OperatorCase("tryMin(by:) that throws", throwing("TryComparison")) {
            $0.tryMin {
                try refuse($0)
                try refuse($1)
                return $0 < $1
            }
        },
        OperatorCase("last", atTheEnd("5", "Last")) { $0.last() },
        OperatorCase("last(where:)", atTheEnd("4", "LastWhere")) { $0.last { $0.isMultiple(of: 2) } },
        OperatorCase("tryLast(where:)", atTheEnd("4", "TryLastWhere")) { $0.tryLast { $0.isMultiple(of: 2) } },
        OperatorCase("tryLast(where:) that throws", throwing("TryLastWhere")) {
            $0.tryLast {
                try refuse($0)
                return true
            }
        },
        OperatorCase("first(where:)", early("2", "TryFirst")) { $0.first { $0.isMultiple(of: 2) } },
        OperatorCase("tryFirst(where:)", early("2", "TryFirstWhere")) { $0.tryFirst { $0.isMultiple(of: 2) } },
        OperatorCase("tryFirst(where:) that throws", throwing("TryFirstWhere")) {
            $0.tryFirst {
                try refuse($0)
                return false
            }
        },
        OperatorCase("contains", early("true", ofNothing: ["false"], "Contains")) { $0.contains(3) },
        OperatorCase("contains with no match", atTheEnd("false", ofNothing: ["false"], "Contains")) { $0.contains(9) },
        OperatorCase("contains(where:)", early("true", ofNothing: ["false"], "ContainsWhere")) {
            $0.contains { $0 > 3 }
        },
        OperatorCase("tryContains(where:)", early("true", ofNothing: ["false"], "TryContainsWhere")) {
            $0.tryContains { $0 > 3 }
        },
        OperatorCase("allSatisfy", early("false", ofNothing: ["true"], "AllSatisfy")) { $0.allSatisfy { $0 < 3 } },
        OperatorCase("allSatisfy that is true", atTheEnd("true", ofNothing: ["true"], "AllSatisfy")) {
            $0.allSatisfy { $0 < 9 }
        },
        OperatorCase("tryAllSatisfy", early("false", ofNothing: ["true"], "TryAllSatisfy")) {
            $0.tryAllSatisfy { $0 < 3 }
        },
        OperatorCase(
            "ignoreOutput",
            .init([], demand: .own, strictness: .transparent, description: "IgnoreOutput")
        ) { $0.ignoreOutput() },
        OperatorCase(
            "collect by count",
            .init(
                ["[1, 2]", "[3, 4]", "[5]"], outputsBeforeFailure: ["[1, 2]", "[3, 4]"], demand: .own,
                description: "CollectByCount", mirror: ["downstream", "upstreamSubscription", "buffer", "count"])
        ) { $0.collect(2) },
    ]
}
