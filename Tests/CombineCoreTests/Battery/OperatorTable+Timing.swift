import CombineCore
import CombineTesting

extension OperatorTable {
    static let timing: [OperatorCase] = [
        OperatorCase("receive on an immediate scheduler", .init(all, keepsEveryValue: true, description: "ReceiveOn")) {
            $0.receive(on: ImmediateScheduler.shared)
        },
        OperatorCase("receive(on:)", .init(all, keepsEveryValue: true, description: "ReceiveOn"), pace: .seconds(1)) {
            $0.receive(on: $1)
        },
        OperatorCase("delay", .init(all, keepsEveryValue: true, description: "Delay"), pace: .seconds(1)) {
            $0.delay(for: .milliseconds(700), scheduler: $1)
        },
        OperatorCase(
            "debounce",
            .init(
                [], demand: .unlimited, dropsWithoutDemand: true, description: "Debounce",
                mirror: ["downstream", "downstreamDemand", "currentValue"]),
            pace: .seconds(1)
        ) { $0.debounce(for: .milliseconds(700), scheduler: $1) },
        OperatorCase(
            "subscribe(on:)", .init(all, keepsEveryValue: true, description: "SubscribeOn"), pace: .seconds(1)
        ) { $0.subscribe(on: $1) },
        OperatorCase(
            "throttle to the latest",
            .init(["5"], demand: .unlimited, dropsWithoutDemand: true, description: "Throttle"), pace: .seconds(1)
        ) { $0.throttle(for: .milliseconds(700), scheduler: $1, latest: true) },
        OperatorCase(
            "throttle to the first",
            .init(["1"], demand: .unlimited, dropsWithoutDemand: true, description: "Throttle"), pace: .seconds(1)
        ) { $0.throttle(for: .milliseconds(700), scheduler: $1, latest: false) },
        OperatorCase("timeout", .init(all, keepsEveryValue: true, description: "Timeout"), pace: .milliseconds(1)) {
            $0.timeout(.seconds(90), scheduler: $1)
        },
        OperatorCase(
            "measureInterval",
            .init(
                Array(repeating: "Stride(_nanoseconds: 0)", count: 5), keepsEveryValue: true,
                description: "MeasureInterval"),
            pace: .zero
        ) { $0.measureInterval(using: $1) },
        OperatorCase(
            "collect by time",
            .init(["[1, 2, 3, 4, 5]"], outputsBeforeFailure: [], demand: .own, description: "CollectByTime"),
            pace: .seconds(1)
        ) { $0.collect(.byTime($1, .milliseconds(700))) },
        OperatorCase(
            "collect by time or count",
            .init(
                ["[1, 2]", "[3, 4]", "[5]"], outputsBeforeFailure: ["[1, 2]", "[3, 4]"], demand: .own,
                description: "CollectByTime"),
            pace: .seconds(1)
        ) { $0.collect(.byTimeOrCount($1, .milliseconds(700), 2)) },
    ]
}
