import ComposableArchitecture
import MachineHost

/// The path to a case of an action, through the cases of nested actions.
struct ActionRoute: Sendable {
    /// One case of the path.
    struct Step: Sendable {
        let action: any Any.Type
        let found: ActionCase
        /// The number of values of the body that the case itself carries, before the nested action.
        let carried: Int
    }

    /// The names of the cases, separated by dots.
    let name: String
    let steps: [Step]
    let body: ActionBody

    /// Returns the refusal for missing state, with the part of the route to which the state belongs: `"item" has no
    /// element with id 7`.
    func refusal(_ missing: MissingState) -> InputRefusal {
        let depth = steps.firstIndex { ObjectIdentifier($0.action) == missing.actionType } ?? 0
        let cases = name.split(separator: ".")
        let part = depth == 0 ? name : cases.prefix(depth).joined(separator: ".")
        return InputRefusal(reason: "\"\(part)\" \(missing.absence)")
    }

    /// Creates the action from the values of a body; nil if a case cannot be created.
    func action<Action>(of values: [Any], as type: Action.Type) -> Action? {
        var rest = values[...]
        var inner: Any?
        // The innermost case is created first, as each case contains the next one. So the values are taken from the
        // end.
        for step in steps.reversed() {
            let own = Array(rest.suffix(step.carried))
            rest = rest.dropLast(step.carried)
            guard let made = step.found.make(own + (inner.map { [$0] } ?? [])) else { return nil }
            inner = made
        }
        return inner as? Action
    }
}
