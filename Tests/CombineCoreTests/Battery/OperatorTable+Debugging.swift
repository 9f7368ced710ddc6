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
        OperatorCase("print", .init(all, keepsEveryValue: true, description: "Print")) {
            $0.print("numbers", to: Discarding())
        },
        OperatorCase(
            "breakpoint", .init(all, strictness: .transparent, keepsEveryValue: true, description: "Breakpoint")
        ) { $0.breakpoint() },
        OperatorCase(
            "breakpoint that never breaks",
            .init(all, strictness: .transparent, keepsEveryValue: true, description: "Breakpoint")
        ) {
            $0.breakpoint(
                receiveSubscription: { _ in false }, receiveOutput: { _ in false }, receiveCompletion: { _ in false })
        },
    ]
}

/// Takes text and keeps none of it.
private struct Discarding: TextOutputStream {
    mutating func write(_ string: String) {}
}
