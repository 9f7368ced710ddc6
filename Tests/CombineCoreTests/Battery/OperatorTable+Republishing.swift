import CombineCore
import CombineTesting

extension OperatorTable {
    static let republishing: [OperatorCase] = [
        OperatorCase(
            "flatMap of one value", .init(all, demand: .unlimited, keepsEveryValue: true, description: "FlatMap")
        ) { $0.flatMap { Just($0) } },
        OperatorCase(
            "flatMap of two values",
            .init(
                all.flatMap { [$0, $0 + "0"] }, oneByOne: all + all.map { $0 + "0" }, demand: .unlimited,
                description: "FlatMap")
        ) { $0.flatMap { [$0, $0 * 10].publisher } },
        OperatorCase(
            "flatMap of one publisher at a time",
            .init(all.flatMap { [$0, $0 + "0"] }, demand: .own, description: "FlatMap")
        ) { $0.flatMap(maxPublishers: .max(1)) { [$0, $0 * 10].publisher } },
        OperatorCase("flatMap to empty publishers", .init([], demand: .unlimited, description: "FlatMap")) {
            $0.flatMap { _ in Empty<Int, TestError>() }
        },
        OperatorCase(
            "flatMap of a failure",
            .init([], ending: .failed, demand: .unlimited, finishesEarly: true, description: "FlatMap")
        ) { $0.flatMap { Fail<Int, TestError>(error: TestError($0)) } },
        OperatorCase(
            "switchToLatest",
            .init(
                all, demand: .unlimited, keepsEveryValue: true, dropsWithoutDemand: true, description: "SwitchToLatest",
                linkDescription: "Map")
        ) { $0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest() },
    ]
}
