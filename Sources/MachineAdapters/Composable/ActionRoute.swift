import CasePaths
import ComposableArchitecture
import MachineHost

/// The way to a case of an action: through cases of the actions in it.
struct ActionRoute: Sendable {
    /// One case on the way.
    struct Step: Sendable {
        let shape: EnumShape
        let tag: Int
        /// How many of the values of the body it carries itself, before the action in it.
        let carried: Int
    }

    /// The names of the cases, with dots between them.
    let name: String
    let steps: [Step]
    let body: ActionBody

    /// Says what is missing, naming the part of the route that the state belongs to: `"item" has no element with id 7`.
    func refusal(_ missing: MissingState) -> InputRefusal {
        let depth = steps.firstIndex { ObjectIdentifier($0.shape.type) == missing.actionType } ?? 0
        let cases = name.split(separator: ".")
        let part = depth == 0 ? name : cases.prefix(depth).joined(separator: ".")
        return InputRefusal(reason: "\"\(part)\" \(missing.absence)")
    }

    /// Makes the action of the values of a body; nil if one of the cases cannot be made.
    func action<Action>(of values: [Any], as type: Action.Type) -> Action? {
        var rest = values[...]
        var inner: Any?
        for step in steps.reversed() {
            let own = Array(rest.suffix(step.carried))
            rest = rest.dropLast(step.carried)
            func make<Root>(_ type: Root.Type) -> Any? {
                step.shape.value(ofCase: step.tag, carrying: own + (inner.map { [$0] } ?? []), as: type)
            }
            guard let made = _openExistential(step.shape.type, do: make) else { return nil }
            inner = made
        }
        return inner as? Action
    }
}
