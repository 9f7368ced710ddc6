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
    ]
}
