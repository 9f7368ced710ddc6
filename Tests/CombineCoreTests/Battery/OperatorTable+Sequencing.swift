import CombineCore
import CombineTesting

extension OperatorTable {
    static let sequencing: [OperatorCase] = [
        OperatorCase(
            "dropFirst", .init(["3", "4", "5"], demand: .more(2), strictness: .lenientAtTheEnd, description: "Drop")
        ) { $0.dropFirst(2) },
        OperatorCase(
            "dropFirst of zero", .init(all, strictness: .lenientAtTheEnd, keepsEveryValue: true, description: "Drop")
        ) { $0.dropFirst(0) },
        OperatorCase(
            "first",
            .init(
                ["1"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, demand: .unlimited,
                finishesEarly: true, finishWaitsForDemand: true, description: "First",
                mirror: ["downstream", "result", "initial", "status"])
        ) { $0.first() },
        OperatorCase(
            "prefix",
            .init(
                ["1", "2"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, finishesEarly: true,
                description: "Output")
        ) { $0.prefix(2) },
        OperatorCase("prefix longer than the stream", .init(all, keepsEveryValue: false, description: "Output")) {
            $0.prefix(9)
        },
        OperatorCase(
            "append of values",
            .init(
                all + ["8", "9"], outputsBeforeFailure: all, outputsOfNothing: ["8", "9"], demand: .passedOn,
                description: "Concatenate")
        ) { $0.append(8, 9) },
        OperatorCase(
            "append of a publisher", .init(all, description: "Concatenate")
        ) { $0.append(Empty()) },
        OperatorCase(
            "append of a failure", .init(all, ending: .failed, endingOfNothing: .failed, description: "Concatenate")
        ) { $0.append(Fail(error: TestError(2))) },
        OperatorCase(
            "prepend of an empty publisher", .init(all, keepsEveryValue: true, description: "Concatenate")
        ) { $0.prepend(Empty()) },
        OperatorCase(
            "output(at:)",
            .init(
                ["3"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, finishesEarly: true,
                description: "Output")
        ) {
            $0.output(at: 2)
        },
        OperatorCase(
            "output(in:)",
            .init(
                ["2", "3"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, finishesEarly: true,
                description: "Output")
        ) {
            $0.output(in: 1...2)
        },
        OperatorCase("drop(while:)", .init(["3", "4", "5"], description: "DropWhile")) {
            $0.drop { $0 < 3 }
        },
        OperatorCase("tryDrop(while:)", .init(["3", "4", "5"], description: "TryDropWhile")) {
            $0.tryDrop { $0 < 3 }
        },
        OperatorCase(
            "tryDrop(while:) that throws", .init([], ending: .failed, finishesEarly: true, description: "TryDropWhile")
        ) { $0.tryDrop { if $0 == 3 { throw TestError() } else { return true } } },
        OperatorCase(
            "prefix(while:)",
            .init(
                ["1", "2"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, finishesEarly: true,
                description: "PrefixWhile", mirror: ["downstream"])
        ) {
            $0.prefix { $0 < 3 }
        },
        OperatorCase(
            "tryPrefix(while:)",
            .init(
                ["1", "2"], endingOfFailure: .finished, endingOfFailureAtOnce: .failed, finishesEarly: true,
                description: "TryPrefixWhile", mirror: ["downstream"])
        ) {
            $0.tryPrefix { $0 < 3 }
        },
        OperatorCase(
            "tryPrefix(while:) that throws",
            .init(
                ["1", "2"], ending: .failed, finishesEarly: true, description: "TryPrefixWhile", mirror: ["downstream"])
        ) { $0.tryPrefix { if $0 == 3 { throw TestError() } else { return true } } },
        OperatorCase(
            "drop(untilOutputFrom:)", .init(all, keepsEveryValue: true, description: "DropUntilOutput")
        ) { $0.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self)) },
        OperatorCase(
            "prefix(untilOutputFrom:)", .init(all, keepsEveryValue: true, description: "PrefixUntilOutput")
        ) { $0.prefix(untilOutputFrom: never) },
    ]
}
