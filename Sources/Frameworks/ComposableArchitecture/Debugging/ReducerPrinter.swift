import Dispatch

/// Prints the actions of a reducer and the changes that they cause.
public struct _ReducerPrinter<State, Action>: Sendable {
    private let print: @Sendable (Action, State, State) -> Void

    /// Creates a printer that calls a closure with each action, and with the state before and after it.
    public init(
        printChange: @escaping @Sendable (_ receivedAction: Action, _ oldState: State, _ newState: State) -> Void
    ) {
        print = printChange
    }

    /// Prints an action and the change that it has caused.
    public func printChange(receivedAction: Action, oldState: State, newState: State) {
        print(receivedAction, oldState, newState)
    }

    /// Prints actions with their values, and the differences of the state.
    public static var customDump: _ReducerPrinter {
        _ReducerPrinter { action, old, new in
            let difference = debugDiff(old, new) ?? "  (No state changes)"
            write("received action:\n\(debugOutput(action).indented)\n\(difference)\n")
        }
    }

    /// Prints the names of actions.
    public static var actionLabels: _ReducerPrinter {
        _ReducerPrinter { action, _, _ in
            write("received action: \(ActionName.path(of: action))")
        }
    }
}

/// Prints a text, without making the reducer wait.
private func write(_ text: String) {
    DebugEnvironment.defaultQueue.async { print(text) }
}

extension ReducerProtocol {
    /// Returns this reducer with each action and its state changes printed. Prints nothing in release builds.
    ///
    /// - Parameter printer: What is printed; nil for nothing.
    public func _printChanges(_ printer: _ReducerPrinter<State, Action>? = .customDump) -> Reduce<State, Action> {
        #if DEBUG
            guard let printer else { return Reduce(self) }
            return Reduce { state, action in
                let before = state
                let effect = reduce(into: &state, action: action)
                printer.printChange(receivedAction: action, oldState: before, newState: state)
                return effect
            }
        #else
            return Reduce(self)
        #endif
    }
}
