public import CasePaths
public import Dispatch

/// The level of detail in which an action is printed.
public enum ActionFormat: Sendable {
    /// Only the names of the cases.
    case labelsOnly
    /// The action with all its associated values.
    case prettyPrint
}

/// The printer and the queue of debugging reducers.
public struct DebugEnvironment: Sendable {
    /// Prints a text.
    public var printer: @Sendable (String) -> Void
    /// The queue on which texts are formatted and printed, so that reducers do not wait.
    public var queue: DispatchQueue

    /// Creates an environment that prints to standard output by default.
    public init(
        printer: @escaping @Sendable (String) -> Void = { print($0) },
        queue: DispatchQueue = DebugEnvironment.defaultQueue
    ) {
        self.printer = printer
        self.queue = queue
    }

    /// Creates an environment that prints on the shared queue.
    public init(printer: @escaping @Sendable (String) -> Void) {
        self.init(printer: printer, queue: DebugEnvironment.defaultQueue)
    }

    /// The queue that debugging reducers share.
    public static let defaultQueue = DispatchQueue(label: "composable-architecture.debug", qos: .background)
}

extension Reducer {
    /// Returns a reducer that prints each action and the changes that it makes to the state. Prints nothing in release
    /// builds.
    public func debug(
        _ prefix: String = "", actionFormat: ActionFormat = .prettyPrint,
        environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in DebugEnvironment() }
    ) -> Reducer {
        debug(
            prefix, state: { $0 }, action: .self, actionFormat: actionFormat, environment: toDebugEnvironment)
    }

    /// Returns a reducer that prints each action. Prints nothing in release builds.
    public func debugActions(
        _ prefix: String = "", actionFormat: ActionFormat = .prettyPrint,
        environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in DebugEnvironment() }
    ) -> Reducer {
        debug(
            prefix, state: { _ in () }, action: .self, actionFormat: actionFormat, environment: toDebugEnvironment)
    }

    /// Returns a reducer that prints the actions in one case and the changes that they make to a part of the state.
    /// Prints nothing in release builds.
    public func debug<LocalState, LocalAction>(
        _ prefix: String = "", state toLocalState: @escaping (State) -> LocalState,
        action toLocalAction: CasePath<Action, LocalAction>, actionFormat: ActionFormat = .prettyPrint,
        environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in DebugEnvironment() }
    ) -> Reducer {
        #if DEBUG
            return Reducer { state, action, environment in
                let before = toLocalState(state)
                let effect = run(&state, action, environment)
                guard let local = toLocalAction.extract(from: action) else { return effect }
                let report = ActionReport(
                    prefix: prefix, action: local, before: before, after: toLocalState(state), format: actionFormat)
                let debug = toDebugEnvironment(environment)
                return .merge(
                    .fireAndForget { debug.queue.async { debug.printer(report.text) } },
                    effect)
            }
        #else
            return self
        #endif
    }
}

/// The text that is printed for an action.
struct ActionReport<State, Action>: @unchecked Sendable {
    // Sendable because the values are copies that are read once, on the printing queue.
    let prefix: String
    let action: Action
    let before: State
    let after: State
    let format: ActionFormat

    var text: String {
        let name =
            switch format {
            case .labelsOnly: debugCaseOutput(action)
            case .prettyPrint: debugOutput(action)
            }
        let title = "\(prefix.isEmpty ? "" : "\(prefix): ")received action:\n\(name.indented)\n"
        if State.self == Void.self { return title }
        return title + (debugDiff(before, after).map { "\($0)\n" } ?? "  (No state changes)\n")
    }
}
