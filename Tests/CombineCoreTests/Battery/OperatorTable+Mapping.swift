import CombineCore
import CombineTesting

extension OperatorTable {
    private static let doubled = ["2", "4", "6", "8", "10"]
    private static let counted = ["1", "2", "3", "4", "5"]

    static let mapping: [OperatorCase] = [
        OperatorCase(
            "map",
            .init(doubled, strictness: .transparent, keepsEveryValue: true, description: "Map")
        ) { $0.map { $0 * 2 } },
        OperatorCase(
            "map twice",
            .init(doubled, strictness: .transparent, keepsEveryValue: true, description: "Map")
        ) { $0.map { $0 + 1 }.map { ($0 - 1) * 2 } },
        OperatorCase(
            "map of a key path",
            .init(all, strictness: .transparent, keepsEveryValue: true, description: "ValueForKey", mirror: ["keyPath"])
        ) { $0.map(\.description) },
        OperatorCase(
            "map of two key paths",
            .init(
                all.map { "(\($0), \"\($0)\")" }, strictness: .transparent, keepsEveryValue: true,
                description: "ValueForKeys", mirror: ["keyPath0", "keyPath1"])
        ) { $0.map(\.self, \.description) },
        OperatorCase(
            "map of three key paths",
            .init(
                all.map { "(\($0), \"\($0)\", 64)" }, strictness: .transparent, keepsEveryValue: true,
                description: "ValueForKeys", mirror: ["keyPath0", "keyPath1", "keyPath2"])
        ) { $0.map(\.self, \.description, \.bitWidth) },
        OperatorCase("tryMap", .init(doubled, keepsEveryValue: true, description: "TryMap")) {
            $0.tryMap { $0 * 2 }
        },
        OperatorCase(
            "tryMap that throws",
            .init(["1", "2"], ending: .failed, finishesEarly: true, description: "TryMap")
        ) { $0.tryMap { if $0 == 3 { throw TestError(1) } else { return $0 } } },
        OperatorCase(
            "scan",
            .init(
                ["1", "3", "6", "10", "15"], strictness: .transparent, keepsEveryValue: true, description: "Scan",
                mirror: ["downstream", "result"])
        ) { $0.scan(0, +) },
        OperatorCase(
            "tryScan",
            .init(["1", "3", "6", "10", "15"], keepsEveryValue: true, description: "TryScan", mirror: scanMirror)
        ) { $0.tryScan(0, +) },
        OperatorCase(
            "tryScan that throws",
            .init(["1", "3"], ending: .failed, finishesEarly: true, description: "TryScan", mirror: scanMirror)
        ) { $0.tryScan(0) { if $1 == 3 { throw TestError() } else { return $0 + $1 } } },
        OperatorCase(
            "replaceNil",
            .init(["9", "2", "9", "4", "9"], strictness: .transparent, keepsEveryValue: true, description: "Map")
        ) { $0.map { $0.isMultiple(of: 2) ? $0 : nil }.replaceNil(with: 9) },
        OperatorCase("tryMap and map", .init(doubled, keepsEveryValue: true, description: "TryMap")) {
            $0.tryMap { $0 * 2 }.map { $0 }.tryMap { $0 }
        },
    ]

    private static let scanMirror: [String?] = ["downstream", "status", "result"]
}
