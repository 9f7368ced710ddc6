import CombineCore
import CombineTesting

extension OperatorTable {
    static let debugging: [OperatorCase] = [
        OperatorCase("handleEvents", .init(all, keepsEveryValue: true, description: "HandleEvents")) {
            $0.handleEvents(receiveOutput: { _ in })
        },
        OperatorCase(
            "handleEvents that handles nothing", .init(all, keepsEveryValue: true, description: "HandleEvents")
        ) {
            $0.handleEvents()
        },
    ]
}
