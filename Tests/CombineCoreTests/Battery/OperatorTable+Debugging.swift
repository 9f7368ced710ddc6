import CombineCore
import CombineTesting

extension OperatorTable {
    static let debugging: [OperatorCase] = [
        OperatorCase("handleEvents", .init(all, keepsEveryValue: true, description: "HandleEvents")) {
            $0.handleEvents(receiveOutput: { _ in })
        },
        OperatorCase(
            "handleEvents without closures", .init(all, keepsEveryValue: true, description: "HandleEvents")
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
            "breakpoint that never triggers",
            .init(all, strictness: .transparent, keepsEveryValue: true, description: "Breakpoint")
        ) {
            $0.breakpoint(
                receiveSubscription: { _ in false }, receiveOutput: { _ in false }, receiveCompletion: { _ in false })
        },
    ]
}

/// A stream that discards its text.
private struct Discarding: TextOutputStream {
    mutating func write(_ string: String) {}
}
