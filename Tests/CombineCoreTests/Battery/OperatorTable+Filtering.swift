import CombineCore
import CombineTesting

extension OperatorTable {
    static let filtering: [OperatorCase] = [
        OperatorCase("filter", .init(["2", "4"], strictness: .transparent, description: "Filter")) {
            $0.filter { $0.isMultiple(of: 2) }
        },
        OperatorCase("filter twice", .init(["4"], strictness: .transparent, description: "Filter")) {
            $0.filter { $0.isMultiple(of: 2) }.filter { $0 > 2 }
        },
        OperatorCase("compactMap", .init(["1", "3", "5"], strictness: .transparent, description: "CompactMap")) {
            $0.compactMap { $0.isMultiple(of: 2) ? nil : "\($0)" }
        },
        OperatorCase(
            "compactMap twice and map", .init(["3", "5"], strictness: .transparent, description: "CompactMap")
        ) {
            $0.compactMap { $0.isMultiple(of: 2) ? nil : $0 }.compactMap { $0 == 1 ? nil : $0 }.map { "\($0)" }
        },
        OperatorCase(
            "removeDuplicates",
            .init(
                all, description: "RemoveDuplicates", mirror: ["downstream", "last"])
        ) { $0.removeDuplicates() },
        OperatorCase(
            "removeDuplicates by a predicate",
            .init(
                ["1", "2", "4"], description: "RemoveDuplicates",
                mirror: ["downstream", "last"])
        ) { $0.removeDuplicates { $0 / 2 == $1 / 2 } },
        OperatorCase("tryFilter", .init(["2", "4"], description: "TryFilter", mirror: ["downstream"])) {
            $0.tryFilter { $0.isMultiple(of: 2) }
        },
        OperatorCase(
            "tryFilter that throws",
            .init(["1", "2"], ending: .failed, finishesEarly: true, description: "TryFilter", mirror: ["downstream"])
        ) { $0.tryFilter { if $0 == 3 { throw TestError() } else { return true } } },
        OperatorCase("tryCompactMap", .init(["1", "3", "5"], description: "TryCompactMap", mirror: ["downstream"])) {
            $0.tryCompactMap { $0.isMultiple(of: 2) ? nil : $0 }
        },
        OperatorCase(
            "tryCompactMap that throws",
            .init(["1"], ending: .failed, finishesEarly: true, description: "TryCompactMap", mirror: ["downstream"])
        ) { $0.tryCompactMap { if $0 == 3 { throw TestError() } else { return $0 == 2 ? nil : $0 } } },
        OperatorCase(
            "tryRemoveDuplicates",
            .init(["1", "2", "4"], description: "TryRemoveDuplicates", mirror: ["downstream", "last"])
        ) { $0.tryRemoveDuplicates { $0 / 2 == $1 / 2 } },
        OperatorCase(
            "tryRemoveDuplicates that throws",
            .init(
                ["1", "2"], ending: .failed, finishesEarly: true, description: "TryRemoveDuplicates",
                mirror: ["downstream", "last"])
        ) { $0.tryRemoveDuplicates { if $1 == 3 { throw TestError() } else { return $0 == $1 } } },
        OperatorCase(
            "replaceEmpty",
            .init(
                all, outputsOfNothing: ["9"], demand: .own, keepsEveryValue: true, exceedsDemand: true,
                description: "ReplaceEmpty")
        ) { $0.replaceEmpty(with: 9) },
    ]
}
