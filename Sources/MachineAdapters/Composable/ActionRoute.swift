import CasePaths
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
