import CombineCore
import CombineTesting

extension OperatorTable {
    static let errors: [OperatorCase] = [
        OperatorCase(
            "mapError", .init(all, strictness: .transparent, keepsEveryValue: true, description: "MapError")
        ) { $0.mapError { TestError($0.code + 1) } },
        OperatorCase(
            "setFailureType",
            .init(all, strictness: .transparent, keepsEveryValue: true, description: "MapError")
        ) { $0.mapError { $0 as any Error }.map { $0 } },
        OperatorCase(
            "replaceError",
            .init(
                all, outputsBeforeFailure: all + ["9"], endingOfFailure: .finished, outputsOfFailureAtOnce: ["9"],
                keepsEveryValue: true, description: "ReplaceError")
        ) { $0.replaceError(with: 9) },
        OperatorCase(
            "catch",
            .init(
                all, outputsBeforeFailure: all + ["8", "9"], endingOfFailure: .finished,
                outputsOfFailureAtOnce: ["8", "9"], keepsEveryValue: true, description: "Catch",
                mirror: ["downstream", "demand"])
        ) { $0.catch { _ in [8, 9].publisher } },
        OperatorCase(
            "catch with a failure",
            .init(all, keepsEveryValue: true, description: "Catch", mirror: ["downstream", "demand"])
        ) { $0.catch { Fail<Int, TestError>(error: $0) } },
    ]
}
