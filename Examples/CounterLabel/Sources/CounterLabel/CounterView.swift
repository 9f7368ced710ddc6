#if canImport(SwiftUI)
    import GranaryClient
    import SwiftUI

    /// Shows a counter. The view is the one of a view model on the phone.
    struct CounterView: View {
        @ObservedObject var counter: RemoteMachine<Counter>

        var body: some View {
            Text("\(counter.outputs.count)")
            Button("+") { Task { try await counter.send(.increment) } }
                .disabled(!counter.outputs.isIncrementEnabled)
            if counter.status == .offline { Text("offline") }
        }
    }
#endif
