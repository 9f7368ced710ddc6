import CombineCore
import CombineTesting

extension OperatorTable {
    private static let mirror: [String?] = ["values", "state", "downstreamDemand", "terminal"]

    static let buffering: [OperatorCase] = [
        OperatorCase(
            "buffer that is kept full",
            .init(all, demand: .own, finishWaitsForDemand: true, description: "Buffer", mirror: mirror)
        ) { $0.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest) },
        OperatorCase(
            "buffer by request",
            .init(all, demand: .unlimited, finishWaitsForDemand: true, description: "Buffer", mirror: mirror)
        ) { $0.buffer(size: 2_000, prefetch: .byRequest, whenFull: .dropOldest) },
    ]
}
