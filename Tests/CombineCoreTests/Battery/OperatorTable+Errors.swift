import CombineCore
import CombineTesting

extension OperatorTable {
    static let errors: [OperatorCase] = [
        OperatorCase(
            "mapError", .init(all, strictness: .transparent, keepsEveryValue: true, description: "MapError")
        ) { $0.mapError { TestError($0.code + 1) } },
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
        OperatorCase(
            "setFailureType",
            .init(
                all, outputsBeforeFailure: all, endingOfFailure: .finished, keepsEveryValue: true,
                description: "Catch", mirror: ["downstream", "demand"])
        ) { $0.catch { _ in Empty<Int, Never>() }.setFailureType(to: TestError.self) },
        OperatorCase(
            "assertNoFailure",
            .init(
                all, endingOfFailure: .finished, keepsEveryValue: true, description: "Catch",
                mirror: ["downstream", "demand"])
        ) { $0.catch { _ in Empty<Int, TestError>() }.assertNoFailure() },
        OperatorCase(
            "tryCatch",
            .init(
                all, outputsBeforeFailure: all + ["8", "9"], endingOfFailure: .finished,
                outputsOfFailureAtOnce: ["8", "9"], keepsEveryValue: true, description: "TryCatch",
                mirror: ["downstream", "demand"])
        ) { $0.tryCatch { _ in Publishers.Sequence<[Int], TestError>(sequence: [8, 9]) } },
        OperatorCase(
            "tryCatch that throws",
            .init(all, keepsEveryValue: true, description: "TryCatch", mirror: ["downstream", "demand"])
        ) { $0.tryCatch { error -> Empty<Int, TestError> in throw error } },
        OperatorCase("retry zero times", .init(all, keepsEveryValue: true, description: "Retry")) { $0.retry(0) },
    ]
}
