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
    ]
}
