public import CasePaths
public import Dispatch

/// How much of an action is printed.
public enum ActionFormat: Sendable {
    /// The names of the cases.
    case labelsOnly
    /// Everything that the action carries.
    case prettyPrint
}

/// Where debugging reducers print, and on which queue.
public struct DebugEnvironment: Sendable {
    /// Takes each text.
    public var printer: @Sendable (String) -> Void
    /// Where texts are made and printed, so that reducers do not wait for it.
    public var queue: DispatchQueue

    /// Prints on standard output, on a queue of its own.
    public init(
        printer: @escaping @Sendable (String) -> Void = { print($0) },
        queue: DispatchQueue = DebugEnvironment.defaultQueue
    ) {
        self.printer = printer
        self.queue = queue
    }

    /// Prints on a queue of its own.
    public init(printer: @escaping @Sendable (String) -> Void) {
        self.init(printer: printer, queue: DebugEnvironment.defaultQueue)
    }

    /// The queue that debugging reducers share.
    public static let defaultQueue = DispatchQueue(label: "composable-architecture.debug", qos: .background)
}

extension Reducer {
    /// The same reducer, which prints each action and what it changes in the state. In release builds it prints nothing.
    public func debug(
        _ prefix: String = "", actionFormat: ActionFormat = .prettyPrint,
        environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in DebugEnvironment() }
    ) -> Reducer {
        debug(
            prefix, state: { $0 }, action: .self, actionFormat: actionFormat, environment: toDebugEnvironment)
    }

    /// The same reducer, which prints each action. In release builds it prints nothing.
    public func debugActions(
        _ prefix: String = "", actionFormat: ActionFormat = .prettyPrint,
        environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in DebugEnvironment() }
    ) -> Reducer {
        debug(
            prefix, state: { _ in () }, action: .self, actionFormat: actionFormat, environment: toDebugEnvironment)
    }

    /// The same reducer, which prints some actions and what they change in a part of the state. In release builds it
    /// prints nothing.
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

/// What there is to say about an action.
struct ActionReport<State, Action>: @unchecked Sendable {
    // Sendable because the values are copies that are only read, once, on the queue that prints.
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
