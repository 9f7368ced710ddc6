import CombineCore
import CombineTesting

extension OperatorTable {
    static let sharing: [OperatorCase] = [
        OperatorCase(
            "share",
            .init(
                all, demand: .own, keepsEveryValue: true, dropsWithoutDemand: true, isShared: true,
                description: "Multicast", linkDescription: "Subject")
        ) { $0.share() },
        OperatorCase(
            "multicast and autoconnect",
            .init(
                all, demand: .own, keepsEveryValue: true, dropsWithoutDemand: true, isShared: true,
                description: "Multicast", linkDescription: "Subject")
        ) { $0.multicast { PassthroughSubject() }.autoconnect() },
        OperatorCase(
            "makeConnectable and autoconnect",
            .init(
                all, endingOfFailure: .finished, demand: .own, keepsEveryValue: true, dropsWithoutDemand: true,
                isShared: true, description: "Multicast", linkDescription: "Catch",
                linkMirror: ["downstream", "demand"])
        ) { $0.catch { _ in Empty<Int, Never>() }.makeConnectable().autoconnect() },
    ]
}
