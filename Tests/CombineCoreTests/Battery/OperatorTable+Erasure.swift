import CombineCore
import CombineTesting

extension OperatorTable {
    static let erasure: [OperatorCase] = [
        OperatorCase(
            "eraseToAnyPublisher",
            .init(all, strictness: .transparent, keepsEveryValue: true, description: "Map")
        ) { $0.eraseToAnyPublisher() },
        OperatorCase(
            "Deferred",
            .init(all, strictness: .transparent, keepsEveryValue: true, description: "Map")
        ) { upstream in Deferred { upstream } },
    ]
}
